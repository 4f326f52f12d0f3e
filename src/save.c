/*
 * save.c - states as bytes: magic, version, word count, canonical words, CRC-32, padding;
 * little-endian whatever the machine is.
 */
#include "exact.h"

#include <string.h>

enum {
    VERSION = 1,
    AT_VERSION = 8,
    AT_WORDS = 16,
    AT_CRC = AT_WORDS + 8 * TALLY_STATE_WORDS,
    AT_PAD = AT_CRC + 4
};

static const unsigned char magic[8] = {'T', 'A', 'L', 'L', 'Y', 'S', 'U', 'M'};

static void put(unsigned char *p, uint64_t v, int nbytes)
{
    for (int i = 0; i < nbytes; i++) {
        p[i] = (unsigned char)(v >> 8 * i);
    }
}

static uint64_t get(const unsigned char *p, int nbytes)
{
    uint64_t v = 0;
    for (int i = 0; i < nbytes; i++) {
        v |= (uint64_t)p[i] << 8 * i;
    }
    return v;
}

/* The CRC-32 of zip, PNG and Ethernet: other programs can check a saved state. */
static uint32_t crc32(const unsigned char *p, size_t nbytes)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < nbytes; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
        }
    }
    return ~crc;
}

tally_status tally_state_save(const tally_state *state, void *buffer, size_t nbytes)
{
    unsigned char *p = buffer;
    if (!state || !buffer) {
        return TALLY_ERR_ARGUMENT;
    }
    if (nbytes < TALLY_STATE_BYTES) {
        return TALLY_ERR_SPACE;
    }
    tally_state s = *state;
    tally_state_canonicalise(&s);
    if (s.word[TALLY_STATE_FLOAT] && s.word[TALLY_STATE_INTEGER]) {
        return TALLY_ERR_MIXED;
    }
    memcpy(p, magic, sizeof magic);
    put(p + AT_VERSION, VERSION, 4);
    put(p + AT_VERSION + 4, TALLY_STATE_WORDS, 4);
    for (int i = 0; i < TALLY_STATE_WORDS; i++) {
        put(p + AT_WORDS + 8 * i, (uint64_t)s.word[i], 8);
    }
    put(p + AT_CRC, crc32(p, AT_CRC), 4);
    put(p + AT_PAD, 0, 4);
    return TALLY_OK;
}

/* The number of bits of v. */
static int bit_length(uint64_t v)
{
    int n = 0;
    for (; v; v >>= 1) {
        n++;
    }
    return n;
}

/* Whether count elements of the state's kind can have a sum this large. */
static bool is_plausible(const tally_state *s)
{
    int length = 0;
    for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
        uint64_t digit = exact_magnitude(s->word[TALLY_STATE_LIMB + j]);
        if (digit) {
            length = 32 * j + bit_length(digit);
        }
    }
    int element = s->word[TALLY_STATE_INTEGER] ? 64 : 1074 + 1024;
    return length <= element + bit_length((uint64_t)s->word[TALLY_STATE_COUNT]);
}

/* Whether the words are what canonical form says, beyond what canonicalising would change. */
static bool is_consistent(const tally_state *s)
{
    const int64_t *w = s->word;
    bool special = w[TALLY_STATE_NAN] || w[TALLY_STATE_POS_INF] || w[TALLY_STATE_NEG_INF];
    bool limbs = false;
    for (int j = 0; j < TALLY_STATE_LIMBS; j++) {
        limbs |= w[TALLY_STATE_LIMB + j] != 0;
    }
    if (w[TALLY_STATE_COUNT] < 0 || (w[TALLY_STATE_FLOAT] && w[TALLY_STATE_INTEGER])) {
        return false;
    }
    bool any_kind = w[TALLY_STATE_FLOAT] || w[TALLY_STATE_INTEGER];
    if ((w[TALLY_STATE_COUNT] > 0) != any_kind) {
        return false;
    }
    if (!any_kind && (special || limbs || w[TALLY_STATE_NONTRIVIAL])) {
        return false;
    }
    if (w[TALLY_STATE_INTEGER] && (special || !w[TALLY_STATE_NONTRIVIAL])) {
        return false;
    }
    return (!(special || limbs) || w[TALLY_STATE_NONTRIVIAL]) && is_plausible(s);
}

tally_status tally_state_load(tally_state *state, const void *buffer, size_t nbytes)
{
    const unsigned char *p = buffer;
    tally_state s, canonical;
    if (!state || !buffer) {
        return TALLY_ERR_ARGUMENT;
    }
    if (nbytes != TALLY_STATE_BYTES || memcmp(p, magic, sizeof magic) != 0 ||
        get(p + AT_VERSION, 4) != VERSION || get(p + AT_VERSION + 4, 4) != TALLY_STATE_WORDS ||
        get(p + AT_CRC, 4) != crc32(p, AT_CRC) || get(p + AT_PAD, 4) != 0) {
        return TALLY_ERR_DAMAGED;
    }
    for (int i = 0; i < TALLY_STATE_WORDS; i++) {
        s.word[i] = (int64_t)get(p + AT_WORDS + 8 * i, 8);
    }
    canonical = s;
    tally_state_canonicalise(&canonical);
    if (memcmp(&s, &canonical, sizeof s) != 0 || !is_consistent(&s)) {
        return TALLY_ERR_DAMAGED;
    }
    *state = s;
    return TALLY_OK;
}
