/* qgis_style.h — how QGIS draws a layer: the part of its XML that a style (.qml) and a project
 * share. */
#ifndef SCIARA_EXPORT_QGIS_STYLE_H
#define SCIARA_EXPORT_QGIS_STYLE_H

#include "export.h"

/* A <pipe> for the raster with that prefix. */
void qgis_raster(FILE *f, const struct export_run *r, const char *prefix);

/* The same with these colours. */
void qgis_coloured(FILE *f, const struct export_colours *c);

/* Of the vector layers: a <renderer-v2> and what goes with it. */
void qgis_vector(FILE *f, const struct export_run *r, enum qgis_vector what);

#endif
