#!/bin/bash
# Every file that numpy writes is read as numpy meant it: test_numpy.sh [TALLY]
#
# The command is $1 or $TALLY. Exit 77 (skipped) if Debian's python3 has no numpy.
set -u
tally=${1:-${TALLY:?the path of the tally binary}}
tests=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3

if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo "skipped: $python has no numpy (scripts/packages.sh test)"
    exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -W ignore "$tests/npy_from_numpy.py" "$folder" || exit 1

n=0
failed=0
while IFS='|' read -r file arguments op status expected; do
    n=$((n + 1))
    # The arguments are words without blanks in them, meant to be split.
    # shellcheck disable=SC2086
    got=$("$tally" "$op" $arguments "$folder/$file" 2>"$folder/stderr" </dev/null)
    code=$?
    if [ "$got" != "$expected" ] || [ "$code" -ne "$status" ]; then
        failed=$((failed + 1))
        echo "tally $op $arguments $file: expected '$expected' (exit $status), got '$got' (exit $code)"
        head -n 1 "$folder/stderr"
    fi
    # Tabs next to each other would count as one separator.
done < <(tr '\t' '|' <"$folder/expected.tsv")

echo "$n answers, $failed wrong"
[ "$n" -gt 1000 ] && [ "$failed" -eq 0 ]
