#!/bin/bash
# gpu_compile.sh COMPILER - does a device compiler take the kernels, with every warning an error?
#
# nvcc (PATH, CUDA_HOME or /usr/local/cuda) compiles for sm_75 and sm_90, hipcc for gfx90a (waves of
# 64) and gfx1030 (waves of 32). Nothing is run. Exit 77: the compiler is not here.
set -euo pipefail

compiler=$1
source=$SOURCE_DIR/tests/gpu_compile.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
common=(-std=c++17 -O1 -I "$SOURCE_DIR/include" -I "$SOURCE_DIR/src" -c "$source" -o "$work/out.o")

find_compiler() { # prints the first that can be run
    local candidate
    for candidate; do
        if command -v "$candidate"; then
            return
        fi
    done
    echo "skipped: $compiler is not installed here" >&2
    exit 77
}

case $compiler in
nvcc)
    nvcc=$(find_compiler nvcc "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
    for arch in 75 90; do
        "$nvcc" -Werror all-warnings -Xcompiler -Wall,-Wextra -fmad=false -ftz=false \
            -gencode "arch=compute_$arch,code=sm_$arch" "${common[@]}"
        echo "compiled for sm_$arch"
    done
    ;;
hipcc)
    hipcc=$(find_compiler hipcc)
    for arch in gfx90a gfx1030; do
        "$hipcc" -x hip -Wall -Wextra -Werror -ffp-contract=off --offload-arch=$arch "${common[@]}"
        echo "compiled for $arch"
    done
    ;;
*)
    echo "usage: gpu_compile.sh nvcc|hipcc" >&2
    exit 2
    ;;
esac
