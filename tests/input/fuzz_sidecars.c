/* Any bytes as what is said of a raster, by the first of them: GDAL's XML in a tag (t), or the WKT of a CRS (w). Refused with one line, or read as texts that can be printed.
 */
#include "raster/gdal_info.h"
#include "raster/projection.h"
#include "text/scan.h"
#include "fuzz.h"

#include <math.h>

static void check_text(const char *text)
{
    if (!scan_utf8(text)) abort();
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127) abort();
}

static void check_refusal(int status, const struct error *e)
{
    if (status != ERROR_INPUT || e->code != ERROR_INPUT || strchr(e->text, '\n')) abort();
}

static void try_crs(const char *wkt)
{
    struct raster r = {
        .rows = 10, .cols = 10, .geo = {.west_m = 500000, .south_m = 4e6, .cell_m = 10}};
    struct ground_scale s;
    struct error e = {0};
    const int status = projection_read(&r.geo.crs, &r.vertical, wkt, "beside", "x.asc", &e);

    if (status) {
        check_refusal(status, &e);
        return;
    }
    check_text(r.geo.crs.name);
    check_text(r.vertical.name);
    check_text(r.vertical.unit);
    if (!(r.geo.crs.unit_m > 0) || r.vertical.unit_m < 0) abort();
    if (projection_scale(&s, &r.geo, r.rows, r.cols) && !(s.least > 0 && s.greatest >= s.least))
        abort();
}

static void try_xml(const char *xml)
{
    struct gdal_info g;
    struct error e = {0};
    const int status = gdal_info_read(&g, xml, "tag", &e);
    if (status) {
        check_refusal(status, &e);
        return;
    }
    check_text(g.unit);
    check_text(g.terrain);
    if (!isfinite(g.scale) || !isfinite(g.offset)) abort();
    struct raster r = {.vertical = {.name = "its own", .unit_m = 0.3048}};
    memcpy(r.unit, g.unit, sizeof r.unit);
    raster_to_metres(&r, NULL, "it", &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 1 << 16) return 0;
    char *text = malloc(size);
    if (!text) abort();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] == 't') try_xml(text);
    if (data[0] == 'w') try_crs(text);
    free(text);
    return 0;
}
