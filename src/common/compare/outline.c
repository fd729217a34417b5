#include "outline.h"

#include "geojson.h"
#include "raster/raster.h"
#include "text/textfile.h"

#include <math.h>
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

static int fill_from_text(unsigned char *inside, const char *path, int rows, int cols,
                          const struct georef *geo, struct error *e)
{
    struct textfile t;
    int status = textfile_open(&t, path, e);
    if (status) return status;
    status = geojson_fill(inside, t.next, path, rows, cols, geo, e);
    textfile_close(&t);
    return status;
}

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

static int fill_from_raster(unsigned char *inside, const char *path, int rows, int cols,
                            const struct georef *geo, struct error *e)
{
    struct raster r;
    int status = raster_read(&r, path, 0, e);
    if (status) return status;
    if (r.geo.crs.epsg && geo->crs.epsg && r.geo.crs.epsg != geo->crs.epsg)
        status = error_input(
            e, "%s: is in EPSG:%d, the grid in EPSG:%d; use " RASTER_WARP " -t_srs EPSG:%d", path,
            r.geo.crs.epsg, geo->crs.epsg, geo->crs.epsg);
    else look_up(inside, &r, rows, cols, geo);
    raster_free(&r);
    return status;
}

int outline_read(unsigned char **inside, const char *path, int rows, int cols,
                 const struct georef *geo, struct error *e)
{
    const size_t n = (size_t)rows * (size_t)cols;
    *inside = NULL;
    int status = textfile_check_regular(path, "a raster or GeoJSON", e);
    if (status) return status;
    *inside = calloc(n, 1);
    if (!*inside) return error_failed(e, "%s: out of memory", path);
    status = starts_with_brace(path) ? fill_from_text(*inside, path, rows, cols, geo, e)
                                     : fill_from_raster(*inside, path, rows, cols, geo, e);
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
