/* trace_trouble.h - what can go wrong in a step of a faulty trace: one table, in two languages. */
#ifndef TALLY_TRACE_TROUBLE_H
#define TALLY_TRACE_TROUBLE_H

typedef struct trace_trouble {
    const char *text; /* English, ASCII */
    const char *zh;   /* Chinese, UTF-8 */
} trace_trouble;

typedef enum trace_trouble_id {
    TROUBLE_STALE_PARTIAL,
    TROUBLE_NO_PARTIAL,
    TROUBLE_LOST_TAIL,
    TROUBLE_NEVER_ARRIVES,
    TROUBLE_GONE_REGISTER,
    TROUBLE_GONE_SLOT,
    TROUBLE_GONE_SLOTS,
    TROUBLE_UNWRITTEN_SLOT,
    TROUBLE_MASK_32,
    TROUBLE_MASK_64,
    TROUBLE_TOO_EARLY,
    TROUBLE_TOO_LATE,
    TROUBLE_CHANGED,
    TROUBLE_OUT_OF_DATE,
    TROUBLES
} trace_trouble_id;

extern const trace_trouble tally_troubles[TROUBLES];

#endif
