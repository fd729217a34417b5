/* animation.h — pictures one after the other: an animated WebP, and an MP4 by ffmpeg where that is
 * there. */
#pragma once

#include "base/error.h"

#include <cairo.h>
#include <stdbool.h>

struct animation;

/* All pictures are of that size. ERROR_FAILED: no memory. */
int animation_create(struct animation **a, int width, int height, struct error *e);
void animation_free(struct animation *a); /* NULL is fine */

/* A picture of format RGB24, shown for so long. */
int animation_add(struct animation *a, cairo_surface_t *picture, int milliseconds, struct error *e);
/* Writes the file, which appears whole or not at all, and plays without end. */
int animation_write(struct animation *a, const char *path, struct error *e);

/* ---- film ------------------------------------------------------------------------------------ */

struct film;

/* Whether there is an ffmpeg on the PATH. */
bool film_possible(void);

/* All pictures are of that size, and shown for so long. The caller's thread has SIGPIPE blocked
 * until the end: ffmpeg may end first. */
int film_create(struct film **f, const char *path, int width, int height, int milliseconds,
                struct error *e);
/* A picture of format RGB24. */
int film_add(struct film *f, cairo_surface_t *picture, struct error *e);
/* The file appears whole or not at all; frees *f. ERROR_FAILED: ffmpeg has failed. */
int film_finish(struct film *f, struct error *e);
void film_abandon(struct film *f); /* frees *f, NULL is fine; no file */
