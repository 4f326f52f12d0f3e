#!/bin/bash
# check_exports.sh BUILD-DIRECTORY - the symbols that libtally shows to others.
#
# libtally.so exports exactly the functions that include/tally.h declares; every global symbol of
# libtally.a, hidden ones too, begins with tally_, so that it can be linked into anything.
set -euo pipefail
export LC_ALL=C

build=$1
header=$(dirname "$0")/../include/tally.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# With its comments gone, a declaration is TALLY_API ... tally_name(...
"${CC:-cc}" -E -P -DTALLY_API=EXPORTED "$header" | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*EXPORTED [^(]*\b\(tally_[a-z0-9_]*\) *(.*/\1/p' | sort >"$work/declared"
# Sanitizers and coverage add symbols of their own, which start with two underscores.
nm -D --defined-only "$build/libtally.so" | awk '{ print $3 }' | grep -v '^__' | sort >"$work/exported"
nm -g --defined-only "$build/libtally.a" | awk 'NF == 3 { print $3 }' | grep -v '^__' |
    sort >"$work/archived"

[ -s "$work/declared" ] || { echo "no declarations found in $header" >&2; exit 1; }
if ! diff "$work/declared" "$work/exported" >"$work/difference"; then
    echo "libtally.so does not export what tally.h declares (< declared only, > exported only):" >&2
    grep '^[<>]' "$work/difference" >&2
    exit 1
fi
if grep -v '^tally_' "$work/archived" >&2; then
    echo "global symbols of libtally.a must begin with tally_ (or be static): see above" >&2
    exit 1
fi
echo "$(wc -l <"$work/exported") functions exported, $(wc -l <"$work/archived") global symbols"
