/* output_kept.c — snapshots that wait for their maps: the cells that differ from the terrain. */
#include "output_map.h"

#include <math.h>
#include <stdlib.h>

struct output_kept_cell {
    size_t at; /* row * cols + col of the whole domain */
    double terrain;
    float thickness_m, temperature_C; /* NaN: none is drawn */
};

/* Cell i of a window in the domain. */
static size_t place_of(const struct sim_case *c, const struct window *w, size_t i)
{
    const size_t row = i / (size_t)w->cols + (size_t)w->row0,
                 col = i % (size_t)w->cols + (size_t)w->col0;
    return row * (size_t)c->problem.cols + col;
}

static bool differs(const struct sim_case *c, const struct fields *f, size_t i)
{
    const double here = f->elevation_m[i],
                 there = c->problem.elevation_m[place_of(c, &f->window, i)];
    return f->thickness_m[i] + f->solid_m[i] > 0 ||
           (here != there && !(isnan(here) && isnan(there)));
}

static struct output_kept_cell cell_of(const struct sim_case *c, const struct fields *f, size_t i)
{
    const struct output_cell k = output_cell_at(f, i);
    return (struct output_kept_cell){place_of(c, &f->window, i), output_drawn_m(c, k.elevation_m),
                                     (float)output_map_value(OUTPUT_MAP_THICKNESS, c, &k),
                                     (float)output_map_value(OUTPUT_MAP_TEMPERATURE, c, &k)};
}

/* thickness_m: of all of them; malloc'ed. */
static int keep_cells(struct output_kept *k, double **thickness_m, const struct sim_case *c,
                      const struct fields *f, struct error *e)
{
    size_t count = 0;
    FIELDS_EACH (f, row, i) count += differs(c, f, i);
    k->cell = malloc((count + 1) * sizeof *k->cell);
    *thickness_m = malloc((count + 1) * sizeof **thickness_m);
    if (!k->cell || !*thickness_m) return error_memory(e);
    FIELDS_EACH (f, row, i) {
        if (!differs(c, f, i)) continue;
        const struct output_cell cell = output_cell_at(f, i);
        (*thickness_m)[k->count] = output_map_value(OUTPUT_MAP_THICKNESS, c, &cell);
        k->cell[k->count++] = cell_of(c, f, i);
    }
    return 0;
}

void output_kept_free(struct output_kept *k)
{
    free(k->cell);
    *k = (struct output_kept){0};
}

int output_kept_take(struct output_kept *k, struct output_view *v, const struct sim_case *c,
                     const struct fields *f, struct error *e)
{
    double *thickness_m = NULL;
    *k = (struct output_kept){.sheet = output_sheet_of(c, f)};
    const int status = keep_cells(k, &thickness_m, c, f, e);
    if (status) output_kept_free(k);
    else if (!(c->display.scale_m[1] > 0)) output_view_take(v, thickness_m, k->count);
    free(thickness_m);
    return status;
}

/* ---- and back -------------------------------------------------------------------------------- */

/* NULL: not in the extent. */
static double *value_at(double *value, const struct output_kept_cell *k, const struct output_cut *x)
{
    const struct window *w = &x->window;
    const size_t cols = (size_t)x->problem->cols, row = k->at / cols - (size_t)w->row0,
                 col = k->at % cols - (size_t)w->col0;
    return row < (size_t)w->rows && col < (size_t)w->cols ? &value[row * (size_t)w->cols + col]
                                                          : NULL;
}

int output_kept_unfold(struct output_kept *k, const struct output_cut *x, struct error *e)
{
    struct output_sheet *s = &k->sheet;
    const struct window *w = &x->window;
    s->terrain = malloc(window_cells(*w) * sizeof *s->terrain);
    s->value = malloc(window_cells(*w) * sizeof *s->value);
    if (!s->terrain || !s->value) {
        output_sheet_free(s);
        return error_memory(e);
    }
    for (int row = 0; row < w->rows; row++)
        for (int col = 0; col < w->cols; col++)
            s->terrain[(size_t)row * (size_t)w->cols + (size_t)col] = output_drawn_m(
                &x->part.c,
                x->problem->elevation_m[(size_t)(w->row0 + row) * (size_t)x->problem->cols +
                                        (size_t)(w->col0 + col)]);
    for (size_t i = 0; i < k->count; i++) {
        double *to = value_at(s->terrain, &k->cell[i], x);
        if (to) *to = k->cell[i].terrain;
    }
    return 0;
}

void output_kept_values(struct output_kept *k, const struct output_cut *x, enum output_map kind)
{
    for (size_t i = 0; i < window_cells(x->window); i++) k->sheet.value[i] = (double)NAN;
    for (size_t i = 0; i < k->count; i++) {
        double *to = value_at(k->sheet.value, &k->cell[i], x);
        if (to)
            *to = kind == OUTPUT_MAP_THICKNESS ? k->cell[i].thickness_m : k->cell[i].temperature_C;
    }
}

int output_kept_draw(const struct output_kept *kept, enum output_map kind,
                     const struct output_scene *at, cairo_surface_t **picture, struct error *e)
{
    struct output_kept k = *kept; /* with a sheet of its own */
    int status = output_kept_unfold(&k, at->x, e);
    if (status) return status;
    output_kept_values(&k, at->x, kind);
    status = output_sheet_draw(&k.sheet, kind, at, picture, e);
    output_sheet_free(&k.sheet);
    return status;
}
