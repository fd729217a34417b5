/* gdal_write.h — a GeoPackage in memory, through the GDAL of the machine
 * (vector/gdal_library.h). */
#ifndef SCIARA_EXPORT_GDAL_WRITE_H
#define SCIARA_EXPORT_GDAL_WRITE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct gdal_package;

/* ERROR_FAILED, or ERROR_INPUT where there is no GDAL: the line begins with `name`. */
int gdal_check(const char *name, struct error *e);
/* `crs`: "EPSG:32633" or WKT; NULL: not known. `date`: what its tables give as time of writing, so
 * that the same content is the same bytes. */
int gdal_package_open(struct gdal_package **p, const char *name, const char *crs, const char *date,
                      struct error *e);
/* The next layer. kind: as in WKB, 5 multi-line, 6 multi-polygon. */
int gdal_package_layer(struct gdal_package *p, const char *layer, const char *description, int kind,
                       struct error *e);
/* A column of the layer: real numbers, or texts. Their order is their number. */
int gdal_package_column(struct gdal_package *p, const char *column, bool text, struct error *e);

/* The values of the next feature: NULL for a text that is not there. Then the feature, in WKB. */
void gdal_package_real(struct gdal_package *p, int column, double value);
void gdal_package_text(struct gdal_package *p, int column, const char *value);
int gdal_package_feature(struct gdal_package *p, const unsigned char *wkb, size_t size,
                         struct error *e);

/* All bytes, malloc'ed. */
int gdal_package_finish(struct gdal_package *p, unsigned char **data, size_t *size,
                        struct error *e);
void gdal_package_free(struct gdal_package *p); /* NULL is fine */

#endif
