/* Steps emit what the rates say: after every step the quanta that were emitted are compared with
 * the integral of the rates in exact integers, computed another way. */
/* tests: input/eruption */
#include "eruption/emission.h"

#include "model/lattice.h"
#include "sim/vent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random_case.h"
#include "unit.h"

__extension__ typedef __int128 wide;

enum { INTERVALS = 12, CELLS = 7, TICKS_BITS = 56 };

/* Rates of one list, in exact units: times in 2^-56 s, rates in 2^-rate_bits m3/s. */
struct world {
    struct rate rate[INTERVALS];
    struct rate_list list;
    struct rate_lists rates;
    struct vent_cell cell[CELLS];
    struct vent_site site[3];
    struct vent_sites sites;
    struct params params;
    int rate_bits, area_m2;
    wide clock, from[INTERVALS], to[INTERVALS], value[INTERVALS];
    struct vent *vents;
    int count;
    struct error e;
};

/* Pclock of 0.1 s is no multiple of a power of ten, but of 2^-56. */
static void world_create(struct world *w, double clock_s)
{
    memset(w, 0, sizeof *w);
    w->clock = (wide)(clock_s * 0x1p56);
    assert_true((double)w->clock == clock_s * 0x1p56);
    w->params = (struct params){.clock_s = clock_s, .cell_m = clock_s < 1000 ? 10 : 40};
    w->area_m2 = clock_s < 1000 ? 100 : 1600;
    for (int i = 0; i < CELLS; i++) w->cell[i] = (struct vent_cell){.row = 3, .col = i};
    w->list = (struct rate_list){.id = 1, .rate = w->rate};
    w->rates = (struct rate_lists){.path = "rates", .count = 1, .list = &w->list};
    w->sites = (struct vent_sites){.path = "vents", .count = 1, .site = w->site};
    w->site[0] = (struct vent_site){.id = 1, .count = CELLS, .cell = w->cell, .shares = CELLS};
}

static void add(struct world *w, double from_s, double to_s, double rate, int rate_bits)
{
    const int i = w->list.count++;
    w->rate_bits = rate_bits;
    w->from[i] = (wide)(from_s * 0x1p56);
    w->to[i] = (wide)(to_s * 0x1p56);
    w->value[i] = (wide)rate;
    w->rate[i] = (struct rate){.from_s = from_s,
                               .to_s = to_s,
                               .first_step = rates_first_step(from_s, 1, w->params.clock_s),
                               .end_step = rates_first_step(to_s, 1, w->params.clock_s),
                               .rate_m3_s = rate * pow(2, -rate_bits),
                               .line = i};
}

/* Up to a dozen intervals, some far shorter than a step, some meeting and some not. */
static void add_random(struct world *w, uint64_t *seed, int rate_bits)
{
    double at_s = random_unit(seed) < 0.5 ? 0 : floor(3e3 * random_unit(seed)) / 1024;
    for (int i = 0; i < INTERVALS; i++) {
        const double steps = random_unit(seed) < 0.5 ? 0.4 : 9;
        const double to_s =
            at_s + (1 + floor(steps * random_unit(seed) * w->params.clock_s * 1024)) / 1024;
        const double much = random_unit(seed) < 0.2 ? 0 : floor(4096 * random_unit(seed));
        add(w, at_s, to_s, much, rate_bits);
        at_s = to_s;
        if (random_unit(seed) < 0.4)
            at_s += floor(3 * random_unit(seed) * w->params.clock_s * 1024) / 1024;
    }
}

static void create(struct world *w, enum emission_rule rule)
{
    const struct emission_input in = {&w->sites, &w->rates, &w->params, rule, false};
    if (emission_create(&w->vents, &w->count, &in, &w->e)) fail_msg("%s", w->e.text);
    assert_int_equal(w->count, CELLS);
}

static void world_free(struct world *w)
{
    emission_free(w->vents, w->count);
}

static int64_t quanta_of(double m)
{
    const double n = m * LATTICE_PER_M;
    assert_true(n == floor(n) && n >= 0);
    return (int64_t)n;
}

/* The integral of the rates until the end of step n, in 2^-56 s 2^-rate_bits m3/s. */
static wide integral(const struct world *w, int64_t n)
{
    wide sum = 0;
    for (int i = 0; i < w->list.count; i++) {
        const wide end = n * w->clock < w->to[i] ? n * w->clock : w->to[i];
        if (end > w->from[i]) sum += w->value[i] * (end - w->from[i]);
    }
    return sum;
}

/* How far `emitted` quanta in cells that get 1 / shares of the rates each are from the integral,
 * in quanta of 2^-36 m. */
static double error_of(const struct world *w, int64_t n, int64_t emitted, int64_t shares)
{
    const wide unit = ((wide)w->area_m2 * shares) << (TICKS_BITS + w->rate_bits - 36);
    return (double)((wide)emitted * unit - integral(w, n)) / (double)unit;
}

/* After each step from `first` on, before which there is no rate: what each cell and what all
 * together have emitted is the nearest whole number of quanta. Returns how much that is in the end. */
static int64_t check_from(const struct world *w, int64_t first)
{
    int64_t cell[CELLS] = {0}, all = 0;
    const double end_s = w->rate[w->list.count - 1].to_s;
    const int64_t last = (int64_t)(end_s / w->params.clock_s) + 3;
    for (int64_t n = first; n <= last; n++) {
        for (int k = 0; k < CELLS; k++) {
            const int64_t q = quanta_of(vent_amount_m(&w->vents[k], n));
            const int shares = w->sites.site[0].shares;
            cell[k] += q;
            all += q;
            if (w->sites.count == 1 && fabs(error_of(w, n, cell[k], shares)) > 1 + 1e-10)
                fail_msg("cell %d, step %d: off by %g quanta", k, (int)n,
                         error_of(w, n, cell[k], shares));
        }
        if (fabs(error_of(w, n, all, 1)) > 0.5 + 1e-10)
            fail_msg("step %d: all are off by %g quanta", (int)n, error_of(w, n, all, 1));
    }
    assert_true(integral(w, last) == integral(w, last + 100000));
    return all;
}

static int64_t check(const struct world *w)
{
    return check_from(w, 1);
}

enum { CLOCKS = 4, BITS = 3 };
static const double clocks[CLOCKS] = {0.1, 7, 120, 2400};
static const int bits[BITS] = {7, 20, 44}; /* rates up to 32 m3/s, and down to parts of a quantum */

static void test_every_step(void **state)
{
    uint64_t seed = 6;
    int small = 0, tables = 0; /* rates below a quantum a step; tables that change */
    for (int repeat = 0; repeat < CLOCKS * BITS * 40; repeat++) {
        struct world w;
        const int rate_bits = bits[repeat / CLOCKS % BITS];
        world_create(&w, clocks[repeat % CLOCKS]);
        add_random(&w, &seed, rate_bits);
        create(&w, EMISSION_INTEGRAL);
        assert_true(check(&w) > 0 || rate_bits > 7);
        for (int i = 0; i < w.vents[0].interval_count; i++)
            small += w.vents[0].amount_m[i] == 0 && w.vents[0].fraction[i];
        tables += w.vents[0].interval_count > 4;
        world_free(&w);
    }
    assert_true(small > 20 && tables > 200);
}

/* One rate over many steps: an error of a part in 2^53 in each would add up to several quanta. */
static void test_thousands_of_steps(void **state)
{
    enum { STEPS = 100000 };
    struct world w;
    world_create(&w, 120);
    add(&w, 0, 120.0 * STEPS, 4093, 7); /* the depth in a cell is no double */
    create(&w, EMISSION_INTEGRAL);
    assert_true(check(&w) > STEPS * LATTICE_PER_M);
    world_free(&w);
}

/* High rates for a few steps after some 10^7: the ends of steps are no doubles there, some of the
 * times are the doubles nearest to them. */
static void test_late_intervals(void **state)
{
    uint64_t seed = 9;
    int rounded_up = 0;
    for (int repeat = 0; repeat < 200; repeat++) {
        struct world w;
        world_create(&w, 0.1);
        const int64_t n = 10000000 + (int64_t)(1e6 * random_unit(&seed));
        for (int i = 0; i < 4; i++) {
            const double from_s = (double)(n + 5 * i) * 0.1 + 0.02 * (repeat % 3),
                         to_s = (double)(n + 5 * i + 3) * 0.1 + 0.03 * (repeat % 2);
            add(&w, from_s, to_s, 128000, 7);
            rounded_up += w.from[i] > (n + 5 * i) * w.clock && repeat % 3 == 0;
        }
        create(&w, EMISSION_INTEGRAL);
        assert_true(check_from(&w, n) > 10 * LATTICE_PER_M);
        world_free(&w);
    }
    assert_true(rounded_up > 50);
}

/* The total of all vents, of 1, 2 and 4 cells, is right too. */
static void test_a_total(void **state)
{
    uint64_t seed = 7;
    for (int repeat = 0; repeat < CLOCKS * BITS * 5; repeat++) {
        struct world w;
        world_create(&w, clocks[repeat % CLOCKS]);
        add_random(&w, &seed, bits[repeat / CLOCKS % BITS]);
        w.list.id = RATES_OF_ALL;
        w.sites.count = 3;
        for (int i = 0; i < 3; i++)
            w.site[i] = (struct vent_site){
                .id = i + 1, .count = 1 << i, .cell = w.cell + (1 << i) - 1, .shares = 1 << i};
        create(&w, EMISSION_INTEGRAL);
        check(&w);
        world_free(&w);
    }
}

static double emitted_m3(const struct world *w)
{
    double sum_m = 0;
    for (int k = 0; k < CELLS; k++) sum_m += vent_sum_m(&w->vents[k], 1, INT64_MAX);
    return sum_m * w->area_m2;
}

/* Two hours at 1 m3/s are 7,200 m3, to the last quantum, whatever the length of a step. */
static void test_two_hours(void **state)
{
    static const struct {
        double clock_s, published_m3;
    } cases[] = {{2400, 4800}, {60, 7140}, {7, 7196}, {0.5, 7199.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world w;
        world_create(&w, cases[i].clock_s);
        add(&w, 0, 3600, 1, 0);
        add(&w, 3600, 7200, 1, 0);
        create(&w, EMISSION_INTEGRAL);
        assert_true(emitted_m3(&w) == 7200);
        assert_true((double)check(&w) * w.area_m2 == 7200 * LATTICE_PER_M);
        assert_int_equal(vent_last_step(&w.vents[0]), (int64_t)ceil(7200 / cases[i].clock_s));
        world_free(&w);
        create(&w, EMISSION_PUBLISHED);
        assert_true(fabs(emitted_m3(&w) - cases[i].published_m3) < 1e-3);
        assert_true(w.vents[0].fraction[0] == 0);
        world_free(&w);
    }
}

/* What steps emit is a function of the table: sums and the last step agree with one after the
 * other. */
static void test_sums(void **state)
{
    uint64_t seed = 8;
    for (int repeat = 0; repeat < 300; repeat++) {
        struct world w;
        world_create(&w, clocks[repeat % CLOCKS]);
        add_random(&w, &seed, bits[repeat % BITS]);
        create(&w, EMISSION_INTEGRAL);
        const struct vent *v = &w.vents[repeat % CELLS];
        const int64_t end = 200, first = 1 + (int64_t)(60 * random_unit(&seed)),
                      last = first + (int64_t)(60 * random_unit(&seed));
        double sum_m = 0;
        int64_t last_step = 0;
        for (int64_t n = 1; n <= end; n++) {
            const double m = vent_amount_m(v, n);
            if (n >= first && n <= last) sum_m += m;
            if (m > 0) last_step = n;
        }
        assert_true(fabs(vent_sum_m(v, first, last) - sum_m) <= 1e-12 * sum_m);
        assert_int_equal(vent_last_step(v), last_step);
        world_free(&w);
    }
}

/* ---- how much in a cell ---------------------------------------------------------------------- */

static void test_peak(void **state)
{
    int64_t first[3][3] = {{1, 10, 20}, {5, 10, 20}, {7, 12, 0}};
    double m[3][3] = {{1, 3, 0}, {40, 59.5, 0}, {8, 0, 0}};
    struct vent vents[3] = {{.row = 4, .col = 5, .id = 1, .interval_count = 3},
                            {.row = 4, .col = 6, .id = 2, .interval_count = 3},
                            {.row = 4, .col = 5, .id = 3, .interval_count = 2}};
    struct emission_peak peak;
    struct error e = {0};
    for (int i = 0; i < 3; i++) vents[i].first_step = first[i], vents[i].amount_m = m[i];
    assert_int_equal(emission_find_peak(&peak, vents, 3, &e), 0);
    assert_true(peak.amount_m == 59.5 && peak.step == 10 && peak.col == 6);
    assert_true(peak.id == 2 && peak.cells == 1);
    vents[1].col = 5; /* all in one cell: 1 + 40 + 8, then 3 + 59.5 + 8 */
    assert_int_equal(emission_find_peak(&peak, vents, 3, &e), 0);
    assert_true(peak.amount_m == 70.5 && peak.step == 10 && peak.id == 0 && peak.cells == 0);
    assert_int_equal(emission_find_peak(&peak, vents, 0, &e), 0);
    assert_true(peak.amount_m == 0);
}

/* A vent that begins in the step in which another of the same cell ends; the limit itself is
 * allowed. */
static void test_peak_of_successors(void **state)
{
    int64_t first[2][2] = {{11, 20}, {1, 11}};
    double m[2][2] = {{EMISSION_MAX_M, 0}, {1, 0}};
    struct vent vents[2] = {{.row = 4, .col = 5, .id = 1, .interval_count = 2},
                            {.row = 4, .col = 5, .id = 2, .interval_count = 2}};
    const struct rate_lists rates = {.path = "rates"};
    const struct params params = {.clock_s = 120, .cell_m = 10};
    const struct emission_input in = {.rates = &rates, .params = &params};
    struct emission_peak peak;
    struct error e = {0};
    for (int i = 0; i < 2; i++) vents[i].first_step = first[i], vents[i].amount_m = m[i];
    assert_int_equal(emission_find_peak(&peak, vents, 2, &e), 0);
    assert_true(peak.amount_m == EMISSION_MAX_M && peak.step == 11);
    assert_int_equal(emission_check_peak(vents, 2, &in, &e), 0);
    m[0][0] += LATTICE_M;
    assert_int_equal(emission_check_peak(vents, 2, &in, &e), ERROR_INPUT);
}

/* The cells of a vent differ in their turn alone, and are made one of the other. */
static void test_next_cell(void **state)
{
    uint64_t seed = 11;
    for (int round = 0; round < 50; round++) {
        struct world w;
        world_create(&w, round % 2 ? 120 : 0.1);
        add_random(&w, &seed, 20);
        const enum emission_rule rule = round % 3 ? EMISSION_INTEGRAL : EMISSION_PUBLISHED;
        struct vent before = {0}, next = {0}, alone = {0};
        assert_int_equal(emission_fill(&before, &w.list, CELLS, round % 6, &w.params, rule, &w.e),
                         0);
        assert_int_equal(
            emission_fill(&alone, &w.list, CELLS, round % 6 + 1, &w.params, rule, &w.e), 0);
        assert_int_equal(emission_fill_next(&next, &before, CELLS, round % 6 + 1, round % 6, &w.e),
                         0);
        const size_t n = (size_t)alone.interval_count;
        assert_true(n > 0 && next.interval_count == alone.interval_count);
        assert_memory_not_equal(before.phase, alone.phase, n * sizeof *alone.phase);
        assert_memory_equal(next.phase, alone.phase, n * sizeof *alone.phase);
        assert_memory_equal(next.first_step, alone.first_step, n * sizeof *alone.first_step);
        assert_memory_equal(next.amount_m, alone.amount_m, n * sizeof *alone.amount_m);
        assert_memory_equal(next.fraction, alone.fraction, n * sizeof *alone.fraction);
        struct vent *const all[] = {&before, &next, &alone};
        for (int i = 0; i < 3; i++) {
            free(all[i]->first_step);
            free(all[i]->amount_m);
            free(all[i]->fraction);
            free(all[i]->phase);
        }
    }
}

int main(void)
{
    return UNIT_RUN(test_every_step, test_a_total, test_two_hours, test_sums, test_peak,
                    test_peak_of_successors, test_thousands_of_steps, test_late_intervals,
                    test_next_cell);
}
