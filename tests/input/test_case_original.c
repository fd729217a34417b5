/* Cases in the format of the original programs, and Etna 2006 in both formats. */
/* tests: input/case */
/* run: plain, sanitized */
#include "model/lattice.h"

#include <math.h>
#include <unistd.h>

#include "case_checks.h"

/* ---- original cases -------------------------------------------------------------------------- */

#define ORIGINAL "small_000000000042"

static const char *write_original(struct scratch *s, const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, ORIGINAL "_Morphology%s", ending);
    put_grid(s, name, TERRAIN);
    snprintf(name, sizeof name, ORIGINAL "_Vents%s", ending);
    put_text(s, name,
             HEAD8 "NODATA_value 0\n"
                   "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 7 0 0 0\r\n"
                   "0 0 0 0 0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\r\n");
    put_text(s, ORIGINAL "_EmissionRate.txt",
             "[TIME]\r\n500\r\n\r\n[VENT_ID]\r\n3\r\n\r\n[EMISSION_RATE]\r\n1\r\n0\r\n2\r\n\r\n"
             "[VENT_ID]\n7\n[EMISSION_RATE]\n4\n[VENT_ID]\n9\n[EMISSION_RATE]\n4\n[END]");
    put_text(s, ORIGINAL ".cfg",
             "maximum_steps_(0_for_loop) \t0\t\t   \r\nstopping_threshold_(height)\t0.5\r\n"
             "refreshing_step 0\nthickness_visual_threshold\t0.0\nalgorithm \tMIN  "
             "\r\n" CASE_PARAMETERS);
    return scratch_file(s, ORIGINAL ".cfg");
}

static void test_original_case(void **state)
{
    static const char *const endings[] = {".asc", ".stt"};
    for (int i = 0; i < 2; i++) {
        struct scratch s;
        struct sim_case c;
        scratch_create(&s);
        load(&c, write_original(&s, endings[i]));
        const struct vent *v = c.problem.vents;
        assert_true(c.original);
        assert_string_equal(c.name, "small");
        assert_int_equal(c.problem.first_step, 42);
        assert_true(c.problem.stop_when_still && c.problem.stop_mobile_m == 0.5);
        /* id 3 in one cell; id 7 in two, each with the whole rate; id 9 nowhere, passed over */
        assert_int_equal(c.problem.vent_count, 3);
        assert_int_equal(v[0].id, 3);
        assert_int_equal(v[0].row, 3);
        assert_int_equal(v[0].col, 5);
        assert_int_equal(v[1].id, 7);
        assert_int_equal(v[2].id, 7);
        assert_int_equal(v[2].col, 4);
        assert_true(v[1].amount_m[0] == lattice_round(4.0 / 100 * 120));
        /* i = floor(120 n / 500): 0 to step 4, 1 to step 8, 2 to step 12 */
        const int64_t first[] = {1, 5, 9, 13};
        assert_int_equal(v[0].interval_count, 4);
        assert_memory_equal(v[0].first_step, first, sizeof first);
        assert_true(v[0].amount_m[1] == 0 && v[0].amount_m[2] == lattice_round(2.4));
        assert_int_equal(c.problem.last_vent_step, 12);
        case_free(&c);
        scratch_remove(&s);
    }
}

static void test_original_refusals(void **state)
{
#define RATES ORIGINAL "_EmissionRate.txt"
    static const struct bad bad[] = {
        {RATES, "", RATES ": ", "empty"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n4\n", RATES ":6", "[END]"},
        {RATES, "500\n", RATES ":1", "[TIME]"},
        {RATES, "[TIME]\n0\n[END]\n", RATES ":2", "seconds"},
        {RATES, "[TIME]\n[END]\n", RATES ":2", "seconds"},
        {RATES, "[TIME]\n500\n500\n[END]\n", RATES ":3", "seconds"},
        {RATES, "[TIME]\n500\n[EMISSION_RATE]\n4\n[END]\n", RATES ":3", "[VENT_ID]"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n8\n[EMISSION_RATE]\n4\n[END]\n", RATES ":5", "one id"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n-7\n[EMISSION_RATE]\n4\n[END]\n", RATES ":4", "one id"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n-4\n[END]\n", RATES ":6", "0 or more"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n4 5,\n[END]\n", RATES ":6",
         "'5,'; expected a rate"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n[END]\n", RATES ":6", "rates"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n4\n[BEGIN]\n", RATES ":7", "[END]"},
        {RATES,
         "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n4\n[VENT_ID]\n7\n[EMISSION_RATE]\n4\n[END]\n",
         RATES ":8", "already"},
        {RATES, "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n4\n[END]\n", RATES, "vent 3"},
        {RATES,
         "[TIME]\n500\n[VENT_ID]\n7\n[EMISSION_RATE]\n4\n[VENT_ID]\n3\n[EMISSION_RATE]\n4000\n[END]"
         "\n",
         RATES ":10", "in one step"},
        {ORIGINAL "_Vents.asc", HEAD8 "1 2 3\n", "_Vents.asc", ""},
        {ORIGINAL "_Thickness.asc", HEAD8 "1 2 3\n", "_Thickness.asc", ""},
        {ORIGINAL ".cfg", CASE_PARAMETERS "vents a.csv\n", ORIGINAL ".cfg:13: ", "remove the line"},
        {ORIGINAL ".cfg", CASE_PARAMETERS "emission integral\n",
         ORIGINAL ".cfg:13: ", "rates at the end of each step"},
        {ORIGINAL ".cfg", CASE_PARAMETERS "first_step 5\n", ORIGINAL ".cfg: ", "12 digits"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct scratch s;
        scratch_create(&s);
        const char *path = write_original(&s, ".asc");
        put_text(&s, bad[i].file, bad[i].text);
        expect_refusal(&bad[i], path);
        scratch_remove(&s);
    }
    static const char *const foreign[] = {"vents",          "rates",      "thickness",
                                          "temperature",    "solidified", "emission integral",
                                          "vent_radius_m 5"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        struct scratch s;
        char text[1024], says[80];
        scratch_create(&s);
        const char *path = write_original(&s, ".asc");
        snprintf(text, sizeof text, "%s%s%s\n", CASE_PARAMETERS, foreign[i],
                 strchr(foreign[i], ' ') ? "" : " a.csv");
        put_text(&s, ORIGINAL ".cfg", text);
        snprintf(says, sizeof says, "%.*s: an original case has no such key",
                 (int)strcspn(foreign[i], " "), foreign[i]);
        expect_refusal(&(struct bad){ORIGINAL ".cfg", text, ORIGINAL ".cfg:13: ", says}, path);
        scratch_remove(&s);
    }
    static const char *const needed[] = {"_Morphology.asc", "_Vents.asc", "_EmissionRate.txt"};
    for (int i = 0; i < 3; i++) {
        struct scratch s;
        char name[64];
        scratch_create(&s);
        const char *path = write_original(&s, ".asc");
        snprintf(name, sizeof name, ORIGINAL "%s", needed[i]);
        remove(scratch_file(&s, name));
        expect_refusal(&(struct bad){name, "(missing)", ORIGINAL, needed[i]}, path);
        scratch_remove(&s);
    }
}

/* ---- Etna 2006 ------------------------------------------------------------------------------- */

static const char *etna(void)
{
    static char path[512];
    const char *folder = getenv("ETNA2006_DIR");
    snprintf(path, sizeof path, "%s/2006_000000000000.cfg", folder ? folder : "");
    if (folder && access(path, R_OK) == 0) return path;
    print_message("ETNA2006_DIR does not name the case Etna 2006: skipped\n");
    return NULL;
}

/* Emission of all vents over 16,000 steps. */
static double emitted_m(const struct problem *p)
{
    double sum = 0;
    for (int v = 0; v < p->vent_count; v++)
        for (int i = 0; i < p->vents[v].interval_count; i++) {
            bool last = i + 1 == p->vents[v].interval_count;
            int64_t end = last ? 16001 : p->vents[v].first_step[i + 1];
            sum += (double)(end - p->vents[v].first_step[i]) * p->vents[v].amount_m[i];
        }
    return sum;
}

static void test_etna_original(void **state)
{
    struct sim_case c;
    struct error e;
    const char *path = etna();
    if (!path) skip();
    load(&c, path);
    assert_int_equal(c.problem.rows, 378);
    assert_int_equal(c.problem.cols, 517);
    assert_int_equal(c.problem.vent_count, 2);
    assert_int_equal(c.problem.vents[0].row, 114);
    assert_int_equal(c.problem.vents[0].col, 71);
    assert_int_equal(c.problem.vents[1].col, 77);
    assert_true(fabs(emitted_m(&c.problem) - 46997.805865) < 1e-6);
    assert_non_null(c.outline_path);
    case_free(&c);
    assert_int_equal(case_load_watched(&c, path, false, NULL, &e), 0);
    assert_true(c.problem.elevation_m[1] == 3302.20); /* not on the lattice */
    assert_true(c.problem.vents[0].amount_m[0] == 1.580890337 / 100.0 * 120.0);
    case_free(&c);
}

static bool same_cells(const double *a, const double *b, size_t n)
{
    return (!a && !b) || (a && b && memcmp(a, b, n * sizeof *a) == 0);
}

/* data/etna2006.cfg is the same problem, whatever its files look like. */
static void test_etna_new_style(void **state)
{
    struct scratch s;
    struct sim_case a, b;
    char command[2048];
    const char *path = etna();
    if (!path) skip();
    scratch_create(&s);
    snprintf(
        command, sizeof command,
        "cp data/etna2006.cfg data/etna2006-vents.csv data/etna2006-rates.csv %s && mkdir "
        "%s/etna2006 && cp \"$ETNA2006_DIR\"/*_Morphology.asc \"$ETNA2006_DIR\"/*_RealEvent.asc "
        "%s/etna2006",
        s.path, s.path, s.path);
    assert_int_equal(system(command), 0);
    load(&a, path);
    load(&b, scratch_file(&s, "etna2006.cfg"));
    const struct problem *p = &a.problem, *q = &b.problem;
    size_t n = (size_t)p->rows * (size_t)p->cols;
    assert_int_equal(p->rows, q->rows);
    assert_int_equal(p->cols, q->cols);
    assert_memory_equal(&p->window, &q->window, sizeof p->window);
    assert_memory_equal(&p->params, &q->params, sizeof p->params);
    assert_true(same_cells(p->elevation_m, q->elevation_m, n));
    assert_true(same_cells(p->thickness_m, q->thickness_m, n));
    assert_true(same_cells(p->temp_K, q->temp_K, n));
    assert_true(same_cells(p->solid_m, q->solid_m, n));
    assert_int_equal(p->vent_count, q->vent_count);
    for (int v = 0; v < p->vent_count; v++) {
        const struct vent *x = &p->vents[v], *y = &q->vents[v];
        assert_true(x->interval_count > 0 && x->interval_count == y->interval_count);
        assert_true(x->row == y->row && x->col == y->col && x->id == y->id);
        size_t count = (size_t)x->interval_count;
        assert_memory_equal(x->first_step, y->first_step, count * sizeof *x->first_step);
        assert_true(same_cells(x->amount_m, y->amount_m, count));
    }
    assert_true(p->first_step == q->first_step && p->last_vent_step == q->last_vent_step);
    assert_true(p->reduce_every == q->reduce_every && p->stop_when_still == q->stop_when_still);
    assert_int_equal(b.max_steps, 16000);
    assert_int_equal(b.geo.crs.epsg, 32633);
    assert_int_equal(a.geo.crs.epsg, 0);
    case_free(&a);
    case_free(&b);
    scratch_remove(&s);
}

int main(void)
{
    return UNIT_RUN(test_original_case, test_original_refusals, test_etna_original,
                    test_etna_new_style);
}
