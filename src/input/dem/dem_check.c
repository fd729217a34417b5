/* dem_check.c — whether the terrain has the heights of its sources: at 1,000 places, which PROJ brings to each source, its cells are
 * read as they are. What GDAL resampled is only compared here. */
#include "dem_parts.h"

#include "base/order.h"
#include "raster/raster_formats.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>

#ifdef SCIARA_WITH_GDAL
#include "raster/gdal_raster.h"

/* Fewer than ENOUGH places are no sample. A shift shows another datum if it is at least so large and differences spread by less
 * than this part of it; a ratio shows a unit to a hundredth. */
enum { PLACES = 1000, ENOUGH = 20 };
#define SHIFT_LEAST_M 3.0
#define SPREAD_MOST   0.25
#define FEET          3.28084

/* ---- a height of a source -------------------------------------------------------------------- */

/* A mean takes at most this many columns and rows. */
enum { WIDE_MOST = 32 };

/* The weight of a row or column, its middle `away` from the place, in a mean of `wide`. */
static double weight_at(double away, double wide)
{
    return fmax(0, 1 - fabs(away) / wide);
}

/* The height in metres between the middles of four cells, or the mean of those in a larger cell of the terrain; NaN: a cell lacks
 * data, or is outside. *apart grows to the largest difference of a cell from the mean. */
static double height_at(const struct dem_source *s, const double at[2], double given, double *apart)
{
    enum { MOST = 2 * WIDE_MOST + 2 };
    const struct gdal_raster *d = s->file->gdal;
    double wide[2], cell[MOST * MOST], mask[MOST * MOST], sum = 0, weights = 0;
    int first[2], count[2];
    for (int k = 0; k < 2; k++) {
        wide[k] = fmin(s->wide[k], WIDE_MOST);
        first[k] = (int)ceil(at[k] - 0.5 - wide[k]);
        count[k] = (int)floor(at[k] - 0.5 + wide[k]) - first[k] + 1;
    }
    if (first[0] < 0 || first[1] < 0 || first[0] + count[0] > s->head->cols ||
        first[1] + count[1] > s->head->rows ||
        d->g.GDALRasterIOEx(d->band, GF_Read, first[0], first[1], count[0], count[1], cell,
                            count[0], count[1], GDT_Float64, 0, 0, NULL) >= CE_Failure ||
        (d->mask &&
         d->g.GDALRasterIOEx(d->mask, GF_Read, first[0], first[1], count[0], count[1], mask,
                             count[0], count[1], GDT_Float64, 0, 0, NULL) >= CE_Failure))
        return NAN;
    for (int k = 0; k < count[0] * count[1]; k++) {
        const double weight = weight_at(first[0] + k % count[0] + 0.5 - at[0], wide[0]) *
                              weight_at(first[1] + k / count[0] + 0.5 - at[1], wide[1]);
        if (!dem_source_has(s, cell[k], given) || (d->mask && mask[k] == 0)) return NAN;
        sum += weight * cell[k];
        weights += weight;
    }
    for (int k = 0; k < count[0] * count[1] && fmax(wide[0], wide[1]) > 1; k++)
        *apart = fmax(*apart, fabs((cell[k] - sum / weights) * s->ratio));
    return sum / weights * s->ratio + s->offset;
}

/* ---- pairs of heights ------------------------------------------------------------------------ */

static int add_pair(struct dem_pairs *p, double a, double b, struct error *e)
{
    const struct dem_pair pair = {a, b};
    return isnan(a) || isnan(b) || APPEND(p->pair, p->count, pair) ? 0 : error_memory(e);
}

static double median_value(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, order_reals);
    return count ? value[count / 2] : (double)NAN;
}

static double shift_of(const struct dem_pair *p)
{
    return p->a - p->b;
}

static double size_of(const struct dem_pair *p)
{
    return fabs(p->a - p->b);
}

static double ratio_of(const struct dem_pair *p)
{
    return fabs(p->b) > 1 ? p->a / p->b : 1;
}

static double median_of(const struct dem_pairs *p, double (*of)(const struct dem_pair *),
                        double less, double *value)
{
    for (int i = 0; i < p->count; i++)
        value[i] = less != 0 ? fabs(of(&p->pair[i]) - less) : of(&p->pair[i]);
    return median_value(value, p->count);
}

/* A terrain that differs by more, and by more than four cells, contains something that is no height. */
#define BLEND_M 500.0

static int check_blend(const struct dem *d, struct error *e)
{
    const double most_m = fmax(d->r->check.greatest_m, d->check.apart_m);
    if (!(most_m > fmax(BLEND_M, 4 * d->r->geo.cell_m))) return 0;
    return error_input(e,
                       "dem: the terrain differs from its sources by up to %.0f m: numbers that "
                       "mark no data are averaged into heights; give option 'nodata'",
                       most_m);
}

/* Fills in *c, and refuses differences that are not of two measurements. */
static int judge_pairs(struct dem_compared *c, const struct dem_pairs *p, const char *a,
                       const char *b, struct error *e)
{
    FREED double *value = malloc((size_t)(p->count + 1) * sizeof *value);
    if (!value) return error_memory(e);
    c->places = p->count;
    c->median_m = median_of(p, size_of, 0, value);
    c->greatest_m = p->count ? value[p->count - 1] : (double)NAN;
    c->shift_m = median_of(p, shift_of, 0, value);
    if (p->count < ENOUGH) return 0;
    const double ratio = median_of(p, ratio_of, 0, value),
                 spread = median_of(p, shift_of, c->shift_m, value);
    if (fabs(ratio / FEET - 1) < 0.01 || fabs(ratio * FEET - 1) < 0.01)
        return error_input(e,
                           "dem: heights of %s are %.4g times the heights of %s: the unit of one "
                           "is wrong; if it declares "
                           "none, give option 'heights' ft or m",
                           a, ratio, b);
    if (fabs(c->shift_m) >= SHIFT_LEAST_M && spread < SPREAD_MOST * fabs(c->shift_m))
        return error_input(e,
                           "dem: heights of %s are %.4g m %s the heights of %s all over: they "
                           "count from another vertical "
                           "datum; use sources of one datum",
                           a, fabs(c->shift_m), c->shift_m > 0 ? "above" : "below", b);
    return 0;
}

/* ---- the places ------------------------------------------------------------------------------ */

/* A place of a sequence that fills the terrain evenly. */
static void place_of(const struct dem *d, int i, int *row, int *col)
{
    const double u = 0.5 + 0.7548776662466927 * i, v = 0.5 + 0.5698402909980532 * i;
    *col = (int)((u - floor(u)) * d->r->cols);
    *row = (int)((v - floor(v)) * d->r->rows);
}

/* The last source counts at a place; the others are compared with it. */
static int look_at(struct dem *d, double x, double y, double height, struct error *e)
{
    double at[2], first = NAN;
    const struct dem_source *of = NULL;
    for (int i = d->q->source_count - 1; i >= 0; i--) {
        const struct dem_source *s = &d->source[i];
        if (!dem_source_at(s, x, y, at) || at[0] < 0 || at[1] < 0 || at[0] > s->head->cols ||
            at[1] > s->head->rows)
            continue;
        const double here =
            height_at(s, at, d->q->nodata, &d->check.apart_m) + dem_vertical_shift(d, x, y);
        int status = 0;
        if (of) status = add_pair(&d->check.overlap, here, first, e);
        else status = add_pair(&d->check.result, height, here, e);
        if (status) return status;
        if (!of) of = s, first = here;
    }
    double ignored = 0;
    if (d->against.file && dem_source_at(&d->against, x, y, at))
        return add_pair(&d->check.against, height, height_at(&d->against, at, NAN, &ignored), e);
    return 0;
}

int dem_check_rows(struct dem *d, const float *cell, int row0, int rows, double nodata,
                   struct error *e)
{
    const struct georef *g = &d->r->geo;
    for (int i = 0; i < PLACES; i++) {
        int row, col;
        place_of(d, i, &row, &col);
        if (row < row0 || row >= row0 + rows) continue;
        const float height = cell[(size_t)(row - row0) * (size_t)d->r->cols + (size_t)col];
        const double x = g->west_m + (col + 0.5) * g->cell_m,
                     y = g->south_m + (d->r->rows - row - 0.5) * g->cell_m;
        int status = look_at(d, x, y, height == nodata ? (double)NAN : height, e);
        if (!status) status = add_pair(&d->check.shift, dem_vertical_shift(d, x, y), 0, e);
        if (status) return status;
    }
    if (row0 + rows < d->r->rows) return 0;
    FREED double *value = malloc((size_t)(d->check.shift.count + 1) * sizeof *value);
    if (!value) return error_memory(e);
    d->r->shift_m = median_of(&d->check.shift, shift_of, 0, value);
    int status = judge_pairs(&d->r->check, &d->check.result, "the terrain", "its sources", e);
    if (!status) status = check_blend(d, e);
    if (!status)
        status = judge_pairs(&d->r->overlap, &d->check.overlap, "a source", "another one", e);
    if (!status && d->q->against && !d->check.against.count)
        return error_input(e,
                           "%s: has no height where the terrain has any, so there is nothing to "
                           "compare; correct or omit option 'against'",
                           d->q->against);
    if (!status && d->against.file)
        status = judge_pairs(&d->r->against, &d->check.against, "the terrain", d->against.path, e);
    return status;
}
#endif

void dem_check_free(struct dem_check *c)
{
    FREE_ALL(c->result.pair, c->overlap.pair, c->against.pair, c->shift.pair);
}
