/* How a run went: what the arrivals say against counting, what the tables of the vents say against
 * adding, and rows that are each there once. */
/* tests: output/compare, output/run */
#include "compare/lava_extent.h"
#include "run/output.h"
#include "model/lattice.h"
#include "sim/vent.h"
#include "unit.h"

#include <math.h>

enum { ROWS = 40, COLS = 50, CELLS = ROWS * COLS, LAST = 1234 };

struct world {
    struct problem p;
    struct vent vent[3];
    int64_t first[3];
    double amount_m[3];
    uint64_t fraction[3], phase[3];
    struct fields f;
};

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Some cells without lava, some that have it from the beginning. */
static void world_create(struct world *w, uint64_t seed)
{
    *w = (struct world){.first = {3, 500, 1000},
                        .amount_m = {0.25, 3 * LATTICE_M, 0},
                        .fraction = {UINT64_C(1) << 63, UINT64_MAX / 3, 0},
                        .phase = {77, UINT64_C(1) << 62, 0}};
    for (int v = 0; v < 3; v++)
        w->vent[v] = (struct vent){.row = 5 + 11 * v,
                                   .col = 30 - 7 * v,
                                   .id = v + 1,
                                   .interval_count = 3,
                                   .first_step = w->first,
                                   .amount_m = w->amount_m,
                                   .fraction = w->fraction,
                                   .phase = w->phase};
    w->p = (struct problem){.rows = ROWS,
                            .cols = COLS,
                            .window = {0, 0, ROWS, COLS},
                            .params = {.clock_s = 60, .cell_m = 10},
                            .reduce_every = 100,
                            .vent_count = 3,
                            .vents = w->vent};
    assert_int_equal(fields_create(&w->f, w->p.window, NULL), 0);
    for (int i = 0; i < CELLS; i++)
        if (draw(&seed) % 3) w->f.arrival[i] = (int32_t)(draw(&seed) % (LAST + 1));
    w->f.step = LAST;
    w->f.emitted = vents_sum(w->vent, 3, 1, LAST);
}

static void spread_is_what_counting_says(void **state)
{
    enum { EVEN = 200, UNEVEN = 11 };
    static const int64_t uneven[2][UNEVEN] = {
        {0, 1, 2, 3, 50, 51, 700, 701, 702, LAST - 1, LAST},
        {0, 700, 1100, 1101, 1102, 1150, 1200, 1201, 1230, LAST - 1, LAST}};
    for (uint64_t seed = 1; seed < 9; seed++) {
        struct world w;
        int64_t step[EVEN];
        struct spread at[EVEN];
        world_create(&w, seed);
        const int count = seed % 2 ? EVEN : (int)UNEVEN;
        w.p.vent_count = seed == 5 ? 0 : 3;
        for (int i = 0; i < count; i++) step[i] = seed % 2 ? 6 * i : uneven[seed / 2 % 2][i];
        lava_spread(at, step, count, &w.f, &w.p);
        for (int k = 0; k < count; k++) {
            size_t cells = 0;
            double farthest = -1;
            for (int i = 0; i < CELLS; i++) {
                double nearest = INFINITY;
                if (w.f.arrival[i] > step[k]) continue;
                cells++;
                for (int v = 0; v < w.p.vent_count; v++)
                    nearest = fmin(nearest, hypot(10 * (i / COLS - w.vent[v].row),
                                                  10 * (i % COLS - w.vent[v].col)));
                if (w.p.vent_count) farthest = fmax(farthest, nearest);
            }
            assert_int_equal(at[k].cells, cells);
            if (farthest < 0) assert_true(isnan(at[k].runout_m));
            else assert_true(fabs(at[k].runout_m - farthest) < 1e-9);
        }
        assert_true(at[count - 1].cells > CELLS / 2);
        fields_free(&w.f);
    }
}

static void emission_is_what_adding_says(void **state)
{
    struct world w;
    quanta sum = 0;
    world_create(&w, 1);
    for (int64_t step = 1; step <= LAST; step++) {
        for (int v = 0; v < 3; v++)
            sum += (int64_t)(vent_amount_m(&w.vent[v], step) * LATTICE_PER_M);
        assert_true(vents_sum(w.vent, 3, 1, step) == sum);
        assert_true(vents_sum(w.vent, 3, step / 2 + 1, step) + vents_sum(w.vent, 3, 1, step / 2) ==
                    sum);
    }
    assert_true(sum > 0 && vents_sum(w.vent, 3, 7, 6) == 0);
    fields_free(&w.f);
}

static void rows_are_there_once(void **state)
{
    struct world w;
    struct samples s = {0};
    struct timeline t;
    int moved = 0;
    world_create(&w, 2);
    static const int64_t steps[] = {250, 250, 200, 500, 900, LAST};
    for (int i = 0; i < 6; i++) {
        const struct sample one = {.step = steps[i],
                                   .emitted = vents_sum(w.vent, 3, 1, steps[i]),
                                   .mobile = 5 * steps[i],
                                   .hottest_K =
                                       steps[i] == 500 ? 1200 : 0}; /* 0: no cell had lava */
        assert_int_equal(samples_add(&s, &one, NULL), 0);
    }
    assert_int_equal(s.count, 4); /* neither 250 again nor 200 after it */
    assert_int_equal(timeline_create(&t, &w.p, &w.f, &s, 0, NULL), 0);
    assert_int_equal(t.count, 18); /* 0, 100, ..., 1200, 250, 2, 499 and 999, and the last */
    for (int i = 0; i < t.count; i++) {
        const struct timeline_row *r = &t.row[i];
        const bool sampled = r->step == 250 || r->step == 500 || r->step == 900 || r->step == LAST;
        assert_true(!i || r->step > r[-1].step);
        assert_true(isnan(r->mobile_m3) == !sampled);
        assert_true(r->step == 500 ? r->hottest_K == 1200 : isnan(r->hottest_K));
        if (sampled && r->step != LAST) assert_true(r->mobile_m3 == quanta_m(5 * r->step) * 100);
        assert_true(r->emitted_m3 == quanta_m(vents_sum(w.vent, 3, 1, r->step)) * 100);
        assert_true(!i || r->area_m2 >= r[-1].area_m2);
        if (!i) continue;
        const double past_s =
            60.0 * (double)(r->step - r[-1].step); /* means since the row before */
        assert_true(r->effusion_m3_s == (r->emitted_m3 - r[-1].emitted_m3) / past_s);
        assert_true(r->front_speed_m_s == (r->runout_m - r[-1].runout_m) / past_s);
        moved += r->front_speed_m_s > 0;
        for (int k = 0; k < 3; k++) /* one rate between two rows */
            assert_true(w.first[k] - 1 <= r[-1].step || w.first[k] - 1 >= r->step);
    }
    assert_true(moved > 0);
    assert_true(t.row[0].emitted_m3 == 0 && t.row[1].effusion_m3_s == 0);
    assert_true(t.row[2].effusion_m3_s > 0); /* from step 3 on */
    timeline_free(&t);

    /* Of a case that was changed at step 400, what was emitted before is not what it says now. */
    assert_int_equal(timeline_create(&t, &w.p, &w.f, &s, 400, NULL), 0);
    for (int i = 0; i < t.count; i++)
        assert_true(isnan(t.row[i].emitted_m3) == (t.row[i].step < 400 && t.row[i].step != 250));
    timeline_free(&t);
    samples_free(&s);
    fields_free(&w.f);
}

/* A run of many steps that looks at each has no more rows than can be drawn. */
static void rows_have_a_limit(void **state)
{
    struct world w;
    struct samples none = {0};
    struct timeline t;
    world_create(&w, 3);
    w.p.reduce_every = 1;
    for (int every = 8; every <= 16; every *= 2) { /* as many as there may be, at least half */
        w.f.step = 62500 * every + 1;
        assert_int_equal(timeline_create(&t, &w.p, &w.f, &none, 0, NULL), 0);
        assert_in_range(t.count, 50000, 100002);
        assert_int_equal(t.row[1].step, 2);
        assert_int_equal(t.row[2].step, every);
        assert_int_equal(t.row[t.count - 1].step, w.f.step);
        timeline_free(&t);
    }
    w.f.step = w.p.first_step = 7; /* not a step was made */
    assert_int_equal(timeline_create(&t, &w.p, &w.f, &none, 7, NULL), 0);
    assert_int_equal(t.count, 1);
    timeline_free(&t);
    fields_free(&w.f);
}

static void samples_are_copied_with_room(void **state)
{
    struct samples s = {0}, copy;
    for (int i = 1; i < 12; i++) {
        const struct sample one = {.step = i, .mobile = i};
        assert_int_equal(samples_add(&s, &one, NULL), 0);
        assert_int_equal(samples_copy(&copy, &s, NULL), 0);
        const struct sample next = {.step = i + 1, .mobile = 99};
        assert_int_equal(samples_add(&copy, &next, NULL), 0);
        assert_int_equal(copy.count, i + 1);
        assert_true(copy.item[i - 1].mobile == i && copy.item[i].mobile == 99);
        samples_free(&copy);
    }
    samples_free(&s);
}

int main(void)
{
    return UNIT_RUN(spread_is_what_counting_says, emission_is_what_adding_says, rows_are_there_once,
                    rows_have_a_limit, samples_are_copied_with_room);
}
