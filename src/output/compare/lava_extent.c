#include "lava_extent.h"

#include "sim/grid.h"

#include <math.h>

/* Without the way out every cell would look at every vent of a fissure. */
double extent_nearest_vent(const struct problem *p, int row, int col, double enough)
{
    double nearest = INFINITY;
    for (int v = 0; v < p->vent_count && nearest > enough; v++) {
        const double rows = row - p->vents[v].row, cols = col - p->vents[v].col;
        nearest = fmin(nearest, rows * rows + cols * cols);
    }
    return nearest;
}

/* A sum for a percentage: rounding does not show. */
static double initial_m(const struct problem *p)
{
    const size_t cols = (size_t)p->cols;
    const struct window *w = &p->window;
    double sum = 0;
    for (int row = 0; p->thickness_m && row < w->rows; row++)
        for (int col = 0; col < w->cols; col++)
            sum += p->thickness_m[(size_t)(w->row0 + row) * cols + (size_t)(w->col0 + col)];
    return sum;
}

static struct lava_left lost(quanta amount, const struct fields *f, const struct problem *p)
{
    const double left_m = quanta_m(amount);
    if (!(left_m > 0)) return (struct lava_left){0};
    return (struct lava_left){left_m * p->params.cell_m * p->params.cell_m,
                              left_m / (quanta_m(f->emitted) + initial_m(p))};
}

struct lava_left lava_left(const struct fields *f, const struct problem *p)
{
    return lost(f->left_domain, f, p);
}

struct lava_sea lava_sea(const struct fields *f, const struct problem *p)
{
    const struct lava_left left = lost(f->entered_sea, f, p);
    struct lava_sea sea = {left.volume_m3, left.share, -1, -1, -1};
    const size_t cols = (size_t)f->window.cols, n = (size_t)f->window.rows * cols;
    for (size_t i = 0; p->sea && i < n; i++) {
        const int row = f->window.row0 + (int)(i / cols), col = f->window.col0 + (int)(i % cols);
        if (f->arrival[i] == ARRIVAL_NEVER || (sea.step >= 0 && f->arrival[i] >= sea.step) ||
            !(grid_border_flag(p, row, col) & CELL_SHORE))
            continue;
        sea.step = f->arrival[i];
        sea.row = row;
        sea.col = col;
    }
    return sea;
}

struct extent extent_of(const struct fields *f, const struct problem *p)
{
    const size_t cols = (size_t)f->window.cols, n = (size_t)f->window.rows * cols;
    struct extent x = {.left = lava_left(f, p), .sea = lava_sea(f, p)};
    double farthest = -1;
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        x.max_thickness_m = fmax(x.max_thickness_m, f->max_thickness_m[i]);
        x.thickest_m = fmax(x.thickest_m, f->thickness_m[i] + f->solid_m[i]);
        if (!(f->thickness_m[i] > 0 || f->solid_m[i] > 0)) continue;
        x.cells++;
        if (!p->vent_count) continue;
        const int row = f->window.row0 + (int)(i / cols), col = f->window.col0 + (int)(i % cols);
        const double here = extent_nearest_vent(p, row, col, farthest);
        if (here <= farthest) continue;
        farthest = here;
        end = i;
    }
    if (farthest >= 0) x.front = front_speed(f, end);
    x.runout_m = farthest >= 0 ? sqrt(farthest) * p->params.cell_m : NAN;
    return x;
}
