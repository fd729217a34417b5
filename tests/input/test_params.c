/* The table of the parameters: it is of all of struct params, its usual values are within its
 * ranges, and docs/formats.md says the same. */
#include "model/params.h"
#include "text/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Each number of struct params but cell_m once, in the order of the struct. */
static void test_covers_the_struct(void **state)
{
    (void)state;
    for (int i = 0; i < PARAMETERS; i++)
        assert_int_equal(params_table[i].at, (size_t)i * sizeof(double));
    assert_int_equal(offsetof(struct params, cell_m), PARAMETERS * sizeof(double));
    assert_int_equal(sizeof(struct params), (PARAMETERS + 1) * sizeof(double));
    const struct params p = {.clock_s = 7, .critical_vent_m = 0.25, .heat_J_kgK = 1000};
    assert_true(params_value(&p, &params_table[0]) == 7);
    assert_true(params_value(&p, &params_table[6]) == 0.25);
    assert_true(params_value(&p, &params_table[11]) == 1000);
}

static void test_usual_values(void **state)
{
    (void)state;
    for (int i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &params_table[i];
        double value;
        assert_true(p->low < p->high);
        assert_true(scan_real(p->usual, &value));
        assert_true(value >= p->low && value <= p->high);
    }
}

/* | `NAME` | MEANING | UNIT | RANGE | USUAL |, with typographic signs in unit and range, and names
 * in the meaning between `` */
static void test_document(void **state)
{
    (void)state;
    char line[512];
    int found[PARAMETERS] = {0};
    FILE *f = fopen("docs/formats.md", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char plain[512], *out = plain, begin[200], end[64];
        for (const char *c = line; *c; c++)
            if (!strncmp(c, "\xe2\x80\x93", 3)) *out++ = '-', c += 2;
            else if (*c != '`') *out++ = *c;
        *out = 0;
        for (int i = 0; i < PARAMETERS; i++) {
            const struct parameter *p = &params_table[i];
            snprintf(begin, sizeof begin, "| %s | %s | ", p->name, p->meaning);
            snprintf(end, sizeof end, " | %s |\n", p->usual);
            const size_t length = strlen(plain);
            if (strncmp(plain, begin, strlen(begin)) || length < strlen(end)) continue;
            found[i] += !strcmp(plain + length - strlen(end), end);
        }
    }
    fclose(f);
    for (int i = 0; i < PARAMETERS; i++)
        if (found[i] != 1)
            fail_msg("docs/formats.md has %d rows like the table's of %s", found[i],
                     params_table[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covers_the_struct),
        cmocka_unit_test(test_usual_values),
        cmocka_unit_test(test_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
