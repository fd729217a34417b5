#include "grid.h"

#include "model/physics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_data(const struct problem *p, int row, int col)
{
    return row >= 0 && row < p->rows && col >= 0 && col < p->cols &&
           !isnan(p->elevation_m[(size_t)row * p->cols + col]);
}

static bool has_sea(const struct problem *p, int row, int col)
{
    return p->sea && row >= 0 && row < p->rows && col >= 0 && col < p->cols &&
           p->sea[(size_t)row * p->cols + col];
}

uint8_t grid_border_flag(const struct problem *p, int row, int col)
{
    uint8_t flag = 0;
    for (int k = 0; k < 8; k++) {
        const int r = row + PHYSICS_ROW(k), c = col + PHYSICS_COL(k);
        if (!has_data(p, r, c)) flag |= CELL_BORDER;
        if (has_sea(p, r, c)) flag |= CELL_SHORE;
    }
    return flag;
}

/* Calls `body` with r, c (window), at (padded index) and from (index in the domain's rasters). */
#define FOR_WINDOW(g, p, body)                                                                     \
    _Pragma("omp parallel for schedule(static)") for (int r = 0; r < (g)->rows; r++)               \
    {                                                                                              \
        for (int c = 0; c < (g)->cols; c++) {                                                      \
            size_t from = (size_t)(r + (p)->window.row0) * (p)->cols + (c + (p)->window.col0);     \
            int at = grid_at((g)->stride, r, c);                                                   \
            body                                                                                   \
        }                                                                                          \
    }

/* Copies an array over the window of p->from into the padded one; all else in it stays. */
static void pad(const struct grid *g, const struct problem *p, const void *of_from, size_t element,
                void *padded)
{
    const struct window *of = &p->from->window, w = window_common(*of, p->window);
#pragma omp parallel for schedule(static)
    for (int r = w.row0; r < w.row0 + w.rows; r++) {
        const size_t from = (size_t)(r - of->row0) * (size_t)of->cols + (size_t)(w.col0 - of->col0),
                     to = (size_t)grid_at(g->stride, r - p->window.row0, w.col0 - p->window.col0);
        memcpy((char *)padded + to * element, (const char *)of_from + from * element,
               (size_t)w.cols * element);
    }
}

static void clear(const struct grid *g, double *out)
{
    memset(out, 0, (size_t)g->size * sizeof *out);
}

void grid_fill_elevation(const struct grid *g, const struct problem *p, double *z)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < g->size; i++) z[i] = WALL_M;
#pragma omp parallel for schedule(static)
    for (int r = -1; r <= g->rows; r++)
        for (int c = -1; c <= g->cols; c++) {
            const int row = r + p->window.row0, col = c + p->window.col0;
            if (has_data(p, row, col))
                z[grid_at(g->stride, r, c)] = p->elevation_m[(size_t)row * p->cols + col];
        }
    if (!p->from) return;
    pad(g, p, p->from->elevation_m, sizeof *z, z);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < g->size; i++)
        if (isnan(z[i])) z[i] = WALL_M;
}

void grid_fill_value(const struct grid *g, const struct problem *p, const double *value,
                     double *out)
{
    clear(g, out);
    if (value) FOR_WINDOW(g, p, out[at] = value[from];)
}

/* That of p->from in its window, and a value of the domain elsewhere. */
static void fill(const struct grid *g, const struct problem *p, const double *of_from,
                 const double *value, double *out)
{
    grid_fill_value(g, p, value, out);
    if (of_from) pad(g, p, of_from, sizeof *out, out);
}

void grid_fill_thickness(const struct grid *g, const struct problem *p, double *h)
{
    fill(g, p, p->from ? p->from->thickness_m : NULL, p->thickness_m, h);
}

void grid_fill_temp(const struct grid *g, const struct problem *p, double *T)
{
    fill(g, p, p->from ? p->from->temp_K : NULL, p->temp_K, T);
}

void grid_fill_solid(const struct grid *g, const struct problem *p, double *s)
{
    fill(g, p, p->from ? p->from->solid_m : NULL, p->solid_m, s);
}

void grid_fill_max_thickness(const struct grid *g, const struct problem *p, double *out)
{
    clear(g, out);
    if (p->thickness_m || p->solid_m)
        FOR_WINDOW(g, p,
                   out[at] = (p->thickness_m ? p->thickness_m[from] : 0.0) +
                             (p->solid_m ? p->solid_m[from] : 0.0);)
    if (p->from) pad(g, p, p->from->max_thickness_m, sizeof *out, out);
}

void grid_fill_max_temp(const struct grid *g, const struct problem *p, double *out)
{
    clear(g, out);
    if (p->thickness_m && p->temp_K)
        FOR_WINDOW(g, p, out[at] = p->thickness_m[from] > 0.0 ? p->temp_K[from] : 0.0;)
    if (p->from) pad(g, p, p->from->max_temp_K, sizeof *out, out);
}

void grid_fill_arrival(const struct grid *g, const struct problem *p, int32_t *out)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < g->size; i++) out[i] = ARRIVAL_NEVER;
    if (p->thickness_m)
        FOR_WINDOW(g, p, if (p->thickness_m[from] > 0.0) out[at] = (int32_t)p->first_step;)
    if (p->from) pad(g, p, p->from->arrival, sizeof *out, out);
}

void grid_fill_flag(const struct grid *g, const struct problem *p, uint8_t *flag)
{
    memset(flag, CELL_VOID, (size_t)g->size);
#pragma omp parallel for schedule(static)
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->cols; c++) {
            int row = r + p->window.row0, col = c + p->window.col0;
            if (has_data(p, row, col))
                flag[grid_at(g->stride, r, c)] = grid_border_flag(p, row, col);
        }
    for (int i = 0; i < p->vent_count; i++) {
        int r = p->vents[i].row - p->window.row0, c = p->vents[i].col - p->window.col0;
        if (r >= 0 && r < g->rows && c >= 0 && c < g->cols)
            flag[grid_at(g->stride, r, c)] |= CELL_VENT;
    }
}

void grid_unpad(const struct grid *g, const void *padded, size_t element, void *out)
{
    const char *from = padded;
    char *to = out;
#pragma omp parallel for schedule(static)
    for (int r = 0; r < g->rows; r++)
        memcpy(to + (size_t)r * g->cols * element,
               from + (size_t)grid_at(g->stride, r, 0) * element, (size_t)g->cols * element);
}

void grid_walls_to_nan(const struct grid *g, double *elevation_m)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < (size_t)g->rows * (size_t)g->cols; i++)
        if (elevation_m[i] == WALL_M) elevation_m[i] = NAN;
}

int fields_in(struct fields *out, const struct fields *f, const struct problem *p, struct window w,
              struct error *e)
{
    struct problem q = *p;
    const struct grid g = grid_create(w.rows, w.cols, 1, 1);
    int status = fields_create(out, w, e);
    if (!status) status = problem_read_terrain(p, w, e);
    double *padded = status ? NULL : malloc((size_t)g.size * sizeof *padded);
    if (!status && !padded) status = error_memory(e);
    if (status) {
        fields_free(out);
        return status;
    }
    q.from = f;
    q.window = w;
    const struct {
        void (*fill)(const struct grid *, const struct problem *, double *);
        double *to;
    } layers[] = {{grid_fill_elevation, out->elevation_m},
                  {grid_fill_thickness, out->thickness_m},
                  {grid_fill_temp, out->temp_K},
                  {grid_fill_solid, out->solid_m},
                  {grid_fill_max_thickness, out->max_thickness_m},
                  {grid_fill_max_temp, out->max_temp_K}};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        layers[i].fill(&g, &q, padded);
        grid_unpad(&g, padded, sizeof *padded, layers[i].to);
    }
    grid_fill_arrival(&g, &q, (int32_t *)padded);
    grid_unpad(&g, padded, sizeof *out->arrival, out->arrival);
    grid_walls_to_nan(&g, out->elevation_m);
    free(padded);
    out->step = f->step;
    out->emitted = f->emitted;
    out->left_domain = f->left_domain;
    out->entered_sea = f->entered_sea;
    out->heat = f->heat;
    out->ground = f->ground;
    return 0;
}
