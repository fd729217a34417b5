/* sights_count.c — finds n (sights.h) from the number of seen cells in the square around a cell, and warns of
 * observations that contradict each other. */
#include "sights_inside.h"

#include "random/quantile.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>

/* Counts of cells: seen by one observation, or by any of the observations of one time. */
struct counts {
    double time_s;
    bool whole; /* all cells of the grid are seen */
    struct window box;
    /* sum[row * (cols + 1) + col]: number of seen cells in the first `row` rows and `col` columns. NULL: none is seen. */
    uint32_t *sum;
};

static void mark_seen(unsigned char *seen, const struct counts *c, const struct sight *o)
{
    for (size_t i = 0; o->odds && i < window_cells(o->box); i++) {
        const size_t row = (size_t)(o->box.row0 - c->box.row0) + i / (size_t)o->box.cols,
                     col = (size_t)(o->box.col0 - c->box.col0) + i % (size_t)o->box.cols;
        if (!isnan(o->odds[i])) seen[row * (size_t)c->box.cols + col] = 1;
    }
}

static int open_counts(struct counts *c, const struct sight *o, int sights, struct error *e)
{
    *c = (struct counts){.time_s = o->time_s};
    for (int k = 0; k < sights; k++) {
        c->whole = c->whole || !isnan(o[k].beyond);
        if (o[k].odds) c->box = window_of_both(c->box, o[k].box);
    }
    const size_t rows = (size_t)c->box.rows, cols = (size_t)c->box.cols, stride = cols + 1;
    if (c->whole || !rows) return 0;
    unsigned char *seen = calloc(rows, cols);
    c->sum = calloc((rows + 1) * stride, sizeof *c->sum);
    for (int k = 0; k < sights && seen; k++) mark_seen(seen, c, &o[k]);
    for (size_t i = 0; seen && c->sum && i < rows * cols; i++) {
        uint32_t *at = &c->sum[(i / cols + 1) * stride + i % cols + 1];
        *at = *(at - stride) + *(at - 1) - *(at - stride - 1) + seen[i];
    }
    const bool good = seen && c->sum;
    free(seen);
    return good ? 0 : error_memory(e);
}

static double whole_square(int reach)
{
    return (2.0 * reach + 1) * (2.0 * reach + 1);
}

/* The number of seen cells in the square around a cell. If all cells are seen, squares extend beyond the grid. */
static double count_around(const struct counts *c, int row, int col, int reach)
{
    const struct window w = c->box;
    if (c->whole) return whole_square(reach);
    if (!c->sum) return 0;
    const size_t stride = (size_t)w.cols + 1;
    const size_t top = (size_t)int_within(row - w.row0 - reach, w.rows) * stride,
                 bottom = (size_t)int_within(row - w.row0 + reach + 1, w.rows) * stride;
    const int left = int_within(col - w.col0 - reach, w.cols),
              right = int_within(col - w.col0 + reach + 1, w.cols);
    return (double)(c->sum[bottom + (size_t)right] - c->sum[top + (size_t)right] -
                    c->sum[bottom + (size_t)left] + c->sum[top + (size_t)left]);
}

/* The cells that each observation sees, and the cells that are seen at each time. */
struct counted {
    struct counts *sight, *time;
    double *share; /* exp(-age / correlation_h) of each time */
    int times, *first, *time_of;
};

/* n = N (1 + e / c) of a cell, as in sights.h. `all` is N, `earlier` is e, `here` is c. Counts are whole numbers, so
 * the order of observations at the same time does not matter. */
static double n_of(const struct counted *c, int i, int row, int col, int reach)
{
    const int own = c->time_of[i];
    const double here = count_around(&c->time[own], row, col, reach);
    double all = 0, earlier = 0;
    for (int k = c->first[own]; k < c->first[own + 1]; k++)
        all += count_around(&c->sight[k], row, col, reach);
    for (int t = 0; t < own; t++)
        earlier += c->share[t] * count_around(&c->time[t], row, col, reach);
    return all * (1 + earlier / here);
}

static int64_t units(double log_odds)
{
    return (int64_t)rint(log_odds * SIGHTS_UNIT);
}

static int set_gains(struct sight *o, const struct counted *c, int i, int cols, struct error *e)
{
    const int reach = (int)o->reach, own = c->time_of[i];
    const size_t cells = window_cells(o->box);
    o->gain = calloc(cells, sizeof *o->gain);
    o->seen = calloc(cells, sizeof *o->seen);
    if (!o->gain || !o->seen) return error_memory(e);
    for (size_t k = 0; k < cells; k++) {
        if (isnan(o->odds[k])) continue;
        const int row = o->box.row0 + (int)(k / (size_t)o->box.cols),
                  col = o->box.col0 + (int)(k % (size_t)o->box.cols);
        const double n = n_of(c, i, row, col, reach);
        if (o->survey.share) o->survey.share[k] = 1 / n;
        o->gain[k] = units((double)o->odds[k] / n);
        o->seen[k] =
            o->front.inside && o->front.inside[(size_t)row * (size_t)cols + (size_t)col] ? 3 : 1;
    }
    if (isnan(o->beyond)) return 0;
    /* All cells outside o->box have one gain. Its n counts only observations of the whole grid. */
    double all = 0, earlier = 0;
    for (int k = c->first[own]; k < c->first[own + 1]; k++)
        all += c->sight[k].whole ? whole_square(reach) : 0;
    for (int t = 0; t < own; t++) earlier += c->time[t].whole ? c->share[t] : 0;
    o->beyond_gain = units((double)o->beyond / (all * (1 + earlier)));
    return 0;
}

/* ---- growth -------------------------------------------------------------------------------------- */

static bool is_whole_front(const struct sight *o)
{
    return o->kind == SEEN_FRONT && !isnan(o->beyond);
}

/* The variance of the number of cells in a front. Parts of the front's outline within a correlation
 * length have the same error. Averaged over directions, an outline of the length n, in cells, runs
 * along n * 4 / pi edges of cells. */
static double variance_of_area(const struct sights *x, const struct sight *o)
{
    static const double LENGTH_OF_EDGE = 0.7853981633974483;
    const double cell_m = x->plan->base.geo.cell_m;
    const double sd = o->sharper * fmax(cell_m / 2, o->line->error_m) / cell_m,
                 alike = fmax(1, o->line->correlation_m / cell_m);
    const size_t cols = (size_t)o->box.cols, cells = window_cells(o->box);
    size_t edges = 0;
    for (size_t k = 0; k < cells; k++)
        edges += (k % cols && o->seen[k] != o->seen[k - 1]) +
                 (k >= cols && o->seen[k] != o->seen[k - cols]);
    return sd * sd * alike * LENGTH_OF_EDGE * (double)edges;
}

/* Sets the variance and n of the growth since the last earlier front that shows all lava. Fronts of
 * the same time are one observation. Let r be the correlation of the errors of two areas. For
 * normal errors the joint density of the areas is a product: the density of the growth, with
 * growth_variance, times the density of each area to the power 1 / (1 + r). Of two equal
 * fronts, n (sights.h) gives the later front this power. */
static void set_growth(struct sights *x, const struct counted *c, int i)
{
    struct sight *o = &x->of[i];
    const int own = c->time_of[i], end = c->first[own + 1];
    int k = c->first[own] - 1;
    while (k >= 0 && !is_whole_front(&x->of[k])) k--;
    if (!is_whole_front(o) || k < 0) return;
    const double share = c->share[c->time_of[k]];
    if (!(share > 0)) return;
    for (int n = c->first[own]; n < end; n++) o->front.growth_n += is_whole_front(&x->of[n]);
    o->front.previous = k;
    o->front.growth_variance = 0.5 * (variance_of_area(x, o) + variance_of_area(x, &x->of[k])) *
                               (1 - share * share) / share;
}

/* n of an arrival: the number of arrivals of the same time that share a cell with it, times (1 + e). e is the sum of
 * `share` over the earlier times with an arrival that shares a cell. */
static double n_of_arrival(const struct sights *x, const struct counted *c, int i)
{
    const int own = c->time_of[i];
    double all = 0, earlier = 0;
    for (int t = 0; t <= own; t++) {
        int here = 0;
        for (int k = c->first[t]; k < c->first[t + 1]; k++)
            here += x->of[k].kind == SEEN_ARRIVAL &&
                    sight_cells_common(&x->of[i], x->of[k].arrival.cell, x->of[k].arrival.cells);
        if (t == own) all = here;
        else if (here) earlier += c->share[t];
    }
    return all * (1 + earlier);
}

/* ---- contradictions ------------------------------------------------------------------------------ */

static const float SURE = (float)SIGHTS_ODDS / 2;

/* Two times that differ by more than this contradict each other. Fronts and dry places have no error of time. */
static double far_s(const struct sight *a, const struct sight *b)
{
    const double of_a = isnan(a->line->error_s) ? 0 : a->line->error_s,
                 of_b = isnan(b->line->error_s) ? 0 : b->line->error_s;
    return SIGHTS_FAR * sqrt(of_a * of_a + of_b * of_b);
}

/* Whether the times of two observations contradict each other. Two ends do if their times differ by
 * more than far_s(). Two arrivals do if, in addition, the place of the later arrival contains the
 * place of the earlier arrival. */
static bool are_apart(const struct sight *a, const struct sight *b)
{
    const double later_s = a->time_s - b->time_s;
    if (a->kind != b->kind || fabs(later_s) <= far_s(a, b)) return false;
    if (later_s < 0) return are_apart(b, a);
    return a->kind == SEEN_END ||
           (a->kind == SEEN_ARRIVAL &&
            sight_cells_common(a, b->arrival.cell, b->arrival.cells) == b->arrival.cells);
}

/* The number of cells in which observation o contradicts an arrival at a place. If o is earlier, these are the cells
 * of the place with lava. If o is later and shows no lava at the place, these are all cells of the place. */
static uint64_t cells_against_arrival(const struct sights *x, const struct sight *a,
                                      const struct sight *o)
{
    const uint32_t cols = (uint32_t)x->plan->base.problem.cols;
    const double later_s = o->time_s - a->time_s;
    uint32_t lava = 0, dry = 0;
    if (!o->odds || fabs(later_s) <= far_s(a, o)) return 0;
    for (uint32_t i = 0; i < a->arrival.cells; i++) {
        const float odds = sight_odds_at(o, a->arrival.cell[i] / cols, a->arrival.cell[i] % cols);
        lava += odds > SURE;
        dry += odds < -SURE;
    }
    return later_s < 0 ? lava : dry == a->arrival.cells ? dry : 0;
}

/* The number of cells with lava in observation a but not in the later observation b. Cells near the line of a or b
 * do not count. If a and b have the same time, cells with lava only in b count as well. */
static uint64_t cells_against(const struct sights *x, const struct sight *a, const struct sight *b)
{
    const bool one_time = a->time_s == b->time_s;
    uint64_t cells = 0;
    if (a->kind == SEEN_ARRIVAL) return cells_against_arrival(x, a, b);
    if (b->kind == SEEN_ARRIVAL) return cells_against_arrival(x, b, a);
    if (!a->odds || !b->odds) return 0;
    const struct window w = window_common(a->box, b->box);
    for (int row = w.row0; row < w.row0 + w.rows; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++) {
            const float of_a = a->odds[window_place(a->box, row, col)],
                        of_b = b->odds[window_place(b->box, row, col)];
            cells += (of_a > SURE && of_b < -SURE) || (one_time && of_b > SURE && of_a < -SURE);
        }
    return cells;
}

/* Names the file and the line of an observation. The observed end of an eruption is a line without a file. */
static const char *source_of(const struct sight *o, char out[300])
{
    const struct seen_line *l = o->line;
    snprintf(out, 300, *l->file ? "%.120s (%.120s:%d)" : "%.120s%.120s:%d", l->file, l->path,
             l->line);
    return out;
}

static void warn_of(struct sights *x, const struct sight *a, const struct sight *b, uint64_t cells)
{
    char text[512], remedy[1024], of_a[300], of_b[300], where[40] = "";
    words_pack(text, sizeof text,
               cells ? "%s and %s contradict each other: one has lava where the other has none at "
                       "that time or later"
                     : "%s and %s contradict each other: their times differ by more than their "
                       "errors allow",
               a->said, b->said);
    if (cells) snprintf(where, sizeof where, "in %llu cells: ", (unsigned long long)cells);
    snprintf(remedy, sizeof remedy, "%s%s and %s; correct one of them, its time%s", where,
             source_of(a, of_a), source_of(b, of_b),
             isnan(a->line->error_s) && isnan(b->line->error_s) ? "" : " or its error (error_h)");
    warnings_add(&x->told, WARNING_RESULT, text, remedy);
}

/* Warns of at most two pairs of observations that contradict each other: a pair with contradicting times, and a pair
 * with contradicting cells. A member can agree with only one observation of a pair. Without the warning, tempering
 * would hide this. */
static void warn_of_contradictions(struct sights *x)
{
    bool apart = false, against = false;
    for (int i = 0; i < x->count; i++)
        for (int k = i + 1; k < x->count && !(apart && against); k++) {
            const struct sight *a = &x->of[i], *b = &x->of[k];
            const uint64_t cells = against ? 0 : cells_against(x, a, b);
            if (cells || (!apart && are_apart(a, b))) warn_of(x, a, b, cells);
            against = against || cells;
            apart = apart || are_apart(a, b);
        }
}

static int open_times(struct counted *c, const struct sights *x, struct error *e)
{
    int status = 0;
    for (int i = 0; i < x->count && !status; i++) {
        if (!i || x->of[i].time_s > x->of[i - 1].time_s) c->first[c->times++] = i;
        c->time_of[i] = c->times - 1;
        c->first[c->times] = i + 1;
        status = open_counts(&c->sight[i], &x->of[i], 1, e);
    }
    for (int t = 0; t < c->times && !status; t++)
        status = open_counts(&c->time[t], &x->of[c->first[t]], c->first[t + 1] - c->first[t], e);
    return status;
}

static int count_all(struct counted *c, struct sights *x, struct error *e)
{
    const double correlation_s = x->plan->keys.seen.correlation_s;
    int ends = 0; /* number of observations of the end of the eruption */
    for (int i = 0; i < x->count; i++) ends += x->of[i].kind == SEEN_END;
    int status = open_times(c, x, e);
    for (int i = 0; i < x->count && !status; i++) {
        for (int t = 0; t < c->time_of[i]; t++) {
            const double age_s = x->of[i].time_s - c->time[t].time_s;
            c->share[t] = correlation_s > 0 ? real_exp(-age_s / correlation_s) : 0;
        }
        if (x->of[i].odds) status = set_gains(&x->of[i], c, i, x->plan->base.problem.cols, e);
        else if (x->of[i].kind == SEEN_ARRIVAL) x->of[i].arrival.n = n_of_arrival(x, c, i);
        else if (x->of[i].kind == SEEN_END) x->of[i].end.n = ends;
        else if (x->of[i].hot.bits) sights_count_hot(x, i, c->time_of, c->share);
        if (!status) set_growth(x, c, i);
    }
    return status;
}

int sights_count(struct sights *x, struct error *e)
{
    const size_t count = (size_t)x->count;
    struct counted c = {.sight = calloc(count, sizeof *c.sight),
                        .time = calloc(count, sizeof *c.time),
                        .share = calloc(count, sizeof *c.share),
                        .first = calloc(count + 1, sizeof *c.first),
                        .time_of = calloc(count, sizeof *c.time_of)};
    const bool room = c.sight && c.time && c.share && c.first && c.time_of;
    int status = room ? count_all(&c, x, e) : error_memory(e);
    for (size_t i = 0; room && i < count; i++) FREE_ALL(c.sight[i].sum, c.time[i].sum);
    FREE_ALL(c.sight, c.time, c.share, c.first, c.time_of);
    if (status) return status;
    warn_of_contradictions(x);
    return 0;
}
