/* build: optimized */
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

/* Runs the statements for each cell of a part. r and c are the row and column of the cell in the window; in the padding
 * they are negative or too large. `at` is the padded index of the cell. */
#define FOR_PART(g, part, ...)                                                                     \
    _Pragma("omp parallel for schedule(static) if ((part).rows > FIELDS_BLOCK_ROWS + 2)") for (    \
        int r = (part).row0; r < (part).row0 + (part).rows; r++)                                   \
    {                                                                                              \
        for (int c = (part).col0; c < end_of_row(g, part, r); c++) {                               \
            const size_t at = index_of(g, r, c);                                                   \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static size_t index_of(const struct grid *g, int row, int col)
{
    return (size_t)((ptrdiff_t)(row + 1) * g->stride + col + GRID_LEFT);
}

/* The column after the last column of a row of the part. The array ends with the left padding of one more row. These
 * GRID_LEFT elements count as columns of the last row. */
static int end_of_row(const struct grid *g, struct window part, int row)
{
    const int end = part.col0 + part.cols;
    const bool last = index_of(g, row, end) == (size_t)(g->size - GRID_LEFT);
    return last ? end + GRID_LEFT : end;
}

/* Copies the cells in `part` from of_from, an array of p->from, into the padded array. Other elements stay as they are. */
static void pad(const struct grid *g, const struct problem *p, struct window part,
                const void *of_from, size_t element, void *padded)
{
    const struct fields *f = p->from;
    const struct window inside = window_common(part, (struct window){0, 0, g->rows, g->cols});
    const int down = f->window.row0 - p->window.row0, right = f->window.col0 - p->window.col0;
    const int row_end = int_least(inside.row0 + inside.rows, down + f->window.rows);
#pragma omp parallel for schedule(static) if (part.rows > FIELDS_BLOCK_ROWS + 2)
    for (int r = int_most(inside.row0, down); r < row_end; r++)
        for (int first, end = 0; fields_run(f, r - down, &first, &end);) {
            const int c = int_most(inside.col0, right + first),
                      cols = int_least(inside.col0 + inside.cols, right + end) - c;
            const size_t from = (size_t)(r - down) * (size_t)f->window.cols + (size_t)(c - right);
            if (cols > 0)
                memcpy((char *)padded + index_of(g, r, c) * element,
                       (const char *)of_from + from * element, (size_t)cols * element);
        }
}

/* The value of an array of the domain at a row and column of the window; 0 outside the window, or
 * if the array is NULL. */
static double value_given(const struct grid *g, const struct problem *p, const double *value, int r,
                          int c)
{
    if (!value || r < 0 || r >= g->rows || c < 0 || c >= g->cols) return 0;
    return value[(size_t)(r + p->window.row0) * (size_t)p->cols + (size_t)(c + p->window.col0)];
}

void grid_fill_elevation(const struct grid *g, const struct problem *p, struct window part,
                         double *z)
{
    FOR_PART(g, part, {
        const int row = r + p->window.row0, col = c + p->window.col0;
        const bool near = r <= g->rows && c >= -1 && c <= g->cols; /* the window and the ring around
                                                                      it */
        z[at] = near && has_data(p, row, col) ? p->elevation_m[(size_t)row * (size_t)p->cols + col]
                                              : WALL_M;
    })
    if (!p->from) return;
    pad(g, p, part, p->from->elevation_m, sizeof *z, z);
    FOR_PART(g, part, if (isnan(z[at])) z[at] = WALL_M;)
}

/* Fills a part of a padded array. Cells of p->from get their values from of_from, all others from
 * `value`, an array of the domain. */
static void fill(const struct grid *g, const struct problem *p, struct window part,
                 const double *of_from, const double *value, double *out)
{
    FOR_PART(g, part, out[at] = value_given(g, p, value, r, c);)
    if (of_from) pad(g, p, part, of_from, sizeof *out, out);
}

void grid_fill_value(const struct grid *g, const struct problem *p, const double *value,
                     double *out)
{
    fill(g, p, grid_all(g), NULL, value, out);
}

void grid_fill_thickness(const struct grid *g, const struct problem *p, struct window part,
                         double *h)
{
    fill(g, p, part, p->from ? p->from->thickness_m : NULL, p->thickness_m, h);
}

void grid_fill_temp(const struct grid *g, const struct problem *p, struct window part, double *T)
{
    fill(g, p, part, p->from ? p->from->temp_K : NULL, p->temp_K, T);
}

void grid_fill_solid(const struct grid *g, const struct problem *p, struct window part, double *s)
{
    fill(g, p, part, p->from ? p->from->solid_m : NULL, p->solid_m, s);
}

void grid_fill_max_thickness(const struct grid *g, const struct problem *p, struct window part,
                             double *out)
{
    FOR_PART(g, part,
             out[at] =
                 value_given(g, p, p->thickness_m, r, c) + value_given(g, p, p->solid_m, r, c);)
    if (p->from) pad(g, p, part, p->from->max_thickness_m, sizeof *out, out);
}

void grid_fill_max_temp(const struct grid *g, const struct problem *p, struct window part,
                        double *out)
{
    FOR_PART(g, part,
             out[at] = value_given(g, p, p->thickness_m, r, c) > 0.0
                           ? value_given(g, p, p->temp_K, r, c)
                           : 0.0;)
    if (p->from) pad(g, p, part, p->from->max_temp_K, sizeof *out, out);
}

void grid_fill_highest(const struct grid *g, const struct problem *p, struct window part,
                       double *out)
{
    grid_fill_max_thickness(g, p, part, out);
    FOR_PART(g, part, {
        const double z = value_given(g, p, p->elevation_m, r, c);
        if (!isnan(z)) out[at] += z - value_given(g, p, p->solid_m, r, c);
    })
}

void grid_fill_arrival(const struct grid *g, const struct problem *p, struct window part,
                       int32_t *out)
{
    FOR_PART(g, part,
             out[at] = value_given(g, p, p->thickness_m, r, c) > 0.0 ? (int32_t)p->first_step
                                                                     : ARRIVAL_NEVER;)
    if (p->from) pad(g, p, part, p->from->arrival, sizeof *out, out);
}

/* The flags that a cell with data gets from three cells of a column, in rows row - 1 to row + 1. The cell itself may be
 * one of the three: a cell with data adds no flag. */
static uint8_t border_of_three(const struct problem *p, int row, int col)
{
    uint8_t flag = 0;
    for (int r = row - 1; r <= row + 1; r++) {
        if (!has_data(p, r, col)) flag |= CELL_BORDER;
        if (has_sea(p, r, col)) flag |= CELL_SHORE;
    }
    return flag;
}

/* Stores grid_border_flag() of the cells with data in columns `first` to end - 1 of row r of the
 * window. */
static void fill_flags(const struct grid *g, const struct problem *p, int r, int first, int end,
                       uint8_t *flag)
{
    const int row = r + p->window.row0, col0 = p->window.col0;
    if (first >= end) return;
    uint8_t west = border_of_three(p, row, col0 + first - 1),
            here = border_of_three(p, row, col0 + first);
    for (int c = first; c < end; c++) {
        const uint8_t east = border_of_three(p, row, col0 + c + 1);
        if (has_data(p, row, col0 + c)) flag[index_of(g, r, c)] = west | here | east;
        west = here;
        here = east;
    }
}

void grid_fill_flag(const struct grid *g, const struct problem *p, struct window part,
                    uint8_t *flag)
{
    const struct window cells = window_common(part, (struct window){0, 0, g->rows, g->cols});
    FOR_PART(g, part, flag[at] = CELL_VOID;)
#pragma omp parallel for schedule(static) if (cells.rows > FIELDS_BLOCK_ROWS + 2)
    for (int r = cells.row0; r < cells.row0 + cells.rows; r++)
        fill_flags(g, p, r, cells.col0, cells.col0 + cells.cols, flag);
    for (int i = 0; i < p->vent_count; i++) {
        const struct window vent = {p->vents[i].row - p->window.row0,
                                    p->vents[i].col - p->window.col0, 1, 1};
        if (window_has(cells, vent)) flag[index_of(g, vent.row0, vent.col0)] |= CELL_VENT;
    }
}

void grid_unpad(const struct grid *g, struct window part, const void *padded, size_t element,
                void *out)
{
    const char *from = padded;
    char *to = out;
#pragma omp parallel for schedule(static) if (part.rows > FIELDS_BLOCK_ROWS)
    for (int r = part.row0; r < part.row0 + part.rows; r++)
        memcpy(to + ((size_t)r * (size_t)g->cols + (size_t)part.col0) * element,
               from + index_of(g, r, part.col0) * element, (size_t)part.cols * element);
}

void grid_lava_on_ground(const struct grid *g, const struct problem *p, struct fields *f)
{
#pragma omp parallel for schedule(static) if (g->rows > FIELDS_BLOCK_ROWS)
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->cols; c++) {
            const size_t i = (size_t)r * (size_t)g->cols + (size_t)c;
            const double ground =
                value_given(g, p, p->elevation_m, r, c) - value_given(g, p, p->solid_m, r, c);
            const bool wall = isnan(ground);
            if (wall) f->elevation_m[i] = NAN;
            f->solid_m[i] = wall ? 0.0 : f->elevation_m[i] - ground;
            f->max_thickness_m[i] = wall ? 0.0 : f->max_thickness_m[i] - ground;
        }
}

void grid_walls_to_nan(const struct grid *g, struct window part, double *elevation_m)
{
#pragma omp parallel for schedule(static) if (part.rows > FIELDS_BLOCK_ROWS)
    for (int r = part.row0; r < part.row0 + part.rows; r++)
        for (int c = part.col0; c < part.col0 + part.cols; c++) {
            double *z = &elevation_m[(size_t)r * (size_t)g->cols + (size_t)c];
            if (*z == WALL_M) *z = NAN;
        }
}

int fields_in(struct fields *out, const struct fields *f, const struct problem *p, struct window w,
              struct error *e)
{
    struct problem q = *p;
    const struct grid g = grid_create(w.rows, w.cols, 1, 1);
    int status = fields_create(out, w, e);
    if (!status) status = problem_read_terrain(p, w, e);
    FREED double *padded = status ? NULL : malloc((size_t)g.size * sizeof *padded);
    if (!status && !padded) status = error_memory(e);
    if (status) {
        fields_free(out);
        return status;
    }
    q.from = f;
    q.window = w;
    const struct {
        void (*fill)(const struct grid *, const struct problem *, struct window, double *);
        double *to;
    } layers[] = {{grid_fill_elevation, out->elevation_m},
                  {grid_fill_thickness, out->thickness_m},
                  {grid_fill_temp, out->temp_K},
                  {grid_fill_solid, out->solid_m},
                  {grid_fill_max_thickness, out->max_thickness_m},
                  {grid_fill_max_temp, out->max_temp_K}};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        layers[i].fill(&g, &q, grid_all(&g), padded);
        grid_unpad(&g, grid_cells(&g), padded, sizeof *padded, layers[i].to);
    }
    grid_fill_arrival(&g, &q, grid_all(&g), (int32_t *)padded);
    grid_unpad(&g, grid_cells(&g), padded, sizeof *out->arrival, out->arrival);
    grid_walls_to_nan(&g, grid_cells(&g), out->elevation_m);
    out->step = f->step;
    out->emitted = f->emitted;
    out->left_domain = f->left_domain;
    out->entered_sea = f->entered_sea;
    out->heat = f->heat;
    out->ground = f->ground;
    return 0;
}
