/* heights.c — converts elevations and thicknesses from the declared unit to metres. */
#include "raster.h"

#include "text/number.h"
#include "text/remedy.h"
#include "text/textfile.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A unit of length: value * times / per is in metres. `times` and `per` are whole numbers. So the product is exact for
 * nearly all values, and only the division rounds. */
struct unit {
    const char *name;
    double times, per;
    const char *spellings; /* spellings in the form that squeeze() makes, each between blanks */
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
    {"fathom", 18288, 10000, " fathom fathoms fm ftm "},
    {"inch", 254, 10000, " in inch inches "},
    {"kilometre", 1000, 1, " km kilometre kilometres kilometer kilometers "},
    {"decimetre", 1, 10, " dm decimetre decimetres decimeter decimeters "},
    {"centimetre", 1, 100, " cm centimetre centimetres centimeter centimeters "},
    {"millimetre", 1, 1000, " mm millimetre millimetres millimeter millimeters "},
};
enum { UNITS = sizeof units / sizeof *units };

/* Makes spellings equal: "US survey foot", "US_survey_foot" and "us-survey-foot" become " ussurveyfoot ". */
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

/* Finds a unit by its length. Databases give lengths to some 15 digits; the two kinds of foot differ in the sixth. */
static struct unit unit_of_length(double metres, const char *name)
{
    for (int i = 0; i < UNITS; i++)
        if (fabs(units[i].times / units[i].per / metres - 1) < 1e-9) return units[i];
    return (struct unit){*name ? name : "unit of its own", metres, 1, ""};
}

/* Refuses heights, and proposes the command that converts them to metres. `unit`: the unit to write into the command,
 * "UNIT" if the user has to find it; NULL: the command names no unit. */
ERROR_FORMAT(5, 6)
static int refuse_heights(const struct raster *r, const char *unit, const char *path,
                          struct error *e, const char *fmt, ...)
{
    char what[512], command[RASTER_COMMAND], more[64];
    va_list values;
    va_start(values, fmt);
    vsnprintf(what, sizeof what, fmt, values);
    va_end(values);
    snprintf(more, sizeof more, "%s%s", unit ? DEM_HEIGHTS : "", unit ? unit : "");
    raster_dem_command(command, r, more, path);
    return error_input(e, "%.300s: %s: %s", path, what, command);
}

static int refuse_unknown(const struct raster *r, const char *unit, const char *of,
                          const char *path, struct error *e)
{
    return refuse_heights(r, "UNIT", path, e,
                          "the unit of its heights, %s'%s', is not known; make metres of them "
                          "(UNIT: m, ft, us-ft, or its length in metres)",
                          of, unit);
}

/* Refuses the unit `given` if the file declares another. If band and vertical CRS differ, accepts both units. */
static int refuse_other(const struct raster *r, const struct unit *band, const struct unit *given,
                        const char *path, struct error *e)
{
    const double length = given->times / given->per;
    const bool of_band = band && fabs(band->times / band->per / length - 1) > 1e-9;
    const bool of_crs = r->vertical.unit_m > 0 && fabs(r->vertical.unit_m / length - 1) > 1e-9;
    if (!(of_band && (of_crs || r->vertical.unit_m == 0)) && !(of_crs && !band)) return 0;
    return error_input(e, "%s: declares its heights in %s, not in %s; omit option 'heights'", path,
                       of_band ? band->name : r->vertical.unit, given->name);
}

/* Finds the unit that the band or the vertical CRS declares. `given`: the unit that the user gives, or NULL. */
static int find_unit(struct unit *unit, const struct raster *r, const struct unit *given,
                     const char *path, struct error *e)
{
    const struct vertical *v = &r->vertical;
    const struct unit *band = unit_called(r->unit);
    *unit = given ? *given : units[0];
    if (given) return refuse_other(r, band, given, path, e);
    if (*r->unit && !band) return refuse_unknown(r, r->unit, "", path, e);
    if (v->unit_m > 0) {
        *unit = unit_of_length(v->unit_m, v->unit);
        if (band && band->times * unit->per != unit->times * band->per)
            return refuse_heights(r, "UNIT", path, e,
                                  "its band is in '%s' (%s), but its vertical CRS (%s) is in %s; "
                                  "name the right one (UNIT)",
                                  r->unit, band->name, v->name, unit->name);
    } else if (band) {
        *unit = *band;
    } else if (*v->name) {
        return refuse_unknown(r, v->name, "the unit of the vertical CRS ", path, e);
    }
    return 0;
}

/* Reads a unit by its name, or by its length in metres. */
static bool read_unit(struct unit *unit, const char *text)
{
    const struct unit *known = unit_called(text);
    double length;
    const char *end = known ? NULL : number_scan(text, &length);
    if (known) *unit = *known;
    else if (end && !*end && length > 0 && isfinite(length)) *unit = unit_of_length(length, "");
    else return false;
    return true;
}

bool raster_unit_known(const char *name)
{
    return read_unit(&(struct unit){0}, name);
}

int raster_find_heights(struct raster_unit *u, bool *depth, const struct raster *head,
                        const char *heights, char said[RASTER_UNIT_SAID], const char *path,
                        struct error *e)
{
    const bool declared = heights || *head->unit || *head->vertical.name;
    struct unit unit, given;
    const bool is_given = heights && read_unit(&given, heights);
    int status = find_unit(&unit, head, is_given ? &given : NULL, path, e);
    if (!status && head->vertical.depth && !depth)
        status = refuse_heights(head, NULL, path, e,
                                "its values are depths (%s), not heights; change the sign",
                                head->vertical.name);
    if (status) return status;
    *u = (struct raster_unit){unit.times, unit.per};
    if (depth) *depth = head->vertical.depth;
    if (said)
        snprintf(said, RASTER_UNIT_SAID, "%s%s", unit.name,
                 !declared                ? " (not declared)"
                 : unit.times == unit.per ? ""
                                          : ", converted to metre");
    return 0;
}

int raster_find_unit(struct raster_unit *u, const struct raster *head, char said[RASTER_UNIT_SAID],
                     const char *path, struct error *e)
{
    return raster_find_heights(u, NULL, head, NULL, said, path, e);
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
    r->scale = (r->scale != 0 ? r->scale : 1) * unit.times / unit.per;
    r->offset = r->offset * unit.times / unit.per;
    r->vertical = (struct vertical){0};
    return 0;
}
