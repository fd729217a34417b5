/* The CPU variant against itself: any number of threads, any instruction set, whole domain or lava
 * only, any of the eight symmetries, a window of the domain: the same bits; and a ledger that
 * closes at every step. */
/* tests: reference */
/* run: plain, sanitized, quick */
#include "effort.h"
#include "random_case.h"

#include "reference/reference.h"
#include "unit.h"

static struct fields run_as(const struct problem *p, struct variant_options o, const char *isa,
                            int64_t steps)
{
    struct error e = {0};
    void *self = NULL;
    struct fields f = {0};
    if (isa) setenv("SCIARA_ISA", isa, 1);
    else unsetenv("SCIARA_ISA");
    assert_int_equal(variant_reference.create(&self, p, &o, &e), 0);
    assert_int_equal(variant_reference.advance(self, steps, NULL, &e), 0);
    assert_int_equal(fields_create(&f, p->window, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
    variant_reference.destroy(self);
    return f;
}

/* All threads take part in every step. */
static struct fields run(const struct problem *p, int threads, const char *isa, int64_t steps)
{
    struct variant_options o = {.threads = threads, .team = TEAM_ALL};
    return run_as(p, o, isa, steps);
}

/* There is lava, some has solidified, some still moves. */
static void assert_meaningful(const struct fields *f)
{
    size_t wet, cells = (size_t)f->window.rows * (size_t)f->window.cols, set = 0;
    assert_true(fields_mobile(f, &wet) > 0);
    for (size_t i = 0; i < cells; i++) set += f->solid_m[i] > 0.0;
    assert_true(wet > 20);
    assert_true(set > 20);
}

static void assert_same(const struct fields *a, const struct fields *b)
{
    const char *what = "";
    size_t cells = fields_differ(a, b, &what);
    if (cells) print_message("%zu cells differ, first in %s\n", cells, what);
    assert_int_equal(cells, 0);
    assert_true(fields_same_sums(a, b));
    assert_int_equal(fields_digest(a, a->window.rows, a->window.cols),
                     fields_digest(b, b->window.rows, b->window.cols));
}

static void threads_and_instruction_sets(void **state)
{
    for (uint64_t seed = 1; seed <= SANITIZED(2, 4); seed++) {
        struct random_case c;
        random_case_create(&c, 61 + 16 * (int)seed, 83 - 9 * (int)seed, seed % 2 ? 0.01 : 0.0,
                           seed);
        struct fields one = run(&c.problem, 1, NULL, 200);
        assert_meaningful(&one);
        static const struct {
            int threads, steps; /* few steps where threads wait long for each other */
            const char *isa;
            bool full;
        } ways[] = {{2, 60, NULL, false},       {5, 20, NULL, false}, {3, 20, "avx2", false},
                    {1, 200, "generic", false}, {1, 200, NULL, true}, {1, 200, "avx2", false},
                    {3, 20, "generic", true}};
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            c.problem.full_domain = ways[i].full;
            struct fields expected = run(&c.problem, 1, NULL, ways[i].steps);
            struct fields other = run(&c.problem, ways[i].threads, ways[i].isa, ways[i].steps);
            assert_true(fields_mobile(&other, NULL) > 0);
            assert_same(&expected, &other);
            fields_free(&expected);
            fields_free(&other);
        }
        fields_free(&one);
        random_case_free(&c);
    }
}

/* The team is another one every few steps, or sized by what its threads find the machine to be. */
static void any_team(void **state)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct random_case c;
        random_case_create(&c, 61 + 16 * (int)seed, 83 - 9 * (int)seed, 0.01, seed);
        struct fields one = run(&c.problem, 1, NULL, 60);
        assert_true(fields_mobile(&one, NULL) > 0);
        static const struct variant_options ways[] = {{.threads = 2, .team = TEAM_CHANGES},
                                                      {.threads = 4, .team = TEAM_CHANGES},
                                                      {.threads = 2, .team = TEAM_ADAPTS},
                                                      {.threads = 64, .team = TEAM_ADAPTS}};
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            struct fields other = run_as(&c.problem, ways[i], NULL, 60);
            assert_same(&one, &other);
            fields_free(&other);
        }
        fields_free(&one);
        random_case_free(&c);
    }
}

/* The state after some steps, each of which ended with ledgers that close; the last one's. */
static struct fields run_closing(const struct problem *p, int steps, struct ledger *ledger)
{
    struct error e = {0};
    struct variant_options o = {.threads = 2};
    void *self;
    struct fields f;
    assert_int_equal(variant_reference.create(&self, p, &o, &e), 0);
    assert_int_equal(fields_create(&f, p->window, &e), 0);
    for (int step = 1; step <= steps; step++) {
        assert_int_equal(variant_reference.advance(self, 1, NULL, &e), 0);
        assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
        int code = fields_ledger(ledger, &f, p, &e);
        if (code) print_message("step %d: %s\n", step, e.text);
        assert_int_equal(code, 0);
        assert_true(ledger->initial + ledger->emitted ==
                    ledger->mobile + ledger->solidified + ledger->left_domain);
        const struct heat_ledger *heat = &ledger->heat;
        assert_true(heat->initial + heat->emitted ==
                    heat->mobile + heat->solidified + heat->left_domain + heat->cooled);
        assert_true(heat->cooled > 0);
    }
    variant_reference.destroy(self);
    return f;
}

/* Lava given and emitted, by two vents in one cell too, which cools, solidifies and leaves. */
static void ledger_closes_at_every_step(void **state)
{
    quanta left = 0, heat_left = 0;
    for (uint64_t seed = 11; seed <= SANITIZED(12, 16); seed++) {
        struct random_case c;
        struct ledger ledger;
        random_case_create(&c, 40, 50, seed % 2 ? 0.02 : 0.0, seed);
        if (seed == 12 || seed == 13) {
            c.vents[3].row = c.vents[2].row;
            c.vents[3].col = c.vents[2].col;
        }
        c.problem.full_domain = seed == 14;
        struct fields f = run_closing(&c.problem, 180, &ledger);
        assert_meaningful(&f);
        assert_true(ledger.initial > 0 && ledger.heat.initial > 0 && ledger.heat.emitted > 0 &&
                    ledger.heat.solidified > 0);
        left += ledger.left_domain;
        heat_left += ledger.heat.left_domain;
        fields_free(&f);
        random_case_free(&c);
    }
    assert_true(left > 0 && heat_left > 0); /* some of it ran off the edge */
}

/* A run that goes on from the state of another: its ledgers close, and both add up to those of a
 * run without a break. */
static void ledger_of_a_resumed_run(void **state)
{
    for (uint64_t seed = 17; seed <= 18; seed++) {
        struct random_case c;
        struct ledger first, second, whole;
        random_case_create(&c, 40, 50, seed % 2 ? 0.02 : 0.0, seed);
        struct fields at_end = run_closing(&c.problem, 150, &whole);
        struct fields begun = run_closing(&c.problem, 70, &first);
        assert_meaningful(&begun);
        c.problem.elevation_m = begun.elevation_m;
        c.problem.thickness_m = begun.thickness_m;
        c.problem.temp_K = begun.temp_K;
        c.problem.solid_m = begun.solid_m;
        c.problem.first_step = begun.step;
        struct fields resumed = run_closing(&c.problem, 80, &second);
        assert_memory_equal(at_end.temp_K, resumed.temp_K, 40 * 50 * sizeof(double));
        const struct heat_ledger *a = &first.heat, *b = &second.heat, *ab = &whole.heat;
        assert_true(b->initial == a->mobile && b->mobile == ab->mobile && b->emitted > 0);
        assert_true(a->emitted + b->emitted == ab->emitted && a->cooled + b->cooled == ab->cooled);
        assert_true(a->solidified + b->solidified == ab->solidified);
        assert_true(a->left_domain + b->left_domain == ab->left_domain);
        fields_free(&begun);
        fields_free(&resumed);
        fields_free(&at_end);
        random_case_free(&c);
    }
}

/* Vents that give one cell more lava than heat has integers for: a moment later lava is nowhere
 * thicker than permitted, and lava has closed its ledger, but heat does not, whatever a processor
 * makes of it. */
static void heat_beyond_its_integers(void **state)
{
    static const char *const isa[] = {"avx512", "avx2", "generic"};
    for (int i = 0; i < 3; i++)
        for (int steps = 1; steps <= 20; steps += 19) {
            struct random_case c;
            struct vent vents[20];
            struct error e = {0};
            struct ledger ledger;
            random_case_create(&c, 30, 30, 0.0, 5);
            c.problem.vents = vents;
            c.problem.vent_count = 20;
            c.vents[0].fraction = c.vents[0].phase = NULL;
            for (int v = 0; v < 20; v++) {
                vents[v] = c.vents[0];
                vents[v].row = vents[v].col = 15;
            }
            c.first_step[0][1] = c.first_step[0][0] + 1;
            c.amount_m[0][0] = 499.0;
            c.amount_m[0][1] = 0.0;
            struct fields f = run(&c.problem, 1, isa[i], steps);
            for (int k = 0; k < 30 * 30; k++) assert_true(f.max_thickness_m[k] < 4000.0);
            assert_true(f.emitted == (quanta)9980 << 36);
            assert_int_equal(fields_ledger(&ledger, &f, &c.problem, &e), ERROR_FAILED);
            assert_non_null(strstr(e.text, "the heat ledger does not close"));
            assert_true(ledger_closes(&ledger));
            fields_free(&f);
            random_case_free(&c);
        }
    unsetenv("SCIARA_ISA");
}

/* Lava all over, thin and thick, between solid and a little warmer, which rests where it is about
 * to flow. */
static void spread_lava(struct random_case *c, uint64_t seed)
{
    uint64_t rng = seed;
    const struct problem *p = &c->problem;
    for (int i = 0; i < p->rows * p->cols; i++) {
        c->thickness_m[i] = isnan(c->elevation_m[i]) || random_unit(&rng) < 0.2
                                ? 0.0
                                : lattice_round(6.0 * random_unit(&rng));
        c->temp_K[i] = c->thickness_m[i] > 0.0 ? 1144.0 + 60.0 * random_unit(&rng) : 0.0;
    }
}

static size_t changed(const struct fields *a, const struct fields *b)
{
    const size_t cells = (size_t)a->window.rows * (size_t)a->window.cols;
    size_t count = 0;
    for (size_t i = 0; i < cells; i++)
        count += a->thickness_m[i] + a->solid_m[i] != b->thickness_m[i] + b->solid_m[i];
    return count;
}

/* In a full domain everything is looked at in every step. The state after so many. */
static struct fields run_and_compare(struct problem *p, int threads, int64_t steps)
{
    struct fields some = run(p, threads, NULL, steps);
    p->full_domain = true;
    struct fields all = run(p, 1, NULL, steps);
    p->full_domain = false;
    assert_same(&all, &some);
    fields_free(&all);
    return some;
}

/* What rests is not looked at until something changes beside it, as it only cools. But where lava
 * becomes more fluid as it cools, it flows later. */
static void lava_that_cooling_makes_fluid(void **state)
{
    for (uint64_t seed = 41; seed < SANITIZED(42, 44); seed++) {
        struct random_case c;
        random_case_create(&c, 60, 70, 0.01, seed);
        spread_lava(&c, seed);
        c.problem.vent_count = 0;
        c.problem.params.cooling = 0.5;
        c.problem.params.critical_sol_m = 1;
        c.problem.params.critical_vent_m = 60;
        struct fields before = run(&c.problem, 1, NULL, 60),
                      after = run_and_compare(&c.problem, seed == 41 ? 2 : 1, 300);
        assert_true(changed(&before, &after) > 20);
        fields_free(&before);
        fields_free(&after);
        random_case_free(&c);
    }
}

/* Two cells in a pit, across a corner: that of 6 m rests until that of 5 m sets, which lowers the
 * surface by 0.3 times 5 m, as it is seen from there: 6.1 m is critical, and 36 (100 + D^2) / 100
 * rises from 36.4 to 38.2. */
static void lava_beside_lava_that_sets(void **state)
{
    for (int row = 20; row < 22; row++)
        for (int col = 15; col < 19; col++) { /* of one chunk, and of two */
            struct random_case c;
            random_case_create(&c, 40, 40, 0.0, 1);
            const int low = row * 40 + col, high = low + 41;
            for (int i = 0; i < 1600; i++) {
                c.elevation_m[i] = i == low || i == high ? 0.0 : 100.0;
                c.thickness_m[i] = i == low ? 5.0 : i == high ? 6.0 : 0.0;
                c.temp_K[i] = i == low ? 1145.0 : i == high ? 1300.0 : 0.0;
            }
            c.problem.vent_count = 0;
            c.problem.params.cooling = 2.8;
            c.problem.params.critical_sol_m = c.problem.params.critical_vent_m = 6.1;
            struct fields before = run(&c.problem, 1, NULL, 3),
                          after = run_and_compare(&c.problem, 1, 400);
            assert_true(before.thickness_m[low] == 5.0 && before.thickness_m[high] == 6.0);
            assert_true(after.solid_m[low] >= 5.0 && after.thickness_m[high] < 6.0);
            fields_free(&before);
            fields_free(&after);
            random_case_free(&c);
        }
}

static void copy_cell(struct fields *to, size_t i, const struct fields *from, size_t j)
{
    to->elevation_m[i] = from->elevation_m[j];
    to->thickness_m[i] = from->thickness_m[j];
    to->temp_K[i] = from->temp_K[j];
    to->solid_m[i] = from->solid_m[j];
    to->max_thickness_m[i] = from->max_thickness_m[j];
    to->max_temp_K[i] = from->max_temp_K[j];
    to->arrival[i] = from->arrival[j];
}

static void copy_totals(struct fields *to, const struct fields *from)
{
    to->step = from->step;
    to->emitted = from->emitted;
    to->left_domain = from->left_domain;
    to->heat = from->heat;
}

/* Symmetry t of the square: bit 0 mirrors rows, bit 1 mirrors columns, bit 2 transposes first. */
static void turn(int t, int rows, int cols, int row, int col, int *to_row, int *to_col)
{
    int r = t & 4 ? col : row, c = t & 4 ? row : col, n_rows = t & 4 ? cols : rows,
        n_cols = t & 4 ? rows : cols;
    *to_row = t & 1 ? n_rows - 1 - r : r;
    *to_col = t & 2 ? n_cols - 1 - c : c;
}

static void eight_symmetries(void **state)
{
    for (uint64_t seed = 21; seed <= SANITIZED(21, 23); seed++) {
        struct random_case a, b;
        int rows = 45, cols = 58;
        random_case_create(&a, rows, cols, 0.01, seed);
        struct fields fa = run(&a.problem, 1, NULL, 150);
        assert_meaningful(&fa);
        for (int t = 1; t < 8; t++) {
            random_case_create(&b, rows, cols, 0.01, seed);
            b.problem.rows = b.problem.window.rows = t & 4 ? cols : rows;
            b.problem.cols = b.problem.window.cols = t & 4 ? rows : cols;
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++) {
                    int tr, tc;
                    turn(t, rows, cols, r, c, &tr, &tc);
                    size_t to = (size_t)tr * (size_t)b.problem.cols + (size_t)tc;
                    size_t from = (size_t)r * (size_t)cols + (size_t)c;
                    b.elevation_m[to] = a.elevation_m[from];
                    b.thickness_m[to] = a.thickness_m[from];
                    b.temp_K[to] = a.temp_K[from];
                }
            for (int v = 0; v < 4; v++)
                turn(t, rows, cols, a.vents[v].row, a.vents[v].col, &b.vents[v].row,
                     &b.vents[v].col);
            struct fields fb = run(&b.problem, 2, NULL, 150), turned = {0};
            struct error e;
            assert_int_equal(fields_create(&turned, fa.window, &e), 0);
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++) {
                    int tr, tc;
                    turn(t, rows, cols, r, c, &tr, &tc);
                    size_t at = (size_t)tr * (size_t)b.problem.cols + (size_t)tc;
                    size_t to = (size_t)r * (size_t)cols + (size_t)c;
                    copy_cell(&turned, to, &fb, at);
                }
            copy_totals(&turned, &fb);
            assert_same(&fa, &turned);
            fields_free(&turned);
            fields_free(&fb);
            random_case_free(&b);
        }
        fields_free(&fa);
        random_case_free(&a);
    }
}

/* A window that the lava does not leave computes what the whole domain computes there. */
static void window_of_a_domain(void **state)
{
    struct random_case c;
    struct error e;
    random_case_create(&c, 90, 110, 0.0, 31);
    memset(c.thickness_m, 0, 90 * 110 * sizeof(double));
    c.problem.params.cooling = 300;
    for (int v = 0; v < 4; v++) {
        c.vents[v].row = 40 + v;
        c.vents[v].col = 50 + 3 * v;
    }
    struct fields whole = run(&c.problem, 2, NULL, 60), cut = {0};
    c.problem.window = (struct window){18, 21, 50, 70};
    struct fields part = run(&c.problem, 2, NULL, 60);
    assert_meaningful(&part);
    assert_true(fields_mobile(&whole, NULL) == fields_mobile(&part, NULL)); /* none went past it */
    struct ledger ledger;
    assert_int_equal(fields_ledger(&ledger, &part, &c.problem, &e), 0);
    assert_true(ledger.heat.mobile > 0 && ledger.heat.solidified > 0 && ledger.heat.cooled > 0);
    assert_int_equal(fields_create(&cut, c.problem.window, &e), 0);
    for (int r = 0; r < 50; r++)
        for (int col = 0; col < 70; col++) {
            size_t from = (size_t)(r + 18) * 110 + (size_t)(col + 21),
                   to = (size_t)r * 70 + (size_t)col;
            copy_cell(&cut, to, &whole, from);
        }
    copy_totals(&cut, &whole);
    assert_same(&cut, &part);
    fields_free(&whole);
    fields_free(&cut);
    fields_free(&part);
    random_case_free(&c);
}

int main(void)
{
    return UNIT_RUN(threads_and_instruction_sets, any_team, ledger_closes_at_every_step,
                    ledger_of_a_resumed_run, heat_beyond_its_integers, eight_symmetries,
                    window_of_a_domain, lava_that_cooling_makes_fluid, lava_beside_lava_that_sets);
}
