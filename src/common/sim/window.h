/* window.h — a rectangle of cells of the domain. */
#ifndef SCIARA_WINDOW_H
#define SCIARA_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

struct window {
    int row0, col0; /* of the window's first cell in the domain */
    int rows, cols; /* rows 0: it has no cell */
};

static inline size_t window_cells(struct window w)
{
    return (size_t)w.rows * (size_t)w.cols;
}

/* All of `part`, which may have no cell, is in w. */
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

/* The smallest window that has both. */
static inline struct window window_of_both(struct window a, struct window b)
{
    if (a.rows == 0) return b;
    if (b.rows == 0) return a;
    const int a_row = a.row0 + a.rows, b_row = b.row0 + b.rows;
    const int a_col = a.col0 + a.cols, b_col = b.col0 + b.cols;
    struct window w;
    w.row0 = a.row0 < b.row0 ? a.row0 : b.row0;
    w.col0 = a.col0 < b.col0 ? a.col0 : b.col0;
    w.rows = (a_row > b_row ? a_row : b_row) - w.row0;
    w.cols = (a_col > b_col ? a_col : b_col) - w.col0;
    return w;
}

/* The cells that both have. */
static inline struct window window_common(struct window a, struct window b)
{
    const int a_row = a.row0 + a.rows, b_row = b.row0 + b.rows;
    const int a_col = a.col0 + a.cols, b_col = b.col0 + b.cols;
    struct window w;
    w.row0 = a.row0 > b.row0 ? a.row0 : b.row0;
    w.col0 = a.col0 > b.col0 ? a.col0 : b.col0;
    w.rows = (a_row < b_row ? a_row : b_row) - w.row0;
    w.cols = (a_col < b_col ? a_col : b_col) - w.col0;
    if (w.rows <= 0 || w.cols <= 0) w.rows = w.cols = 0;
    return w;
}

#endif
