/* record_frames.c — writes the cells of an animation to a GeoTIFF, and reads them. */
#include "record_fields.h"

#include "raster/geotiff.h"
#include "raster/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double NODATA = -9999;

static void fill_row(const void *frames, int row, float *out)
{
    const struct frames *f = frames;
    const struct map *m = f->map;
    const size_t cols = (size_t)m->cols;
    const int i = row / (2 * m->rows), at = row % m->rows;
    const bool ground = row / m->rows % 2;
    FREED double *room = malloc(2 * cols * sizeof *room);
    const double *before = ground && m->ground_m ? m->ground_m + (size_t)at * cols : NULL;
    if (room) f->row(f->of, i, at, room, room + cols);
    for (size_t col = 0; col < cols; col++) {
        double v = room ? room[ground ? col : cols + col] : (double)NAN;
        if (before && (float)v == (float)before[col]) v = (double)NAN;
        out[col] = (float)(isnan(v) ? NODATA : v);
    }
}

int record_frames_write(const char *path, const struct frames *f, struct error *e)
{
    struct geotiff_layer layer = {.rows = 2 * f->count * f->map->rows,
                                  .cols = f->map->cols,
                                  .geo = f->map->geo,
                                  .nodata = NODATA,
                                  .row = fill_row,
                                  .context = f};
    layer.geo.south_m -= layer.geo.cell_m * (layer.rows - f->map->rows);
    return geotiff_write(path, &layer, e);
}

/* ---- reading --------------------------------------------------------------------------------- */

struct record_frames {
    int memory; /* descriptor of frames.tif; `file` reads it by its path /proc/self/fd/N */
    struct raster_file *file;
    const struct map *map;
    double *cell; /* cells of the frame that is shown */
};

static int begin_frame(const void *reader, int i, struct error *e)
{
    const struct record_frames *r = reader;
    const struct map *m = r->map;
    const struct raster_cells to = {
        {2 * i * m->rows, 0, 2 * m->rows, m->cols}, r->cell, (size_t)m->cols};
    return raster_read_window(r->file, &to, NULL, e);
}

static void frame_row(const void *reader, int i, int row, double *elevation_m, double *value)
{
    const struct record_frames *r = reader;
    const size_t cols = (size_t)r->map->cols, at = (size_t)row * cols,
                 behind = (size_t)r->map->rows * cols;
    for (size_t col = 0; col < cols; col++) {
        const double raised = r->cell[behind + at + col];
        elevation_m[col] = isnan(raised) ? r->map->elevation_m[at + col] : raised;
        value[col] = r->cell[at + col];
    }
}

int record_frames_open(struct record_frames **reader, int file, struct frames *f, struct error *e)
{
    const size_t cells = 2 * (size_t)f->map->rows * (size_t)f->map->cols;
    struct record_frames *r = *reader = malloc(sizeof *r + cells * sizeof *r->cell);
    char path[64];
    if (!r) {
        close(file);
        return error_memory(e);
    }
    *r = (struct record_frames){file, NULL, f->map, (double *)(r + 1)};
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int status = raster_open(&r->file, path, RASTER_ANY_SIZE, NULL, e);
    const struct raster *head = status ? NULL : raster_head(r->file);
    if (head && (head->rows != 2 * f->count * (int64_t)f->map->rows || head->cols != f->map->cols))
        status = error_input(e, RECORD_FRAMES ": does not have the size of the animation");
    f->begin = begin_frame;
    f->row = frame_row;
    f->of = r;
    return status;
}

void record_frames_close(struct record_frames *r)
{
    if (!r) return;
    raster_close(r->file);
    close(r->memory);
    free(r);
}
