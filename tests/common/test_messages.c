/* Messages between the blocks of `resident`, in one long launch: lava goes down all sides of a
 * pyramid, pulse after pulse, and solidifies on its way, so that blocks fall idle and are needed
 * again, and epochs have all lengths. The emulator shows a reader one half of a message before the
 * other, always. */
/* tests: common/base, input/text */
/* run: plain, sanitized */
/* build: emulator */
#include "against_reference.h"
#include "effort.h"
#include "random_case.h"

extern int emulator_processors, emulator_torn, emulator_rubbish;
extern const struct variant variant_resident;

enum { SIDE = 64, TOP = SIDE / 2, VENTS = 32, PULSES = 2, PERIOD = 37, LENGTH = 4 };

static int64_t first_step[2 * PULSES];
static double amount_m[2 * PULSES];
static uint64_t fraction[2 * PULSES], phase[2 * PULSES];
static struct vent vents[VENTS];

static int from_top(int row, int col)
{
    int down = abs(row - TOP), across = abs(col - TOP);
    return down > across ? down : across;
}

/* Lava in pulses from vents around the top, eight on each side; it reaches some 20 cells. */
static void pulses(struct random_case *c, int64_t done)
{
    random_case_create(c, SIDE, SIDE, 0.0, 1);
    for (int row = 0; row < SIDE; row++)
        for (int col = 0; col < SIDE; col++)
            c->elevation_m[row * SIDE + col] = 4000.0 - 30.0 * from_top(row, col);
    for (int i = 0; i < 2 * PULSES; i++) {
        first_step[i] = done + 1 + PERIOD * (i / 2) + (i % 2 ? LENGTH : 0);
        amount_m[i] = i % 2 ? 0.0 : 2.0;
        fraction[i] = i % 2 ? 0 : UINT64_C(0x9999999999999999);
        phase[i] = i % 2 ? 0 : UINT64_C(0x8000000000000000);
    }
    c->problem.thickness_m = c->problem.temp_K = NULL;
    c->problem.first_step = done;
    c->problem.vent_count = VENTS;
    c->problem.vents = vents;
    c->problem.last_vent_step = first_step[2 * PULSES - 1] - 1;
    c->problem.params.rate_sol = c->problem.params.rate_vent = 1.0;
    c->problem.params.critical_sol_m = c->problem.params.critical_vent_m = 1e-6;
    c->problem.params.cooling = 300.0;
    for (int v = 0; v < VENTS; v++) {
        int along = TOP - 4 + v / 4, away = v % 2 ? TOP + 6 : TOP - 6;
        vents[v] = (struct vent){v % 4 < 2 ? along : away,
                                 v % 4 < 2 ? away : along,
                                 v + 1,
                                 2 * PULSES,
                                 first_step,
                                 amount_m,
                                 fraction,
                                 phase};
    }
}

/* How far from the top there is lava in the reference after so many steps; 0: nowhere. */
static int reach_after(const struct problem *p, int64_t steps)
{
    struct error e = {0};
    struct fields f = {0};
    void *self;
    int reach = 0;
    must(variant_reference.create(&self, p, NULL, &e), &e);
    must(fields_create(&f, p->window, &e), &e);
    must(variant_reference.advance(self, steps, NULL, &e), &e);
    must(variant_reference.snapshot(self, &f, &e), &e);
    for (int i = 0; i < SIDE * SIDE; i++)
        if (f.thickness_m[i] > 0.0 && from_top(i / SIDE, i % SIDE) > reach)
            reach = from_top(i / SIDE, i % SIDE);
    variant_reference.destroy(self);
    fields_free(&f);
    return reach;
}

static void flows_come_and_go(void **state)
{
    struct random_case c;
    pulses(&c, 0);
    for (int i = 0; i < PULSES; i++) {
        assert_true(reach_after(&c.problem, PERIOD * i + 16) >= 20); /* in the next tile but one */
        assert_int_equal(reach_after(&c.problem, PERIOD * (i + 1)), 0);
    }
    random_case_free(&c);
}

static void seen_in_halves(void **state)
{
    static const int pieces[] = {PERIOD * PULSES - 9}, every[] = {10, 13};
    emulator_processors = 22;
    emulator_torn = 1;
    /* A reader that looks at one half only is wrong in every other of these orders. */
    for (uint64_t seed = SANITIZED(4, 3); seed <= SANITIZED(4, (uint64_t)sample(4, 6)); seed++) {
        struct random_case c;
        emulator_seed = seed;
        pulses(&c, 0);
        c.problem.reduce_every = every[seed % 2];
        follow(&variant_resident, &c.problem, pieces, 1);
        random_case_free(&c);
    }
}

/* What stands in a box before anything has been written there may look like the message of the
 * first step: all bits are 1 in the number of step 2^13 - 1. */
static void boxes_begin_as_rubbish(void **state)
{
    static const int pieces[] = {20};
    struct random_case c;
    emulator_seed = 5;
    emulator_rubbish = 0xbf;
    pulses(&c, 6134);
    struct course f = follow(&variant_resident, &c.problem, pieces, 1);
    assert_true(f.wet[0] > 0);
    random_case_free(&c);
}

int main(void)
{
    return UNIT_RUN(flows_come_and_go, seen_in_halves, boxes_begin_as_rubbish);
}
