/* transform.h — from the CRS of a file to the CRS of the terrain, with PROJ. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"

#include <stdbool.h>

struct transform;

#define CRS_DEGREES "OGC:CRS84" /* longitude and latitude, WGS 84 */

/* `from`: a code ("EPSG:3004"), or WKT; `name`: of the file or its column, for messages.
 * ERROR_INPUT where PROJ does not know one of them, or no transformation. *w is NULL where both
 * are the same CRS. */
int transform_open(struct transform **w, const char *from, const struct crs *to, const char *name,
                   struct error *e);
void transform_close(struct transform *w); /* NULL is fine */

bool transform_from_degrees(const struct transform *w);

/* Transforms a position. False: it has no place in the CRS of the terrain, as near a pole or far
 * outside a projection; *why completes a sentence. */
bool transform_apply(const struct transform *w, double xy[2], const char **why);

/* Back from the CRS of the terrain, of a position on it. False: there is none. */
bool transform_back(const struct transform *w, double xy[2]);

/* Whether a definition is of a geographic CRS, in degrees. */
bool crs_is_geographic(const char *from);

/* What a CRS is called: "EPSG:32633" or its name. */
void crs_name(const struct crs *crs, char out[128]);
