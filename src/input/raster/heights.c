/* heights.c — elevations and thicknesses in metres, whatever unit they are declared in. */
#include "raster.h"

#include "text/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A unit of length: value * times / per is in metres, and both are whole, so that the product is
 * exact for all but the longest fractions, and only the division rounds. */
struct unit {
    const char *name;
    double times, per;
    const char *spellings; /* squeezed, each between blanks */
};

static const struct unit units[] = {
    {"metre", 1, 1, " m metre metres meter meters "},
    {"US survey foot", 1200, 3937,
     " ussurveyfoot ussurveyfeet surveyfoot surveyfeet footussurvey footus feetus usfoot usfeet "
     "ftus usft sft "},
    {"foot", 3048, 10000,
     " ft foot feet ' internationalfoot internationalfeet footinternational feetinternational "
     "ftint ftintl intft "},
    {"yard", 9144, 10000, " yd yard yards "},
    {"kilometre", 1000, 1, " km kilometre kilometres kilometer kilometers "},
    {"decimetre", 1, 10, " dm decimetre decimetres decimeter decimeters "},
    {"centimetre", 1, 100, " cm centimetre centimetres centimeter centimeters "},
    {"millimetre", 1, 1000, " mm millimetre millimetres millimeter millimeters "},
};
enum { UNITS = sizeof units / sizeof *units };

/* "US survey foot", "US_survey_foot" and "us-survey-foot" are " ussurveyfoot ". */
static void squeeze(char *out, size_t size, const char *text)
{
    size_t n = 0;
    out[n++] = ' ';
    for (; *text && n + 2 < size; text++)
        if (!strchr(" _-.()", *text)) out[n++] = (char)tolower((unsigned char)*text);
    out[n++] = ' ';
    out[n] = '\0';
}

static const struct unit *unit_called(const char *text)
{
    char squeezed[80];
    squeeze(squeezed, sizeof squeezed, text);
    for (int i = 0; i < UNITS; i++)
        if (strstr(units[i].spellings, squeezed)) return &units[i];
    return NULL;
}

/* By its length, which databases give to some 15 digits; the two feet differ in the sixth. */
static struct unit unit_of_length(double metres, const char *name)
{
    for (int i = 0; i < UNITS; i++)
        if (fabs(units[i].times / units[i].per / metres - 1) < 1e-9) return units[i];
    return (struct unit){*name ? name : "unit of its own", metres, 1, ""};
}

static int refuse_depth(const struct raster *r, const struct unit *unit, const char *path,
                        struct error *e)
{
    char scale[32];
    return error_input(e,
                       "%s: its values are depths (%s), not heights; change the sign: gdal_edit.py "
                       "-scale %s -units m -a_srs EPSG:%d %s",
                       path, r->vertical.name, number_text(-unit->times / unit->per, scale),
                       r->geo.crs.epsg ? r->geo.crs.epsg : 32633, path);
}

static int refuse_unknown(const char *unit, const char *of, const char *path, struct error *e)
{
    return error_input(e,
                       "%s: the unit of its heights, %s'%s', is not known; declare its length in "
                       "metres: gdal_edit.py -scale METRES -units m %s",
                       path, of, unit, path);
}

static int refuse_conflict(const struct raster *r, const struct unit *a, const struct unit *b,
                           const char *path, struct error *e)
{
    return error_input(e,
                       "%s: its band is in '%s' (%s), but its vertical CRS (%s) is in %s; declare "
                       "the right one: gdal_edit.py -units '%s' %s, or -a_srs with another CRS",
                       path, r->unit, a->name, r->vertical.name, b->name, b->name, path);
}

/* The unit that is declared, by the band, by the vertical CRS, or by neither. */
static int find_unit(struct unit *unit, const struct raster *r, const char *path, struct error *e)
{
    const struct vertical *v = &r->vertical;
    const struct unit *band = unit_called(r->unit);
    *unit = units[0];
    if (*r->unit && !band) return refuse_unknown(r->unit, "", path, e);
    if (v->unit_m > 0) {
        *unit = unit_of_length(v->unit_m, v->unit);
        if (band && band->times * unit->per != unit->times * band->per)
            return refuse_conflict(r, band, unit, path, e);
    } else if (band) {
        *unit = *band;
    } else if (*v->name) {
        return refuse_unknown(v->name, "the unit of the vertical CRS ", path, e);
    }
    return v->depth ? refuse_depth(r, unit, path, e) : 0;
}

int raster_find_unit(struct raster_unit *u, const struct raster *head, char said[RASTER_UNIT_SAID],
                     const char *path, struct error *e)
{
    const bool declared = *head->unit || *head->vertical.name;
    struct unit unit;
    int status = find_unit(&unit, head, path, e);
    if (status) return status;
    *u = (struct raster_unit){unit.times, unit.per};
    if (said)
        snprintf(said, RASTER_UNIT_SAID, "%s%s", unit.name,
                 !declared                ? " (not declared)"
                 : unit.times == unit.per ? ""
                                          : ", converted to metre");
    return 0;
}

void raster_convert(const struct raster_unit *u, const struct raster_cells *cells)
{
    if (u->times == u->per) return;
    for (int i = 0; i < cells->window.rows; i++) {
        double *value = cells->value + (size_t)i * cells->stride;
        for (int j = 0; j < cells->window.cols; j++) value[j] = value[j] * u->times / u->per;
    }
}

int raster_to_metres(struct raster *r, char said[RASTER_UNIT_SAID], const char *path,
                     struct error *e)
{
    struct raster_unit unit;
    int status = raster_find_unit(&unit, r, said, path, e);
    if (status) return status;
    raster_convert(&unit,
                   &(struct raster_cells){{0, 0, r->rows, r->cols}, r->value, (size_t)r->cols});
    snprintf(r->unit, sizeof r->unit, "m");
    r->vertical = (struct vertical){0};
    return 0;
}
