/* export_parts.h — the pieces of export.h among themselves. */
#ifndef SCIARA_EXPORT_PARTS_H
#define SCIARA_EXPORT_PARTS_H

#include "export.h"

#include <stdio.h>

/* The colour of a band of arrival. */
struct rgb export_band_colour(const struct export_run *r, int band);

/* All bytes of a file, whole or not at all. */
int export_bytes(const char *path, const void *data, size_t size, struct error *e);

/* A text for XML, between tags or in double quotes; and for XML that holds HTML. */
void export_xml(FILE *f, const char *text);
void export_html(FILE *f, const char *text);

/* Whether a vent is the first of those with its number: a fissure's cells have one. */
bool export_vent_is_first(const struct problem *p, int vent);

/* The definition of the CRS in WKT, malloc'ed; NULL: it has none that PROJ knows. */
enum export_wkt { EXPORT_WKT1, EXPORT_WKT2 };
char *export_crs_wkt(const struct crs *crs, enum export_wkt form);

#endif
