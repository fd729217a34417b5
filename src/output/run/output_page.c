/* output_page.c — records what report.html of a run shows in addition to its layers and tables. */
#include "output_inside.h"

#include "compare/fit.h"
#include "record/report_page.h"

#include <stdlib.h>

int output_overlap(struct sciara_overlap *o, const struct output_cut *x, struct error *e)
{
    const struct window *w = &x->window;
    FREED double *thickness_m = malloc(window_cells(*w) * sizeof *thickness_m);
    double *to = thickness_m;
    if (!to) return error_memory(e);
    for (int row = 0; row < w->rows; row++)
        for (int col = 0; col < w->cols; col++) {
            const struct output_cell k = output_cell(x, row, col);
            *to++ = k.thickness_m + k.solid_m;
        }
    const struct fit_input in = {.rows = w->rows,
                                 .cols = w->cols,
                                 .cell_m = x->part.c.geo.cell_m,
                                 .thickness_m = thickness_m,
                                 .observed = x->outline};
    fit_compute(o, &in);
    return 0;
}

/* The ground of the extent before this run, malloc'ed; NULL: out of memory. */
static double *ground_of(const struct output_cut *x)
{
    const struct window *w = &x->window;
    double *ground = malloc(window_cells(*w) * sizeof *ground), *to = ground;
    for (int row = 0; ground && row < w->rows; row++)
        for (int col = 0; col < w->cols; col++)
            *to++ = output_initial_cell(x->problem, w->row0 + row, w->col0 + col).elevation_m;
    return ground;
}

int output_page(const struct output_info *info, const struct output_cut *x, struct error *e)
{
    struct sciara_overlap o = {0};
    FREED double *ground = ground_of(x);
    const int status = !ground ? error_memory(e) : x->outline ? output_overlap(&o, x, e) : 0;
    const struct report_fit fit = {o.jaccard, (double)o.both, (double)o.only_observed,
                                   (double)o.only_simulated};
    const struct report_page page = {.elevation_m = ground,
                                     .outline = x->outline,
                                     .fit = o.observed ? &fit : NULL,
                                     .caveat = PRODUCT_ARRIVAL_CAVEAT};
    return status ? status : output_record_page(info, &x->part.c, x->part.from->assets, &page, e);
}
