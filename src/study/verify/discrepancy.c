/* build: optimized */
#include "discrepancy.h"

#include <math.h>
#include <stdlib.h>

const double discrepancy_list_m[DISCREPANCY_DISTANCES] = {0,   20,  30,  40,  60,  80,   120, 160,
                                                          240, 320, 480, 640, 960, 1280, 1920};

static uint64_t of_cell(const struct forecast *f, int row, int col, int cols)
{
    const double p =
        (double)f->count(f->of, (size_t)row * (size_t)cols + (size_t)col) / (double)f->weight;
    return (uint64_t)(p * (double)VICINITY_WEIGHT);
}

/* The box around all cells with a probability above 0; no rows: there are no such cells. */
static struct window box_of(const struct forecast *f, int rows, int cols)
{
    struct window box = {0};
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (f->count(f->of, (size_t)row * (size_t)cols + (size_t)col))
                window_add(&box, row, col);
    return box;
}

int vicinity_open(struct vicinity *s, const struct forecast *f, int rows, int cols, double cell_m,
                  struct error *e)
{
    *s = (struct vicinity){
        .rows = rows, .cols = cols, .cell_m = cell_m, .box = box_of(f, rows, cols)};
    const size_t stride = (size_t)s->box.cols + 1;
    if (!(s->sum = calloc(((size_t)s->box.rows + 1) * stride, sizeof *s->sum)))
        return error_memory(e);
    for (int row = 0; row < s->box.rows; row++)
        for (int col = 0; col < s->box.cols; col++) {
            uint64_t *at = s->sum + (size_t)row * stride + (size_t)col;
            at[1] = at[0] + of_cell(f, s->box.row0 + row, s->box.col0 + col, cols);
        }
    return vicinity_set(s, 0, e);
}

int vicinity_set(struct vicinity *s, double distance_m, struct error *e)
{
    const double radius = distance_m / s->cell_m;
    s->reach = (int)radius;
    free(s->half);
    if (!(s->half = malloc(((size_t)s->reach + 1) * sizeof *s->half))) return error_memory(e);
    s->cells = 0;
    for (int row = 0; row <= s->reach; row++) {
        s->half[row] = (int)sqrt(radius * radius - (double)row * row);
        s->cells += (row ? 2 : 1) * (2 * (uint64_t)s->half[row] + 1);
    }
    return 0;
}

void vicinity_free(struct vicinity *s)
{
    RELEASE(s, s->sum, s->half);
}

uint64_t vicinity_count(const void *of, size_t cell)
{
    const struct vicinity *s = of;
    const int row = (int)(cell / (size_t)s->cols) - s->box.row0,
              col = (int)(cell % (size_t)s->cols) - s->box.col0;
    const int top = int_within(row - s->reach, s->box.rows),
              bottom = int_within(row + s->reach + 1, s->box.rows);
    uint64_t sum = 0;
    for (int r = top; r < bottom; r++) {
        const int half = s->half[abs(r - row)];
        const uint64_t *at = s->sum + (size_t)r * ((size_t)s->box.cols + 1);
        sum +=
            at[int_within(col + half + 1, s->box.cols)] - at[int_within(col - half, s->box.cols)];
    }
    return sum / s->cells;
}

struct forecast vicinity_forecast(const struct vicinity *s, const struct forecast *f)
{
    return (struct forecast){f->domain, vicinity_count, s, VICINITY_WEIGHT, f->members};
}

int discrepancy_add(struct discrepancy *x, const struct forecast *f, struct error *e)
{
    FREED_BY(vicinity_free) struct vicinity s;
    int status = vicinity_open(&s, f, f->domain->rows, f->domain->cols, f->domain->cell_m, e);
    for (int k = 0; k < DISCREPANCY_DISTANCES && !status; k++) {
        status = vicinity_set(&s, discrepancy_list_m[k], e);
        if (status) break;
        const struct forecast near = vicinity_forecast(&s, f);
        x->log_score[k] += verify_log_score(&near);
    }
    x->eruptions += !status;
    return status;
}

int discrepancy_best(const struct discrepancy *x)
{
    int best = 0;
    for (int k = 1; k < DISCREPANCY_DISTANCES; k++)
        if (x->log_score[k] < x->log_score[best]) best = k;
    return best;
}
