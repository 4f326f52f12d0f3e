/* simt.cpp - the machine: runs the lanes of one block after another, in shuffled turns. */
#include <stdlib.h>
#include <string.h>

#include "machine.h"

__thread simt_machine *tally_simt_running;

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* ---- the order of blocks: a permutation of 0...n - 1 that needs no memory ---- */

/* A Feistel network permutes the numbers of 2 * half bits; those of n or more are sent through it
 * again until they are below n, which permutes 0...n - 1. */
static uint64_t shuffled_block(uint64_t i, uint64_t n, uint64_t seed)
{
    unsigned half = 1;
    while (n > static_cast<uint64_t>(1) << 2 * half) {
        half++;
    }
    const uint64_t mask = (static_cast<uint64_t>(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t key = seed + round * 0xd1342543de82ef95 + right;
            uint64_t next = left ^ (draw(&key) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

/* ---- turns ---- */

void tally_simt_make_ready(simt_machine *m, simt_lane *lane)
{
    lane->state = SIMT_READY;
    m->ready[(m->first_ready + m->n_ready) % SIMT_MOST_LANES] = lane->number;
    m->n_ready++;
}

static simt_lane *take_ready(simt_machine *m)
{
    uint32_t *first = &m->ready[m->first_ready];
    if (m->shuffled) {
        uint32_t *chosen =
            &m->ready[(m->first_ready + draw(&m->random) % m->n_ready) % SIMT_MOST_LANES];
        const uint32_t number = *chosen;
        *chosen = *first;
        *first = number;
    }
    m->first_ready = (m->first_ready + 1) % SIMT_MOST_LANES;
    m->n_ready--;
    return &m->lanes[*first];
}

void tally_simt_wait(simt_machine *m)
{
    tally_fiber_switch(&m->current->own, &m->home);
}

void tally_simt_step(simt_machine *m, simt_place at)
{
    simt_lane *lane = m->current;
    if (++lane->steps > m->launch->most_steps) {
        tally_simt_report(m, MODEL_BARRIER, lane->number, at, 0, m->launch->lanes,
                          "lane %u still runs after %llu steps and would never end: the launch is "
                          "given up",
                          lane->number, static_cast<unsigned long long>(m->launch->most_steps));
        m->ended = true;
        tally_simt_wait(m); /* for ever */
    }
}

/* A fiber plays its lane in one block after another. */
static void play_lane(void *argument)
{
    simt_lane *lane = static_cast<simt_lane *>(argument);
    simt_machine *m = lane->machine;
    for (;;) {
        m->launch->enter(m->launch->job);
        lane->state = SIMT_GONE;
        tally_simt_wait(m);
    }
}

static void begin_block(simt_machine *m)
{
    const simt_launch *launch = m->launch;
    const uint32_t waves = (launch->lanes + m->wave - 1) / m->wave;
    m->first_phase = ++m->phase;
    m->first_ready = m->n_ready = m->n_at_barrier = 0;
    m->n_live = launch->lanes;
    simt_forget(m, m->shared, launch->shared_bytes);
    for (uint32_t w = 0; w < waves; w++) {
        m->n_meetings[w] = 0;
        m->gone[w] = 0;
    }
    for (uint32_t t = 0; t < launch->lanes; t++) {
        m->lanes[t].steps = 0;
        m->lanes[t].lock = nullptr;
        tally_simt_make_ready(m, &m->lanes[t]);
    }
}

static void run_block(simt_machine *m)
{
    begin_block(m);
    while (m->n_live > 0 && !m->ended) {
        if (m->n_ready == 0) {
            tally_simt_untangle(m);
            continue;
        }
        simt_lane *lane = take_ready(m);
        m->current = lane;
        tally_fiber_switch(&m->home, &lane->own);
        if (lane->state == SIMT_GONE) {
            m->n_live--;
            tally_simt_left(m, lane);
        }
    }
}

/* ---- launching ---- */

static void drop_fibers(simt_machine *m)
{
    for (uint32_t t = 0; t < m->n_stacks; t++) {
        tally_fiber_drop(&m->lanes[t].own);
    }
    if (m->stacks) {
        tally_fiber_unmap(m->stacks, m->n_stacks, m->stack_bytes);
    }
    m->stacks = nullptr;
    m->n_stacks = 0;
}

static bool make_fibers(simt_machine *m, uint32_t n)
{
    if (n <= m->n_stacks) {
        return true;
    }
    drop_fibers(m);
    m->stacks = tally_fiber_stacks(n, &m->stack_bytes);
    if (!m->stacks) {
        return false;
    }
    m->n_stacks = n;
    for (uint32_t t = 0; t < n; t++) {
        simt_lane *lane = &m->lanes[t];
        lane->machine = m;
        lane->number = t;
        tally_fiber_init(&lane->own, &m->home,
                         static_cast<unsigned char *>(m->stacks) + t * m->stack_bytes,
                         m->stack_bytes, play_lane, lane);
    }
    return true;
}

static bool make_shared(simt_machine *m, size_t nbytes)
{
    nbytes += nbytes == 0; /* so that there is an address */
    if (nbytes <= m->shared_room) {
        return true;
    }
    free(m->shared);
    free(m->words);
    m->shared = static_cast<unsigned char *>(malloc(nbytes));
    m->words = static_cast<simt_word *>(calloc(nbytes / 4 + 1, sizeof *m->words));
    m->shared_room = m->shared && m->words ? nbytes : 0;
    return m->shared_room > 0;
}

tally_status tally_simt_launch(simt_machine *m, const simt_launch *launch)
{
    m->launch = launch;
    m->ended = false;
    m->result->n_launches++;
    if (!make_fibers(m, launch->lanes) || !make_shared(m, launch->shared_bytes)) {
        return TALLY_ERR_MEMORY;
    }
    m->outer = tally_simt_running;
    const uint64_t seed = m->shuffled ? draw(&m->random) : 0;
    tally_simt_running = m;
    tally_fiber_adopt(&m->home);
    for (uint64_t i = 0; i < launch->blocks && !m->ended; i++) {
        m->block = m->shuffled ? shuffled_block(i, launch->blocks, seed) : i;
        run_block(m);
    }
    if (m->ended) {
        drop_fibers(m); /* some are in the middle of a kernel */
    }
    tally_simt_running = m->outer;
    return TALLY_OK;
}

void tally_simt_host_begin(simt_machine *m, const char *name, uint32_t stage)
{
    m->host = {};
    m->host.kernel = name;
    m->host.stage = stage;
    m->host.blocks = m->host.lanes = 1;
    m->host.most_steps = UINT64_MAX;
    m->launch = &m->host;
    m->block = 0;
    m->current = &m->lanes[0];
    m->current->steps = 0;
    m->outer = tally_simt_running;
    tally_simt_running = m;
}

void tally_simt_host_end(simt_machine *m)
{
    tally_simt_running = m->outer;
}

simt_machine *tally_simt_open(const model_options *options, model_result *result)
{
    simt_machine *m = static_cast<simt_machine *>(calloc(1, sizeof *m));
    if (!m) {
        return nullptr;
    }
    m->wave = options->wave;
    m->random = options->seed;
    m->shuffled = options->seed != 0;
    m->zeroed = options->zeroed;
    m->poison_byte = 0xff;
    m->fault = options->fault;
    m->result = result;
    m->lanes = static_cast<simt_lane *>(calloc(SIMT_MOST_LANES, sizeof *m->lanes));
    m->ready = static_cast<uint32_t *>(calloc(SIMT_MOST_LANES, sizeof *m->ready));
    m->meetings = static_cast<simt_meeting *>(calloc(SIMT_MOST_LANES, sizeof *m->meetings));
    m->n_meetings = static_cast<uint32_t *>(calloc(SIMT_MOST_LANES / m->wave, sizeof(uint32_t)));
    m->gone = static_cast<uint64_t *>(calloc(SIMT_MOST_LANES / m->wave, sizeof *m->gone));
    if (!m->lanes || !m->ready || !m->meetings || !m->n_meetings || !m->gone) {
        tally_simt_close(m);
        return nullptr;
    }
    return m;
}

void tally_simt_poison(simt_machine *m, const void *item, size_t nbytes, unsigned char byte)
{
    memcpy(m->poison, item, nbytes);
    m->poison_bytes = nbytes;
    m->poison_byte = byte;
}

void tally_simt_close(simt_machine *m)
{
    if (m) {
        drop_fibers(m);
        free(m->lanes);
        free(m->ready);
        free(m->meetings);
        free(m->n_meetings);
        free(m->gone);
        free(m->shared);
        free(m->words);
        free(m);
    }
}

/* ---- what a lane may ask about itself ---- */

uint32_t tally_simt_lane(void)
{
    return tally_simt_running->current->number;
}

uint64_t tally_simt_block(void)
{
    return tally_simt_running->block;
}

uint32_t tally_simt_lanes(void)
{
    return tally_simt_running->launch->lanes;
}

uint64_t tally_simt_blocks(void)
{
    return tally_simt_running->launch->blocks;
}

uint32_t tally_simt_wave(void)
{
    return tally_simt_running->wave;
}

tally_fault tally_simt_fault(void)
{
    return tally_simt_running->fault;
}
