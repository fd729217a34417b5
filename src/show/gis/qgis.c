#define _GNU_SOURCE /* realpath */
/* qgis.c — a project of QGIS that opens a run, and a style for each of its files. */
#include "gis.h"
#include "template.h"

#include "raster/projection.h"
#include "record/roundnum.h"
#include "record/zip_pack.h"
#include "text/atomic_file.h"
#include "text/textfile.h"
#include "text/times.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rasters --------------------------------------------------------------------------------- */

static void put_colour(struct template *t, struct rgb c, double value, const char *label)
{
    char text[8];
    template_set(t, "alpha", "255");
    template_set(t, "colour", "%s", colours_text(text, c));
    template_set(t, "value", "%.9g", value);
    template_set(t, "label", "%s", label);
    template_put(t, "colour");
}

static void begin_colours(struct template *t, const char *ramp, double least, double most)
{
    template_set(t, "ramp", "%s", ramp);
    template_set(t, "least", "%.9g", least);
    template_set(t, "most", "%.9g", most);
    template_put(t, "colours");
}

static const char *reading(char out[96], double v, double step, const struct legend *l,
                           const char *language)
{
    char number[32];
    words_number(roundnum_text(number, v, step), sizeof number, language);
    snprintf(out, 96, "%s%s%.40s", number, *l->unit ? " " : "", l->unit);
    return out;
}

/* Colours at both ends and at round readings between them. */
static void put_scale(struct template *t, const struct legend *l)
{
    enum { STOPS = 12 };
    struct colour_scale scale;
    char text[96];
    const double low = l->low - l->zero, high = l->high - l->zero, wide = high - low;
    const struct roundnum_ticks ticks = roundnum_ticks(low, high, STOPS);
    colours_fill(&scale, l->colours);
    begin_colours(t, "INTERPOLATED", l->low, l->high);
    template_set(t, "low", "%s",
                 reading(text, low, low != 0 ? ticks.step / 10 : 1, l, t->language));
    put_colour(t, colours_at(&scale, 0), l->low, text);
    for (int i = 0; i < ticks.count; i++) {
        const double v = (ticks.index + i) * ticks.step, share = (v - low) / wide;
        if (share > 1e-9 && share < 1 - 1e-9)
            put_colour(t, colours_at(&scale, share), v + l->zero,
                       reading(text, v, v != 0 ? ticks.step : 1, l, t->language));
    }
    template_set(t, "high", "%s", reading(text, high, ticks.step / 10, l, t->language));
    put_colour(t, colours_at(&scale, 1), l->high, text);
    template_put(t, "ends of scale");
}

static void put_classes(struct template *t, const struct legend *l)
{
    begin_colours(t, "DISCRETE", 0, l->count ? l->upper[l->count - 1] : 0);
    if (l->low >= 0) { /* clear */
        template_set(t, "alpha", "0");
        template_set(t, "value", "%.9g", l->low);
        template_set(t, "colour", "#ffffff");
        template_set(t, "label", "%.9g", l->low);
        template_put(t, "colour");
    }
    for (int i = 0; i < l->count; i++)
        put_colour(t, l->classes[i].rgb, i + 1 < l->count ? l->upper[i] : INFINITY,
                   words_fill((char[WORDS_TEXT]){0}, WORDS_TEXT, l->classes[i].label, t->language));
}

static void put_raster_style(struct template *t, const struct layer_quantity *k)
{
    if (k->use == LAYER_RELIEF) {
        template_put(t, "relief");
        return;
    }
    if (k->use == LAYER_ARRIVAL || k->legend.count) put_classes(t, &k->legend);
    else put_scale(t, &k->legend);
    template_put(t, "end of colours");
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* In the order of enum layer_vectors, which is that from the top down. */
static const struct shown_vector {
    const char *name, *geometry, *style;
    bool visible, in_time;
} vectors[LAYER_VECTORS] = {
    [LAYER_VENTS] = {"Vents", "Point", "vents", true, false},
    [LAYER_OUTLINE] = {"Observed outline", "Polygon", "outline", true, false},
    [LAYER_LINES] = {"Isochrones", "Line", "lines", true, true},
    [LAYER_BANDS] = {"Bands of arrival", "Polygon", NULL, false, true},
};

static void set_rgb(struct template *t, struct rgb c)
{
    template_set(t, "rgb", "%d,%d,%d", c.r, c.g, c.b);
}

/* Bands by their label in the vector file, each in its colour. */
static void put_bands(struct template *t, const struct bands *b)
{
    char text[32];
    template_put(t, "bands");
    for (int i = 0; i < b->lines.count; i++) {
        template_set(t, "band", "%d", i);
        template_set(t, "value", "%s", isochrones_time_text(text, b->lines.at[i].time_h));
        template_set(t, "label", "%s",
                     words_fill((char[WORDS_TEXT]){0}, WORDS_TEXT, b->label[i], t->language));
        template_put(t, "band");
    }
    template_put(t, "symbols of bands");
    for (int i = 0; i < b->lines.count; i++) {
        template_set(t, "band", "%d", i);
        set_rgb(t, b->class[i].rgb);
        template_put(t, "symbol of band");
    }
    template_put(t, "end of bands");
}

static void put_vector_style(struct template *t, const struct layer_set *s, int v)
{
    set_rgb(t, colours_outline);
    if (v == LAYER_BANDS) put_bands(t, &s->bands);
    else template_put(t, vectors[v].style);
}

/* ---- styles ---------------------------------------------------------------------------------- */

static bool is_layer(const struct layer_set *s, const struct layer_quantity *k, const char *file)
{
    bool is = false;
    for (int i = 0; i < s->times && !is; i++) {
        FREED char *name = layer_set_file(s, k, i, ".qml");
        is = name && !strcmp(name, file);
    }
    return is;
}

int qgis_style(const char *path, const struct layer_set *s, struct error *e)
{
    struct atomic_file w;
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    const char *file = path_name(path);
    const size_t stem = (size_t)path_stem(file);
    FREED_BY(template_free)
    struct template t = {.f = w.stream, .text = qgis_text, .language = s->language};
    template_set(&t, "software", "%s", s->software);
    template_put(&t, "style");
    for (int i = 0; i < s->kinds; i++)
        if (is_layer(s, &s->kind[i], file)) put_raster_style(&t, &s->kind[i]);
    for (int v = 0; v < LAYER_VECTORS; v++)
        if (strlen(layer_vectors[v]) == stem && !memcmp(layer_vectors[v], file, stem))
            put_vector_style(&t, s, v);
    template_put(&t, "end");
    return atomic_file_finish(&w, e);
}

/* ---- the project: rasters and vectors -------------------------------------------------------- */

struct project {
    const struct layer_set *s;
    struct template t;
};

static void set_checked(struct project *p, bool checked)
{
    template_set(&p->t, "checked", "%s", checked ? "Checked" : "Unchecked");
}

/* False where the folder has no such file: without a CRS that PROJ knows there is none. */
static bool set_vector(struct project *p, int v)
{
    FREED char *path = text_format("%s/%s.geojson", p->s->folder, layer_vectors[v]);
    if (!layer_set_has(p->s, (enum layer_vectors)v) || !path || access(path, R_OK)) return false;
    template_set(&p->t, "vector", "%s", layer_vectors[v]);
    template_set(&p->t, "layer", "%s", words_of(vectors[v].name, p->s->language));
    template_set(&p->t, "geometry", "%s", vectors[v].geometry);
    template_set(&p->t, "labels", "%d", v == LAYER_LINES); /* the time along a front */
    set_checked(p, vectors[v].visible);
    return true;
}

static void put_vector_node(struct project *p, int v)
{
    if (set_vector(p, v)) template_put(&p->t, "vector in tree");
}

static void put_vector_layer(struct project *p, int v)
{
    if (!set_vector(p, v)) return;
    template_put(&p->t, "vector");
    if (vectors[v].in_time && p->s->start_time) template_put(&p->t, "vector in time");
    put_vector_style(&p->t, p->s, v);
    template_put(&p->t, "end of layer");
}

static void set_raster(struct project *p, const struct layer_quantity *k, int time)
{
    char name[WORDS_TEXT];
    const char *quantity = GIS_WORDS(p->s, k->about);
    FREED char *file = layer_set_file(p->s, k, time, ".tif");
    template_set(&p->t, "id", "%s%s", k->name, p->s->time[time].stamp);
    template_set(&p->t, "file", "%s", file ? file : "");
    template_set(&p->t, "quantity", "%s", quantity);
    template_set(&p->t, "layer", "%s",
                 k->use == LAYER_RELIEF ? quantity : gis_name(name, p->s, k, time));
    set_checked(p, k->use == LAYER_TIMES || k->use == LAYER_RELIEF);
}

static void put_raster_node(struct project *p, const struct layer_quantity *k, int time)
{
    set_raster(p, k, time);
    template_set(&p->t, "expanded", "%d", k->use == LAYER_TIMES && time == p->s->times - 1);
    template_put(&p->t, "raster in tree");
}

static void set_range(struct project *p, double from_s, double until_s)
{
    char date[TIMES_TEXT];
    template_set(&p->t, "from", "%s", times_date(date, p->s->start_time, from_s, TIMES_ISO));
    template_set(&p->t, "until", "%s", times_date(date, p->s->start_time, until_s, TIMES_ISO));
}

/* When a thickness is replaced by the next one; the last, as long after it as the one before. */
static double end_of(const struct layer_set *s, int i)
{
    const double now_s = s->time[i].time_s;
    if (i + 1 < s->times) return s->time[i + 1].time_s;
    return now_s + (now_s - (i ? s->time[i - 1].time_s : 0));
}

static void put_raster_layer(struct project *p, const struct layer_quantity *k, int time);

/* Each raster of a kind, the latest first, which covers the others: the thickness at all times, everything else at the last. */
static void each_time(struct project *p, const struct layer_quantity *k,
                      void (*put)(struct project *, const struct layer_quantity *, int))
{
    for (int i = p->s->times - 1; i >= 0; i--)
        if (i == p->s->times - 1 || k->use == LAYER_TIMES) put(p, k, i);
}

static void put_srs(struct project *p, const char *begin, const char *end)
{
    const struct crs *crs = &p->s->geo.crs;
    FREED char *wkt = projection_wkt(crs, PROJECTION_WKT2);
    if (!wkt && !crs->epsg) return;
    template_put(&p->t, begin);
    template_set(&p->t, "wkt", "%s", wkt ? wkt : "");
    template_set(&p->t, "epsg", "%d", crs->epsg);
    if (wkt) template_put(&p->t, "wkt");
    if (crs->epsg) template_put(&p->t, "epsg");
    template_put(&p->t, end);
}

static void put_raster_layer(struct project *p, const struct layer_quantity *k, int time)
{
    set_raster(p, k, time);
    template_put(&p->t, "raster");
    put_srs(p, "srs", "end of srs");
    if (p->s->start_time && k->use == LAYER_TIMES) { /* for the temporal controller */
        set_range(p, p->s->time[time].time_s, end_of(p->s, time));
        template_put(&p->t, "raster in time");
    }
    put_raster_style(&p->t, k);
    template_put(&p->t, "end of layer");
}

/* ---- the project ----------------------------------------------------------------------------- */

static void put_tree(struct project *p)
{
    const struct layer_set *s = p->s;
    template_put(&p->t, "group");
    for (int v = 0; v < LAYER_VECTORS; v++) put_vector_node(p, v);
    template_put(&p->t, "group of thicknesses");
    each_time(p, layer_set_find(s, LAYER_TIMES), put_raster_node);
    template_put(&p->t, "end of group");
    template_put(&p->t, "group of others");
    for (int i = 0; i < s->kinds; i++)
        if (s->kind[i].use == LAYER_LAST || s->kind[i].use == LAYER_ARRIVAL)
            each_time(p, &s->kind[i], put_raster_node);
    template_put(&p->t, "end of group");
    if (layer_set_find(s, LAYER_RELIEF))
        each_time(p, layer_set_find(s, LAYER_RELIEF), put_raster_node);
    template_put(&p->t, "end of group");
}

/* The lava with a margin, in the shape of `wide` x `high`; without lava the whole grid. */
static struct gis_box set_view(struct project *p, double wide, double high)
{
    struct gis_box b = gis_lava(p->s);
    if (!(b.x0 < b.x1)) b = gis_grid(p->s);
    const double unit = 0.55 * fmax((b.x1 - b.x0) / wide, (b.y1 - b.y0) / high),
                 x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
    template_set(&p->t, "x0", "%.17g", x - unit * wide);
    template_set(&p->t, "y0", "%.17g", y - unit * high);
    template_set(&p->t, "x1", "%.17g", x + unit * wide);
    template_set(&p->t, "y1", "%.17g", y + unit * high);
    return (struct gis_box){x - unit * wide, y - unit * high, x + unit * wide, y + unit * high};
}

/* A page to print, A4 across: title, map, legend and scale bar. */
static void put_layout(struct project *p)
{
    enum { MAP_WIDE = 207, MAP_HIGH = 178 };
    const struct gis_box b = set_view(p, MAP_WIDE, MAP_HIGH);
    const double part = roundnum_below((b.x1 - b.x0) / 10), unit = part >= 500 ? 1000 : 1;
    template_set(&p->t, "wide", "%d", MAP_WIDE);
    template_set(&p->t, "high", "%d", MAP_HIGH);
    template_put(&p->t, "layout");
    for (int v = 0; v < LAYER_VECTORS; v++)
        if (vectors[v].visible) put_vector_node(p, v);
    put_raster_node(p, layer_set_find(p->s, LAYER_TIMES), p->s->times - 1);
    template_set(&p->t, "unit", "%s", unit > 1 ? "km" : "m");
    template_set(&p->t, "unit_m", "%g", unit);
    template_set(&p->t, "segment", "%g", part / unit);
    template_put(&p->t, "end of layout");
}

static void put_project(struct project *p)
{
    const struct layer_set *s = p->s;
    template_set(&p->t, "software", "%s", s->software);
    template_set(&p->t, "title", "%s", s->title);
    template_put(&p->t, "project");
    put_srs(p, "project crs", "end of project crs");
    put_tree(p);
    set_view(p, 4, 3);
    template_put(&p->t, "canvas");
    if (s->start_time) {
        set_range(p, s->time[0].time_s, end_of(s, s->times - 1));
        template_put(&p->t, "project in time");
    }
    template_put(&p->t, "layers");
    for (int v = 0; v < LAYER_VECTORS; v++) put_vector_layer(p, v);
    for (int i = 0; i < s->kinds; i++) each_time(p, &s->kind[i], put_raster_layer);
    put_layout(p);
    template_put(&p->t, "end");
}

/* From the project to the layers: "./", or "../run/" where it is painted into another folder; malloc'ed. */
static char *find_source(const char *path, const char *folder)
{
    FREED char *beside = path_beside(path, ".");
    FREED char *here = beside ? realpath(beside, NULL) : NULL;
    FREED char *there = realpath(folder, NULL);
    if (!here || !there) return NULL;
    if (!strcmp(here, there)) return text_format("./");
    FREED char *from = path_from(here, there);
    return from ? text_format("%s/", from) : NULL;
}

/* The document, malloc'ed; NULL: out of memory. */
static char *make_project(const struct layer_set *s, const char *source, size_t *size)
{
    char *text = NULL;
    struct project p = {
        s, {.f = open_memstream(&text, size), .text = qgis_text, .language = s->language}};
    if (!p.t.f) return NULL;
    template_set(&p.t, "source", "%s", source);
    put_project(&p);
    const bool whole = fclose(p.t.f) == 0;
    template_free(&p.t);
    if (whole) return text;
    free(text);
    return NULL;
}

int qgis_project(const char *path, const struct layer_set *s, struct error *e)
{
    size_t size;
    struct zip_pack *zip;
    FREED char *source = find_source(path, s->folder);
    char *text = source ? make_project(s, source, &size) : NULL;
    int status = text ? zip_pack_open(&zip, e) : error_memory(e);
    if (status) {
        free(text);
        return status;
    }
    status = gis_finish(zip, "run.qgs", text, size, path, s, e);
    zip_pack_free(zip);
    return status;
}
