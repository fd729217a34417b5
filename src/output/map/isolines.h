/* isolines.h — lines of equal value through a grid, by marching squares. */
#ifndef SCIARA_ISOLINES_H
#define SCIARA_ISOLINES_H

#include "draw/canvas.h"
#include "base/error.h"

/* A grid on the canvas: cell (row, col) is the square of `zoom` pixels at (x + col*zoom,
 * y + row*zoom), and its value stands for its centre. NaN: no line comes near. */
struct isolines {
    const float *value;
    int rows, cols;
    double x, y, zoom;
};

/* Adds the lines value == base + k * step for whole k to the canvas's path, only every `every`-th
 * or, where every < 0, all but those; each as long as it is. Out to the edges of the outer cells.
 * ERROR_FAILED: no memory. */
int isolines_draw(struct canvas *c, const struct isolines *g, double base, double step, int every,
                  struct error *e);

/* How many squares such lines cross: whether they would still be lines or rather a grey. */
size_t isolines_count(const struct isolines *g, double base, double step);

#endif
