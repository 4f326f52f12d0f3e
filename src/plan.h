/*
 * plan.h - which lane takes which element, for a plan that tally_plan_resolve() made.
 *
 * Freestanding: no libc. The trace, the backends and the command all ask here.
 */
#ifndef TALLY_PLAN_H
#define TALLY_PLAN_H

#include <stdbool.h>

#include "tally.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PLAN_GROUP = 32 }; /* lanes that exchange registers, on 64-lane hardware too */

/* Where an element goes. */
typedef struct plan_place {
    uint64_t block;
    uint32_t lane;
    uint64_t turn; /* the how manyth element of its lane it is, from 0 */
} plan_place;

plan_place tally_plan_place(const tally_plan *plan, uint64_t index);

/* How many of n elements a lane takes, and the index of its turn-th (turn below that count). */
uint64_t tally_plan_count(const tally_plan *plan, uint64_t n, uint64_t block, uint32_t lane);
uint64_t tally_plan_index(const tally_plan *plan, uint64_t block, uint32_t lane, uint64_t turn);

/* The pass after one that left "partials" of them: stage is 2, 3, ... plan->stages. The last one
 * has one block; earlier ones are contiguous. Its elements are the partials, vector is 1. */
void tally_plan_next(const tally_plan *plan, uint32_t stage, uint64_t partials, tally_plan *next);

/* Names as the command spells them: "wave", "grid-stride", "device"; NULL for no value. */
const char *tally_shape_name(tally_shape shape);
const char *tally_assign_name(tally_assign assign);
const char *tally_final_name(tally_final final);

#ifdef __cplusplus
}
#endif

#endif
