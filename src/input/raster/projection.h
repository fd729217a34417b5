/* projection.h — asks PROJ about a CRS: its units, its heights, its scale on the ground. Nothing here prints. */
#pragma once

#include "raster.h"

#include <proj.h>
#include <stdbool.h>

/* Creates a context that prints nothing and uses no network; NULL: no memory. */
PJ_CONTEXT *projection_context(void);

/* For FREED_BY(): destroy what a variable points to. NULL is fine, and does not load PROJ. */
static inline void projection_close(PJ_CONTEXT **context)
{
    if (*context) proj_context_destroy(*context);
}
static inline void projection_free(PJ **pj)
{
    if (*pj) proj_destroy(*pj);
}

/* With too little memory, PROJ cannot open its database and seems to know no CRS. In this case replaces the error in *e
 * by an error about memory. Returns the status. */
int projection_blame(int status, const char *name, struct error *e);

/* Whether a code is UTM on WGS 84, which needs no database. */
bool projection_is_utm(int epsg);

/* Creates the projected CRS for PROJ, without a transformation to another datum; NULL: PROJ does not know the CRS. */
PJ *projection_create(PJ_CONTEXT *context, const struct crs *crs);

/* Returns the definition of a CRS in WKT, malloc'ed; NULL: PROJ does not know the CRS. */
enum projection_wkt { PROJECTION_WKT1, PROJECTION_WKT2 };
char *projection_wkt(const struct crs *crs, enum projection_wkt form);

/* Returns a transformation like `given`, but with longitude, or x, first. Destroys `given`; NULL is fine. */
PJ *projection_east_first(PJ_CONTEXT *context, PJ *given);

/* Creates the transformation of a CRS to its own longitude and latitude in degrees; NULL: PROJ knows none; crs may be NULL. */
PJ *projection_to_degrees(PJ_CONTEXT *context, const PJ *crs);

/* Metres of a CRS per metre on the ground: the extremes over all directions, at the centre and the corners of a grid. */
struct ground_scale {
    double least, greatest;
    double east_deg, north_deg; /* longitude and latitude of the centre */
};

/* Finds the scale of a grid. False: PROJ does not know the CRS, or the CRS is not valid at that place. */
bool projection_scale(struct ground_scale *s, const struct georef *geo, int rows, int cols);

/* projection_scale() for UTM on WGS 84, without PROJ. False: the grid has another CRS, or is far from the zone. */
bool projection_scale_utm(struct ground_scale *s, const struct georef *geo, int rows, int cols);

/* Returns the direction of true north in the middle of a grid, in degrees clockwise from the grid's columns. The angle
 * is small in UTM, and can be large in a polar projection. 0: PROJ does not know the angle. */
double projection_north(const struct georef *geo, int rows, int cols);

/* Reads the CRS of the raster at `path` from WKT into *crs and *vertical; `name` is the file with the WKT, for
 * messages. A CRS that PROJ recognises gets its EPSG code; another projected CRS gets keys with the WKT. */
int projection_read(struct crs *crs, struct vertical *vertical, const char *wkt, const char *name,
                    const char *path, struct error *e);

/* The horizontal part of a CRS. */
struct flat_crs {
    char *wkt;        /* WKT in one line, malloc'ed */
    double turn;      /* a full turn in the unit of angles; 0: a projected CRS */
    double unit_m;    /* metres per unit of length; 0: not a projected CRS */
    char called[128]; /* "EPSG:n", or the name of the CRS */
};

/* Reads a CRS, WKT or "EPSG:n", of the raster at `path`. */
int projection_flat(struct flat_crs *flat, const char *crs, const char *path, struct error *e);

/* Creates the transformation from one CRS to another, x or longitude first, for places within `area` (degrees: west,
 * south, east, north; NULL: anywhere). NULL: PROJ knows none. */
PJ *projection_between(PJ_CONTEXT *context, const char *from, const char *to, const double *area);

/* Returns the EPSG code of the UTM zone on WGS 84 of a place. Any longitude is fine: 205 degrees means -155. */
int projection_utm(double east_deg, double north_deg);

/* Converts a place in a geographic CRS with a known code to longitude and latitude in degrees: some CRSs count from
 * Paris, or in gons. */
void projection_from_geographic(const struct crs *crs, double xy[2]);

/* Fills in *vertical for a vertical or three-dimensional CRS by its EPSG code: the name "EPSG:n" and, if PROJ knows
 * them, unit and direction. */
void projection_vertical(struct vertical *vertical, int epsg);

/* Whether PROJ's database has a projected CRS of that code. Sets its name, and the EPSG code of its
 * unit, if they are known. */
bool projection_known(int epsg, char name[128], int *unit);

/* Returns the metres of a unit by its EPSG code, with its name in `unit`; 0: not known. */
double projection_unit(int epsg, char unit[64]);
