#include "lava_extent.h"

#include "model/physics.h"
#include "sim/grid.h"

#include <math.h>
#include <stdlib.h>

/* The squared distance, in cells, to the nearest vent. The search ends at the first vent whose squared distance is at
 * most `enough`, because the caller needs no smaller distance. So a cell is not compared with all vents of a fissure. */
static double nearest_vent(const struct problem *p, int row, int col, double enough)
{
    double nearest = INFINITY;
    for (int v = 0; v < p->vent_count && nearest > enough; v++) {
        const double rows = row - p->vents[v].row, cols = col - p->vents[v].col;
        nearest = fmin(nearest, rows * rows + cols * cols);
    }
    return nearest;
}

/* The sum of the initial thicknesses. Rounding does not matter, because the sum is used for a percentage. */
static double initial_m(const struct problem *p, const struct window *w)
{
    const size_t cols = (size_t)p->cols;
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
                              left_m / (quanta_m(f->emitted) + initial_m(p, &f->window))};
}

struct lava_left lava_left(const struct fields *f, const struct problem *p)
{
    return lost(f->left_domain, f, p);
}

/* Whether cell i of the window has no data. */
static bool is_hole(const struct fields *f, const struct problem *p, size_t i)
{
    return isnan(p->elevation_m[window_in_domain(f->window, i, p->cols)]) != 0;
}

/* Marks the cells outside the terrain. A cell without data is outside if a path over cells without data leads from it to
 * the edge of the window. `queue` has room for all cells of the window. */
static void mark_outside(unsigned char *outside, size_t *queue, const struct fields *f,
                         const struct problem *p)
{
    const int rows = f->window.rows, cols = f->window.cols;
    size_t first = 0, last = 0;
    for (size_t i = 0; i < window_cells(f->window); i++) {
        const int row = (int)(i / (size_t)cols), col = (int)(i % (size_t)cols);
        const bool edge = row == 0 || col == 0 || row == rows - 1 || col == cols - 1;
        if (edge && is_hole(f, p, i)) outside[queue[last++] = i] = 1;
    }
    while (first < last) {
        const size_t i = queue[first++];
        for (int k = 0; k < 8; k++) {
            const int row = (int)(i / (size_t)cols) + PHYSICS_ROW(k),
                      col = (int)(i % (size_t)cols) + PHYSICS_COL(k);
            const size_t there = (size_t)row * (size_t)cols + (size_t)col;
            if (row < 0 || col < 0 || row >= rows || col >= cols || outside[there] ||
                !is_hole(f, p, there))
                continue;
            outside[queue[last++] = there] = 1;
        }
    }
}

static void see_exit(struct lava_exit *x, const unsigned char *outside, size_t i,
                     const struct fields *f, const struct problem *p)
{
    const struct window *w = &f->window;
    const int here_row = (int)(i / (size_t)w->cols), here_col = (int)(i % (size_t)w->cols);
    for (int k = 0; k < 8; k++) {
        const int row = here_row + PHYSICS_ROW(k), col = here_col + PHYSICS_COL(k);
        const bool inside = row >= 0 && col >= 0 && row < w->rows && col < w->cols;
        const size_t there = (size_t)row * (size_t)w->cols + (size_t)col;
        if (!inside || outside[there]) x->edge = true;
        else if (is_hole(f, p, there) && !x->hole &&
                 !(p->sea && p->sea[window_in_domain(*w, there, p->cols)]))
            *x = (struct lava_exit){x->edge, true, w->row0 + here_row, w->col0 + here_col};
    }
}

int lava_exit(struct lava_exit *x, const struct fields *f, const struct problem *p, struct error *e)
{
    const size_t n = window_cells(f->window);
    *x = (struct lava_exit){.row = -1, .col = -1};
    const int status = problem_read_terrain(p, f->window, e);
    if (status) return status;
    FREED unsigned char *outside = calloc(n, 1);
    FREED size_t *queue = malloc(n * sizeof *queue);
    if (!outside || !queue) return error_memory(e);
    mark_outside(outside, queue, f, p);
    FIELDS_EACH (f, row, i)
        if (f->arrival[i] != ARRIVAL_NEVER && !is_hole(f, p, i)) see_exit(x, outside, i, f, p);
    return 0;
}

struct lava_sea lava_sea(const struct fields *f, const struct problem *p)
{
    const struct lava_left left = lost(f->entered_sea, f, p);
    struct lava_sea sea = {left.volume_m3, left.share, -1, -1, -1};
    if (!p->sea) return sea;
    FIELDS_EACH (f, r, i) {
        const int row = f->window.row0 + r,
                  col = f->window.col0 + (int)(i % (size_t)f->window.cols);
        if (f->arrival[i] == ARRIVAL_NEVER || (sea.step >= 0 && f->arrival[i] >= sea.step) ||
            !(grid_border_flag(p, row, col) & CELL_SHORE))
            continue;
        sea = (struct lava_sea){left.volume_m3, left.share, f->arrival[i], row, col};
    }
    return sea;
}

/* ---- the speed of the front ------------------------------------------------------------------ */

/* The neighbour that lava reached first, if lava reached it before `place`; else `place`. */
static size_t came_from(const struct fields *f, size_t place)
{
    const int cols = f->window.cols, row = (int)(place / (size_t)cols),
              col = (int)(place % (size_t)cols);
    size_t best = place;
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = col - 1; c <= col + 1; c++) {
            if (r < 0 || c < 0 || r >= f->window.rows || c >= cols || !fields_has(f, r, c))
                continue;
            const size_t i = (size_t)r * (size_t)cols + (size_t)c;
            if (f->arrival[i] < f->arrival[best]) best = i;
        }
    return best;
}

/* Follows the path of the lava back from `place`. Arrivals decrease along the path, so it ends. `last` has the arrivals of
 * the latest FRONT_CELLS + 1 cells. */
struct front_speed front_speed(const struct fields *f, size_t place)
{
    struct front_speed s = {0};
    int32_t last[FRONT_CELLS + 1] = {0};
    size_t counted = 0; /* length of the path, in cells, when at_limit last grew */
    if (f->arrival[place] == ARRIVAL_NEVER) return s;
    for (size_t from;; place = from) {
        last[s.way % (FRONT_CELLS + 1)] = f->arrival[place];
        if (s.way >= FRONT_CELLS &&
            last[(s.way + 1) % (FRONT_CELLS + 1)] - f->arrival[place] <= FRONT_STEPS) {
            const size_t fresh = s.way - counted;
            s.at_limit += fresh < FRONT_CELLS ? fresh : FRONT_CELLS;
            counted = s.way;
        }
        s.way++;
        from = came_from(f, place);
        if (from == place) return s;
    }
}

struct extent extent_of(const struct fields *f, const struct problem *p)
{
    struct extent x = {.left = lava_left(f, p), .sea = lava_sea(f, p)};
    double farthest = -1;
    size_t end = 0;
    FIELDS_EACH (f, row, i) {
        x.max_thickness_m = fmax(x.max_thickness_m, f->max_thickness_m[i]);
        x.thickest_m = fmax(x.thickest_m, f->thickness_m[i] + f->solid_m[i]);
        if (!(f->thickness_m[i] > 0 || f->solid_m[i] > 0)) continue;
        x.cells++;
        if (!p->vent_count) continue;
        const int col = f->window.col0 + (int)(i % (size_t)f->window.cols);
        const double here = nearest_vent(p, f->window.row0 + row, col, farthest);
        if (here <= farthest) continue;
        farthest = here;
        end = i;
    }
    if (farthest >= 0) x.front = front_speed(f, end);
    x.runout_m = farthest >= 0 ? sqrt(farthest) * p->params.cell_m : NAN;
    return x;
}

/* ---- spreading ------------------------------------------------------------------------------- */

/* The index of the first step at or after an arrival; `count`: there is none. Steps have about equal intervals, so the
 * first guess is near. */
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

/* Bounds that shorten nearest_vent(). The steps are divided into PARTS parts of per_part steps.
 * before[k]: the squared run-out, in cells, of all cells that lava reached before part k. If the
 * squared distance of a cell of part k is at most before[k], the cell changes no run-out, and its
 * distance need not be exact. */
struct farthest {
    double before[PARTS];
    int per_part;
};

static void measure_cell(struct farthest *w, struct spread *at, int place, const struct fields *f,
                         const struct problem *p, size_t cell)
{
    const size_t cols = (size_t)f->window.cols;
    const int row = f->window.row0 + (int)(cell / cols), col = f->window.col0 + (int)(cell % cols);
    const int part = place / w->per_part;
    const double enough = fmax(at[place].runout_m, w->before[part]);
    const double here = nearest_vent(p, row, col, enough);
    if (here <= enough) return;
    at[place].runout_m = here;
    for (int k = part + 1; k < PARTS; k++)
        if (here > w->before[k]) w->before[k] = here;
}

void lava_spread(struct spread *at, const int64_t *step, int count, const struct fields *f,
                 const struct problem *p)
{
    struct farthest w = {.per_part = count / PARTS + 1};
    for (int k = 0; k < PARTS; k++) w.before[k] = -1;
    for (int i = 0; i < count; i++) at[i] = (struct spread){0, -1};
    FIELDS_EACH (f, row, i) {
        if (f->arrival[i] == ARRIVAL_NEVER) continue;
        const int place = place_of(f->arrival[i], step, count);
        if (place == count) continue;
        at[place].cells++;
        if (p->vent_count) measure_cell(&w, at, place, f, p, i);
    }
    double farthest = -1;
    for (int i = 0; i < count; i++) {
        if (i) at[i].cells += at[i - 1].cells;
        farthest = fmax(farthest, at[i].runout_m);
        at[i].runout_m = farthest < 0 ? (double)NAN : sqrt(farthest) * p->params.cell_m;
    }
}
