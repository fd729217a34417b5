#include "steepest.h"

#include "model/physics.h"
#include "sim/grid.h"
#include "text/grow.h"

#include <stdlib.h>

static const double DIAGONAL = 1.4142135623730951;

struct heap_cell {
    double elevation_m;
    uint32_t place;
};

struct steepest {
    const struct problem *p;
    const struct terrain_error *error;
    struct steepest_path *path;
    /* Elevations, with the error, of the cells for which this path has asked. */
    double *elevation_m;
    uint32_t *known, paths; /* the last path that asked for each cell; number of this path */
    int64_t node_rows, node_cols;
    /* Nodes of the error. A cell needs 16 nodes; the next cell of the path needs most of these, too. */
    double *node;
    uint32_t *node_known; /* the last path that asked for each node */
    /* In a hollow: 1 + the cell from which a cell was found; 0: not found. */
    uint32_t *parent;
    uint32_t *found;        /* cells with a parent */
    struct heap_cell *heap; /* found cells that have not been visited, the lowest first */
    int found_count, heap_count;
    int status; /* status of reading terrain; a path ends at an error */
    struct error *why;
};

int steepest_create(struct steepest **out, const struct problem *p, struct error *e)
{
    const size_t cells = (size_t)p->rows * (size_t)p->cols;
    struct steepest *s = *out = calloc(1, sizeof *s);
    if (!s) return error_memory(e);
    s->elevation_m = malloc(cells * sizeof *s->elevation_m);
    s->known = calloc(cells, sizeof *s->known);
    s->parent = calloc(cells, sizeof *s->parent);
    if (s->elevation_m && s->known && s->parent) return 0;
    steepest_free(s);
    *out = NULL;
    return error_memory(e);
}

void steepest_free(struct steepest *s)
{
    if (!s) return;
    FREE_ALL(s->elevation_m, s->known, s->node, s->node_known, s->parent, s->found, s->heap, s);
}

/* ---- the terrain ----------------------------------------------------------------------------- */

/* Allocates the nodes of an error. Rows and columns of nodes are numbered from -1. */
static bool take_nodes(struct steepest *s)
{
    const double density = s->error->sd_m == 0 ? 0 : s->error->nodes_per_cell;
    const int64_t rows = density > 0 ? 4 + (int64_t)(s->p->rows * density) : 0,
                  cols = density > 0 ? 4 + (int64_t)(s->p->cols * density) : 0;
    if (rows == s->node_rows && cols == s->node_cols) return true;
    free(s->node);
    free(s->node_known);
    s->node = malloc((size_t)(rows * cols + 1) * sizeof *s->node);
    s->node_known = calloc((size_t)(rows * cols + 1), sizeof *s->node_known);
    const bool good = s->node && s->node_known;
    s->node_rows = good ? rows : -1; /* -1: the next path tries again */
    s->node_cols = cols;
    return good;
}

static double node(struct steepest *s, int64_t i, int64_t j)
{
    const int64_t at = (i + 1) * s->node_cols + j + 1;
    if (s->node_known[at] != s->paths) {
        s->node_known[at] = s->paths;
        s->node[at] = terrain_error_node(s->error, i, j);
    }
    return s->node[at];
}

/* terrain_error_at(), but with the nodes that this path has computed already. */
static double error_at(struct steepest *s, int row, int col)
{
    double down[4], across[4], sum[4];
    if (!s->node_rows) return terrain_error_at(s->error, row, col);
    const int64_t i = terrain_error_weights(s->error, row, down),
                  j = terrain_error_weights(s->error, col, across);
    for (int k = 0; k < 4; k++)
        sum[k] = terrain_error_sum(down, node(s, i, j + k), node(s, i + 1, j + k),
                                   node(s, i + 2, j + k), node(s, i + 3, j + k));
    return s->error->sd_m * terrain_error_sum(across, sum[0], sum[1], sum[2], sum[3]);
}

/* The elevation, with the error, of a cell with data. */
static double elevation(struct steepest *s, uint32_t place)
{
    const uint32_t cols = (uint32_t)s->p->cols;
    if (s->known[place] != s->paths) {
        s->known[place] = s->paths;
        s->elevation_m[place] =
            s->p->elevation_m[place] + error_at(s, (int)(place / cols), (int)(place % cols));
    }
    return s->elevation_m[place];
}

/* Whether a path ends at a cell: at the border, or after an error. Reads the terrain around the cell first. */
static bool ends_at(struct steepest *s, uint32_t place)
{
    const struct problem *p = s->p;
    const int row = (int)(place / (uint32_t)p->cols), col = (int)(place % (uint32_t)p->cols);
    const struct window near = {row - 1, col - 1, 3, 3};
    if (!s->status && p->terrain)
        s->status = problem_read_terrain(p, window_common(near, problem_domain(p)), s->why);
    return s->status || grid_border_flag(p, row, col) != 0;
}

/* Neighbour k of a cell that is not on the border, so all its neighbours have data. */
static uint32_t neighbour(const struct steepest *s, uint32_t place, int k, double *distance)
{
    *distance = k < 4 ? 1 : DIAGONAL;
    return (uint32_t)((int64_t)place + (int64_t)PHYSICS_ROW(k) * s->p->cols + PHYSICS_COL(k));
}

/* ---- the path -------------------------------------------------------------------------------- */

static bool append_place(struct steepest_path *path, uint32_t place, double length)
{
    return APPEND(path->at, path->count, (struct steepest_cell){place, length});
}

/* The neighbour with the steepest slope down from a cell; the cell itself if no neighbour is lower. */
static uint32_t steepest_neighbour(struct steepest *s, uint32_t place, double *distance)
{
    uint32_t best = place;
    double steepest = 0, away;
    for (int k = 0; k < 8; k++) {
        const uint32_t to = neighbour(s, place, k, &away);
        const double slope = (elevation(s, place) - elevation(s, to)) / away;
        if (!(slope > steepest)) continue;
        steepest = slope;
        best = to;
        *distance = away;
    }
    return best;
}

/* ---- hollows --------------------------------------------------------------------------------- */

/* Cells of equal elevation have the order of the grid, so paths depend only on the terrain. */
static bool is_below(const struct heap_cell *a, const struct heap_cell *b)
{
    return a->elevation_m < b->elevation_m ||
           (a->elevation_m == b->elevation_m && a->place < b->place);
}

static bool heap_push(struct steepest *s, struct heap_cell c)
{
    if (!GROW(s->heap, s->heap_count)) return false;
    int i = s->heap_count++;
    for (; i && is_below(&c, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = c;
    return true;
}

static uint32_t heap_pop(struct steepest *s)
{
    struct heap_cell *h = s->heap;
    const uint32_t lowest = h[0].place;
    const struct heap_cell last = h[--s->heap_count];
    int i = 0, child;
    while ((child = 2 * i + 1) < s->heap_count) {
        if (child + 1 < s->heap_count && is_below(&h[child + 1], &h[child])) child++;
        if (!is_below(&h[child], &last)) break;
        h[i] = h[child];
        i = child;
    }
    h[i] = last;
    return lowest;
}

static bool find_place(struct steepest *s, uint32_t place, uint32_t parent)
{
    if (!APPEND(s->found, s->found_count, place)) return false;
    s->parent[place] = parent + 1;
    return true;
}

/* Finds the outlet of the hollow around a cell. Parents lead from the outlet back to the cell. Returns the cell
 * itself if memory is short. */
static uint32_t outlet(struct steepest *s, uint32_t start)
{
    double away;
    uint32_t at = start;
    bool good = find_place(s, start, start);
    while (good && (at == start || (elevation(s, at) >= elevation(s, start) && !ends_at(s, at)))) {
        for (int k = 0; good && k < 8; k++) {
            const uint32_t to = neighbour(s, at, k, &away);
            if (!s->parent[to])
                good =
                    find_place(s, to, at) && heap_push(s, (struct heap_cell){elevation(s, to), to});
        }
        /* The heap is not empty, because the loop ends at the border of the terrain if it finds no lower cell. */
        if (good) at = heap_pop(s);
    }
    return good ? at : start;
}

/* Appends the way to the outlet. Parents lead from the outlet back, so the function writes the way in reverse and
 * then turns it round. */
static bool leave_hollow(struct steepest *s)
{
    struct steepest_path *path = s->path;
    const uint32_t start = path->at[path->count - 1].place, end = outlet(s, start);
    const size_t first = path->count;
    bool good = end != start;
    for (uint32_t at = end; good && at != start; at = s->parent[at] - 1)
        good = append_place(path, at, 0);
    for (size_t i = first, k = path->count; good && i + 1 < k--; i++) {
        const struct steepest_cell swap = path->at[i];
        path->at[i] = path->at[k];
        path->at[k] = swap;
    }
    for (size_t i = first; good && i < path->count; i++) {
        const uint32_t a = path->at[i - 1].place, b = path->at[i].place;
        const uint32_t apart = a > b ? a - b : b - a;
        path->at[i].length =
            path->at[i - 1].length + (apart == 1 || apart == (uint32_t)s->p->cols ? 1 : DIAGONAL);
    }
    while (s->found_count) s->parent[s->found[--s->found_count]] = 0;
    s->heap_count = 0;
    return good;
}

int steepest_follow(struct steepest *s, const struct problem *p, const struct terrain_error *error,
                    uint32_t from, double most, struct steepest_path *path, struct error *e)
{
    s->p = p;
    s->error = error;
    s->path = path;
    s->paths++;
    s->status = 0;
    s->why = e;
    bool good = take_nodes(s) && append_place(path, from, 0);
    while (good) {
        const struct steepest_cell at = path->at[path->count - 1];
        double distance = 0;
        if (at.length >= most || ends_at(s, at.place)) return s->status;
        const uint32_t to = steepest_neighbour(s, at.place, &distance);
        good = to != at.place ? append_place(path, to, at.length + distance) : leave_hollow(s);
    }
    return error_memory(e);
}
