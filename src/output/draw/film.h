/* film.h — pictures one after the other as an MP4, by ffmpeg where that is there. */
#ifndef SCIARA_FILM_H
#define SCIARA_FILM_H

#include "base/error.h"

#include <cairo.h>
#include <stdbool.h>

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

#endif
