/* ensemble_source.h — members for tests of ensembles, without a plan. All members have one rough slope with a hole.
 * Each has its own weight, rates, cooling, step and end of the run. */
#pragma once

#include "plan/supply.h"
#include "random_case.h"
#include "text/textfile.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEST_ROWS = 40, TEST_COLS = 36, TEST_CELLS = TEST_ROWS * TEST_COLS };

struct test_plan {
    struct random_case terrain;
    struct sim_case base;
    int64_t count;
    int64_t fails_at; /* that member cannot be made; -1: all can */
    double threshold_m[3], time_s[2];
    atomic_int taken;
};

struct test_member {
    struct sim_case c;
    struct vent vents[4];
    double amount_m[4][3];
};

static inline uint64_t test_random(int64_t number, int which)
{
    uint64_t x = (uint64_t)number * 31 + (uint64_t)which + 1;
    x *= 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 31) * 0xd6e8feb86659fd93ULL;
    return x ^ x >> 29;
}

static inline int test_create(const void *of, int64_t number, struct ensemble_member *m,
                              struct error *e)
{
    struct test_plan *plan = (struct test_plan *)(size_t)of;
    atomic_fetch_add(&plan->taken, 1);
    if (number == plan->fails_at) return error_input(e, "volcano.cfg:7: cannot be made; mend it");
    struct test_member *t = calloc(1, sizeof *t);
    if (!t) return error_memory(e);
    t->c = plan->base;
    memcpy(t->vents, plan->base.problem.vents, sizeof t->vents);
    for (int v = 0; v < 4; v++) {
        const double factor = 0.2 + (double)(test_random(number, v) % 1000) / 800;
        for (int i = 0; i < 3; i++)
            t->amount_m[v][i] = lattice_round(plan->terrain.amount_m[v][i] * factor);
        t->vents[v].amount_m = t->amount_m[v];
    }
    t->c.problem.vents = t->vents;
    t->c.problem.vent_count = 1 + (int)(test_random(number, 4) % 4);
    t->c.problem.params.cooling = 20 + (double)(test_random(number, 5) % 60);
    t->c.problem.params.clock_s = number % 3 ? 120 : 90;
    t->c.max_steps = number % 5 ? 250 : 40 + (int64_t)(test_random(number, 6) % 90);
    if (number % 7 == 0)
        warnings_add(&t->c.told, WARNING_NOTE, "it is a, \"seventh\" member", NULL);
    *m =
        (struct ensemble_member){.weight = 1 + test_random(number, 7) % 1000, .c = &t->c, .own = t};
    m->drawn = text_format("%.6g,%d", t->c.problem.params.cooling, t->c.problem.vent_count);
    return 0;
}

static inline void test_release(const void *of, struct ensemble_member *m)
{
    (void)of;
    free(m->drawn);
    free(m->own);
}

static inline double test_cost(const void *of, int64_t number)
{
    (void)of;
    return number % 5 ? 2 : 1;
}

static inline void test_plan_create(struct test_plan *plan, struct ensemble_source *source,
                                    int64_t count)
{
    memset(plan, 0, sizeof *plan);
    random_case_create(&plan->terrain, TEST_ROWS, TEST_COLS, 0.01, 5);
    plan->count = count;
    plan->fails_at = -1;
    plan->base = (struct sim_case){.name = "slope", .title = "A slope", .max_steps = 400};
    plan->base.geo = (struct georef){.west_m = 500000, .south_m = 4170000, .cell_m = 10};
    plan->base.geo.crs.epsg = 32633;
    plan->base.geo.crs.unit_m = 1;
    plan->base.path = (char *)(size_t) "slope.cfg";
    plan->base.problem = plan->terrain.problem;
    plan->base.problem.thickness_m = NULL; /* what lies there in all members tells them not apart */
    plan->base.problem.temp_K = NULL;
    plan->base.problem.stop_when_still = true;
    plan->base.problem.stop_mobile_m = 2;
    plan->base.elevation_m = plan->terrain.elevation_m;
    memcpy(plan->threshold_m, (double[]){0.33, 1, 5}, sizeof plan->threshold_m);
    memcpy(plan->time_s, (double[]){1234, 7200}, sizeof plan->time_s);
    *source = (struct ensemble_source){
        .of = plan,
        .count = count,
        .digest = 0x5c1a4a,
        .path = "slope.cfg",
        .base = &plan->base,
        .request = {.threshold_count = 3,
                    .time_count = 2,
                    .threshold_m = plan->threshold_m,
                    .time_s = plan->time_s,
                    .thickness_step_m = 0.25,
                    .arrival_step_s = 600,
                    .thickness_steps = 40,
                    .arrival_steps = 30},
        .columns = "cooling,vents",
        .create = test_create,
        .release = test_release,
        .cost = test_cost,
    };
}

static inline void test_plan_free(struct test_plan *plan)
{
    random_case_free(&plan->terrain);
}
