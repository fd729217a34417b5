/* export_geopackage.c — isochrones as a GeoPackage, in the CRS of the terrain. */
#include "export_parts.h"
#include "gdal_write.h"

#include "text/textfile.h"
#include "text/atomic_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- well-known binary ----------------------------------------------------------------------- */

enum { WKB_LINE = 2, WKB_POLYGON = 3, WKB_LINES = 5, WKB_POLYGONS = 6 };

struct wkb {
    unsigned char *data;
    size_t size, room;
    bool no_memory;
};

static void put(struct wkb *w, const void *bytes, size_t count)
{
    if (w->size + count > w->room) {
        const size_t room = 2 * (w->size + count) + 1024;
        unsigned char *more = w->no_memory ? NULL : realloc(w->data, room);
        if (!more) {
            w->no_memory = true;
            return;
        }
        w->data = more;
        w->room = room;
    }
    memcpy(w->data + w->size, bytes, count);
    w->size += count;
}

static void put_count(struct wkb *w, int count)
{
    const uint32_t n = (uint32_t)count;
    put(w, &n, sizeof n);
}

/* In the order of bytes of this machine. */
static void put_kind(struct wkb *w, int kind)
{
    const uint16_t one = 1;
    put(w, &one, 1); /* its first byte: 1 where the least comes first, as WKB has it */
    put_count(w, kind);
}

static void put_path(struct wkb *w, const struct isochrone_path *p)
{
    put_count(w, p->count + p->closed);
    put(w, p->xy, (size_t)p->count * sizeof *p->xy);
    if (p->closed) put(w, p->xy[0], sizeof *p->xy);
}

static void put_area(struct wkb *w, const struct isochrone_area *a)
{
    w->size = 0;
    put_kind(w, WKB_POLYGONS);
    put_count(w, a->count);
    for (int i = 0; i < a->count; i++) {
        put_kind(w, WKB_POLYGON);
        put_count(w, a->polygon[i].count);
        for (int k = 0; k < a->polygon[i].count; k++) put_path(w, &a->polygon[i].ring[k]);
    }
}

static void put_lines(struct wkb *w, const struct isochrone *at)
{
    w->size = 0;
    put_kind(w, WKB_LINES);
    put_count(w, at->line_count);
    for (int i = 0; i < at->line_count; i++) {
        put_kind(w, WKB_LINE);
        put_path(w, &at->line[i]);
    }
}

/* ---- layers ---------------------------------------------------------------------------------- */

enum kind { BANDS, REACHED, LINES, KINDS };
static const struct {
    const char *name, *what;
    int wkb;
} layers[KINDS] = {
    {"bands", "bands of arrival of lava", WKB_POLYGONS},
    {"reached", "all that lava had come to by a time", WKB_POLYGONS},
    {"lines", "fronts of the lava", WKB_LINES},
};

enum column { LABEL, DATE, FROM_DATE, TIME_H, FROM_H, BAND_M2, REACHED_M2, COLUMNS };
static const struct {
    const char *name;
    bool text;
} columns[COLUMNS] = {
    {"label", true},   {"date", true},     {"from_date", true},   {"time_h", false},
    {"from_h", false}, {"band_m2", false}, {"reached_m2", false},
};

static int begin_layer(struct gdal_package *p, const struct export_run *r, enum kind kind,
                       struct error *e)
{
    char what[200];
    snprintf(what, sizeof what, "%s. " EXPORT_MARK " %.60s", layers[kind].what, r->version);
    int status = gdal_package_layer(p, layers[kind].name, what, layers[kind].wkb, e);
    for (int i = 0; i < COLUMNS && !status; i++)
        status = gdal_package_column(p, columns[i].name, columns[i].text, e);
    return status;
}

static void put_values(struct gdal_package *p, const struct export_run *r,
                       const struct isochrone *at)
{
    const double cell_m2 = r->geo.cell_m * r->geo.cell_m;
    char text[32];
    gdal_package_text(p, LABEL, isochrones_time_text(text, at->time_h));
    gdal_package_text(p, DATE, export_date(text, r, at->time_h * 3600));
    gdal_package_text(p, FROM_DATE, export_date(text, r, at->from_h * 3600));
    gdal_package_real(p, TIME_H, at->time_h);
    gdal_package_real(p, FROM_H, at->from_h);
    gdal_package_real(p, BAND_M2, (double)at->band.cells * cell_m2);
    gdal_package_real(p, REACHED_M2, (double)at->raster_cells * cell_m2);
}

static int put_layer(struct gdal_package *p, const struct export_run *r, enum kind kind,
                     struct wkb *w, struct error *e)
{
    int status = begin_layer(p, r, kind, e);
    for (int i = 0; i < r->isochrones->count && !status; i++) {
        const struct isochrone *at = &r->isochrones->at[i];
        if (kind == BANDS) put_area(w, &at->band);
        else if (kind == REACHED) put_area(w, &at->reached);
        else put_lines(w, at);
        if (w->no_memory) return error_memory(e);
        if (kind == LINES ? !at->line_count : kind == BANDS && !at->band.count) continue;
        put_values(p, r, at);
        status = gdal_package_feature(p, w->data, w->size, e);
    }
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

#define DATE "2000-01-01T00:00:00.000Z"

/* The EPSG code where there is one: GIS know it by that. */
static char *crs_text(const struct crs *crs)
{
    return crs->epsg ? text_format("EPSG:%d", crs->epsg) : export_crs_wkt(crs, EXPORT_WKT2);
}

int export_geopackage(const struct export_run *r, const char *path, struct error *e)
{
    struct gdal_package *p;
    struct wkb w = {0};
    unsigned char *data = NULL;
    size_t size = 0;
    char *crs = crs_text(&r->geo.crs);
    int status = gdal_package_open(&p, path, crs, DATE, e);
    for (int kind = 0; kind < KINDS && !status; kind++)
        status = put_layer(p, r, (enum kind)kind, &w, e);
    if (!status) status = gdal_package_finish(p, &data, &size, e);
    gdal_package_free(p);
    if (!status) status = export_bytes(path, data, size, e);
    free(data);
    free(w.data);
    free(crs);
    return status;
}

/* One with a layer of nothing: without its database PROJ finds no CRS, and a GDAL may have no
 * GeoPackage. */
int export_check_geopackage(const struct sim_case *c, struct error *e)
{
    const char *name = *c->path ? c->path : c->name;
    struct gdal_package *p;
    struct error why;
    if (gdal_check(name, e)) return ERROR_INPUT;
    char *crs = crs_text(&c->geo.crs);
    int status = gdal_package_open(&p, "gpkg", crs, DATE, &why);
    if (!status) status = gdal_package_layer(p, layers[BANDS].name, "", layers[BANDS].wkb, &why);
    gdal_package_free(p);
    free(crs);
    if (!status) return 0;
    return error_input(e, "%s: %.400s; correct the installation of GDAL and PROJ, or take geojson",
                       name, why.text);
}
