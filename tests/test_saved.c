/* test_saved.c - saved states: the bytes as documented, read back, and nothing else accepted. */
#include "expect.h"

#include <float.h>
#include <math.h>

#include "generate.h"
#include "oracle.h"

enum { ROOM = 600, WORDS_AT = 16, CRC_AT = WORDS_AT + 8 * TALLY_STATE_WORDS };

static uint32_t get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put_u32(unsigned char *p, uint32_t v)
{
    for (int i = 0; i < 4; i++) {
        p[i] = (unsigned char)(v >> 8 * i);
    }
}

static int64_t get_word(const unsigned char *bytes, int i)
{
    const unsigned char *p = bytes + WORDS_AT + 8 * i;
    return (int64_t)((uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32);
}

static void put_word(unsigned char *bytes, int i, int64_t v)
{
    put_u32(bytes + WORDS_AT + 8 * i, (uint32_t)((uint64_t)v & 0xffffffff));
    put_u32(bytes + WORDS_AT + 8 * i + 4, (uint32_t)((uint64_t)v >> 32));
}

/* CRC-32 as zip and PNG have it, one bit after the other. */
static uint32_t crc_32(const unsigned char *p, size_t nbytes)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < nbytes; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        }
    }
    return ~crc;
}

static tally_state state_of(const double *x, size_t n)
{
    tally_state s;

    tally_state_init(&s);
    tally_state_add_f64(&s, x, n);
    return s;
}

static tally_state ordinary_state(void)
{
    return state_of((const double[]){1.5, -0x1p-1074, 0x1p900}, 3);
}

static void save(const tally_state *s, unsigned char *bytes)
{
    assert_int_equal(tally_state_save(s, bytes, TALLY_STATE_BYTES), TALLY_OK);
}

/* Loading must refuse and leave the state alone. */
static void expect_damaged(const unsigned char *bytes, size_t nbytes)
{
    tally_state s, before;

    memset(&s, 0x33, sizeof s);
    memcpy(&before, &s, sizeof s);
    assert_int_equal(tally_state_load(&s, bytes, nbytes), TALLY_ERR_DAMAGED);
    assert_memory_equal(&s, &before, sizeof s);
}

static void saved_bytes_are_as_documented(void **state)
{
    tally_state s = ordinary_state();
    unsigned char bytes[TALLY_STATE_BYTES];

    (void)state;
    assert_int_equal(crc_32((const unsigned char *)"123456789", 9), 0xcbf43926);
    save(&s, bytes);
    assert_memory_equal(bytes, "TALLYSUM", 8);
    assert_int_equal(get_u32(bytes + 8), 1);
    assert_int_equal(get_u32(bytes + 12), TALLY_STATE_WORDS);
    tally_state_canonicalise(&s);
    for (int i = 0; i < TALLY_STATE_WORDS; i++) {
        assert_int_equal(get_word(bytes, i), s.word[i]);
    }
    assert_int_equal(get_u32(bytes + CRC_AT), crc_32(bytes, CRC_AT));
    assert_int_equal(get_u32(bytes + CRC_AT + 4), 0);
    assert_int_equal(CRC_AT + 8, TALLY_STATE_BYTES);
}

static void saved_states_read_back(void **state)
{
    static double x[ROOM];
    random_state r = {34};

    (void)state;
    for (size_t i = 0; i < 40 * n_generators; i++) {
        size_t n = generators[i % n_generators].fill(&r, &format_f64, x, ROOM);
        tally_state s = state_of(x, n), before = s, back;
        unsigned char bytes[TALLY_STATE_BYTES], again[TALLY_STATE_BYTES];

        save(&s, bytes);
        assert_memory_equal(&s, &before, sizeof s); /* saving changes nothing */
        assert_int_equal(tally_state_load(&back, bytes, sizeof bytes), TALLY_OK);
        assert_true(tally_state_equal(&s, &back));
        assert_int_equal(tally_state_count(&back), n);
        assert_int_equal(bits_f64(tally_state_round_f64(&back)),
                         oracle_bigint_sum(x, n, &format_f64));
        save(&back, again);
        assert_memory_equal(again, bytes, sizeof bytes);
        /* a state in the middle of its life goes on as if nothing had happened */
        tally_state_add_f64(&s, x, n);
        tally_state_add_f64(&back, x, n);
        assert_true(tally_state_equal(&s, &back));
    }
}

static void integer_and_empty_states_read_back(void **state)
{
    const int64_t x[] = {INT64_MIN, INT64_MIN, -1};
    tally_array array = tally_array_dense(TALLY_TYPE_I64, x, 3);
    tally_state s, back;
    unsigned char bytes[TALLY_STATE_BYTES + 1];

    (void)state;
    tally_state_init(&s);
    save(&s, bytes + 1); /* any alignment */
    assert_int_equal(tally_state_load(&back, bytes + 1, TALLY_STATE_BYTES), TALLY_OK);
    assert_memory_equal(&s, &back, sizeof s);
    assert_int_equal(tally_state_add(&s, &array, TALLY_NAN_PROPAGATE), TALLY_OK);
    save(&s, bytes);
    assert_int_equal(tally_state_load(&back, bytes, TALLY_STATE_BYTES), TALLY_OK);
    assert_true(tally_state_equal(&s, &back));
}

static void every_flipped_bit_is_noticed(void **state)
{
    tally_state s = ordinary_state();
    unsigned char bytes[TALLY_STATE_BYTES];

    (void)state;
    save(&s, bytes);
    for (int i = 0; i < 8 * TALLY_STATE_BYTES; i++) {
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
        expect_damaged(bytes, sizeof bytes);
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    assert_int_equal(tally_state_load(&s, bytes, sizeof bytes), TALLY_OK);
}

static void every_other_length_is_refused(void **state)
{
    tally_state s = ordinary_state();
    unsigned char bytes[TALLY_STATE_BYTES + 64] = {0};

    (void)state;
    save(&s, bytes);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        if (n != TALLY_STATE_BYTES) {
            expect_damaged(bytes, n);
        }
    }
}

static void small_buffers_are_refused_and_not_written(void **state)
{
    tally_state s = ordinary_state();
    unsigned char bytes[TALLY_STATE_BYTES], same[TALLY_STATE_BYTES];

    (void)state;
    memset(bytes, 0x77, sizeof bytes);
    memset(same, 0x77, sizeof same);
    for (size_t n = 0; n < TALLY_STATE_BYTES; n += n < 700 ? 1 : 7) {
        assert_int_equal(tally_state_save(&s, bytes, n), TALLY_ERR_SPACE);
        assert_memory_equal(bytes, same, sizeof bytes);
    }
    assert_int_equal(tally_state_save(NULL, bytes, sizeof bytes), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_state_save(&s, NULL, sizeof bytes), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_state_load(NULL, bytes, sizeof bytes), TALLY_ERR_ARGUMENT);
    assert_int_equal(tally_state_load(&s, NULL, sizeof bytes), TALLY_ERR_ARGUMENT);
}

/* One or two words overwritten, everything else kept, and the checksum made right again. */
typedef struct forgery {
    int word;
    int64_t value;
    int second;
    int64_t second_value;
} forgery;

static void forge(const tally_state *from, const forgery *f)
{
    unsigned char bytes[TALLY_STATE_BYTES];

    save(from, bytes);
    put_word(bytes, f->word, f->value);
    put_word(bytes, f->second, f->second_value);
    put_u32(bytes + CRC_AT, crc_32(bytes, CRC_AT));
    expect_damaged(bytes, sizeof bytes);
}

#define L TALLY_STATE_LIMB

static void forged_words_with_a_right_checksum_are_refused(void **state)
{
    static const forgery of_floats[] = {
        {L, (int64_t)1 << 32, L, (int64_t)1 << 32}, /* a limb that was not carried */
        {L, INT64_MIN, L, INT64_MIN},               /* below any magnitude */
        {L + 67, INT64_MAX, L + 67, INT64_MAX},     /* the top one neither */
        {L + 67, INT64_MIN, L + 67, INT64_MIN},
        {L + 67, (int64_t)1 << 32, L, 0},
        {L + 1, 1, L + 2, -1}, /* two signs */
        {L + 1, -1, L + 2, 1},
        {TALLY_STATE_FLOAT, 2, TALLY_STATE_NAN, 0}, /* seen-words are 0 or 1 */
        {TALLY_STATE_FLOAT, -1, TALLY_STATE_NAN, 0},
        {TALLY_STATE_NONTRIVIAL, 2, TALLY_STATE_NAN, 0},
        {TALLY_STATE_NAN, 1, TALLY_STATE_COUNT, 3},     /* limbs beside a NaN */
        {TALLY_STATE_POS_INF, 1, TALLY_STATE_COUNT, 3}, /* and beside an infinity */
        {TALLY_STATE_NEG_INF, 1, TALLY_STATE_COUNT, 3},
        {TALLY_STATE_INTEGER, 1, TALLY_STATE_COUNT, 3}, /* mixed */
    };
    /* from +inf, whose limbs are all zero */
    static const forgery of_infinity[] = {
        {TALLY_STATE_NEG_INF, 1, TALLY_STATE_COUNT, 3}, /* both: that is a NaN */
        {TALLY_STATE_NAN, 1, TALLY_STATE_COUNT, 3},     /* a NaN says nothing else */
        {TALLY_STATE_POS_INF, 2, TALLY_STATE_COUNT, 3},
        {L + 5, 1, L + 5, 1},
    };
    tally_state s = ordinary_state(), infinity = state_of((const double[]){INFINITY, 1}, 2);

    (void)state;
    for (size_t i = 0; i < COUNT(of_floats); i++) {
        forge(&s, &of_floats[i]);
    }
    for (size_t i = 0; i < COUNT(of_infinity); i++) {
        forge(&infinity, &of_infinity[i]);
    }
}

/* Words that no elements at all could have made. */
static void impossible_states_are_refused(void **state)
{
    static const forgery rows[] = {
        {TALLY_STATE_COUNT, -1, TALLY_STATE_FLOAT, 1},     /* fewer than none */
        {TALLY_STATE_COUNT, 0, TALLY_STATE_FLOAT, 1},      /* a sum of nothing that is not zero */
        {TALLY_STATE_FLOAT, 0, TALLY_STATE_COUNT, 3},      /* elements of no kind */
        {TALLY_STATE_NONTRIVIAL, 0, TALLY_STATE_COUNT, 3}, /* only -0, and yet a sum */
    };
    tally_state s = ordinary_state();

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        forge(&s, &rows[i]);
    }
}

static void other_versions_and_shapes_are_refused(void **state)
{
    static const struct {
        size_t at;
        uint32_t value;
    } rows[] = {{8, 0}, {8, 2}, {12, TALLY_STATE_WORDS - 1}, {12, TALLY_STATE_WORDS + 1}, {0, 0}};
    tally_state s = ordinary_state();
    unsigned char bytes[TALLY_STATE_BYTES];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        save(&s, bytes);
        put_u32(bytes + rows[i].at, rows[i].value);
        put_u32(bytes + CRC_AT, crc_32(bytes, CRC_AT));
        expect_damaged(bytes, sizeof bytes);
    }
    save(&s, bytes);
    put_u32(bytes + CRC_AT + 4, 1); /* what must be zero */
    expect_damaged(bytes, sizeof bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_bytes_are_as_documented),
        cmocka_unit_test(saved_states_read_back),
        cmocka_unit_test(integer_and_empty_states_read_back),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(every_other_length_is_refused),
        cmocka_unit_test(small_buffers_are_refused_and_not_written),
        cmocka_unit_test(forged_words_with_a_right_checksum_are_refused),
        cmocka_unit_test(impossible_states_are_refused),
        cmocka_unit_test(other_versions_and_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
