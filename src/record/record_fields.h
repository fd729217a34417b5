/* record_fields.h — what record.json has of a scene, and the file of an animation's cells. One function for each structure both
 * writes and reads it. */
#pragma once

#include "record.h"

struct cJSON;

/* Grids are files of their own in the archive, which record.json names. `kind` is "terrain", "value" or "raised": elevations of
 * cells that lava has changed. */
struct record_grid {
    struct georef geo;
    int rows, cols;
    float *value; /* malloc'ed */
};
/* Takes over the values of *grid, even if it fails. */
typedef int record_put_grid(struct record *r, char **name, const char *kind,
                            struct record_grid *grid, struct error *e);
/* Gets a grid of the size in *grid. Its values live as long as the record; if *owned, the caller frees them. */
typedef int record_get_grid(const struct record *r, const char *name, struct record_grid *grid,
                            bool *owned, struct error *e);

/* Sets where the cells of frames come from. */
typedef int record_get_frames(struct record_scene *s, const struct record *r, struct frames *f,
                              struct error *e);

struct record_io {
    bool reading;
    bool bare;       /* maps have no cells but their terrain */
    struct cJSON *o; /* the object that is written or read */
    const char *name;
    struct record_scene *to; /* reading: the owner of what is allocated */
    struct record *record;   /* the record that has the grids */
    record_put_grid *put;
    record_get_grid *get;
    record_get_frames *get_frames;
    struct cJSON *background; /* reading: the record's only background; NULL: none */
    int status;               /* the first error, after which nothing more is done */
    struct error *e;
};

/* Writes *s to io->o, or reads it from there. */
void record_io_scene(struct record_io *io, struct scene *s);
const char *record_kind_name(enum scene_kind kind); /* what record.json calls a kind of scene */

/* record_background_of(): the background of a scene, NULL: it has none. record_put_background(): writes its features to
 * io->o. */
const struct map_background *record_background_of(const struct scene *s);
void record_put_background(struct record_io *io, const struct map_background *b);

/* ---- record_frames.c: the cells of an animation ------------------------------------------------ */

/* A GeoTIFF with frame below frame: first the values of a frame, then its elevations where they differ from the map's terrain. */
#define RECORD_FRAMES "frames.tif"

/* Writes the file. Several threads ask *f for rows. */
int record_frames_write(const char *path, const struct frames *f, struct error *e);
/* Lets *f read its cells from an open file, which record_frames_close() closes. ERROR_INPUT: it does not fit *f. */
int record_frames_open(struct record_frames **reader, int file, struct frames *f, struct error *e);
void record_frames_close(struct record_frames *reader); /* NULL is fine */
