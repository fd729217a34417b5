/* map_scene.c — the part of a domain that a map shows, and the ends of its scale. */
#include "map_scene.h"
#include "roundnum.h"

#include <math.h>

/* ---- the part of the domain that a map shows ------------------------------------------------- */

enum { LEAST = 48 }; /* cells on a side; with fewer, a map looks like a mosaic */

/* Adds a margin to the shown part of a side. If the shown part is then more than 80 % of the side, the whole side is
 * shown. */
static void widen(int *first, int *count, int domain)
{
    int margin = *count / 12 + 4;
    if (*count + 2 * margin < LEAST) margin = (LEAST - *count + 1) / 2;
    const int end = *first + *count + margin;
    *first = *first > margin ? *first - margin : 0;
    *count = (end < domain ? end : domain) - *first;
    if (*count > 0.8 * domain) *first = 0, *count = domain;
}

void map_crop_finish(struct window *k, int rows, int cols)
{
    if (k->rows) {
        widen(&k->row0, &k->rows, rows);
        widen(&k->col0, &k->cols, cols);
    }
    if (k->rows == rows && k->cols == cols) *k = (struct window){0};
}

static void enclose_places(struct window *k, const struct map *m, const struct map_place *t,
                           int count)
{
    for (int i = 0; i < count; i++) {
        const double(*xy)[2] = t[i].xy;
        for (int part = 0; part < t[i].parts; xy += t[i].part_size[part++])
            for (int n = 0; n < t[i].part_size[part]; n++) {
                const double col = floor((xy[n][0] - m->geo.west_m) / m->geo.cell_m);
                const double row = m->rows - 1 - floor((xy[n][1] - m->geo.south_m) / m->geo.cell_m);
                if (row >= 0 && col >= 0 && row < m->rows && col < m->cols)
                    window_add(k, (int)row, (int)col);
            }
    }
}

void map_crop_content(struct map *m)
{
    m->crop = (struct window){0};
    for (int row = 0; row < m->rows; row++)
        for (int col = 0; col < m->cols; col++)
            if (map_usable(m->value[(size_t)row * (size_t)m->cols + (size_t)col]))
                window_add(&m->crop, row, col);
    window_add_mask(&m->crop, m->mark, m->rows, m->cols);
    window_add_mask(&m->crop, m->outline, m->rows, m->cols);
    enclose_places(&m->crop, m, m->places, m->place_count);
    enclose_places(&m->crop, m, m->barriers, m->barrier_count);
    map_crop_finish(&m->crop, m->rows, m->cols);
}

/* ---- values ---------------------------------------------------------------------------------- */

struct map_cells map_cells(const struct map *m, int row, double *room)
{
    const size_t at = (size_t)row * (size_t)m->cols;
    if (!m->row)
        return (struct map_cells){m->elevation_m ? m->elevation_m + at : NULL, m->value + at};
    m->row(m->row_of, row, room, room + m->cols);
    return (struct map_cells){room, room + m->cols};
}

static void find_bounds(struct map_range *r, const struct map *m, double *room)
{
    double least = INFINITY, most = -INFINITY;
    for (int row = 0; row < m->rows; row++) {
        const double *value = map_cells(m, row, room).value;
        for (int col = 0; col < m->cols; col++) {
            const double v = (float)value[col];
            if (!map_usable(v)) continue;
            r->count++;
            if (v < least) least = v;
            if (v > most) most = v;
        }
    }
    r->least = r->count ? least : 0;
    r->most = r->count ? most : 0;
}

static void find_usual(struct map_range *r, const struct map *m, double *room)
{
    enum { BINS = 4096 };
    size_t bin[BINS + 1] = {0}, seen = 0;
    const double per_unit = BINS / (r->most - r->least);
    r->usual_most = r->most;
    if (!(r->most > r->least) || !isfinite(per_unit)) return;
    /* One thread only: each thread would need its own bins, and a large OMP_STACKSIZE may leave no memory for them. */
    for (int row = 0; row < m->rows; row++) {
        const double *value = map_cells(m, row, room).value;
        for (int col = 0; col < m->cols; col++)
            if (map_usable(value[col])) bin[(int)(((float)value[col] - r->least) * per_unit)]++;
    }
    for (int k = 0; k <= BINS; k++) {
        seen += bin[k];
        if ((double)seen < 0.998 * (double)r->count) continue;
        r->usual_most = fmin(r->most, r->least + (k + 1) / per_unit);
        return;
    }
}

struct map_range map_range_of(const struct map *m, double *room)
{
    struct map_range r = {0};
    find_bounds(&r, m, room);
    find_usual(&r, m, room);
    return r;
}

/* The scale begins at 0 if the smallest value is between 0 and half of the largest, as with thickness. It ends at
 * the largest value, unless a few extreme values would leave one colour for all other values. */
void map_range_ends(const struct map_range *r, double *low, double *high)
{
    const double span = r->most - r->least, low_step = roundnum_above(fmax(span, 1e-30) / 8);
    *high = r->most;
    if (r->least >= 0 && (r->least <= 0.5 * r->most || span == 0)) *low = 0;
    else *low = floor(r->least / low_step) * low_step;
    const double usual = r->usual_most - *low;
    if (usual > 0 && usual < 0.6 * (*high - *low)) {
        const double step = roundnum_above(usual / 8);
        *high = *low + step * ceil(usual / step);
    }
}

void map_range(const double *value, size_t count, double *low, double *high)
{
    const struct map all = {.rows = 1, .cols = (int)count, .value = value};
    const struct map_range r = map_range_of(&all, NULL);
    map_range_ends(&r, low, high);
}

enum { DPI_LEAST = 30, DPI_MOST = 1200, PIXELS_LEAST = 300, PIXELS_MOST = 20000 };

int map_paper_check(const struct map_paper *p, struct error *e)
{
    const double dpi = p->dpi != 0 ? p->dpi : 200, wide = p->width_in * dpi,
                 high = p->height_in * dpi;
    if (!(dpi >= DPI_LEAST && dpi <= DPI_MOST))
        return error_input(e, "map_dpi: is %g; give %d to %d pixels per inch", dpi, DPI_LEAST,
                           DPI_MOST);
    if ((p->width_in != 0 || p->height_in != 0) && !(wide >= PIXELS_LEAST && high >= PIXELS_LEAST &&
                                                     wide <= PIXELS_MOST && high <= PIXELS_MOST))
        return error_input(e, "map size: %.5g x %.5g pixels; give %d to %d on each side", wide,
                           high, PIXELS_LEAST, PIXELS_MOST);
    return 0;
}

int map_crop_extent(struct map *m, const double extent[4], struct error *e)
{
    const struct georef *g = &m->geo;
    const double cell_m = g->cell_m, top_m = g->south_m + m->rows * cell_m, near = 1e-6;
    const double left = floor((extent[0] - g->west_m) / cell_m + near),
                 right = ceil((extent[2] - g->west_m) / cell_m - near),
                 upper = floor((top_m - extent[3]) / cell_m + near),
                 lower = ceil((top_m - extent[1]) / cell_m - near);
    if (!(left >= 0 && upper >= 0 && right <= m->cols && lower <= m->rows && left < right &&
          upper < lower))
        return error_input(e,
                           "extent: is not in the terrain of the record, west %.9g, south %.9g, "
                           "east %.9g, north %.9g; choose a part of it, or make the results again "
                           "with --extent full",
                           g->west_m, g->south_m, g->west_m + m->cols * cell_m, top_m);
    m->crop = (struct window){(int)upper, (int)left, (int)(lower - upper), (int)(right - left)};
    return 0;
}
