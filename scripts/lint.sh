#!/bin/bash
# lint.sh - the rules that a compiler does not check: format, words, and who may include whom.
#
#   scripts/lint.sh [DIRECTORY]     checks the tree in DIRECTORY (default: this one)
#   scripts/lint.sh --list-c        prints the C files that clang-format looks after
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

mapfile -t c_files < <(find include src tool tests bench examples -name '*.[ch]' 2>/dev/null | sort)
if $list_only; then
    printf '%s\n' "${c_files[@]}"
    exit 0
fi
mapfile -t scripts < <(find scripts tests .ci -name '*.sh' -o -path '.ci/run' | sort)
mapfile -t text_files < <(
    find . \( -name .git -o -path './build*' -o -path './tests/fuzz/corpus' \) -prune -o -type f -print |
        sed 's|^\./||' | grep -v '^scripts/lint\.sh$\|^tests/lint\.sh$' | sort)

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

under() { # DIRECTORY-PATTERN: the C files whose path matches
    printf '%s\n' "${c_files[@]}" | grep -E "$1" || true
}
mapfile -t src < <(under '^src/')
mapfile -t src_without_map < <(under '^src/' | grep -v '^src/gpu/gpu_map\.h$')
mapfile -t core < <(under '^src/([^/]*|cpu/.*)$')
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

forbid "vendor API names belong in src/gpu/gpu_map.h only" \
    '\b(cuda|hip)[A-Z]|__(shfl|ballot)' "${src_without_map[@]}"
forbid "libc's number conversions obey the locale: use src/io/number.h" \
    '\b(setlocale|strto(d|f|ld)|ato[fil]|[a-z]*scanf)\b *\(|%[-+ #0-9.*]*l?[aefgAEFG]\b' "${src[@]}"

# The library never prints, exits, aborts or touches errno.
forbid "the core neither prints nor ends the process: return a tally_status" \
    '\b(printf|fprintf|puts|perror|exit|abort|assert) *\(' "${core[@]}"
# context.c puts errno back after an allocation.
mapfile -t core_but_context < <(printf '%s\n' "${core[@]}" | grep -v '^src/context\.[ch]$')
forbid "the core does not touch errno: return a tally_status" '\berrno\b' "${core_but_context[@]}"

forbid "the core (src/, src/cpu/) must not include src/io/ or tool/" \
    '# *include *"([^"]*/)?(io|tool)/' "${core[@]}"
forbid "src/io/ must not include tool/" '# *include *"([^"]*/)?tool/' "${io[@]}"
forbid "the public header includes system headers only" '# *include *"' "${public[@]}"

mapfile -t unnamed < <(under '^(src|tool)/.*[.]c$' | while read -r file; do
    grep -qF -- "$file" CMakeLists.txt || echo "$file"
done)
if [ ${#unnamed[@]} -gt 0 ]; then
    printf '%s\n' "${unnamed[@]}" >&2
    fail "every C file of src/ and tool/ is named in CMakeLists.txt"
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
echo "lint: ${#c_files[@]} C files and ${#scripts[@]} scripts, all rules kept"
