#!/bin/bash
# test_trace_include.sh - what the trace is made of: it is the reference for the kernels' bits, so it
# shares nothing with them but tables, and it is to become WebAssembly, so it needs no libc.
set -euo pipefail

cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SOURCE_DIR"

fail() {
    echo "test_trace_include.sh: $1" >&2
    exit 1
}

trace=(src/trace.c src/trace_block.c src/trace_item.c
    src/trace_trouble.c)
tables=(src/plan.c src/op.c src/item.c src/fault.c)
[ "$(echo src/trace*.c)" = "${trace[*]}" ] || fail "src/trace*.c is no longer ${trace[*]}: list all here"

# Headers: its own, and those of the tables.
allowed='include/tally\.h src/(trace|trace_block|trace_item|trace_trouble|trace_wide|plan|op|item|fault|fold)\.h'
includes() { # FILE...
    "$cc" -std=c11 -MM -Iinclude -Isrc "$@" | grep -oE '[^ ]+\.h' | sort -u
}
foreign() { # FILE...: headers that are not allowed
    includes "$@" | grep -Ev "^(${allowed// /|})$" || true
}
found=$(foreign "${trace[@]}" "${tables[@]}")
[ -z "$found" ] || fail "the trace includes $found"
includes "${trace[@]}" | grep -qx 'src/trace\.h' || fail "the list of headers is empty: the check is broken"
printf '#include "exact.h"\n' >"$work/planted.c"
[ "$(foreign "$work/planted.c")" = src/exact.h ] || fail "a planted include is not found"

# The other way round: no kernel and no model knows the trace.
kernels=$(find src/gpu src/model -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.hpp')
if [ -n "$kernels" ] && xargs grep -nE '# *include *"([^"]*/)?trace' <<<"$kernels"; then
    fail "a kernel or the model includes a header of the trace"
fi

# Freestanding: nothing undefined but each other's functions and what every compiler may call.
flags=(-std=c11 -O2 -ffreestanding -Iinclude -Isrc)
link() { # COMPILER NM FLAGS...
    local compiler=$1 nm=$2 file
    shift 2
    rm -f "$work"/*.o
    for file in "${trace[@]}" "${tables[@]}"; do
        "$compiler" "$@" "${flags[@]}" -c "$file" -o "$work/$(basename "$file" .c).o"
    done
    "$nm" "$work"/*.o | awk '
        NF == 2 && $1 == "U" { wanted[$2] = 1 }
        NF == 3 && $2 ~ /[TRDBV]/ { have[$3] = 1 }
        END { for (name in wanted) if (!(name in have)) print name }' |
        grep -Ev '^(memcpy|memset|__stack_pointer|_GLOBAL_OFFSET_TABLE_)$' || true
}
found=$(link "$cc" nm)
[ -z "$found" ] || fail "the trace needs $found"
echo "the trace includes its own headers and tables, and needs memcpy and memset"

clang=$(command -v clang || command -v clang-14 || true)
nm=$(command -v llvm-nm || command -v llvm-nm-14 || true)
if [ -z "$clang" ] || [ -z "$nm" ] || ! "$clang" --print-targets | grep -q wasm32; then
    echo "not checked: no clang that compiles for wasm32"
    exit 0
fi
found=$(link "$clang" "$nm" --target=wasm32 -nostdlib)
[ -z "$found" ] || fail "as WebAssembly the trace needs $found"
echo "the same as WebAssembly"
