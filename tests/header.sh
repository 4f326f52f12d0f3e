#!/bin/bash
# header.sh - tally.h compiles on its own, as C11 and as C++17, with nothing included before it.
set -euo pipefail

header=$SOURCE_DIR/include/tally.h
strict=(-Wall -Wextra -Wpedantic -Wundef -Werror -fsyntax-only)
cc -std=c11 -Wstrict-prototypes "${strict[@]}" -x c "$header"
c++ -std=c++17 "${strict[@]}" -x c++ "$header"

# C++ sees the C names.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#include <tally.h>\nconst char *version() { return tally_version(); }\n' >"$work/user.cpp"
c++ -std=c++17 -c -I"$SOURCE_DIR/include" "$work/user.cpp" -o "$work/user.o"
nm "$work/user.o" | grep -q ' U tally_version$'
