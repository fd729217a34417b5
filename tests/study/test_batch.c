/* The batch engine on the emulator: what becomes of each member is what the reference finds, to the
 * bit: digest, ledger, extent, reached cells. Members differ in everything that a member may differ in,
 * and outgrow whatever a block has. */
/* tests: study/batch */
/* run: plain, sanitized */
/* build: batch */
#include "effort.h"
#include "ensemble/batch.h"
#include "compare/lava_extent.h"
#include "random_case.h"
#include "sim/variant.h"
#include "unit.h"

/* With -DON_GPU the same on a GPU: more blocks at once, and blocks have more of everything. */
#ifdef ON_GPU
static uint64_t emulator_seed;
static int emulator_processors;
static long emulator_calls, emulator_allocations, emulator_fails_at;
static bool emulator_stays_failed;
enum { ON_EMULATOR = 0 };
#else
extern uint64_t emulator_seed;
extern int emulator_processors;
extern long emulator_calls, emulator_allocations, emulator_fails_at;
extern bool emulator_stays_failed;
enum { ON_EMULATOR = 1 };
#endif
extern const struct variant variant_reference;

/* ---- members --------------------------------------------------------------------------------- */

enum { VENTS = 6, INTERVALS = 3 };

struct eruption {
    struct problem problem;
    struct vent vents[VENTS];
    int64_t first_step[VENTS][INTERVALS];
    double amount_m[VENTS][INTERVALS];
    uint64_t fraction[VENTS][INTERVALS], phase[VENTS][INTERVALS];
    double *elevation_m; /* its own; NULL: that of all */
    struct terrain_error error;
    int64_t steps;
};

struct test_batch {
    struct random_case base;
    double *solid_m;
    unsigned char *outline, *sea;
    struct axis thickness_m, arrival_s;
    int count;
    struct eruption *member;
};

static int any_below(uint64_t *rng, int n)
{
    return (int)(random_unit(rng) * n);
}

static void place_vents(struct eruption *m, const struct test_batch *t, uint64_t *rng)
{
    const int rows = m->problem.rows, cols = m->problem.cols;
    for (int i = 0; i < m->problem.vent_count; i++) {
        struct vent *v = &m->vents[i];
        do {
            v->row = any_below(rng, rows);
            v->col = any_below(rng, cols);
        } while (isnan(t->base.elevation_m[v->row * cols + v->col]));
        if (i == 3) v->row = m->vents[1].row, v->col = m->vents[1].col; /* two in a cell */
        if (i == 4) v->row = 0; /* at the border, on data or on none */
        if (i == 4 && isnan(t->base.elevation_m[v->col])) v->row = m->vents[0].row;
        v->id = i + 1;
        v->interval_count = INTERVALS;
        v->first_step = m->first_step[i];
        v->amount_m = m->amount_m[i];
        if (i) v->fraction = m->fraction[i], v->phase = m->phase[i];
        for (int k = 0; k < INTERVALS; k++) {
            v->first_step[k] = m->problem.first_step + 1 + 20 * k + any_below(rng, 15);
            v->amount_m[k] = k == 2 ? 0 : lattice_round(7.0 * random_unit(rng));
            if (k < 2) m->fraction[i][k] = (uint64_t)(random_unit(rng) * 0x1p64);
            m->phase[i][k] = (uint64_t)(random_unit(rng) * 0x1p64);
        }
        if (v->first_step[2] - 1 > m->problem.last_vent_step)
            m->problem.last_vent_step = v->first_step[2] - 1;
    }
}

static void make_member(struct eruption *m, const struct test_batch *t, int number, uint64_t *rng)
{
    struct params *p = &m->problem.params;
    m->problem = t->base.problem;
    m->problem.vents = m->vents;
    m->problem.vent_count = number % 3 ? any_below(rng, VENTS + 1) : 1;
    m->problem.last_vent_step = 0;
    place_vents(m, t, rng);
    p->cooling = 3 + 60 * random_unit(rng);
    p->critical_vent_m = 0.5 + 2 * random_unit(rng);
    p->clock_s = number % 3 ? 120 : 90;
    if (number % 7 == 5) p->critical_sol_m = 0.4; /* thinner where colder */
    if (number % 11 == 4) p->cooling = 0;         /* only rounding changes lava that stands */
    m->problem.reduce_every = 1 + any_below(rng, 20);
    m->problem.stop_when_still = number % 2;
    m->problem.stop_mobile_m = 40 * random_unit(rng);
    m->steps = m->problem.first_step + 1 + any_below(rng, number % 5 ? 160 : 30);
    if (number % 3 == 0) m->steps += 100; /* of one vent: the window grows */
    if (number % 4 == 1)
        m->error = (struct terrain_error){7, (uint64_t)number, 0.8 * random_unit(rng),
                                          number % 8 == 1 ? 0 : 0.3 * random_unit(rng)};
    if (number % 9 != 2) return;
    const size_t cells = (size_t)m->problem.rows * (size_t)m->problem.cols;
    m->elevation_m = malloc(cells * sizeof *m->elevation_m);
    for (size_t i = 0; i < cells; i++)
        m->elevation_m[i] = lattice_round(t->base.elevation_m[i] + random_unit(rng));
    m->problem.elevation_m = m->elevation_m;
}

static void create(struct test_batch *t, int rows, int cols, double holes, bool lava, int count,
                   uint64_t seed)
{
    struct error e = {0};
    uint64_t rng = 77 * seed + 1;
    const size_t cells = (size_t)rows * (size_t)cols;
    *t = (struct test_batch){.count = count};
    random_case_create(&t->base, rows, cols, holes, seed);
    t->solid_m = calloc(cells, sizeof *t->solid_m);
    t->outline = calloc(cells, 1);
    t->sea = calloc(cells, 1);
    for (size_t i = 0; i < cells; i++) {
        const bool data = !isnan(t->base.elevation_m[i]);
        if (data && random_unit(&rng) < 0.01) t->solid_m[i] = lattice_round(3 * random_unit(&rng));
        t->outline[i] = random_unit(&rng) < 0.5;
        t->sea[i] = !data && (int)i % cols > cols / 2;
    }
    struct problem *p = &t->base.problem;
    p->sea = t->sea;
    if (lava) p->solid_m = t->solid_m;
    else p->thickness_m = p->temp_K = NULL;
    p->first_step = lava ? 13 : 0;
    must(axis_create(&t->thickness_m, 0, 0.25, 40, (double[]){0.33, 5}, 2, &e), &e);
    must(axis_create(&t->arrival_s, 0, 600, 30, (double[]){1234}, 1, &e), &e);
    t->member = calloc((size_t)count, sizeof *t->member);
    for (int i = 0; i < count; i++) make_member(&t->member[i], t, i, &rng);
}

static void destroy(struct test_batch *t)
{
    for (int i = 0; i < t->count; i++) free(t->member[i].elevation_m);
    free(t->member);
    free(t->solid_m);
    free(t->outline);
    free(t->sea);
    axis_free(&t->thickness_m);
    axis_free(&t->arrival_s);
    random_case_free(&t->base);
}

/* ---- against the reference ------------------------------------------------------------------- */

struct seen { /* whether the comparison is about something */
    int members, moved, set, left, sea, stopped, grown, crowded;
};

static int by_place(const void *a, const void *b)
{
    const struct reached *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static void compare_reached(const struct test_batch *t, struct batch_outcome *o,
                            const struct fields *f, double clock_s)
{
    const size_t cells = (size_t)f->window.rows * (size_t)f->window.cols;
    size_t k = 0;
    qsort(o->cell, o->cell_count, sizeof *o->cell, by_place);
    for (size_t i = 0; i < cells; i++) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        assert_true(k < o->cell_count);
        const struct reached *x = &o->cell[k++];
        assert_int_equal(x->place, i);
        assert_int_equal(x->thickness_class, axis_of(&t->thickness_m, f->max_thickness_m[i]));
        assert_int_equal(x->arrival_class, axis_of(&t->arrival_s, f->arrival[i] * clock_s));
        assert_int_equal(x->thickness_q, statistics_thickness(f->max_thickness_m[i]));
        assert_int_equal(x->end_q, statistics_thickness(f->thickness_m[i] + f->solid_m[i]));
    }
    assert_int_equal(k, o->cell_count);
}

static void compare(const struct test_batch *t, const struct eruption *m, struct problem *p,
                    struct batch_outcome *o, struct seen *seen)
{
    struct error e = {0};
    struct fields f = {0};
    struct variant_status now = {0};
    struct ledger ledger;
    const struct variant_options one = {.threads = 1};
    void *self;
    uint64_t both = 0;
    int32_t last = -1;
    must(variant_reference.create(&self, p, &one, &e), &e);
    must(variant_reference.advance(self, m->steps - p->first_step, &now, &e), &e);
    must(fields_create(&f, p->window, &e), &e);
    must(variant_reference.snapshot(self, &f, &e), &e);
    must(fields_ledger(&ledger, &f, p, &e), &e);
    const struct extent x = extent_of(&f, p);
    for (int i = 0; i < p->rows * p->cols; i++) {
        both += t->outline[i] && (f.thickness_m[i] > 0 || f.solid_m[i] > 0);
        if (f.arrival[i] != ARRIVAL_NEVER && f.arrival[i] > last) last = f.arrival[i];
    }
    assert_int_equal(o->fate, BATCH_COMPUTED);
    assert_int_equal(o->step, now.step);
    assert_int_equal(o->stopped, now.stopped);
    assert_true(o->ledger.initial == ledger.initial && o->ledger.emitted == ledger.emitted);
    assert_true(o->ledger.mobile == ledger.mobile && o->ledger.solidified == ledger.solidified);
    assert_true(o->ledger.left_domain == ledger.left_domain + ledger.entered_sea);
    assert_int_equal(o->cells, x.cells);
    assert_int_equal(o->both, both);
    assert_true(o->max_thickness_m == x.max_thickness_m);
    assert_int_equal(o->last_arrival, last);
    if (isnan(x.runout_m)) assert_true(o->farthest < 0);
    else assert_true(sqrt(o->farthest) * p->params.cell_m == x.runout_m);
    compare_reached(t, o, &f, p->params.clock_s);
    assert_true(o->digest == fields_digest(&f, p->rows, p->cols));
    seen->members++;
    seen->moved += o->cell_count > 30;
    seen->set += ledger.solidified > ledger.initial;
    seen->left += ledger.left_domain > 0;
    seen->sea += ledger.entered_sea > 0;
    seen->stopped += o->stopped && o->step < m->steps;
    seen->grown += o->grown > 0;
    variant_reference.destroy(self);
    fields_free(&f);
}

/* A member as the reference has it: with the error in its terrain. */
static void compare_member(const struct test_batch *t, const struct eruption *m,
                           struct batch_outcome *o, struct seen *seen)
{
    struct problem p = m->problem;
    double *z = NULL;
    if (m->error.sd_m > 0) {
        z = malloc((size_t)p.rows * (size_t)p.cols * sizeof *z);
        assert_true(terrain_error_add(&m->error, p.rows, p.cols, p.elevation_m, z));
        p.elevation_m = z;
    }
    compare(t, m, &p, o, seen);
    free(o->cell);
    free(z);
}

static struct batch *create_batch(const struct test_batch *t, struct batch_setup s)
{
    struct batch *b = NULL;
    struct error e = {0};
    s.base = &t->base.problem;
    s.outline = t->outline;
    s.thickness_m = &t->thickness_m;
    s.arrival_s = &t->arrival_s;
    must(batch_create(&b, &s, &e), &e);
    return b;
}

static struct batch_job job_of(const struct batch *b, const struct eruption *m)
{
    const struct batch_job job = {&m->problem, m->error, m->steps};
    assert_true(batch_takes(b, &job));
    return job;
}

/* All members in launches of `each`, two at a time. */
static void compute(const struct test_batch *t, struct batch *b, int each, struct seen *seen)
{
    struct error e = {0};
    struct batch_job *job = malloc((size_t)each * sizeof *job);
    struct batch_outcome *out = malloc((size_t)each * sizeof *out);
    int began[BATCH_LANES] = {0}, count[BATCH_LANES] = {0}, turn = 0;
    for (int next = 0, under_way = 0; next < t->count || under_way; turn = !turn) {
        if (count[turn]) {
            must(batch_end(b, turn, out, &e), &e);
            for (int i = 0; i < count[turn]; i++)
                compare_member(t, &t->member[began[turn] + i], &out[i], seen);
            under_way--;
        }
        count[turn] = t->count - next < each ? t->count - next : each;
        began[turn] = next;
        for (int i = 0; i < count[turn]; i++) job[i] = job_of(b, &t->member[next + i]);
        next += count[turn];
        if (!count[turn]) continue;
        must(batch_begin(b, turn, job, count[turn], 0, &e), &e);
        under_way++;
    }
    free(job);
    free(out);
}

static void equal_members(void **state)
{
    static const struct {
        int rows, cols, blocks, each;
        double holes;
        bool lava;
    } cases[] = {{40, 37, 1, 40, 0.01, false}, {70, 131, 3, 9, 0.0, false},
                 {33, 64, 5, 40, 0.02, true},  {120, 90, 2, 40, 0.002, false},
                 {64, 100, 4, 40, 0.05, true}, {9, 300, 5, 3, 0.0, false},
                 {60, 230, 4, 40, 0.0, false}, {150, 80, 3, 40, 0.0, false}};
    enum { EACH = SANITIZED(16, 40), ALL = EACH * sizeof cases / sizeof *cases };
    struct seen seen = {0};
    for (uint64_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct test_batch t;
        create(&t, cases[i].rows, cases[i].cols, cases[i].holes, cases[i].lava, EACH, 300 + i);
        emulator_seed = i;
        emulator_processors = cases[i].blocks;
        struct batch *b = create_batch(&t, (struct batch_setup){.members = cases[i].each});
        if (ON_EMULATOR) assert_int_equal(batch_blocks_at_once(b), cases[i].blocks);
        compute(&t, b, cases[i].each, &seen);
        batch_destroy(b);
        destroy(&t);
    }
    print_message("%d members: %d moved, %d set, %d left, %d into the sea, %d stopped, %d grown\n",
                  seen.members, seen.moved, seen.set, seen.left, seen.sea, seen.stopped,
                  seen.grown);
    assert_int_equal(seen.members, ALL);
    assert_true(seen.moved > ALL * 5 / 8 && seen.set > ALL * 3 / 8 && seen.left > ALL * 3 / 8);
    assert_true(seen.sea > ALL / 8 && seen.stopped > ALL / 32);
    assert_true(seen.grown > ALL / 8 || !ON_EMULATOR);
}

/* Shares of blocks are so small that members outgrow them, and room for reached cells is scarce: all
 * come back, and are computed by fewer blocks with larger shares. */
static void outgrows(void **state)
{
    struct error e = {0};
    struct test_batch t;
    struct seen seen = {0};
    struct batch_job job[24];
    struct batch_outcome out[24];
    int next[24], count = 24, larger = 0, crowded = 0;
    create(&t, 120, 190, 0.001, false, count, 900);
    emulator_seed = 3;
    emulator_processors = 4;
    struct batch *b = create_batch(
        &t,
        (struct batch_setup){.members = count, .share_max = 5200 * 2 * 80, .reached_cells = 900});
    for (int i = 0; i < count; i++) next[i] = i;
    for (int blocks = batch_blocks_at_once(b); count && blocks; blocks /= 2) {
        int left = 0;
        for (int from = 0, each = 6 * blocks; from < count; from += each) {
            const int n = count - from < each ? count - from : each;
            for (int i = 0; i < n; i++) job[i] = job_of(b, &t.member[next[from + i]]);
            must(batch_begin(b, 0, job, n, blocks, &e), &e);
            must(batch_end(b, 0, out, &e), &e);
            for (int i = 0; i < n; i++) {
                larger += out[i].fate == BATCH_TOO_LARGE;
                crowded += out[i].fate == BATCH_CROWDED_OUT;
                if (out[i].fate == BATCH_COMPUTED)
                    compare_member(&t, &t.member[next[from + i]], &out[i], &seen);
                else next[left++] = next[from + i];
            }
        }
        count = left;
    }
    print_message("%d members: %d times too large, %d times crowded out, %d left over\n",
                  seen.members, larger, crowded, count);
    assert_true(larger > 6 && crowded > 2 && seen.members > 16);
    assert_true(seen.grown > 4 || !ON_EMULATOR);
    batch_destroy(b);
    destroy(&t);
}

/* All members on both lanes; digests of what was computed go into *sum. */
static int short_life(const struct test_batch *t, uint64_t *sum, struct error *e)
{
    const int each = t->count / 2;
    struct batch_setup s = {.base = &t->base.problem,
                            .members = each,
                            .outline = t->outline,
                            .thickness_m = &t->thickness_m,
                            .arrival_s = &t->arrival_s};
    struct batch_job job[8];
    struct batch_outcome out[8];
    struct batch *b = NULL;
    assert_true(each <= 8);
    int status = batch_create(&b, &s, e);
    for (int lane = 0; lane < 2 && !status; lane++) {
        for (int i = 0; i < each; i++) job[i] = job_of(b, &t->member[lane * each + i]);
        status = batch_begin(b, lane, job, each, 0, e);
    }
    for (int lane = 0; lane < 2 && !status; lane++) {
        status = batch_end(b, lane, out, e);
        for (int i = 0; i < each && !status; i++) {
            assert_int_equal(out[i].fate, BATCH_COMPUTED);
            *sum += out[i].digest;
            free(out[i].cell);
        }
    }
    batch_destroy(b);
    return status;
}

/* Whichever call of the runtime the device fails in, or has no memory for: an error or the same
 * bits, and nothing is left. */
static void fails_at_any_call(void **state)
{
    struct error e = {0};
    struct test_batch t;
    uint64_t whole = 0, sum = 0;
    long failed = 0, tried = 0;
    if (!ON_EMULATOR) skip();
    create(&t, 40, 37, 0.0, true, 6, 700);
    emulator_processors = 2;
    emulator_calls = emulator_allocations = 0;
    must(short_life(&t, &whole, &e), &e);
    const long most[2] = {emulator_allocations, emulator_calls};
    assert_true(most[0] > 5 && most[1] > 2 * most[0] && whole);
    for (int stays = 0; stays < 2; stays++)
        for (long n = 1; n <= most[stays]; n += SANITIZED(3, 1), tried++) {
            e = (struct error){0};
            emulator_stays_failed = stays;
            emulator_fails_at = n;
            emulator_calls = emulator_allocations = 0;
            sum = 0;
            const int status = short_life(&t, &sum, &e);
            emulator_fails_at = 0;
            assert_true(status ? status == (int)e.code && *e.text : sum == whole);
            failed += status != 0;
        }
    print_message("%ld of %ld failures are errors\n", failed, tried);
    assert_true(2 * failed > tried);
    sum = 0;
    must(short_life(&t, &sum, &e), &e);
    assert_true(sum == whole);
    destroy(&t);
}

int main(void)
{
    return UNIT_RUN(equal_members, outgrows, fails_at_any_call);
}
