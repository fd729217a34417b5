/* A sensitivity analysis on processors and on devices, which the emulator stands for: one digest,
 * with noise and without, from one device and from two, and from a state that was left behind. */
/* tests: study/sensitivity */
/* build: batch */
#include "plan_files.h"
#include "study_by.h"
#include "sensitivity/sensitivity.h"
#include "unit.h"
#include "text/words.h"

extern uint64_t emulator_seed;
extern int emulator_processors, emulator_devices;
extern long emulator_launches;

#define PLAN                                                                                       \
    CASE_TEXT "max_steps 60\noutline flow.asc\nassets places.json\nfit_Pcool 1 20 log\n"           \
              "fit_rate_factor 0.3 2\nfit_vent_east_m -15 15\nmethod both\ntrajectories 3\n"       \
              "samples 6\nresamples 20\nseed 3\n"
#define PLACES "{\"type\":\"Point\",\"coordinates\":[500035,4000025]}"

enum { THICKNESS = 2, RATE = 1 }; /* quantity; coordinate */

static void write_files(struct scratch *s, const char *more)
{
    char text[4096];
    scratch_create(s);
    write_case(s);
    put_grid(s, "flow.asc", 1);
    put_text(s, "places.json", PLACES);
    snprintf(text, sizeof text, "%s%s", PLAN, more);
    put_text(s, "plan.cfg", text);
}

static uint64_t digest_by(struct scratch *s, const struct study_job *how, int64_t samples,
                          const char *state)
{
    const struct sensitivity_options w = {.samples = samples, .seed = -1};
    struct sensitivity x;
    struct error e = {0};
    bool stopped;
    must(sensitivity_open(&x, scratch_file(s, "plan.cfg"), &w, &e), &e);
    must(study_by(&study_sensitivity, &x, how, state, &stopped, &e), &e);
    assert_true(!stopped && x.stage[STAGE_SOBOL].done == (samples ? samples : 6));
    assert_true(x.stage[STAGE_MORRIS].done == 3);
    const uint64_t digest = sensitivity_digest(&x);
    /* Lava is there, and how thick it gets follows from its rate. */
    struct indices of;
    must(sensitivity_indices(&of, &x, &x.stage[STAGE_SOBOL], THICKNESS, &e), &e);
    assert_true(of.varies && of.mean > 0 && of.of[SOBOL_ST][RATE] > 0);
    study_sensitivity.close(&x);
    return digest;
}

static void processors_and_devices_agree(void **state)
{
    static const char *const more[] = {"", "terrain_error_m 0.5\nnoise_members 2\n"};
    static const int both[] = {0, 1};
    uint64_t digest[2];
    emulator_processors = 3;
    emulator_devices = 2;
    for (int i = 0; i < 2; i++) {
        struct scratch s;
        write_files(&s, more[i]);
        const struct study_job one = {.threads = 1}, three = {.threads = 3},
                               device = {.threads = 1, .device = both, .device_count = 1},
                               devices = {.threads = 1, .device = both, .device_count = 2};
        digest[i] = digest_by(&s, &one, 0, NULL);
        assert_true(digest_by(&s, &three, 0, NULL) == digest[i]);
        const long before = emulator_launches;
        emulator_seed = 7;
        assert_true(digest_by(&s, &device, 0, NULL) == digest[i]);
        assert_true(emulator_launches > before);
        assert_true(digest_by(&s, &devices, 0, NULL) == digest[i]);
        /* begun by processors, gone on by a device */
        char state_path[512];
        snprintf(state_path, sizeof state_path, "%s", scratch_file(&s, "state"));
        assert_true(digest_by(&s, &three, 2, state_path) != digest[i]);
        assert_true(digest_by(&s, &device, 0, state_path) == digest[i]);
        scratch_remove(&s);
    }
    assert_true(digest[0] != digest[1]);
}

/* Each score of an outline is a quantity with its name; that of all runs together is refused first. */
static void scores_of_one_run(void **state)
{
    static const char *const words[SCORES] = {
        [SCORE_JACCARD] = "J with",           [SCORE_F1] = "F1 with",
        [SCORE_PRECISION] = "precision with", [SCORE_RECALL] = "recall with",
        [SCORE_DISTANCE] = "agreement with",  [SCORE_HAUSDORFF] = "agreement with"};
    const struct sensitivity_options w = {.seed = -1};
    for (int k = 0; k < SCORES; k++) {
        struct scratch s;
        struct sensitivity x;
        struct error e = {0};
        char more[64];
        if (k == SCORE_ARRIVAL) continue; /* (of an outline with a time) */
        snprintf(more, sizeof more, "score %s\n", score_names[k]);
        write_files(&s, more);
        const int status = sensitivity_open(&x, scratch_file(&s, "plan.cfg"), &w, &e);
        bool found = false;
        for (int i = 0; i < x.quantities; i++)
            found = found || (words[k] && !strncmp(WORDS_ENGLISH(x.quantity[i].words), words[k],
                                                   strlen(words[k])));
        assert_int_equal(status, words[k] ? 0 : ERROR_INPUT);
        assert_int_equal(found, words[k] != NULL);
        if (status) assert_non_null(strstr(e.text, "'score ensemble' judges many runs"));
        else study_sensitivity.close(&x);
        scratch_remove(&s);
    }
}

/* The share of the runs that leave the terrain is of all runs: of each point, with each terrain error. */
static void runs_that_leave(void **state)
{
    const struct sensitivity_options w = {.seed = -1};
    struct scratch s;
    struct sensitivity x;
    struct error e = {0};
    struct warnings told = {.count = 0};
    char text[WARNING_TEXT];
    write_files(&s, "terrain_error_m 0.5\nnoise_members 2\n");
    must(sensitivity_open(&x, scratch_file(&s, "plan.cfg"), &w, &e), &e);
    const int coordinates = 3, points = x.keys.second_order ? 2 * coordinates + 2 : coordinates + 2;
    const int morris = 2 * 3 * (coordinates + 1), sobol = 2 * 6 * points;
    x.stage[STAGE_MORRIS].done = 3;
    x.stage[STAGE_SOBOL].done = 6;
    x.stage[STAGE_MORRIS].left = morris / 2;
    x.stage[STAGE_SOBOL].left = (morris + sobol) / 4 - morris / 2;
    sensitivity_warn(&(struct study_job){.self = &x}, &told);
    assert_int_equal(told.count, 1);
    assert_non_null(
        strstr(warnings_line(&told, 0, text), "lava leaves the terrain in 25 % of the runs"));
    assert_int_equal(sensitivity_runs(&x), morris + sobol);
    x.stage[STAGE_MORRIS].done = x.stage[STAGE_SOBOL].done = 0;
    study_sensitivity.close(&x);
    scratch_remove(&s);
}

/* Parameters are ranked by their index; equal ones stay in the order of the plan. */
static void equal_ones_in_order(void **state)
{
    static const double star[] = {1, 3, 0, 1, 3};
    static const int expected[] = {1, 4, 0, 3, 2};
    struct indices of = {.varies = true};
    struct sensitivity x = {.fits = 5};
    int order[FITS_MAX];
    memcpy(of.of[MORRIS_MU_STAR], star, sizeof star);
    x.stage[STAGE_MORRIS].index = &of;
    sensitivity_rank(&x, STAGE_MORRIS, 0, order);
    for (int i = 0; i < x.fits; i++) assert_int_equal(order[i], expected[i]);
}

int main(void)
{
    return UNIT_RUN(processors_and_devices_agree, scores_of_one_run, runs_that_leave,
                    equal_ones_in_order);
}
