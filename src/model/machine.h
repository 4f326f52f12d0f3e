/* machine.h - the inside of the model's machine, shared by simt.cpp, meeting.cpp, memory.cpp and
 * report.cpp. */
#ifndef TALLY_MACHINE_H
#define TALLY_MACHINE_H

#include <string.h>

#include "fiber.h"
#include "simt.h"

/* Where a lane is in the kernel's text. */
struct simt_place {
    const char *file;
    int line;
};

static inline bool same_place(simt_place a, simt_place b)
{
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

enum simt_state { SIMT_READY, SIMT_AT_BARRIER, SIMT_AT_MEETING, SIMT_GONE };

struct simt_lane {
    fiber own;
    simt_machine *machine;
    uint32_t number; /* in its block */
    simt_state state;
    simt_place at; /* where it waits */
    uint64_t steps;
    /* while it waits at a meeting */
    const void *mine;
    void *got;
    uint32_t offset;
    bool yes;
    uint64_t votes;
    const void *lock; /* that it holds, or NULL */
};

/* An exchange or vote that lanes of one wave wait at, or that is being carried out. */
struct simt_meeting {
    simt_place at;
    bool vote;
    size_t nbytes;
    uint64_t mask;     /* as the lanes name it */
    uint64_t expected; /* those of the mask that can still come */
    uint64_t arrived;
};

/* What happened to four bytes of shared memory, in which phase; phases count up over all blocks. */
struct simt_word {
    uint64_t write_phase, read_phase;
    uint32_t writer, reader;
    bool many_readers;
};

struct simt_machine {
    uint32_t wave;
    bool shuffled; /* else ascending order */
    uint64_t random;
    bool zeroed;
    unsigned char poison[SIMT_MOST_POISON]; /* an item of it */
    size_t poison_bytes;                    /* 0: none was named */
    unsigned char poison_byte;              /* for what is not made of items */
    tally_fault fault;
    model_result *result;

    const simt_launch *launch;
    simt_launch host;    /* what launch points to while the host works */
    simt_machine *outer; /* that ran on this thread before */
    uint64_t block;
    uint64_t phase;       /* of the block: a barrier begins the next */
    uint64_t first_phase; /* of the block */
    bool ended;           /* a lane that would never end was found: the launch is given up */

    fiber home;
    simt_lane *lanes; /* SIMT_MOST_LANES */
    simt_lane *current;
    void *stacks;
    size_t n_stacks, stack_bytes;

    uint32_t *ready; /* lanes that can run: a ring of SIMT_MOST_LANES */
    uint32_t first_ready, n_ready;
    uint32_t n_live, n_at_barrier;

    simt_meeting *meetings; /* SIMT_MOST_LANES: those of wave w begin at w * wave */
    uint32_t *n_meetings;   /* a wave */
    uint64_t *gone;         /* a wave: its lanes that have returned */

    unsigned char *shared;
    simt_word *words;
    size_t shared_room; /* bytes of shared */
};

/* Makes memory what it is while nobody has written it: zeros, or poison, item by item. */
static inline void simt_forget(const simt_machine *m, void *memory, size_t nbytes)
{
    unsigned char *at = static_cast<unsigned char *>(memory);
    const size_t item = m->poison_bytes;
    if (m->zeroed || item == 0 || nbytes % item != 0) {
        memset(memory, m->zeroed ? 0 : m->poison_byte, nbytes);
        return;
    }
    for (; nbytes > 0; nbytes -= item, at += item) {
        memcpy(at, m->poison, item);
    }
}

/* The machine that runs on this thread. */
extern __thread simt_machine *tally_simt_running;

extern "C" {

/* Back to the machine; returns when the current lane's turn comes again. */
void tally_simt_wait(simt_machine *m);
void tally_simt_make_ready(simt_machine *m, simt_lane *lane);
/* Counts a step of the current lane; gives the launch up if it took too many. */
void tally_simt_step(simt_machine *m, simt_place at);

/* A lane has returned: meetings that name it must do without. */
void tally_simt_left(simt_machine *m, const simt_lane *lane);
/* No lane can run: reports one thing that lanes wait for in vain, and lets them go. */
void tally_simt_untangle(simt_machine *m);

/* A finding about a lane of the current block; arrived and expected matter for barriers only. */
void tally_simt_report(simt_machine *m, model_check check, uint32_t lane, simt_place at,
                       uint32_t arrived, uint32_t expected, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
}

#endif
