#!/bin/bash
# demo.sh - what make demo shows: three small files, summed by awk and by tally; and a trace.
set -euo pipefail
export LC_ALL=C

cd "$(dirname "$0")/.."
tally=$PWD/${BUILD:-build}/tally
folder=${BUILD:-build}/demo
mkdir -p "$folder"

if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
    bold=$'\e[1m' plain=$'\e[0m'
else
    bold='' plain=''
fi
say() { printf '%s\n' "$*"; }
show() { # COMMAND WITH "tally": prints it as one would type it, then runs it
    say "    $bold\$ $*$plain"
    (cd "$folder" && "$tally" "${@:2}") | sed 's/^/    /'
}
awk_sum() {
    say "    $bold\$ awk '{ s += \$1 } END { printf \"%.17g\\n\", s }' $1$plain"
    awk '{ s += $1 } END { printf "    %.17g\n", s }' "$folder/$1"
}

say "A ledger: a large booking, a million of 0.01, and the large booking taken back."
{
    echo 1e16
    awk 'BEGIN { for (i = 0; i < 1000000; i++) print "0.01" }'
    echo -1e16
} >"$folder/ledger.txt"
awk_sum ledger.txt
show tally sum ledger.txt

say
say "The same lines in another order, the large bookings first. Only tally's answer stays."
{
    sed -n '1p;$p' "$folder/ledger.txt"
    sed '1d;$d' "$folder/ledger.txt"
} >"$folder/reordered.txt"
awk_sum reordered.txt
show tally sum reordered.txt

say
say "A NumPy file: 16777217 ones in single precision. Added one by one in that precision, the sum"
say "stops at 16777216."
{
    # The header as numpy.save writes it: 128 bytes in all. Then ones, doubled 24 times, and one.
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' \
        "{'descr': '<f4', 'fortran_order': False, 'shape': (16777217,), }"
    printf '\x00\x00\x80\x3f' | tee "$folder/ones"
    for _ in {1..24}; do
        cat "$folder/ones" "$folder/ones" >"$folder/twice"
        mv "$folder/twice" "$folder/ones"
    done
    cat "$folder/ones"
} >"$folder/ones.npy"
rm "$folder/ones"
show tally sum ones.npy

say
say "A typing error is not taken for 2, nor for 0:"
say "    $bold\$ printf '1\\n2x\\n' | tally sum -$plain"
printf '1\n2x\n' | "$tally" sum - 2>&1 | sed 's/^/    /' || true

say
say "How a GPU adds five numbers, in blocks of four lanes: lane 0 ends up with each block's partial."
show tally trace --values 3,-1,4,0,2 --block 4 --shape halving

say
say "Next: ${BUILD:-build}/tally sum YOUR-FILE, ${BUILD:-build}/tally --help, or make test."
