#!/bin/bash
# lint.sh - every rule of scripts/lint.sh catches a planted violation, and says which rule it was.
set -euo pipefail

if [[ $(clang-format --version 2>&1) != *' 14.'* ]] || ! command -v shellcheck >/dev/null; then
    echo "skipped: needs clang-format 14 and shellcheck (scripts/packages.sh lint)"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir "$tree"
cd "$SOURCE_DIR"
cp -r .clang-format .ci CMakeLists.txt Makefile cmake include src tool tests bench examples scripts "$tree"
lint() {
    bash "$SOURCE_DIR/scripts/lint.sh" "$tree" >"$work/log" 2>&1
}
if ! lint; then
    cat "$work/log" >&2
    echo "the tree itself breaks a rule" >&2
    exit 1
fi

# plant FILE TEXT SENTENCE: puts TEXT at the end of FILE in the copy. One run of lint then has to
# name FILE right above SENTENCE. Each FILE is planted in once, so that no violation hides another.
planted=()
plant() {
    local file=$1 text=$2 sentence=$3
    mkdir -p "$(dirname "$tree/$file")"
    printf '%b' "$text" >>"$tree/$file"
    planted+=("$file" "$text" "$sentence")
}

for file in src/model/simt.cpp src/gpu/tree.cuh src/gpu/gpu.cu tests/model_kernels.cpp; do
    plant "$file" 'int   badly_spaced;\n' 'format:'
done
plant src/op.c 'int   badly_spaced;\n' 'format:'
for word in TODO FIXME XXX HACK; do
    plant "tool/$word.c" "/* $word: later */\n" 'unfinished work'
done
plant CMakeLists.txt '\tset(x y)\n' 'tabs:'
plant README.md 'a line \n' 'white space at the end'
vendor_words=(cudaMalloc hipFree __shfl_down_sync __ballot_sync __activemask __syncthreads __syncwarp
    __threadfence __any_sync __all __global__ __device__ __shared__ threadIdx blockIdx blockDim gridDim
    warpSize atomicCAS)
for name in "${vendor_words[@]}"; do
    plant "src/cpu/$name.c" "/* $name */\n" 'vendor API names'
done
plant src/gpu/word.cuh '/* __syncthreads(); */\n' 'vendor API names'
plant src/gpu/word.cu '/* cudaMalloc */\n' 'vendor API names'
plant src/gpu/gpu_map_model.h '/* threadIdx.x */\n' 'vendor API names'
plant src/model/word.cpp '/* warpSize */\n' 'vendor API names'
i=0
for text in 0xffffffff 0xFFFFFFFFu '0xffffffffffffffffull' 'lane % 32' 'lane / 64' 'gpu_lane() & 31' \
    'n > 32 ? wave : 0' 'offset = 32 / 2' 'group<64>' 'int lanes[32]' 'f(mask, lane, 32u)'; do
    i=$((i + 1))
    plant "src/gpu/width$i.cuh" "/* $text */\n" 'masks and widths of waves'
done
for call in setlocale strtod strtof strtold atof atoi scanf sscanf fscanf; do
    plant "src/io/$call.c" "/* $call(text) */\n" 'obey the locale'
done
plant src/io/percent.c '/* "%%.17g" */\n' 'obey the locale'
for call in printf fprintf puts perror exit abort assert; do
    plant "src/$call.c" "/* $call(1) */\n" 'the core neither prints'
done
for call in printf abort assert; do
    plant "src/model/$call.cpp" "/* $call(1) */\n" 'the core neither prints'
done
plant src/gpu/prints.cuh '/* printf(text) */\n' 'the core neither prints'
plant src/model/errno.cpp '/* errno = 0 */\n' 'the core does not touch errno'
plant src/model/up.cpp '#include "io/reader.h"\n' 'must not include src/io/ or tool/'
plant src/errno.c '/* errno = 0 */\n' 'the core does not touch errno'
plant src/reads.c '#include "io/reader.h"\n' 'must not include src/io/ or tool/'
plant src/cpu/up.c '#include "../../tool/cli.h"\n' 'must not include src/io/ or tool/'
plant src/io/up.c '#include "../../tool/cli.h"\n' 'src/io/ must not include tool/'
plant include/tally.h '#include "exact.h"\n' 'system headers only'
plant src/orphan.c 'int tally_orphan;\n' 'is named in CMakeLists.txt'
plant src/model/orphan.cpp 'int tally_orphan;\n' 'is named in CMakeLists.txt'
# shellcheck disable=SC2016  # the unquoted $1 is the violation
plant scripts/bad.sh '#!/bin/bash\necho $1\n' 'shellcheck'

if lint; then
    echo "lint found nothing at all" >&2
    exit 1
fi
for ((i = 0; i < ${#planted[@]}; i += 3)); do
    file=${planted[i]} text=${planted[i + 1]} sentence=${planted[i + 2]}
    # The lines since the sentence before this one.
    if ! awk -v file="$file" -v sentence="$sentence" '
        index($0, "lint: ") == 1 { if (index($0, sentence)) found = found || seen; seen = 0; next }
        index($0, file) { seen = 1 }
        END { exit !found }' "$work/log"; then
        cat "$work/log" >&2
        echo "not caught: $text in $file; expected to read: $sentence" >&2
        exit 1
    fi
    echo "caught: $text"
done

# What is allowed there is not reported.
{
    printf '/* %s */\n' "${vendor_words[@]}"
    printf '/* 0xffffffff; lane %% 32; wave == 64 */\n'
} >"$tree/src/gpu/gpu_map.h"
printf '/* %s */\n' "${vendor_words[@]}" >"$tree/src/gpu/gpu_map_host.h"
printf '/* %s */\n' 'word >> 32 of a lane' 'x << 64 - lane' '0xff800000' 'uint32_t lane' 'f64 lane' \
    'n / 32' 'static_assert(lanes)' >"$tree/src/gpu/fine.cuh"
lint || true
if grep -E '^src/gpu/(gpu_map\.h|gpu_map_host\.h|fine\.cuh):' "$work/log" >&2; then
    echo "gpu_map.h may hold vendor names and widths, gpu_map_host.h the names, and fine.cuh has none" >&2
    exit 1
fi
