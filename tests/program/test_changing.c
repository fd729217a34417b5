/* A terrain that changes during a run, in every variant (their kernels on the emulator): a survey
 * that is the terrain changes nothing, one at the beginning is the terrain, lava that has
 * solidified is in it or not, the ledgers close, and all variants have the same bits. */
/* tests: library */
/* run: plain, sanitized */
/* build: emulator */
#include "case/changes.h"
#include "effort.h"
#include "every_variant.h"
#include "random_case.h"
#include "sim/ground.h"

static double set_cells(const struct fields *f)
{
    double cells = 0;
    for (size_t i = 0; i < (size_t)f->window.rows * (size_t)f->window.cols; i++)
        cells += f->solid_m[i] > 0;
    return cells;
}

/* Of the cells with data, in quanta. */
static quanta sum_of(const double *z, size_t n)
{
    quanta sum = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(z[i])) sum += (quanta)(z[i] * LATTICE_PER_M);
    return sum;
}

static struct fields run(const struct variant *v, struct problem p, const struct fields *from,
                         int64_t step)
{
    struct ledger ledger;
    return run_until(v, p, from, step, &ledger);
}

enum { ROWS = 26, COLS = 23, CELLS = ROWS * COLS, AT = 60, END = 130 };

/* The ground, but for what has solidified, rises and sinks by what the sums say. */
static void terrain_closes(const struct fields *f, const struct random_case *c)
{
    assert_true(sum_of(f->elevation_m, CELLS) - sum_of(f->solid_m, CELLS) ==
                sum_of(c->elevation_m, CELLS) + f->ground.raised - f->ground.lowered);
}

/* A survey that has a dam across the terrain and a few cells without data; where there is `solid`,
 * it stands on that. */
static void survey_of(double survey[CELLS], const struct random_case *c, const double *solid)
{
    for (int i = 0; i < CELLS; i++) {
        survey[i] = c->elevation_m[i] + (solid ? solid[i] : 0.0);
        if (i / COLS == 12) survey[i] += 7.5;
        if (i / COLS == 20) survey[i] -= 2.25;
        if (i % 11 == 3) survey[i] = NAN;
    }
}

/* Changed after step AT in one variant, it goes on in this one. */
static struct fields changed(const struct variant *v, const struct random_case *c,
                             const double *survey, bool with_lava)
{
    struct error e = {0};
    static double ground[CELLS];
    struct problem p = c->problem;
    struct fields f = run(v, p, NULL, AT);
    assert_true(set_cells(&f) > 4);
    must(ground_survey(&f, &p, survey, with_lava, ground, &e), &e);
    p.elevation_m = ground;
    struct fields end = run(v, p, &f, END);
    terrain_closes(&end, c);
    fields_free(&f);
    return end;
}

static void same_in_all(void **state)
{
    const struct variant *v = all[(int)(size_t)*state];
    struct random_case c;
    double survey[CELLS];
    random_case_create(&c, ROWS, COLS, 0.02, 71);
    emulator_seed = 3;
    struct fields plain = run(&variant_reference, c.problem, NULL, END);
    struct fields half = run(&variant_reference, c.problem, NULL, AT);
    const size_t one = (size_t)*state % 2; /* with it or without */
    (void)one;
    for (size_t with_lava = SANITIZED(one, 0); with_lava <= SANITIZED(one, 1); with_lava++) {
        /* the terrain itself */
        for (int i = 0; i < CELLS; i++)
            survey[i] = c.elevation_m[i] + (with_lava ? half.solid_m[i] : 0.0);
        struct fields f = changed(v, &c, survey, with_lava);
        assert_true(f.ground.raised == 0 && f.ground.lowered == 0);
        same(&f, &plain);
        fields_free(&f);
        /* another one */
        survey_of(survey, &c, with_lava ? half.solid_m : NULL);
        struct fields a = changed(&variant_reference, &c, survey, with_lava);
        struct fields b = changed(v, &c, survey, with_lava);
        assert_true(a.ground.raised > 0 && a.ground.lowered > 0);
        assert_true(fields_differ(&a, &plain, NULL) > 0);
        same(&a, &b);
        fields_free(&a);
        fields_free(&b);
    }
    fields_free(&plain);
    fields_free(&half);
    random_case_free(&c);
}

/* With and without what has solidified differ by just that. */
static void lava_in_it(void **state)
{
    struct random_case c;
    struct error e = {0};
    double survey[CELLS], ground[CELLS];
    random_case_create(&c, ROWS, COLS, 0.0, 72);
    struct fields f = run(&variant_reference, c.problem, NULL, AT),
                  g = run(&variant_reference, c.problem, NULL, AT);
    survey_of(survey, &c, NULL);
    must(ground_survey(&f, &c.problem, survey, true, ground, &e), &e);
    must(ground_survey(&g, &c.problem, survey, false, ground, &e), &e);
    for (int i = 0; i < CELLS; i++) {
        if (isnan(survey[i])) assert_true(f.elevation_m[i] == g.elevation_m[i]);
        else {
            assert_true(f.elevation_m[i] == survey[i]);
            assert_true(g.elevation_m[i] == survey[i] + f.solid_m[i]);
            assert_true(ground[i] == survey[i]);
        }
        assert_true(f.thickness_m[i] == g.thickness_m[i] && f.arrival[i] == g.arrival[i]);
    }
    survey[30] = -3999;
    survey[31] = 10001;
    assert_int_equal(ground_survey(&f, &c.problem, survey, true, ground, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "row 1, column 8"));
    fields_free(&f);
    fields_free(&g);
    random_case_free(&c);
}

/* A window knows what is beyond it. */
static void in_a_window(void **state)
{
    struct random_case c;
    struct error e = {0};
    double survey[CELLS], whole[CELLS], part[CELLS];
    random_case_create(&c, ROWS, COLS, 0.02, 73);
    struct problem p = c.problem;
    struct fields f = run(&variant_reference, p, NULL, 3);
    p.window = (struct window){5, 4, 12, 15};
    struct fields g = run(&variant_reference, p, NULL, 3);
    survey_of(survey, &c, NULL);
    must(ground_survey(&f, &c.problem, survey, false, whole, &e), &e);
    must(ground_survey(&g, &p, survey, false, part, &e), &e);
    for (int i = 0; i < CELLS; i++)
        assert_true(whole[i] == part[i] || (isnan(whole[i]) && isnan(part[i])));
    assert_true(g.ground.raised == f.ground.raised && g.ground.raised > 0);
    assert_true(g.ground.lowered == f.ground.lowered && g.ground.lowered > 0);
    const struct ground_rule rule[] = {{1, 3.0, -(double)INFINITY, 0.0}, /* outside and inside */
                                       {2, 0.0, -(double)INFINITY, 1.5},
                                       {9 * COLS + 9, 2.0, -(double)INFINITY, 0.0},
                                       {9 * COLS + 10, 0.0, -(double)INFINITY, 2.5}};
    must(ground_reshape(&f, &c.problem, rule, 4, whole, &e), &e);
    must(ground_reshape(&g, &p, rule, 4, part, &e), &e);
    assert_true(g.ground.raised == f.ground.raised && g.ground.lowered == f.ground.lowered);
    assert_true(part[1] == c.elevation_m[1] + 3.0 && part[2] == c.elevation_m[2] - 1.5);
    fields_free(&f);
    fields_free(&g);
    random_case_free(&c);
}

int main(void)
{
    struct CMUnitTest tests[ALL + 2] = {cmocka_unit_test(lava_in_it),
                                        cmocka_unit_test(in_a_window)};
    for (size_t i = 0; i < ALL; i++)
        tests[2 + i] = (struct CMUnitTest){all[i]->name, same_in_all, NULL, NULL, (void *)i};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
