#include "case_cut.h"

#include <stdlib.h>
#include <string.h>

struct georef case_georef(const struct sim_case *c, const struct window *w)
{
    struct georef geo = c->geo;
    geo.west_m += w->col0 * geo.cell_m;
    geo.south_m += (c->problem.rows - w->row0 - w->rows) * geo.cell_m;
    return geo;
}

/* ---- the case -------------------------------------------------------------------------------- */

/* Returns the window's part of an array over the domain, malloc'ed; NULL: there is no array, or no memory. */
static void *cut_array(const void *whole, size_t element, const struct case_cut *k,
                       const struct problem *p)
{
    const struct window *w = &k->window;
    const size_t row_bytes = (size_t)w->cols * element;
    char *to = whole ? malloc((size_t)w->rows * row_bytes) : NULL;
    for (int row = 0; row < w->rows && to; row++)
        memcpy(to + (size_t)row * row_bytes,
               (const char *)whole +
                   ((size_t)(w->row0 + row) * (size_t)p->cols + (size_t)w->col0) * element,
               row_bytes);
    return to;
}

static int cut_vents(struct case_cut *k, const struct problem *p, struct error *e)
{
    const struct window *w = &k->window;
    const size_t count = (size_t)p->vent_count + 1;
    const bool *spread = k->from->vent_spread;
    k->c.vents = malloc(count * sizeof *k->c.vents);
    k->c.vent_spread = calloc(count, sizeof *spread);
    if (!k->c.vents || !k->c.vent_spread) return error_memory(e);
    k->c.problem.vent_count = 0;
    for (int i = 0; i < p->vent_count; i++) {
        struct vent v = p->vents[i];
        v.row -= w->row0;
        v.col -= w->col0;
        if (v.row < 0 || v.row >= w->rows || v.col < 0 || v.col >= w->cols) continue;
        k->c.vent_spread[k->c.problem.vent_count] = spread && spread[i];
        k->c.vents[k->c.problem.vent_count++] = v;
    }
    return 0;
}

int case_cut_bare(struct case_cut *k, const struct sim_case *c, struct window window,
                  struct error *e)
{
    const struct problem *p = &c->problem;
    struct sim_case *part = &k->c;
    *k = (struct case_cut){0};
    int status = problem_read_terrain(p, window, e);
    if (status) return status;
    *k = (struct case_cut){*c, window, c, window.rows == p->rows && window.cols == p->cols};
    if (k->whole) return 0;
    part->geo = case_georef(c, &window);
    part->elevation_m = part->thickness_m = part->temp_K = part->solid_m = NULL;
    part->change_count = 0;
    part->change = NULL;
    part->vents = NULL;
    part->vent_spread = NULL;
    part->sea = cut_array(p->sea, sizeof *p->sea, k, p);
    status = p->sea && !part->sea ? error_memory(e) : cut_vents(k, p, e);
    part->problem.rows = window.rows;
    part->problem.cols = window.cols;
    part->tiles = NULL;
    part->problem.terrain = NULL;
    part->problem.from = NULL;
    case_point(part);
    if (status) case_cut_free(k);
    return status;
}

int case_cut(struct case_cut *k, const struct sim_case *c, struct window window, struct error *e)
{
    const struct problem *p = &c->problem;
    int status = case_cut_bare(k, c, window, e);
    if (status || k->whole) return status;
    k->c.elevation_m = cut_array(p->elevation_m, sizeof *p->elevation_m, k, p);
    k->c.thickness_m = cut_array(p->thickness_m, sizeof *p->thickness_m, k, p);
    if (!k->c.elevation_m || (p->thickness_m && !k->c.thickness_m)) status = error_memory(e);
    case_point(&k->c);
    if (status) case_cut_free(k);
    return status;
}

void case_cut_free(struct case_cut *k)
{
    if (!k->whole) {
        FREE_ALL(k->c.elevation_m, k->c.thickness_m, k->c.sea, k->c.vents, k->c.vent_spread);
    }
    *k = (struct case_cut){0};
}
