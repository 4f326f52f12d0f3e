/*
 * test_threads.c - threads with states and contexts of their own: the same bits for any number of
 * them and any order of merging. Meant for TSan, too.
 */
#include "expect.h"

#include <pthread.h>

#include "generate.h"
#include "oracle.h"

enum { N = 20000, MOST = 16 };

static double x[N];
static uint64_t sum_bits;

typedef struct worker {
    pthread_t thread;
    size_t begin, end;
    tally_state own;
    tally_state *shared;
    pthread_mutex_t *lock;
    int failures;
} worker;

/* Adds its part in pieces and merges it into the common state when it is done: the order of the
 * merges is the order in which the threads finish. */
static void *add_part(void *argument)
{
    worker *w = argument;

    tally_state_init(&w->own);
    for (size_t at = w->begin; at < w->end; at += 777) {
        tally_state_add_f64(&w->own, x + at, w->end - at < 777 ? w->end - at : 777);
    }
    pthread_mutex_lock(w->lock);
    tally_state_merge(w->shared, &w->own);
    pthread_mutex_unlock(w->lock);
    return NULL;
}

static void make_data(void)
{
    random_state r = {71};

    for (size_t i = 0; i < N; i++) {
        x[i] = i % 3 ? draw_value(&r, &format_f64) : draw_between(&r, &format_f64, -60, -40);
    }
    sum_bits = oracle_bigint_sum(x, N, &format_f64);
}

static void any_number_of_threads_gives_the_same_state(void **state)
{
    static worker w[MOST];
    tally_state right;

    (void)state;
    tally_state_init(&right);
    tally_state_add_f64(&right, x, N);
    assert_int_equal(bits_f64(tally_state_round_f64(&right)), sum_bits);
    for (size_t n = 1; n <= MOST; n++) {
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        tally_state shared = {{0}};

        for (size_t i = 0; i < n; i++) {
            w[i].begin = N * i / n;
            w[i].end = N * (i + 1) / n;
            w[i].shared = &shared;
            w[i].lock = &lock;
            assert_int_equal(pthread_create(&w[i].thread, NULL, add_part, &w[i]), 0);
        }
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(pthread_join(w[i].thread, NULL), 0);
        }
        assert_true(tally_state_equal(&shared, &right));
        assert_int_equal(bits_f64(tally_state_round_f64(&shared)), sum_bits);
        /* and backwards, from the threads' own states */
        tally_state_init(&shared);
        for (size_t i = n; i-- > 0;) {
            tally_state_merge(&shared, &w[i].own);
        }
        assert_true(tally_state_equal(&shared, &right));
    }
}

/* Opens a context, reduces, closes, over and over. cmocka's asserts are for the main thread. */
static void *reduce_much(void *argument)
{
    worker *w = argument;

    for (int i = 0; i < 30; i++) {
        tally_array array = tally_array_dense(TALLY_TYPE_F64, x, N);
        tally_request max = {.op = TALLY_OP_ARGMAX};
        tally_context *ctx;
        tally_value sum, at;

        if (tally_open(NULL, &ctx) != TALLY_OK) {
            w->failures++;
            continue;
        }
        w->failures += tally_reduce(ctx, NULL, &array, &sum) != TALLY_OK ||
                       tally_reduce(ctx, &max, &array, &at) != TALLY_OK ||
                       bits_f64(sum.as.f64) != sum_bits || at.as.u64 >= N;
        tally_close(ctx);
    }
    return NULL;
}

static void threads_reduce_with_contexts_of_their_own(void **state)
{
    static worker w[MOST];

    (void)state;
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(pthread_create(&w[i].thread, NULL, reduce_much, &w[i]), 0);
    }
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(pthread_join(w[i].thread, NULL), 0);
        assert_int_equal(w[i].failures, 0);
    }
}

static void *read_shared(void *argument)
{
    worker *w = argument;
    unsigned char bytes[TALLY_STATE_BYTES];
    tally_value value;

    for (int i = 0; i < 200; i++) {
        w->failures += bits_f64(tally_state_round_f64(w->shared)) != sum_bits ||
                       !tally_state_equal(w->shared, w->shared) ||
                       tally_state_save(w->shared, bytes, sizeof bytes) != TALLY_OK ||
                       tally_state_mean(w->shared, TALLY_TYPE_F64, &value) != TALLY_OK ||
                       tally_state_count(w->shared) != N;
    }
    return NULL;
}

static void many_threads_may_read_one_state(void **state)
{
    static worker w[4];
    static tally_state shared;

    (void)state;
    tally_state_init(&shared);
    tally_state_add_f64(&shared, x, N);
    for (int i = 0; i < 4; i++) {
        w[i].shared = &shared;
        assert_int_equal(pthread_create(&w[i].thread, NULL, read_shared, &w[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(w[i].thread, NULL), 0);
        assert_int_equal(w[i].failures, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_state),
        cmocka_unit_test(threads_reduce_with_contexts_of_their_own),
        cmocka_unit_test(many_threads_may_read_one_state),
    };
    make_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
