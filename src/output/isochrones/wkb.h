/* wkb.h — writes well-known binary, the geometry of a GeoPackage, in the byte order of this machine. The caller checks the
 * stream for errors at its end. */
#pragma once

#include "isochrones.h"

#include <stdio.h>

void wkb_put_count(FILE *f, int count);
void wkb_put_kind(FILE *f, int kind);
void wkb_put_path(FILE *f, const struct isochrone_path *p);
void wkb_put_area(FILE *f, const struct isochrone_area *a); /* a multipolygon */
