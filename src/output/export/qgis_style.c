/* qgis_style.c — how QGIS colours layers and draws vectors. */
#include "export.h"

#include "draw/colours.h"
#include "draw/roundnum.h"
#include "model/params.h"

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

void qgis_coloured(FILE *f, const struct export_colours *c)
{
    char value[32];
    if (!c->count) {
        put_scale(f, c->scale, 0, c->high, (struct reading){0, c->unit});
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

void qgis_raster(FILE *f, const struct export_run *r, const char *prefix)
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

static void put_property(FILE *f, const char *key, const char *value)
{
    fprintf(f, "<prop k=\"%s\" v=\"%s\"/>\n", key, value);
}

static void put_colour(FILE *f, const char *key, struct rgb c, int alpha)
{
    fprintf(f, "<prop k=\"%s\" v=\"%d,%d,%d,%d\"/>\n", key, c.r, c.g, c.b, alpha);
}

static void put_fill(FILE *f, int name, struct rgb c)
{
    begin_symbol(f, "fill", name, "SimpleFill");
    put_colour(f, "color", c, 200);
    put_property(f, "style", "solid");
    put_property(f, "outline_color", "40,20,20,255");
    put_property(f, "outline_style", "solid");
    put_property(f, "outline_width", "0.2");
    put_property(f, "outline_width_unit", "MM");
    end_symbol(f);
}

static void put_stroke(FILE *f, struct rgb c, const char *width)
{
    put_colour(f, "line_color", c, 255);
    put_property(f, "line_style", "solid");
    put_property(f, "line_width", width);
    put_property(f, "line_width_unit", "MM");
    put_property(f, "joinstyle", "round");
    put_property(f, "capstyle", "round");
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
    put_property(f, "name", "triangle");
    put_property(f, "color", "255,255,255,255");
    put_property(f, "outline_color", "150,0,0,255");
    put_property(f, "outline_width", "0.5");
    put_property(f, "outline_width_unit", "MM");
    put_property(f, "size", "3");
    put_property(f, "size_unit", "MM");
    end_symbol(f);
}

void qgis_vector(FILE *f, const struct export_run *r, enum features what)
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
