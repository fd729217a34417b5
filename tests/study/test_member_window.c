/* Members in windows that grow: the state, the ledger and the digest of the whole domain, for lava
 * that goes one cell in every step, for rough terrain with holes, and for lava that leaves. */
/* tests: study/ensemble */
/* run: plain, sanitized */
#include "effort.h"
#include "ensemble/member_run.h"
#include "random_case.h"
#include "unit.h"

/* As any variant computes it, in the whole domain. */
static void compute_whole(struct member_computed *o, const struct sim_case *c)
{
    const struct variant *v = variant_find("reference");
    struct error e = {0};
    void *self;
    o->seen = c->problem;
    must(v->create(&self, &c->problem, &(struct variant_options){.threads = 1}, &e), &e);
    must(v->advance(self, c->max_steps, &o->now, &e), &e);
    must(fields_create(&o->f, c->problem.window, &e), &e);
    must(v->snapshot(self, &o->f, &e), &e);
    v->destroy(self);
}

static void compute_windowed(struct member_computed *o, const struct sim_case *c)
{
    struct error e = {0};
    must(member_compute(c, o, NULL, NULL, &e), &e);
}

static size_t cells_of(const struct window *w)
{
    return (size_t)w->rows * (size_t)w->cols;
}

static size_t arrived(const struct fields *f)
{
    size_t n = 0;
    for (size_t i = 0; i < cells_of(&f->window); i++) n += f->arrival[i] != ARRIVAL_NEVER;
    return n;
}

static void expect_same_ledger(const struct member_computed *a, const struct member_computed *b)
{
    struct ledger x, y;
    struct error e = {0};
    must(fields_ledger(&x, &a->f, &a->seen, &e), &e);
    must(fields_ledger(&y, &b->f, &b->seen, &e), &e);
    assert_true(x.emitted == y.emitted && x.mobile == y.mobile && x.solidified == y.solidified &&
                x.left_domain == y.left_domain);
    assert_true(fields_same_sums(&a->f, &b->f));
}

/* Returns the cells of the last window. */
static size_t expect_same(const struct sim_case *c)
{
    struct member_computed all = {0}, part = {0};
    compute_whole(&all, c);
    compute_windowed(&part, c);
    assert_true(arrived(&all.f) > 10);
    assert_int_equal(arrived(&all.f), arrived(&part.f));
    assert_int_equal(part.now.step, all.now.step);
    assert_true(part.now.stopped == all.now.stopped && part.now.mobile == all.now.mobile);
    assert_true(memcmp(&part.f.window, &part.seen.window, sizeof part.f.window) == 0);
    expect_same_ledger(&all, &part);
    assert_true(fields_digest(&part.f, c->problem.rows, c->problem.cols) ==
                fields_digest(&all.f, c->problem.rows, c->problem.cols));
    const size_t cells = cells_of(&part.f.window);
    member_computed_free(&all);
    member_computed_free(&part);
    return cells;
}

/* ---- the fastest lava ------------------------------------------------------------------------ */

static const int directions[8][2] = {{-1, 0}, {-1, 1}, {0, 1},  {1, 1},
                                     {1, 0},  {1, -1}, {0, -1}, {-1, -1}};
enum { SIDE = 420 };

/* Down a steep plane from near one side to the other, a cell in every step. */
static void lava_that_goes_a_cell_in_every_step(void **state)
{
    struct random_case r;
    random_case_create(&r, SIDE, SIDE, 0.0, 1);
    for (int d = 0; d < 8; d += SANITIZED(3, 1)) {
        const int *dip = directions[d];
        for (int row = 0; row < SIDE; row++)
            for (int col = 0; col < SIDE; col++)
                r.elevation_m[row * SIDE + col] = 5000.0 - 5.0 * (dip[0] * row + dip[1] * col);
        struct sim_case c = {.problem = r.problem, .max_steps = 330 + 13 * d};
        struct problem *p = &c.problem;
        p->thickness_m = p->temp_K = NULL;
        p->vent_count = 1;
        p->last_vent_step = 10000;
        p->params.rate_sol = p->params.rate_vent = 1.0;
        p->params.critical_sol_m = p->params.critical_vent_m = 1e-6;
        p->params.cooling = 0.0;
        r.vents[0].row = dip[0] > 0 ? 20 : dip[0] < 0 ? SIDE - 21 : SIDE / 2;
        r.vents[0].col = dip[1] > 0 ? 20 : dip[1] < 0 ? SIDE - 21 : SIDE / 2;
        r.vents[0].interval_count = 1;
        r.vents[0].fraction = r.vents[0].phase = NULL;
        r.first_step[0][0] = 1;
        r.amount_m[0][0] = 1.0;
        const size_t cells = expect_same(&c);
        /* along an axis a strip is enough */
        if (!dip[0] || !dip[1]) assert_true(cells < (size_t)SIDE * SIDE / 2);
    }
    random_case_free(&r);
}

/* ---- any lava -------------------------------------------------------------------------------- */

enum { ROWS = 260, COLS = 330 };

static size_t random_member(uint64_t seed)
{
    struct random_case r;
    random_case_create(&r, ROWS, COLS, 0.004, seed);
    struct sim_case c = {.problem = r.problem, .max_steps = 150 + (int64_t)(seed % 5) * 60};
    struct problem *p = &c.problem;
    p->thickness_m = p->temp_K = NULL;
    p->vent_count = 1 + (int)(seed % 2);
    p->stop_when_still = seed % 3 == 0;
    p->stop_mobile_m = 20;
    const size_t cells = expect_same(&c);
    random_case_free(&r);
    return cells;
}

static void any_lava(void **state)
{
    int small = 0;
    for (uint64_t seed = 1; seed <= SANITIZED(8, 24); seed++)
        small += random_member(seed) < (size_t)ROWS * COLS;
    assert_true(small > SANITIZED(2, 8));
}

/* Lava that lies there at the beginning needs the whole domain, and so does a plan without vents.
 */
static void lava_at_the_beginning(void **state)
{
    struct random_case r;
    random_case_create(&r, ROWS, COLS, 0.01, 7);
    struct sim_case c = {.problem = r.problem, .max_steps = 120};
    assert_int_equal(expect_same(&c), ROWS * COLS);
    c.problem.vent_count = 0;
    c.problem.last_vent_step = 0;
    assert_int_equal(expect_same(&c), ROWS * COLS);
    random_case_free(&r);
}

static bool at_once(const void *of)
{
    (void)of;
    return true;
}

static void who_stops_it(void **state)
{
    struct random_case r;
    struct error e = {0};
    struct member_computed o = {0};
    random_case_create(&r, ROWS, COLS, 0.0, 3);
    const struct sim_case c = {.problem = r.problem, .max_steps = 120};
    assert_int_equal(member_compute(&c, &o, at_once, NULL, &e), ERROR_CANCELLED);
    assert_null(o.f.arrival);
    random_case_free(&r);
}

int main(void)
{
    return UNIT_RUN(lava_that_goes_a_cell_in_every_step, any_lava, lava_at_the_beginning,
                    who_stops_it);
}
