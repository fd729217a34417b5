/* output_cut.c — the extent of a state, as a case and a state of their own. */
#include "output.h"

#include "compare/outline.h"

#include <stdlib.h>
#include <string.h>

/* ---- the outline ----------------------------------------------------------------------------- */

int output_outline_read(struct output_outline *o, const struct output_info *info,
                        const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    *o = (struct output_outline){.window = {0, 0, p->rows, p->cols}};
    if (!c->outline_path) {
        *o = (struct output_outline){0};
        return 0;
    }
    int status = 0;
    if (!extent_is_full(info->extent, p))
        status = outline_window(&o->window, c->outline_path, p->rows, p->cols, &c->geo, e);
    const struct georef geo = case_georef(c, &o->window);
    if (!status)
        status = outline_read(&o->inside, c->outline_path, o->window.rows, o->window.cols, &geo, e);
    if (status) *o = (struct output_outline){0};
    return status;
}

void output_outline_free(struct output_outline *o)
{
    free(o->inside);
    *o = (struct output_outline){0};
}

/* The extent contains the window of the outline. */
static int cut_outline(struct output_cut *x, const struct output_outline *o, struct error *e)
{
    const struct window *w = &x->window, *from = &o->window;
    if (!from->rows) return 0;
    if (!(x->outline = calloc((size_t)w->rows * (size_t)w->cols, 1))) return error_memory(e);
    unsigned char *to = x->outline + (size_t)(from->row0 - w->row0) * (size_t)w->cols +
                        (size_t)(from->col0 - w->col0);
    for (int row = 0; row < from->rows; row++)
        memcpy(to + (size_t)row * (size_t)w->cols, o->inside + (size_t)row * (size_t)from->cols,
               (size_t)from->cols);
    return 0;
}

/* ---- a cell that no state has --------------------------------------------------------------- */

struct output_cell output_initial_cell(const struct problem *p, int row, int col)
{
    const size_t i = (size_t)row * (size_t)p->cols + (size_t)col;
    const double h = p->thickness_m ? p->thickness_m[i] : 0, T = p->temp_K ? p->temp_K[i] : 0,
                 s = p->solid_m ? p->solid_m[i] : 0;
    return (struct output_cell){p->elevation_m[i],
                                h,
                                T,
                                s,
                                h + s,
                                h > 0 ? T : 0,
                                h > 0 ? (int32_t)p->first_step : ARRIVAL_NEVER};
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct window extent_of_state(const struct output_info *info, const struct sim_case *c,
                                     const struct fields *f, const struct output_outline *o)
{
    struct window reach = o->window;
    if (!extent_is_full(info->extent, &c->problem)) {
        reach_add_vents(&reach, &c->problem);
        reach_add_fields(&reach, f);
    }
    return extent_around(reach, info->extent, &c->problem);
}

int output_cut(struct output_cut *x, const struct output_info *info, const struct sim_case *c,
               const struct fields *f, const struct output_outline *o, struct error *e)
{
    *x = (struct output_cut){
        .window = extent_of_state(info, c, f, o), .f = f, .problem = &c->problem};
    int status = case_cut_bare(&x->part, c, x->window, e);
    if (!status) status = cut_outline(x, o, e);
    if (!status) x->digest = fields_digest(f, c->problem.rows, c->problem.cols);
    else output_cut_free(x);
    return status;
}

void output_cut_free(struct output_cut *x)
{
    free(x->outline);
    case_cut_free(&x->part);
    *x = (struct output_cut){0};
}
