/* geojson.h — features of a GeoJSON text (RFC 7946, and its predecessor, which may name a CRS). */
#ifndef SCIARA_GEOJSON_H
#define SCIARA_GEOJSON_H

#include "build.h"

/* Adds all features of the text, and what CRS it names. A geometry without a feature is one. */
int geojson_read(struct build *b, const char *text);

#endif
