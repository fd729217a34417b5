/* ogr.h — features of a Shapefile, a GeoPackage or KML, through GDAL's vector part.
 *
 * GDAL and its hundred libraries take 60 ms to load, more than many runs take: the program is not
 * linked with it, but loads it when a file is read (dlopen), by the name of the library that it was
 * built with. A build without GDAL has ogr_missing.c in place of ogr.c. */
#ifndef SCIARA_VECTOR_OGR_H
#define SCIARA_VECTOR_OGR_H

#include "build.h"

/* Adds all features of a layer. `file` is a regular file of that format, `layer` "": the only one
 * that there is; the name of the layer goes to about.layer. GDAL gets to see one driver, no network
 * and no other name than that of the file; what it says becomes the error. */
int ogr_read(struct build *b, enum vector_format format, const char *file, const char *layer);

/* "libgdal.so.32 (GDAL 3.6.2)": what it was built with and loads; NULL: built without. */
const char *ogr_version(void);

/* ERROR_INPUT: cannot be read here, and why, with the command that makes GeoJSON of it. */
int ogr_refuse(const struct build *b, enum vector_format format, const char *file,
               const char *layer, const char *why);

#endif
