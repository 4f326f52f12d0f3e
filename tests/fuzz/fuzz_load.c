/*
 * fuzz_load.c - any bytes as a saved state: refused, or read back to the very same bytes.
 *
 * The input is tried as it is. Then, because a fuzzer seldom finds a checksum, its bytes are laid
 * over a well-made saved state and the checksum is made right.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

enum { CRC_AT = TALLY_STATE_BYTES - 8 };

static void must(bool right, const char *claim)
{
    if (!right) {
        fprintf(stderr, "not so: %s\n", claim);
        abort();
    }
}

/* A state that was accepted must be one in every respect. */
static void check_accepted(const tally_state *s, const uint8_t *bytes)
{
    uint8_t again[TALLY_STATE_BYTES];
    tally_state canonical = *s, twice = *s;
    tally_value value;
    double sum = tally_state_round_f64(s);

    must(tally_state_save(s, again, sizeof again) == TALLY_OK, "what was read can be saved");
    must(memcmp(again, bytes, sizeof again) == 0, "and gives the same bytes");
    tally_state_canonicalise(&canonical);
    must(memcmp(&canonical, s, sizeof canonical) == 0, "it is canonical");
    must(s->word[TALLY_STATE_COUNT] >= 0, "its count is no nonsense");
    must(isnan(sum) == (s->word[TALLY_STATE_NAN] == 1), "only a NaN is one");
    must(tally_state_count(s) > 0 || sum == 0, "the sum of nothing is 0");
    tally_status status = tally_state_mean(s, TALLY_TYPE_F64, &value);
    must(status == (tally_state_count(s) ? TALLY_OK : TALLY_ERR_EMPTY), "its mean is there");
    if (status == TALLY_OK && isfinite(sum)) {
        must(fabs(value.as.f64) <= fabs(sum), "and is no larger than the sum");
    }
    if (s->word[TALLY_STATE_COUNT] < (int64_t)1 << 61) { /* else the count has no room */
        tally_state_merge(&twice, s);
        must(tally_state_count(&twice) == 2 * tally_state_count(s), "it can be merged");
        double doubled = tally_state_round_f64(&twice);
        must(isnan(sum) ? isnan(doubled) : doubled == 2 * sum, "and is doubled then");
    }
}

static void try(const uint8_t *data, size_t nbytes)
{
    tally_state s, before;

    memset(&s, 0x55, sizeof s);
    before = s;
    tally_status status = tally_state_load(&s, data, nbytes);
    if (status == TALLY_OK) {
        must(nbytes == TALLY_STATE_BYTES, "only whole states are read");
        check_accepted(&s, data);
    } else {
        must(status == TALLY_ERR_DAMAGED, "all else is damaged");
        must(memcmp(&s, &before, sizeof s) == 0, "and leaves the state alone");
    }
}

static void make_checksum_right(uint8_t *bytes)
{
    uint32_t crc = 0xffffffff;

    for (int i = 0; i < CRC_AT; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        }
    }
    crc = ~crc;
    for (int i = 0; i < 4; i++) {
        bytes[CRC_AT + i] = (uint8_t)(crc >> 8 * i);
    }
}

/* Patches: two bytes of place, one of length (0 to 8), then the bytes. */
static void patch(uint8_t *bytes, const uint8_t *data, size_t nbytes)
{
    while (nbytes >= 3) {
        size_t at = (size_t)(data[0] | data[1] << 8) % TALLY_STATE_BYTES, n = data[2] % 9;
        data += 3;
        nbytes -= 3;
        for (; n > 0 && nbytes > 0 && at < TALLY_STATE_BYTES; n--, nbytes--) {
            bytes[at++] = *data++;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    static const double x[] = {0x1.8p100, 0x1p-1074, 3};
    tally_state s;
    uint8_t bytes[TALLY_STATE_BYTES];

    try(data, nbytes);
    for (size_t n = 0; n <= 3; n++) { /* from an empty state, a simple one, others */
        tally_state_init(&s);
        tally_state_add_f64(&s, x, n);
        must(tally_state_save(&s, bytes, sizeof bytes) == TALLY_OK, "a state can be saved");
        patch(bytes, data, nbytes);
        make_checksum_right(bytes);
        try(bytes, sizeof bytes);
    }
    return 0;
}
