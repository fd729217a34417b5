/* Several eruptions in a calibration: the same search for any number of threads and after an
 * interruption, whatever was observed of an eruption that is held out; what belongs to which; cells
 * of different sizes. */
/* tests: study/calibration */
#include "calibration/calibration.h"

#include <math.h>

#include "plan_files.h"
#include "study_by.h"
#include "unit.h"

#define OWN                                                                                        \
    CASE_TEXT "max_steps 60\nfit_Pcool 1 5 log\nfit_vent_east_m -15 15\nobserved_volume_m3 4000\n" \
              "observed_outline flow.asc at 1.2\nobserved_runout_m 30\npopulation 6\n"
#define OTHER                                                                                      \
    CASE_TEXT "max_steps 60\nfit_rate_factor 0.5 2 log\nobserved_arrivals front.csv scale 0.5\n"   \
              "observed_runout_m 30 weight 2\n"
#define EVALUATIONS 25

/* Cells of the west are inside. */
static void put_outline(const char *name, int cols)
{
    FILE *f = fopen(scratch_file(&dir, name), "wb");
    if (!f) abort();
    fputs("ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n", f);
    for (int i = 0; i < 48; i++) fprintf(f, "%d%c", i % 8 < cols, i % 8 < 7 ? ' ' : '\n');
    if (fclose(f)) abort();
}

static int set_up(void **state)
{
    if (!*dir.path) scratch_create(&dir);
    write_plan(&dir);
    put_outline("flow.asc", 5);
    put_text(&dir, "front.csv", "x,y,time\n500045,4000045,0.5\n500055,4000035,1\n");
    put_text(&dir, "other.cfg", OTHER);
    put_text(&dir, "plan.cfg", OWN "eruption other.cfg weight 3\nhold_out eruption other\n");
    return 0;
}

static void open_plan(struct calibration *c, bool hold_out)
{
    const struct calibration_options w = {
        .hold_out = hold_out, .evaluations = EVALUATIONS, .seed = -1};
    struct error e = {0};
    const int status = calibration_open(c, scratch_file(&dir, "plan.cfg"), &w, &e);
    if (status) print_error("%s\n", e.text);
    assert_int_equal(status, 0);
}

static bool stop_at(const struct study_progress *now, void *user)
{
    return now->evaluations >= *(int *)user;
}

/* All of it, or until so many evaluations are done, from where the state stands. */
static void search_from(struct calibration *c, bool hold_out, int threads, int stop,
                        const char *state)
{
    const struct study_job how = {.threads = threads, .tell = stop ? stop_at : NULL, .user = &stop};
    bool stopped;
    struct error e = {0};
    open_plan(c, hold_out);
    const int status = study_by(&study_calibration, c, &how, state, &stopped, &e);
    if (status) print_error("%s\n", e.text);
    assert_int_equal(status, 0);
    assert_int_equal(stopped, stop != 0);
}

static void search(struct calibration *c, bool hold_out)
{
    search_from(c, hold_out, 1, 0, NULL);
    assert_int_equal(c->count, EVALUATIONS);
}

static bool is_same(double a, double b)
{
    return !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b));
}

/* Every number of every evaluation, details where both have the same. */
static bool are_same(const struct calibration *a, const struct calibration *b, bool details)
{
    bool same = a->count == b->count && a->fits == b->fits && a->best == b->best;
    for (int i = 0; i < a->count && same; i++) {
        const struct evaluation *x = &a->evaluation[i], *y = &b->evaluation[i];
        same = is_same(x->score, y->score) && is_same(x->error, y->error);
        for (int k = 0; k < a->fits && same; k++) same = is_same(x->value[k], y->value[k]);
        for (int k = 0; k < details_count(a) && details && same; k++)
            same = is_same(details_at(a, i).score[k], details_at(b, i).score[k]);
    }
    return same;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static void the_same_for_any_number_of_threads(void **state)
{
    struct calibration one, three;
    search(&one, false);
    search_from(&three, false, 3, 0, NULL);
    assert_int_equal(one.fits, 3);
    assert_true(one.best > 0 && one.evaluation[one.best].score > one.evaluation[0].score);
    assert_true(are_same(&one, &three, true));
    calibration_close(&one);
    calibration_close(&three);
}

static void the_same_after_an_interruption(void **state)
{
    struct calibration whole, parts;
    char path[600];
    snprintf(path, sizeof path, "%s", scratch_file(&dir, "calibration.state"));
    search(&whole, false);
    search_from(&parts, false, 1, 8, path);
    assert_true(parts.count >= 7 && parts.count < EVALUATIONS);
    calibration_close(&parts);
    search_from(&parts, false, 1, 0, path);
    assert_true(are_same(&whole, &parts, true));
    calibration_close(&whole);
    calibration_close(&parts);
}

/* In two steps no lava leaves the terrain. So the volume is that of the rates and all scores are equal, whatever Pcool is:
 * the case as it stands is the best. */
static void of_equal_scores_the_first(void **state)
{
    struct calibration c;
    put_text(&dir, "plan.cfg",
             CASE_TEXT "max_steps 2\nfit_Pcool 1 5 log\nobserved_volume_m3 4000\npopulation 6\n");
    search(&c, false);
    for (int i = 0; i < c.count; i++)
        assert_true(c.evaluation[i].possible && c.evaluation[i].score == c.evaluation[0].score);
    assert_int_equal(c.best, 0);
    calibration_close(&c);
}

/* The mean by weight of what each does with the values that it has. */
static void a_score_is_the_mean_of_all(void **state)
{
    struct calibration c;
    search(&c, false);
    assert_int_equal(c.observations, 5);
    int different = 0;
    for (int i = 0; i < c.count; i++) {
        const struct details d = details_at(&c, i);
        const double own = d.eruption[0], other = d.eruption[1];
        assert_true(c.evaluation[i].score == (own + 3 * other) / 4);
        assert_true(fabs(own - (d.score[0] + d.score[1] + d.score[2]) / 3) < 1e-15);
        assert_true(fabs(other - (d.score[3] + 2 * d.score[4]) / 3) < 1e-15);
        assert_true(isnan(d.error[0]));
        assert_true(fabs(d.score[3] - 1 / (1 + d.error[3] / 0.5)) < 1e-15);
        different += own != other;
    }
    assert_true(different > EVALUATIONS / 2);
    calibration_close(&c);
}

/* An eruption alone scores what it scores beside another. */
static void neighbours_do_not_disturb(void **state)
{
    struct calibration both, alone;
    search(&both, false);
    put_text(&dir, "plan.cfg", OWN);
    open_plan(&alone, false);
    for (int i = 0; i < both.count; i++) {
        struct study_job how = {.threads = 1};
        struct error e;
        FREED_BY(candidates_free)
        struct batch_of_runs b = {.candidates = 1, .members = 1};
        double own[2];
        assert_int_equal(both.fit[0].variable, alone.fit[0].variable);
        assert_int_equal(both.fit[1].variable, alone.fit[1].variable);
        if (!i) continue;
        memcpy(own, both.evaluation[i].value, sizeof own);
        assert_int_equal(candidates_create(&b, &alone, &e), 0);
        b.value[0] = own;
        assert_int_equal(candidates_run(&alone, &how, &b, &e), 0);
        assert_true(!b.possible[0] ||
                    b.agreement->all[PART_SEEN] == details_at(&both, i).eruption[0]);
    }
    calibration_close(&both);
    calibration_close(&alone);
}

/* ---- runs that differ in their noise --------------------------------------------------------- */

enum { RUNS = 6 };

/* The agreements of so many runs with an outline, by a score: of one candidate, or of several that are the same. */
static void judge_runs(double to[RUNS], const char *score, int candidates, int64_t members,
                       double *overlap)
{
    static const double pcool[] = {2.8};
    struct study_job how = {.threads = 1};
    struct calibration c;
    struct error e = {0};
    char text[1024];
    snprintf(text, sizeof text,
             CASE_TEXT "max_steps 60\nfit_Pcool 1 5 log\noutline flow.asc\nscore %s\n"
                       "terrain_error_m 5\nterrain_error_length_m 20\nnoise_members 2\n",
             score);
    put_text(&dir, "plan.cfg", text);
    open_plan(&c, false);
    FREED_BY(candidates_free)
    struct batch_of_runs b = {.candidates = candidates,
                              .members = members,
                              .first_noise = 5,
                              .own_noise = candidates > 1,
                              .counted = overlap != NULL};
    assert_int_equal(candidates_create(&b, &c, &e), 0);
    for (int i = 0; i < candidates; i++) b.value[i] = pcool;
    assert_int_equal(candidates_run(&c, &how, &b, &e), 0);
    for (int i = 0; i < candidates * members; i++) to[i] = b.agreement[i].all[PART_SEEN];
    if (overlap) { /* of two runs: cells of both by those of either */
        double both = 0, either = 0;
        STATISTICS_EACH (&c.ensemble.cells, i, cell) {
            both += statistics_reached(&c.ensemble.cells, cell) == 2;
            either += statistics_reached(&c.ensemble.cells, cell) > 0;
        }
        *overlap = both / either;
    }
    calibration_close(&c);
}

/* Numbers of noise go on from candidate to candidate: as many runs of one are the same. */
static void noise_goes_on(void **state)
{
    double one[RUNS], several[RUNS];
    judge_runs(one, "ensemble", 1, RUNS, NULL);
    judge_runs(several, "ensemble", RUNS / 2, 2, NULL);
    for (int i = 0; i < RUNS; i++) assert_true(one[i] == several[i]);
    assert_true(one[0] != one[1] && one[1] != one[2] && one[2] != one[3]);
}

/* score = E J(X, Y) + (1 - E J(X, X')) / 2, of two runs. */
static void runs_are_judged_together(void **state)
{
    double together[RUNS], alone[RUNS], overlap;
    judge_runs(together, "ensemble", 1, 2, &overlap);
    judge_runs(alone, "jaccard", 1, 2, NULL);
    assert_true(overlap > 0.2 && overlap < 0.95);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(together[i] - alone[i] - (1 - overlap) / 2) < 1e-12);
}

/* Where a parameter lies between its ends, and back; what is beyond an end is at this end. */
static void parameters_have_a_place(void **state)
{
    for (int log = 0; log < 2; log++) {
        const struct fit f = {.low = 0.5, .high = 6, .log = log};
        for (int i = 0; i <= 8; i++) {
            const double value = fit_value(&f, i / 8.0);
            assert_true(fabs(fit_unit(&f, value) - i / 8.0) < 1e-6);
            assert_true(fabs(value - (log ? 0.5 * pow(12, i / 8.0) : 0.5 + 5.5 * i / 8)) < 1e-5);
        }
        assert_true(fit_unit(&f, 0.4) == 0 && fit_unit(&f, 6.1) == 1);
    }
}

/* ---- what the search does not see ------------------------------------------------------------ */

static void a_held_out_eruption_is_not_seen(void **state)
{
    struct calibration held, changed, seen, before;
    search(&held, true);
    search(&before, false);
    assert_int_equal(held.fits, 2); /* its rate stays as it is */
    put_text(&dir, "front.csv", "x,y,time\n500015,4000005,1.5\n");
    put_text(&dir, "other.cfg", OTHER "outline wide.asc\nobserved_volume_m3 77 weight 9\n");
    put_outline("wide.asc", 7);
    search(&changed, true);
    assert_int_equal(changed.observations, held.observations + 2);
    assert_true(are_same(&held, &changed, false));
    search(&seen, false);
    assert_false(are_same(&before, &seen, false));
    calibration_close(&held);
    calibration_close(&changed);
    calibration_close(&before);
    calibration_close(&seen);
}

static bool note_runs(const struct study_progress *now, void *user)
{
    int64_t *most = user;
    if (!strcmp(now->stage, "searching") && now->all > *most) *most = now->all;
    return false;
}

/* Nor is it run before the end. */
static void a_held_out_eruption_takes_no_time(void **state)
{
    for (int held = 0; held < 2; held++) {
        int64_t most = 0;
        struct calibration c;
        const struct study_job how = {.threads = 1, .tell = note_runs, .user = &most};
        struct error e = {0};
        open_plan(&c, held);
        assert_int_equal(study_by(&study_calibration, &c, &how, NULL, NULL, &e), 0);
        assert_int_equal(most, held ? 6 : 12); /* a population, of each */
        calibration_close(&c);
    }
}

/* A state goes with what was observed, held out or not. */
static void the_own_eruption_is_held_out(void **state)
{
    struct calibration held, changed;
    put_text(&dir, "plan.cfg", OWN "eruption other.cfg\nhold_out eruption plan\n");
    search(&held, true);
    assert_int_equal(held.fits, 2); /* Pcool, and the rate of the other */
    assert_int_equal(held.fit[1].of, 1);
    put_outline("flow.asc", 3);
    search(&changed, true);
    assert_true(are_same(&held, &changed, true));
    assert_true(held.digest != changed.digest);
    calibration_close(&held);
    calibration_close(&changed);
}

/* What was observed, and another eruption, may be moved. */
static void a_state_goes_with_files_by_any_name(void **state)
{
    static const char *const names[][3] = {{"flow.asc", "front.csv", "other"},
                                           {"moved.asc", "there.csv", "elsewhere"}};
    uint64_t digest[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        struct calibration c;
        put_outline(names[i][0], 5);
        put_text(&dir, names[i][1], "x,y,time\n500045,4000045,0.5\n500055,4000035,1\n");
        snprintf(text, sizeof text,
                 CASE_TEXT "max_steps 60\nfit_rate_factor 0.5 2 log\nobserved_arrivals %s\n",
                 names[i][1]);
        char file[32];
        snprintf(file, sizeof file, "%s.cfg", names[i][2]);
        put_text(&dir, file, text);
        snprintf(text, sizeof text,
                 CASE_TEXT
                 "max_steps 60\nfit_Pcool 1 5 log\nobserved_volume_m3 4000\npopulation 6\n"
                 "observed_outline %s at 1.2\nobserved_thickness %s scale 2\n"
                 "eruption %s weight 3\n",
                 names[i][0], names[i][0], file);
        put_text(&dir, "plan.cfg", text);
        open_plan(&c, false);
        digest[i] = c.digest;
        calibration_close(&c);
    }
    assert_true(digest[0] == digest[1]);
}

/* ... but what one line says of its file is not what another says of its own. */
static void lines_are_not_exchanged(void **state)
{
    static const char *const lines[][3] = {{"observed_thickness", "weight 2", "weight 3"},
                                           {"observed_thickness", "scale 2", "scale 3"},
                                           {"observed_outline", "at 0.5", "at 1.2"},
                                           {"observed_outline", "at 1", "at 1 score recall"},
                                           {"eruption", "weight 2", "weight 3"}};
    static const char *const files[][2] = {{"flow.asc", "less.asc"}, {"one.cfg", "two.cfg"}};
    char text[1024];
    put_outline("flow.asc", 5);
    put_outline("less.asc", 3);
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, CASE_TEXT "max_steps 60\nobserved_volume_m3 %d000\n", 3 + i);
        put_text(&dir, files[1][i], text);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const char *const *line = lines[i], *const *file = files[!strcmp(line[0], "eruption")];
        uint64_t digest[2];
        for (int swapped = 0; swapped < 2; swapped++) {
            struct calibration c;
            snprintf(text, sizeof text,
                     CASE_TEXT "max_steps 60\nfit_Pcool 1 5 log\npopulation 6\n"
                               "observed_volume_m3 4000\n%s %s %s\n%s %s %s\n",
                     line[0], file[0], line[1 + swapped], line[0], file[1], line[2 - swapped]);
            put_text(&dir, "plan.cfg", text);
            open_plan(&c, false);
            digest[swapped] = c.digest;
            calibration_close(&c);
        }
        if (digest[0] == digest[1]) fail_msg("%s: %s, %s", line[0], line[1], line[2]);
    }
}

static void refuse(const char *why)
{
    const struct calibration_options w = {.hold_out = true, .evaluations = 25, .seed = -1};
    struct calibration c;
    struct error e = {0};
    assert_int_equal(calibration_open(&c, scratch_file(&dir, "plan.cfg"), &w, &e), ERROR_INPUT);
    if (!strstr(e.text, why)) print_error("%s\n", e.text);
    assert_non_null(strstr(e.text, why));
}

static void nothing_is_left_to_see(void **state)
{
    put_text(&dir, "plan.cfg", OWN "eruption other.cfg\nhold_out eruption plan other\n");
    refuse("hold_out leaves no observation for the search");
    put_text(&dir, "plan.cfg", OWN "eruption other.cfg\n");
    refuse("validation needs observations to hold out");
}

/* ---- cells of different sizes ---------------------------------------------------------------- */

#define COARSE "dem coarse.asc\nvents vents.csv\nrates rates.csv\nmax_steps 60\n" CASE_PARAMETERS

static void cells_of_different_sizes(void **state)
{
    struct calibration c;
    FILE *f = fopen(scratch_file(&dir, "coarse.asc"), "wb");
    if (!f) abort();
    fputs("ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 20\n", f);
    for (int i = 0; i < 48; i++) fprintf(f, "%d%c", 1000 - i, i % 8 < 7 ? ' ' : '\n');
    if (fclose(f)) abort();
    put_text(&dir, "other.cfg", COARSE "observed_volume_m3 77\n");
    refuse("cells of 20 m, the plan of 10 m; give both the same calibrated_cell_m");
    put_text(&dir, "other.cfg", COARSE "observed_volume_m3 77\ncalibrated_cell_m 10\n");
    refuse("the same calibrated_cell_m");
    put_text(&dir, "plan.cfg", OWN "calibrated_cell_m 10\neruption other.cfg\n");
    search(&c, false);
    assert_true(c.eruption[1].plan->base.geo.cell_m == 20);
    calibration_close(&c);
    put_text(&dir, "plan.cfg",
             CASE_TEXT "max_steps 60\nfit_Pr(Tsol) 0.1 1\nobserved_volume_m3 4000\n"
                       "eruption other.cfg\n");
    search(&c, false); /* Pcool is each one's own */
    calibration_close(&c);
}

static int tear_down(void **state)
{
    scratch_remove(&dir);
    return 0;
}

int main(void)
{
    return UNIT_RUN_IN(
        set_up, NULL, NULL, tear_down, the_same_for_any_number_of_threads,
        the_same_after_an_interruption, of_equal_scores_the_first, a_score_is_the_mean_of_all,
        neighbours_do_not_disturb, noise_goes_on, runs_are_judged_together, parameters_have_a_place,
        a_held_out_eruption_is_not_seen, a_held_out_eruption_takes_no_time,
        a_state_goes_with_files_by_any_name, lines_are_not_exchanged, the_own_eruption_is_held_out,
        nothing_is_left_to_see, cells_of_different_sizes);
}
