/* The oracle in published arithmetic: against the published program's states and checksums on Etna
 * 2006 (where ETNA2006_DIR has them), its two ways of visiting cells against each other, and the
 * defect that it keeps on purpose. */
/* tests: reference */
/* run: plain, sanitized */
#include "random_case.h"

#include "case/case.h"
#include "sim/fields.h"
#include "run/output.h"
#include "reference/published.h"
#include "effort.h"

#include "published_run.h"
#include "unit.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- small cases ----------------------------------------------------------------------------- */

enum { ROWS = 37, COLS = 29, CELLS = ROWS * COLS, VENTS = 3 };

struct small_case {
    double elevation_m[CELLS], thickness_m[CELLS], temp_K[CELLS];
    int64_t first_step[VENTS][3];
    double amount_m[VENTS][3];
    struct vent vents[VENTS];
    struct problem problem;
};

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(2862933555777941757) + UINT64_C(3037000493);
    return (double)(*state >> 11) * 0x1p-53;
}

static void small_case_flat(struct small_case *c)
{
    memset(c, 0, sizeof *c);
    c->problem = (struct problem){.rows = ROWS,
                                  .cols = COLS,
                                  .window = {0, 0, ROWS, COLS},
                                  .params = etna_params(),
                                  .elevation_m = c->elevation_m,
                                  .thickness_m = c->thickness_m,
                                  .temp_K = c->temp_K,
                                  .vents = c->vents,
                                  .reduce_every = 7};
}

/* A approx slope with holes in the data, some lava lying about, and vents that start, change and
 * end. */
static void small_case_random(struct small_case *c, uint64_t seed)
{
    small_case_flat(c);
    for (int i = 0; i < CELLS; i++) {
        c->elevation_m[i] = 2000 + 3.0 * (i / COLS) + 12 * uniform(&seed);
        if (uniform(&seed) < 0.02) c->elevation_m[i] = NAN;
        else if (uniform(&seed) < 0.01) {
            c->thickness_m[i] = 5 * uniform(&seed);
            c->temp_K[i] = 1150 + 200 * uniform(&seed);
        }
    }
    for (int v = 0; v < VENTS; v++) {
        int cell = (int)(uniform(&seed) * CELLS);
        if (isnan(c->elevation_m[cell])) c->elevation_m[cell] = 2100;
        for (int i = 0; i < 3; i++) {
            c->first_step[v][i] = 1 + 15 * v + 60 * i;
            c->amount_m[v][i] = i < 2 ? 4 * uniform(&seed) : 0;
        }
        c->vents[v] = (struct vent){.row = cell / COLS,
                                    .col = cell % COLS,
                                    .id = v + 1,
                                    .interval_count = 3,
                                    .first_step = c->first_step[v],
                                    .amount_m = c->amount_m[v]};
    }
    c->problem.vent_count = VENTS;
    c->problem.last_vent_step = c->first_step[VENTS - 1][2] - 1;
}

struct run {
    void *p;
    struct fields state;
    double outflow_m[8 * CELLS];
};

static void run_start(struct run *r, struct small_case *c, bool full_domain)
{
    struct error e;
    c->problem.full_domain = full_domain;
    assert_int_equal(variant_oracle.create(&r->p, &c->problem, NULL, &e), 0);
    assert_int_equal(fields_create(&r->state, c->problem.window, &e), 0);
}

static void run_advance(struct run *r, int64_t steps)
{
    variant_oracle.advance(r->p, steps, NULL, NULL);
    variant_oracle.snapshot(r->p, &r->state, NULL);
    variant_oracle.outflows(r->p, r->outflow_m, NULL);
}

static void run_end(struct run *r)
{
    variant_oracle.destroy(r->p);
    fields_free(&r->state);
}

static double sum_of(const double *m)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++) sum += m[i];
    return sum;
}

static void test_rows_of_lava_give_the_bits_of_the_full_domain(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        static struct small_case c;
        static struct run lava, full;
        small_case_random(&c, seed);
        run_start(&lava, &c, false);
        run_start(&full, &c, true);
        size_t wet_begin, wet_later = 0;
        run_advance(&lava, 0);
        fields_mobile(&lava.state, &wet_begin);
        for (int step = 1; step <= 200; step++) {
            run_advance(&lava, 1);
            run_advance(&full, 1);
            const char *what = NULL;
            if (fields_differ(&lava.state, &full.state, &what))
                fail_msg("seed %d, step %d: %s differs", (int)seed, step, what);
            assert_memory_equal(lava.outflow_m, full.outflow_m, sizeof lava.outflow_m);
            size_t wet;
            fields_mobile(&lava.state, &wet);
            if (wet > wet_later) wet_later = wet;
        }
        assert_true(wet_begin > 0 && wet_later > 3 * wet_begin); /* lava was there, and it spread */
        assert_true(sum_of(lava.state.solid_m) > 0);
        struct variant_status a, b;
        variant_oracle.advance(lava.p, 0, &a, NULL);
        variant_oracle.advance(full.p, 0, &b, NULL);
        assert_true(a.mobile == b.mobile && a.mobile > 0 && a.step == 200 && b.step == 200);
        run_end(&lava);
        run_end(&full);
    }
}

/* Steps made one by one or all at once, in two simulations side by side, give the same. */
static void test_advances_add_up(void **unused)
{
    (void)unused;
    static struct small_case c;
    static struct run one, many;
    small_case_random(&c, 99);
    run_start(&one, &c, false);
    run_start(&many, &c, false);
    for (int step = 0; step < 50; step++) run_advance(&one, 1);
    run_advance(&many, 50);
    assert_true(fields_mobile(&one.state, NULL) > 0);
    assert_int_equal(fields_differ(&one.state, &many.state, NULL), 0);
    run_end(&one);
    run_end(&many);
}

static void test_stopping_rule_ends_the_run(void **unused)
{
    (void)unused;
    static struct small_case c;
    static struct run r;
    small_case_random(&c, 5);
    c.problem.stop_when_still = true;
    c.problem.stop_mobile_m = 1e9; /* still enough at the first reduction after the eruption */
    run_start(&r, &c, false);
    run_advance(&r, 100000);
    struct variant_status status;
    variant_oracle.advance(r.p, 0, &status, NULL);
    const int64_t every = c.problem.reduce_every;
    assert_true(status.stopped);
    assert_int_equal(status.step, (c.problem.last_vent_step / every + 1) * every);
    assert_true(status.mobile > 0);
    run_end(&r);
}

/* docs/model.md, section 3: a cell that gives lava away and solidifies in the same step goes on
 * feeding its neighbours in every later step, out of nothing. Strong cooling makes all lava
 * solidify at once. */
static void test_stale_outflows_are_kept(void **unused)
{
    (void)unused;
    static struct small_case c;
    static struct run r;
    small_case_flat(&c);
    const int middle = ROWS / 2 * COLS + COLS / 2;
    c.thickness_m[middle] = 50;
    c.temp_K[middle] = 1150;
    c.problem.params.cooling = 1e6;
    run_start(&r, &c, false);
    run_advance(&r, 1);
    static double first_outflow_m[8 * CELLS];
    memcpy(first_outflow_m, r.outflow_m, sizeof first_outflow_m);
    double given = 0;
    for (int k = 0; k < 8; k++) given += first_outflow_m[k * CELLS + middle];
    assert_true(given > 1);
    assert_true(fabs(sum_of(r.state.solid_m) - 50) < 1e-9);
    for (int step = 2; step <= 5; step++) {
        run_advance(&r, 1);
        assert_true(fields_mobile(&r.state, NULL) == 0); /* all of it is solid again */
        assert_true(fabs(sum_of(r.state.solid_m) - (50 + (step - 1) * given)) < 1e-9);
        assert_memory_equal(r.outflow_m, first_outflow_m, sizeof first_outflow_m);
    }
    run_end(&r);
}

/* ---- Etna 2006 ------------------------------------------------------------------------------- */

static const char *etna_folder(int left_out, const char *what)
{
    const char *folder = getenv("ETNA2006_DIR"), *why = NULL;
    struct stat info;
    if (!folder || stat(folder, &info) != 0) why = "ETNA2006_DIR names no folder";
    else if (!rounds_as_the_published_run()) why = "pow, atan, cos round differently here";
    if (!why) return folder;
    print_message("[  NOTE    ] %s: %d %s skipped\n", why, left_out, what);
    return NULL;
}

static void load_etna(struct sim_case *c, const char *folder)
{
    char path[4096];
    struct error e;
    snprintf(path, sizeof path, "%s/2006_000000000000.cfg", folder);
    if (case_load_watched(c, path, false, NULL, &e)) fail_msg("%s", e.text);
}

/* The published program adds to cell (377, 240) in every step what it finds behind the last of its
 * outflow layers, where the inflow from (378, 239), outside the grid, would be: the C library's
 * note that the next block of memory has 0x17e000 bytes (and flag 2), read as a double of 0x17e002
 * * 2^-1074 m. The oracle reads nothing outside the grid; so that all bits can be compared, the
 * test puts that number in. */
static void add_reading_beyond_the_layers(struct fields *f)
{
    const uint64_t bits = UINT64_C(0x17e002) * (uint64_t)f->step;
    double *thickness_m = &f->thickness_m[(size_t)377 * (size_t)f->window.cols + 240];
    assert_true(*thickness_m == 0);
    memcpy(thickness_m, &bits, sizeof bits);
}

static gzFile open_golden(const struct fields *f, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/step_%06d.f64.gz", folder, (int)f->step);
    gzFile file = gzopen(path, "rb");
    if (!file) fail_msg("%s: cannot open", path);
    return file;
}

/* The published state of a step that nobody computed here. */
static void take_golden(struct fields *f, int step, const char *folder)
{
    const unsigned bytes = (unsigned)(f->window.rows * f->window.cols) * sizeof(double);
    double *layers[] = {f->elevation_m, f->thickness_m, f->temp_K, f->solid_m};
    f->step = step;
    gzFile file = open_golden(f, folder);
    for (int i = 0; i < 4; i++) assert_int_equal(gzread(file, layers[i], bytes), (int)bytes);
    gzclose(file);
}

static void compare_with_golden(struct fields *f, const char *folder)
{
    gzFile file = open_golden(f, folder);
    const size_t cells = (size_t)f->window.rows * (size_t)f->window.cols;
    const unsigned bytes = (unsigned)(cells * sizeof(double));
    double *golden = malloc(bytes);
    assert_non_null(golden);
    assert_true(fields_mobile(f, NULL) > 0);
    add_reading_beyond_the_layers(f);
    const double *layers[] = {f->elevation_m, f->thickness_m, f->temp_K, f->solid_m};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(gzread(file, golden, bytes), (int)bytes);
        size_t differ = 0;
        for (size_t cell = 0; cell < cells; cell++)
            differ += memcmp(&golden[cell], &layers[i][cell], sizeof(double)) != 0;
        if (differ) fail_msg("step %d: %c differs in %zu cells", (int)f->step, "zhTs"[i], differ);
    }
    assert_int_equal(gzgetc(file), -1);
    gzclose(file);
    free(golden);
}

static void run_etna(struct sim_case *c, bool full_domain, const int64_t *steps, int count,
                     const char *folder, struct fields *f)
{
    void *p;
    struct error e;
    c->problem.full_domain = full_domain;
    c->problem.stop_when_still = false;
    assert_int_equal(variant_oracle.create(&p, &c->problem, NULL, &e), 0);
    assert_int_equal(fields_create(f, c->problem.window, &e), 0);
    for (int i = 0; i < count; i++) {
        variant_oracle.advance(p, steps[i] - (i ? steps[i - 1] : 0), NULL, NULL);
        variant_oracle.snapshot(p, f, NULL);
        compare_with_golden(f, folder);
    }
    variant_oracle.destroy(p);
}

static void test_full_domain_gives_the_golden_states(void **unused)
{
    (void)unused;
    const char *folder = etna_folder(4, "golden states over the full domain");
    if (!folder) skip();
    struct sim_case c;
    struct fields f;
    load_etna(&c, folder);
    run_etna(&c, true, (const int64_t[]){1, 10, 100, 1000}, 4, folder, &f);
    fields_free(&f);
    case_free(&c);
}

/* ---- text rasters ---------------------------------------------------------------------------- */

/* The lines `MD5  000000016000_LAYER.stt` of the published run, and those of its .cfg and rates,
 * against the files of output_state(). */
static void compare_checksums(const struct sim_case *c, const struct fields *f, const char *folder)
{
    char directory[] = "build/tmp/published_XXXXXX", path[4096], sum[33], name[128], got[33];
    mkdir("build", 0777);
    mkdir("build/tmp", 0777);
    assert_non_null(mkdtemp(directory));
    const struct output_info info = {.directory = directory,
                                     .formats = OUTPUT_ORIGINAL,
                                     .variant = "published",
                                     .device = "",
                                     .version = ""};
    struct error e;
    if (output_state(&info, c, f, &e)) fail_msg("%s", e.text);

    snprintf(path, sizeof path, "%s/golden/published.md5", folder);
    FILE *sums = fopen(path, "r");
    if (!sums) fail_msg("%s: cannot open", path);
    int compared = 0;
    while (fscanf(sums, "%32s %127s", sum, name) == 2) {
        if (strstr(name, "_Temperature")) /* the sum that its authors publish */
            assert_string_equal(sum, "0c071cd864046d3c6aaf30997290ad6c");
        snprintf(path, sizeof path, "%s/%s_%s", directory, c->name, name);
        md5_of(path, got);
        if (strcmp(got, sum) != 0) fail_msg("md5 of %s: %s, not %s", path, got, sum);
        compared++;
        unlink(path);
    }
    fclose(sums);
    assert_int_equal(compared, 7);
    if (rmdir(directory)) fail_msg("%s: files left behind", directory);
}

static void test_rows_of_lava_give_the_golden_states_and_checksums(void **unused)
{
    (void)unused;
    const char *folder = etna_folder(15, "golden states of rows of lava, and sums of text files");
    if (!folder) skip();
    struct sim_case c;
    struct fields f;
    load_etna(&c, folder);
    const int64_t steps[] = {1, 10, 100, 1000, 4000, 8000, 12000, 16000};
    const int count = sample(4, 8); /* the later, the more lava */
    run_etna(&c, false, steps, count, folder, &f);
    if (count < 8) take_golden(&f, 16000, folder);
    compare_checksums(&c, &f, folder);
    fields_free(&f);
    case_free(&c);
}

int main(void)
{
    omp_set_num_threads(1); /* the small cases are too small for two */
    return UNIT_RUN(test_rows_of_lava_give_the_bits_of_the_full_domain, test_advances_add_up,
                    test_stopping_rule_ends_the_run, test_stale_outflows_are_kept,
                    test_full_domain_gives_the_golden_states,
                    test_rows_of_lava_give_the_golden_states_and_checksums);
}
