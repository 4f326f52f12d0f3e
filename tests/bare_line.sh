#!/bin/bash
# bare_line.sh - the one line by which README builds the library without any build system works.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
line=$(grep '^cc -std=c11 .*ar rc' "$SOURCE_DIR/README.md")
[ "$(wc -l <<<"$line")" = 1 ] || { echo "README.md should have one such line, not: $line" >&2; exit 1; }
cp -r "$SOURCE_DIR"/{include,src,examples} "$work"
cd "$work"
echo "$line"
bash -euc "$line"
diff <(./sum) "$SOURCE_DIR/examples/sum.expected"
