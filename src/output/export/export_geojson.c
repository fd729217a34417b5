/* export_geojson.c — isochrones, vents and the outline as GeoJSON (RFC 7946). */
#include "export_parts.h"

#include "sim/vent.h"
#include "text/json_clean.h"
#include "text/atomic_file.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

struct geojson {
    const struct export_run *r;
    struct atomic_file file;
    FILE *f;
    int digits; /* of degrees: about a hundredth of a metre, of small cells less */
    int features;
    bool lost; /* a position has no longitude and latitude */
};

/* ---- numbers and texts ----------------------------------------------------------------------- */

static void put_degrees(struct geojson *g, double degrees)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%.*f", g->digits, degrees);
    while (text[n - 1] == '0') n--;
    if (text[n - 1] == '.') n--;
    fwrite(text, 1, (size_t)n, g->f);
}

static void put_position(struct geojson *g, const double xy[2])
{
    double there[2] = {xy[0], xy[1]};
    if (!transform_back(g->r->transform, there)) g->lost = true;
    putc('[', g->f);
    put_degrees(g, there[0]);
    putc(',', g->f);
    put_degrees(g, there[1]);
    putc(']', g->f);
}

static void put_path(struct geojson *g, const struct isochrone_path *p)
{
    putc('[', g->f);
    for (int i = 0; i < p->count + p->closed; i++) {
        if (i) putc(',', g->f);
        put_position(g, p->xy[i % p->count]);
    }
    putc(']', g->f);
}

static void put_area(struct geojson *g, const struct isochrone_area *a)
{
    fputs("{\"type\":\"MultiPolygon\",\"coordinates\":[", g->f);
    for (int i = 0; i < a->count; i++) {
        fputs(i ? ",\n[" : "[", g->f);
        for (int k = 0; k < a->polygon[i].count; k++) {
            if (k) putc(',', g->f);
            put_path(g, &a->polygon[i].ring[k]);
        }
        putc(']', g->f);
    }
    fputs("]}", g->f);
}

/* ,"name":"..."; nothing for an empty text */
static void put_text(struct geojson *g, const char *name, const char *text)
{
    cJSON *string = *text ? cJSON_CreateString(text) : NULL;
    json_clean(string);
    char *printed = string ? cJSON_PrintUnformatted(string) : NULL;
    if (printed) fprintf(g->f, ",\"%s\":%s", name, printed);
    free(printed);
    cJSON_Delete(string);
}

static void put_real(struct geojson *g, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.10g", value);
    fprintf(g->f, ",\"%s\":%s%s", name, text, strpbrk(text, ".e") ? "" : ".0"); /* always real */
}

/* ---- files ----------------------------------------------------------------------------------- */

static int open_file(struct geojson *g, const struct export_run *r, const char *path,
                     const char *name, struct error *e)
{
    *g = (struct geojson){.r = r, .digits = r->geo.cell_m < 1 ? 10 : 7};
    const int status = atomic_file_open(&g->file, path, e);
    if (status) return status;
    g->f = g->file.stream;
    fprintf(g->f, "{\"type\":\"FeatureCollection\",\"name\":\"%s\",\"generator\":\"%s %s\"", name,
            EXPORT_MARK, r->version);
    put_text(g, "case", r->c->title);
    fprintf(g->f, ",\n\"features\":[");
    return 0;
}

static int close_file(struct geojson *g, struct error *e)
{
    fputs("]}\n", g->f);
    if (!g->lost) return atomic_file_finish(&g->file, e);
    const int status =
        error_failed(e, "%s: PROJ finds no longitude and latitude for a position", g->file.path);
    atomic_file_abandon(&g->file);
    return status;
}

/* The first property comes after this one. */
static void begin_feature(struct geojson *g)
{
    fprintf(g->f, "%s\n{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"id\":%d",
            g->features ? "," : "", g->features + 1, g->features + 1);
    g->features++;
}

static void begin_isochrone(struct geojson *g, const struct isochrone *at)
{
    char text[32];
    begin_feature(g);
    put_text(g, "label", isochrones_time_text(text, at->time_h));
    put_real(g, "time_h", at->time_h);
    put_text(g, "date", export_date(text, g->r, at->time_h * 3600));
}

static const char *const before_geometry = "},\n\"geometry\":";

int export_bands(const struct export_run *r, const char *path, struct error *e)
{
    const double cell_m2 = r->geo.cell_m * r->geo.cell_m;
    struct geojson g;
    int status = open_file(&g, r, path, "isochrones", e);
    if (status) return status;
    for (int i = 0; i < r->isochrones->count; i++) {
        const struct isochrone *at = &r->isochrones->at[i];
        char text[32];
        if (!at->band.count) continue;
        begin_isochrone(&g, at);
        put_real(&g, "from_h", at->from_h);
        put_text(&g, "from_date", export_date(text, r, at->from_h * 3600));
        put_real(&g, "band_m2", (double)at->band.cells * cell_m2);
        put_real(&g, "reached_m2", (double)at->raster_cells * cell_m2);
        fputs(before_geometry, g.f);
        put_area(&g, &at->band);
        putc('}', g.f);
    }
    return close_file(&g, e);
}

int export_fronts(const struct export_run *r, const char *path, struct error *e)
{
    struct geojson g;
    int status = open_file(&g, r, path, "isochrone_lines", e);
    if (status) return status;
    for (int i = 0; i < r->isochrones->count; i++) {
        const struct isochrone *at = &r->isochrones->at[i];
        if (!at->line_count) continue;
        begin_isochrone(&g, at);
        fprintf(g.f, ",\"outline\":%s%s{\"type\":\"MultiLineString\",\"coordinates\":[",
                i == r->isochrones->count - 1 ? "true" : "false", before_geometry);
        for (int k = 0; k < at->line_count; k++) {
            if (k) fputs(",\n", g.f);
            put_path(&g, &at->line[k]);
        }
        fputs("]}}", g.f);
    }
    return close_file(&g, e);
}

/* ---- vents ----------------------------------------------------------------------------------- */

/* The cells of a fissure are one vent. */
static void put_vent(struct geojson *g, int id)
{
    const struct problem *p = &g->r->c->problem;
    const struct georef *geo = &g->r->c->geo;
    double volume_m = 0;
    int cells = 0;
    begin_feature(g);
    for (int v = 0; v < p->vent_count; v++) {
        if (p->vents[v].id != id) continue;
        volume_m += vent_sum_m(&p->vents[v], p->first_step + 1, g->r->step[g->r->step_count - 1]);
        cells++;
    }
    fprintf(g->f, ",\"vent\":%d,\"cells\":%d", id, cells);
    put_real(g, "emitted_m3", volume_m * geo->cell_m * geo->cell_m);
    fprintf(g->f, "%s{\"type\":\"MultiPoint\",\"coordinates\":[", before_geometry);
    for (int v = 0, put = 0; v < p->vent_count; v++) {
        if (p->vents[v].id != id) continue;
        const double xy[2] = {geo->west_m + (p->vents[v].col + 0.5) * geo->cell_m,
                              geo->south_m + (p->rows - p->vents[v].row - 0.5) * geo->cell_m};
        if (put++) putc(',', g->f);
        put_position(g, xy);
    }
    fputs("]}}", g->f);
}

int export_vents(const struct export_run *r, const char *path, struct error *e)
{
    struct geojson g;
    int status = open_file(&g, r, path, "vents", e);
    if (status) return status;
    for (int v = 0; v < r->c->problem.vent_count; v++)
        if (export_vent_is_first(&r->c->problem, v)) put_vent(&g, r->c->problem.vents[v].id);
    return close_file(&g, e);
}

/* ---- the outline ----------------------------------------------------------------------------- */

int export_outline(const struct export_run *r, const char *path, struct error *e)
{
    struct isochrones outline;
    struct geojson g;
    int status = export_outline_area(&outline, r, e);
    if (status) return status;
    status = open_file(&g, r, path, "outline", e);
    if (!status) {
        if (outline.count) {
            begin_feature(&g);
            put_real(&g, "area_m2",
                     (double)outline.at[0].raster_cells * r->c->geo.cell_m * r->c->geo.cell_m);
            fputs(before_geometry, g.f);
            put_area(&g, &outline.at[0].reached);
            putc('}', g.f);
        }
        status = close_file(&g, e);
    }
    isochrones_free(&outline);
    return status;
}
