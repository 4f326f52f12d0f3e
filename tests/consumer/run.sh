#!/bin/bash
# run.sh - installs tally into an empty place and uses it from there, as others would: through
# pkg-config and find_package, from C11 and C++17, shared and static.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^#define TALLY_VERSION_[A-Z]* *//p' "$SOURCE_DIR/include/tally.h" | paste -sd.)
expected="$version 1"

fail() {
    echo "$1" >&2
    exit 1
}
expect() { # WHAT COMMAND...
    local what=$1 got
    shift
    got=$("$@") || fail "$what: does not run"
    [ "$got" = "$expected" ] || fail "$what: printed '$got', not '$expected'"
    echo "$what: $got"
}

# A staged install, moved to where it is used from: no file may name the place it was made in.
DESTDIR="$work/stage" cmake --install "$BUILD_DIR" --prefix /opt/tally >/dev/null
mv "$work/stage/opt/tally" "$work/moved"
prefix=$work/moved
if grep -rIl -- "$work/stage\|/opt/tally\|$BUILD_DIR" "$prefix" >&2; then
    fail "these installed files name the build's or the first install's folder"
fi

[ "$(printf '1e16\n1\n-1e16\n' | "$prefix/bin/tally" sum -)" = 1 ] || fail "bin/tally: wrong sum"
[ -s "$prefix/share/man/man1/tally.1" ] || fail "no man page"
[ -s "$prefix/share/bash-completion/completions/tally" ] || fail "no bash completion"

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tally.pc)")
libdir=$(cd "$PKG_CONFIG_PATH/.." && pwd)
[ "$(pkg-config --modversion tally)" = "$version" ] || fail "tally.pc: wrong version"
read -ra flags <<<"$(pkg-config --cflags --libs tally)"
read -ra static_flags <<<"$(pkg-config --cflags --libs --static tally)"
warnings=(-Wall -Wextra -Wpedantic -Werror)
cp "$here/main.c" "$work/main.cpp"
cc -std=c11 "${warnings[@]}" "$here/main.c" "${flags[@]}" -o "$work/c_pc"
expect "pkg-config C11" env LD_LIBRARY_PATH="$libdir" "$work/c_pc"
c++ -std=c++17 "${warnings[@]}" "$work/main.cpp" "${flags[@]}" -o "$work/cxx_pc"
expect "pkg-config C++17" env LD_LIBRARY_PATH="$libdir" "$work/cxx_pc"
cc -static -std=c11 "$here/main.c" "${static_flags[@]}" -o "$work/c_static"
expect "pkg-config C11 static" "$work/c_static"

build_consumer() {
    cmake -G 'Unix Makefiles' -S "$here" -B "$work/build" \
        -DCMAKE_PREFIX_PATH="$prefix" -DWANTED_VERSION="$version" &&
        cmake --build "$work/build"
}
if ! build_consumer >"$work/log" 2>&1; then
    cat "$work/log" >&2
    fail "find_package(tally) failed"
fi
for program in c_tally cxx_tally c_tally_static cxx_tally_static; do
    expect "find_package $program" "$work/build/$program"
done

# The model inside is compiled as C++, yet a program in C is linked by the C compiler, without a C++
# library.
cxx=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$work/build/CMakeCache.txt")
linked_as_cxx() { # TARGET
    grep -F -e "$cxx " -e stdc++ "$work/build/CMakeFiles/$1.dir/link.txt"
}
linked_as_cxx cxx_tally_static >/dev/null || fail "this test does not know how C++ is linked"
if linked_as_cxx c_tally_static >&2; then
    fail "find_package c_tally_static: linked as C++"
fi
