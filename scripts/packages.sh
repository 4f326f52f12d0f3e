#!/bin/bash
# packages.sh - installs the Debian packages that a job needs; the one place where they are listed.
#
#   scripts/packages.sh GROUP...           install what is missing of these groups
#   scripts/packages.sh --list GROUP...    print their packages, one a line
#
# Needs root, or sudo that asks for no password; without either it prints the command to run.
set -euo pipefail

# group    packages
table='
build      gcc libc6-dev make cmake
test       libmpfr-dev libcmocka-dev g++ pkg-config python3 python3-numpy
test       libopenmpi-dev openmpi-bin mandoc
fuzz       clang libclang-rt-14-dev libmpfr-dev
lint       clang-format shellcheck
oracle     nodejs
plot       gnuplot-nox python3
hip        hipcc libamdhip64-dev rocm-device-libs lld
'

usage() {
    echo "usage: scripts/packages.sh [--list] GROUP..., GROUP one of:" \
        "$(awk 'NF { print $1 }' <<<"$table" | sort -u | paste -sd' ')" "ci (all of them)" >&2
    exit 2
}

# A group's packages. "ci" is every group.
packages_of() {
    awk -v group="$1" 'NF && (group == "ci" || $1 == group) {
        for (i = 2; i <= NF; i++) print $i
    }' <<<"$table"
}

# A build tool may also have come from elsewhere: any cc, make and cmake on PATH will do.
is_installed() {
    case $1 in
    gcc) command -v cc >/dev/null && return ;;
    make | cmake) command -v "$1" >/dev/null && return ;;
    nodejs) command -v node >/dev/null && return ;;
    esac
    [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = 'install ok installed' ]
}

list_only=false
if [ "${1-}" = --list ]; then
    list_only=true
    shift
fi
[ $# -gt 0 ] || usage

wanted=()
for group; do
    mapfile -t packages < <(packages_of "$group")
    [ ${#packages[@]} -gt 0 ] || usage
    wanted+=("${packages[@]}")
done
mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | sort -u)

if $list_only; then
    printf '%s\n' "${wanted[@]}"
    exit 0
fi

if ! command -v dpkg-query >/dev/null; then
    echo "packages.sh: this is no Debian system, so nothing was checked or installed." \
        "Needed are (Debian's names): ${wanted[*]}" >&2
    exit 0
fi

missing=()
for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
else
    echo "packages.sh: missing packages, and no right to install them. Run:" >&2
    echo "    sudo apt-get install ${missing[*]}" >&2
    exit 1
fi

echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1 </dev/null
}
# The package lists may be old or absent, so a failed install is tried once more after an update.
if ! apt install --no-install-recommends "${missing[@]}"; then
    if ! { apt update && apt install --no-install-recommends "${missing[@]}"; }; then
        tail -n 20 "$log" >&2
        echo "packages.sh: apt-get could not install ${missing[*]}" >&2
        exit 1
    fi
fi
