/* Scores that are made of errors, on fields where these are known: distances of outlines,
 * thickness, and arrivals; where nothing was surveyed, on either side of a line, and with cells in
 * any order. */
/* tests: study/calibration */
#include "calibration/observed.h"
#include "case_files.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { ROWS = 30, COLS = 24, CELLS = ROWS * COLS, STEPS = 1000, CLOCK_S = 60 };

/* Cells of 10 m from (1000, 2000); runs of 1000 minutes. */
struct setting {
    struct scratch scratch;
    struct sim_case c;
    struct calibration_keys keys;
    double observed[CELLS];                 /* as a raster, -9999: no data */
    double thickness_m[CELLS], hour[CELLS]; /* of lava; 0: none */
    struct agreement a;
};

static struct setting here;

static int set_up(void **state)
{
    here = (struct setting){.c.geo = {.west_m = 1000, .south_m = 2000, .cell_m = 10},
                            .c.max_steps = STEPS,
                            .c.problem = {.params.clock_s = CLOCK_S, .rows = ROWS, .cols = COLS}};
    scratch_create(&here.scratch);
    here.c.path = (char *)(size_t)scratch_file(&here.scratch, "plan.cfg");
    calibration_keys_default(&here.keys);
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(&here.scratch);
    return 0;
}

static void observe(struct setting *s, enum observed_kind kind, const char *file)
{
    struct observed_key key = {
        .kind = kind, .line = 1, .time_s = INFINITY, .weight = 1, .score = SCORES};
    snprintf(key.file, sizeof key.file, "%s", file);
    s->keys.observed[s->keys.observed_count++] = key;
}

static void write_observed(struct setting *s, const char *name)
{
    write_grid(scratch_file(&s->scratch, name), ROWS, COLS, s->observed);
}

static void put_box(double *field, int row, int col, int rows, int cols, double value)
{
    for (int r = row; r < row + rows; r++)
        for (int c = col; c < col + cols; c++) field[r * COLS + c] = value;
}

/* The reached cells of the lava, from either end. */
static size_t see(const struct setting *s, const struct axis *arrival_s, bool backwards,
                  struct reached *list)
{
    size_t count = 0;
    for (int k = 0; k < CELLS; k++) {
        const int i = backwards ? CELLS - 1 - k : k;
        if (!(s->thickness_m[i] > 0)) continue;
        list[count++] =
            (struct reached){.place = (uint32_t)i,
                             .arrival_class = (uint16_t)axis_of(arrival_s, s->hour[i] * 3600),
                             .end_q = statistics_thickness(s->thickness_m[i])};
    }
    return count;
}

static void judge(struct setting *s, const struct hold_out_key *h)
{
    struct observations o;
    struct reached list[CELLS];
    struct contribution lava = {.cell = list};
    struct agreement again;
    struct statistics_request w = {.arrival_step_s = 3600, .arrival_steps = 1};
    double time_s[OBSERVATIONS_MAX];
    struct axis axis;
    struct error e = {0};
    const int status = observations_create(&o, &s->keys, &s->c, h, &e);
    if (status) print_error("%s\n", e.text);
    assert_int_equal(status, 0);
    observations_request(&o, &w, time_s);
    assert_int_equal(
        axis_create(&axis, 0, w.arrival_step_s, w.arrival_steps, w.time_s, w.time_count, &e), 0);
    observations_use_axis(&o, &axis);
    memset(&s->a, 0, sizeof s->a);
    memset(&again, 0, sizeof again);
    lava.cells = see(s, &axis, false, list);
    assert_int_equal(observations_judge(&o, &lava, &s->a, &e), 0);
    lava.cells = see(s, &axis, true, list);
    assert_int_equal(observations_judge(&o, &lava, &again, &e), 0);
    assert_memory_equal(&s->a, &again, sizeof again);
    axis_free(&axis);
    observations_free(&o);
}

static void refuse(struct setting *s, const char *why)
{
    struct observations o;
    struct error e = {0};
    assert_int_equal(observations_create(&o, &s->keys, &s->c, NULL, &e), ERROR_INPUT);
    if (!strstr(e.text, why)) print_error("%s\n", e.text);
    assert_non_null(strstr(e.text, why));
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* ---- outlines -------------------------------------------------------------------------------- */

static void a_shifted_square(void **state)
{
    put_box(here.observed, 10, 8, 8, 8, 1);
    write_observed(&here, "flow.asc");
    here.c.outline_path = (char *)(size_t)scratch_file(&here.scratch, "flow.asc");
    double mean_m[5];
    for (int by = 0; by <= 4; by++) {
        memset(here.thickness_m, 0, sizeof here.thickness_m);
        put_box(here.thickness_m, 10, 8 + by, 8, 8, 2);
        here.keys.score = SCORE_HAUSDORFF;
        here.keys.score_scale = 0;
        judge(&here, NULL);
        assert_true(here.a.error[0][PART_SEEN] == 10 * by && isnan(here.a.error[0][PART_HELD]));
        assert_true(here.a.all[PART_SEEN] == 1 / (1 + 10 * by / 100.0));
        here.keys.score = SCORE_DISTANCE;
        here.keys.score_scale = 25;
        judge(&here, NULL);
        mean_m[by] = here.a.error[0][PART_SEEN];
        assert_true(here.a.of[0][PART_SEEN] == 1 / (1 + mean_m[by] / 25));
        assert_true(by ? mean_m[by] > mean_m[by - 1] && mean_m[by] < 10 * by : mean_m[by] == 0);
    }
    memset(here.thickness_m, 0, sizeof here.thickness_m);
    judge(&here, NULL);
    assert_true(isinf(here.a.error[0][PART_SEEN]) && here.a.all[PART_SEEN] == 0);
}

/* What lies beyond the line changes nothing on this side, and the line itself is no outline. */
static void a_line_through_an_outline(void **state)
{
    const struct hold_out_key west = {.kind = HOLD_OUT_LEFT_OF, .at = {1120, 2000, 1120, 2300}};
    here.keys.score = SCORE_DISTANCE;
    put_box(here.thickness_m, 10, 5, 8, 14, 1);
    put_box(here.observed, 10, 5, 8, 16, 1);
    write_observed(&here, "flow.asc");
    here.c.outline_path = (char *)(size_t)scratch_file(&here.scratch, "flow.asc");
    judge(&here, &west);
    const struct agreement first = here.a;
    assert_true(first.error[0][PART_HELD] == 0 && first.error[0][PART_SEEN] > 0);
    put_box(here.observed, 10, 5, 8, 3, 0);
    write_observed(&here, "flow.asc");
    judge(&here, &west);
    assert_true(here.a.error[0][PART_SEEN] == first.error[0][PART_SEEN]);
    assert_true(here.a.error[0][PART_HELD] > 0);
}

/* ---- thickness ------------------------------------------------------------------------------- */

/* 12 cells with 4 m that were 3 m; 6 where there was nothing; 4 where it did not come, 5 m; below 0
 * is 0; where nobody has looked nothing counts. */
static void a_raster_of_thickness(void **state)
{
    put_box(here.observed, 0, 0, ROWS, COLS, -0.25);
    put_box(here.observed, 4, 4, 3, 4, 3);
    put_box(here.observed, 20, 4, 1, 4, 5);
    put_box(here.observed, 25, 0, 5, COLS, -9999);
    put_box(here.thickness_m, 4, 4, 3, 4, 4);
    put_box(here.thickness_m, 7, 4, 2, 3, 0.5);
    put_box(here.thickness_m, 25, 3, 3, 3, 9);
    write_observed(&here, "survey.asc");
    observe(&here, OBSERVED_THICKNESS, "survey.asc");
    judge(&here, NULL);
    const double error_m = (12 * 1 + 6 * 0.5 + 4 * 5) / (12 + 6 + 4.0);
    assert_true(near(here.a.error[0][PART_SEEN], error_m));
    assert_true(near(here.a.all[PART_SEEN], 1 / (1 + error_m)));
    here.keys.observed[0].scale = 4;
    judge(&here, NULL);
    assert_true(near(here.a.all[PART_SEEN], 1 / (1 + error_m / 4)));
    put_box(here.thickness_m, 20, 4, 1, 4, 5);
    put_box(here.thickness_m, 4, 4, 3, 4, 3);
    put_box(here.thickness_m, 7, 4, 2, 3, 0);
    judge(&here, NULL);
    assert_true(here.a.error[0][PART_SEEN] == 0 && here.a.all[PART_SEEN] == 1);
}

/* Of two points in a cell the thickest counts: 3 m where there are 4, ground where there is 1, and 2 where lava
 * never came. */
static void a_table_of_thicknesses(void **state)
{
    put_text(&here.scratch, "points.csv",
             "x,y,thickness_m\n1045,2255,12\n1045.5,2251,13\n1055,2255,9.5\n1205,2005,12\n");
    put_box(here.thickness_m, 4, 4, 1, 1, 4);
    put_box(here.thickness_m, 4, 5, 1, 1, 1);
    observe(&here, OBSERVED_THICKNESS, "points.csv");
    here.keys.observed[0].shift_m = -10;
    judge(&here, NULL);
    assert_true(near(here.a.error[0][PART_SEEN], (1 + 1 + 2) / 3.0));
}

static void a_line_through_a_survey(void **state)
{
    const struct hold_out_key west = {.kind = HOLD_OUT_LEFT_OF, .at = {1120, 2000, 1120, 2300}};
    put_box(here.observed, 4, 4, 3, 4, 3);
    put_box(here.observed, 4, 14, 3, 4, 2);
    put_box(here.thickness_m, 4, 4, 3, 4, 4);
    write_observed(&here, "survey.asc");
    observe(&here, OBSERVED_THICKNESS, "survey.asc");
    judge(&here, &west);
    assert_true(here.a.error[0][PART_HELD] == 1 && here.a.error[0][PART_SEEN] == 2);
}

/* A survey whose thickness is written as field * factor + above; the caller frees x->value. */
static int read_survey(struct observation *x, const double *field, double factor, double above,
                       struct error *e)
{
    for (int i = 0; i < ROWS * COLS; i++)
        here.observed[i] = field[i] == -9999 ? -9999 : field[i] * factor + above;
    write_observed(&here, "survey.asc");
    *e = (struct error){0};
    return observation_read(x, scratch_file(&here.scratch, "survey.asc"), &here.c, e);
}

/* Where no lava is the difference of two surveys is 0, with some noise: a datum is refused with the number that corrects it, a
 * small shift is noted, and the heights themselves are no thickness. */
static void surveys_of_another_zero(void **state)
{
    static double field[ROWS * COLS], height_m[ROWS * COLS];
    struct observation right = {.key.kind = OBSERVED_THICKNESS}, x;
    struct error e;
    for (int i = 0; i < ROWS * COLS; i++) {
        field[i] = ((i * 7 + i / COLS * 3) % 5 - 2) * 0.0625;
        height_m[i] = 500 + i;
    }
    put_box(field, 4, 4, 8, 8, 2);
    here.c.elevation_m = height_m;
    assert_int_equal(read_survey(&right, field, 1, 0, &e), 0);
    assert_true(right.apart_m == 0 && right.value[4 * COLS + 4] == 2048 && right.value[0] == 0);
    static const double small[] = {-1.5, 0.5, 2.5}, large[] = {-40, -3, 3, 5};
    for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
        x = (struct observation){.key.kind = OBSERVED_THICKNESS};
        assert_int_equal(read_survey(&x, field, 1, small[k], &e), 0);
        assert_true(x.apart_m == small[k]);
        free(x.value);
        observation_note_shift(&x, "survey.asc", &here.c);
        assert_int_equal(here.c.told.count, (int)k + 1);
    }
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        char remedy[40];
        x = (struct observation){.key.kind = OBSERVED_THICKNESS};
        snprintf(remedy, sizeof remedy, "'shift_m %g'", -large[k]);
        assert_int_equal(read_survey(&x, field, 1, large[k], &e), ERROR_INPUT);
        if (!strstr(e.text, "survey.asc: ") || !strstr(e.text, remedy)) fail_msg("%s", e.text);
        free(x.value);
        x = (struct observation){
            .key = {.kind = OBSERVED_THICKNESS, .shifted = true, .shift_m = -large[k]}};
        assert_int_equal(read_survey(&x, field, 1, large[k], &e), 0);
        assert_memory_equal(x.value, right.value, sizeof *x.value * ROWS * COLS);
        free(x.value);
    }
    static const double times[] = {1, 3.28084, 1 / 3.28084};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        x = (struct observation){.key.kind = OBSERVED_THICKNESS};
        assert_int_equal(read_survey(&x, height_m, times[k], 0, &e), ERROR_INPUT);
        if (!strstr(e.text, "heights of the terrain")) fail_msg("%s", e.text);
        free(x.value);
    }
    /* lava alone, all of one thickness, is no other zero */
    put_box(field, 0, 0, ROWS, COLS, -9999);
    put_box(field, 4, 4, 8, 8, 5);
    x = (struct observation){.key.kind = OBSERVED_THICKNESS};
    assert_int_equal(read_survey(&x, field, 1, 0, &e), 0);
    assert_true(x.apart_m == 0 && x.value[4 * COLS + 4] == 5 * 1024);
    free(x.value);
    free(right.value);
    here.c.elevation_m = NULL;
}

/* ---- arrivals -------------------------------------------------------------------------------- */

static const double END_H = STEPS * CLOCK_S / 3600.0;

/* 8 cells half an hour late, 4 cells 2 hours early, 3 to which lava never came: it comes at the end
 * of the runs. Lava elsewhere does not count. */
static void a_raster_of_arrivals(void **state)
{
    put_box(here.observed, 0, 0, ROWS, COLS, -9999);
    put_box(here.observed, 4, 4, 2, 4, 3);
    put_box(here.observed, 8, 4, 1, 4, 5.25);
    put_box(here.observed, 10, 4, 1, 3, 9);
    put_box(here.thickness_m, 4, 4, 2, 4, 1);
    put_box(here.hour, 4, 4, 2, 4, 3.5);
    put_box(here.thickness_m, 8, 4, 1, 8, 1);
    put_box(here.hour, 8, 4, 1, 8, 3.25);
    write_observed(&here, "hours.asc");
    observe(&here, OBSERVED_ARRIVALS, "hours.asc");
    judge(&here, NULL);
    const double error_h = (8 * 0.5 + 4 * 2 + 3 * (END_H - 9)) / 15;
    assert_true(near(here.a.error[0][PART_SEEN], error_h));
    assert_true(near(here.a.all[PART_SEEN], 1 / (1 + error_h)));
    const struct hold_out_key late = {.kind = HOLD_OUT_AFTER, .time_s = 5 * 3600};
    judge(&here, &late);
    assert_true(here.a.error[0][PART_SEEN] == 0.5);
    assert_true(near(here.a.error[0][PART_HELD], (4 * 2 + 3 * (END_H - 9)) / 7));
}

/* Warned of the raster, with an outline or without. */
static const char *warned(struct setting *s, const char *outline)
{
    struct observations o;
    struct error e = {0};
    write_observed(s, "hours.asc");
    s->c.outline_path = outline ? (char *)(size_t)scratch_file(&s->scratch, outline) : NULL;
    assert_int_equal(observations_create(&o, &s->keys, &s->c, NULL, &e), 0);
    s->c.told = (struct warnings){0};
    assert_int_equal(observations_warn(&o, &s->c, &e), 0);
    observations_free(&o);
    return s->c.told.warning;
}

/* Lava in 13 rows of 20 cells, of which that in the first is of whole hours: a vent, and 0 around
 * it. One vent lies outside the outline. */
static void zeros_where_lava_did_not_come(void **state)
{
    static const double empty[] = {-9999, 0};
    put_box(here.observed, 6, 2, 13, 20, 1);
    write_observed(&here, "flow.asc");
    observe(&here, OBSERVED_ARRIVALS, "hours.asc");
    for (int i = 0; i < 2; i++) {
        put_box(here.observed, 0, 0, ROWS, COLS, empty[i]);
        for (int row = 0; row < 13; row++) put_box(here.observed, 6 + row, 2, 1, 20, row);
        put_box(here.observed, 5, 10, 1, 1, 0);
        if (i == 0) {
            assert_string_equal(warned(&here, NULL), "");
            assert_string_equal(warned(&here, "flow.asc"), "");
            continue;
        }
        assert_non_null(strstr(warned(&here, "flow.asc"), "hours.asc: has 0 in 460 of 460 cells "
                                                          "outside the outline, as if lava came"));
        assert_non_null(strstr(warned(&here, NULL), "has 0 in 480 of 720 cells, as if"));
    }
    put_box(here.observed, 0, 0, ROWS, COLS, 0); /* lava in most cells: only an outline tells */
    put_box(here.observed, 2, 0, ROWS - 4, COLS, 5);
    assert_string_equal(warned(&here, NULL), "");
}

/* Points of the front, with dates and hours; of two in a cell the first counts. */
static void a_table_of_front_positions(void **state)
{
    snprintf(here.c.start_time, sizeof here.c.start_time, "2006-07-12T00:00:00Z");
    put_text(&here.scratch, "front.csv",
             "time,x,y\n2,1045,2255\n2006-07-12T05:00Z,1055,2255\n1h,1045.5,2251\n4,1205,2005\n");
    put_box(here.thickness_m, 4, 4, 1, 2, 1);
    put_box(here.hour, 4, 4, 1, 2, 2);
    observe(&here, OBSERVED_ARRIVALS, "front.csv");
    judge(&here, NULL); /* 1 h late, 3 h early, never */
    assert_true(near(here.a.error[0][PART_SEEN], (1 + 3 + END_H - 4) / 3));
}

/* At 4 hours the front was here: inside nothing may come later, outside nothing before. */
static void an_outline_of_its_time(void **state)
{
    put_box(here.observed, 4, 4, 2, 6, 1);
    write_observed(&here, "flow.asc");
    observe(&here, OBSERVED_OUTLINE, "flow.asc");
    here.keys.observed[0].time_s = 4 * 3600;
    here.keys.observed[0].score = SCORE_ARRIVAL;
    put_box(here.thickness_m, 4, 4, 2, 5, 1); /* all inside but 2 cells */
    put_box(here.hour, 4, 4, 2, 5, 3);
    put_box(here.hour, 4, 4, 2, 1, 6); /* 2 late by 2 */
    put_box(here.thickness_m, 10, 4, 1, 6, 1);
    put_box(here.hour, 10, 4, 1, 6, 5); /* in time to be outside */
    put_box(here.hour, 10, 4, 1, 3, 1); /* 3 early by 3 */
    judge(&here, NULL);
    assert_true(near(here.a.error[0][PART_SEEN], (2 * 2 + 3 * 3 + 2 * (END_H - 4)) / (12 + 3)));
}

/* More steps than classes: hours are those of the end of a few steps. */
static void many_steps(void **state)
{
    here.c.max_steps = 16000;
    put_box(here.observed, 0, 0, ROWS, COLS, -9999);
    put_box(here.observed, 4, 4, 2, 4, 3);
    write_observed(&here, "hours.asc");
    observe(&here, OBSERVED_ARRIVALS, "hours.asc");
    put_box(here.thickness_m, 4, 4, 2, 4, 1);
    put_box(here.hour, 4, 4, 2, 4, 100 + 1 / 60.0);
    judge(&here, NULL);
    assert_true(near(here.a.error[0][PART_SEEN], 97 + 2 / 60.0));

    /* Nor does the time of an outline that is held out divide them for others; its own is in time.
     */
    const struct hold_out_key h = {.kind = HOLD_OUT_AFTER, .line = 7, .time_s = 50 * 3600};
    put_box(here.observed, 0, 0, ROWS, COLS, 0);
    put_box(here.observed, 4, 4, 2, 4, 1);
    write_observed(&here, "flow.asc");
    observe(&here, OBSERVED_OUTLINE, "flow.asc");
    here.keys.observed[1].score = SCORE_ARRIVAL;
    here.keys.observed[1].time_s = 100 * 3600 + 60;
    judge(&here, &h);
    assert_true(near(here.a.error[0][PART_SEEN], 97 + 2 / 60.0));
    assert_true(here.a.error[1][PART_HELD] == 0);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Names are different, and weights count. */
static void several_together(void **state)
{
    struct observations o;
    struct error e;
    put_box(here.observed, 4, 4, 2, 6, 1);
    write_observed(&here, "flow.asc");
    here.c.outline_path = (char *)(size_t)scratch_file(&here.scratch, "flow.asc");
    for (int i = 0; i < 3; i++) {
        observe(&here, OBSERVED_OUTLINE, "flow.asc");
        here.keys.observed[i].time_s = 4 * 3600;
    }
    here.keys.observed[0].score = SCORE_HAUSDORFF;
    observe(&here, OBSERVED_THICKNESS, "flow.asc");
    here.keys.observed[3].weight = 5;
    assert_int_equal(observations_create(&o, &here.keys, &here.c, NULL, &e), 0);
    static const char *const names[] = {"outline", "outline_4h_hausdorff95", "outline_4h",
                                        "outline_4h_2", "thickness"};
    assert_int_equal(o.count, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(o.item[i].name, names[i]);
    observations_free(&o);
    put_box(here.thickness_m, 4, 4, 2, 6, 2);
    put_box(here.hour, 4, 4, 2, 6, 2);
    judge(&here, NULL);
    assert_true(here.a.of[0][PART_SEEN] == 1 && here.a.of[1][PART_SEEN] == 1);
    assert_true(here.a.of[4][PART_SEEN] == 0.5 && here.a.error[4][PART_SEEN] == 1);
    assert_true(here.a.all[PART_SEEN] == (4 + 5 * 0.5) / 9);
}

#define IN_UNIT(unit)                                                                              \
    "<PAMDataset><PAMRasterBand band=\"1\"><UnitType>" unit                                        \
    "</UnitType></PAMRasterBand></PAMDataset>\n"

/* Arrivals in another unit are the same arrivals. */
static void days_and_seconds(void **state)
{
    static const char *const unit[] = {IN_UNIT("h"), IN_UNIT("s"), IN_UNIT("days")};
    static const double of_hour[] = {1, 3600, 1 / 24.0};
    observe(&here, OBSERVED_ARRIVALS, "front.asc");
    put_box(here.thickness_m, 4, 4, 2, 6, 1);
    put_box(here.hour, 4, 4, 2, 6, 5);
    for (int i = 0; i < 3; i++) {
        put_box(here.observed, 0, 0, ROWS, COLS, -9999);
        put_box(here.observed, 4, 4, 2, 6, 3 * of_hour[i]);
        write_observed(&here, "front.asc");
        put_text(&here.scratch, "front.asc.aux.xml", unit[i]);
        judge(&here, NULL);
        assert_true(here.a.error[0][PART_SEEN] == 2);
    }
}

/* Where the runs have no end it comes of what was observed: held out, it would be seen. */
static void times_without_an_end(void **state)
{
    const struct hold_out_key h = {.kind = HOLD_OUT_AFTER, .line = 7, .time_s = 3 * 3600};
    struct observations o;
    struct error e = {0};
    put_box(here.observed, 0, 0, ROWS, COLS, -9999);
    put_box(here.observed, 4, 4, 2, 6, 2);
    put_box(here.observed, 4, 10, 2, 6, 8);
    write_observed(&here, "front.asc");
    observe(&here, OBSERVED_ARRIVALS, "front.asc");
    judge(&here, &h);
    assert_true(here.a.error[0][PART_SEEN] > 0 && here.a.error[0][PART_HELD] > 0);
    here.c.max_steps = 0;
    assert_int_equal(observations_create(&o, &here.keys, &here.c, &h, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "plan.cfg:7: runs end with the last observation"));
    judge(&here, NULL);
}

static void what_cannot_be(void **state)
{
    put_box(here.observed, 0, 0, ROWS, COLS, -9999);
    write_observed(&here, "none.asc");
    observe(&here, OBSERVED_THICKNESS, "none.asc");
    refuse(&here, "no cell of the grid has lava in it");
    here.keys.observed[0].kind = OBSERVED_ARRIVALS;
    refuse(&here, "no cell of the grid has a time");
    put_box(here.observed, 4, 4, 2, 6, 20);
    write_observed(&here, "none.asc");
    refuse(&here, "the observation is of 20 h after the start, but the runs end after 16.6667 h");
    snprintf(here.keys.observed[0].file, sizeof here.keys.observed[0].file, "front.csv");
    put_text(&here.scratch, "front.csv", "x,y,hours\n1,2,3\n");
    refuse(&here, "lacks the columns x, y and time");
    put_text(&here.scratch, "front.csv", "x,y,time\n");
    refuse(&here, "has no point");
    put_text(&here.scratch, "front.csv", "x,y,time\n1045,1999,3\n");
    refuse(&here, "front.csv:2: the point lies outside the terrain");
    put_text(&here.scratch, "front.csv", "x,y,time\n1045,2255,-1\n");
    refuse(&here, "front.csv:2: give a time since the start");
    put_text(&here.scratch, "front.csv", "x,y,time\n1045,2255,2006-07-12\n");
    refuse(&here, "a date needs start_time");
    put_text(&here.scratch, "none.asc.aux.xml", IN_UNIT("parsecs"));
    snprintf(here.keys.observed[0].file, sizeof here.keys.observed[0].file, "none.asc");
    refuse(&here, "its times are in 'parsecs'");
    here.keys.observed[0].kind = OBSERVED_THICKNESS;
    put_text(&here.scratch, "none.asc.aux.xml", IN_UNIT("m"));
    for (int i = 0; i < 3; i++) { /* marks of no data that are not declared */
        static const double mark[] = {-999, 32767, 3.4e38};
        here.observed[COLS + 3] = mark[i];
        write_observed(&here, "none.asc");
        refuse(&here, "at row 1, column 3, which is impossible; if that marks no data, declare it");
    }
    here.keys.observed_count = 0;
    here.c.outline_path = (char *)(size_t)scratch_file(&here.scratch, "none.asc");
    refuse(&here, "3.4e+38 at row 1, column 3");
    put_box(here.observed, 0, 0, ROWS, COLS, 1);
    write_observed(&here, "none.asc");
    here.keys.score = SCORE_DISTANCE;
    refuse(&here, "'score distance' of outline: no line of the outline lies in the compared part");
    here.keys.score = SCORE_ARRIVAL;
    here.c.outline_path = (char *)(size_t)scratch_file(&here.scratch, "none.asc");
    refuse(&here, "'score arrival' needs a time");
}

int main(void)
{
    return UNIT_RUN_IN(set_up, tear_down, NULL, NULL, a_shifted_square, a_line_through_an_outline,
                       a_raster_of_thickness, surveys_of_another_zero, a_table_of_thicknesses,
                       a_line_through_a_survey, a_raster_of_arrivals, a_table_of_front_positions,
                       an_outline_of_its_time, many_steps, several_together, days_and_seconds,
                       times_without_an_end, what_cannot_be, zeros_where_lava_did_not_come);
}
