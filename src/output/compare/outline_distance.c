#include "outline_distance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- distances of all cells -------------------------------------------------------------------
 * In two passes: along the columns the distance to the nearest mark of the column, up and down;
 * then along each row the lower envelope of the parabolas g(i)^2 + (x - i)^2 with vertices
 * the columns (A. Meijster, J. Roerdink, W. Hesselink: A general algorithm for computing distance
 * transforms in linear time, 2000). Whole numbers throughout, so nothing is rounded. */

/* Cells to the nearest mark of the column; -1: it has none. */
static void scan_column(int64_t *g, const unsigned char *mark, int rows, int cols)
{
    int64_t last = -1;
    for (int row = 0; row < rows; row++) {
        const size_t i = (size_t)row * (size_t)cols;
        if (mark[i]) last = row;
        g[i] = last < 0 ? -1 : row - last;
    }
    last = -1;
    for (int row = rows - 1; row >= 0; row--) {
        const size_t i = (size_t)row * (size_t)cols;
        if (mark[i]) last = row;
        if (last >= 0 && (g[i] < 0 || last - row < g[i])) g[i] = last - row;
    }
}

/* A parabola of the envelope, and the first column where it is the lowest. */
struct parabola {
    int64_t at, height, from;
};

static int64_t value(const struct parabola *p, int64_t x)
{
    return p->height + (x - p->at) * (x - p->at);
}

/* The first column where `right` is below `left`, which it is from there on. */
static int64_t first_below(const struct parabola *left, const struct parabola *right)
{
    const int64_t over = right->at * right->at - left->at * left->at + right->height - left->height,
                  under = 2 * (right->at - left->at);
    return (over >= 0 ? over / under : -((under - 1 - over) / under)) + 1;
}

static void scan_row(int64_t *squared, struct parabola *stack, int cols)
{
    int top = -1;
    for (int col = 0; col < cols; col++) {
        if (squared[col] < 0) continue;
        struct parabola next = {col, squared[col] * squared[col], 0};
        while (top >= 0 && value(&stack[top], stack[top].from) > value(&next, stack[top].from))
            top--;
        if (top >= 0) next.from = first_below(&stack[top], &next);
        if (next.from < cols) stack[++top] = next;
    }
    for (int col = cols - 1; col >= 0; col--) {
        squared[col] = top < 0 ? DISTANCE_NONE : value(&stack[top], col);
        if (top > 0 && col == stack[top].from) top--;
    }
}

int distance_transform(int64_t *squared, const unsigned char *mark, int rows, int cols,
                       struct error *e)
{
    struct parabola *stack = malloc((size_t)cols * sizeof *stack);
    if (!stack) return error_memory(e);
    for (int col = 0; col < cols; col++) scan_column(squared + col, mark + col, rows, cols);
    for (int row = 0; row < rows; row++)
        scan_row(squared + (size_t)row * (size_t)cols, stack, cols);
    free(stack);
    return 0;
}

/* ---- two outlines ---------------------------------------------------------------------------- */

static bool is_beside(const unsigned char *cell, int of)
{
    return !(*cell & (of | DISTANCE_UNKNOWN));
}

static size_t mark_outline(unsigned char *mark, const unsigned char *cell, int of, int rows,
                           int cols)
{
    size_t count = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const size_t i = (size_t)row * (size_t)cols + (size_t)col;
            const unsigned char *here = cell + i;
            mark[i] = (*here & of) && ((row > 0 && is_beside(here - cols, of)) ||
                                       (row < rows - 1 && is_beside(here + cols, of)) ||
                                       (col > 0 && is_beside(here - 1, of)) ||
                                       (col < cols - 1 && is_beside(here + 1, of)));
            count += mark[i];
        }
    return count;
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* From each cell on one outline to the other: adds up the distances, and returns the squared one
 * that 95 % of them keep. */
static int64_t gather(double *sum, int64_t *list, const unsigned char *from, const int64_t *squared,
                      size_t cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells; i++)
        if (from[i]) list[count++] = squared[i];
    for (size_t i = 0; i < count; i++) *sum += sqrt((double)list[i]);
    qsort(list, count, sizeof *list, by_size);
    return list[(count * 95 + 99) / 100 - 1];
}

struct room {
    unsigned char *a, *b;
    int64_t *squared, *list;
};

static int compute(struct outline_distance *d, const struct room *r, const size_t count[2],
                   int rows, int cols, double cell_m, struct error *e)
{
    const size_t cells = (size_t)rows * (size_t)cols;
    double sum = 0;
    int status = distance_transform(r->squared, r->b, rows, cols, e);
    if (status) return status;
    const int64_t there = gather(&sum, r->list, r->a, r->squared, cells);
    status = distance_transform(r->squared, r->a, rows, cols, e);
    if (status) return status;
    const int64_t back = gather(&sum, r->list, r->b, r->squared, cells);
    d->mean_m = sum / (double)(count[0] + count[1]) * cell_m;
    d->p95_m = sqrt((double)(there > back ? there : back)) * cell_m;
    return 0;
}

int outline_distance(struct outline_distance *d, const unsigned char *cell, int rows, int cols,
                     double cell_m, struct error *e)
{
    const size_t cells = (size_t)rows * (size_t)cols;
    const struct room r = {malloc(cells), malloc(cells), malloc(cells * sizeof *r.squared),
                           malloc(cells * sizeof *r.list)};
    int status = r.a && r.b && r.squared && r.list ? 0 : error_memory(e);
    if (!status) {
        const size_t count[2] = {mark_outline(r.a, cell, DISTANCE_A, rows, cols),
                                 mark_outline(r.b, cell, DISTANCE_B, rows, cols)};
        const double none = count[0] || count[1] ? INFINITY : 0;
        *d = (struct outline_distance){none, none};
        if (count[0] && count[1]) status = compute(d, &r, count, rows, cols, cell_m, e);
    }
    free(r.a);
    free(r.b);
    free(r.squared);
    free(r.list);
    return status;
}
