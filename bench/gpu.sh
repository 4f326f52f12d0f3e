#!/bin/bash
# gpu.sh - builds on a machine with an NVIDIA GPU, checks everything there, then times it.
#
#   bench/gpu.sh [--build DIRECTORY] [--out DIRECTORY] [--skip-sanitizer] [SECTION...]
#
# Steps: build (cmake, nvcc); tally verify; test_device; compute-sanitizer's four tools, if it is
# installed; the sections of bench_gpu_tree (see bench/gpu/tree.cu; "none": no timing). Nothing is
# timed unless all checks passed. Leaves record.txt and logs in the out directory (default:
# bench-out), and prints the tables last. Exit 1: a check failed. Exit 4: no device.
#
# TALLY_COMMIT says what was built where there is no git to ask.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
build=$source_dir/build/gpu
out=$source_dir/bench-out
sanitize=true
sections=()
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift ;;
    --out) out=$2 && shift ;;
    --skip-sanitizer) sanitize=false ;;
    -*) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    *) sections+=("$1") ;;
    esac
    shift
done
mkdir -p "$out"

step() { # NAME COMMAND...: its output goes to a log, whose end is shown
    local name=$1 log begin=$SECONDS status=0
    log=$out/$(tr ' ' '-' <<<"$name").log
    shift
    "$@" >"$log" 2>&1 || status=$?
    echo "==== $name: exit $status, $((SECONDS - begin)) s"
    tail -n 12 "$log"
    return $status
}

build_all() {
    cmake -S "$source_dir" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTALLY_CUDA=ON -DTALLY_HIP=OFF \
        -DTALLY_CUDA_ARCHITECTURES="${TALLY_CUDA_ARCHITECTURES:-native}" &&
        cmake --build "$build" --parallel "$(nproc)" \
            --target tally_command tally_cuda test_device_program bench_gpu_tree_program
}

# A smaller matrix: the tools slow kernels down a hundredfold.
sanitizer() { # TOOL
    compute-sanitizer --tool "$1" --error-exitcode 9 "$build/tally" verify --quick --backend cuda
}

cached() { # NAME: what CMake knows it as
    sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"
}

head_of_record() {
    local commit=${TALLY_COMMIT-} changed nvcc
    if [ -z "$commit" ] && commit=$(git -C "$source_dir" rev-parse --short=12 HEAD 2>/dev/null); then
        changed=$(git -C "$source_dir" status --porcelain --untracked-files=no | wc -l)
        commit+=", $([ "$changed" = 0 ] && echo clean || echo "dirty: $changed files changed")"
    fi
    echo "# date: $(date -u +%Y-%m-%dT%H:%MZ)"
    echo "# commit: ${commit:-unknown}"
    nvcc=$(cached TALLY_NVCC)
    echo "# compilers: $("${CC:-cc}" --version | head -n 1); $("$nvcc" --version | tail -n 1)"
    echo "# flags: nvcc -O3 -fmad=false -ftz=false, architectures $(cached TALLY_CUDA_ARCHITECTURES)"
    printf '# check: %s\n' "${checks[@]}"
}

checks=()
passed() { # NAME [PATTERN]: notes a check for the record, with the line of its log that tells
    local log=$out/${1// /-}.log
    checks+=("$1: $({ grep -E -- "${2-.}" "$log" || echo "its log says nothing"; } | tail -n 1 | tr -s ' =' ' ')")
}

failed=0
step build build_all || exit 1
"$build/tally" info
step verify "$build/tally" verify --backend cuda || failed=$?
[ "$failed" != 4 ] || exit 4
passed verify '^cuda'
step "device checks" "$build/test_device" || failed=1
passed "device checks"
step "device fault" "$build/test_device" fault || failed=1
passed "device fault"
if ! $sanitize; then
    checks+=("compute-sanitizer: left out")
elif ! command -v compute-sanitizer >/dev/null; then
    checks+=("compute-sanitizer: not run, it is not installed")
else
    for tool in memcheck racecheck synccheck initcheck; do
        step "$tool" sanitizer $tool || failed=1
        passed $tool 'SUMMARY'
    done
fi
if [ "$failed" != 0 ]; then
    echo "gpu.sh: a check failed (see above); nothing is timed" >&2
    exit 1
fi
[ "${sections[*]-}" != none ] || exit 0
head_of_record >"$out/record.txt"
time_all() {
    "$build/bench_gpu_tree" "${sections[@]}" >>"$out/record.txt"
}
step timing time_all
python3 "$source_dir/bench/gpu/tables.py" "$out/record.txt"
