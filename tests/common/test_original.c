/* Original cases that the published program runs: what each arithmetic makes of their files, and
 * Etna 2001 (where ETNA2001_DIR has it), whose terrain holds -9999 under NODATA_value 0.0, against
 * the checksums of the published program's files. */
/* tests: reference */
/* run: plain, sanitized */
#include "case/case.h"
#include "model/lattice.h"
#include "run/output.h"
#include "reference/published.h"
#include "reference/reference.h"

#include <math.h>
#include <stdio.h>

#include "case_files.h"
#include "published_run.h"
#include "unit.h"

/* ---- small cases ----------------------------------------------------------------------------- */

#define STEM  "small_000000000000"
#define HEAD  "ncols 4\r\nnrows 3\r\nxllcorner 100\r\nyllcorner 200\r\ncellsize 10\r\n"
#define RATES "[TIME]\r\n240\r\n[VENT_ID]\r\n2\r\n[EMISSION_RATE]\r\n1\r\n2\r\n3\r\n[END]\r\n"
#define WORDS                                                                                      \
    "maximum_steps_(0_for_loop)\t7\nstopping_threshold_(height)\t0.5\nrefreshing_step\t3\n"        \
    "thickness_visual_threshold\t0.25\n" CASE_PARAMETERS "algorithm\tMIN\n"
#define TERRAIN_ROWS                                                                               \
    "-9999.00 10 10 10\r\n10 10.1 -5 -6000 \r\n\r\n10 10 0 -9999\r\n" /* with an empty line */

/* One of its rasters. */
static void put_part(struct scratch *s, const char *part, const char *nodata, const char *values)
{
    char name[64], text[512];
    snprintf(name, sizeof name, STEM "_%s.asc", part);
    snprintf(text, sizeof text, HEAD "NODATA_value %s\r\n%s", nodata, values);
    put_text(s, name, text);
}

/* What each test of it begins with: its files, still to be read. */
struct small {
    struct scratch s;
    struct sim_case c;
    const char *path;
};

static int create_small(void **state)
{
    struct small *t = calloc(1, sizeof *t);
    if (!t) return -1;
    scratch_create(&t->s);
    put_part(&t->s, "Morphology", "0.0", TERRAIN_ROWS);
    put_part(&t->s, "Vents", "0", "0 0 0 0\n0 2 0 0\n0 0 0 0\n");
    put_text(&t->s, STEM "_EmissionRate.txt", RATES);
    put_text(&t->s, STEM ".cfg", WORDS);
    t->path = scratch_file(&t->s, STEM ".cfg");
    *state = t;
    return 0;
}

static int remove_small(void **state)
{
    struct small *t = *state;
    scratch_remove(&t->s);
    free(t);
    return 0;
}

static int load(struct sim_case *c, const char *path, bool published, struct error *e)
{
    *e = (struct error){0};
    return published ? case_load_watched(c, path, false, NULL, e) : case_load(c, path, e);
}

static void must_load(struct sim_case *c, const char *path, bool published)
{
    struct error e;
    if (load(c, path, published, &e)) fail_msg("%s", e.text);
}

static void must_refuse(const char *path, bool published, const char *what)
{
    struct sim_case c;
    struct error e;
    if (load(&c, path, published, &e) != ERROR_INPUT || !strstr(e.text, what))
        fail_msg("gave '%s', not '%s'", e.text, what);
}

static void run_published(struct fields *f, const struct sim_case *c, int steps)
{
    void *p;
    struct error e;
    assert_int_equal(variant_oracle.create(&p, &c->problem, NULL, &e), 0);
    assert_int_equal(fields_create(f, c->problem.window, &e), 0);
    variant_oracle.advance(p, steps, NULL, NULL);
    variant_oracle.snapshot(p, f, NULL);
    variant_oracle.destroy(p);
}

/* To the published program -9999 is an elevation like any other, and so is NODATA_value. */
static void test_no_data(void **state)
{
    struct small *t = *state;
    struct sim_case *c = &t->c;
    must_load(c, t->path, true);
    static const double all[] = {-9999, 10, 10, 10, 10, 10.1, -5, -6000, 10, 10, 0, -9999};
    assert_memory_equal(c->elevation_m, all, sizeof all);
    assert_null(strstr(c->told.notice, "no data"));
    case_free(c);

    must_refuse(t->path, false,
                "the elevation is -6000 m at row 1, column 3"); /* is that the sea? */
    put_part(&t->s, "Morphology", "0.0", "-9999.00 10 10 10\n10 10.1 -5 -400\n10 10 0 -9999\n");
    must_load(c, t->path, false);
    static const bool hole[] = {true,  false, false, false, false, false,
                                false, false, false, false, true,  true}; /* 0 is declared */
    for (size_t i = 0; i < 12; i++) assert_int_equal(isnan(c->elevation_m[i]), hole[i]);
    assert_true(c->elevation_m[5] == lattice_round(10.1) && c->elevation_m[6] == -5);
    assert_non_null(strstr(c->told.notice,
                           STEM "_Morphology.asc: 2 cells of elevation -9999 count as no data"));
    case_free(c);

    put_part(&t->s, "Morphology", "-9999", "-9999.00 10 10 10\n10 10.1 -5 -400\n10 10 0 -9999\n");
    must_load(c, t->path, false);
    assert_true(isnan(c->elevation_m[0]) && c->elevation_m[10] == 0);
    assert_null(strstr(c->told.notice, "no data")); /* declared: nothing to be said */
    case_free(c);
}

/* The border of the published program: at the edge or beside a cell below 0; no such cell itself.
 */
static void test_border(void **state)
{
    struct small *t = *state;
    struct sim_case *c = &t->c;
    struct fields f;
    put_part(&t->s, "Morphology", "0.0", "10 10 10 10\n10 10 10 10\n10 -9999 10 10\n");
    put_part(&t->s, "Vents", "0", "0 0 0 0\n0 2 0 0\n0 2 0 0\n");
    must_load(c, t->path, true);
    c->problem.params.critical_vent_m = c->problem.params.critical_sol_m = 1e4; /* nothing flows */
    c->problem.params.cooling = 1e6;
    run_published(&f, c, 1);
    assert_true(f.thickness_m[5] > 0 && f.solid_m[5] == 0); /* in a border cell: stays hot */
    assert_true(f.thickness_m[9] == 0 && f.solid_m[9] > 0); /* in the hole: solidifies */
    fields_free(&f);
    case_free(c);
}

static void test_vents(void **state)
{
    struct small *t = *state;
    struct sim_case *c = &t->c;
    put_part(&t->s, "Morphology", "0.0", "-9999 10 10 10\n10 10 10 10\n10 10 10 10\n");
    put_part(&t->s, "Vents", "0", "2 0 0 0\n0 2 0 0\n0 0 0 0\n");
    must_refuse(t->path, false, "row 0, column 0, where the DEM has no data");
    must_load(c, t->path, true);
    assert_int_equal(c->problem.vent_count, 2);
    assert_true(c->problem.vents[1].amount_m[2] == 3.0 / 100 * 120);
    case_free(c);

    /* No value means no data; atoi() cuts fractions off */
    put_part(&t->s, "Vents", "2", "0 0 0 0.9\n0 2 0 2.5\n0 0 0 -9999\n");
    must_refuse(t->path, false, "the id 0.9");
    must_load(c, t->path, true);
    assert_int_equal(c->problem.vent_count, 2);
    case_free(c);

    /* A corner at most a cell away */
    put_text(&t->s, STEM "_Vents.asc",
             "nrows 3\nNCOLS 4\nxllcorner 109.5\nyllcorner 195\ncellsize 10\nNODATA_value 0\n"
             "0 0 0 0\n0 2 0 0\n0 0 0 0\n");
    for (int published = 0; published < 2; published++) {
        must_load(c, t->path, published);
        assert_int_equal(c->problem.vents[0].row, 1);
        assert_int_equal(c->problem.vents[0].col, 1);
        case_free(c);
    }
    put_text(&t->s, STEM "_Vents.asc",
             "ncols 4\nnrows 3\nxllcorner 110.5\nyllcorner 200\ncellsize 10\nNODATA_value 0\n"
             "0 0 0 0\n0 2 0 0\n0 0 0 0\n");
    must_refuse(t->path, true, "lower-left corner");
}

static void test_states(void **state)
{
    struct small *t = *state;
    struct sim_case *c = &t->c;
    put_part(&t->s, "Morphology", "0.0", "-9999 10 10 10\n10 10 10 10\n10 10 10 10\n");
    put_part(&t->s, "Thickness", "0.0", "-9999 0 0 2.5\n0 0 0 0\n0 0 0 0\n");
    put_part(&t->s, "Temperature", "0.0", "-9999 0 0 1200\n0 0 0 0\n0 0 0 0\n");
    must_load(c, t->path, false);
    assert_true(c->thickness_m[0] == 0 && c->thickness_m[3] == 2.5 && c->temp_K[3] == 1200);
    case_free(c);
    must_load(c, t->path, true);
    assert_true(c->thickness_m[0] == -9999 && c->thickness_m[3] == 2.5 && c->temp_K[0] == -9999);
    case_free(c);
}

/* Words count, not lines; more rates than steps are no harm; a file that is cut off is. */
static void test_rates_by_words(void **state)
{
    struct small *t = *state;
    struct sim_case *c = &t->c;
    put_part(&t->s, "Morphology", "0", "10 10 10 10\n10 10 10 10\n10 10 10 10\n");
    put_text(&t->s, STEM "_EmissionRate.txt",
             "\n\n[TIME] 240 [VENT_ID] 9 [EMISSION_RATE] 1 [VENT_ID]\n\n2\t[EMISSION_RATE] 1 2\n"
             "3 4 5 6 7 8 [END] [TIME]");
    for (int published = 0; published < 2; published++) {
        must_load(c, t->path, published);
        const struct vent *v = c->problem.vents;
        assert_int_equal(c->problem.vent_count, 1);
        assert_int_equal(v->interval_count, 9);
        assert_true(v->first_step[8] == 16 && v->amount_m[8] == 0 && c->max_steps == 7);
        case_free(c);
    }
    put_text(&t->s, STEM "_EmissionRate.txt", "[TIME]\n240\n[VENT_ID]\n2\n[EMISSION_RATE]\n1\n2\n");
    must_refuse(t->path, false, "ends without [END]");
    must_refuse(t->path, true, "ends without [END]");
}

/* ---- files as the published program writes them ---------------------------------------------- */

static void write_original_files(const struct sim_case *c, const struct fields *f,
                                 const char *folder)
{
    struct error e;
    const struct output_info info = {.directory = folder,
                                     .formats = OUTPUT_ORIGINAL,
                                     .variant = "published",
                                     .device = "",
                                     .version = ""};
    if (output_state(&info, c, f, &e)) fail_msg("%s", e.text);
}

static void expect_text(struct scratch *s, const char *name, const char *wanted)
{
    char *text = read_text(scratch_file(s, name));
    if (!text) fail_msg("%s is missing", name);
    assert_string_equal(text, wanted);
    free(text);
}

/* Whatever STEPS were asked for: what stands in the case. */
static void test_words_are_repeated(void **state)
{
    struct small *t = *state;
    struct sim_case *c = &t->c;
    struct fields f;
    put_text(&t->s, STEM "_EmissionRate.txt",
             "[TIME]\n240\n[VENT_ID]\n9\n[EMISSION_RATE]\n1\n[VENT_ID]\n2\n[EMISSION_RATE]\n"
             "1.5\n1.5\n1.5\n0\n[END]");
    must_load(c, t->path, true);
    c->max_steps = 2;
    c->snapshot_every = 1;
    c->problem.stop_mobile_m = 9;
    run_published(&f, c, 2);
    write_original_files(c, &f, t->s.path);
    expect_text(&t->s, "small_000000000002_EmissionRate.txt",
                "[TIME]\n240\n\n[VENT_ID]\n2\n\n[EMISSION_RATE]\n1.500000\n1.500000\n1.500000\n"
                "0.000000\n\n\n[END]");
    expect_text(&t->s, "small_000000000002.cfg",
                "maximum_steps_(0_for_loop)\t7\nstopping_threshold_(height)\t0.500000\n"
                "refreshing_step\t\t\t3\nthickness_visual_threshold\t0.250000\n"
                "Pclock\t\t\t120.000000\nPTsol\t\t\t\t1143.000000\nPTvent\t\t\t1360.000000\n"
                "Pr(Tsol)\t\t0.500000\nPr(Tvent)\t\t0.950000\nPhc(Tsol)\t\t40.000000\n"
                "Phc(Tvent)\t1.500000\nPcool\t\t\t\t2.800000\nPrho\t\t\t\t2600.000000\n"
                "Pepsilon\t\t0.900000\nPsigma\t\t\t5.680000e-08\nPcv\t\t\t\t  1150.000000\n"
                "algorithm\t\t\tMIN\n");
    char *z = read_text(scratch_file(&t->s, "small_000000000002_Morphology.stt"));
    assert_non_null(strstr(z, "NODATA_value\t0.000000\n-9999.000000  10.000000  "));
    free(z);
    fields_free(&f);
    case_free(c);
}

/* ---- Etna 2001 ------------------------------------------------------------------------------- */

static void copy_file(const char *from, const char *to)
{
    gzFile in = gzopen(from, "rb"); /* also what is not packed */
    FILE *out = fopen(to, "wb");
    char bytes[1 << 16];
    int got = 0;
    if (!in || !out) fail_msg("%s cannot be copied", from);
    while ((got = gzread(in, bytes, sizeof bytes)) > 0) fwrite(bytes, 1, (size_t)got, out);
    assert_int_equal(got, 0);
    gzclose(in);
    assert_int_equal(fclose(out), 0);
}

/* Unpacks the case with constant rate, or with daily rates; NULL: not here. */
static const char *etna_2001(struct scratch *s, bool daily)
{
    static const char *const parts[] = {".cfg", "_EmissionRate.txt", "_Morphology.asc.gz",
                                        "_Vents.asc.gz"};
    const char *folder = getenv("ETNA2001_DIR");
    if (!folder || access(folder, R_OK) != 0) {
        print_message("ETNA2001_DIR does not name the case Etna 2001: skipped\n");
        return NULL;
    }
    scratch_create(s);
    for (int i = 0; i < 4; i++) {
        char from[4096], name[64];
        snprintf(from, sizeof from, "%s/%se_000000000000%s", folder, daily && i < 2 ? "rates/" : "",
                 parts[i]);
        snprintf(name, sizeof name, "e_000000000000%s", parts[i]);
        if (i > 1) name[strlen(name) - 3] = '\0';
        copy_file(from, scratch_file(s, name));
    }
    return scratch_file(s, "e_000000000000.cfg");
}

/* Of the seven files of `step` in the folder, how many have the published sum; all else fails. With
 * another step than the published one only those that no step changes are looked at. */
static int compare_sums(struct scratch *s, bool daily, int step)
{
    char path[4096], sum[33], name[128], got[33];
    int compared = 0;
    snprintf(path, sizeof path, "%s/%spublished.md5", getenv("ETNA2001_DIR"),
             daily ? "rates/" : "");
    FILE *sums = fopen(path, "r");
    if (!sums) fail_msg("%s: cannot open", path);
    while (fscanf(sums, "%32s %127s", sum, name) == 2) {
        const char *ending = name + strlen("out_000000000000");
        const bool whole = atoi(name + strlen("out_")) == step;
        if (!whole && strcmp(ending, ".cfg") && strcmp(ending, "_EmissionRate.txt") &&
            strcmp(ending, "_Vents.stt"))
            continue;
        snprintf(path, sizeof path, "%s/e_%012d%s", s->path, step, ending);
        md5_of(path, got);
        if (strcmp(got, sum) != 0) fail_msg("md5 of %s: %s, not %s", path, got, sum);
        compared++;
    }
    fclose(sums);
    return compared;
}

static size_t lava_cells(const struct fields *f)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)f->window.rows * (size_t)f->window.cols; i++)
        count += f->thickness_m[i] + f->solid_m[i] > 0;
    return count;
}

static void published_run(bool daily, int step, int files, size_t cells)
{
    struct scratch s;
    struct sim_case c;
    struct fields f;
    if (!rounds_as_the_published_run()) {
        print_message("pow, atan, cos round differently here: published sums skipped\n");
        skip();
    }
    const char *path = etna_2001(&s, daily);
    if (!path) skip();
    must_load(&c, path, true);
    run_published(&f, &c, step);
    if (cells) assert_int_equal(lava_cells(&f), cells);
    assert_true(fields_mobile(&f, NULL) > 0);
    write_original_files(&c, &f, s.path);
    assert_int_equal(compare_sums(&s, daily, step), files);
    fields_free(&f);
    case_free(&c);
    scratch_remove(&s);
}

static void exact_run(bool daily, int step, size_t cells)
{
    struct scratch s;
    struct sim_case c;
    struct fields f;
    struct ledger ledger;
    struct error e;
    void *self;
    const struct variant_options o = {.threads = 1};
    const char *path = etna_2001(&s, daily);
    if (!path) skip();
    must_load(&c, path, false);
    assert_non_null(strstr(c.told.notice, "819 cells of elevation -9999 count as no data"));
    assert_int_equal(variant_reference.create(&self, &c.problem, &o, &e), 0);
    assert_int_equal(fields_create(&f, c.problem.window, &e), 0);
    assert_int_equal(variant_reference.advance(self, step, NULL, &e), 0);
    assert_int_equal(variant_reference.snapshot(self, &f, &e), 0);
    if (fields_ledger(&ledger, &f, &c.problem, &e)) fail_msg("%s", e.text);
    assert_true(ledger.emitted > 0 && ledger.solidified > 0 && ledger.mobile > 0);
    assert_int_equal(lava_cells(&f), cells);
    variant_reference.destroy(self);
    fields_free(&f);
    case_free(&c);
    scratch_remove(&s);
}

static bool whole(const char *what)
{
    const char *asked = getenv("ETNA2001_WHOLE");
    if (asked && *asked) return true;
    print_message("ETNA2001_WHOLE is not set: %s skipped\n", what);
    return false;
}

static void test_constant_rate(void **state)
{
    published_run(false, 63000, 7, 457);
    exact_run(false, 41000, 457);
}

/* What does not depend on the step: in a moment. */
static void test_daily_rates_begin(void **state)
{
    published_run(true, 500, 3, 0);
}

static void test_daily_rates_published(void **state)
{
    if (!whole("41,000 steps in published arithmetic, daily rates")) skip();
    published_run(true, 41000, 7, 0);
}

static void test_daily_rates_exact(void **state)
{
    if (!whole("41,000 exact steps, daily rates")) skip();
    exact_run(true, 41000, 15733);
}

int main(void)
{
    return UNIT_RUN_IN(create_small, remove_small, NULL, NULL, test_no_data, test_border,
                       test_vents, test_states, test_rates_by_words, test_words_are_repeated,
                       test_constant_rate, test_daily_rates_begin, test_daily_rates_published,
                       test_daily_rates_exact);
}
