#define _GNU_SOURCE /* realpath */
/* qgis.c — writes a project of QGIS that opens a run, and a style for each file of the run. */
#include "gis.h"
#include "template.h"

#include "raster/projection.h"
#include "record/map_background.h"
#include "record/json_number.h"
#include "record/roundnum.h"
#include "record/zip_pack.h"
#include "text/atomic_file.h"
#include "text/textfile.h"
#include "text/times.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rasters --------------------------------------------------------------------------------- */

/* Adds the colour of a value, or of all values up to this value. */
static void add_colour(cJSON *list, struct rgb c, bool clear, double value, const char *label)
{
    char text[8];
    cJSON *o = json_add_object(list);
    template_set(o, "value", "%.9g", value);
    json_add_texts(o, {"alpha", clear ? "0" : "255"}, {"colour", colours_text(text, c)},
                   {"label", label});
}

/* A number of a legend with its unit, as text in memory that lasts to the end of the block. */
#define READING(v, step, l, s) reading((char[96]){0}, v, step, l, s)
static const char *reading(char out[96], double v, double step, const struct legend *l,
                           const struct layer_set *s)
{
    char number[32];
    words_number(roundnum_text(number, v, step), sizeof number, s->language);
    snprintf(out, 96, "%s%s%.40s", number, *l->unit ? " " : "", l->unit);
    return out;
}

/* Adds the colours at both ends of a scale and at round numbers between them. */
static void add_scale(cJSON *o, cJSON *items, const struct legend *l, const struct layer_set *s)
{
    enum { STOPS = 12 };
    struct colour_scale scale;
    const double low = l->low - l->zero, high = l->high - l->zero;
    const struct roundnum_ticks ticks = roundnum_ticks(low, high, STOPS);
    const char *first = READING(low, low != 0 ? ticks.step / 10 : 1, l, s),
               *last = READING(high, ticks.step / 10, l, s);
    colours_fill(&scale, l->colours);
    add_colour(items, colours_at(&scale, 0), false, l->low, first);
    for (int i = 0; i < ticks.count; i++) {
        const double v = (ticks.index + i) * ticks.step, share = (v - low) / (high - low);
        if (share > 1e-9 && share < 1 - 1e-9)
            add_colour(items, colours_at(&scale, share), false, v + l->zero,
                       READING(v, v != 0 ? ticks.step : 1, l, s));
    }
    add_colour(items, colours_at(&scale, 1), false, l->high, last);
    json_add_texts(cJSON_AddObjectToObject(o, "ends"), {"low", first}, {"high", last});
}

static void add_classes(cJSON *items, const struct legend *l, const struct layer_set *s)
{
    if (l->low >= 0) add_colour(items, (struct rgb){255, 255, 255}, true, l->low, "0");
    for (int i = 0; i < l->count; i++)
        add_colour(items, l->classes[i].rgb, false,
                   i + 1 < l->count ? l->classes[i].upper : INFINITY,
                   GIS_WORDS(s, l->classes[i].label));
}

/* Sets the order of the rows of a legend. A scale has one row, and classes have one row each. Omits the first row of
 * QGIS, which has the name of the raster band. */
static void set_order(cJSON *o, int rows)
{
    char order[512] = "1";
    for (size_t used = 1, i = 2; i <= (size_t)rows && used < sizeof order - 8; i++)
        used += (size_t)snprintf(order + used, sizeof order - used, ",%zu", i);
    json_add_texts(o, {"order", order});
}

static void add_raster_style(cJSON *o, const struct layer_quantity *k, const struct layer_set *s)
{
    const struct legend *l = &k->legend;
    const bool classes = k->use == LAYER_ARRIVAL || l->count;
    if (k->use == LAYER_RELIEF) {
        template_flag(o, "relief");
        return;
    }
    cJSON *colours = cJSON_AddObjectToObject(o, "colours"),
          *items = cJSON_AddArrayToObject(colours, "items");
    json_add_texts(colours, {"ramp", classes ? "DISCRETE" : "INTERPOLATED"});
    template_set(colours, "least", "%.9g", classes ? 0 : l->low);
    template_set(colours, "most", "%.9g",
                 !classes   ? l->high
                 : l->count ? l->classes[l->count - 1].upper
                            : 0);
    if (classes) add_classes(items, l, s);
    else add_scale(colours, items, l, s);
    set_order(o, classes ? cJSON_GetArraySize(items) : 1);
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* The vector files in the order of enum layer_vectors, from the top of the map down. */
static const struct shown_vector {
    const char *name, *geometry, *style;
    bool visible, in_time;
} vectors[LAYER_VECTORS] = {
    [LAYER_VENTS] = {"Vents", "Point", "vents", true, false},
    [LAYER_OUTLINE] = {"Observed outline", "Polygon", "outline", true, false},
    [LAYER_LINES] = {"Isochrones", "Line", "lines", true, true},
    [LAYER_BANDS] = {"Bands of arrival", "Polygon", "bands", false, true},
};

static void set_rgb(cJSON *o, struct rgb c)
{
    template_set(o, "rgb", "%d,%d,%d", c.r, c.g, c.b);
}

/* Styles a vector file. Each band has its colour and its label. */
static void add_vector_style(cJSON *o, int v, const struct layer_set *s)
{
    char text[32];
    cJSON *style = cJSON_AddObjectToObject(o, vectors[v].style),
          *list = cJSON_AddArrayToObject(style, "classes");
    set_rgb(style, colours_outline);
    for (int i = 0; i < s->bands.lines.count && v == LAYER_BANDS; i++) {
        cJSON *band = json_add_object(list);
        template_set(band, "band", "%d", i);
        set_rgb(band, s->bands.class[i].rgb);
        json_add_texts(band, {"value", isochrones_time_text(text, s->bands.class[i].upper)},
                       {"label", GIS_WORDS(s, s->bands.label[i])});
    }
}

/* ---- the background --------------------------------------------------------------------------- */

/* The layers of the background, which is one file: points, lines and areas, from the top of the map down. Each layer
 * has a symbol for each kind of feature. */
static const struct shape {
    int kind;
    const char *geometry, *filter, *symbol, *placement;
} shapes[] = {{MAP_POINT, "Point", "Point", "marker", "0"},
              {MAP_LINE, "Line", "LineString", "line", "2"},
              {MAP_AREA, "Polygon", "Polygon", "fill", "1"}};

/* Sets a width in mm. `width` is in 1/200 inch. */
static void set_width(cJSON *o, const char *name, double width)
{
    template_set(o, name, "%.3g", width * 25.4 / 200);
}

static void add_look(cJSON *list, const struct background_look *look, const struct shape *shape,
                     const struct layer_set *s)
{
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"kind", look->name}, {"symbol", shape->symbol},
                   {"label", words_of(look->word, s->language)},
                   {"style", look->filled ? "solid" : "no"});
    set_rgb(o, look->colour);
    set_width(o, "wide", look->width);
    set_width(o, "size", 2 * look->width);
    if (shape->kind == MAP_LINE && look->casing > 0) {
        set_width(o, "casing_wide", look->casing);
        template_set(o, "casing", "%d,%d,%d", look->ink.r, look->ink.g, look->ink.b);
    }
    template_flag(o, shape->symbol);
}

static bool is_there(const struct map_background *b, int kind, int shape)
{
    for (int i = 0; i < b->count; i++)
        if ((int)b->feature[i].kind == kind && (int)b->feature[i].shape.kind == shape) return true;
    return false;
}

/* Adds the background, if the folder has its file. */
static void add_background(cJSON *o, const struct layer_set *s)
{
    FREED char *path = text_format("%s/background.geojson", s->folder);
    if (!s->background || !path || access(path, R_OK) != 0) return;
    cJSON *list = cJSON_AddArrayToObject(cJSON_AddObjectToObject(o, "background"), "shapes");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        cJSON *classes = cJSON_CreateArray();
        for (int kind = BACKGROUND_KINDS; kind--;)
            if (is_there(s->background, kind, shapes[i].kind))
                add_look(classes, &background_looks[kind], &shapes[i], s);
        if (!cJSON_GetArraySize(classes)) {
            cJSON_Delete(classes);
            continue;
        }
        cJSON *layer = json_add_object(list);
        json_add_texts(layer, {"geometry", shapes[i].geometry}, {"filter", shapes[i].filter},
                       {"placement", shapes[i].placement});
        cJSON_AddItemToObject(cJSON_AddObjectToObject(layer, "looks"), "classes", classes);
    }
}

/* ---- styles ---------------------------------------------------------------------------------- */

int qgis_style(const char *path, const struct layer_file *file, const struct layer_set *s,
               struct error *e)
{
    const struct template t = {qgis_style_text, qgis_symbols_text, s->language};
    struct atomic_file w;
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    FREED_BY(json_free_at) cJSON *o = cJSON_CreateObject();
    json_add_texts(o, {"software", s->software});
    if (file->of) add_raster_style(o, file->of, s);
    else add_vector_style(o, file->vector, s);
    template_write(w.stream, &t, o);
    return atomic_file_finish(&w, e);
}

/* ---- the project ----------------------------------------------------------------------------- */

static void set_checked(cJSON *o, bool checked)
{
    json_add_texts(o, {"checked", checked ? "Checked" : "Unchecked"});
}

/* Adds a vector file, if the folder has it. Without a CRS that PROJ knows, the folder has no vector files. */
static void add_vector(cJSON *list, int v, const struct layer_set *s)
{
    FREED char *path = text_format("%s/%s.geojson", s->folder, layer_vectors[v]);
    if (!layer_set_has(s, (enum layer_vectors)v) || !path || access(path, R_OK) != 0) return;
    cJSON *o = json_add_object(list);
    json_add_texts(o, {"vector", layer_vectors[v]},
                   {"layer", words_of(vectors[v].name, s->language)},
                   {"geometry", vectors[v].geometry},
                   {"labels", v == LAYER_LINES ? "1" : "0"}); /* times are written along a front */
    set_checked(o, vectors[v].visible);
    if (vectors[v].visible) template_flag(o, "visible");
    if (vectors[v].in_time && s->start_time) template_flag(o, "dated");
    add_vector_style(o, v, s);
}

static void add_range(cJSON *o, const char *name, double from_s, double until_s,
                      const struct layer_set *s)
{
    char from[TIMES_TEXT], until[TIMES_TEXT];
    if (!s->start_time) return;
    json_add_texts(cJSON_AddObjectToObject(o, name),
                   {"from", times_date(from, s->start_time, from_s, TIMES_ISO)},
                   {"until", times_date(until, s->start_time, until_s, TIMES_ISO)});
}

/* Returns the time when the next layer of thickness replaces layer i. The last layer is shown for as long as the previous
 * layer. */
static double end_of(const struct layer_set *s, int i)
{
    const double now_s = s->time[i].time_s;
    if (i + 1 < s->times) return s->time[i + 1].time_s;
    return now_s + (now_s - (i ? s->time[i - 1].time_s : 0));
}

static void add_raster(cJSON *list, const struct layer_quantity *k, int time,
                       const struct layer_set *s)
{
    const bool thickness = k->use == LAYER_TIMES, relief = k->use == LAYER_RELIEF;
    const bool last = thickness && time == s->times - 1;
    const char *quantity = GIS_WORDS(s, k->about);
    char name[WORDS_TEXT];
    cJSON *o = json_add_object(list);
    template_set(o, "id", "%s%s", k->name, s->time[time].stamp);
    template_set(o, "file", "%s%s.tif", k->name, s->time[time].stamp);
    json_add_texts(o, {"quantity", quantity},
                   {"layer", relief ? quantity : gis_name(name, s, k, time)},
                   {"expanded", last ? "1" : "0"});
    set_checked(o, thickness || relief);
    if (!relief) template_flag(o, thickness ? "thickness" : "other");
    if (last) template_flag(o, "last");
    if (thickness) add_range(o, "span", s->time[time].time_s, end_of(s, time), s);
    add_raster_style(o, k, s);
}

static void add_crs(cJSON *o, const struct crs *crs)
{
    FREED char *wkt = projection_wkt(crs, PROJECTION_WKT2);
    cJSON *known = wkt || crs->epsg ? cJSON_AddObjectToObject(o, "crs") : NULL;
    if (wkt) json_add_texts(known, {"wkt", wkt});
    if (crs->epsg) template_set(known, "epsg", "%d", crs->epsg);
}

/* Sets a view with the proportions `wide` x `high`: the lava with a margin or, without lava, the whole grid. Returns the
 * width of the view in metres. */
static double set_view(cJSON *o, const struct layer_set *s, double wide, double high)
{
    struct gis_box b = gis_lava(s);
    if (!(b.x0 < b.x1)) b = gis_grid(s);
    const double unit = 0.55 * fmax((b.x1 - b.x0) / wide, (b.y1 - b.y0) / high),
                 x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
    template_set(o, "x0", "%.17g", x - unit * wide);
    template_set(o, "y0", "%.17g", y - unit * high);
    template_set(o, "x1", "%.17g", x + unit * wide);
    template_set(o, "y1", "%.17g", y + unit * high);
    return 2 * unit * wide;
}

/* Adds a page for printing, A4 landscape: title, map, legend and scale bar. */
static void add_page(cJSON *o, const struct layer_set *s)
{
    enum { MAP_WIDE = 207, MAP_HIGH = 178 };
    cJSON *page = cJSON_AddObjectToObject(o, "page");
    const double part = roundnum_below(set_view(page, s, MAP_WIDE, MAP_HIGH) / 10),
                 unit = part >= 500 ? 1000 : 1;
    template_set(page, "wide", "%d", MAP_WIDE);
    template_set(page, "high", "%d", MAP_HIGH);
    json_add_texts(page, {"unit", unit > 1 ? "km" : "m"});
    template_set(page, "unit_m", "%g", unit);
    template_set(page, "segment", "%g", part / unit);
}

/* The path from the project to the layers: "./", or "../run/" if the project is in another folder; malloc'ed. */
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

/* Describes the layers from the top of the map down: thickness at all times, the latest first; other layers at the last
 * time. */
static void describe_project(cJSON *o, const struct layer_set *s)
{
    cJSON *list = cJSON_AddArrayToObject(o, "vectors");
    for (int v = 0; v < LAYER_VECTORS; v++) add_vector(list, v, s);
    list = cJSON_AddArrayToObject(o, "rasters");
    for (int i = 0; i < s->kinds; i++)
        for (int t = s->times - 1; t >= 0; t--)
            if (t == s->times - 1 || s->kind[i].use == LAYER_TIMES)
                add_raster(list, &s->kind[i], t, s);
    add_background(o, s);
    add_crs(o, &s->geo.crs);
    set_view(cJSON_AddObjectToObject(o, "view"), s, 4, 3);
    add_range(o, "range", s->time[0].time_s, end_of(s, s->times - 1), s);
    add_page(o, s);
}

int qgis_project(const char *path, const struct layer_set *s, struct error *e)
{
    const struct template t = {qgis_project_text, qgis_symbols_text, s->language};
    struct zip_pack *zip = NULL;
    FREED char *source = find_source(path, s->folder);
    FREED_BY(json_free_at) cJSON *o = cJSON_CreateObject();
    int status = source && o ? zip_pack_open(&zip, e) : error_memory(e);
    if (!status) {
        json_add_texts(o, {"source", source});
        describe_project(o, s);
        status = gis_finish(zip, "run.qgs", &t, o, path, s, e);
    }
    zip_pack_free(zip);
    return status;
}
