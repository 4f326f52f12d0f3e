#!/bin/bash
# lint.sh - the rules that a compiler does not check: format, words, and who may include whom.
#
#   scripts/lint.sh [DIRECTORY]     checks the tree in DIRECTORY (default: this one)
#   scripts/lint.sh --list-c        prints the C and C++ files that clang-format looks after
#
# Every rule prints the offending lines and one sentence that says what is wanted instead.
# tests/lint.sh breaks each rule in a copy of the tree and expects that rule's sentence.
set -uo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
list_only=false
if [ "${1-}" = --list-c ]; then
    list_only=true
elif [ $# -gt 0 ]; then
    root=$1
fi
cd "$root" || exit 2

mapfile -t c_files < <(
    find include src tool tests bench examples -type f \
        \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) 2>/dev/null | sort)
if $list_only; then
    printf '%s\n' "${c_files[@]}"
    exit 0
fi
mapfile -t scripts < <(find scripts tests bench .ci -name '*.sh' -o -path '.ci/run' | sort)
mapfile -t text_files < <(
    find . \( -name .git -o -path './build*' -o -path './tests/fuzz/corpus' \) -prune -o -type f -print |
        sed 's|^\./||' | grep -v '^scripts/lint\.sh$\|^tests/lint\.sh$\|^docs/records/.*\.svg$' | sort)

failures=0
fail() { # rule
    echo "lint: $1" >&2
    failures=$((failures + 1))
}

# forbid RULE PATTERN FILE...: no line of the files may match the extended regular expression.
forbid() {
    local rule=$1 pattern=$2
    shift 2
    [ $# -gt 0 ] || return 0
    if grep -InE -- "$pattern" /dev/null "$@" >&2; then
        fail "$rule"
    fi
}

under() { # DIRECTORY-PATTERN: the C and C++ files whose path matches
    printf '%s\n' "${c_files[@]}" | grep -E "$1" || true
}
mapfile -t src < <(under '^src/')
mapfile -t src_without_map < <(under '^src/' | grep -v '^src/gpu/gpu_map\(_host\)\?\.h$')
mapfile -t kernels < <(under '^src/gpu/' | grep -v '^src/gpu/gpu_map\.h$')
mapfile -t core < <(under '^src/([^/]*|(cpu|gpu|model)/.*)$')
mapfile -t io < <(under '^src/io/')
mapfile -t public < <(under '^include/')

if [[ $(clang-format --version 2>&1) != *' 14.'* ]]; then
    fail "clang-format 14 decides the format, and it is not here: scripts/packages.sh lint"
elif ! clang-format --dry-run -Werror "${c_files[@]}"; then
    fail "format: run make format"
fi

forbid "unfinished work is an issue, not a comment in the code" '\b(TODO|FIXME|XXX|HACK)\b' \
    "${text_files[@]}"

mapfile -t spaced < <(printf '%s\n' "${text_files[@]}" | grep -v '\(^\|/\)Makefile$')
forbid "tabs: indent with spaces" $'\t' "${spaced[@]}"
forbid "white space at the end of a line" '[[:space:]]$' "${text_files[@]}"

vendor_words='\b(cuda|hip)[A-Z]|__(shfl|ballot|activemask|syncthreads|syncwarp|threadfence|(any|all)(_sync)?\b)'
vendor_words+='|__(global|device|host|shared)__|\b(threadIdx|blockIdx|blockDim|gridDim|warpSize)\b|\batomic[A-Z]'
forbid "vendor API names belong in src/gpu/gpu_map.h and gpu_map_host.h only" \
    "$vendor_words" "${src_without_map[@]}"
# A mask of ones; or a width, or one less, on a line about lanes, unless it says how far to shift.
wave_mask='\b0[xX]([fF]{8}){1,2}([uU]?[lL]{0,2})\b'
wave_width='^(?=.*(lane|wave|group|offset|warp)).*(?<![\w.])(?<!<< )(?<!>> )(31|32|63|64)[uU]?\b'
if grep -InP -- "$wave_mask|$wave_width" /dev/null "${kernels[@]}" >&2; then
    fail "masks and widths of waves belong in src/gpu/gpu_map.h only: gpu_mask_of(), gpu_wave_lanes()"
fi
forbid "libc's number conversions obey the locale: use src/io/number.h" \
    '\b(setlocale|strto(d|f|ld)|ato[fil]|[a-z]*scanf)\b *\(|%[-+ #0-9.*]*l?[aefgAEFG]\b' "${src[@]}"

# The library never prints, exits, aborts or touches errno.
forbid "the core neither prints nor ends the process: return a tally_status" \
    '\b(printf|fprintf|puts|perror|exit|abort|assert) *\(' "${core[@]}"
# These two put errno back after an allocation.
mapfile -t core_without_errno < <(
    printf '%s\n' "${core[@]}" | grep -v '^src/context\.[ch]$\|^src/model/model\.cpp$')
forbid "the core does not touch errno: return a tally_status" '\berrno\b' "${core_without_errno[@]}"

forbid "the core (src/, src/cpu/, src/gpu/, src/model/) must not include src/io/ or tool/" \
    '# *include *"([^"]*/)?(io|tool)/' "${core[@]}"
forbid "src/io/ must not include tool/" '# *include *"([^"]*/)?tool/' "${io[@]}"
forbid "the public header includes system headers only" '# *include *"' "${public[@]}"

mapfile -t unnamed < <(under '^(src|tool)/.*[.](c|cpp|cu)$' | while read -r file; do
    grep -qF -- "$file" CMakeLists.txt cmake/*.cmake || echo "$file"
done)
if [ ${#unnamed[@]} -gt 0 ]; then
    printf '%s\n' "${unnamed[@]}" >&2
    fail "every C and C++ file of src/ and tool/ is named in CMakeLists.txt or cmake/"
fi

if ! command -v shellcheck >/dev/null; then
    fail "shellcheck is not installed: scripts/packages.sh lint"
elif ! shellcheck -x "${scripts[@]}" >&2; then
    fail "shellcheck: see above"
fi

if [ $failures -gt 0 ]; then
    echo "lint: $failures rules broken" >&2
    exit 1
fi
echo "lint: ${#c_files[@]} C and C++ files and ${#scripts[@]} scripts, all rules kept"
