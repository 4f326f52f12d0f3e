/*
 * model.h - a model of a GPU on the CPU: it runs the very kernels of src/gpu, every lane a fiber,
 * and checks what a GPU leaves undefined.
 *
 * It is a model, not a simulator: it says nothing about time, and the order in which it runs lanes
 * and blocks (shuffled by a seed) is no promise that any hardware makes.
 */
#ifndef TALLY_MODEL_H
#define TALLY_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "item.h"
#include "tally.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct model_options {
    uint32_t wave; /* lanes a wave: 32 (0 too) or 64 */
    uint64_t seed; /* of the order of lanes and blocks; 0: ascending */
    tally_fault fault;
    bool zeroed; /* shared memory begins as zeros, as in lessons; else as poison */
} model_options;

typedef enum model_check {
    MODEL_BARRIER = 0,  /* a lane returned, or waits elsewhere, while others wait at a barrier */
    MODEL_EXCHANGE = 1, /* an exchange or vote names a lane that is not there, gone, or elsewhere */
    MODEL_RACE = 2, /* two lanes use one shared word between two barriers, or two blocks the result
                       with neither a swap nor a lock, one of them writing */
    MODEL_UNWRITTEN = 3, /* a read of shared memory or a partial that nobody wrote */
    MODEL_BOUNDS = 4,    /* an access outside of an array */
    MODEL_COVERAGE = 5,  /* an element that no lane read, or that was read twice */
    MODEL_CHECKS = 6
} model_check;

/* One finding. Equal findings (check, kernel, line) are counted, the first is described. */
typedef struct model_report {
    model_check check;
    uint64_t n; /* how often */
    const char *kernel;
    const char *file;
    int line;
    uint32_t stage;
    uint64_t block;
    uint32_t lane;
    uint32_t arrived, expected; /* BARRIER: lanes at it, lanes of the block */
    char text[256];             /* for people: "block 1: 1 of 4 lanes arrived at the barrier ..." */
} model_report;

enum { MODEL_REPORTS = 16 };

typedef struct model_result {
    tally_item item;     /* the accumulator of the whole */
    uint64_t n_launches; /* kernels launched */
    uint64_t n_partials; /* of the first stage; 0 with final atomic, which leaves none */
    uint64_t n_findings; /* in all */
    size_t n_reports;    /* described, at most MODEL_REPORTS */
    model_report report[MODEL_REPORTS];
} model_result;

/* "barrier", "exchange", "race", "unwritten", "bounds", "coverage" */
const char *tally_model_check_name(model_check check);

/*
 * Runs a resolved plan over x on the model. partials (may be NULL) receives the first min(room,
 * partials) partials of stage 1. Errors: ARGUMENT (wave), MEMORY, UNSUPPORTED (op, type, or a plan
 * that has no room for the fault); findings are no error.
 */
tally_status tally_model_tree(const model_options *options, tally_op op, const tally_plan *plan,
                              const tally_array *x, tally_item *partials, size_t room,
                              model_result *result);

#ifdef __cplusplus
}
#endif

#endif
