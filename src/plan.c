/* plan.c - geometry: fills in and checks a plan, and says which lane takes which element. */
#include "plan.h"

#include "op.h"

static const uint64_t most_blocks = INT32_MAX; /* what every vendor's grid can have */

enum {
    DEFAULT_BLOCK = 256, /* contiguous */
    MOST_LANES = 1024,
    MOST_VECTOR = 65536,
    LOAD_BYTES = 16, /* the widest load of a lane */
    DEFAULT_STAGES = 2,
    MOST_STAGES = 8
};

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* ---- defaults of grid-stride assignment ----
 *
 * Tuned once on an H200 (132 multiprocessors), for f32 and f64 from 2^8 to 2^30 elements, and
 * frozen since: these numbers decide public bits. A piece is what a lane takes at a time, by
 * default 16 bytes. Few pieces: one block, so that no second kernel is needed, of no more lanes
 * than pieces. More: two pieces a lane keep every multiprocessor busy. Many: blocks enough that
 * none ends long after the others, and no more, since the second stage has to fold them. */

enum {
    LEAST_BLOCK = 32,
    MOST_DEFAULT_BLOCK = 512,
    ONE_BLOCK_PIECES = 8, /* a lane, at most, while there is one block */
    FEW_PIECES = 2,       /* a lane, until there are FEW_BLOCKS */
    FEW_BLOCKS = 512,
    MANY_PIECES = 32, /* a lane, until there are MANY_BLOCKS */
    MANY_BLOCKS = 4096
};

static uint32_t default_block(uint64_t pieces)
{
    uint32_t block = LEAST_BLOCK;
    while (block < MOST_DEFAULT_BLOCK && block < pieces) {
        block *= 2;
    }
    return block;
}

static uint64_t at_most(uint64_t a, uint64_t limit)
{
    return a < limit ? a : limit;
}

static uint64_t default_blocks(uint64_t pieces, uint64_t block)
{
    if (pieces <= ONE_BLOCK_PIECES * block) {
        return 1;
    }
    uint64_t few = at_most(divide_up(pieces, FEW_PIECES * block), FEW_BLOCKS);
    uint64_t many = at_most(divide_up(pieces, MANY_PIECES * block), MANY_BLOCKS);
    return few > many ? few : many;
}

/* ---- resolving ---- */

/* The first part: a block and its lanes. Gives what is wrong, or NULL. */
static const char *resolve_block(tally_plan *p, size_t element_size, uint64_t n)
{
    if ((unsigned)p->shape > TALLY_SHAPE_HALVING) {
        return "shape is TALLY_SHAPE_WAVE or TALLY_SHAPE_HALVING";
    }
    if ((unsigned)p->assign > TALLY_ASSIGN_CONTIGUOUS) {
        return "assign is TALLY_ASSIGN_GRID_STRIDE or TALLY_ASSIGN_CONTIGUOUS";
    }
    if ((unsigned)p->final > TALLY_FINAL_ATOMIC) {
        return "final is TALLY_FINAL_DEVICE, TALLY_FINAL_HOST or TALLY_FINAL_ATOMIC";
    }
    if (p->shape == TALLY_SHAPE_DEFAULT) {
        p->shape = TALLY_SHAPE_WAVE;
    }
    if (p->assign == TALLY_ASSIGN_DEFAULT) {
        p->assign =
            p->shape == TALLY_SHAPE_WAVE ? TALLY_ASSIGN_GRID_STRIDE : TALLY_ASSIGN_CONTIGUOUS;
    }
    if (p->final == TALLY_FINAL_DEFAULT) {
        p->final = TALLY_FINAL_DEVICE;
    }
    bool contiguous = p->assign == TALLY_ASSIGN_CONTIGUOUS;
    if (p->vector == 0) {
        p->vector = contiguous ? 1 : (uint32_t)(LOAD_BYTES / element_size);
    }
    if (p->vector > MOST_VECTOR) {
        return "vector, the neighbours that a lane takes at a time, is from 1 to 65536";
    }
    if (contiguous && p->vector != 1) {
        return "vector is 1 with contiguous assignment: every lane takes one element";
    }
    if (p->block == 0) {
        p->block = contiguous ? DEFAULT_BLOCK : default_block(divide_up(n, p->vector));
    }
    if (p->block > MOST_LANES || (p->block & (p->block - 1)) != 0) {
        return "block, the lanes of a block, is a power of two from 1 to 1024";
    }
    return NULL;
}

/* The second part: how many blocks, how many passes. */
static const char *resolve_grid(tally_plan *p, uint64_t n)
{
    bool contiguous = p->assign == TALLY_ASSIGN_CONTIGUOUS;
    uint64_t needed = divide_up(n, (uint64_t)p->block * p->vector);
    if (p->blocks > most_blocks) {
        return "blocks is from 1 to 2147483647";
    }
    if (contiguous && needed > most_blocks) {
        return "contiguous assignment would need more than 2147483647 blocks: take more lanes a "
               "block, or grid-stride assignment";
    }
    if (contiguous && n > 0 && p->blocks != 0 && p->blocks != needed) {
        return "blocks is ceil(n / block) with contiguous assignment: leave it out, or take "
               "grid-stride assignment";
    }
    if (n == 0) {
        p->blocks = 0;
    } else if (p->blocks == 0) {
        p->blocks = contiguous ? needed : default_blocks(divide_up(n, p->vector), p->block);
    }
    if (p->stages == 0) {
        p->stages = DEFAULT_STAGES;
    }
    if (p->stages > MOST_STAGES) {
        return "stages, the passes with the first included, is from 1 to 8";
    }
    if (p->stages == 1 && p->blocks > 1) {
        return "stages is 1 with one block only: more blocks leave partials for a second stage";
    }
    if (p->stages > DEFAULT_STAGES && p->final == TALLY_FINAL_ATOMIC) {
        return "stages is at most 2 with final atomic: every block adds to the result at once";
    }
    return NULL;
}

tally_status tally_plan_resolve(const tally_plan *wanted, tally_type type, uint64_t n,
                                tally_plan *plan, const char **why)
{
    tally_plan made = {TALLY_SHAPE_DEFAULT, TALLY_ASSIGN_DEFAULT, TALLY_FINAL_DEFAULT, 0, 0, 0, 0};
    size_t element_size = tally_type_size(type);
    const char *bad = !plan ? "plan is NULL" : element_size == 0 ? "type is no element type" : NULL;
    if (wanted) {
        made = *wanted;
    }
    if (!bad) {
        bad = resolve_block(&made, element_size, n);
    }
    if (!bad) {
        bad = resolve_grid(&made, n);
    }
    if (bad) {
        if (why) {
            *why = bad;
        }
        return TALLY_ERR_ARGUMENT;
    }
    *plan = made;
    return TALLY_OK;
}

/* ---- places ---- */

/* The lanes of the whole grid: below 2^31 * 2^10, times vector below 2^57. */
static uint64_t grid_lanes(const tally_plan *plan)
{
    return plan->blocks * plan->block;
}

plan_place tally_plan_place(const tally_plan *plan, uint64_t index)
{
    uint64_t piece = index / plan->vector, lane = piece, round = 0;
    plan_place place;
    if (plan->assign == TALLY_ASSIGN_GRID_STRIDE) {
        lane = piece % grid_lanes(plan);
        round = piece / grid_lanes(plan);
    }
    place.block = lane / plan->block;
    place.lane = (uint32_t)(lane % plan->block);
    place.turn = round * plan->vector + index % plan->vector;
    return place;
}

uint64_t tally_plan_count(const tally_plan *plan, uint64_t n, uint64_t block, uint32_t lane)
{
    uint64_t first = (block * plan->block + lane) * plan->vector;
    if (plan->assign == TALLY_ASSIGN_CONTIGUOUS) {
        return first < n;
    }
    uint64_t period = grid_lanes(plan) * plan->vector;
    uint64_t rest = n % period; /* of the last, partial round */
    uint64_t last = rest <= first ? 0 : rest - first;
    return n / period * plan->vector + (last < plan->vector ? last : plan->vector);
}

uint64_t tally_plan_index(const tally_plan *plan, uint64_t block, uint32_t lane, uint64_t turn)
{
    uint64_t piece = block * plan->block + lane + turn / plan->vector * grid_lanes(plan);
    return piece * plan->vector + turn % plan->vector;
}

void tally_plan_next(const tally_plan *plan, uint32_t stage, uint64_t partials, tally_plan *next)
{
    tally_plan made = *plan;
    made.vector = 1;
    if (stage < plan->stages) {
        made.assign = TALLY_ASSIGN_CONTIGUOUS;
        made.blocks = divide_up(partials, made.block);
    } else {
        made.assign = TALLY_ASSIGN_GRID_STRIDE;
        made.blocks = 1;
        while (made.block > 1 && made.block / 2 >= partials) {
            made.block /= 2;
        }
    }
    *next = made;
}

/* ---- names ---- */

const char *tally_shape_name(tally_shape shape)
{
    switch (shape) {
    case TALLY_SHAPE_WAVE: return "wave";
    case TALLY_SHAPE_HALVING: return "halving";
    default: return NULL;
    }
}

const char *tally_assign_name(tally_assign assign)
{
    switch (assign) {
    case TALLY_ASSIGN_GRID_STRIDE: return "grid-stride";
    case TALLY_ASSIGN_CONTIGUOUS: return "contiguous";
    default: return NULL;
    }
}

const char *tally_final_name(tally_final final)
{
    switch (final) {
    case TALLY_FINAL_DEVICE: return "device";
    case TALLY_FINAL_HOST: return "host";
    case TALLY_FINAL_ATOMIC: return "atomic";
    default: return NULL;
    }
}
