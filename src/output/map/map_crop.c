/* map_crop.c — the part of the domain that a map shows. */
#include "map.h"

#include <math.h>
#include <stddef.h>

enum { LEAST = 48 }; /* cells on a side: fewer would be a mosaic */

static void enclose(struct map_crop *k, int row, int first, int last)
{
    const int row1 = k->rows && k->row0 + k->rows > row + 1 ? k->row0 + k->rows : row + 1;
    const int col1 = k->rows && k->col0 + k->cols > last + 1 ? k->col0 + k->cols : last + 1;
    if (!k->rows || row < k->row0) k->row0 = row;
    if (!k->rows || first < k->col0) k->col0 = first;
    k->rows = row1 - k->row0;
    k->cols = col1 - k->col0;
}

static bool has(const double *value, const unsigned char *mask, size_t i)
{
    return mask ? mask[i] != 0 : fabs(value[i]) < 1e30;
}

static void enclose_all(struct map_crop *k, int rows, int cols, const double *value,
                        const unsigned char *mask)
{
    for (int row = 0; row < rows; row++) {
        const size_t at = (size_t)row * (size_t)cols;
        int first = 0, last = cols - 1;
        while (first < cols && !has(value, mask, at + (size_t)first)) first++;
        if (first == cols) continue;
        while (!has(value, mask, at + (size_t)last)) last--;
        enclose(k, row, first, last);
    }
}

void map_crop_mask(struct map_crop *k, int rows, int cols, const unsigned char *mask)
{
    if (mask) enclose_all(k, rows, cols, NULL, mask);
}

void map_crop_cell(struct map_crop *k, int rows, int cols, int row, int col)
{
    if (row >= 0 && col >= 0 && row < rows && col < cols) enclose(k, row, col, col);
}

static void widen(int *first, int *count, int domain)
{
    int margin = *count / 12 + 4;
    if (*count + 2 * margin < LEAST) margin = (LEAST - *count + 1) / 2;
    const int end = *first + *count + margin;
    *first = *first > margin ? *first - margin : 0;
    *count = (end < domain ? end : domain) - *first;
}

void map_crop_finish(struct map_crop *k, int rows, int cols)
{
    if (k->rows) {
        widen(&k->row0, &k->rows, rows);
        widen(&k->col0, &k->cols, cols);
    }
    if (k->rows > 0.8 * rows && k->cols > 0.8 * cols) *k = (struct map_crop){0};
}

static void enclose_places(struct map_crop *k, const struct map *m, const struct map_place *t,
                           int count)
{
    for (int i = 0; i < count; i++) {
        const double(*xy)[2] = t[i].xy;
        for (int part = 0; part < t[i].parts; xy += t[i].part_size[part++])
            for (int n = 0; n < t[i].part_size[part]; n++) {
                const double col = floor((xy[n][0] - m->geo.west_m) / m->geo.cell_m);
                const double row = m->rows - 1 - floor((xy[n][1] - m->geo.south_m) / m->geo.cell_m);
                if (fabs(row) < 1e9 && fabs(col) < 1e9)
                    map_crop_cell(k, m->rows, m->cols, (int)row, (int)col);
            }
    }
}

void map_crop_content(struct map *m)
{
    m->crop = (struct map_crop){0};
    enclose_all(&m->crop, m->rows, m->cols, m->value, NULL);
    map_crop_mask(&m->crop, m->rows, m->cols, m->mark);
    map_crop_mask(&m->crop, m->rows, m->cols, m->outline);
    enclose_places(&m->crop, m, m->places, m->place_count);
    enclose_places(&m->crop, m, m->barriers, m->barrier_count);
    map_crop_finish(&m->crop, m->rows, m->cols);
}
