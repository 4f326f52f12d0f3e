/* fault.c - the table of mistakes: what the code does, why that is wrong, how to do it right. */
#include "fault.h"

#include <stdbool.h>
#include <stddef.h>

#include "plan.h"

const fault_row tally_faults[FAULTS] = {
    {.fault = FAULT_NONE,
     .name = "none",
     .shapes = "halving wave",
     .situation = "Nothing is changed.",
     .why = "Nothing is wrong.",
     .repair = "There is nothing to repair.",
     .zh_situation = "没有任何改动。",
     .zh_why = "没有错误。",
     .zh_repair = "无需修复。"},
    {.fault = FAULT_FLOOR_BLOCKS,
     .name = "floor-blocks",
     .shapes = "halving wave",
     .situation = "The grid has n / block blocks, and integer division rounds down.",
     .why =
         "The last n % block elements belong to no block, so nobody adds them. The number is "
         "right only if n is a multiple of block, or if those elements happen to change nothing.",
     .repair = "Round up: (n + block - 1) / block blocks. Lanes past the end hold the identity.",
     .zh_situation = "网格取 n / block 个块，而整数除法向下取整。",
     .zh_why = "最后 n % block 个元素不属于任何块，没有人把它们加进去。只有当 n 是 block "
               "的整数倍，或者这些元素恰好不影响结果时，数字才是对的。",
     .zh_repair = "向上取整：(n + block - 1) / block 个块。越过末尾的通道持有单位元。"},
    {.fault = FAULT_EARLY_EXIT,
     .name = "early-exit",
     .shapes = "halving wave",
     .situation = "A lane without an element returns at once, before the block's barrier.",
     .why = "Every lane of the block has to reach the barrier; if some never do, the behaviour is "
            "undefined: a GPU may hang or go on. Its slot or register is never written either. If "
            "shared memory happens to hold zeros a sum comes out right, which proves nothing.",
     .repair = "Let every lane stay: without an element it holds the identity, reads nothing, and "
               "goes through every exchange and barrier.",
     .zh_situation = "没有元素的通道在块屏障之前就直接返回。",
     .zh_why = "块内的每个通道都必须到达屏障；只要有通道永远不到，行为就是未定义的：GPU "
               "可能挂起，也可能继续运行。它的共享槽或寄存器也从未写入。若共享内存碰巧全为零，"
               "和看起来是对的，但这什么也证明不了。",
     .zh_repair = "让每个通道都留下：没有元素时持有单位元，不读取任何数据，并参加每一次交换和"
                  "每一个屏障。"},
    {.fault = FAULT_IN_PLACE,
     .name = "in-place",
     .shapes = "halving",
     .situation =
         "In every round each lane with t + stride < block adds s[t + stride] to s[t], not "
         "only the lower half.",
     .why =
         "Lanes read slots that other lanes write in the same round. Whether they get the old or "
         "the new value depends on who runs first, so elements may be added twice. An order that "
         "happens to be harmless gives the right number.",
     .repair =
         "Let only lanes t < stride add: what they read, nobody writes in that round. Or read "
         "into a register, wait at a barrier, and only then write.",
     .zh_situation = "每一轮中，所有满足 t + stride < block 的通道都把 s[t + stride] 加到 "
                     "s[t]，而不只是下半部分。",
     .zh_why = "有的通道读取的槽正被别的通道在同一轮中改写。读到旧值还是新值取决于谁先运行，"
               "因此元素可能被加两次。碰巧无害的次序会给出正确的数字。",
     .zh_repair = "只让 t < stride 的通道相加：它们读取的槽在这一轮没有人写。或者先读入寄存器，"
                  "等过屏障，再写回。"},
    {.fault = FAULT_WRONG_MASK,
     .name = "wrong-mask",
     .shapes = "wave",
     .situation = "An exchange names all lanes of a wave in its mask although fewer take part: the "
                  "block is smaller, or the others did not enter the branch.",
     .why = "Every lane that the mask names has to execute the same exchange. Naming one that is "
            "not there, or is elsewhere, is undefined: the wave may wait for ever, or lanes may "
            "receive anything. Much hardware gives the right number all the same.",
     .repair = "Compute the mask before the branch, from the lanes that take part: exactly those, "
               "no more and no fewer.",
     .zh_situation = "交换的掩码写了波的全部通道，而实际参加的更少：块比较小，或者其他通道没有"
                     "进入这个分支。",
     .zh_why = "掩码点名的每个通道都必须执行同一次交换。点到不存在或身在别处的通道属于未定义"
               "行为：整个波可能永远等待，通道也可能收到任意值。许多硬件仍会给出正确的数字。",
     .zh_repair = "在进入分支之前，按实际参加的通道计算掩码：不多也不少。"},
    {.fault = FAULT_NO_BARRIER,
     .name = "no-barrier",
     .shapes = "halving wave",
     .situation = "The barrier between writing shared memory and reading it is missing.",
     .why = "Nothing makes the writers come first. A lane that runs ahead reads what the slot held "
            "before. Lanes of one wave often run together, so small blocks tend to give the right "
            "number: luck, not order.",
     .repair =
         "Put a barrier that the whole block reaches between every write of shared memory and "
         "the reads by other lanes.",
     .zh_situation = "写共享内存和读共享内存之间缺少屏障。",
     .zh_why = "没有任何东西保证写入先发生。跑在前面的通道会读到槽里以前的内容。同一个波的通道"
               "常常一起运行，所以小的块往往给出正确的数字：那是运气，不是次序。",
     .zh_repair = "在每次写共享内存与其他通道读取之间，放一个整个块都会到达的屏障。"},
    {.fault = FAULT_STALE_PARTIALS,
     .name = "stale-partials",
     .shapes = "halving wave",
     .situation =
         "The second stage adds up as many partials as fill its blocks, not as many as the "
         "first stage wrote.",
     .why = "Behind the last partial lies whatever the buffer held before: an older result, or "
            "nothing defined. The number is right only while that happens to be zeros.",
     .repair = "Pass the number of partials, which is the number of blocks of the first stage, as "
               "the second stage's n; lanes past it hold the identity.",
     .zh_situation = "第二阶段按填满自己的块来取部分和的个数，而不是按第一阶段写了多少个。",
     .zh_why = "最后一个部分和之后，是缓冲区里原有的内容：上一次的结果，或者未定义的值。只有当"
               "那里碰巧是零时，数字才是对的。",
     .zh_repair = "把部分和的个数（即第一阶段的块数）作为第二阶段的 n；超出的通道持有单位元。"},
};

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const fault_row *tally_fault_find(const char *name)
{
    for (int i = 0; i < FAULTS; i++) {
        if (same(tally_faults[i].name, name)) {
            return &tally_faults[i];
        }
    }
    return NULL;
}

/* Whether some exchange of a block is made by fewer lanes than its wave has. */
static bool has_partial_wave(uint32_t block, uint32_t wave)
{
    return block > 1 && (block < wave || (block > PLAN_GROUP && block / PLAN_GROUP < wave));
}

/* The same of any stage that a device runs. */
static bool any_partial_wave(const tally_plan *plan, uint32_t wave)
{
    uint32_t end = plan->final == TALLY_FINAL_DEVICE ? plan->stages
                   : plan->final == TALLY_FINAL_HOST ? plan->stages - 1
                                                     : 1;
    uint64_t partials = plan->blocks;
    bool any = has_partial_wave(plan->block, wave);
    for (uint32_t stage = 2; stage <= end && !any; stage++) {
        tally_plan next;
        tally_plan_next(plan, stage, partials, &next);
        any = has_partial_wave(next.block, wave);
        partials = next.blocks;
    }
    return any;
}

static const char *mask_misfit(const tally_plan *plan, uint32_t wave)
{
    if (plan->shape != TALLY_SHAPE_WAVE) {
        return "wrong-mask needs the shape wave: halving exchanges nothing";
    }
    if (any_partial_wave(plan, wave)) {
        return NULL;
    }
    return wave == 64 ? "wrong-mask needs an exchange by part of a wave of 64: blocks of 2 lanes "
                        "or more"
                      : "wrong-mask needs an exchange by part of a wave of 32: blocks of 2 to 16, "
                        "or of 64 to 512 lanes";
}

const char *tally_fault_misfit(tally_fault fault, const tally_plan *plan, uint32_t wave)
{
    bool halving = plan->shape == TALLY_SHAPE_HALVING;
    switch (fault) {
    case FAULT_NONE:
    case FAULT_EARLY_EXIT: return NULL;
    case FAULT_NO_BARRIER: /* a round that reads what the round before wrote, slots of others */
        return plan->block >= (halving ? 4 : 2 * PLAN_GROUP)
                   ? NULL
                   : "no-barrier needs lanes that read what others wrote: the shape halving with 4 "
                     "lanes a block or more, or wave with 64 or more";
    case FAULT_FLOOR_BLOCKS:
        return plan->assign == TALLY_ASSIGN_CONTIGUOUS
                   ? NULL
                   : "floor-blocks needs contiguous assignment: with grid-stride assignment any "
                     "number of blocks takes all elements";
    case FAULT_IN_PLACE:
        return !halving ? "in-place needs the shape halving: wave adds up in registers"
               : plan->block >= 4
                   ? NULL
                   : "in-place needs a round whose lanes read one another: 4 lanes a block or more";
    case FAULT_WRONG_MASK: return mask_misfit(plan, wave == 64 ? 64 : 32);
    case FAULT_STALE_PARTIALS:
        return plan->stages > 1 && plan->final != TALLY_FINAL_ATOMIC
                   ? NULL
                   : "stale-partials needs a second stage: 2 or more stages, and final device or "
                     "host";
    default: return "this number is no fault";
    }
}
