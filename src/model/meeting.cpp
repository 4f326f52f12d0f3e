/*
 * meeting.cpp - where lanes wait for each other: exchanges and votes of a wave, barriers of a
 * block.
 *
 * A meeting is complete when every lane that its mask names has come to the same place in the text
 * with the same mask. Lanes that are not there or have returned are reported at once and not waited
 * for; lanes that wait elsewhere are, until no lane can run any more.
 */
#include <string.h>

#include "machine.h"

static uint64_t bit(uint32_t i)
{
    return static_cast<uint64_t>(1) << i;
}

static uint32_t lowest(uint64_t mask)
{
    return static_cast<uint32_t>(__builtin_ctzll(mask));
}

/* The lanes that wave w of a block has: fewer than m->wave in a block's last wave. */
static uint64_t there(const simt_machine *m, uint32_t w)
{
    const uint32_t n = m->launch->lanes - w * m->wave;
    return n < 64 && n < m->wave ? bit(n) - 1 : m->wave == 64 ? UINT64_MAX : bit(m->wave) - 1;
}

static const char *meeting_name(const simt_meeting *meeting)
{
    return meeting->vote ? "vote" : "exchange";
}

/* ---- carrying a meeting out ---- */

static void deliver(simt_machine *m, uint32_t first, const simt_meeting *meeting, uint32_t i)
{
    simt_lane *lane = &m->lanes[first + i];
    uint32_t source = i + lane->offset;
    if (source / SIMT_GROUP != i / SIMT_GROUP) { /* outside of the group: its own value */
        source = i;
    }
    if (meeting->arrived & bit(source)) {
        memcpy(lane->got, m->lanes[first + source].mine, meeting->nbytes);
        return;
    }
    tally_simt_report(m, MODEL_EXCHANGE, lane->number, meeting->at, 0, 0,
                      "lane %u asks for the register of lane %u, which takes no part in the "
                      "exchange: what comes back is undefined",
                      lane->number, first + source);
    simt_forget(m, lane->got, meeting->nbytes);
}

static uint64_t count_votes(const simt_machine *m, uint32_t first, uint64_t arrived)
{
    uint64_t votes = 0;
    for (uint64_t rest = arrived; rest != 0; rest &= rest - 1) {
        votes |= m->lanes[first + lowest(rest)].yes ? bit(lowest(rest)) : 0;
    }
    return votes;
}

/* Gives every lane that has arrived what it came for, and closes the meeting. */
static void conclude(simt_machine *m, uint32_t w, uint32_t number)
{
    const uint32_t first = w * m->wave;
    simt_meeting *meetings = &m->meetings[first];
    const simt_meeting meeting = meetings[number];
    const uint64_t votes = meeting.vote ? count_votes(m, first, meeting.arrived) : 0;
    meetings[number] = meetings[--m->n_meetings[w]];
    for (uint64_t rest = meeting.arrived; rest != 0; rest &= rest - 1) {
        simt_lane *lane = &m->lanes[first + lowest(rest)];
        lane->votes = votes;
        if (!meeting.vote) {
            deliver(m, first, &meeting, lowest(rest));
        }
        tally_simt_make_ready(m, lane);
    }
}

/* ---- coming to a meeting ---- */

static uint32_t find_meeting(const simt_machine *m, uint32_t w, const simt_meeting *like)
{
    const simt_meeting *meetings = &m->meetings[w * m->wave];
    uint32_t i = 0;
    while (i < m->n_meetings[w] &&
           !(same_place(meetings[i].at, like->at) && meetings[i].mask == like->mask &&
             meetings[i].vote == like->vote && meetings[i].nbytes == like->nbytes)) {
        i++;
    }
    return i;
}

/* The mask's lanes that can come; the others are reported. */
static uint64_t check_mask(simt_machine *m, const simt_lane *lane, uint32_t w,
                           const simt_meeting *meeting)
{
    const uint64_t absent = meeting->mask & ~there(m, w), gone = meeting->mask & m->gone[w];
    if (absent != 0) {
        tally_simt_report(m, MODEL_EXCHANGE, lane->number, meeting->at, 0, 0,
                          "lane %u names lane %u in the mask of the %s, but the block has %u lanes "
                          "(waves of %u)",
                          lane->number, w * m->wave + lowest(absent), meeting_name(meeting),
                          m->launch->lanes, m->wave);
    }
    if (gone != 0) {
        tally_simt_report(m, MODEL_EXCHANGE, lane->number, meeting->at, 0, 0,
                          "lane %u names lane %u in the mask of the %s, but that lane has returned",
                          lane->number, w * m->wave + lowest(gone), meeting_name(meeting));
    }
    return meeting->mask & ~absent & ~gone;
}

static void meet(simt_machine *m, uint64_t mask, bool vote, size_t nbytes, simt_place at)
{
    simt_lane *lane = m->current;
    const uint32_t w = lane->number / m->wave;
    const uint64_t self = bit(lane->number % m->wave);
    simt_meeting wanted = {at, vote, nbytes, mask, 0, 0};
    tally_simt_step(m, at);
    if (!(mask & self)) {
        tally_simt_report(m, MODEL_EXCHANGE, lane->number, at, 0, 0,
                          "lane %u takes part in the %s, but its mask does not name it",
                          lane->number, meeting_name(&wanted));
    }
    const uint32_t number = find_meeting(m, w, &wanted);
    simt_meeting *meeting = &m->meetings[w * m->wave + number];
    if (number == m->n_meetings[w]) {
        wanted.expected = check_mask(m, lane, w, &wanted);
        *meeting = wanted;
        m->n_meetings[w]++;
    }
    meeting->expected |= self;
    lane->state = SIMT_AT_MEETING;
    lane->at = at;
    meeting->arrived |= self;
    if (meeting->arrived == meeting->expected) {
        conclude(m, w, number);
    }
    tally_simt_wait(m);
}

void tally_simt_exchange(uint64_t mask, const void *mine, void *got, size_t nbytes, uint32_t offset,
                         const char *file, int line)
{
    simt_machine *m = tally_simt_running;
    m->current->mine = mine;
    m->current->got = got;
    m->current->offset = offset;
    meet(m, mask, false, nbytes, {file, line});
}

uint64_t tally_simt_vote(uint64_t mask, bool yes, const char *file, int line)
{
    simt_machine *m = tally_simt_running;
    simt_lane *lane = m->current;
    lane->yes = yes;
    meet(m, mask, true, 0, {file, line});
    return lane->votes;
}

void tally_simt_left(simt_machine *m, const simt_lane *lane)
{
    const uint32_t w = lane->number / m->wave;
    const uint64_t self = bit(lane->number % m->wave);
    m->gone[w] |= self;
    for (uint32_t i = m->n_meetings[w]; i-- > 0;) {
        simt_meeting *meeting = &m->meetings[w * m->wave + i];
        if (!(meeting->expected & self)) {
            continue;
        }
        const uint32_t other = w * m->wave + lowest(meeting->arrived);
        tally_simt_report(m, MODEL_EXCHANGE, other, meeting->at, 0, 0,
                          "lane %u names lane %u in the mask of the %s, but that lane has returned",
                          other, lane->number, meeting_name(meeting));
        meeting->expected &= ~self;
        if (meeting->arrived == meeting->expected) {
            conclude(m, w, i);
        }
    }
}

/* ---- barriers ---- */

static void release_barrier(simt_machine *m)
{
    m->n_at_barrier = 0;
    m->phase++;
    for (uint32_t t = 0; t < m->launch->lanes; t++) {
        if (m->lanes[t].state == SIMT_AT_BARRIER) {
            tally_simt_make_ready(m, &m->lanes[t]);
        }
    }
}

static bool waits_at(const simt_lane *lane, simt_place at)
{
    return lane->state == SIMT_AT_BARRIER && same_place(lane->at, at);
}

void tally_simt_barrier(const char *file, int line)
{
    simt_machine *m = tally_simt_running;
    const simt_place at = {file, line};
    tally_simt_step(m, at);
    m->current->state = SIMT_AT_BARRIER;
    m->current->at = at;
    if (++m->n_at_barrier == m->launch->lanes) {
        uint32_t t = 0;
        while (t < m->launch->lanes && waits_at(&m->lanes[t], at)) {
            t++;
        }
        if (t == m->launch->lanes) {
            release_barrier(m);
        }
    }
    tally_simt_wait(m);
}

static void report_barrier(simt_machine *m, simt_place at)
{
    uint32_t arrived = 0, absent = 0;
    for (uint32_t t = m->launch->lanes; t-- > 0;) {
        if (waits_at(&m->lanes[t], at)) {
            arrived++;
        } else {
            absent = t;
        }
    }
    const simt_lane *lane = &m->lanes[absent];
    if (lane->state == SIMT_GONE) {
        tally_simt_report(m, MODEL_BARRIER, absent, at, arrived, m->launch->lanes,
                          "%u of %u lanes arrived at the barrier; lane %u had returned", arrived,
                          m->launch->lanes, absent);
    } else {
        tally_simt_report(m, MODEL_BARRIER, absent, at, arrived, m->launch->lanes,
                          "%u of %u lanes arrived at the barrier; lane %u waits at another one, in "
                          "line %d",
                          arrived, m->launch->lanes, absent, lane->at.line);
    }
}

/* Every lane that still lives waits at a barrier, but not all of the block at the same. */
static void untangle_barriers(simt_machine *m)
{
    for (uint32_t t = 0; t < m->launch->lanes; t++) {
        const simt_place at = m->lanes[t].at;
        if (m->lanes[t].state != SIMT_AT_BARRIER) {
            continue;
        }
        uint32_t first = 0;
        while (!waits_at(&m->lanes[first], at)) {
            first++;
        }
        if (first == t) {
            report_barrier(m, at);
        }
    }
    release_barrier(m);
}

void tally_simt_untangle(simt_machine *m)
{
    for (uint32_t w = 0; w * m->wave < m->launch->lanes; w++) {
        if (m->n_meetings[w] == 0) {
            continue;
        }
        const uint32_t first = w * m->wave;
        const simt_meeting *meeting = &m->meetings[first];
        const uint32_t waiting = first + lowest(meeting->arrived);
        const uint32_t missing = first + lowest(meeting->expected & ~meeting->arrived);
        tally_simt_report(m, MODEL_EXCHANGE, waiting, meeting->at, 0, 0,
                          "lane %u names lane %u in the mask of the %s, but that lane waits "
                          "elsewhere, in line %d",
                          waiting, missing, meeting_name(meeting), m->lanes[missing].at.line);
        conclude(m, w, 0);
        return;
    }
    untangle_barriers(m);
}
