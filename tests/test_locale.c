/*
 * test_locale.c - case 53: a host program has set a locale with a decimal comma; numbers are read,
 * summed and printed in two threads all the same.
 */
#define _GNU_SOURCE
#include "expect.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/number.h"

/* Sets a German locale: an installed one, or one made here. */
static bool set_german(void)
{
    static char folder[] = "/tmp/tally-locale-XXXXXX";
    char command[256];
    if (setlocale(LC_ALL, "de_DE.UTF-8")) {
        return true;
    }
    if (!mkdtemp(folder)) {
        return false;
    }
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    bool made = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0;
    made = made && setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && made;
}

static void *read_and_sum(void *failed)
{
    for (int i = 0; i < 10000; i++) {
        number a, b;
        char text[NUMBER_TEXT_BYTES];
        number_parse("1.5", 3, &a);
        number_parse("2.25", 4, &b);
        const double x[] = {a.as.f64, b.as.f64};
        tally_value value = {.type = TALLY_TYPE_F64};
        value.as.f64 = tally_sum_f64(x, 2);
        number_print(&value, text);
        if (strcmp(text, "3.75") != 0 || number_parse("1,5", 3, &a) != NUMBER_BAD) {
            *(int *)failed = 1;
        }
    }
    return NULL;
}

static void case_53_a_hosts_locale_does_not_matter(void **state)
{
    (void)state;
    if (!set_german()) {
        skip();
    }
    char comma[16];
    snprintf(comma, sizeof comma, "%.1f", 1.5);
    assert_string_equal(comma, "1,5"); /* the locale is really there */
    pthread_t thread[2];
    int failed[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, read_and_sum, &failed[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_int_equal(failed[i], 0);
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_53_a_hosts_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
