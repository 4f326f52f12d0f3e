#!/usr/bin/env bash
# kernel_defects.sh - does the model notice? Plants one defect at a time in a copy of the kernels and
# expects that kernel_judge complains: a finding, or bits that are not the trace's. The untouched
# copy must pass.
#
# A defect is a file under src/ and a sed script, which has to change exactly one line: a change of
# the kernels that makes a defect void is an error, not a silent pass.
set -euo pipefail

source_dir=${SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
build_dir=${BUILD_DIR:?the build directory, which has libtally.a}
cc=${CC:-cc}
cxx=${CXX:-c++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=(-O0 -w -ffp-contract=off -I "$source_dir/include")
trees=("$work"/{draw,format,typed,model_cases,kernel_judge}.o)

for name in draw format typed model_cases kernel_judge odd_judge; do
    "$cc" -std=c11 "${flags[@]}" -I "$source_dir/src" -I "$source_dir/tests" \
        -c "$source_dir/tests/$name.c" -o "$work/$name.o"
done

fresh_copy() {
    rm -rf "$work/src"
    cp -r "$source_dir/src" "$work/src"
}

# Links the copy's model.cpp, which has the kernels in it, before the library's own.
judge() {
    "$cxx" -std=c++17 "${flags[@]}" -fno-exceptions -fno-rtti -I "$work/src" \
        -c "$work/src/model/model.cpp" -o "$work/model.o"
    "$cc" "${trees[@]}" "$work/model.o" "$build_dir/libtally.a" -lm -o "$work/judge"
    timeout 120 "$work/judge" >"$work/log" 2>&1 || return
    # No tree of a plan is in trouble. Blocks that no plan has?
    "$cxx" -std=c++17 "${flags[@]}" -fno-exceptions -fno-rtti -I "$work/src" -I "$source_dir/tests" \
        -c "$source_dir/tests/model_kernels.cpp" -o "$work/model_kernels.o"
    "$cc" "$work/odd_judge.o" "$work/model_kernels.o" "$build_dir/libtally.a" -lm -o "$work/odd_judge"
    timeout 120 "$work/odd_judge" >>"$work/log" 2>&1
}

missed=0
planted=0
only=${1-} # a part of a name: plants these defects only
plant() { # NAME FILE SED-SCRIPT
    local name=$1 file=$2 script=$3 changed status=0
    [[ $name == *"$only"* ]] || return 0
    fresh_copy
    sed -i "$script" "$work/src/$file"
    changed=$(diff "$source_dir/src/$file" "$work/src/$file" | grep -c '^<' || true)
    if [ "$changed" != 1 ]; then
        echo "kernel_defects.sh: \"$script\" changes $changed lines of src/$file, not one:" \
            "rewrite the defect \"$name\"" >&2
        exit 1
    fi
    judge || status=$?
    planted=$((planted + 1))
    if [ $status = 1 ]; then
        printf '%-38s %s\n' "$name" "$(tail -n 1 "$work/log" | cut -c 1-140)"
    else
        printf '%-38s MISSED (status %s)\n' "$name" "$status"
        missed=$((missed + 1))
    fi
}

fresh_copy
if ! judge; then
    echo "kernel_defects.sh: the kernels as they are do not pass:" >&2
    cat "$work/log" >&2
    exit 1
fi
echo "without a defect: $(cat "$work/log")"

kernels=gpu/tree.cuh
in_wave='/KERNEL void tree_wave/,/^}/'
in_halving='/KERNEL void tree_halving/,/^}/'
plant 'wave: no barrier'                   $kernels "$in_wave s/gpu_barrier();/;/"
plant 'halving: no barrier after storing'  $kernels "$in_halving s/^    gpu_barrier();/    ;/"
plant 'halving: no barrier after a round'  $kernels "$in_halving s/^            gpu_barrier();/;/"
plant 'barrier for half of the lanes'      $kernels "$in_wave s/gpu_barrier();/if (group.place % 2) gpu_barrier();/"
plant 'exchange with the wrong offset'     $kernels 's/gpu_exchange_down(mask, v, offset)/gpu_exchange_down(mask, v, offset - 1)/'
plant 'few lanes: the wrong offset'        $kernels 's/has_partner ? offset : 0/has_partner ? offset - 1 : 0/'
plant 'last round of the exchange lost'    $kernels 's/offset = gpu_group_lanes \/ 2; offset > 0;/offset = gpu_group_lanes \/ 2; offset > 1;/'
plant 'few lanes: last round lost'         $kernels 's/count = members; count > 1;/count = members; count > 2;/'
plant 'odd group: counted twice'           $kernels 's/if (even || has_partner)/if (true)/'
plant 'mask of a full group'               $kernels 's/gpu_mask_of(first, members)/gpu_mask_of(first, gpu_group_lanes)/'
plant 'mask of the first group always'     $kernels 's/gpu_mask_of(first, members)/gpu_mask_of(0, members)/'
plant 'mask of all lanes of the wave'      $kernels 's/return gpu_mask_of(first, members)/return gpu_mask_full()/'
plant 'index off by one'                   $kernels 's/const uint64_t here = at;/const uint64_t here = at + 1;/'
plant 'lost tail'                          $kernels 's/for (; rest < job.n; rest++)/for (; rest + 1 < job.n; rest++)/'
plant 'read past the tail'                 $kernels 's/if (at\[loads - 1\] + N > job.n)/if (at[loads - 1] > job.n)/'
plant 'last loads not begun'               $kernels 's/rest = k + 1 < loads ? at\[k + 1\] : job.n;/rest = job.n;/'
plant 'neighbours not left behind'         $kernels 's/if (--left == 0)/if (--left == 1)/'
plant 'turns too short'                    $kernels 's/gpu_blocks() \* gpu_block_lanes() \* job.vector;/gpu_blocks() * gpu_block_lanes();/'
plant 'lanes of all blocks are the same'   $kernels 's/return (gpu_block() \* gpu_block_lanes() + gpu_lane())/return (gpu_lane())/'
plant 'wrong slot'                         $kernels 's/gpu_write(slot, group.number, v)/gpu_write(slot, group.number \/ 2, v)/'
plant 'a slot too many is read'            $kernels 's/v = group.place < group.n ?/v = group.place <= group.n ?/'
plant 'no identity past the slots'         $kernels 's/: reduce::identity();$/: v;/'
plant 'all groups fold the slots'          $kernels 's/if (group.number == 0 \&\& /if (/'
plant 'every lane hands over'              $kernels "$in_wave s/^        if (group.place == 0) {/        {/"
plant 'partials in the wrong order'        $kernels 's/gpu_write(job.out, gpu_block(), v)/gpu_write(job.out, gpu_blocks() - 1 - gpu_block(), v)/'
plant 'partials all in one place'          $kernels 's/gpu_write(job.out, gpu_block(), v)/gpu_write(job.out, 0, v)/'
plant 'halving: one lane too many'         $kernels 's/if (lane + stride < (/if (lane + stride <= (/'
plant 'halving: stride off by one'         $kernels 's/gpu_read(slot, lane + stride)/gpu_read(slot, lane + stride - 1)/'
plant 'halving: not the first result'      $kernels 's/hand_over(job, gpu_read(slot, lane))/hand_over(job, gpu_read(slot, lane + gpu_block_lanes() - 1))/'
plant 'too little shared memory'           $kernels 's/const size_t groups = (lanes + gpu_group_lanes - 1)/const size_t groups = (lanes - 1)/'
plant 'lock never taken'                   $kernels 's/while (gpu_compare_swap(job.lock, 0, 0u, 1u) != 0u)/while (false)/'
plant 'read before the lock'               $kernels 's/while (gpu_compare_swap(job.lock, 0, 0u, 1u) != 0u)/gpu_read_now(job.out, 0); &/'
plant 'plain write for a swap'             $kernels 's/old = gpu_compare_swap(gpu_array_as<word>(job.out), 0, was, wanted);/gpu_write(gpu_array_as<word>(job.out), 0, wanted), old = was;/'
plant 'lock never taken off'               $kernels 's/gpu_compare_swap(job.lock, 0, 1u, 0u);/;/'
plant 'swap tried until it fails'          $kernels 's/while (old != was)/while (old == was)/'
plant 'atomic: result overwritten'         $kernels 's/const item sum = reduce::combine(seen, v);/const item sum = v;/'
plant 'host: distance off by one'          $kernels 's/item\[i + distance\])/item[i + distance - 1])/'
plant 'second stage: one partial too few'  model/model.cpp 's/^    pass.n = n;/    pass.n = n - 1;/'
plant 'product begins at 0'                gpu/tree_value.cuh 's/TALLY_OP_PROD  *? of::small(1)/TALLY_OP_PROD ? of::small(0)/'
plant 'minimum: -0 ties with +0'           gpu/tree_value.cuh 's/return a < b || (a == b .*/return a < b;/'
plant 'argmin: last index of equals'       gpu/tree_value.cuh 's/b.index < a.index ? b : a/b.index > a.index ? b : a/'
plant 'NaN loses'                          gpu/tree_value.cuh 's/case TALLY_OP_MIN: return is_nan(a) ||/case TALLY_OP_MIN: return is_nan(b) ||/'
plant '128 bits: carry lost'               gpu/tree_value.cuh 's/ + (low < a.low);$/;/'
plant 'f16: bias off by one'               gpu/tree_value.cuh 's/(exponent + 112)/(exponent + 111)/'

echo "$planted defects planted, $missed missed"
[ $missed = 0 ] && [ $planted -gt 0 ]
