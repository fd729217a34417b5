/* Lava that cannot flow, in a pit with a flat floor: it cools step by step as the closed form says
 * and solidifies at the step predicted.
 *
 * With C = eps sigma Pclock Pcool / (rho c_v Pac), one step takes T to T (1 + 3 C T^3 / h)^(-1/3),
 * so that 1/T^3 grows by 3 C / h in every step and after n of them T_n = T_0 (1 + 3 n C T_0^3 /
 * h)^(-1/3). */
/* tests: common/model */
/* run: plain */
#include "random_case.h"

#include "sim/variant.h"
#include "reference/reference.h"
#include "unit.h"

enum { SIDE = 5, CELLS = SIDE * SIDE, PIT = CELLS / 2 };

/* Each step rounds T three times: the two functions and divisions, some 3 units of 2^-53, and to a
 * whole count of eta / h, at most 2^-41 K m / h. Errors in 1/T^3 add up; measured they are far
 * below. */
static double tolerance(int64_t steps, double h, double T)
{
    return (double)steps * (4 * 0x1p-53 + 0x1p-41 / (h * T));
}

struct pit {
    double elevation_m[CELLS], thickness_m[CELLS], temp_K[CELLS];
    struct problem problem;
};

static void pit_create(struct pit *p, double thickness_m, double temp_K, double cooling)
{
    *p = (struct pit){.problem = {.rows = SIDE,
                                  .cols = SIDE,
                                  .window = {0, 0, SIDE, SIDE},
                                  .params = etna_params(),
                                  .elevation_m = p->elevation_m,
                                  .thickness_m = p->thickness_m,
                                  .temp_K = p->temp_K,
                                  .reduce_every = 1}};
    for (int i = 0; i < CELLS; i++) p->elevation_m[i] = i == PIT ? 900 : 1000;
    p->thickness_m[PIT] = lattice_round(thickness_m);
    p->temp_K[PIT] = temp_K;
    p->problem.params.cooling = cooling;
}

/* 3 C T_0^3 / h, the growth of (T_0/T)^3 in a step. */
static long double growth(const struct pit *p)
{
    const struct params *q = &p->problem.params;
    long double C = (long double)q->emissivity * q->stefan_W_m2K4 * q->clock_s * q->cooling /
                    ((long double)q->density_kg_m3 * q->heat_J_kgK * q->cell_m * q->cell_m);
    long double T = p->temp_K[PIT];
    return 3 * C * T * T * T / p->thickness_m[PIT];
}

/* Steps to the setting: the least n with T_n <= PTsol. The quotient must not be near a whole
 * number. */
static int64_t setting_step(const struct pit *p)
{
    long double ratio = (long double)p->temp_K[PIT] / p->problem.params.temp_sol_K;
    long double n = (ratio * ratio * ratio - 1) / growth(p);
    assert_true(fabsl(n - rintl(n)) > 1e-6L);
    return (int64_t)ceill(n);
}

/* Steps until it solidifies, compared at every one. Returns the worst relative error as a share of
 * tolerance. */
static double follow(struct pit *p, double *worst_error)
{
    int64_t solid_at = setting_step(p);
    double h = p->thickness_m[PIT], worst = 0;
    struct fields f;
    struct error e;
    void *self;
    assert_int_equal(variant_reference.create(&self, &p->problem, NULL, &e), 0);
    assert_int_equal(fields_create(&f, p->problem.window, &e), 0);
    for (int64_t n = 1; n <= solid_at; n++) {
        assert_int_equal(variant_reference.advance(self, 1, NULL, &e), 0);
        assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
        if (n == solid_at) break;
        long double T = p->temp_K[PIT] / cbrtl(1 + (long double)n * growth(p));
        double error = (double)(fabsl(f.temp_K[PIT] - T) / T);
        worst = fmax(worst, error / tolerance(n, h, f.temp_K[PIT]));
        *worst_error = fmax(*worst_error, error);
        assert_true(f.thickness_m[PIT] == h && f.solid_m[PIT] == 0.0);
    }
    assert_true(f.thickness_m[PIT] == 0.0 && f.solid_m[PIT] == h);
    assert_true(f.elevation_m[PIT] == p->elevation_m[PIT] + h);
    assert_true(f.temp_K[PIT] == p->problem.params.temp_sol_K);
    for (int i = 0; i < CELLS; i++) assert_true(i == PIT || f.max_temp_K[i] == 0.0);
    fields_free(&f);
    variant_reference.destroy(self);
    return worst;
}

static void cools_and_solidifies_as_the_closed_form(void **state)
{
    static const double thickness[] = {0.001, 0.05, 0.7, 3.0, 9.0};
    static const double temp[] = {1360, 1250, 1143.5};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++) {
            struct pit p;
            double error = 0, share;
            pit_create(&p, thickness[i], temp[j], 2.8);
            share = follow(&p, &error);
            print_message(
                "h = %5g m, T = %6g K: solidifies in step %5d, T within %.1e (%.2f of tolerance)\n",
                thickness[i], temp[j], (int)setting_step(&p), error, share);
            assert_true(share <= 1.0);
        }
}

static void does_not_cool_without_cooling(void **state)
{
    struct pit p;
    struct fields f;
    struct error e;
    void *self;
    pit_create(&p, 3.0, 1360, 0.0);
    assert_int_equal(variant_reference.create(&self, &p.problem, NULL, &e), 0);
    assert_int_equal(fields_create(&f, p.problem.window, &e), 0);
    assert_int_equal(variant_reference.advance(self, 10000, NULL, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
    assert_true(f.step == 10000 && f.temp_K[PIT] == 1360.0 && f.thickness_m[PIT] == 3.0);
    fields_free(&f);
    variant_reference.destroy(self);
}

int main(void)
{
    return UNIT_RUN(cools_and_solidifies_as_the_closed_form, does_not_cool_without_cooling);
}
