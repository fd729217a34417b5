#include "outline.h"

#include "geojson.h"
#include "raster/raster.h"
#include "text/textfile.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON begins with a brace, which no raster does. */
static int starts_with_brace(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return 0;
    char head[64];
    const size_t size = fread(head, 1, sizeof head - 1, f);
    fclose(f);
    head[size] = '\0';
    const char *first = head + (strncmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    return first[strspn(first, " \t\r\n")] == '{';
}

/* ---- polygons ---------------------------------------------------------------------------- */

/* A grid around all polygons and the cells of the given one, of the same cells where that is not
 * too many. */
static struct georef frame_of(const struct geojson_reach *r, const struct georef *geo, int *rows,
                              int *cols)
{
    enum { CELLS_ACROSS = 2000 };
    const double cell = geo->cell_m;
    const double across = r->east_m - r->west_m, up = r->north_m - r->south_m;
    const double coarse = ceil(fmax(1, fmax(across, up) / cell / CELLS_ACROSS)) * cell;
    struct georef frame = *geo;
    frame.cell_m = coarse;
    frame.west_m += floor((r->west_m - geo->west_m) / coarse) * coarse;
    frame.south_m += floor((r->south_m - geo->south_m) / coarse) * coarse;
    *cols = (int)ceil((r->east_m - frame.west_m) / coarse) + 1;
    *rows = (int)ceil((r->north_m - frame.south_m) / coarse) + 1;
    return frame;
}

static bool is_on_grid(const struct georef *geo, int rows, int cols, double x, double y)
{
    return x >= geo->west_m && x < geo->west_m + cols * geo->cell_m && y >= geo->south_m &&
           y < geo->south_m + rows * geo->cell_m;
}

static int measure_beyond(double *beyond_m2, const struct geojson_reach *reach, const char *text,
                          const char *path, int rows, int cols, const struct georef *geo,
                          struct error *e)
{
    int wide, high;
    *beyond_m2 = 0;
    if (!(reach->west_m <= reach->east_m)) return 0;
    const struct georef frame = frame_of(reach, geo, &high, &wide);
    unsigned char *inside = calloc((size_t)high * (size_t)wide, 1);
    if (!inside) return error_failed(e, "%s: out of memory", path);
    int status = geojson_fill(inside, NULL, text, path, high, wide, &frame, e);
    for (int row = 0; row < high && !status; row++)
        for (int col = 0; col < wide; col++) {
            const double x = frame.west_m + (col + 0.5) * frame.cell_m;
            const double y = frame.south_m + (high - row - 0.5) * frame.cell_m;
            if (inside[(size_t)row * (size_t)wide + (size_t)col] &&
                !is_on_grid(geo, rows, cols, x, y))
                *beyond_m2 += frame.cell_m * frame.cell_m;
        }
    free(inside);
    return status;
}

static int fill_from_text(unsigned char *inside, double *beyond_m2, const char *path, int rows,
                          int cols, const struct georef *geo, struct error *e)
{
    struct geojson_reach reach;
    struct textfile t;
    int status = textfile_open(&t, path, e);
    if (status) return status;
    status = geojson_fill(inside, &reach, t.next, path, rows, cols, geo, e);
    if (!status && beyond_m2)
        status = measure_beyond(beyond_m2, &reach, t.next, path, rows, cols, geo, e);
    textfile_close(&t);
    return status;
}

/* ---- rasters ----------------------------------------------------------------------------- */

/* Each cell looks up what the raster has at its centre, so that the grids may differ. */
static void look_up(unsigned char *inside, const struct raster *r, int rows, int cols,
                    const struct georef *geo)
{
    const double north = geo->south_m + rows * geo->cell_m;
    const double raster_north = r->geo.south_m + r->rows * r->geo.cell_m;
    for (int row = 0; row < rows; row++) {
        const double y =
            floor((raster_north - (north - (row + 0.5) * geo->cell_m)) / r->geo.cell_m);
        if (!(y >= 0 && y < r->rows)) continue;
        for (int col = 0; col < cols; col++) {
            const double east = geo->west_m + (col + 0.5) * geo->cell_m;
            const double x = floor((east - r->geo.west_m) / r->geo.cell_m);
            if (x >= 0 && x < r->cols && r->value[(size_t)y * (size_t)r->cols + (size_t)x] > 0)
                inside[(size_t)row * (size_t)cols + (size_t)col] = 1;
        }
    }
}

static double raster_beyond_m2(const struct raster *r, int rows, int cols, const struct georef *geo)
{
    size_t count = 0;
    for (int row = 0; row < r->rows; row++)
        for (int col = 0; col < r->cols; col++) {
            const double x = r->geo.west_m + (col + 0.5) * r->geo.cell_m;
            const double y = r->geo.south_m + (r->rows - row - 0.5) * r->geo.cell_m;
            count += r->value[(size_t)row * (size_t)r->cols + (size_t)col] > 0 &&
                     !is_on_grid(geo, rows, cols, x, y);
        }
    return (double)count * r->geo.cell_m * r->geo.cell_m;
}

static int fill_from_raster(unsigned char *inside, double *beyond_m2, const char *path, int rows,
                            int cols, const struct georef *geo, struct error *e)
{
    struct raster r;
    int status = raster_read(&r, path, 0, e);
    if (status) return status;
    if (r.geo.crs.epsg && geo->crs.epsg && r.geo.crs.epsg != geo->crs.epsg)
        status = error_input(
            e, "%s: is in EPSG:%d, the grid in EPSG:%d; use " RASTER_WARP " -t_srs EPSG:%d", path,
            r.geo.crs.epsg, geo->crs.epsg, geo->crs.epsg);
    else look_up(inside, &r, rows, cols, geo);
    if (!status && beyond_m2) *beyond_m2 = raster_beyond_m2(&r, rows, cols, geo);
    raster_free(&r);
    return status;
}

/* ---- either ------------------------------------------------------------------------------ */

int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e)
{
    return outline_read_beyond(inside, NULL, path, rows, cols, geo, e);
}

int outline_read_beyond(unsigned char **inside, double *beyond_m2, const char *path, int rows,
                        int cols, const struct georef *geo, struct error *e)
{
    const size_t n = (size_t)rows * (size_t)cols;
    *inside = NULL;
    int status = textfile_check_regular(path, "a raster or GeoJSON", e);
    if (status) return status;
    *inside = calloc(n, 1);
    if (!*inside) return error_failed(e, "%s: out of memory", path);
    status = starts_with_brace(path)
                 ? fill_from_text(*inside, beyond_m2, path, rows, cols, geo, e)
                 : fill_from_raster(*inside, beyond_m2, path, rows, cols, geo, e);
    if (!status && !memchr(*inside, 1, n))
        status =
            error_input(e,
                        "%s: no cell of the grid is inside the outline; its coordinates have to "
                        "be in metres in the CRS of the DEM",
                        path);
    if (!status) return 0;
    free(*inside);
    *inside = NULL;
    return status;
}
