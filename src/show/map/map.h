/* map.h — draws a map: hillshade, a coloured layer, colour bar, scale bar, north arrow and texts; or a legend alone. */
#pragma once

#include "record/map_scene.h"

#include <cairo.h>

/* Draws a PNG, SVG or PDF, as the ending of the path decides. SVG and PDF keep text as text. Large domains are reduced,
 * small domains enlarged. *scale_denominator becomes n of the scale 1 : n of the map on its page; it may be NULL. */
int map_write(const char *path, const struct map *m, double *scale_denominator, struct error *e);
/* Draws the map as a picture, which the caller frees by cairo_surface_destroy(). */
int map_picture(cairo_surface_t **picture, const struct map *m, struct error *e);
struct legend; /* record/layer_set.h */
/* Draws a legend as a PNG in memory, malloc'ed, for a globe. title: a text with gaps to fill (text/words.h). */
int map_legend(char **bytes, size_t *size, const struct legend *l, const char *title,
               const char *language, struct error *e);
