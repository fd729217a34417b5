/* record_frames.h — the cells of an animation in one GeoTIFF, frame below frame: first the values of a frame, then its
 * elevations where they differ from the terrain of the map. */
#pragma once

#include "scene.h"

#define RECORD_FRAMES "frames.tif"

/* Writes the file. Several threads ask *f for rows. */
int record_frames_write(const char *path, const struct frames *f, struct error *e);

/* Lets *f read its cells from an open file, which record_frames_close() closes. ERROR_INPUT: it does not fit *f. */
struct record_frames;
int record_frames_open(struct record_frames **reader, int file, struct frames *f, struct error *e);
void record_frames_close(struct record_frames *reader); /* NULL is fine */
