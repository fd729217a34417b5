/* window.h — a rectangle of cells of the domain. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window {
    int row0, col0; /* row and column in the domain of the window's first cell */
    int rows, cols; /* rows 0: the window has no cell */
};

static inline int int_least(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_most(int a, int b)
{
    return a > b ? a : b;
}

/* The number from 0 to `most` that is nearest to x. */
static inline int int_within(int x, int most)
{
    return int_most(0, int_least(x, most));
}

static inline size_t window_cells(struct window w)
{
    return (size_t)w.rows * (size_t)w.cols;
}

/* The index of a cell of the domain in a row-major array over w; SIZE_MAX: w does not have the
 * cell. */
static inline size_t window_place(struct window w, int64_t row, int64_t col)
{
    const uint64_t down = (uint64_t)(row - w.row0), right = (uint64_t)(col - w.col0);
    const bool in = down < (uint64_t)w.rows && right < (uint64_t)w.cols;
    return in ? (size_t)down * (size_t)w.cols + (size_t)right : SIZE_MAX;
}

/* window_place() for place = row * cols + col of a domain with `cols` columns. w has to have this
 * cell. */
static inline size_t window_at(struct window w, size_t place, int cols)
{
    const size_t row = place / (size_t)cols - (size_t)w.row0,
                 col = place % (size_t)cols - (size_t)w.col0;
    return row * (size_t)w.cols + col;
}

/* The place row * cols + col, in a domain with `cols` columns, of cell i of an array over w. */
static inline size_t window_in_domain(struct window w, size_t i, int cols)
{
    const size_t across = (size_t)w.cols;
    return ((size_t)w.row0 + i / across) * (size_t)cols + (size_t)w.col0 + i % across;
}

/* Whether w has all cells of `part`. True if `part` has no cell. */
static inline bool window_has(struct window w, struct window part)
{
    return part.rows == 0 ||
           (part.row0 >= w.row0 && part.col0 >= w.col0 &&
            part.row0 + part.rows <= w.row0 + w.rows && part.col0 + part.cols <= w.col0 + w.cols);
}

static inline bool window_equal(struct window a, struct window b)
{
    return window_has(a, b) && window_has(b, a);
}

/* The smallest window that has all cells of a and b. */
static inline struct window window_of_both(struct window a, struct window b)
{
    if (a.rows == 0) return b;
    if (b.rows == 0) return a;
    struct window w;
    w.row0 = int_least(a.row0, b.row0);
    w.col0 = int_least(a.col0, b.col0);
    w.rows = int_most(a.row0 + a.rows, b.row0 + b.rows) - w.row0;
    w.cols = int_most(a.col0 + a.cols, b.col0 + b.cols) - w.col0;
    return w;
}

/* Grows a window so that it has a cell. */
static inline void window_add(struct window *w, int row, int col)
{
    *w = window_of_both(*w, (struct window){row, col, 1, 1});
}

/* Grows a window so that it has all nonzero cells of an array; NULL: there are none. */
static inline void window_add_mask(struct window *w, const unsigned char *cell, int rows, int cols)
{
    for (int row = 0; cell && row < rows; row++, cell += cols)
        for (int col = 0; col < cols; col++)
            if (cell[col]) window_add(w, row, col);
}

/* Grows a window so that it has a place row * cols + col of the domain. */
static inline void window_add_place(struct window *w, size_t place, int cols)
{
    window_add(w, (int)(place / (size_t)cols), (int)(place % (size_t)cols));
}

/* The cells that both windows have. */
static inline struct window window_common(struct window a, struct window b)
{
    struct window w;
    w.row0 = int_most(a.row0, b.row0);
    w.col0 = int_most(a.col0, b.col0);
    w.rows = int_least(a.row0 + a.rows, b.row0 + b.rows) - w.row0;
    w.cols = int_least(a.col0 + a.cols, b.col0 + b.cols) - w.col0;
    if (w.rows <= 0 || w.cols <= 0) w.rows = w.cols = 0;
    return w;
}
