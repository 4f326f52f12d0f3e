/*
 * simt.h - what the model's machine does for kernels: lanes, waves, blocks, memory that is watched.
 *
 * gpu/gpu_map.h turns what a kernel says into these calls; model.cpp opens machines and launches.
 * Blocks run one after another, the lanes of a block in turns. A lane runs until it waits at an
 * exchange, a vote or a barrier. Who is next is shuffled by the seed, or ascending for seed 0.
 *
 * Whatever a device leaves undefined becomes a finding, and the launch goes on as well as it can:
 * lanes that wait for others in vain are let go with what there is, memory outside of an array
 * reads as poison, or as zeros if shared memory begins as zeros.
 */
#ifndef TALLY_SIMT_H
#define TALLY_SIMT_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

enum {
    SIMT_MOST_LANES = 1024,
    SIMT_MOST_POISON = 64, /* bytes */
    SIMT_GROUP = 32        /* lanes that exchange registers, in waves of 64 too */
};

struct simt_machine;

/* Who has used an element that all blocks share, in a launch. Blocks are in no order: a plain write
 * needs all uses by other blocks to be under the writer's lock, a plain read and a swap all plain
 * writes by them. */
struct simt_shared_use {
    bool used, written; /* by a block before this one; written: plainly */
    bool used_here;     /* by this block */
    bool written_here;  /* by this block, plainly */
    uint64_t block;     /* the latest that used it */
    const void *lock;   /* which all uses so far were under; NULL: none */
};

/* An array in global memory. seen (may be NULL: not watched) has a byte an element, 0 at first. */
struct simt_array {
    const char *name; /* "x", "partials": for reports */
    unsigned char *data;
    ptrdiff_t step; /* bytes from element to element */
    uint64_t n;
    size_t size;           /* bytes of an element */
    uint8_t *seen;         /* SIMT_READ, SIMT_WRITTEN */
    simt_shared_use *uses; /* an element each, for what blocks share: races between blocks */
    bool lock;             /* a swap from 0 takes it, a swap to 0 gives it back */
    bool once;             /* each element has to be read exactly once */
    bool produced;         /* only elements that a kernel wrote may be read */
    const char *file;      /* where it was read last, for elements that nobody read */
    int line;
};
enum { SIMT_READ = 1, SIMT_WRITTEN = 2 };

struct simt_launch {
    const char *kernel;
    uint32_t stage;
    uint64_t blocks;
    uint32_t lanes;      /* a block: 1...SIMT_MOST_LANES, any number */
    size_t shared_bytes; /* a multiple of 4 */
    uint64_t
        most_steps; /* exchanges, barriers and accesses of one lane; more: it would never end */
    void (*enter)(const void *job);
    const void *job;
};

extern "C" {

/* Findings go into *result. NULL: no memory. options->wave is 32 or 64. */
simt_machine *tally_simt_open(const model_options *options, model_result *result);
void tally_simt_close(simt_machine *machine);
/* What memory of items (at most SIMT_MOST_POISON bytes each) is while nobody has written it, unless
 * it begins as zeros; and every byte of other memory. Without this call all bytes are 0xff. */
void tally_simt_poison(simt_machine *machine, const void *item, size_t nbytes, unsigned char byte);
/* Runs all blocks. Errors: MEMORY. */
tally_status tally_simt_launch(simt_machine *machine, const simt_launch *launch);
/* After a launch that ought to read all of the array: reports elements that nobody read. */
void tally_simt_covered(simt_machine *machine, const char *kernel, uint32_t stage,
                        const simt_array *array, const tally_plan *plan);

/* Between the two the host's own tally_simt_read() are watched as those of a lane 0. */
void tally_simt_host_begin(simt_machine *machine, const char *name, uint32_t stage);
void tally_simt_host_end(simt_machine *machine);

/* ---- for kernels; file and line are those of the kernel's text ---- */

uint32_t tally_simt_lane(void); /* in its block */
uint64_t tally_simt_block(void);
uint32_t tally_simt_lanes(void); /* of a block */
uint64_t tally_simt_blocks(void);
uint32_t tally_simt_wave(void); /* lanes of a wave */
tally_fault tally_simt_fault(void);

/* All lanes of the wave that mask names give "mine" and get that of the lane "offset" above, or
 * their own where that would leave the group of 32 (the lanes of a wave are bits from 0). */
void tally_simt_exchange(uint64_t mask, const void *mine, void *got, size_t nbytes, uint32_t offset,
                         const char *file, int line);
/* Which of them said yes. */
uint64_t tally_simt_vote(uint64_t mask, bool yes, const char *file, int line);
void tally_simt_barrier(const char *file, int line);

/* Element index, of nbytes, of the block's shared memory. */
void tally_simt_shared_read(void *to, uint64_t index, size_t nbytes, const char *file, int line);
void tally_simt_shared_write(const void *from, uint64_t index, size_t nbytes, const char *file,
                             int line);

void tally_simt_read(simt_array *array, void *to, uint64_t index, const char *file, int line);
void tally_simt_write(simt_array *array, const void *from, uint64_t index, const char *file,
                      int line);
/* *old becomes what was there; it is replaced by *desired if it was equal to *expected. */
void tally_simt_compare_swap(simt_array *array, uint64_t index, const void *expected,
                             const void *desired, void *old, const char *file, int line);
}

#endif
