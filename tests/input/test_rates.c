/* Effusion rates: intervals of time become amounts of steps. */
/* tests: input/eruption */
/* run: quick */
#include "eruption/emission.h"

#include "model/lattice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_files.h"
#include "unit.h"

struct world {
    struct scratch s;
    struct rate_lists rates;
    struct vent_sites sites; /* vent 3: one cell; vent 4: a fissure of three */
    struct vent_site site[2];
    struct vent_cell cell[4];
    struct params params;
    enum emission_rule rule;
    struct vent *vents;
    int count;
    const char *start_time;
    struct error e;
};

static void world_create(struct world *w, double clock_s)
{
    memset(w, 0, sizeof *w);
    scratch_create(&w->s);
    w->params = (struct params){.clock_s = clock_s, .cell_m = 10};
    w->rule = EMISSION_PUBLISHED;
    w->start_time = "";
    for (int i = 0; i < 4; i++) w->cell[i] = (struct vent_cell){.row = 5, .col = i};
    w->site[0] = (struct vent_site){.id = 3, .count = 1, .cell = w->cell, .shares = 1};
    w->site[1] = (struct vent_site){.id = 4, .count = 3, .cell = w->cell + 1, .shares = 3};
    w->sites = (struct vent_sites){.path = "vents.csv", .count = 2, .site = w->site};
}

static void reset(struct world *w)
{
    rates_free(&w->rates);
    emission_free(w->vents, w->count);
    w->vents = NULL;
    w->count = 0;
}

static void world_free(struct world *w)
{
    reset(w);
    scratch_remove(&w->s);
}

static int bring_together(struct world *w, bool original)
{
    const struct emission_input in = {&w->sites, &w->rates, &w->params, w->rule, original};
    return emission_create(&w->vents, &w->count, &in, &w->e);
}

static int read_rates(struct world *w, const char *text)
{
    reset(w);
    put_text(&w->s, "rates.csv", text);
    int status = rates_read(&w->rates, scratch_file(&w->s, "rates.csv"), w->params.clock_s,
                            w->start_time, &w->e);
    return status ? status : bring_together(w, false);
}

/* What the tables say for one step. */
static double amount_at(const struct vent *v, int64_t step)
{
    double amount_m = 0;
    for (int i = 0; i < v->interval_count && v->first_step[i] <= step; i++)
        amount_m = v->amount_m[i];
    return amount_m;
}

/* An interval [t0, t1) applies at step n when t0 <= n * clock < t1, whatever the numbers are. */
static void test_definition(void **state)
{
    static const double clocks[] = {120, 1, 60, 7, 0.1, 1.0 / 3, 33.3};
    static const double times[] = {0, 100, 250.5, 700, 705, 900, 1200, 1999.9, 2000};
    enum { TIMES = sizeof times / sizeof *times };
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) {
        struct world w;
        char text[1024] = "vent,from_s,to_s,rate_m3_s\n";
        int wet = 0;
        world_create(&w, clocks[k]);
        for (int i = 0; i + 1 < TIMES; i++)
            if (i != 2 &&
                times[i + 1] - times[i] > 2 * clocks[k]) /* one gap, no interval is lost */
                sprintf(text + strlen(text), "3,%.17g,%.17g,%d\n", times[i], times[i + 1], i + 1);
        strcat(text, "4,0,2400,0\n");
        assert_int_equal(read_rates(&w, text), 0);
        assert_int_equal(w.count, 4);
        for (int64_t n = 1; (double)n * clocks[k] < 2500; n++) {
            double expected = 0, t = (double)n * clocks[k];
            for (int i = 0; i + 1 < TIMES; i++)
                if (i != 2 && times[i + 1] - times[i] > 2 * clocks[k] && t >= times[i] &&
                    t < times[i + 1])
                    expected = lattice_round((i + 1.0) / (10.0 * 10.0) * clocks[k]);
            assert_true(amount_at(&w.vents[0], n) == expected);
            assert_true(amount_at(&w.vents[1], n) == 0);
            wet += expected > 0;
        }
        assert_true(wet > 0);
        world_free(&w);
    }
}

static void test_sharing(void **state)
{
    struct world w;
    world_create(&w, 120);
    assert_int_equal(read_rates(&w, "vent,from_h,to_h,rate_m3_s\n3,0,24,2\n4,0,24,6\n"), 0);
    for (int i = 0; i < 4; i++) {
        assert_true(amount_at(&w.vents[i], 1) == lattice_round(2.0 / 100 * 120));
        assert_int_equal(w.vents[i].col, i);
        assert_int_equal(w.vents[i].id, i ? 4 : 3);
        assert_int_equal(w.vents[i].first_step[1], 720);
    }
    /* the total of all: half for each vent, a third of that in each cell of the fissure */
    assert_int_equal(read_rates(&w, "vent,from_s,to_s,rate_m3_s\n*,0,86400,6\n"), 0);
    assert_true(amount_at(&w.vents[0], 1) == lattice_round(3.0 / 100 * 120));
    assert_true(amount_at(&w.vents[1], 1) == lattice_round(1.0 / 100 * 120));
    world_free(&w);
}

/* However the time is cut up: the same tables. */
static void test_canonical(void **state)
{
    struct world a, b;
    world_create(&a, 120);
    world_create(&b, 120);
    assert_int_equal(
        read_rates(&a, "vent,from_s,to_s,rate_m3_s\n3,1200,3600,2\n3,6000,7200,1\n4,0,9,0\n"), 0);
    assert_int_equal(
        read_rates(&b, "rate_m3_s,vent,to_s,from_s\r\n0,3,1200,0\r\n\r\n2,3,2400,1200\r\n"
                       "\"2\",3,3600,2400\r\n1,3,6600,6000\r\n1,3,7200,6600\r\n0,3,90000,7200\r\n"
                       "0,4,7,5"),
        0);
    assert_int_equal(a.vents[0].interval_count, 4);
    assert_int_equal(b.vents[0].interval_count, 4);
    assert_memory_equal(a.vents[0].first_step, b.vents[0].first_step, 4 * sizeof(int64_t));
    assert_memory_equal(a.vents[0].amount_m, b.vents[0].amount_m, 4 * sizeof(double));
    assert_int_equal(a.vents[1].interval_count, 0);
    assert_int_equal(b.vents[1].interval_count, 0);
    /* by the integral, cuts within a step are none either */
    a.rule = b.rule = EMISSION_INTEGRAL;
    assert_int_equal(read_rates(&a, "vent,from_s,to_s,rate_m3_s\n3,50,3601,2.3\n4,0,9,1\n"), 0);
    assert_int_equal(read_rates(&b, "vent,from_s,to_s,rate_m3_s\n3,50,77,2.3\n3,77,200,2.3\n"
                                    "3,200,3600,2.3\n3,3600,3601,2.3\n4,0,4,1\n4,4,9,1"),
                     0);
    assert_int_equal(a.vents[0].interval_count, 4); /* a part, whole steps, a part, nothing */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(b.vents[i].interval_count, a.vents[i].interval_count);
        const size_t n = (size_t)a.vents[i].interval_count;
        assert_memory_equal(a.vents[i].first_step, b.vents[i].first_step, n * sizeof(int64_t));
        if (i == 0) continue; /* parts that are added may differ by 2^-64 of a quantum */
        assert_memory_equal(a.vents[i].amount_m, b.vents[i].amount_m, n * sizeof(double));
        assert_memory_equal(a.vents[i].fraction, b.vents[i].fraction, n * sizeof(uint64_t));
        assert_memory_equal(a.vents[i].phase, b.vents[i].phase, n * sizeof(uint64_t));
    }
    world_free(&a);
    world_free(&b);
}

/* [TIME] of the original: i = floor(n * clock / TIME), also where a rate is shorter than a step. */
static void test_original_table(void **state)
{
    static const double lengths[] = {86400, 500, 120, 119.9, 50, 7};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct world w;
        char text[2048];
        world_create(&w, 120);
        w.sites.count = 1;
        sprintf(text, "[TIME]\n%.17g\n[VENT_ID]\n3\n[EMISSION_RATE]\n", lengths[k]);
        for (int i = 0; i < 40; i++) sprintf(text + strlen(text), "%d\n", 1 + i % 3);
        strcat(text, "[END]\n");
        put_text(&w.s, "rates.txt", text);
        assert_int_equal(rates_read_original(&w.rates, scratch_file(&w.s, "rates.txt"), 120, &w.e),
                         0);
        assert_int_equal(bring_together(&w, true), 0);
        double seen = 0;
        for (int64_t n = 1; n < 40000; n++) {
            double i = floor((double)n * 120 / lengths[k]);
            double rate = i < 40 ? 1 + (int)i % 3 : 0;
            assert_true(amount_at(&w.vents[0], n) == lattice_round(rate / 100 * 120));
            seen += rate;
        }
        assert_true(seen > 0);
        world_free(&w);
    }
}

static void test_refusals(void **state)
{
#define HEAD "vent,from_s,to_s,rate_m3_s\n"
    static const struct {
        const char *text, *where, *what;
    } bad[] = {
        {"", "rates.csv: ", "empty"},
        {HEAD, "rates.csv: ", "no rate"},
        {"3,0,10,1\n", "rates.csv:1: ", "vent,from,to,rate_m3_s"},
        {"vent,from_s,to_h,rate_m3_s\n3,0,10,1\n", "rates.csv:1: ", "vent,from,to,rate_m3_s"},
        {"vent,from_s,to_s,rate\n3,0,10,1\n", "rates.csv:1: ", "vent,from,to,rate_m3_s"},
        {HEAD "3,0,1200\n", "rates.csv:2: ", "3 cells"},
        {HEAD "3,0,1200,-1\n", "rates.csv:2: ", "negative"},
        {HEAD "3,-120,1200,1\n", "rates.csv:2: ", "negative"},
        {HEAD "3,1200,1200,1\n", "rates.csv:2: ", "not after"},
        {HEAD "3,1200,0,1\n", "rates.csv:2: ", "not after"},
        {HEAD "3,0,1e13,1\n", "rates.csv:2: ", "too late"},
        {HEAD "3,0,nan,1\n", "rates.csv:2: to_s is 'nan'; ", "give seconds since the start"},
        {HEAD "3,0,2006-07-12T07:00,1\n", "rates.csv:2: to_s is", "needs start_time"},
        {HEAD "3,0,6hours,1\n", "rates.csv:2: ", "90s, 30min, 6h, 2d"},
        {HEAD "3,0,1200,inf\n", "rates.csv:2: ", "finite"},
        {HEAD "3,0,1200,1 m3/s\n", "rates.csv:2: ", "finite"},
        {HEAD "3,0,1200,\n", "rates.csv:2: ", "finite"},
        {HEAD "x,0,1200,1\n", "rates.csv:2: ", "whole number"},
        {HEAD "0,0,1200,1\n", "rates.csv:2: ", "whole number"},
        {HEAD "3,0,1200,1\n4,0,1200,1\n3,1199,2400,1\n", "rates.csv:4: ", "before the row above"},
        {HEAD "3,2400,3600,1\n3,0,1200,1\n", "rates.csv:3: ", "before the row above"},
        {HEAD "3,10,100,1\n", "rates.csv:2: ", "no step"},
        {HEAD "3,0,1200,1\n4,0,1200,1\n5,0,1200,1\n", "rates.csv:4: ", "vent 5"},
        {HEAD "3,0,1200,1\n", "rates.csv: ", "vent 4"},
        {HEAD "3,0,1200,1\n*,0,1200,1\n", "rates.csv:3: ", "one of the two kinds"},
        {HEAD "3,0,1200,1\n4,0,1200,1\n3,1200,2400,417\n", "rates.csv:4: ", "in one step"},
        {HEAD "3,0,1200,1\n4,0,1200,1\n3,1200,2400,84\n", "rates.csv:4: ",
         "100.8 m of lava to a cell in one step, more than 100; correct the rate, spread the "
         "vent "
         "over at least 2 cells, or give a Pclock of at most 119 s"},
        {HEAD "3,0,1200,1\n4,0,1200,500\n", "rates.csv:3: ", "over at least 7 cells"},
        {HEAD "3,0,1200,1e300\n4,0,1200,1\n",
         "rates.csv:2: ", "correct the rate, for example the unit: m3/s"},
        {HEAD "\"3,0,1200,1\n", "rates.csv:2: ", "quote"},
        {"vent,from_h,to_h,from,to,rate_m3_s\n3,0,1,0,1,1\n4,0,1,0,1,1\n",
         "rates.csv:1: ", "times in both from_h and from; keep one"},
        {"vent,from_h,from,to,rate_m3_s\n3,3,0,6,5\n4,0,0,6,1\n",
         "rates.csv:1: ", "times in both from and from_h; keep one"},
        {"vent,from,to,to_s,rate_m3_s\n3,0,6,7,5\n4,0,6,7,1\n",
         "rates.csv:1: ", "times in both from and to_s; keep one"},
    };
    struct world w;
    world_create(&w, 120);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        w.rule = strstr(bad[i].what, "no step") || i % 2 ? EMISSION_PUBLISHED : EMISSION_INTEGRAL;
        int status = read_rates(&w, bad[i].text);
        if (status != ERROR_INPUT || !strstr(w.e.text, bad[i].where) ||
            !strstr(w.e.text, bad[i].what) || strchr(w.e.text, '\n') || w.vents)
            fail_msg("%s gave %d: %s", bad[i].text, status, w.e.text);
    }
    world_free(&w);
}

/* In whatever way the times are given: the same amounts in the same steps, whose bits are compared.
 */
static void test_times(void **state)
{
    static const char *const same[] = {
        "vent,from_h,to_h,rate_m3_s\n3,1.1,7,1.5\n3,7,8.2,0.5\n4,0,24,2\n",
        "vent,from_s,to_s,rate_m3_s\n3,3960,25200,1.5\n3,25200,29520,0.5\n4,0,86400,2\n",
        "vent,from,to,rate_m3_s\n3,1.1,7,1.5\n3,7,8.2,0.5\n4,0,24,2\n",
        "vent,from,to,rate_m3_s\n3,66min,7h,1.5\n3,7h,29520s,0.5\n4,0s,1d,2\n",
        "vent,from,to,rate_m3_s\n3,2006-07-12T07:06,2006-07-12T13:00Z,1.5\n"
        "3,2006-07-12 13:00:00,2006-07-12T16:12+02:00,0.5\n4,2006-07-12T06:00,2006-07-13 "
        "06:00,2\n"};
    static const double clocks[] = {120, 7, 1.0 / 3};
    for (size_t k = 0; k < 2 * sizeof clocks / sizeof *clocks; k++) {
        struct world w;
        struct vent *first = NULL;
        int count = 0;
        world_create(&w, clocks[k / 2]);
        w.rule = k % 2 ? EMISSION_PUBLISHED : EMISSION_INTEGRAL;
        w.start_time = "2006-07-12T06:00:00Z";
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            assert_int_equal(read_rates(&w, same[i]), 0);
            assert_int_equal(w.count, 4);
            for (int v = 0; v < w.count && i; v++) {
                const size_t n = (size_t)first[v].interval_count;
                assert_true(n > 0);
                assert_int_equal(n, w.vents[v].interval_count);
                assert_memory_equal(first[v].first_step, w.vents[v].first_step,
                                    n * sizeof(int64_t));
                assert_memory_equal(first[v].amount_m, w.vents[v].amount_m, n * sizeof(double));
                assert_memory_equal(first[v].fraction, w.vents[v].fraction, n * sizeof(uint64_t));
            }
            if (i) continue;
            first = w.vents;
            count = w.count;
            w.vents = NULL;
            w.count = 0;
        }
        emission_free(first, count);
        world_free(&w);
    }
}

static int read_power(struct world *w, const char *text)
{
    reset(w);
    put_text(&w->s, "power.csv", text);
    return rates_read_power(&w->rates, scratch_file(&w->s, "power.csv"), w->params.clock_s,
                            w->start_time, 2e8, &w->e);
}

/* Between two times the rate is that of the mean power, in whatever units; an eruption may end with no power. */
static void test_power(void **state)
{
    static const char *const same[] = {
        "time_h,radiant_power_W\n0.5,1e8\n1,5e9\n3,2e9\n4,0\n",
        "radiant_power_MW,time_s\n100,1800\n5000,3600\n2000,10800\n0,14400\n",
        "time,radiant_power_MW\n30min,100\n1,5000\n2006-07-12T09:00,2000\n4h,0\n"};
    static const double hour[] = {0.5, 1, 3, 4}, power_W[] = {1e8, 5e9, 2e9, 0};
    static const char *const bad[][2] = {
        {"time_h,radiant_power_W\n0,1e9\n0,1e9\n", "power.csv:3: the time is not later"},
        {"time_h,radiant_power_W\n-1,1e9\n0,1e9\n", "power.csv:2: the time is negative"},
        {"time_h,radiant_power_W\n0,1e9\n1,-1\n", "power.csv:3: the power is negative"},
        {"time_h,radiant_power_W\n0,1e9\n", "power.csv: has fewer than two times"},
        {"time_h,radiant_power_W\n0,100\n1,5000\n2,20\n", "greatest power is 5e+03 W"},
        {"time_h,radiant_power_MW\n0,0\n1,1e9\n", "power.csv:3: the power means a rate of 2.5e+06"},
        {"time_h,time_s,radiant_power_W\n0,0,1e9\n", "the header has to be"},
        {"time_h,radiant_power_W,radiant_power_MW\n0,1e9,1e3\n", "the header has to be"},
    };
    struct world w;
    world_create(&w, 120);
    w.start_time = "2006-07-12T06:00:00Z";
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        must(read_power(&w, same[k]), &w.e);
        assert_int_equal(w.rates.count, 1);
        const struct rate_list *all = w.rates.list;
        assert_true(all->id == RATES_OF_ALL && all->count == 3);
        for (int i = 0; i < all->count; i++) {
            assert_true(all->rate[i].from_s == 3600 * hour[i]);
            assert_true(all->rate[i].to_s == 3600 * hour[i + 1]);
            assert_true(all->rate[i].rate_m3_s == (power_W[i] + power_W[i + 1]) / 2 / 2e8);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (read_power(&w, bad[i][0]) != ERROR_INPUT || !strstr(w.e.text, bad[i][1]))
            fail_msg("%s: %s", bad[i][1], w.e.text);
    world_free(&w);
}

/* What two vents emit into one cell is limited together. */
static void test_one_cell(void **state)
{
    struct world w;
    world_create(&w, 120);
    w.cell[2] = w.cell[0]; /* vent 3, and the second cell of vent 4 */
    for (int rule = EMISSION_INTEGRAL; rule <= EMISSION_PUBLISHED; rule++) {
        w.rule = (enum emission_rule)rule;
        assert_int_equal(read_rates(&w, HEAD "3,0,2400,50\n4,0,1200,1\n4,2400,3600,240"), 0);
        assert_int_equal(read_rates(&w, HEAD "3,0,2400,50\n4,0,1200,1\n4,1200,3600,240"),
                         ERROR_INPUT);
        assert_non_null(strstr(w.e.text, "rates.csv: several vents emit 156 m of lava into the "
                                         "cell at row 5, column 0 in step 1"));
        assert_non_null(strstr(w.e.text, "at least 2 times as many cells, or give a Pclock of at "
                                         "most 76.9 s"));
    }
    /* published arithmetic has no such limit */
    w.rule = EMISSION_UNROUNDED;
    assert_int_equal(read_rates(&w, HEAD "3,0,2400,50\n4,0,1200,1\n4,1200,3600,240"), 0);
    world_free(&w);
}

int main(void)
{
    return UNIT_RUN(test_definition, test_sharing, test_canonical, test_original_table,
                    test_refusals, test_times, test_power, test_one_cell);
}
