#include "lava_extent.h"

#include <math.h>

/* Squared distance, in cells, to the nearest vent; once that is known to be no more than `enough`,
 * any value up to it will do. Without this way out every cell would look at every vent of a
 * fissure. */
static double nearest_vent(const struct problem *p, int row, int col, double enough)
{
    double nearest = INFINITY;
    for (int v = 0; v < p->vent_count && nearest > enough; v++) {
        const double rows = row - p->vents[v].row, cols = col - p->vents[v].col;
        nearest = fmin(nearest, rows * rows + cols * cols);
    }
    return nearest;
}

struct extent extent_of(const struct fields *f, const struct problem *p)
{
    const size_t cols = (size_t)f->window.cols, n = (size_t)f->window.rows * cols;
    struct extent x = {0};
    double farthest = -1;
    for (size_t i = 0; i < n; i++) {
        x.max_thickness_m = fmax(x.max_thickness_m, f->max_thickness_m[i]);
        if (!(f->thickness_m[i] > 0 || f->solid_m[i] > 0)) continue;
        x.cells++;
        if (!p->vent_count) continue;
        const int row = f->window.row0 + (int)(i / cols), col = f->window.col0 + (int)(i % cols);
        farthest = fmax(farthest, nearest_vent(p, row, col, farthest));
    }
    x.runout_m = farthest >= 0 ? sqrt(farthest) * p->params.cell_m : NAN;
    return x;
}
