/* observed.c — reads observations, and gives them to the cells of a case as whole numbers. Divides them into a part
 * that the search sees and a part that is held out. */
#include "observed.h"

#include "base/order.h"
#include "case/case_notes.h"
#include "raster/datum.h"
#include "compare/outline.h"
#include "plan/plan.h"
#include "raster/raster.h"
#include "terrain/noise.h"
#include "text/csv.h"
#include "text/times.h"
#include "text/remedy.h"
#include "text/textfile.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- rasters and tables ------------------------------------------------------------------- */

static int make_values(struct observation *x, const struct sim_case *c, struct error *e)
{
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    x->value = malloc(cells * sizeof *x->value);
    if (!x->value) return error_memory(e);
    for (size_t i = 0; i < cells; i++) x->value[i] = -1;
    return 0;
}

/* Gives each cell the value of the raster at the middle of the cell. The raster may have another grid than the case.
 * as_it_is[]: the values before convert(); may be NULL. Returns the number of cells with lava. */
static int sample_raster(struct observation *x, double *as_it_is, const struct raster *r,
                         int64_t (*convert)(double), const struct sim_case *c)
{
    const struct georef *g = &c->geo;
    const int rows = c->problem.rows, cols = c->problem.cols;
    int count = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const double value = raster_at(r, g->west_m + (col + 0.5) * g->cell_m,
                                           g->south_m + (rows - row - 0.5) * g->cell_m);
            const int64_t whole = isnan(value) ? -1 : convert(value);
            x->value[(size_t)row * (size_t)cols + (size_t)col] = whole;
            if (as_it_is) as_it_is[(size_t)row * (size_t)cols + (size_t)col] = value;
            count += whole >= (x->key.kind == OBSERVED_THICKNESS);
        }
    return count;
}

/* ---- thickness ------------------------------------------------------------------------------- */

/* Limits of thicknesses. Differences of two surveys scatter around 0, and are far below 0 where a crater collapsed. */
static const double THICKNESS_LEAST_M = -500, THICKNESS_MOST_M = 4000;

/* A thickness in 1/1024 m. A negative thickness becomes 0, no lava. */
static int64_t thickness_of(double thickness_m)
{
    return thickness_m > 0 ? (int64_t)statistics_thickness(thickness_m) : 0;
}

static int to_thickness(struct raster *r, const char *path, struct error *e)
{
    int status = raster_to_metres(r, NULL, path, e);
    return status ? status : raster_check_values(r, path, THICKNESS_LEAST_M, THICKNESS_MOST_M, e);
}

/* Refuses heights in place of thicknesses. Also refuses differences of two surveys with different vertical datums:
 * these differences are not 0 outside the lava. */
static int check_shift(struct observation *x, const double *thickness_m, const char *path,
                       const struct sim_case *c, struct error *e)
{
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    struct datum h, of = {0};
    int status = datum_compare(&h, thickness_m, NULL, cells, e);
    if (!status && c->elevation_m)
        status = datum_compare(&of, thickness_m, c->elevation_m, cells, e);
    if (status) return status;
    if (of.is == DATUM_IN_FEET || (of.known && fabs(of.ratio - 1) < 0.02))
        return error_input(e,
                           "%s: its values are %.4g times the heights of the terrain, not "
                           "thicknesses; give the difference to the terrain before the eruption",
                           path, of.ratio);
    if (h.is == DATUM_SHIFTED)
        return error_input(e,
                           "%s: its thickness is %.4g m everywhere, also where no lava is: its two "
                           "surveys have different vertical datums; end the line with "
                           "'shift_m %.4g', or with 'shift_m 0' if lava covers most of it",
                           path, h.shift_m, -h.shift_m);
    if (h.is == DATUM_NEAR) x->apart_m = h.shift_m;
    return 0;
}

void observation_note_shift(const struct observation *x, const char *path, struct sim_case *c)
{
    if (fabs(x->apart_m) > 0)
        warnings_say(&c->told, WARNING_NOTE,
                     "%.300s: its thickness is %.2g m where no lava is (median); add 'shift_m "
                     "%.2g' to the line to correct that",
                     path, x->apart_m, -x->apart_m);
}

/* ---- arrivals -------------------------------------------------------------------------------- */

static int to_hours(struct raster *r, const char *path, struct error *e)
{
    enum { NAMES = 5 };
    static const struct {
        double hours;
        const char *name[NAMES]; /* names of the unit */
    } units[] = {{1, {"", "h", "hr", "hour", "hours"}},
                 {24, {"d", "day", "days"}},
                 {1.0 / 60, {"min", "minutes"}},
                 {1 / 3600.0, {"s", "seconds"}}};
    double hours = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (int k = 0; k < NAMES && units[i].name[k]; k++)
            if (!strcasecmp(r->unit, units[i].name[k])) hours = units[i].hours;
    if (hours == 0)
        return remedy_refuse(e, path,
                             "%s: its times are in '%s'; declare how they become hours (stored "
                             "number * SCALE + OFFSET): " REMEDY_CONVERTED,
                             path, r->unit, "h");
    for (size_t i = 0; i < (size_t)r->rows * (size_t)r->cols && hours != 1; i++)
        r->value[i] *= hours;
    return 0;
}

static int64_t ms_of(double hours)
{
    return hours >= 0 && hours < 1e9 ? observed_ms(hours * 3600) : -1;
}

/* Reads a raster of thickness, or of times. */
static int read_raster(struct observation *x, const char *path, const struct sim_case *c,
                       struct error *e)
{
    const bool thick = x->key.kind == OBSERVED_THICKNESS;
    FREED_BY(raster_free) struct raster r;
    FREED double *as_it_is =
        malloc((size_t)c->problem.rows * (size_t)c->problem.cols * sizeof *as_it_is);
    int status = raster_read(&r, path, 0, e);
    if (!status) status = raster_check_crs(&r, path, &c->geo, e);
    if (!status) status = (thick ? to_thickness : to_hours)(&r, path, e);
    if (!status && !as_it_is) status = error_memory(e);
    if (status) return status;
    for (size_t i = 0; thick && i < (size_t)r.rows * (size_t)r.cols; i++)
        r.value[i] += x->key.shift_m;
    const int lava = sample_raster(x, as_it_is, &r, thick ? thickness_of : ms_of, c);
    if (thick && !x->key.shifted && (status = check_shift(x, as_it_is, path, c, e))) return status;
    if (lava) return 0;
    return error_input(e,
                       thick ? "%s: no cell of the grid has lava in it; give thicknesses in m "
                               "where lava was surveyed, and no data elsewhere"
                             : "%s: no cell of the grid has a time; give hours since the start, "
                               "and no data where no lava arrived",
                       path);
}

static int point_time(int64_t *ms, const struct csv *t, int column, const struct sim_case *c,
                      struct error *e)
{
    double time_s;
    int status = csv_time(t, column, TIMES_HOURS, c->start_time, &time_s, e);
    if (!status && !(time_s >= 0 && time_s < 3.6e12))
        status = csv_refuse(t, e, "give a time since the start of the eruption");
    if (!status) *ms = observed_ms(time_s);
    return status;
}

static int point_thickness(int64_t *thickness, const struct csv *t, int column, double shift_m,
                           struct error *e)
{
    double thickness_m;
    int status = csv_real(t, column, &thickness_m, e);
    if (!status && !(thickness_m >= THICKNESS_LEAST_M && thickness_m <= THICKNESS_MOST_M))
        status = csv_refuse(t, e, "give a thickness from -500 to 4000 m");
    if (!status) *thickness = thickness_of(thickness_m + shift_m);
    return status;
}

/* Adds a point. Of several points in a cell the earliest time counts, or the greatest thickness. */
static int add_point(struct observation *x, const struct csv *t, const int column[3],
                     const struct sim_case *c, struct error *e)
{
    const struct georef *g = &c->geo;
    const bool thick = x->key.kind == OBSERVED_THICKNESS;
    double at[2];
    int64_t found;
    int status = csv_real(t, column[0], &at[0], e);
    if (!status) status = csv_real(t, column[1], &at[1], e);
    if (!status)
        status = thick ? point_thickness(&found, t, column[2], x->key.shift_m, e)
                       : point_time(&found, t, column[2], c, e);
    if (status) return status;
    const double col = floor((at[0] - g->west_m) / g->cell_m),
                 row = c->problem.rows - 1 - floor((at[1] - g->south_m) / g->cell_m);
    if (!(row >= 0 && row < c->problem.rows && col >= 0 && col < c->problem.cols))
        return csv_refuse(t, e, "the point lies outside the terrain; correct x and y");
    int64_t *value = &x->value[(size_t)row * (size_t)c->problem.cols + (size_t)col];
    if (*value < 0 || (thick ? *value < found : *value > found)) *value = found;
    return 0;
}

static int read_table(struct observation *x, const char *path, const struct sim_case *c,
                      struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    bool any = false;
    int status = csv_open(&t, path, e);
    if (status) return status;
    const char *what = x->key.kind == OBSERVED_THICKNESS ? "thickness_m" : "time";
    const int column[3] = {csv_column(&t, "x"), csv_column(&t, "y"), csv_column(&t, what)};
    if (column[0] < 0 || column[1] < 0 || column[2] < 0)
        return error_input(e, "%s: its first line lacks the columns x, y and %s; add them", path,
                           what);
    CSV_EACH (&t, status, e) {
        status = add_point(x, &t, column, c, e);
        any = true;
    }
    if (!status && !any) return error_input(e, "%s: has no point; add rows x,y,%s", path, what);
    return status;
}

/* ---- observations ------------------------------------------------------------------------- */

static bool is_named(const struct observations *o, const char *name)
{
    for (int i = 0; i < o->count; i++)
        if (!strcmp(o->item[i].name, name)) return true;
    return false;
}

/* Names an observation by its kind, its time, and its score if that is not the score of the plan. Adds a number if
 * another observation has this name. */
static void set_name(struct observation *x, const struct observations *o)
{
    static const char *const names[] = {[OBSERVED_OUTLINE] = "outline",
                                        [OBSERVED_VOLUME] = "volume",
                                        [OBSERVED_RUNOUT] = "runout",
                                        [OBSERVED_THICKNESS] = "thickness",
                                        [OBSERVED_ARRIVALS] = "arrivals"};
    char name[48], hours[32];
    int n = snprintf(name, sizeof name, "%s", names[x->key.kind]);
    if (isfinite(x->key.time_s))
        n += snprintf(name + n, sizeof name - (size_t)n, "_%sh",
                      times_hours_said(hours, x->key.time_s));
    if (x->key.kind == OBSERVED_OUTLINE && x->score != o->score)
        snprintf(name + n, sizeof name - (size_t)n, "_%s", score_names[x->score]);
    snprintf(x->name, sizeof x->name, "%s", name);
    for (int k = 2; is_named(o, x->name); k++) snprintf(x->name, sizeof x->name, "%s_%d", name, k);
}

/* Sets the score of an observation, the unit of its error, and the error at which the score is one half. */
static void set_score(struct observation *x, const struct calibration_keys *k)
{
    const bool outline = x->key.kind == OBSERVED_OUTLINE;
    x->score = x->key.score == SCORES ? k->score : x->key.score;
    const bool metres = outline && (x->score == SCORE_DISTANCE || x->score == SCORE_HAUSDORFF);
    if (metres || x->key.kind == OBSERVED_THICKNESS) x->unit = "m";
    if (outline ? x->score == SCORE_ARRIVAL : x->key.kind == OBSERVED_ARRIVALS) x->unit = "h";
    x->scale = x->key.scale > 0                                        ? x->key.scale
               : outline && x->score == k->score && k->score_scale > 0 ? k->score_scale
               : metres                                                ? 100
                                                                       : 1;
}

int observation_read(struct observation *x, const char *path, const struct sim_case *c,
                     struct error *e)
{
    if (x->key.kind == OBSERVED_OUTLINE)
        return outline_read(&x->inside, path, c->problem.rows, c->problem.cols, &c->geo, e);
    if (x->key.kind != OBSERVED_ARRIVALS && x->key.kind != OBSERVED_THICKNESS) return 0;
    int status = textfile_check_regular(path, "a raster or a table", e);
    if (!status) status = make_values(x, c, e);
    if (status) return status;
    return (text_has_extension(path, ".csv") ? read_table : read_raster)(x, path, c, e);
}

static double end_of(const struct sim_case *c)
{
    return (double)c->max_steps * c->problem.params.clock_s;
}

static int check_time(const struct sim_case *c, int line, double time_s, struct error *e)
{
    if (!c->max_steps || !isfinite(time_s) || time_s <= end_of(c)) return 0;
    return error_line(e, c->path, line,
                      "the observation is of %g h after the start, but the runs end after %g h; "
                      "let the runs last longer",
                      time_s / 3600, end_of(c) / 3600);
}

static int64_t latest_arrival(const struct observation *x, int rows, int cols)
{
    int64_t latest = 0;
    for (size_t i = 0; i < (size_t)rows * (size_t)cols; i++)
        if (x->value[i] > latest) latest = x->value[i];
    return latest;
}

static int check_arrivals(const struct observation *x, const struct sim_case *c, struct error *e)
{
    const int64_t latest = latest_arrival(x, c->problem.rows, c->problem.cols);
    if (!c->max_steps || latest <= observed_ms(end_of(c))) return 0;
    return check_time(c, x->key.line, (double)latest / 1000, e);
}

static int add_observation(struct observations *o, const struct observed_key *key,
                           const struct calibration_keys *k, const char *path,
                           const struct sim_case *c, struct error *e)
{
    struct observation x = {.key = *key};
    set_score(&x, k);
    set_name(&x, o);
    if (x.score == SCORE_ARRIVAL && key->kind == OBSERVED_OUTLINE && !isfinite(key->time_s))
        return error_input(e,
                           "%s: 'score arrival' needs a time, but the final outline has none; give "
                           "'observed_outline FILE at TIME score arrival'",
                           c->path);
    int status = check_time(c, key->line, key->time_s, e);
    if (!status) status = observation_read(&x, path, c, e);
    if (!status && key->kind == OBSERVED_ARRIVALS) status = check_arrivals(&x, c, e);
    o->item[o->count++] = x;
    return status;
}

int observations_warn_outlines(struct plan *p, const struct calibration_keys *k, struct error *e)
{
    struct vectors_about about;
    int status = 0;
    for (int i = 0; i < k->observed_count && !status; i++) {
        if (k->observed[i].kind != OBSERVED_OUTLINE) continue;
        FREED char *path = path_beside(p->base.path, k->observed[i].file);
        if (!path) return error_memory(e);
        status = case_check_outline(&p->base, path, &about, e);
    }
    return status;
}

static int read_all(struct observations *o, const struct calibration_keys *k,
                    const struct sim_case *c, struct error *e)
{
    const struct observed_key end = {
        .kind = OBSERVED_OUTLINE, .time_s = INFINITY, .weight = k->outline_weight, .score = SCORES};
    int status = c->outline_path ? add_observation(o, &end, k, c->outline_path, c, e) : 0;
    for (int i = 0; i < k->observed_count && !status; i++) {
        const struct observed_key *key = &k->observed[i];
        FREED char *path = *key->file ? path_beside(c->path, key->file) : NULL;
        if (*key->file && !path) return error_memory(e);
        status = add_observation(o, key, k, path, c, e);
    }
    if (!status && !o->count)
        return error_input(e, "%s: has no observation; add a line such as 'outline flow.geojson'",
                           c->path);
    return status;
}

/* ---- what the search does not see ------------------------------------------------------------ */

static int divide_terrain(struct observations *o, const double at[4], const struct sim_case *c,
                          struct error *e)
{
    const int rows = c->problem.rows, cols = c->problem.cols;
    o->held = malloc((size_t)rows * (size_t)cols);
    if (!o->held) return error_memory(e);
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const double x = c->geo.west_m + (col + 0.5) * c->geo.cell_m,
                         y = c->geo.south_m + (rows - row - 0.5) * c->geo.cell_m;
            o->held[(size_t)row * (size_t)cols + (size_t)col] =
                (at[2] - at[0]) * (y - at[1]) - (at[3] - at[1]) * (x - at[0]) > 0;
        }
    return 0;
}

static bool is_lava(const struct observation *x, size_t i)
{
    return x->inside ? x->inside[i] : x->value[i] >= (x->key.kind == OBSERVED_THICKNESS);
}

/* The error in a cell with observed lava if a run has none there: the observed thickness, or the time from the
 * observed arrival to the end of the runs. */
static int64_t missed_at(const struct observations *o, const struct observation *x, size_t i)
{
    if (x->inside) return o->end_ms - observed_ms(x->key.time_s);
    return x->key.kind == OBSERVED_THICKNESS ? x->value[i] : o->end_ms - x->value[i];
}

static void count_cells(const struct observations *o, struct observation *x)
{
    for (size_t i = 0; i < (size_t)o->rows * (size_t)o->cols; i++) {
        if (!is_lava(x, i)) continue;
        const int part = observed_part(o, x, i);
        x->cells[part]++;
        window_add_place(&x->box, i, o->cols);
        if (x->unit && (!x->inside || x->score == SCORE_ARRIVAL))
            x->missed[part] += missed_at(o, x, i);
    }
}

static bool has_cells(const struct observation *x)
{
    return x->inside || x->value;
}

/* Decides whether an observation is held out. If a line divides the terrain, volumes and run-outs are held out, because
 * they depend on both sides of the line. */
static void assign_one(struct observations *o, struct observation *x, const struct hold_out_key *h)
{
    const bool late =
        h->kind == HOLD_OUT_AFTER && x->key.time_s > h->time_s && x->key.kind != OBSERVED_ARRIVALS;
    const bool divided =
        o->held || (h->kind == HOLD_OUT_AFTER && x->value && x->key.kind == OBSERVED_ARRIVALS);
    x->counts[PART_HELD] = h->kind == HOLD_OUT_ALL || late || (o->held && !has_cells(x));
    x->counts[PART_SEEN] = !x->counts[PART_HELD];
    if (has_cells(x)) count_cells(o, x);
    for (int p = 0; p < PARTS && divided && has_cells(x); p++) x->counts[p] = x->cells[p] > 0;
    for (int p = 0; p < PARTS; p++) o->any[p] = o->any[p] || x->counts[p];
}

static int assign(struct observations *o, const struct hold_out_key *h, const struct sim_case *c,
                  struct error *e)
{
    int status = h->kind == HOLD_OUT_LEFT_OF ? divide_terrain(o, h->at, c, e) : 0;
    o->after_ms = h->kind == HOLD_OUT_AFTER ? observed_ms(h->time_s) : INT64_MAX;
    for (int i = 0; i < o->count && !status; i++) assign_one(o, &o->item[i], h);
    if (status || h->kind == HOLD_OUT_NONE || h->kind == HOLD_OUT_ALL) return status;
    if (!o->any[PART_SEEN])
        return error_line(e, c->path, h->line,
                          "hold_out leaves no observation for the search; hold out fewer");
    if (!o->any[PART_HELD])
        return error_line(e, c->path, h->line,
                          "hold_out selects no observation; correct it, or remove the line");
    return 0;
}

/* ---- times ----------------------------------------------------------------------------------- */

static int64_t latest_ms(const struct observations *o)
{
    int64_t latest = 0;
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        const int64_t time_ms = isfinite(x->key.time_s) ? observed_ms(x->key.time_s)
                                : x->key.kind == OBSERVED_ARRIVALS
                                    ? latest_arrival(x, o->rows, o->cols)
                                    : 0;
        if (time_ms > latest) latest = time_ms;
    }
    return latest;
}

/* Sets the classes of arrival. A class is one step, or several steps if there would be more than CLASSES classes. If
 * the case has no end, the observed times set the end of runs. Then observations cannot be held out, because the search
 * would learn their times. */
static int set_times(struct observations *o, const struct sim_case *c, const struct hold_out_key *h,
                     struct error *e)
{
    enum { CLASSES = 8000 };
    const double clock_s = c->problem.params.clock_s;
    for (int i = 0; i < o->count; i++)
        o->arrivals = o->arrivals || (o->item[i].unit && *o->item[i].unit == 'h');
    if (!o->arrivals) return 0;
    if (!c->max_steps && (h->kind == HOLD_OUT_AFTER || h->kind == HOLD_OUT_LEFT_OF))
        return error_line(e, c->path, h->line,
                          "runs end with the last observation, but hold_out removes observations; "
                          "give run_h or max_steps");
    o->end_ms = c->max_steps ? observed_ms(end_of(c)) : 2 * latest_ms(o);
    const double steps = fmax(1, ceil((double)o->end_ms / 1000 / clock_s)),
                 together = ceil(steps / CLASSES);
    o->arrival_step_s = together * clock_s;
    o->arrival_steps = (int)ceil(steps / together);
    return 0;
}

/* ---- distances ------------------------------------------------------------------------------- */

static int measure_distances(struct observations *o, const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    bool needed = false;
    for (int i = 0; i < o->count; i++) needed = needed || o->item[i].key.kind == OBSERVED_RUNOUT;
    if (!needed) return 0;
    if (!p->vent_count)
        return error_input(e,
                           "%s: observed_runout_m is measured from the vents, but the case has "
                           "none; remove the line",
                           c->path);
    o->distance_m = malloc((size_t)p->rows * (size_t)p->cols * sizeof *o->distance_m);
    if (!o->distance_m) return error_memory(e);
    for (int row = 0; row < p->rows; row++)
        for (int col = 0; col < p->cols; col++) {
            double least = INFINITY;
            for (int v = 0; v < p->vent_count; v++) {
                const double dy = row - p->vents[v].row, dx = col - p->vents[v].col;
                least = fmin(least, dx * dx + dy * dy);
            }
            o->distance_m[(size_t)row * (size_t)p->cols + (size_t)col] =
                sqrt(least) * c->geo.cell_m;
        }
    return 0;
}

/* Refuses a score of distance if the outline has no line in the compared part, for example because it fills the
 * terrain. A run without lava has no line either, so its distance from such an outline would be 0. */
static int check_lines(const struct observations *o, const struct sim_case *c, struct error *e)
{
    const struct contribution nothing = {0};
    struct agreement a;
    int status = observations_judge(o, &nothing, &a, e);
    for (int i = 0; i < o->count && !status; i++) {
        const struct observation *x = &o->item[i];
        const bool none = a.error[i][PART_SEEN] == 0 || a.error[i][PART_HELD] == 0;
        if (x->inside && x->score != SCORE_ARRIVAL && none)
            status = error_input(e,
                                 "%s: 'score %s' of %s: no line of the outline lies in the "
                                 "compared part of the terrain; give 'score jaccard'",
                                 c->path, score_names[x->score], x->name);
    }
    return status;
}

int observations_create(struct observations *o, const struct calibration_keys *k,
                        const struct sim_case *c, const struct hold_out_key *h, struct error *e)
{
    static const struct hold_out_key nothing = {.kind = HOLD_OUT_NONE};
    if (!h) h = &nothing;
    *o = (struct observations){.score = k->score,
                               .rows = c->problem.rows,
                               .cols = c->problem.cols,
                               .cell_m = c->geo.cell_m};
    int status = read_all(o, k, c, e);
    if (!status) status = set_times(o, c, h, e);
    if (!status) status = assign(o, h, c, e);
    if (!status) status = measure_distances(o, c, e);
    if (!status) status = check_lines(o, c, e);
    if (status) observations_free(o);
    return status;
}

void observations_free(struct observations *o)
{
    for (int i = 0; i < o->count; i++) FREE_ALL(o->item[i].inside, o->item[i].value);
    RELEASE(o, o->held, o->distance_m);
}

uint64_t observations_hash(uint64_t hash, const double *number, int count, int what)
{
    for (int i = 0; i < count; i++) {
        int64_t bits;
        memcpy(&bits, &number[i], sizeof bits);
        hash = noise_hash(hash, bits, i, what);
    }
    return hash;
}

uint64_t observations_digest(const struct observations *o, uint64_t hash)
{
    const size_t cells = (size_t)o->rows * (size_t)o->cols;
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        const double said[] = {x->key.kind, x->key.time_s, x->key.weight, x->key.scale,
                               x->key.score};
        if (*x->key.file)
            hash = observations_hash(hash, said, 5, 8); /* not in the digest of the plan */
        for (size_t k = 0; x->inside && k < cells; k++)
            if (x->inside[k]) hash = noise_hash(hash, (int64_t)k, i, 2);
        for (size_t k = 0; x->value && k < cells; k++)
            if (x->value[k] >= 0) hash = noise_hash(hash, (int64_t)k, x->value[k], 5);
    }
    return hash;
}

/* ---- classes of arrival ---------------------------------------------------------------------- */

int observations_times(const struct observations *o, double time_s[OBSERVATIONS_MAX])
{
    int count = 0;
    for (int i = 0; i < o->count; i++)
        if (!isinf(o->item[i].key.time_s)) time_s[count++] = o->item[i].key.time_s;
    return order_distinct(time_s, count);
}

void observations_request(const struct observations *o, struct statistics_request *w,
                          double time_s[OBSERVATIONS_MAX])
{
    w->time_count = observations_times(o, time_s);
    w->time_s = time_s;
    if (!o->arrivals) return;
    w->arrival_step_s = o->arrival_step_s;
    w->arrival_steps = o->arrival_steps;
}

void observations_use_axis(struct observations *o, const struct axis *arrival_s)
{
    o->arrival_s = arrival_s;
    for (int i = 0; i < o->count; i++) {
        const double t = o->item[i].key.time_s;
        o->item[i].last_class = isinf(t) ? INT_MAX : axis_edge(arrival_s, t);
    }
}

/* ---- doubts ------------------------------------------------------------------------------- */

const unsigned char *observations_outline(const struct observations *o)
{
    for (int i = 0; i < o->count; i++)
        if (o->item[i].inside && isinf(o->item[i].key.time_s)) return o->item[i].inside;
    return NULL;
}

/* The number of cells outside the outline with an arrival of 0 that probably means "no data".
 * *known: the number of cells outside the outline with any arrival. `outline` NULL: looks at all
 * cells. An arrival of 0 is correct at a vent and, if arrivals are in whole hours, also near a
 * vent. So arrivals of 0 are doubtful only if they are more than half of *known, and more than a
 * tenth of all arrivals. */
static size_t doubtful(const struct observations *o, const struct observation *x,
                       const unsigned char *outline, size_t *known)
{
    size_t zeros = 0, all = 0;
    *known = 0;
    for (size_t i = 0; i < (size_t)o->rows * (size_t)o->cols; i++) {
        all += x->value[i] >= 0;
        if (x->value[i] < 0 || (outline && outline[i])) continue;
        zeros += x->value[i] == 0;
        ++*known;
    }
    return 2 * zeros > *known && 10 * zeros > all ? zeros : 0;
}

int observations_warn(const struct observations *o, struct sim_case *c, struct error *e)
{
    const unsigned char *outline = observations_outline(o);
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        char command[RASTER_COMMAND] = "";
        struct raster_file *f;
        size_t known = 0, zeros = 0;
        if (x->key.kind == OBSERVED_ARRIVALS && !text_has_extension(x->key.file, ".csv"))
            zeros = doubtful(o, x, outline, &known);
        if (!zeros && !(fabs(x->apart_m) > 0)) continue;
        FREED char *path = path_beside(c->path, x->key.file);
        if (!path) return error_memory(e);
        observation_note_shift(x, path, c);
        if (!zeros) continue;
        if (!raster_open(&f, path, RASTER_ANY_SIZE, NULL, NULL)) {
            raster_nodata_command(command, raster_head(f), NULL, 0, path);
            raster_close(f);
        }
        warnings_say(&c->told, WARNING_INPUT,
                     "%.300s: has 0 in %zu of %zu cells%s, as if lava came to them at hour 0; if "
                     "it did not come there, declare 0 as no data: %s",
                     path, zeros, known, outline ? " outside the outline" : "", command);
    }
    return 0;
}
