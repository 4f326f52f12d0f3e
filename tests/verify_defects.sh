#!/bin/bash
# verify_defects.sh - tally verify has to notice. Plants one defect at a time in a copy of the trace,
# which level exact shares no code with, and expects exit 1 and a difference on the CPU.
#
# The piece of text that a defect replaces must be there: else the defect is void, and that an error.
set -euo pipefail

source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c11 -O1 -w -ffp-contract=off)

cp -r "$source_dir/include" "$source_dir/src" "$source_dir/tool" "$work"
cd "$work"
objects=()
compile() { # FILE.c
    "$cc" "${flags[@]}" -Iinclude -Isrc -Itool -c "$1" -o "${1%.c}.o"
}
for file in src/*.c src/cpu/*.c src/io/*.c tool/*.c; do
    [ "$file" != tool/gen_docs.c ] || continue
    compile "$file"
    objects+=("${file%.c}.o")
done
verify() {
    "$cc" "${objects[@]}" -lm -o tally
    ./tally verify --quick >log 2>&1
}

verify || { cat log; echo "verify fails without a defect" >&2; exit 1; }
grep -q '^cpu  *executed: [0-9]* cases, 0 differences; [1-9][0-9]* also' log

plant() { # NAME FILE OLD NEW
    local file=$2 code=0
    cp "$file" kept
    grep -qF -- "$3" "$file" || { echo "$1: '$3' is not in $file any more" >&2; exit 1; }
    OLD=$3 NEW=$4 awk '{
        while ((at = index($0, ENVIRON["OLD"])) > 0) {
            printf "%s%s", substr($0, 1, at - 1), ENVIRON["NEW"]
            $0 = substr($0, at + length(ENVIRON["OLD"]))
        }
        print }' kept >"$file"
    compile "$file"
    verify || code=$?
    if [ $code -ne 1 ] || ! grep -q '^cpu  *executed: [0-9]* cases, [1-9][0-9]* differences\b' log; then
        cat log
        echo "$1: not noticed, exit $code" >&2
        exit 1
    fi
    echo "noticed: $1: $(grep '^cpu' log)"
    cp kept "$file"
    compile "$file"
}

plant "a tree stops one round early" src/trace_block.c 'offset > 0; offset /= 2' 'offset > 1; offset /= 2'
plant "a lost upper half" src/trace_block.c 'stride = b->n_lanes / 2; stride > 0' 'stride = b->n_lanes / 4; stride > 0'
plant "the last index wins a tie" src/trace_item.c 'b->index < a->index' 'b->index > a->index'
plant "a minimum of zeros forgets the sign" src/trace_item.c 'sign_of(b) == smallest' 'sign_of(a) == smallest'
plant "a lost tail" src/plan.c 'return a / b + (a % b != 0);' 'return a / b;'
plant "slots of the next group" src/trace_block.c 't < n_slots ? b->shared[t]' 't + 1 < n_slots ? b->shared[t]'
