/* export_parts.h — the pieces of export.h among themselves. */
#ifndef SCIARA_EXPORT_PARTS_H
#define SCIARA_EXPORT_PARTS_H

#include "export.h"

#include "vector/way.h"

#include <stdio.h>

/* From the CRS of the terrain to longitude and latitude. */
int export_way(struct way **w, const struct sim_case *c, const char *name, struct error *e);

/* A text for XML, between tags or in double quotes. */
void export_xml(FILE *f, const char *text);

/* The definition of the CRS in WKT, malloc'ed; NULL: it has none that PROJ knows. */
enum export_wkt { EXPORT_WKT1, EXPORT_WKT2 };
char *export_crs_wkt(const struct crs *crs, enum export_wkt form);

#endif
