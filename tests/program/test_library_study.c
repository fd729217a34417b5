/* The library: studies of each kind, with and without a folder; what is read is what is written; a
 * cancelled study continues to the same digest; what is refused. */
/* tests: library */
#include "sciara.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plan_files.h"
#include "raster/raster.h"
#include "unit.h"

#define OK(call)                                                                                   \
    do {                                                                                           \
        if (call) print_error("%s\n", e.text);                                                     \
        assert_int_equal(e.status, SCIARA_OK);                                                     \
    } while (0)

#define FITS                                                                                       \
    CASE_TEXT "max_steps 60\noutline flow.asc\nfit_Pcool 1 5 log\nfit_rate_factor 0.7 1.4\n"
static const char *const plans[] = {
    [SCIARA_ENSEMBLE] = CASE_TEXT "max_steps 60\nmembers 40\nvary_Pcool uniform 2 4\nseed 3\n",
    [SCIARA_PAIRS] = CASE_TEXT "max_steps 60\nmembers 6\nvary_Pcool uniform 2 4\nseed 3\n"
                               "barriers wall.csv\n",
    [SCIARA_CALIBRATION] = FITS "evaluations 15\n",
    [SCIARA_POSTERIOR] = FITS "evaluations 61\nposterior_members 10\n",
    [SCIARA_SENSITIVITY] = FITS "samples 4\ntrajectories 3\n",
};
static const char *const layers[] = {[SCIARA_ENSEMBLE] = "probability.tif",
                                     [SCIARA_PAIRS] = "probability_difference.tif",
                                     [SCIARA_SENSITIVITY] = "sobol_probability.tif"};
static const char *const tables[] = {[SCIARA_ENSEMBLE] = "members.csv",
                                     [SCIARA_PAIRS] = "pairs.csv",
                                     [SCIARA_CALIBRATION] = "evaluations.csv",
                                     [SCIARA_POSTERIOR] = "evaluations.csv",
                                     [SCIARA_SENSITIVITY] = "sobol.csv"};
enum { KINDS = SCIARA_SENSITIVITY + 1 };

static int set_up(void **state)
{
    plan_set_up(state);
    put_grid(&dir, "flow.asc", 1);
    put_text(&dir, "wall.csv", "barrier,x,y,height_m\n1,500015,4000025,12\n1,500055,4000025,\n");
    for (int kind = 0; kind < KINDS; kind++) {
        char name[16];
        snprintf(name, sizeof name, "plan%d.cfg", kind);
        put_text(&dir, name, plans[kind]);
    }
    return 0;
}

static sciara_study *open_study(int kind, const struct sciara_study_options *o)
{
    char name[16];
    struct sciara_error e = {0};
    sciara_study *s;
    snprintf(name, sizeof name, "plan%d.cfg", kind);
    OK(sciara_study_open(&s, (enum sciara_study_kind)kind, scratch_file(&dir, name), o, &e));
    return s;
}

static struct sciara_study_options with(int threads, const char *folder)
{
    struct sciara_study_options o;
    sciara_study_options_init(&o, sizeof o);
    o.threads = threads;
    o.device_count = 0;
    o.folder = folder;
    o.layers = "all";
    return o;
}

static char *table_of(sciara_study *s, const char *name)
{
    struct sciara_error e = {0};
    char *text;
    OK(sciara_study_table(s, name, &text, &e));
    return text;
}

/* A text of a study, as its bytes in the folder. */
static char *file_of(const char *folder, const char *name)
{
    char path[600];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(stat(path, &status), 0);
    FILE *f = fopen(path, "rb");
    char *text = calloc((size_t)status.st_size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)status.st_size, f), (size_t)status.st_size);
    fclose(f);
    return text;
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void check_products(sciara_study *s, int kind)
{
    struct sciara_product p;
    struct sciara_error e = {0};
    int count = 0, last_table = 0, listed = 0;
    for (; !sciara_study_product(s, count, &p, NULL); count++) {
        last_table = !p.layer && !strcmp(p.name, "summary.json");
        listed += !strcmp(p.name, tables[kind]);
        if (layers[kind] && !strcmp(p.name, layers[kind])) listed += p.layer && *p.about;
    }
    assert_int_equal(listed, layers[kind] ? 2 : 1);
    assert_true(last_table);
    assert_int_equal(sciara_study_product(s, -1, &p, &e), SCIARA_INPUT);
}

static float *layer_of(sciara_study *s, const char *name, size_t *cells)
{
    struct sciara_case_info info;
    struct sciara_error e = {0};
    sciara_study_info(s, &info);
    *cells = (size_t)info.rows * (size_t)info.cols;
    float *values = malloc(*cells * sizeof *values);
    OK(sciara_study_layer(s, name, values, *cells, &e));
    return values;
}

static void check_layer(sciara_study *s, const char *folder, const char *name)
{
    size_t cells, some = 0;
    char path[600];
    struct raster r;
    struct error e = {0};
    float *values = layer_of(s, name, &cells);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(raster_read(&r, path, 1 << 20, &e), 0);
    for (size_t i = 0; i < cells; i++) {
        assert_true(isnan(values[i]) ? isnan(r.value[i]) : (float)r.value[i] == values[i]);
        some += !isnan(values[i]) && fpclassify(values[i]) != FP_ZERO;
    }
    assert_true(some > 0);
    raster_free(&r);
    free(values);
}

static void all_kinds_are_read_as_they_are_written(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        char folder[500];
        struct sciara_error e = {0};
        snprintf(folder, sizeof folder, "%s", scratch_file(&dir, "study"));
        snprintf(folder + strlen(folder), 8, "%d", kind);
        struct sciara_study_options o = with(2, folder), alone = with(1, NULL);
        sciara_study *s = open_study(kind, &o), *other = open_study(kind, &alone);
        OK(sciara_study_run(s, &e));
        OK(sciara_study_write(s, &e));
        OK(sciara_study_run(other, &e)); /* one thread, no folder */
        assert_int_equal(sciara_study_write(other, &e), SCIARA_INPUT);
        assert_non_null(strstr(e.text, "has no folder"));
        e.status = 0;
        char *mine = table_of(s, tables[kind]), *theirs = table_of(other, tables[kind]),
             *file = file_of(folder, tables[kind]), *summary = table_of(s, "summary.json");
        assert_string_equal(mine, file);
        assert_string_equal(mine, theirs);
        assert_non_null(strstr(summary, "\"software\":\t\"sciara\""));
        check_products(s, kind);
        if (layers[kind]) check_layer(s, folder, layers[kind]);
        assert_true(sciara_study_digest(s) == sciara_study_digest(other));
        assert_true(kind == SCIARA_CALIBRATION || kind == SCIARA_POSTERIOR ||
                    sciara_study_digest(s) != 0);
        free(mine);
        free(theirs);
        free(file);
        sciara_text_free(summary);
        sciara_study_close(s);
        sciara_study_close(other);
    }
}

/* ---- cancelling ------------------------------------------------------------------------------ */

struct seen {
    int calls, cancel_at;
};

static int see(const struct sciara_study_progress *now, void *user)
{
    struct seen *seen = user;
    assert_true(now->elapsed_s >= 0 && now->done <= now->all && *now->stage);
    return ++seen->calls == seen->cancel_at;
}

/* In memory, and from a folder by another object. */
static void a_cancelled_study_continues(void **state)
{
    struct sciara_error e = {0};
    char folder[500];
    put_text(&dir, "plan0.cfg",
             CASE_TEXT "max_steps 3000\nmembers 120\nvary_Pcool uniform 2 4\nseed 3\n");
    struct sciara_study_options o = with(2, NULL);
    sciara_study *s = open_study(SCIARA_ENSEMBLE, &o);
    OK(sciara_study_run(s, &e));
    const uint64_t whole = sciara_study_digest(s);
    sciara_study_close(s);
    for (int again = 0; again < 2; again++) {
        struct seen seen = {.cancel_at = 1};
        snprintf(folder, sizeof folder, "%s", scratch_file(&dir, "cancelled"));
        o = with(2, again ? folder : NULL);
        o.progress = see;
        o.user = &seen;
        s = open_study(SCIARA_ENSEMBLE, &o);
        assert_int_equal(sciara_study_run(s, &e), SCIARA_CANCELLED);
        assert_int_equal(seen.calls, 1);
        e.status = 0;
        if (again) { /* the folder holds its state, if a member was done */
            const int begun = sciara_study_digest(s) != 0;
            sciara_study_close(s);
            o.progress = NULL;
            if (begun) {
                assert_int_equal(
                    sciara_study_open(&s, SCIARA_ENSEMBLE, scratch_file(&dir, "plan0.cfg"), &o, &e),
                    SCIARA_INPUT);
                assert_non_null(strstr(e.text, "unfinished study"));
                assert_null(s);
                e.status = 0;
            }
            o.resume = 1;
            s = open_study(SCIARA_ENSEMBLE, &o);
        }
        OK(sciara_study_run(s, &e));
        assert_true(sciara_study_digest(s) == whole);
        OK(sciara_study_run(s, &e)); /* nothing is left to do */
        assert_true(sciara_study_digest(s) == whole);
        sciara_study_close(s);
    }
    set_up(state);
}

/* ---- a question to a library ------------------------------------------------------------------ */

static void a_library_is_asked(void **state)
{
    struct sciara_error e = {0};
    char folder[500], library[600], plan[500];
    struct seen seen = {.cancel_at = 1};
    (void)state;
    snprintf(folder, sizeof folder, "%s", scratch_file(&dir, "kept"));
    snprintf(library, sizeof library, "%s/library.gpkg", folder);
    snprintf(plan, sizeof plan, "%s", scratch_file(&dir, "plan0.cfg"));
    struct sciara_study_options o = with(2, folder);
    o.keep = 1;
    sciara_study *s = open_study(SCIARA_ENSEMBLE, &o), *all, *few;
    OK(sciara_study_run(s, &e));
    const uint64_t whole = sciara_study_digest(s);
    sciara_study_close(s);
    o = with(2, NULL);
    o.progress = see;
    o.user = &seen;
    OK(sciara_study_open(&all, SCIARA_ASK, library, &o, &e));
    assert_int_equal(sciara_study_run(all, &e), SCIARA_CANCELLED);
    assert_true(sciara_study_digest(all) == 0); /* of a part of the cells */
    OK((e.status = 0, sciara_study_run(all, &e)));
    assert_true(seen.calls > 1 && sciara_study_digest(all) == whole);
    o.progress = NULL;
    char where[] = "Pcool > 3";
    o.where = where;
    o.of_plan = plan;
    OK(sciara_study_open(&few, SCIARA_ASK, library, &o, &e));
    *where = 'X'; /* it was copied */
    OK(sciara_study_run(few, &e));
    assert_true(sciara_study_digest(few) != 0 && sciara_study_digest(few) != whole);
    char *summary = table_of(few, "summary.json");
    assert_non_null(strstr(summary, "\"question\":\t\"Pcool > 3\""));
    sciara_text_free(summary);
    sciara_study_close(few);
    char compare[] = "Pcool <= 3";
    o.where = "Pcool > 3";
    o.compare = compare;
    o.members = 1;
    OK(sciara_study_open(&few, SCIARA_ASK, library, &o, &e));
    *compare = 'X';
    OK(sciara_study_run(few, &e));
    char *named = table_of(few, "named_members.csv");
    assert_non_null(strstr(named, "representative,,,"));
    sciara_text_free(named);
    size_t cells, differ = 0, seen_cells = 0;
    float *less = layer_of(few, "probability_difference.tif", &cells),
          *error = layer_of(few, "probability_difference_error.tif", &cells);
    for (size_t i = 0; i < cells; i++) {
        if (isnan(less[i])) continue;
        assert_true(fabsf(less[i]) <= 1 && error[i] >= 0);
        seen_cells++;
    }
    assert_true(seen_cells > 0);
    free(less);
    free(error);
    static const char mean[] = "thickness_mean_m.tif";
    float *p = layer_of(all, mean, &cells), *q = layer_of(few, mean, &cells);
    for (size_t i = 0; i < cells; i++) differ += !isnan(p[i]) && p[i] != q[i];
    assert_true(differ > 0);
    free(p);
    free(q);
    sciara_study_close(few);
    sciara_study_close(all);
}

/* ---- a forecast that learns ------------------------------------------------------------------- */

/* The lines that docs/library.md has. */
static void a_front_weighs_members(void **state)
{
    struct sciara_error e = {0};
    char folder[500], library[600], plan[500];
    size_t cells, lava = 0;
    put_text(&dir, "now.cfg",
             CASE_TEXT "max_steps 60\nmembers 40\nvary_Pcool uniform 2 4\nseed 3\n"
                       "observed_survey flow.asc at 1h error_m 0.5\n");
    snprintf(folder, sizeof folder, "%s", scratch_file(&dir, "kept"));
    snprintf(library, sizeof library, "%s/library.gpkg", folder);
    snprintf(plan, sizeof plan, "%s", scratch_file(&dir, "now.cfg"));
    struct sciara_study_options o = with(2, NULL);
    sciara_study *all, *now, *early;
    OK(sciara_study_open(&all, SCIARA_ASK, library, &o, &e));
    OK(sciara_study_run(all, &e));
    o.library = library;
    OK(sciara_study_open(&now, SCIARA_NOWCAST, plan, &o, &e));
    *library = 'X'; /* it was copied */
    OK(sciara_study_run(now, &e));
    float *after = layer_of(now, "probability.tif", &cells),
          *before = layer_of(now, "probability_before.tif", &cells);
    for (size_t i = 0; i < cells; i++) {
        assert_true(isnan(after[i]) == isnan(before[i]));
        lava += after[i] > 0;
    }
    assert_true(lava > 0 && sciara_study_digest(now) != sciara_study_digest(all));
    char *weights = table_of(now, "weights.csv");
    assert_non_null(strstr(weights, "member,before,yesterday,now,"));
    sciara_text_free(weights);
    free(after);
    free(before);
    snprintf(library, sizeof library, "%s/library.gpkg", folder);
    o.now_s = 60;
    assert_int_equal(sciara_study_open(&early, SCIARA_NOWCAST, plan, &o, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "has no observation by then"));
    sciara_study_close(early);
    sciara_study_close(now);
    sciara_study_close(all);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const struct sciara_study_options *o, int kind, const char *plan,
                   const char *why)
{
    struct sciara_error e = {0};
    sciara_study *s;
    assert_int_equal(sciara_study_open(&s, (enum sciara_study_kind)kind, plan, o, &e),
                     SCIARA_INPUT);
    if (!strstr(e.text, why)) print_error("%s\n", e.text);
    assert_non_null(strstr(e.text, why));
    assert_null(s);
}

static void invalid_input_is_refused(void **state)
{
    const char *plan = scratch_file(&dir, "plan0.cfg");
    char path[500];
    struct sciara_study_options o = with(1, NULL);
    snprintf(path, sizeof path, "%s", plan);
    refuse(&o, 8, path, "no kind 8");
    refuse(&o, SCIARA_ENSEMBLE, NULL, "give the path of a plan");
    refuse(&o, SCIARA_ENSEMBLE, "/nowhere/plan.cfg", "/nowhere/plan.cfg");
    refuse(&o, SCIARA_PAIRS, path, "barriers");
    refuse(&o, SCIARA_NOWCAST, path, "only SCIARA_NOWCAST takes library");
    o.library = path;
    refuse(&o, SCIARA_ENSEMBLE, path, "only SCIARA_NOWCAST takes library");
    refuse(&o, SCIARA_NOWCAST, path, "not a library of sciara");
    o.now_s = (double)NAN;
    refuse(&o, SCIARA_NOWCAST, path, "now_s");
    o = with(1, NULL);
    refuse(&o, SCIARA_CALIBRATION, path, "plan0.cfg");
    o.threads = -1;
    refuse(&o, SCIARA_ENSEMBLE, path, "threads -1");
    o = with(1, NULL);
    o.formats = SCIARA_NETCDF;
    refuse(&o, SCIARA_ENSEMBLE, path, "formats");
    o = with(1, NULL);
    o.formats = SCIARA_KMZ;
    refuse(&o, SCIARA_PAIRS, path, "formats");
    o = with(1, NULL);
    o.checkpoint_s = (double)NAN;
    refuse(&o, SCIARA_ENSEMBLE, path, "checkpoint_s");
    o = with(1, NULL);
    o.until_error = 2;
    refuse(&o, SCIARA_ENSEMBLE, path, "until_error");
    o = with(1, NULL);
    o.device_count = 3;
    refuse(&o, SCIARA_ENSEMBLE, path, "device_count");
    o = with(1, NULL);
    o.keep = 1;
    refuse(&o, SCIARA_ENSEMBLE, path, "keep: only an ensemble with a folder keeps a library");
    o = with(1, NULL);
    o.where = "1";
    refuse(&o, SCIARA_ENSEMBLE, path, "only SCIARA_ASK has these options");
    o.where = "rate > 1";
    refuse(&o, SCIARA_ASK, path, "not a library of sciara");
    o = with(1, NULL);
    o.compare = "1";
    refuse(&o, SCIARA_ENSEMBLE, path, "only SCIARA_ASK has these options");
    o.at_s = -1;
    refuse(&o, SCIARA_ASK, path, "at_s -1");
    o = with(1, NULL);
    o.samples = 1;
    refuse(&o, SCIARA_SENSITIVITY, path, "samples");
    o = with(1, NULL);
    sciara_study *s = open_study(SCIARA_ENSEMBLE, &o);
    struct sciara_error e = {0};
    float one;
    char *text;
    assert_int_equal(sciara_study_table(s, "members.csv", &text, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "nothing has been computed"));
    assert_true(sciara_study_digest(s) == 0);
    OK((e.status = 0, sciara_study_run(s, &e)));
    assert_int_equal(sciara_study_layer(s, "probability.tif", &one, 1, &e), SCIARA_INPUT);
    assert_int_equal(sciara_study_table(s, "probability.tif", &text, &e), SCIARA_INPUT);
    assert_int_equal(sciara_study_table(s, "nothing.csv", &text, &e), SCIARA_INPUT);
    assert_non_null(strstr(e.text, "no table nothing.csv"));
    assert_null(text);
    sciara_study_close(s);
    sciara_study_close(NULL);
}

static int tear_down(void **state)
{
    scratch_remove(&dir);
    return 0;
}

int main(void)
{
    return UNIT_RUN_IN(NULL, NULL, set_up, tear_down, all_kinds_are_read_as_they_are_written,
                       a_cancelled_study_continues, a_library_is_asked, a_front_weighs_members,
                       invalid_input_is_refused);
}
