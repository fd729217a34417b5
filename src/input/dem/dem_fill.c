/* dem_fill.c — fills small holes: cells without data between cells that have data. */
#include "dem_parts.h"

#include "text/grow.h"

#include <stdlib.h>

/* A filled cell. All cells are found before any is written, so that no cell is filled from another filled cell. */
struct filled {
    size_t at;
    float height;
};

/* Returns the number of steps, of `step` elements each, from `at` to the next cell with data; 0: there is none within
 * the smaller of `room` and `most` steps. */
static int reach(const float *at, ptrdiff_t step, int room, int most)
{
    const int last = room < most ? room : most;
    for (int k = 1; k <= last; k++)
        if (at[k * step] != DEM_NO_DATA) return k;
    return 0;
}

/* Finds the height of a cell without data. It is the mean of the nearest cells with data to the west, east, north and
 * south, weighted by 1 / distance. False: the gap from west to east, or from north to south, is wider than `most`
 * cells, or lacks a cell with data at an end. */
static bool fill_cell(float *height, const float *at, ptrdiff_t cols, const int room[4], int most)
{
    const ptrdiff_t step[4] = {-1, 1, -cols, cols};
    int far[4];
    double sum = 0, weight = 0;
    for (int k = 0; k < 4; k++) {
        far[k] = reach(at, step[k], room[k], most);
        if (!far[k]) return false;
        sum += (double)at[far[k] * step[k]] / far[k];
        weight += 1.0 / far[k];
    }
    *height = (float)(sum / weight);
    return far[0] + far[1] - 1 <= most && far[2] + far[3] - 1 <= most;
}

int dem_fill(size_t *count, float *cell, int cols, int above, int rows, int below, int most,
             struct error *e)
{
    struct filled *new = NULL;
    int found = 0, status = 0;
    for (int i = 0; i < rows && !status; i++)
        for (int j = 0; j < cols && !status; j++) {
            struct filled one = {(size_t)i * (size_t)cols + (size_t)j, 0};
            const int room[4] = {j, cols - 1 - j, i + above, rows + below - 1 - i};
            if (cell[one.at] == DEM_NO_DATA &&
                fill_cell(&one.height, cell + one.at, cols, room, most) && !APPEND(new, found, one))
                status = error_memory(e);
        }
    for (int i = 0; i < found; i++) cell[new[i].at] = new[i].height;
    *count += (size_t)found;
    free(new);
    return status;
}
