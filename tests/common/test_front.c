/* Lava that goes one cell in every step, for as long as the domain lasts: the most that a list of
 * tiles has to be prepared for. A steep plane dips towards one of the eight neighbours, all lava
 * flows there at once and none solidifies. From starts that differ by one cell, so that the front
 * stands at every distance from the edge of a tile when an epoch begins. */
/* tests: reference */
/* run: plain, sanitized */
/* build: emulator */
#include "against_reference.h"
#include "effort.h"
#include "random_case.h"

#define DECLARE(name) extern const struct variant variant_##name;
SCIARA_VARIANTS(DECLARE) /* the Makefile's list: each(global) each(tiled) ... */

enum { SIDE = 64, STEPS = 40 };

static const int directions[8][2] = {{-1, 0}, {-1, 1}, {0, 1},  {1, 1},
                                     {1, 0},  {1, -1}, {0, -1}, {-1, -1}}; /* N NE E ... */

/* Where the front is after `steps`, in rows or columns: `along` is -1, 0 or 1. */
static int front_at(int along, int start, int steps)
{
    return (along > 0 ? 8 + start : along < 0 ? SIDE - 9 - start : SIDE / 2) + along * steps;
}

/* Lava that the vent emits in every step from the first on, down a plane. */
static void steep_plane(struct random_case *c, const int dip[2], int start)
{
    random_case_create(c, SIDE, SIDE, 0.0, 1);
    for (int row = 0; row < SIDE; row++)
        for (int col = 0; col < SIDE; col++)
            c->elevation_m[row * SIDE + col] = 6000.0 - 30.0 * (dip[0] * row + dip[1] * col);
    c->problem.thickness_m = c->problem.temp_K = NULL;
    c->problem.vent_count = 1;
    c->problem.last_vent_step = 2 * STEPS;
    c->problem.reduce_every = 10 * STEPS;
    c->problem.params.rate_sol = c->problem.params.rate_vent = 1.0;
    c->problem.params.critical_sol_m = c->problem.params.critical_vent_m = 1e-6;
    c->problem.params.cooling = 0.0;
    c->vents[0].row = front_at(dip[0], start, 0);
    c->vents[0].col = front_at(dip[1], start, 0);
    c->vents[0].interval_count = 1;
    c->first_step[0][0] = 1;
    c->amount_m[0][0] = 1.0;
}

/* In the reference: after n steps the cells up to the front have lava, n of them beside the vent's,
 * and no other has. */
static void front_moves_every_step(void **state)
{
    for (int d = 0; d < 8; d++) {
        struct random_case c;
        struct error e = {0};
        struct fields f = {0};
        void *self;
        steep_plane(&c, directions[d], d);
        must(variant_reference.create(&self, &c.problem, NULL, &e), &e);
        must(fields_create(&f, c.problem.window, &e), &e);
        for (int n = 1; n <= STEPS; n++) {
            size_t wet;
            int row = front_at(directions[d][0], d, n), col = front_at(directions[d][1], d, n);
            must(variant_reference.advance(self, 1, NULL, &e), &e);
            must(variant_reference.snapshot(self, &f, &e), &e);
            fields_mobile(&f, &wet);
            assert_true(row > 0 && row < SIDE - 1 && col > 0 && col < SIDE - 1);
            assert_true(f.thickness_m[row * SIDE + col] == 1.0);
            assert_int_equal(wet, n);
        }
        variant_reference.destroy(self);
        fields_free(&f);
        random_case_free(&c);
    }
}

static void follows_the_front(void **state)
{
    const struct variant *variant = *state;
    static const int pieces[] = {16, 8, 1, 15};
    int starts = variant == &variant_resident ? 8 : 4; /* as many steps as a list holds for */
    const int stride = SANITIZED(1, sample(3, 1));     /* another start for each direction */
    for (int d = 0; d < 8; d++)
        for (int start = SANITIZED(d % starts, d % stride);
             start < SANITIZED(d % starts + 1, starts); start += stride) {
            struct random_case c;
            emulator_seed = (uint64_t)start;
            steep_plane(&c, directions[d], start);
            struct course f = follow(variant, &c.problem, pieces, 4);
            for (int i = 0, steps = 0; i < 4; i++) {
                steps += pieces[i];
                assert_int_equal(f.wet[i], steps);
            }
            random_case_free(&c);
        }
}

#define FOR_VARIANT(name)                                                                          \
    {"follows the front: " #name, follows_the_front, NULL, NULL, (void *)&variant_##name},

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(front_moves_every_step),
                                       SCIARA_VARIANTS(FOR_VARIANT)};
    cmocka_set_test_filter(getenv("TEST_FILTER")); /* a pattern of names, for tests of tests */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
