/* memory.cpp - watched memory: bounds, who wrote and read what in which phase, what nobody read. */
#include <string.h>

#include "machine.h"
#include "plan.h"

/* ---- shared memory ---- */

/* Notes a read of one word of element index. True if that was reported: one finding an access is
 * enough. */
static bool note_read(simt_machine *m, uint64_t index, simt_word *word, simt_place at)
{
    const uint32_t self = m->current->number;
    const bool unwritten = word->write_phase < m->first_phase;
    const bool race = word->write_phase == m->phase && word->writer != self;
    word->many_readers =
        word->read_phase == m->phase && (word->many_readers || word->reader != self);
    word->read_phase = m->phase;
    word->reader = self;
    if (unwritten) {
        tally_simt_report(m, MODEL_UNWRITTEN, self, at, 0, 0,
                          "lane %u reads element %llu of shared memory, which nobody has written",
                          self, static_cast<unsigned long long>(index));
    } else if (race) {
        tally_simt_report(m, MODEL_RACE, self, at, 0, 0,
                          "lane %u reads element %llu of shared memory, which lane %u wrote: no "
                          "barrier lies between them",
                          self, static_cast<unsigned long long>(index), word->writer);
    }
    return unwritten || race;
}

/* The same for a write. */
static bool note_write(simt_machine *m, uint64_t index, simt_word *word, simt_place at)
{
    const uint32_t self = m->current->number;
    const bool written = word->write_phase == m->phase && word->writer != self;
    const bool read = word->read_phase == m->phase && (word->many_readers || word->reader != self);
    word->write_phase = m->phase;
    word->writer = self;
    if (written || read) {
        tally_simt_report(m, MODEL_RACE, self, at, 0, 0,
                          "lane %u writes element %llu of shared memory, which another lane %s: no "
                          "barrier lies between them",
                          self, static_cast<unsigned long long>(index), written ? "wrote" : "read");
    }
    return written || read;
}

static bool in_shared(simt_machine *m, uint64_t index, size_t nbytes, simt_place at,
                      const char *verb)
{
    const uint64_t n = m->launch->shared_bytes / nbytes;
    if (index < n) {
        return true;
    }
    tally_simt_report(m, MODEL_BOUNDS, m->current->number, at, 0, 0,
                      "lane %u %s element %llu of shared memory, which holds %llu",
                      m->current->number, verb, static_cast<unsigned long long>(index),
                      static_cast<unsigned long long>(n));
    return false;
}

void tally_simt_shared_read(void *to, uint64_t index, size_t nbytes, const char *file, int line)
{
    simt_machine *m = tally_simt_running;
    const simt_place at = {file, line};
    tally_simt_step(m, at);
    if (!in_shared(m, index, nbytes, at, "reads")) {
        simt_forget(m, to, nbytes);
        return;
    }
    bool reported = false;
    for (size_t i = index * nbytes / 4; i < (index + 1) * nbytes / 4 && !reported; i++) {
        reported = note_read(m, index, &m->words[i], at);
    }
    memcpy(to, m->shared + index * nbytes, nbytes);
}

void tally_simt_shared_write(const void *from, uint64_t index, size_t nbytes, const char *file,
                             int line)
{
    simt_machine *m = tally_simt_running;
    const simt_place at = {file, line};
    tally_simt_step(m, at);
    if (!in_shared(m, index, nbytes, at, "writes")) {
        return;
    }
    bool reported = false;
    for (size_t i = index * nbytes / 4; i < (index + 1) * nbytes / 4 && !reported; i++) {
        reported = note_write(m, index, &m->words[i], at);
    }
    memcpy(m->shared + index * nbytes, from, nbytes);
}

/* ---- global memory ---- */

/* Blocks run one after another here, but in no order on a device: whatever is not a swap needs the
 * same lock around it in every block. */
static void note_use(simt_machine *m, const simt_array *array, uint64_t index, bool writes,
                     bool plain, simt_place at)
{
    if (!array->uses) {
        return;
    }
    simt_shared_use *use = &array->uses[index];
    if ((use->used || use->used_here) && use->block != m->block) {
        use->used = true;
        use->written |= use->written_here;
        use->used_here = use->written_here = false;
    }
    const void *const held = plain ? m->current->lock : nullptr;
    const bool ordered = held && held == use->lock;
    if (!ordered && (use->written || (use->used && plain && writes))) {
        tally_simt_report(m, MODEL_RACE, m->current->number, at, 0, 0,
                          "lane %u %s element %llu of %s, which another block %s: neither one swap "
                          "nor one lock orders them",
                          m->current->number, writes ? "writes" : "reads",
                          static_cast<unsigned long long>(index), array->name,
                          use->written ? "wrote" : "used");
    }
    use->lock = use->used || use->used_here ? (use->lock == held ? held : nullptr) : held;
    use->used_here = true;
    use->written_here |= plain && writes;
    use->block = m->block;
}

static unsigned char *element(simt_machine *m, const simt_array *array, uint64_t index,
                              simt_place at, const char *verb)
{
    if (index < array->n) {
        return array->data + static_cast<ptrdiff_t>(index) * array->step;
    }
    tally_simt_report(m, MODEL_BOUNDS, m->current->number, at, 0, 0,
                      "lane %u %s element %llu of %s: there are %llu", m->current->number, verb,
                      static_cast<unsigned long long>(index), array->name,
                      static_cast<unsigned long long>(array->n));
    return nullptr;
}

void tally_simt_read(simt_array *array, void *to, uint64_t index, const char *file, int line)
{
    simt_machine *m = tally_simt_running;
    const simt_place at = {file, line};
    tally_simt_step(m, at);
    const unsigned char *from = element(m, array, index, at, "reads");
    if (!from) {
        simt_forget(m, to, array->size);
        return;
    }
    if (array->seen) {
        uint8_t *seen = &array->seen[index];
        if (array->produced && !(*seen & SIMT_WRITTEN)) {
            tally_simt_report(m, MODEL_UNWRITTEN, m->current->number, at, 0, 0,
                              "lane %u reads element %llu of %s, which no block has written",
                              m->current->number, static_cast<unsigned long long>(index),
                              array->name);
        }
        if (array->once && (*seen & SIMT_READ)) {
            tally_simt_report(m, MODEL_COVERAGE, m->current->number, at, 0, 0,
                              "lane %u reads element %llu of %s, which has been read before",
                              m->current->number, static_cast<unsigned long long>(index),
                              array->name);
        }
        *seen |= SIMT_READ;
        array->file = file;
        array->line = line;
    }
    note_use(m, array, index, false, true, at);
    memcpy(to, from, array->size);
}

void tally_simt_write(simt_array *array, const void *from, uint64_t index, const char *file,
                      int line)
{
    simt_machine *m = tally_simt_running;
    const simt_place at = {file, line};
    tally_simt_step(m, at);
    unsigned char *to = element(m, array, index, at, "writes");
    if (!to) {
        return;
    }
    if (array->seen && array->produced) {
        if (array->seen[index] & SIMT_WRITTEN) {
            tally_simt_report(m, MODEL_RACE, m->current->number, at, 0, 0,
                              "lane %u writes element %llu of %s, which has been written before",
                              m->current->number, static_cast<unsigned long long>(index),
                              array->name);
        }
        array->seen[index] |= SIMT_WRITTEN;
    }
    note_use(m, array, index, true, true, at);
    memcpy(to, from, array->size);
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
    size_t i = 0;
    while (i < n && bytes[i] == 0) {
        i++;
    }
    return i == n;
}

void tally_simt_compare_swap(simt_array *array, uint64_t index, const void *expected,
                             const void *desired, void *old, const char *file, int line)
{
    simt_machine *m = tally_simt_running;
    const simt_place at = {file, line};
    tally_simt_step(m, at);
    unsigned char *word = element(m, array, index, at, "swaps");
    if (!word) {
        memcpy(old, expected, array->size);
        return;
    }
    note_use(m, array, index, true, false, at);
    memcpy(old, word, array->size);
    if (memcmp(word, expected, array->size) == 0) {
        memcpy(word, desired, array->size);
        if (array->lock) {
            m->current->lock = is_zero(word, array->size) ? nullptr : word;
        }
    }
}

void tally_simt_covered(simt_machine *m, const char *kernel, uint32_t stage,
                        const simt_array *array, const tally_plan *plan)
{
    simt_launch launch = {};
    uint64_t n = 0, first = 0;
    for (uint64_t i = array->n; i-- > 0;) {
        if (!(array->seen[i] & SIMT_READ)) {
            n++;
            first = i;
        }
    }
    if (n == 0 || m->ended) {
        return;
    }
    const plan_place place = tally_plan_place(plan, first);
    launch.kernel = kernel;
    launch.stage = stage;
    m->launch = &launch;
    m->block = place.block;
    tally_simt_report(
        m, MODEL_COVERAGE, place.lane, {array->file ? array->file : "", array->line}, 0, 0,
        "element %llu of %s, lane %u's, was read by no lane; %llu of %llu were not",
        static_cast<unsigned long long>(first), array->name, place.lane,
        static_cast<unsigned long long>(n), static_cast<unsigned long long>(array->n));
}
