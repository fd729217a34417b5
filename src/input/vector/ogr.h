/* ogr.h — features of a Shapefile, a GeoPackage or KML, through the GDAL of the machine
 * (gdal_library.h). */
#ifndef SCIARA_VECTOR_OGR_H
#define SCIARA_VECTOR_OGR_H

#include "build.h"

/* Adds all features of a layer. `file` is a regular file of that format, `layer` "": the only one
 * that there is; the name of the layer goes to about.layer. GDAL gets to see one driver, no network
 * and no other name than that of the file; what it says becomes the error. */
int ogr_read(struct build *b, enum vector_format format, const char *file, const char *layer);

/* ERROR_INPUT where a view of a GeoPackage does not end. */
int package_check_views(const struct build *b, const char *file);

/* ERROR_INPUT: cannot be read here, and why (up to "..., or" or "...;"), with the command that makes
 * GeoJSON of it. */
int ogr_refuse(const struct build *b, enum vector_format format, const char *file,
               const char *layer, const char *why);

#endif
