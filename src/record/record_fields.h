/* record_fields.h — writes and reads scenes as record.json, and the file with the cells of an animation. Each structure
 * has one function, which both writes and reads it. */
#pragma once

#include "record.h"

struct cJSON;

/* Each grid is a file in the archive, which record.json names. `kind` is "terrain", "value", or "raised" for the
 * elevations that lava has changed. */
struct record_grid {
    struct georef geo;
    int rows, cols;
    float *value; /* malloc'ed */
};
/* Takes over the values of *grid, even on an error. */
typedef int record_put_grid(struct record *r, char **name, const char *kind,
                            struct record_grid *grid, struct error *e);
/* Gets the values of a grid. *grid has the expected size. If *owned, the caller frees the values. If not, the record
 * keeps them. */
typedef int record_get_grid(const struct record *r, const char *name, struct record_grid *grid,
                            bool *owned, struct error *e);

/* Sets the functions with which *f gives the cells of its frames. */
typedef int record_get_frames(struct record_scene *s, const struct record *r, struct frames *f,
                              struct error *e);

struct record_io {
    bool reading;
    bool bare;       /* maps have a terrain, but no values */
    struct cJSON *o; /* the JSON object that is written or read */
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
const char *record_kind_name(enum scene_kind kind); /* the name of a kind of scene in record.json */

/* record_background_of() returns the background of a scene; NULL: none. record_put_background() writes the features of a
 * background to io->o. */
const struct map_background *record_background_of(const struct scene *s);
void record_put_background(struct record_io *io, const struct map_background *b);

/* ---- record_frames.c: the cells of an animation ------------------------------------------------ */

/* A GeoTIFF with all frames, one below the other. A frame has two grids: its values, then its elevations where they
 * differ from the map's terrain. */
#define RECORD_FRAMES "frames.tif"

/* Writes the file. Several threads call f->row(). */
int record_frames_write(const char *path, const struct frames *f, struct error *e);
/* Lets *f read its cells from an open file, which record_frames_close() closes. ERROR_INPUT: the file does not fit *f. */
int record_frames_open(struct record_frames **reader, int file, struct frames *f, struct error *e);
void record_frames_close(struct record_frames *reader); /* NULL is fine */
