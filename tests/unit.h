/* unit.h — cmocka with the headers that have to come before it. Also checks calls that can fail, and runs tests that
 * are listed by name. */
#pragma once

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Fails with the message of a call that returned other than 0. */
static inline void must(int status, const struct error *e)
{
    if (status) print_error("%s\n", e->text);
    assert_int_equal(status, 0);
}

/* UNIT_RUN(one, another) runs these tests and returns the number of those that failed.
 * UNIT_RUN_IN() also calls functions before and after each test, and before and after all; any of
 * these can be NULL. */
#define UNIT_RUN(...) UNIT_RUN_IN(NULL, NULL, NULL, NULL, __VA_ARGS__)
#define UNIT_RUN_IN(set_up, tear_down, set_up_all, tear_down_all, ...)                             \
    unit_run(&(const struct CMUnitTest){.setup_func = set_up, .teardown_func = tear_down},         \
             set_up_all, tear_down_all, #__VA_ARGS__, (const CMUnitTestFunction[]){__VA_ARGS__},   \
             sizeof((const CMUnitTestFunction[]){__VA_ARGS__}) / sizeof(CMUnitTestFunction))

/* `names` of the functions, with commas between them. */
static inline int unit_run(const struct CMUnitTest *each, CMFixtureFunction set_up_all,
                           CMFixtureFunction tear_down_all, const char *names,
                           const CMUnitTestFunction *test, size_t count)
{
    static char text[4096];
    static struct CMUnitTest tests[100];
    if (strlen(names) >= sizeof text || count > sizeof tests / sizeof *tests) abort();
    memcpy(text, names, strlen(names));
    for (size_t i = 0; i < count; i++) {
        tests[i] = *each;
        tests[i].name = strtok(i ? NULL : text, ", ");
        tests[i].test_func = test[i];
    }
    return _cmocka_run_group_tests("tests", tests, count, set_up_all, tear_down_all);
}
