/* sights_fronts.c — reads a layer with the fronts of many dates, as agencies publish it. Adds a front for each date. */
#include "sights_inside.h"

#include "base/order.h"
#include "case/case_notes.h"
#include "compare/outline.h"
#include "text/scan.h"
#include "vector/draw_cells.h"
#include "vector/vectors.h"

#include <stdlib.h>
#include <string.h>

/* A feature and its time in seconds after the start of the eruption. */
struct dated {
    double time_s;
    int feature;
};

ORDER_MEMBERS(in_order, struct dated, time_s, feature)

/* Reads the features with a date, in order of time. */
static int read_dates(struct dated *to, int *count, const struct vectors *v, struct plan *p,
                      const struct seen_line *l, const char *path, struct error *e)
{
    int64_t start_s, unix_s;
    char excerpt[48];
    if (!times_date_scan(p->base.start_time, &start_s))
        return error_line(e, l->path, l->line,
                          "fronts have dates; to make them times of the eruption, add start_time, "
                          "the date when the eruption began");
    if (!vectors_any_has(v, 0))
        return error_input(e,
                           "%s: no feature has an attribute %s; name the attribute with the date",
                           path, l->date);
    *count = 0;
    for (int i = 0; i < v->features; i++) {
        const char *text = vectors_value(v, i, 0);
        if (!text) continue;
        if (!times_stamp_scan(text, &unix_s))
            return error_input(e, "%s: feature %d: %s is '%s'; " TIMES_STAMP_REMEDY, path,
                               v->feature[i].number, l->date, scan_excerpt(excerpt, text));
        if (unix_s <= start_s)
            return error_input(e,
                               "%s: feature %d: %s is '%s', not after the start of the eruption, "
                               "%s; omit the feature by a condition (where), or correct start_time",
                               path, v->feature[i].number, l->date, scan_excerpt(excerpt, text),
                               p->base.start_time);
        to[(*count)++] = (struct dated){(double)(unix_s - start_s), i};
    }
    if (*count < v->features)
        warnings_say(&p->base.told, WARNING_INPUT,
                     "%.300s: %d of %d features have no %s and are skipped", path,
                     v->features - *count, v->features, l->date);
    qsort(to, (size_t)*count, sizeof *to, in_order);
    return 0;
}

/* ---- whether later areas contain earlier ones ---------------------------------------------------- */

/* Numbers of cells. cells: cells of an area. all: those of the cells that are not in a later area.
 * far: those that are more than error_m away from the later area. */
struct lost {
    size_t cells, all, far;
};

static int count_lost(struct lost *lost, const unsigned char *before, const unsigned char *later,
                      const struct plan *p, double error_m, struct error *e)
{
    const int rows = p->base.problem.rows, cols = p->base.problem.cols;
    const double far = fmax(1, error_m / p->base.geo.cell_m);
    struct window box = {0};
    *lost = (struct lost){0};
    window_add_mask(&box, before, rows, cols);
    window_add_mask(&box, later, rows, cols);
    const size_t n = window_cells(box);
    FREED int64_t *squared = malloc(n * sizeof *squared);
    FREED unsigned char *mark = malloc(n);
    if (!squared || !mark) return error_memory(e);
    for (size_t i = 0; i < n; i++) mark[i] = later[window_in_domain(box, i, cols)];
    const int status = distance_transform(squared, mark, box.rows, box.cols, e);
    for (size_t i = 0; i < n && !status; i++) {
        if (!before[window_in_domain(box, i, cols)]) continue;
        lost->cells++;
        lost->all += !mark[i];
        lost->far += (double)squared[i] > far * far;
    }
    return status;
}

/* Refuses areas that show only new lava. Such areas lose almost all cells of the previous date. In
 * a narrow flow, all lost cells can be within error_m of the new area. So lost.all is tested, and
 * not only lost.far. */
static int check_totals(const struct plan *p, const struct seen_line *l, const char *path,
                        const unsigned char *before, const unsigned char *later, double time_s,
                        struct error *e)
{
    char date[TIMES_TEXT];
    struct lost lost;
    const int status = count_lost(&lost, before, later, p, l->error_m, e);
    const double cells = (double)lost.cells;
    if (status || ((double)lost.all <= 0.9 * cells && (double)lost.far <= 0.1 * cells))
        return status;
    times_date(date, p->base.start_time, time_s, TIMES_SAID);
    return error_line(e, l->path, l->line,
                      "%s: its areas of %s lack %.0f %% of the earlier areas; add the word "
                      "'increments' if each date has only new lava; otherwise correct them",
                      path, date, 100 * (double)lost.all / cells);
}

/* ---- fronts ------------------------------------------------------------------------------------ */

/* Adds a front of the features from `first` to `end`, which have the same date. *before is the lava of the previous
 * date, or NULL, and becomes the lava of this date. */
static int add_date(struct sights *x, struct plan *p, const struct seen_line *l, const char *path,
                    const struct vectors *v, const struct dated *first, const struct dated *end,
                    unsigned char **before, struct error *e)
{
    const struct problem *q = &p->base.problem;
    const struct vector_grid grid = {q->rows, q->cols, &p->base.geo};
    const size_t n = (size_t)q->rows * (size_t)q->cols;
    FREED unsigned char *here = calloc(n, 1);
    unsigned char *inside = malloc(n);
    if (!here || !inside) return free(inside), error_memory(e);
    struct cell_mask drawn = cell_mask_on(here, &grid);
    for (const struct dated *d = first; d < end; d++)
        cell_mask_fill(&drawn, v, &v->feature[d->feature]);
    int status = 0;
    for (size_t i = 0; i < n && *before && l->increments; i++) here[i] |= (*before)[i];
    if (*before && !l->increments && !l->part && memchr(*before, 1, n))
        status = check_totals(p, l, path, *before, here, first->time_s, e);
    memcpy(inside, here, n);
    free(*before);
    *before = here;
    here = NULL;
    if (status || !memchr(inside, 1, n)) return free(inside), status;
    return sights_add_front(x, p, l, first->time_s, inside, e);
}

int sights_read_fronts(struct sights *x, struct plan *p, const struct seen_line *l,
                       const char *path, struct error *e)
{
    const struct vector_grid grid = {p->base.problem.rows, p->base.problem.cols, &p->base.geo};
    const char *const wanted[] = {l->date, NULL};
    FREED_BY(vectors_free) struct vectors v;
    FREED unsigned char *before = NULL;
    const int had = x->count;
    int count = 0, status = vectors_read(&v, path, &grid, VECTORS_TAKE_AREAS, wanted, e);
    if (status) return status;
    case_note_vectors(&p->base, &v.about, path);
    FREED struct dated *d = malloc((size_t)v.features * sizeof *d);
    status = d ? read_dates(d, &count, &v, p, l, path, e) : error_memory(e);
    for (int i = 0, end; !status && i < count; i = end) {
        for (end = i; end < count && d[end].time_s <= d[i].time_s;) end++;
        if (x->count - had == SEEN_MOST)
            return error_input(e, "%s: has more than %d dates; omit some by a condition (where)",
                               path, SEEN_MOST);
        status = add_date(x, p, l, path, &v, d + i, d + end, &before, e);
    }
    if (!status && x->count == had)
        status = error_input(
            e, "%s: no cell of the grid has its centre in an area; correct its coordinates", path);
    return status;
}
