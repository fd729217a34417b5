/* record_frames.h — the cells of an animation's frames: one GeoTIFF, below one another of each frame the values and then
 * the elevations that differ from the terrain of its map. */
#pragma once

#include "scene.h"

#define RECORD_FRAMES "frames.tif"

/* Writes it; rows are asked for by several threads. */
int record_frames_write(const char *path, const struct frames *f, struct error *e);

/* Gives *f its cells from that open file, which is closed with *reader. ERROR_INPUT: it is not what *f needs. */
struct record_frames;
int record_frames_open(struct record_frames **reader, int file, struct frames *f, struct error *e);
void record_frames_close(struct record_frames *reader); /* NULL is fine */
