/* How well a run agrees with what was observed: the same as `sciara fit` says of an outline, in the
 * whole and on either side of a line, and of volume and run-out. */
/* tests: study/calibration */
/* run: quick */
#include "calibration/observed.h"
#include "compare/fit.h"
#include "random_case.h"
#include "scratch.h"
#include "unit.h"

#include <math.h>

enum { ROWS = 30, COLS = 24, CELLS = ROWS * COLS, LATE = 3, EDGES = 5 };

/* A flow and an outline that overlap in part, on a grid at (1000, 2000) with cells of 10 m. */
struct setting {
    struct scratch scratch;
    struct sim_case c;
    struct vent vent;
    double observed[CELLS], thickness_m[CELLS];
    struct reached reached[CELLS];
    struct contribution all;
    struct calibration_keys keys;
    double edge_s[EDGES];
};

static uint32_t next_random(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 16;
}

static void make_cell(struct setting *s, int i, uint32_t *random)
{
    s->observed[i] = next_random(random) % 8 < 3 ? 1 : 0;
    s->thickness_m[i] = 0;
    if (next_random(random) % 8 >= 3) return;
    s->thickness_m[i] = 1;
    s->reached[s->all.cells++] = (struct reached){
        .place = (uint32_t)i, .arrival_class = (uint16_t)(next_random(random) % EDGES)};
}

static void setting_create(struct setting *s)
{
    uint32_t random = 5;
    memset(s, 0, sizeof *s);
    scratch_create(&s->scratch);
    for (int i = 0; i < CELLS; i++) make_cell(s, i, &random);
    write_grid(scratch_file(&s->scratch, "flow.asc"), ROWS, COLS, s->observed);
    s->vent = (struct vent){.row = 3, .col = 4};
    s->c.geo = (struct georef){.west_m = 1000, .south_m = 2000, .cell_m = 10};
    s->c.path = (char *)(size_t)scratch_file(&s->scratch, "plan.cfg");
    s->c.outline_path = (char *)(size_t)scratch_file(&s->scratch, "flow.asc");
    s->c.max_steps = 1000;
    s->c.problem.params.clock_s = 60;
    s->c.problem.rows = ROWS;
    s->c.problem.cols = COLS;
    s->c.problem.vents = &s->vent;
    s->c.problem.vent_count = 1;
    s->all.cell = s->reached;
    s->all.result.emitted_m3 = 900;
    s->all.result.left_m3 = 100;
    calibration_keys_default(&s->keys);
    for (int i = 0; i < EDGES; i++) s->edge_s[i] = 3600 * (i + 1);
    assert_true(s->all.cells > 100 && s->all.cells < CELLS / 2);
}

static void setting_free(struct setting *s)
{
    scratch_remove(&s->scratch);
}

static struct agreement judge(struct setting *s, bool hold_out)
{
    struct observations o;
    struct agreement a;
    struct error e = {0};
    struct axis axis = {.edges = EDGES, .edge = s->edge_s};
    const int status =
        observations_create(&o, &s->keys, &s->c, hold_out ? &s->keys.hold_out : NULL, &e);
    if (status) print_error("%s\n", e.text);
    assert_int_equal(status, 0);
    observations_use_axis(&o, &axis);
    assert_int_equal(observations_judge(&o, &s->all, &a, &e), 0);
    observations_free(&o);
    return a;
}

/* What fit_compute() says of the cells that `kept` leaves. */
static struct sciara_overlap fit_of(const struct setting *s, const bool *kept)
{
    static double thickness_m[CELLS];
    static unsigned char observed[CELLS];
    const struct fit_cell vent = {s->vent.row, s->vent.col};
    struct sciara_overlap f;
    for (int i = 0; i < CELLS; i++) {
        thickness_m[i] = !kept || kept[i] ? s->thickness_m[i] : 0;
        observed[i] = (!kept || kept[i]) && s->observed[i] > 0;
    }
    const struct fit_input in = {.rows = ROWS,
                                 .cols = COLS,
                                 .cell_m = 10,
                                 .thickness_m = thickness_m,
                                 .observed = observed,
                                 .left_m3 = 0,
                                 .vent_count = 1,
                                 .vents = &vent};
    fit_compute(&f, &in);
    return f;
}

static double of_fit(const struct sciara_overlap *f, int score)
{
    const double of[] = {f->jaccard, f->f1, f->precision, f->recall};
    return of[score];
}

static void an_outline_as_fit_does(void **state)
{
    struct setting s;
    setting_create(&s);
    const struct sciara_overlap f = fit_of(&s, NULL);
    assert_true(f.jaccard > 0.1 && f.jaccard < 0.5);
    for (s.keys.score = 0; s.keys.score <= SCORE_RECALL; s.keys.score++) {
        const struct agreement a = judge(&s, false);
        assert_true(a.all[PART_SEEN] == of_fit(&f, s.keys.score));
        assert_true(a.of[0][PART_SEEN] == a.all[PART_SEEN] && isnan(a.all[PART_HELD]));
    }
    setting_free(&s);
}

static void each_side_of_a_line_by_itself(void **state)
{
    struct setting s;
    bool left[CELLS], right[CELLS];
    setting_create(&s);
    s.keys.hold_out = (struct hold_out_key){
        .kind = HOLD_OUT_LEFT_OF, .at = {1000, 2000, 1240, 2300}}; /* from corner to corner */
    int count = 0;
    for (int i = 0; i < CELLS; i++) {
        const double x = i % COLS + 0.5, y = ROWS - i / COLS - 0.5;
        left[i] = 24 * y - 30 * x > 0;
        right[i] = !left[i];
        count += left[i];
    }
    assert_true(count > CELLS / 3 && count < 2 * CELLS / 3);
    const struct agreement a = judge(&s, true), whole = judge(&s, false);
    const struct sciara_overlap seen = fit_of(&s, right), held = fit_of(&s, left);
    assert_true(a.all[PART_SEEN] == seen.jaccard && a.all[PART_HELD] == held.jaccard);
    assert_true(whole.all[PART_SEEN] == fit_of(&s, NULL).jaccard);
    setting_free(&s);
}

/* The lava that has come by then; what comes at the end of a class is in time. */
static void an_outline_of_its_time(void **state)
{
    struct setting s;
    setting_create(&s);
    s.keys.observed_count = 1;
    s.keys.observed[0] = (struct observed_key){
        OBSERVED_OUTLINE, 1, "flow.asc", 0, 3600 * (LATE + 1), 3, SCORE_JACCARD, false, 0, 0};
    bool early[CELLS] = {false};
    for (size_t i = 0; i < s.all.cells; i++)
        early[s.reached[i].place] = s.reached[i].arrival_class <= LATE;
    const double end = fit_of(&s, NULL).jaccard;
    const struct agreement a = judge(&s, false);
    for (int i = 0; i < CELLS; i++)
        if (!early[i]) s.thickness_m[i] = 0;
    const double then = fit_of(&s, NULL).jaccard;
    assert_true(then != end && a.of[0][PART_SEEN] == end && a.of[1][PART_SEEN] == then);
    assert_true(a.all[PART_SEEN] == (1 * end + 3 * then) / 4);
    s.keys.hold_out = (struct hold_out_key){.kind = HOLD_OUT_AFTER, .time_s = 3600 * (LATE + 1)};
    const struct agreement b = judge(&s, true);
    assert_true(b.all[PART_SEEN] == then && b.all[PART_HELD] == end);
    setting_free(&s);
}

static void volume_and_runout(void **state)
{
    struct setting s;
    setting_create(&s);
    const double runout_m = fit_of(&s, NULL).runout_simulated_m;
    assert_true(runout_m > 100);
    s.keys.observed_count = 2;
    s.keys.observed[0] =
        (struct observed_key){OBSERVED_VOLUME, 1, "", 1000, INFINITY, 1, SCORES, false, 0, 0};
    s.keys.observed[1] = (struct observed_key){
        OBSERVED_RUNOUT, 2, "", runout_m / 2, INFINITY, 1, SCORES, false, 0, 0};
    const struct agreement a = judge(&s, false);
    assert_true(a.of[1][PART_SEEN] == 800.0 / 1000);
    assert_true(a.of[2][PART_SEEN] == 0.5);
    s.keys.hold_out =
        (struct hold_out_key){.kind = HOLD_OUT_LEFT_OF, .at = {1000, 2000, 1240, 2300}};
    const struct agreement b = judge(&s, true);
    assert_true(isnan(b.of[1][PART_SEEN]) && b.of[1][PART_HELD] == 0.8);
    assert_true(isnan(b.of[2][PART_SEEN]) && b.of[2][PART_HELD] == 0.5);
    s.all.result.left_m3 = 1000; /* of lava that was there before */
    assert_true(judge(&s, false).of[1][PART_SEEN] == 0);
    setting_free(&s);
}

int main(void)
{
    return UNIT_RUN(an_outline_as_fit_does, each_side_of_a_line_by_itself, an_outline_of_its_time,
                    volume_and_runout);
}
