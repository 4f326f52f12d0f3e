#!/bin/bash
# docs.sh - the generated man page has no mdoc mistakes and names every command; the generated
# completion is bash, and completes.
set -euo pipefail

page=$BUILD_DIR/tally.1
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page"
fi
for command in sum mean min max argmin argmax prod norm1 norm2 norminf trace verify info; do
    grep -q "^\.It Cm $command\$" "$page" || { echo "$page: no $command" >&2; exit 1; }
done

# shellcheck disable=SC1091  # made by the build
source "$BUILD_DIR/completion/tally"
complete_word() { # WORD...: what bash would offer for the last one
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _tally
    echo "${COMPREPLY[*]}"
}
[ "$(complete_word tally argma)" = argmax ]
[ "$(complete_word tally sum --js)" = --json ]
[ "$(complete_word tally sum --out f3)" = f32 ]
[ "$(complete_word tally trace --shape h)" = halving ]
[ "$(complete_word tally trace --val)" = --values ]
