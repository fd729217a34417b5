/* dem_check.c — checks that the terrain has the heights of its sources. PROJ transforms 1,000 places to each source.
 * There the cells of the source are read without GDAL's resampling, and compared with the terrain. */
#include "dem_parts.h"

#include "base/order.h"
#include "raster/datum.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>

#ifdef SCIARA_WITH_GDAL

enum { PLACES = 1000, ENOUGH = 20 }; /* fewer places than ENOUGH are no sample */

/* ---- a height of a source -------------------------------------------------------------------- */

/* A mean over cells of a source takes at most this number of rows and of columns. */
enum { WIDE_MOST = 32 };

/* Returns the weight of a row or column in a mean over `wide` rows or columns. `away`: the distance of its middle from
 * the place, in rows or columns. */
static double weight_at(double away, double wide)
{
    return fmax(0, 1 - fabs(away) / wide);
}

/* Returns the height of a source at a place, in metres. The height is interpolated between four cells or, if cells of
 * the terrain are larger, is a weighted mean. NaN: one of these cells lacks data, or is outside the source. `given`:
 * an additional mark of no data. If a cell differs from the mean by more than *apart, in m, *apart becomes this
 * difference. */
static double height_at(const struct dem_source *s, const double at[2], double given, double *apart)
{
    enum { MOST = 2 * WIDE_MOST + 2 };
    double wide[2], cell[MOST * MOST], mask[MOST * MOST], sum = 0, weights = 0;
    int first[2], count[2];
    for (int k = 0; k < 2; k++) {
        wide[k] = fmin(s->wide[k], WIDE_MOST);
        first[k] = (int)ceil(at[k] - 0.5 - wide[k]);
        count[k] = (int)floor(at[k] - 0.5 + wide[k]) - first[k] + 1;
    }
    if (first[0] < 0 || first[1] < 0 || first[0] + count[0] > s->head->cols ||
        first[1] + count[1] > s->head->rows ||
        !dem_source_read(s, (struct window){first[1], first[0], count[1], count[0]}, given, cell,
                         mask))
        return NAN;
    for (int k = 0; k < count[0] * count[1]; k++) {
        const double weight = weight_at(first[0] + k % count[0] + 0.5 - at[0], wide[0]) *
                              weight_at(first[1] + k / count[0] + 0.5 - at[1], wide[1]);
        if (isnan(cell[k])) return NAN;
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
    if (isnan(a) || isnan(b)) return 0;
    if (!GROW(p->a, p->count) || !GROW(p->b, p->count)) return error_memory(e);
    p->a[p->count] = a;
    p->b[p->count++] = b;
    return 0;
}

/* If the terrain differs from its sources by more than this, and by more than four cell sides, some numbers of the
 * sources are not heights. */
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

/* Fills in *c, and refuses differences that two measurements of the same ground cannot have. */
static int judge_pairs(struct dem_compared *c, const struct dem_pairs *p, const char *a,
                       const char *b, struct error *e)
{
    FREED double *apart_m = malloc((size_t)(p->count + 1) * sizeof *apart_m);
    struct datum h;
    if (!apart_m) return error_memory(e);
    const int status = datum_compare(&h, p->a, p->b, (size_t)p->count, e);
    if (status) return status;
    for (int i = 0; i < p->count; i++) apart_m[i] = fabs(p->a[i] - p->b[i]);
    qsort(apart_m, (size_t)p->count, sizeof *apart_m, order_reals);
    c->places = p->count;
    c->median_m = p->count ? apart_m[p->count / 2] : (double)NAN;
    c->greatest_m = p->count ? apart_m[p->count - 1] : (double)NAN;
    c->shift_m = p->count ? h.shift_m : (double)NAN;
    if (p->count < ENOUGH) return 0;
    if (h.is == DATUM_IN_FEET)
        return error_input(e,
                           "dem: heights of %s are %.4g times the heights of %s: the unit of one "
                           "is wrong; if it declares none, give option 'heights' ft or m",
                           a, h.ratio, b);
    if (h.is == DATUM_SHIFTED)
        return error_input(e,
                           "dem: heights of %s are %.4g m %s the heights of %s all over: they "
                           "count from another vertical datum; use sources of one datum",
                           a, fabs(c->shift_m), c->shift_m > 0 ? "above" : "below", b);
    return 0;
}

/* ---- the places ------------------------------------------------------------------------------ */

/* Finds place i of a sequence that fills the terrain evenly. */
static void place_of(const struct dem *d, int i, int *row, int *col)
{
    const double u = 0.5 + 0.7548776662466927 * i, v = 0.5 + 0.5698402909980532 * i;
    *col = (int)((u - floor(u)) * d->r->cols);
    *row = (int)((v - floor(v)) * d->r->rows);
}

/* Adds pairs of heights at a place. Of the sources that cover the place, the last is paired with the terrain, and each
 * other source with the last. The terrain is also paired with d->against. */
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

int dem_check_rows(struct dem *d, const float *cell, int row0, int rows, struct error *e)
{
    const struct georef *g = &d->r->geo;
    for (int i = 0; i < PLACES; i++) {
        int row, col;
        place_of(d, i, &row, &col);
        if (row < row0 || row >= row0 + rows) continue;
        const float height = cell[(size_t)(row - row0) * (size_t)d->r->cols + (size_t)col];
        const double x = g->west_m + (col + 0.5) * g->cell_m,
                     y = g->south_m + (d->r->rows - row - 0.5) * g->cell_m;
        int status = look_at(d, x, y, height == DEM_NO_DATA ? (double)NAN : height, e);
        if (!status) status = add_pair(&d->check.shift, dem_vertical_shift(d, x, y), 0, e);
        if (status) return status;
    }
    if (row0 + rows < d->r->rows) return 0;
    const struct dem_pairs *shift = &d->check.shift;
    struct datum h;
    int status = datum_compare(&h, shift->a, NULL, (size_t)shift->count, e);
    d->r->shift_m = shift->count ? h.shift_m : (double)NAN;
    if (!status)
        status = judge_pairs(&d->r->check, &d->check.result, "the terrain", "its sources", e);
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
    const struct dem_pairs *all[] = {&c->result, &c->overlap, &c->against, &c->shift};
    for (int i = 0; i < 4; i++) FREE_ALL(all[i]->a, all[i]->b);
}
