/* animation.h — pictures one after the other: an animated WebP. */
#pragma once

#include "base/error.h"

#include <cairo.h>

struct animation;

/* All pictures are of that size. ERROR_FAILED: no memory. */
int animation_create(struct animation **a, int width, int height, struct error *e);
void animation_free(struct animation *a); /* NULL is fine */

/* A picture of format RGB24, shown for so long. */
int animation_add(struct animation *a, cairo_surface_t *picture, int milliseconds, struct error *e);
/* Writes the file, which appears whole or not at all, and plays without end. */
int animation_write(struct animation *a, const char *path, struct error *e);
