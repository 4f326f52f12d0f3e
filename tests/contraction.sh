#!/bin/bash
# contraction.sh - squares are rounded before they are added, because the build says -ffp-contract=off.
#
# Compiles the kernels (in the model) and the trace for a processor that multiplies and adds in one
# rounding: with the build's own flag, and then with contraction allowed. The first has to give the
# bits of the trace. The second must not, or this test could not tell.
set -euo pipefail

cc=${CC:-cc}
cxx=${CXX:-c++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $(uname -m) in
x86_64)
    fma=(-mfma)
    grep -qw fma /proc/cpuinfo || { echo "skipped: this processor has no fma"; exit 77; }
    ;;
aarch64) fma=() ;;
*) echo "skipped: is there a fused multiply-add on $(uname -m)?"; exit 77 ;;
esac

# The flags as the build has them.
flags_of() { # CMAKE-FUNCTION
    sed -n "/^function($1 /,/^endfunction/p" "$SOURCE_DIR/cmake/compile_options.cmake" |
        grep -oE -- '-ffp-contract=[a-z]+' || true
}
read -ra c_flags <<<"$(flags_of tally_compile_options)"
read -ra model_flags <<<"$(flags_of tally_model_compile_options)"

common=(-O2 -w "${fma[@]}" -I "$SOURCE_DIR/include" -I "$SOURCE_DIR/src" -I "$SOURCE_DIR/tests")
for file in src/trace{,_block,_item} tests/{draw,format,typed,model_cases,contraction}; do
    "$cc" -std=c11 "${common[@]}" "${c_flags[@]}" -c "$SOURCE_DIR/$file.c" -o "$work/$(basename "$file").o"
done
run_with() { # FLAG...: of the model
    "$cxx" -std=c++17 "${common[@]}" -fno-exceptions -fno-rtti "$@" \
        -c "$SOURCE_DIR/src/model/model.cpp" -o "$work/model.o"
    "$cc" "$work"/*.o "$BUILD_DIR/libtally.a" -lm -o "$work/run"
    "$work/run"
}

echo "the build's flags: ${model_flags[*]-}"
run_with "${model_flags[@]}"
echo "-ffp-contract=fast:"
status=0
run_with -ffp-contract=fast || status=$?
if [ $status != 1 ]; then
    echo "contraction.sh: with contraction allowed the bits should differ (status $status)" >&2
    exit 1
fi
