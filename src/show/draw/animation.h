/* animation.h — writes pictures one after the other as an animated WebP. */
#pragma once

#include "base/error.h"

#include <cairo.h>

struct animation;

/* Begins an animation of the size of its first picture. ERROR_FAILED: no memory. The caller frees *a, also after an error. */
int animation_create(struct animation **a, cairo_surface_t *first, struct error *e);
void animation_free(struct animation *a); /* NULL is fine */

/* Adds a picture in the format RGB24, and the time for which it is shown. A picture of another size is cut, or gets white
 * edges. */
int animation_add(struct animation *a, cairo_surface_t *picture, int milliseconds, struct error *e);
/* Writes the file, whole or not at all. The animation repeats for ever. */
int animation_write(struct animation *a, const char *path, struct error *e);
