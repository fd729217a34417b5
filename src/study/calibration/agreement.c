/* agreement.c — scores the agreement of a run with observations. */
#include "observed.h"

#include "compare/outline.h"

#include <math.h>
#include <stdlib.h>

/* ---- shares ---------------------------------------------------------------------------------- */

static double ratio_or_none(double over, double under)
{
    return under > 0 ? over / under : 0;
}

static double overlap_score(int score, double simulated, double observed, double both)
{
    switch (score) {
    case SCORE_F1:
        return ratio_or_none(2 * both, simulated + observed);
    case SCORE_PRECISION:
        return ratio_or_none(both, simulated);
    case SCORE_RECALL:
        return ratio_or_none(both, observed);
    default:
        return ratio_or_none(both, simulated + observed - both);
    }
}

static double likeness(double a, double b)
{
    return a < b ? ratio_or_none(a, b) : ratio_or_none(b, a);
}

static void judge_overlap(const struct observations *o, const struct observation *x,
                          const struct contribution *one, double of[PARTS])
{
    uint64_t simulated[PARTS] = {0}, both[PARTS] = {0};
    for (size_t i = 0; i < one->cells; i++) {
        const struct reached *s = &one->cell[i];
        if (s->arrival_class > x->last_class) continue;
        const int part = observed_part(o, x, s->place);
        simulated[part]++;
        both[part] += x->inside[s->place];
    }
    for (int p = 0; p < PARTS; p++)
        if (x->counts[p])
            of[p] =
                overlap_score(x->score, (double)simulated[p], (double)x->cells[p], (double)both[p]);
}

static double runout_m(const struct observations *o, const struct observation *x,
                       const struct contribution *one)
{
    double most = 0;
    for (size_t i = 0; i < one->cells; i++)
        if (one->cell[i].arrival_class <= x->last_class)
            most = fmax(most, o->distance_m[one->cell[i].place]);
    return most;
}

/* Sums of errors over cells, in ms or 1/1024 m, and numbers of cells. */
struct error_sum {
    wide of[PARTS];
    uint64_t cells[PARTS];
};

/* The time at which lava arrives in a cell: the end of its class of arrival, or the end of the runs
 * if that is earlier. If the time of an outline divides the class, returns the end of the undivided
 * class, because the search must not learn the time of a held-out outline. */
static int64_t arrival_ms(const struct observations *o, const struct reached *s)
{
    if (s->arrival_class >= o->arrival_s->edges) return o->end_ms;
    const double classes = o->arrival_s->edge[s->arrival_class] / o->arrival_step_s;
    const double whole = rint(classes);
    const bool divides = fabs(classes - whole) > 1e-9 * whole;
    const int64_t ms = observed_ms((divides ? ceil(classes) : whole) * o->arrival_step_s);
    return ms < o->end_ms ? ms : o->end_ms;
}

/* *add: the error of this run in a cell with lava. *take: the error that a run without lava has in this
 * cell; x->missed contains it. *counted: whether x->cells counts the cell. False: the run has no error in the cell. */
static bool error_at(const struct observations *o, const struct observation *x,
                     const struct reached *s, int64_t *add, int64_t *take, bool *counted)
{
    const int64_t value = x->value ? x->value[s->place] : observed_ms(x->key.time_s);
    *take = 0;
    *counted = false;
    if (value < 0) return false;
    if (x->key.kind == OBSERVED_THICKNESS) {
        *add = llabs((int64_t)s->end_q - value);
        *take = value;
        *counted = value > 0;
        return true;
    }
    int64_t time = arrival_ms(o, s);
    if (!x->value && s->arrival_class <= x->last_class && time > value) time = value; /* in time */
    *counted = x->value || x->inside[s->place];
    if (*counted) *take = o->end_ms - value;
    *add = x->value   ? llabs(time - value)
           : *counted ? (time > value ? time - value : 0)
                      : value - time;
    return *counted || time < value;
}

static struct error_sum sum_errors(const struct observations *o, const struct observation *x,
                                   const struct contribution *one)
{
    struct error_sum sum;
    for (int p = 0; p < PARTS; p++) {
        sum.of[p] = (wide)x->missed[p];
        sum.cells[p] = x->cells[p];
    }
    for (size_t i = 0; i < one->cells; i++) {
        const struct reached *s = &one->cell[i];
        int64_t add, take;
        bool counted;
        if (!error_at(o, x, s, &add, &take, &counted)) continue;
        const int part = observed_part(o, x, s->place);
        sum.of[part] += (wide)add;
        sum.of[part] -= (wide)take;
        sum.cells[part] += !counted;
    }
    return sum;
}

static void judge_cells(const struct observations *o, const struct observation *x,
                        const struct contribution *one, double error[PARTS])
{
    const double unit = x->key.kind == OBSERVED_THICKNESS ? STATISTICS_MM : 3600000;
    const struct error_sum sum = sum_errors(o, x, one);
    for (int p = 0; p < PARTS; p++)
        if (x->counts[p]) error[p] = (double)sum.of[p] / (double)sum.cells[p] / unit;
}

/* ---- distances of outlines ------------------------------------------------------------------- */

static bool in_time(const struct observation *x, const struct reached *s)
{
    return s->arrival_class <= x->last_class;
}

/* The window of an outline and of the lava that came by the time of the outline, one cell wider on each side. */
static struct window frame_of(const struct observations *o, const struct observation *x,
                              const struct contribution *one)
{
    struct window f = x->box;
    for (size_t i = 0; i < one->cells; i++)
        if (in_time(x, &one->cell[i])) window_add_place(&f, one->cell[i].place, o->cols);
    return domain_around(f, 1, o->rows, o->cols);
}

/* Fills the window f with the cells of `part`, PART_SEEN or PART_HELD. All other cells become unknown, so that the line
 * that divides the terrain is not taken for an outline. */
static void fill_frame(unsigned char *cell, struct window f, const struct observations *o,
                       const struct observation *x, const struct contribution *one, int part)
{
    for (size_t i = 0; i < window_cells(f); i++) {
        const size_t place = window_in_domain(f, i, o->cols);
        const bool known = observed_part(o, x, place) == part;
        cell[i] = !known ? DISTANCE_UNKNOWN : x->inside[place] ? DISTANCE_B : 0;
    }
    for (size_t i = 0; i < one->cells; i++) {
        const struct reached *s = &one->cell[i];
        if (in_time(x, s) && observed_part(o, x, s->place) == part)
            cell[window_at(f, s->place, o->cols)] |= DISTANCE_A;
    }
}

static int judge_distance(const struct observations *o, const struct observation *x,
                          const struct contribution *one, double error[PARTS], struct error *e)
{
    const struct window f = frame_of(o, x, one);
    struct outline_distance d;
    int status = 0;
    FREED unsigned char *cell = malloc(window_cells(f));
    if (!cell) return error_memory(e);
    for (int p = 0; p < PARTS && !status; p++) {
        if (!x->counts[p]) continue;
        fill_frame(cell, f, o, x, one, p);
        status = outline_distance(&d, cell, f.rows, f.cols, o->cell_m, e);
        if (!status) error[p] = x->score == SCORE_DISTANCE ? d.mean_m : d.p95_m;
    }
    return status;
}

static int judge_one(const struct observations *o, const struct observation *x,
                     const struct contribution *one, double of[PARTS], double error[PARTS],
                     struct error *e)
{
    const int part = x->counts[PART_HELD] ? PART_HELD : PART_SEEN;
    int status = 0;
    for (int p = 0; p < PARTS; p++) of[p] = error[p] = NAN;
    if (x->key.kind == OBSERVED_VOLUME)
        of[part] = likeness(fmax(0, one->result.emitted_m3 - one->result.left_m3), x->key.value);
    else if (x->key.kind == OBSERVED_RUNOUT) of[part] = likeness(runout_m(o, x, one), x->key.value);
    else if (!x->unit) judge_overlap(o, x, one, of);
    else if (x->inside && x->score != SCORE_ARRIVAL) status = judge_distance(o, x, one, error, e);
    else judge_cells(o, x, one, error);
    for (int p = 0; p < PARTS && x->unit; p++)
        if (x->counts[p]) of[p] = 1 / (1 + error[p] / x->scale);
    return status;
}

int observations_judge(const struct observations *o, const struct contribution *one,
                       struct agreement *a, struct error *e)
{
    int status = 0;
    for (int i = 0; i < o->count && !status; i++)
        status = judge_one(o, &o->item[i], one, a->of[i], a->error[i], e);
    if (!status) observations_weigh(o, a);
    return status;
}

void observations_weigh(const struct observations *o, struct agreement *a)
{
    double sum[PARTS] = {0}, weight[PARTS] = {0};
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        for (int p = 0; p < PARTS; p++) {
            if (!x->counts[p]) continue;
            sum[p] += x->key.weight * a->of[i][p];
            weight[p] += x->key.weight;
        }
    }
    for (int p = 0; p < PARTS; p++) a->all[p] = weight[p] > 0 ? sum[p] / weight[p] : (double)NAN;
}
