/* Any text as GeoJSON, which may begin with a line `where SQL`: refused with one line, or positions and cells that are what they have to be.
 */
#include "vector/draw_cells.h"
#include "fuzz.h"

#include <math.h>

enum { ROWS = 9, COLS = 11 };

static void check(const struct vectors *v, const struct vector_grid *grid)
{
    unsigned char cell[ROWS * COLS] = {0};
    if (!v->features) abort();
    for (int i = 0; i < v->features; i++) {
        const struct vector_feature *f = &v->feature[i];
        struct cell_mask mask = cell_mask_on(cell, grid);
        if (f->count < 1 || f->first + f->count > v->parts) abort();
        cell_mask_fill(&mask, v, f);
        cell_mask_trace(&mask, v, f);
        for (int k = f->first; k < f->first + f->count; k++)
            if (v->part[k].count < 1 || v->part[k].first + v->part[k].count > v->positions) abort();
        if (vectors_value(v, i, 0) && strchr(vectors_value(v, i, 0), '\n')) abort();
    }
    for (int i = 0; i < ROWS * COLS; i++)
        if (cell[i] > 1) abort();
    for (int i = 0; i < v->positions; i++)
        if (!(fabs(v->xy[i][0]) <= 1e9 && fabs(v->xy[i][1]) <= 1e9)) abort();
    const double lost = vectors_lost_share(&v->about);
    if (!(lost >= 0 && lost <= 1)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const wanted[] = {"name", "vent", NULL};
    const struct georef geo = {
        .west_m = 1000, .south_m = 2000, .cell_m = 10, .crs = {.epsg = 32633, .unit_m = 1}};
    const struct vector_grid grid = {ROWS, COLS, &geo};
    struct vectors v;
    struct error e = {0};
    char path[FUZZ_PATH + 280];
    const uint8_t *line = size && *data == 'w' ? memchr(data, '\n', size) : NULL;
    const size_t first = line ? (size_t)(line - data) : 0;
    const int file = fuzz_file(path, data + first, size - first);
    if (first < 255)
        snprintf(path + strlen(path), 280, "%s%.*s", line ? " " : "", (int)first,
                 (const char *)data);
    if (vectors_read(&v, path, &grid, VECTORS_TAKE_ALL, wanted, &e)) {
        if (e.code != ERROR_INPUT || strchr(e.text, '\n') || v.feature) abort();
    } else {
        check(&v, &grid);
    }
    vectors_free(&v);
    close(file);
    return 0;
}
