/* record_fields.h — what of a scene is in record.json: each structure once, for writing and for reading. */
#pragma once

#include "record.h"

struct cJSON;

/* Grids are files of their own: their names in the archive are in record.json. `kind`: "terrain", "raised" (that of cells which lava
 * has changed), "value". */
struct record_grid {
    struct georef geo;
    int rows, cols;
    float *value; /* malloc'ed */
};
/* Takes its values, also after an error. */
typedef int record_put_grid(struct record *r, char **name, const char *kind,
                            struct record_grid *grid, struct error *e);
/* A grid of that size; its values live as long as the record, or *owned: they are malloc'ed. */
typedef int record_get_grid(const struct record *r, const char *name, struct record_grid *grid,
                            bool *owned, struct error *e);

/* Sets where the cells of frames come from. */
typedef int record_get_frames(struct record_scene *s, const struct record *r, struct frames *f,
                              struct error *e);

struct record_io {
    bool reading;
    bool bare;       /* a map has no cells but its terrain */
    struct cJSON *o; /* the object of what is described */
    const char *name;
    struct record_scene *to; /* reading: owns what is allocated */
    struct record *record;   /* what the grids are of */
    record_put_grid *put;
    record_get_grid *get;
    record_get_frames *get_frames;
    struct cJSON *background; /* reading: of all pictures of the record; NULL: none */
    int status;               /* of the first that failed; nothing is done after it */
    struct error *e;
};

/* Writes *s, or reads it. */
void record_io_scene(struct record_io *io, struct scene *s);

/* The background of a scene, NULL: it has none; and the features of one, which are written to io->o. */
const struct map_background *record_background_of(const struct scene *s);
void record_put_background(struct record_io *io, const struct map_background *b);
