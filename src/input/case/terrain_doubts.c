/* terrain_doubts.c — warnings of a DEM whose numbers are probably not the ground: zeros where its
 * source did not cover it, terraces of whole metres, a picture, a spike in one cell. */
#include "case_terrain.h"

#include "case_notes.h"

#include "raster/raster.h"

#include <math.h>
#include <stdio.h>

/* ---- zeros: gdalwarp writes them where it has no source -------------------------------------- */

struct coast {
    size_t zeros, edges, cliffs; /* cells at 0; their edges to other ones, of which cliffs */
};

static void look_at_edge(struct coast *k, double a_m, double b_m, double most_m)
{
    const double other_m = a_m == 0 ? b_m : a_m;
    if ((a_m == 0) == (b_m == 0) || isnan(other_m)) return;
    k->edges++;
    k->cliffs += fabs(other_m) > most_m;
}

void case_warn_zeros(struct sim_case *c, const double *z, struct window w, const char *path)
{
    const size_t cols = (size_t)c->problem.cols;
    /* a step down to 0 that no coast has on most of its length: 100 m, and twice as high as wide */
    const double most_m = fmax(100, 2 * c->geo.cell_m);
    struct coast k = {0};
    char sentence[1024];
    EACH_CELL(c, w, row, col, i)
    {
        k.zeros += z[i] == 0;
        if ((int)col + 1 < w.col0 + w.cols) look_at_edge(&k, z[i], z[i + 1], most_m);
        if (row + 1 < w.row0 + w.rows) look_at_edge(&k, z[i], z[i + cols], most_m);
    }
    if (2 * k.cliffs <= k.edges) return;
    snprintf(sentence, sizeof sentence,
             "%.300s: %zu cell%s at 0 m, below cliffs of more than %g m; if its source does not "
             "cover them, declare 0 as no data: gdal_edit.py -a_nodata 0 %.200s",
             path, k.zeros, k.zeros == 1 ? " is" : "s are", most_m, path);
    case_warn(c, sentence);
}

/* ---- terraces and pictures ------------------------------------------------------------------- */

/* Examples that a person wrote have fewer cells or less relief. */
#define WHOLE_CELLS_MIN    10000
#define WHOLE_RELIEF_MIN_M 10

static bool is_whole(const struct sim_case *c, const double *z, struct window w)
{
    double low = INFINITY, high = -INFINITY;
    size_t cells = 0;
    EACH_CELL(c, w, row, col, i)
    {
        if (isnan(z[i])) continue;
        if (z[i] != floor(z[i])) return false;
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
        cells++;
    }
    return cells >= WHOLE_CELLS_MIN && high - low >= WHOLE_RELIEF_MIN_M;
}

/* ---- spikes ---------------------------------------------------------------------------------- */

#define SPIKE_M 1000.0

/* Whether more than three quarters of the neighbours lie more than that below or above the cell. */
static bool is_spike(const struct sim_case *c, const double *z, struct window w, int row, int col)
{
    const int cols = c->problem.cols;
    const double here_m = z[(size_t)row * (size_t)cols + (size_t)col];
    const double most_m = fmax(SPIKE_M, 2 * c->geo.cell_m);
    int neighbours = 0, far = 0;
    for (int i = row - 1; i <= row + 1; i++)
        for (int j = col - 1; j <= col + 1; j++) {
            if (i < w.row0 || j < w.col0 || i >= w.row0 + w.rows || j >= w.col0 + w.cols ||
                (i == row && j == col))
                continue;
            const double other_m = z[(size_t)i * (size_t)cols + (size_t)j];
            neighbours += !isnan(other_m);
            far += fabs(other_m - here_m) > most_m;
        }
    return far > 0 && 4 * far > 3 * neighbours;
}

static void warn_spikes(struct sim_case *c, const double *z, struct window w, const char *path)
{
    const size_t cols = (size_t)c->problem.cols;
    size_t spikes = 0, first = 0;
    char sentence[1024];
    EACH_CELL(c, w, row, col, i)
    {
        /* most cells are like the one before */
        if (isnan(z[i]) || ((int)col > w.col0 && fabs(z[i] - z[i - 1]) <= SPIKE_M)) continue;
        if (!is_spike(c, z, w, row, (int)col)) continue;
        if (!spikes++) first = i;
    }
    if (!spikes) return;
    snprintf(sentence, sizeof sentence,
             "%.300s: %zu cell%s more than %g m above or below the neighbours, the first at row "
             "%zu, column %zu (%g m); correct the DEM, or declare the value as no data: "
             "gdal_edit.py -a_nodata %.9g %.300s",
             path, spikes, spikes == 1 ? " is" : "s are", fmax(SPIKE_M, 2 * c->geo.cell_m),
             first / cols, first % cols, z[first], z[first], path);
    case_warn(c, sentence);
}

void case_doubt_terrain(struct sim_case *c, struct window w, bool bytes, const char *path)
{
    const double *z = c->elevation_m;
    char sentence[1024];
    case_warn_zeros(c, z, w, path);
    if (bytes)
        snprintf(sentence, sizeof sentence,
                 "%.300s: has only 8 bits for each value, as a picture has; give a DEM with "
                 "heights in metres (Float32)",
                 path);
    else
        snprintf(
            sentence, sizeof sentence,
            "%.300s: has whole metres only, which make terraces on which lava stops; export it "
            "with decimals, or smooth it: " RASTER_WARP
            " -tr CELL CELL -r cubicspline in.tif out.tif",
            path);
    if (bytes || is_whole(c, z, w)) case_warn(c, sentence);
    warn_spikes(c, z, w, path);
}
