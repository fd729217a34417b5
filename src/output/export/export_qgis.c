/* export_qgis.c — a project of QGIS that opens a run, and a style for each of its files. */
#include "export.h"

#include "record/colours.h"
#include "record/roundnum.h"
#include "record/zip_pack.h"
#include "model/params.h"
#include "text/atomic_file.h"
#include "text/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rasters --------------------------------------------------------------------------------- */

enum { STOPS = 12 };
#define OPACITY 0.85

static void put_item(FILE *f, struct rgb c, const char *value, const char *label)
{
    fprintf(f, "<item alpha=\"255\" value=\"%s\" color=\"#%02x%02x%02x\" label=\"%s\"/>\n", value,
            c.r, c.g, c.b, label);
}

static void begin_shader(FILE *f, const char *ramp, double least, double most)
{
    fprintf(f,
            "<pipe>\n<rasterrenderer type=\"singlebandpseudocolor\" band=\"1\" opacity=\"%g\" "
            "alphaBand=\"-1\" nodataColor=\"\" classificationMin=\"%.9g\" "
            "classificationMax=\"%.9g\">\n<rasterTransparency/>\n<rastershader>\n"
            "<colorrampshader colorRampType=\"%s\" classificationMode=\"1\" clip=\"0\" "
            "minimumValue=\"%.9g\" maximumValue=\"%.9g\">\n",
            OPACITY, least, most, ramp, least, most);
}

static void end_shader(FILE *f)
{
    fputs("</colorrampshader>\n</rastershader>\n</rasterrenderer>\n</pipe>\n", f);
}

/* The values of a layer, from which people read `value - zero` in that unit. */
struct reading {
    double zero;
    const char *unit;
};

/* Colours at both ends and at round readings between them. */
static void put_scale(FILE *f, const struct colour_scale *scale, double least, double most,
                      struct reading as)
{
    const struct roundnum_ticks ticks = roundnum_ticks(least - as.zero, most - as.zero, STOPS);
    char value[32], label[64], number[32], end[2][64];
    begin_shader(f, "INTERPOLATED", least, most);
    for (int i = -1; i <= ticks.count; i++) {
        const bool is_end = i < 0 || i == ticks.count;
        const double at = i < 0              ? least - as.zero
                          : i == ticks.count ? most - as.zero
                                             : (double)(ticks.index + i) * ticks.step,
                     t = (at + as.zero - least) / (most - least);
        snprintf(label, sizeof label, "%s %s",
                 roundnum_text(number, at,
                               !at      ? 1
                               : is_end ? ticks.step / 10
                                        : ticks.step),
                 as.unit);
        if (is_end) memcpy(end[i >= 0], label, sizeof label);
        else if (!(t > 1e-9 && t < 1 - 1e-9)) continue;
        snprintf(value, sizeof value, "%.9g", at + as.zero);
        put_item(f, colours_at(scale, t), value, label);
    }
    fprintf(f,
            "<rampLegendSettings useContinuousLegend=\"1\" orientation=\"2\" direction=\"0\" "
            "prefix=\"\" suffix=\"\" minimumLabel=\"%s\" maximumLabel=\"%s\"/>\n",
            end[0], end[1]);
    end_shader(f);
}

/* In bands, as the isochrones are. */
static void put_arrival(FILE *f, const struct export_run *r)
{
    const int count = r->isochrones->count;
    char value[32], label[64], time[32];
    begin_shader(f, "DISCRETE", 0, count ? r->isochrones->at[count - 1].time_h : 0);
    for (int i = 0; i < count; i++) {
        snprintf(value, sizeof value, "%.9g", r->isochrones->at[i].time_h);
        snprintf(label, sizeof label, "by %s",
                 isochrones_time_text(time, r->isochrones->at[i].time_h));
        put_item(f, export_band_colour(r, i), i + 1 < count ? value : "inf", label);
    }
    end_shader(f);
}

/* The same with these colours. */
static void qgis_coloured(FILE *f, const struct legend *c)
{
    char value[32];
    if (!c->count) {
        put_scale(f, c->scale, c->low, c->high, (struct reading){0, c->unit});
        return;
    }
    begin_shader(f, "DISCRETE", 0, c->class[c->count - 1].upper);
    fputs("<item alpha=\"0\" value=\"0\" color=\"#ffffff\" label=\"0\"/>\n", f);
    for (int i = 0; i < c->count; i++) {
        snprintf(value, sizeof value, "%.9g", c->class[i].upper);
        put_item(f, c->class[i].colour, i + 1 < c->count ? value : "inf", c->class[i].label);
    }
    end_shader(f);
}

static void put_relief(FILE *f)
{
    fputs("<pipe>\n<rasterrenderer type=\"hillshade\" band=\"1\" opacity=\"1\" alphaBand=\"-1\" "
          "nodataColor=\"\" azimuth=\"315\" angle=\"45\" zfactor=\"1\" multidirection=\"0\">\n"
          "<rasterTransparency/>\n</rasterrenderer>\n"
          "<brightnesscontrast brightness=\"30\" contrast=\"-10\" gamma=\"1\"/>\n"
          "<rasterresampler zoomedInResampler=\"bilinear\" zoomedOutResampler=\"bilinear\" "
          "maxOversampling=\"2\"/>\n</pipe>\n",
          f);
}

/* A <pipe> for the raster with that prefix. */
static void qgis_raster(FILE *f, const struct export_run *r, const char *prefix)
{
    const struct params *p = &r->c->problem.params;
    if (!strcmp(prefix, "elevation_after_m")) put_relief(f);
    else if (!strcmp(prefix, "arrival_h")) put_arrival(f, r);
    else if (strstr(prefix, "temperature_K"))
        put_scale(f, &r->scale[COLOURS_HEAT], p->temp_sol_K, p->temp_vent_K,
                  (struct reading){273.15, "\xC2\xB0"
                                           "C"});
    else
        put_scale(f, &r->scale[COLOURS_LAVA], r->scale_low_m, r->scale_high_m,
                  (struct reading){0, "m"});
}

/* ---- vectors --------------------------------------------------------------------------------- */

static void begin_symbol(FILE *f, const char *type, int name, const char *class)
{
    fprintf(f,
            "<symbol type=\"%s\" name=\"%d\" alpha=\"1\" clip_to_extent=\"1\" force_rhr=\"0\">\n"
            "<layer class=\"%s\" enabled=\"1\" pass=\"0\" locked=\"0\">\n",
            type, name, class);
}

static void end_symbol(FILE *f)
{
    fputs("</layer>\n</symbol>\n", f);
}

/* Keys and values, each key before its value. */
#define put_properties(f, ...) put_property_list(f, (const char *const[]){__VA_ARGS__, NULL})
static void put_property_list(FILE *f, const char *const *p)
{
    for (; *p; p += 2) fprintf(f, "<prop k=\"%s\" v=\"%s\"/>\n", p[0], p[1]);
}

static void put_colour(FILE *f, const char *key, struct rgb c, int alpha)
{
    fprintf(f, "<prop k=\"%s\" v=\"%d,%d,%d,%d\"/>\n", key, c.r, c.g, c.b, alpha);
}

static void put_fill(FILE *f, int name, struct rgb c)
{
    begin_symbol(f, "fill", name, "SimpleFill");
    put_colour(f, "color", c, 200);
    put_properties(f, "style", "solid", "outline_color", "40,20,20,255", "outline_style", "solid",
                   "outline_width", "0.2", "outline_width_unit", "MM");
    end_symbol(f);
}

static void put_stroke(FILE *f, struct rgb c, const char *width)
{
    put_colour(f, "line_color", c, 255);
    put_properties(f, "line_style", "solid", "line_width", width, "line_width_unit", "MM",
                   "joinstyle", "round", "capstyle", "round");
}

/* On a pale edge: visible on lava and on relief. */
static void put_line(FILE *f, const char *type, struct rgb colour, const char *width,
                     const char *edge)
{
    begin_symbol(f, type, 0, "SimpleLine");
    put_stroke(f, (struct rgb){255, 255, 255}, edge);
    fputs("</layer>\n<layer class=\"SimpleLine\" enabled=\"1\" pass=\"0\" locked=\"0\">\n", f);
    put_stroke(f, colour, width);
    end_symbol(f);
}

/* Bands by their label, each in its colour. */
static void put_bands(FILE *f, const struct export_run *r)
{
    char text[32];
    fputs("<renderer-v2 type=\"categorizedSymbol\" attr=\"label\" symbollevels=\"0\" "
          "enableorderby=\"0\" forceraster=\"0\">\n<categories>\n",
          f);
    for (int i = 0; i < r->isochrones->count; i++) {
        isochrones_time_text(text, r->isochrones->at[i].time_h);
        fprintf(f, "<category symbol=\"%d\" value=\"%s\" label=\"by %s\" render=\"true\"/>\n", i,
                text, text);
    }
    fputs("</categories>\n<symbols>\n", f);
    for (int i = 0; i < r->isochrones->count; i++) put_fill(f, i, export_band_colour(r, i));
    fputs("</symbols>\n</renderer-v2>\n", f);
}

static void put_labels(FILE *f)
{
    fputs(
        "<labeling type=\"simple\">\n<settings calloutType=\"simple\">\n"
        "<text-style fieldName=\"label\" isExpression=\"0\" fontSize=\"8\" fontSizeUnit=\"Point\" "
        "textColor=\"40,20,20,255\" fontWeight=\"50\" namedStyle=\"Regular\">\n"
        "<text-buffer bufferDraw=\"1\" bufferSize=\"0.8\" bufferSizeUnits=\"MM\" "
        "bufferColor=\"255,255,255,200\"/>\n</text-style>\n"
        "<placement placement=\"2\" placementFlags=\"9\"/>\n"
        "<rendering labelPerPart=\"0\" drawLabels=\"1\"/>\n</settings>\n</labeling>\n",
        f);
}

static void put_vent(FILE *f)
{
    begin_symbol(f, "marker", 0, "SimpleMarker");
    put_properties(f, "name", "triangle", "color", "255,255,255,255", "outline_color",
                   "150,0,0,255", "outline_width", "0.5", "outline_width_unit", "MM", "size", "3",
                   "size_unit", "MM");
    end_symbol(f);
}

/* Of the vector layers: a <renderer-v2> and what goes with it. */
static void qgis_vector(FILE *f, const struct export_run *r, enum features what)
{
    if (what == FEATURES_BANDS) {
        put_bands(f, r);
        return;
    }
    fputs("<renderer-v2 type=\"singleSymbol\" symbollevels=\"0\" enableorderby=\"0\" "
          "forceraster=\"0\">\n<symbols>\n",
          f);
    if (what == FEATURES_LINES) put_line(f, "line", (struct rgb){40, 20, 20}, "0.3", "0.7");
    if (what == FEATURES_VENTS) put_vent(f);
    if (what == FEATURES_OUTLINE) put_line(f, "fill", colours_outline, "0.5", "1.1");
    fputs("</symbols>\n</renderer-v2>\n", f);
    if (what == FEATURES_LINES) put_labels(f); /* the time along a front */
}

/* ---- the project ----------------------------------------------------------------------------- */

static const char *const doctype = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n";

/* ---- styles ---------------------------------------------------------------------------------- */

/* Of a layer with these colours, of the layer with that prefix, or of vectors. */
struct style {
    const struct legend *colours;
    const char *prefix;
    enum features what;
    const struct export_run *r;
};

static int write_style(const struct style *s, const char *version, const char *path,
                       struct error *e)
{
    struct atomic_file w;
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    fprintf(w.stream,
            "%s<!-- %s %s -->\n<qgis version=\"3.22.0\" styleCategories=\"Symbology|Labeling\">\n",
            doctype, EXPORT_MARK, version);
    if (s->colours) qgis_coloured(w.stream, s->colours);
    else if (s->prefix) qgis_raster(w.stream, s->r, s->prefix);
    else qgis_vector(w.stream, s->r, s->what);
    fputs("</qgis>\n", w.stream);
    return atomic_file_finish(&w, e);
}

int export_layer_style(const struct legend *c, const char *version, const char *path,
                       struct error *e)
{
    return write_style(&(struct style){.colours = c}, version, path, e);
}

int export_raster_style(const struct export_run *r, const char *prefix, const char *path,
                        struct error *e)
{
    return write_style(&(struct style){.prefix = prefix, .r = r}, r->version, path, e);
}

int export_style(const struct export_run *r, enum features what, const char *path, struct error *e)
{
    return write_style(&(struct style){.what = what, .r = r}, r->version, path, e);
}

/* ---- what a project shows -------------------------------------------------------------------- */

/* From the top down. */
static const struct shown_vector {
    enum features what;
    const char *id, *name, *file, *geometry;
    bool visible, in_time;
} vectors[] = {
    {FEATURES_VENTS, "layer_vents_1", "Vents", "vents.geojson", "Point", true, false},
    {FEATURES_OUTLINE, "layer_outline_1", "Observed outline", "outline.geojson", "Polygon", true,
     false},
    {FEATURES_LINES, "layer_lines_1", "Isochrones", "isochrone_lines.geojson", "Line", true, true},
    {FEATURES_BANDS, "layer_bands_1", "Bands of arrival", "isochrones.geojson", "Polygon", false,
     true},
};

static const struct shown_raster {
    const char *prefix, *name;
} rasters[] = {
    {"total_thickness_m", "Thickness of the lava"},
    {"arrival_h", "Time of arrival"},
    {"median_thickness_m", "Thickness, medians of 3 x 3 cells"},
    {"max_thickness_m", "Largest thickness"},
    {"thickness_m", "Mobile lava"},
    {"solidified_m", "Solidified lava"},
    {"temperature_K", "Temperature"},
    {"max_temperature_K", "Largest temperature"},
    {"elevation_after_m", "Terrain"},
};
enum {
    SHOWN_VECTORS = sizeof vectors / sizeof *vectors,
    SHOWN_RASTERS = sizeof rasters / sizeof *rasters
};

struct project {
    const struct export_run *r;
    FILE *f;
    char *srs;    /* XML of the CRS of the terrain; "": none */
    bool geojson; /* the vector files are there */
};

static bool is_there(const struct project *p, const struct shown_vector *v)
{
    return p->geojson && features_there(p->r, v->what);
}

/* The thickness is shown at all times, everything else at the last. */
static bool at_all_times(const struct shown_raster *s)
{
    return s == &rasters[0];
}

static bool is_relief(const struct shown_raster *s)
{
    return s == &rasters[SHOWN_RASTERS - 1];
}

static void put_raster_id(const struct project *p, const struct shown_raster *s, int64_t step)
{
    fprintf(p->f, "%s_%06lld", s->prefix, (long long)step);
}

static void put_raster_name(const struct project *p, const struct shown_raster *s, int64_t step)
{
    const double time_s = export_time_s(p->r, step);
    char text[32], date[TIMES_TEXT];
    times_date(date, p->r->c->start_time, time_s, TIMES_SAID);
    if (is_relief(s)) fputs(s->name, p->f);
    else fprintf(p->f, "%s, %s", s->name, *date ? date : isochrones_time_text(text, time_s / 3600));
}

static void put_raster_file(const struct project *p, const struct shown_raster *s, int64_t step)
{
    FREED char *name = export_layer_name(p->r->c, s->prefix, step, ".tif");
    if (name) fprintf(p->f, "./%s", name);
}

/* Calls `put` for each raster of a kind, the latest first, which covers the others. */
static void each_step(const struct project *p, const struct shown_raster *s,
                      void (*put)(const struct project *, const struct shown_raster *, int64_t))
{
    const int last = p->r->step_count - 1;
    for (int i = last; i >= 0; i--)
        if (i == last || at_all_times(s)) put(p, s, p->r->step[i]);
}

/* ---- the tree -------------------------------------------------------------------------------- */

static void put_raster_node(const struct project *p, const struct shown_raster *s, int64_t step)
{
    const bool last = step == p->r->step[p->r->step_count - 1];
    const bool visible = at_all_times(s) || is_relief(s);
    fputs("<layer-tree-layer id=\"", p->f);
    put_raster_id(p, s, step);
    fputs("\" name=\"", p->f);
    put_raster_name(p, s, step);
    fputs("\" source=\"", p->f);
    put_raster_file(p, s, step);
    fprintf(p->f, "\" providerKey=\"gdal\" checked=\"Qt::%s\" expanded=\"%d\">\n",
            visible ? "Checked" : "Unchecked", last && at_all_times(s));
    /* in a legend: its name without the time, and no line for the band */
    fprintf(p->f,
            "<customproperties><Option type=\"Map\"><Option type=\"QString\" "
            "name=\"legend/title-label\" value=\"%s\"/><Option type=\"QString\" "
            "name=\"legend/node-order\" value=\"1\"/></Option></customproperties>\n"
            "</layer-tree-layer>\n",
            s->name);
}

static void begin_group(const struct project *p, const char *name, bool checked)
{
    fprintf(p->f, "<layer-tree-group name=\"%s\" checked=\"Qt::%s\" expanded=\"1\">\n", name,
            checked ? "Checked" : "Unchecked");
}

static void put_vector_node(const struct project *p, const struct shown_vector *v)
{
    if (!is_there(p, v)) return;
    fprintf(p->f,
            "<layer-tree-layer id=\"%s\" name=\"%s\" source=\"./%s\" providerKey=\"ogr\" "
            "checked=\"Qt::%s\" expanded=\"0\"/>\n",
            v->id, v->name, v->file, v->visible ? "Checked" : "Unchecked");
}

static void put_tree(const struct project *p)
{
    fputs("<layer-tree-group>\n", p->f);
    for (int i = 0; i < SHOWN_VECTORS; i++) put_vector_node(p, &vectors[i]);
    begin_group(p, "Thickness of the lava", true);
    each_step(p, &rasters[0], put_raster_node);
    fputs("</layer-tree-group>\n", p->f);
    begin_group(p, "Other layers", true);
    for (int i = 1; i < SHOWN_RASTERS - 1; i++) each_step(p, &rasters[i], put_raster_node);
    fputs("</layer-tree-group>\n", p->f);
    each_step(p, &rasters[SHOWN_RASTERS - 1], put_raster_node);
    fputs("</layer-tree-group>\n", p->f);
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* The lava with a margin, in the shape of `wide` x `high`; without lava the whole grid. */
static struct overlay_box view_of(const struct project *p, double wide, double high)
{
    const struct georef *g = &p->r->geo;
    struct overlay_box b = overlay_around_lava(p->r);
    if (!(b.x0 < b.x1))
        b = (struct overlay_box){g->west_m, g->south_m, g->west_m + p->r->cols * g->cell_m,
                                 g->south_m + p->r->rows * g->cell_m};
    const double unit = 0.55 * fmax((b.x1 - b.x0) / wide, (b.y1 - b.y0) / high);
    const double x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
    return (struct overlay_box){x - unit * wide, y - unit * high, x + unit * wide, y + unit * high};
}

static void put_range(const struct project *p, int64_t from, int64_t until)
{
    char begin[TIMES_TEXT], end[TIMES_TEXT];
    fprintf(p->f, "<start>%s</start><end>%s</end>",
            export_date(begin, p->r, export_time_s(p->r, from)),
            export_date(end, p->r, export_time_s(p->r, until)));
}

/* When a thickness is replaced by the next one; the last, as long after it as the one before. */
static int64_t next_step(const struct export_run *r, int i)
{
    if (i + 1 < r->step_count) return r->step[i + 1];
    return r->step[i] + (r->step[i] - (i ? r->step[i - 1] : 0));
}

/* For the temporal controller: each thickness from its time until the time of the next. */
static void put_times(const struct project *p, const struct shown_raster *s, int64_t step)
{
    int i = 0;
    if (!*p->r->c->start_time || !at_all_times(s)) return;
    while (p->r->step[i] != step) i++;
    fputs("<temporal enabled=\"1\" mode=\"0\" fetchMode=\"0\"><fixedRange>", p->f);
    put_range(p, step, next_step(p->r, i));
    fputs("</fixedRange></temporal>\n", p->f);
}

static void put_raster_layer(const struct project *p, const struct shown_raster *s, int64_t step)
{
    fputs("<maplayer type=\"raster\" hasScaleBasedVisibilityFlag=\"0\">\n<id>", p->f);
    put_raster_id(p, s, step);
    fputs("</id>\n<datasource>", p->f);
    put_raster_file(p, s, step);
    fputs("</datasource>\n<layername>", p->f);
    put_raster_name(p, s, step);
    fprintf(p->f, "</layername>\n%s<provider>gdal</provider>\n", p->srs);
    put_times(p, s, step);
    qgis_raster(p->f, p->r, s->prefix);
    fputs("</maplayer>\n", p->f);
}

/* (QGIS needs the definition; a code alone is not enough) */
static const char *const degrees =
    "<srs><spatialrefsys><wkt>GEOGCRS[&quot;WGS 84&quot;,DATUM[&quot;World Geodetic System "
    "1984&quot;,ELLIPSOID[&quot;WGS "
    "84&quot;,6378137,298.257223563]],CS[ellipsoidal,2],AXIS[&quot;latitude&quot;,north],AXIS[&"
    "quot;longitude&quot;,east],ANGLEUNIT[&quot;degree&quot;,0.0174532925199433],ID[&quot;EPSG&"
    "quot;,4326]]</wkt><authid>EPSG:4326</authid></spatialrefsys></srs>\n";

static void put_vector_layer(const struct project *p, const struct shown_vector *v)
{
    fprintf(p->f,
            "<maplayer type=\"vector\" geometry=\"%s\" hasScaleBasedVisibilityFlag=\"0\" "
            "labelsEnabled=\"%d\">\n<id>%s</id>\n<datasource>./%s</datasource>\n"
            "<layername>%s</layername>\n%s<provider encoding=\"UTF-8\">ogr</provider>\n",
            v->geometry, v->what == FEATURES_LINES, v->id, v->file, v->name, degrees);
    if (v->in_time && *p->r->c->start_time) /* from its date on: mode 1, accumulated */
        fputs("<temporal enabled=\"1\" mode=\"1\" startField=\"date\" endField=\"\" "
              "accumulate=\"1\" fixedDuration=\"0\" durationUnit=\"min\" limitMode=\"0\"/>\n",
              p->f);
    qgis_vector(p->f, p->r, v->what);
    fputs("</maplayer>\n", p->f);
}

static void put_layers(const struct project *p)
{
    fputs("<projectlayers>\n", p->f);
    for (int i = 0; i < SHOWN_VECTORS; i++)
        if (is_there(p, &vectors[i])) put_vector_layer(p, &vectors[i]);
    for (int i = 0; i < SHOWN_RASTERS; i++) each_step(p, &rasters[i], put_raster_layer);
    fputs("</projectlayers>\n", p->f);
}

/* ---- a page to print ------------------------------------------------------------------------- */

/* An item of the layout at (x, y) in millimetres; its content and </LayoutItem> follow. */
static void begin_item(const struct project *p, int type, const char *id, double x, double y,
                       double wide, double high)
{
    fprintf(
        p->f,
        "<LayoutItem type=\"%d\" uuid=\"{%s}\" templateUuid=\"{%s}\" id=\"%s\" "
        "position=\"%g,%g,mm\" positionOnPage=\"%g,%g,mm\" size=\"%g,%g,mm\" referencePoint=\"0\" "
        "visibility=\"1\" opacity=\"1\" frame=\"%s\" background=\"true\" outlineWidthM=\"0.3,mm\" ",
        type, id, id, id, x, y, x, y, wide, high, type == 65639 ? "true" : "false");
}

/* A4 across: title, map, legend and scale bar. */
static void put_layout(const struct project *p)
{
    enum { MAP_WIDE = 207, MAP_HIGH = 178 };
    const struct overlay_box b = view_of(p, MAP_WIDE, MAP_HIGH);
    const double part = roundnum_below((b.x1 - b.x0) / 10), unit = part >= 500 ? 1000 : 1;
    fputs("<Layouts>\n<Layout name=\"Map of the lava\" units=\"mm\" printResolution=\"300\">\n"
          "<PageCollection>\n",
          p->f);
    begin_item(p, 65638, "page", 0, 0, 297, 210);
    fputs("/>\n</PageCollection>\n", p->f);
    begin_item(p, 65639, "map", 10, 22, MAP_WIDE, MAP_HIGH);
    fprintf(p->f,
            "keepLayerSet=\"false\" followPreset=\"false\" mapRotation=\"0\"><Extent "
            "xmin=\"%.17g\" ymin=\"%.17g\" xmax=\"%.17g\" ymax=\"%.17g\"/></LayoutItem>\n",
            b.x0, b.y0, b.x1, b.y1);
    begin_item(p, 65641, "title", 10, 8, 277, 11);
    fputs("labelText=\"", p->f);
    export_xml(p->f, *p->r->c->title ? p->r->c->title : p->r->c->name);
    fputs("\" halign=\"1\" valign=\"32\">", p->f);
    fputs("<LabelFont description=\"DejaVu Sans,18,-1,5,75,0,0,0,0,0\" style=\"\"/></LayoutItem>\n",
          p->f);
    begin_item(p, 65642, "legend", 220, 22, 70, 120);
    fputs("map_uuid=\"{map}\" resizeToContents=\"1\" symbolWidth=\"7\" symbolHeight=\"4\" "
          "wrapChar=\"\">\n<layer-tree-group>\n",
          p->f);
    for (int i = 0; i < SHOWN_VECTORS; i++)
        if (vectors[i].visible) put_vector_node(p, &vectors[i]);
    put_raster_node(p, &rasters[0], p->r->step[p->r->step_count - 1]);
    fputs("</layer-tree-group>\n</LayoutItem>\n", p->f);
    begin_item(p, 65646, "scale", 222, 184, 65, 14);
    fprintf(p->f,
            "mapUuid=\"{map}\" style=\"Single Box\" unitType=\"meters\" unitLabel=\"%s\" "
            "numMapUnitsPerScaleBarUnit=\"%g\" numUnitsPerSegment=\"%g\" numSegments=\"2\" "
            "numSegmentsLeft=\"0\" height=\"3\" labelBarSpace=\"2\" boxContentSpace=\"1\" "
            "segmentSizeMode=\"0\" minBarWidth=\"10\" maxBarWidth=\"60\">",
            unit > 1 ? "km" : "m", unit, part / unit);
    fputs("<text-style fontFamily=\"DejaVu Sans\" fontSize=\"10\" fontSizeUnit=\"Point\" "
          "textColor=\"0,0,0,255\"/></LayoutItem>\n</Layout>\n</Layouts>\n",
          p->f);
}

/* ---- the project ----------------------------------------------------------------------------- */

/* <spatialrefsys> in <srs>, of the case; malloc'ed. */
static char *make_srs(const struct crs *crs)
{
    FREED char *wkt = export_crs_wkt(crs, EXPORT_WKT2);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f && (wkt || crs->epsg)) {
        fputs("<srs><spatialrefsys>", f);
        if (wkt) fputs("<wkt>", f), export_xml(f, wkt), fputs("</wkt>", f);
        if (crs->epsg) fprintf(f, "<authid>EPSG:%d</authid>", crs->epsg);
        fputs("</spatialrefsys></srs>\n", f);
    }
    if (f && fclose(f) == 0) return text;
    free(text);
    return NULL;
}

static void put_project(const struct project *p)
{
    const struct export_run *r = p->r;
    fprintf(p->f, "%s<!-- %s %s -->\n<qgis version=\"3.22.0\" projectname=\"", doctype, EXPORT_MARK,
            r->version);
    export_xml(p->f, r->c->title);
    fputs("\">\n<title>", p->f);
    export_xml(p->f, r->c->title);
    fputs("</title>\n", p->f);
    const char *srs = strstr(p->srs, "<spatialrefsys>");
    if (srs)
        fprintf(p->f, "<projectCrs>%.*s</projectCrs>\n", (int)(strstr(srs, "</srs>") - srs), srs);
    put_tree(p);
    const struct overlay_box b = view_of(p, 4, 3);
    fprintf(p->f,
            "<mapcanvas name=\"theMapCanvas\">\n<units>meters</units>\n"
            "<extent><xmin>%.17g</xmin><ymin>%.17g</ymin><xmax>%.17g</xmax><ymax>%.17g</ymax></"
            "extent>\n<rotation>0</rotation>\n</mapcanvas>\n",
            b.x0, b.y0, b.x1, b.y1);
    if (*r->c->start_time) {
        fputs("<ProjectTimeSettings timeStepUnit=\"h\" timeStep=\"1\" frameRate=\"4\" "
              "cumulativeTemporalRange=\"0\"><TemporalRange>",
              p->f);
        put_range(p, r->step[0], next_step(r, r->step_count - 1));
        fputs("</TemporalRange></ProjectTimeSettings>\n", p->f);
    }
    put_layers(p);
    put_layout(p);
    fputs("<properties><Paths><Absolute "
          "type=\"bool\">false</Absolute></Paths><SpatialRefSys><ProjectionsEnabled "
          "type=\"int\">1</ProjectionsEnabled></SpatialRefSys></properties>\n"
          "</qgis>\n",
          p->f);
}

int export_project(const struct export_run *r, enum features unused, const char *path,
                   struct error *e)
{
    char *text = NULL, comment[128];
    size_t size = 0;
    struct zip_pack *zip = NULL;
    struct project p = {.r = r, .geojson = r->transform != NULL};
    p.srs = make_srs(&r->geo.crs);
    p.f = p.srs ? open_memstream(&text, &size) : NULL;
    if (p.f) put_project(&p);
    int status = p.f && fclose(p.f) == 0 ? zip_pack_open(&zip, e) : error_memory(e);
    if (status) free(text);
    else status = zip_pack_add(zip, "run.qgs", text, size, 9, e);
    snprintf(comment, sizeof comment, "%s %.80s", EXPORT_MARK, r->version);
    if (!status) status = zip_pack_write(zip, path, comment, e);
    zip_pack_free(zip);
    free(p.srs);
    return status;
}
