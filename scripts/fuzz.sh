#!/bin/bash
# fuzz.sh [SECONDS] - runs every fuzz target for SECONDS (default 30), from its kept corpus.
#
# New inputs stay in build/fuzz/corpus/. An input that fails is kept in build/fuzz/ and named; add
# it to tests/fuzz/corpus/TARGET/ together with the fix, and make test replays it from then on.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-30}
build=build/fuzz
cmake --preset fuzz --log-level=WARNING >/dev/null
cmake --build --preset fuzz -- --no-print-directory

run_target() {
    local name=$1
    local found=$build/corpus/$name log=$build/$name.log
    mkdir -p "$found"
    if ! "$build/tests/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="$build/$name-" \
        "$found" "tests/fuzz/corpus/$name" >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        echo "fuzz.sh: $name failed; the input is named above" >&2
        return 1
    fi
    echo "fuzz $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, no failure"
}

# Two at a time: each target is one thread.
failed=0
running=()
join() {
    local pid
    for pid in "${running[@]}"; do
        wait "$pid" || failed=1
    done
    running=()
}
for source in tests/fuzz/fuzz_*.c; do
    name=${source##*/fuzz_}
    run_target "${name%.c}" &
    running+=($!)
    [ ${#running[@]} -lt 2 ] || join
done
join
exit $failed
