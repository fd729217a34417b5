#include "lava_spread.h"

#include "lava_extent.h"

#include <math.h>

/* The first of the steps at or after that one; count: none. They lie about equally far apart, so a
 * guess is near. */
static int place_of(int64_t arrival, const int64_t *step, int count)
{
    if (arrival > step[count - 1]) return count;
    const double whole = (double)(step[count - 1] - step[0]);
    int i = whole > 0 && arrival > step[0]
                ? (int)((double)(arrival - step[0]) / whole * (count - 1))
                : 0;
    while (i > 0 && step[i - 1] >= arrival) i--;
    while (step[i] < arrival) i++;
    return i;
}

enum { PARTS = 64 };

/* The farthest cell of the lava that came up to each step, in squared cells. Once that of an
 * earlier step is farther, a cell need not be measured: in `before`, of each of 64 parts of the
 * steps, is the farthest of the parts before it, as far as it is known yet. */
struct farthest {
    double before[PARTS];
    int per_part;
};

static void measure(struct farthest *w, struct spread *at, int place, const struct fields *f,
                    const struct problem *p, size_t cell)
{
    const size_t cols = (size_t)f->window.cols;
    const int row = f->window.row0 + (int)(cell / cols), col = f->window.col0 + (int)(cell % cols);
    const int part = place / w->per_part;
    const double enough = fmax(at[place].runout_m, w->before[part]);
    const double here = extent_nearest_vent(p, row, col, enough);
    if (here <= enough) return;
    at[place].runout_m = here;
    for (int k = part + 1; k < PARTS; k++)
        if (here > w->before[k]) w->before[k] = here;
}

void lava_spread(struct spread *at, const int64_t *step, int count, const struct fields *f,
                 const struct problem *p)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    struct farthest w = {.per_part = count / PARTS + 1};
    for (int k = 0; k < PARTS; k++) w.before[k] = -1;
    for (int i = 0; i < count; i++) at[i] = (struct spread){0, -1};
    for (size_t i = 0; i < n; i++) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        const int place = place_of(f->arrival[i], step, count);
        if (place == count) continue;
        at[place].cells++;
        if (p->vent_count) measure(&w, at, place, f, p, i);
    }
    double farthest = -1;
    for (int i = 0; i < count; i++) {
        if (i) at[i].cells += at[i - 1].cells;
        farthest = fmax(farthest, at[i].runout_m);
        at[i].runout_m = farthest < 0 ? (double)NAN : sqrt(farthest) * p->params.cell_m;
    }
}
