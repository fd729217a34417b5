/* export_geojson.c — isochrones, vents and the outline as GeoJSON (RFC 7946). */
#include "features.h"

#include "restart/json_number.h"
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

/* A geometry's opening bracket and closing brackets by its number in WKB. */
static void put_geometry(struct geojson *g, const struct feature *f)
{
    if (f->area) {
        put_area(g, f->area);
        return;
    }
    fputs(f->about->shape == FEATURE_POINTS ? "{\"type\":\"MultiPoint\",\"coordinates\":"
                                            : "{\"type\":\"MultiLineString\",\"coordinates\":[",
          g->f);
    for (int k = 0; k < f->paths; k++) {
        if (k) fputs(",\n", g->f);
        put_path(g, &f->path[k]);
    }
    fputs(f->about->shape == FEATURE_POINTS ? "}" : "]}", g->f);
}

static int put_feature(void *to, const struct feature *f, struct error *e)
{
    struct geojson *g = to;
    (void)e;
    fprintf(g->f, "%s\n{\"type\":\"Feature\",\"id\":%d,\"properties\":{\"id\":%d",
            g->features ? "," : "", g->features + 1, g->features + 1);
    g->features++;
    for (int i = 0; i < f->about->columns; i++) {
        const struct feature_column *c = &f->about->column[i];
        const double v = f->value[i].number;
        if (c->type == FEATURE_TEXT) put_text(g, c->name, f->value[i].text);
        else if (c->type == FEATURE_REAL) put_real(g, c->name, v);
        else if (c->type == FEATURE_WHOLE) fprintf(g->f, ",\"%s\":%.0f", c->name, v);
        else fprintf(g->f, ",\"%s\":%s", c->name, v > 0 ? "true" : "false");
    }
    fputs("},\n\"geometry\":", g->f);
    put_geometry(g, f);
    putc('}', g->f);
    return 0;
}

int export_geojson(const struct export_run *r, enum features what, const char *path,
                   struct error *e)
{
    static const char *const names[FEATURES] = {[FEATURES_BANDS] = "isochrones",
                                                [FEATURES_LINES] = "isochrone_lines",
                                                [FEATURES_VENTS] = "vents",
                                                [FEATURES_OUTLINE] = "outline"};
    struct geojson g = {.r = r, .digits = r->geo.cell_m < 1 ? 10 : 7};
    int status = atomic_file_open(&g.file, path, e);
    if (status) return status;
    g.f = g.file.stream;
    fprintf(g.f, "{\"type\":\"FeatureCollection\",\"name\":\"%s\",\"generator\":\"%s %s\"",
            names[what], EXPORT_MARK, r->version);
    put_text(&g, "case", r->c->title);
    fprintf(g.f, ",\n\"features\":[");
    status = features_visit(r, what, put_feature, &g, e);
    fputs("]}\n", g.f);
    if (!status && g.lost)
        status =
            error_failed(e, "%s: PROJ cannot transform a position to longitude and latitude", path);
    if (!status) return atomic_file_finish(&g.file, e);
    atomic_file_abandon(&g.file);
    return status;
}
