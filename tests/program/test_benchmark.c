/* test_benchmark.c — what a benchmark counts, and that a variant that is wrong in one bit gets no
 * time. */
/* tests: program/bench */
#include "random_case.h"

#include "bench/bench.h"
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

extern const struct variant variant_reference;

enum { STEPS = 200, RUINED_STEP = 120 };

/* The reference, but for the last bit of one temperature in every state up to step RUINED_STEP. */
static int ruined_snapshot(void *self, struct fields *out, struct error *e)
{
    int status = variant_reference.snapshot(self, out, e);
    if (out->step > RUINED_STEP) return status;
    uint64_t bits;
    memcpy(&bits, &out->temp_K[7], sizeof bits);
    bits ^= 1;
    memcpy(&out->temp_K[7], &bits, sizeof bits);
    return status;
}

static int no_device(const struct variant_options *o, char what[128], struct error *e)
{
    (void)o;
    *what = 0;
    return error_device(e, "no device today");
}

static void set_up_case(struct random_case *c, struct bench_states *s)
{
    struct error e = {0};
    random_case_create(c, 40, 45, 0.01, 5);
    assert_int_equal(bench_reference(s, &c->problem, STEPS, &e), 0);
    assert_true(s->peak_wet > 20); /* the comparison is not about nothing */
    assert_true(s->peak_wet >= s->end_wet);
}

/* The same count, by looking at every step. */
static void test_updates(void **state)
{
    struct random_case c;
    struct bench_states s;
    struct fields f;
    struct error e = {0};
    struct variant_status at;
    void *self = NULL;
    double updates = 0;
    size_t wet, most = 0;
    set_up_case(&c, &s);
    assert_int_equal(s.sampled, 1);
    assert_int_equal(s.steps, STEPS);
    assert_int_equal(fields_create(&f, c.problem.window, &e), 0);
    assert_int_equal(variant_reference.create(&self, &c.problem, NULL, &e), 0);
    for (int i = 0; i < STEPS; i++) {
        assert_int_equal(variant_reference.advance(self, 1, &at, &e), 0);
        assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
        fields_mobile(&f, &wet);
        updates += (double)wet;
        most = wet > most ? wet : most;
    }
    assert_true(updates == s.updates);
    assert_int_equal(most, s.peak_wet);
    const char *what;
    assert_int_equal(fields_differ(&f, &s.end, &what), 0);
    variant_reference.destroy(self);
    fields_free(&f);
    bench_states_free(&s);
    random_case_free(&c);
}

static struct bench_row measure(const struct variant *v, const struct problem *p,
                                const struct bench_states *s, int threads)
{
    const struct variant_options o = {.threads = threads};
    const struct bench_plan plan = {.repeat = 4, .limit_s = 60, .states = s, .last = STEPS};
    struct bench_row row = {.variant = v->name, .threads = threads};
    struct error e = {0};
    assert_int_equal(bench_measure(&row, v, p, &o, &plan, &e), 0);
    return row;
}

static void test_verdicts(void **state)
{
    struct random_case c;
    struct bench_states s;
    set_up_case(&c, &s);
    for (int full = 0; full < 2; full++)
        for (int threads = 1; threads < 4; threads++) {
            c.problem.full_domain = full;
            struct bench_row row = measure(&variant_reference, &c.problem, &s, threads);
            assert_int_equal(row.verdict, BENCH_EQUAL);
            assert_int_equal(row.runs, 3);
            assert_true(row.steps_ms.min > 0 && row.steps_ms.min <= row.steps_ms.median);
            assert_true(row.steps_ms.median <= row.steps_ms.max);
            assert_true(row.total_ms.min > row.steps_ms.min);
            assert_true(row.memory_bytes > 40 * 45 * sizeof(double));
        }
    /* Wrong at the end; and right at the end but wrong where most lava is mobile. */
    struct variant ruined = variant_reference;
    ruined.snapshot = ruined_snapshot;
    s.end.step = STEPS;
    struct bench_states early;
    struct error e = {0};
    assert_int_equal(bench_reference(&early, &c.problem, RUINED_STEP, &e), 0);
    struct bench_plan plan = {.repeat = 2, .limit_s = 60, .states = &early, .last = RUINED_STEP};
    struct bench_row row = {.variant = "ruined", .threads = 1};
    assert_int_equal(bench_measure(&row, &ruined, &c.problem, NULL, &plan, &e), 0);
    assert_int_equal(row.verdict, BENCH_WRONG);
    assert_int_equal(row.runs, 0);
    assert_non_null(strstr(row.why, "temp"));

    fields_free(&s.peak);
    s.peak = early.peak; /* an earlier state with lava stands for the peak */
    s.peak_wet = early.peak_wet;
    row = measure(&ruined, &c.problem, &s, 1);
    assert_int_equal(row.verdict, BENCH_WRONG);
    assert_non_null(strstr(row.why, "temp"));
    early.peak = (struct fields){0};
    bench_states_free(&early);

    struct variant absent = variant_reference;
    absent.available = no_device;
    row = measure(&absent, &c.problem, &s, 0);
    assert_int_equal(row.verdict, BENCH_NONE);
    assert_string_equal(row.why, "no device today");
    bench_states_free(&s);
    random_case_free(&c);
}

static void test_no_lava(void **state)
{
    struct random_case c;
    struct bench_states s;
    struct error e = {0};
    random_case_create(&c, 20, 20, 0, 1);
    c.problem.vent_count = 0;
    c.problem.thickness_m = NULL;
    c.problem.temp_K = NULL;
    assert_int_equal(bench_reference(&s, &c.problem, 10, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "nothing to compare"));
    random_case_free(&c);
}

/* Rows made up, with a global twice as slow as another, and one that is wrong. */
static void test_report(void **state)
{
    struct bench_states s = {
        .steps = 1000, .sampled = 1, .updates = 5e6, .peak_wet = 9, .end_wet = 8};
    const struct sim_case c = {.name = "x",
                               .title = "X",
                               .terrain_source = "made up",
                               .problem = {.rows = 30, .cols = 40},
                               .geo.cell_m = 10};
    struct bench_report r = {
        .command = "sciara benchmark x.cfg",
        .c = &c,
        .cpu = "a CPU",
        .gpu = "a GPU",
        .states = &s,
        .count = 3,
        .row = {{.variant = "global", .runs = 4, .steps_ms = {10, 9, 11}, .total_ms = {12, 12, 13}},
                {.variant = "cfamo", .runs = 4, .steps_ms = {5, 4, 6}, .total_ms = {7, 7, 7}},
                {.variant = "tiled", .verdict = BENCH_WRONG, .why = "differs at step 7"}}};
    char text[8192] = "", folder[] = "build/tmp/benchmark_XXXXXX", path[64];
    struct error e = {0};
    bench_note(&r, "a note");
    assert_true(bench_versus_global(&r, &r.row[1]) == 2);
    assert_true(isnan(bench_versus_global(&r, &r.row[2])));
    assert_true(bench_us_per_step(&r, &r.row[1]) == 5);
    assert_true(bench_updates_per_s(&r, &r.row[1]) == 1e9);
    FILE *f = fmemopen(text, sizeof text, "w");
    bench_print(f, &r);
    fclose(f);
    assert_non_null(strstr(text, "  WRONG         -  "));
    assert_non_null(strstr(text, "tiled, lava domain: differs at step 7"));
    assert_non_null(strstr(text, "a note"));

    assert_non_null(mkdtemp(folder));
    assert_int_equal(bench_write(folder, &r, &e), 0);
    snprintf(path, sizeof path, "%s/benchmark.csv", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_non_null(strstr(text, "\ncfamo,lava,0,equal,4,1000,5000000,5,4,6,7,7,7,5,1e+09,,2\n"));
    assert_non_null(strstr(text, "\ntiled,lava,0,WRONG,0,1000,5000000,,,,,,,,,,\n"));
    static const char *const files[] = {"csv", "png"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/benchmark.%s", folder, files[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0); /* no temporary file stays */
}

static int make_folder(void **state)
{
    return system("mkdir -p build/tmp");
}

int main(void)
{
    return UNIT_RUN_IN(NULL, NULL, make_folder, NULL, test_updates, test_verdicts, test_no_lava,
                       test_report);
}
