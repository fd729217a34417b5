/* The table of the parameters: it is of all of struct params, and its usual values are within its
 * ranges. (test_keys.sh compares docs/formats with it.) */
/* tests: input/case */
#include "model/params.h"
#include "text/scan.h"
#include "unit.h"

/* Each number of struct params but cell_m once, in the order of the struct. */
static void test_covers_the_struct(void **state)
{
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
    for (int i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &params_table[i];
        double value;
        assert_true(p->low < p->high);
        assert_true(scan_real(p->usual, &value));
        assert_true(value >= p->low && value <= p->high);
    }
}

int main(void)
{
    return UNIT_RUN(test_covers_the_struct, test_usual_values);
}
