/* trace_trouble.c - the table of what can go wrong in a step. */
#include "trace_trouble.h"

const trace_trouble tally_troubles[TROUBLES] = {
    [TROUBLE_STALE_PARTIAL] = {"the second stage takes partials that no block has written",
                               "第二阶段取了没有任何块写过的部分和"},
    [TROUBLE_NO_PARTIAL] = {"lane 0 returned early: nobody writes this block's partial",
                            "通道 0 提前返回：没有人写这个块的部分和"},
    [TROUBLE_LOST_TAIL] = {"blocks = n / block, rounded down: the elements behind the last full "
                           "block are in no block",
                           "块数 = n / block，向下取整：最后一个满块之后的元素不属于任何块"},
    [TROUBLE_NEVER_ARRIVES] =
        {"lanes that returned early never arrive: a GPU may wait for ever "
         "here, or go on with whatever memory holds",
         "提前返回的通道永远不会到达：GPU 可能在这里永远等待，也可能带着内存里"
         "碰巧有的内容继续"},
    [TROUBLE_GONE_REGISTER] = {"a lane that returned early is asked for its register: what comes "
                               "back is undefined",
                               "向一个提前返回的通道索取寄存器：得到什么是未定义的"},
    [TROUBLE_GONE_SLOT] = {"a group's first lane returned early: nobody writes that group's slot",
                           "有一组的第一个通道提前返回：没有人写那一组的槽"},
    [TROUBLE_GONE_SLOTS] = {"lanes that returned early leave their slots unwritten",
                            "提前返回的通道没有写自己的槽"},
    [TROUBLE_UNWRITTEN_SLOT] = {"a lane reads a slot that nobody wrote",
                                "有通道读取了没有人写过的槽"},
    [TROUBLE_MASK_32] = {"the mask names 32 lanes, but fewer take part: the exchange is undefined, "
                         "even if the number is right",
                         "掩码点名 32 个通道，而参加的更少：这次交换是未定义的，即使数字是对的"},
    [TROUBLE_MASK_64] = {"the mask names 64 lanes, but fewer take part: the exchange is undefined, "
                         "even if the number is right",
                         "掩码点名 64 个通道，而参加的更少：这次交换是未定义的，即使数字是对的"},
    [TROUBLE_TOO_EARLY] = {"no barrier: the first group reads slots that the others have not "
                           "written yet",
                           "没有屏障：第一组读取了其他组还没有写的槽"},
    [TROUBLE_TOO_LATE] = {"too late: the first group has read these slots",
                          "太晚了：第一组已经读过这些槽"},
    [TROUBLE_CHANGED] = {"a lane reads a value that another lane has changed in this very round",
                         "有通道读取了另一个通道在同一轮里刚改过的值"},
    [TROUBLE_OUT_OF_DATE] = {"no barrier: lane 0 reads a value that its lane has not brought up to "
                             "date yet",
                             "没有屏障：通道 0 读取的值，所属的通道还没有更新"},
};
