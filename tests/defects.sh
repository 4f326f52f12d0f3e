#!/usr/bin/env bash
# defects.sh - do the tests notice? Plants one defect at a time in a copy of the core library and
# expects that one of the programs below fails; the untouched copy must pass.
#
# A defect is a file, a piece of one line in it and what takes its place. The piece must be there
# exactly once: a change of the source that makes a defect void is an error, not a silent pass.
set -euo pipefail

source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs=(adversarial test_round test_state test_value test_mixed test_extreme)
support=(format draw generate oracle_mpfr oracle_bigint typed)
support_objects=("${support[@]/%/.o}")
support_objects=("${support_objects[@]/#/$work/}")
flags=(-std=c11 -O1 -w -I "$source_dir/include" -I "$source_dir/tests")

compile_tests() {
    local name
    for name in "${support[@]}" "${programs[@]}"; do
        "$cc" "${flags[@]}" -I "$source_dir/src" -c "$source_dir/tests/$name.c" -o "$work/$name.o"
    done
}

# Builds the core from $work/src and links all programs with it.
build() {
    local file name
    rm -f "$work"/core/*.o
    for file in "$work"/src/*.c "$work"/src/cpu/*.c; do
        "$cc" "${flags[@]}" -I "$work/src" -c "$file" -o "$work/core/$(basename "$file" .c).o"
    done
    for name in "${programs[@]}"; do
        "$cc" "$work/$name.o" "${support_objects[@]}" "$work"/core/*.o \
            -lcmocka -lmpfr -lgmp -lm -o "$work/$name"
    done
}

# Prints the first program that fails, or nothing.
caught_by() {
    local name args
    for name in "${programs[@]}"; do
        args=()
        [ "$name" = adversarial ] && args=(--sums 30000)
        if ! timeout 60 "$work/$name" "${args[@]}" >"$work/log" 2>&1; then
            echo "$name"
            return
        fi
    done
}

fresh_copy() {
    rm -rf "$work/src" "$work/core"
    mkdir -p "$work/src/cpu" "$work/core"
    cp "$source_dir"/src/*.[ch] "$work/src/"
    cp "$source_dir"/src/cpu/*.[ch] "$work/src/cpu/"
}

# plant NAME FILE OLD NEW
missed=0
planted=0
plant() {
    local name=$1 file=$work/src/$2 old=$3 new=$4 places by
    fresh_copy
    places=$(awk -v old="$old" '
        { rest = $0; while ((at = index(rest, old)) > 0) { n++; rest = substr(rest, at + 1) } }
        END { print n + 0 }' "$file")
    if [ "$places" != 1 ]; then
        echo "defects.sh: \"$old\" is in src/$2 $places times, not once: rewrite the defect \"$name\"" >&2
        exit 1
    fi
    awk -v old="$old" -v new="$new" '
        { at = index($0, old)
          if (at) $0 = substr($0, 1, at - 1) new substr($0, at + length(old))
          print }' "$file" >"$file.new"
    mv "$file.new" "$file"
    build
    by=$(caught_by)
    planted=$((planted + 1))
    if [ -n "$by" ]; then
        printf '  caught by %-12s %s\n' "$by" "$name"
    else
        printf '  MISSED                 %s\n' "$name"
        missed=$((missed + 1))
    fi
}

mkdir -p "$work"
fresh_copy
compile_tests
build
by=$(caught_by)
if [ -n "$by" ]; then
    echo "defects.sh: $by fails without any defect:" >&2
    tail -20 "$work/log" >&2
    exit 1
fi
echo "the untouched copy passes"

plant 'overflow: > for >='             exact.h 'exponent >= f.top' 'exponent > f.top'
plant 'sticky bits dropped'            exact.h 'sticky || exact_any_below(digit, n, drop - 1)' 'sticky'
plant 'sticky bits one place short'    exact.h 'exact_any_below(digit, n, drop - 1)' 'exact_any_below(digit, n, drop - 2)'
plant 'remainder of the mean dropped'  exact.h 'sticky || exact_any_below' 'exact_any_below'
plant 'ties go up'                     exact.h '(rest || (kept & 1))' '(rest || 1)'
plant 'ties go down'                   exact.h '(rest || (kept & 1))' 'rest'
plant 'half read one place off'        exact.h 'exact_window(digit, n, drop - 1) & 1' 'exact_window(digit, n, drop) & 1'
plant 'subnormals one place off'       exact.h 'place = f.lowest;' 'place = f.lowest + 1;'
plant 'subnormals not noticed'         exact.h 'if (place < f.lowest)' 'if (0)'
plant 'f16 precision'                  exact.h '{11, -24, 16}' '{10, -24, 16}'
plant 'bf16 range'                     exact.h '{8, -133, 128}' '{8, -133, 127}'
plant 'window loses its third digit'   exact.h 'window | high << (64 - shift)' 'window'
plant 'carry lost'                     exact.c 'exact_add_words(limb[j], carry)' 'limb[j]'
plant 'carry not taken away'           exact.c 'limb[j] = v % EXACT_BASE' 'limb[j] = v'
plant 'lowest limb lost'               exact.c 'negative |= v < 0;' 'negative |= v < 0; if (j == 0) v = 0;'
plant 'a middle limb lost'             exact.c 'negative |= v < 0;' 'negative |= v < 0; if (j == 33) v = 0;'
plant 'a high limb lost'               exact.c 'negative |= v < 0;' 'negative |= v < 0; if (j == 64) v = 0;'
plant 'negative branch of rounding'    exact.c 'negative |= v < 0;' 'negative |= v > 0;'
plant 'canonical sign turned round'    exact.c 'limb[top] < 0 ? -1 : 1' 'limb[top] > 0 ? -1 : 1'
plant 'borrow not taken'               exact.c 'limb[j + 1] -= sign;' ';'
plant 'borrow: <= for <'               exact.c 'limb[j] * sign < 0' 'limb[j] * sign <= 0'
plant 'both infinities are no NaN'     exact.c 'word[TALLY_STATE_NAN] = 1;' ';'
plant 'minus zero lost'                exact.c 's.word[TALLY_STATE_COUNT] > 0 && ' '0 && '
plant 'empty is minus zero'            exact.c 's.word[TALLY_STATE_COUNT] > 0 && ' ''
plant 'widening one bit off'           exact.h 'EXACT_INT_BIT 1074' 'EXACT_INT_BIT 1073'
plant 'long division: > for >='        exact.c 'carry || r >= divisor' 'carry || r > divisor'
plant 'short division past 32 bits'    exact.c 'divisor <= UINT32_MAX' 'divisor <= UINT64_MAX'
plant 'infinity taken for a number'    cpu/add.c 'magnitude >= element_infinity(f)' 'magnitude > element_infinity(f)'
plant 'upper digit lost'               cpu/add.c 'exact_add_words(limb[j + 1], (high ^ negate) - negate)' 'limb[j + 1]'
plant 'hidden bit of subnormals'       cpu/add.c 'normal = exponent != 0' 'normal = 1'
plant 'sign of the upper digit'        cpu/add.c '(high ^ negate) - negate' 'high'
plant 'NaN not noted'                  cpu/add.c 'add_to(&word[TALLY_STATE_NAN], n_nan);' ';'
plant 'pieces too long to carry'       cpu/add.c 'FLOAT_PIECE = 1 << 10' 'FLOAT_PIECE = 1 << 13'
plant 'u64 taken for i64'              cpu/add.c 'type == TALLY_TYPE_U64 ? (int64_t)((uint64_t)v >> 32) : v >> 32' 'v >> 32'
plant 'a larger u64 taken for i64'     fold.c 'best->bits > INT64_MAX' 'best->bits > UINT64_MAX'
plant 'skipped NaN taken for one'      fold.c 'e.n_nan > skipped' 'e.n_nan > 0'
plant 'index of the piece forgotten'   fold.c 'index + e.at * step' 'e.at * step'
plant 'integers left out of a mix'     fold.c 'tally_state_merge(state, &integers);' ';'
plant 'fraction forgotten'             best.c 'order == 0 && fraction ? 1 : order' 'order'
plant 'doubles of 2^64 and more'       best.c 'exponent > 11' 'exponent > 12'
plant 'doubles below 1'                best.c 'compare_unsigned(size != 0, 2 * (magnitude != 0))' 'compare_unsigned(2 * (size != 0), magnitude != 0)'
plant 'minus zero and integer zero'    best.c 'a != 0 && !zeros_equal ? -1 : 0' '0'
plant 'sign of signed and unsigned'    best.c 'if (a_negative != b_negative)' 'if (0)'
plant 'negative doubles turned round'  best.c 'return a & sign ? -order : order;' 'return order;'
plant 'ties go to the later'           best.c 'c->index < b->index' 'c->index > b->index'
plant 'NaN beaten by a number'         best.c 'return c->nan;' 'return b->nan;'
plant 'turned round for a maximum'     cpu/extreme.c 'largest ? key : ~key' 'largest ? ~key : key'
plant 'negative keys ascend'           cpu/extreme.c '-1 - magnitude' '-1 + magnitude'
plant 'zeros always equal'             cpu/extreme.c 'zeros_equal && magnitude == 0' 'magnitude == 0'
plant 'a later block never wins'       cpu/extreme.c 'r.best > best)' '0)'
plant 'equal blocks win'               cpu/extreme.c 'r.best > best)' 'r.best >= best)'

echo "$planted defects planted, $missed missed"
[ "$missed" = 0 ]
