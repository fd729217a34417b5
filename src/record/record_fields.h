/* record_fields.h — what of a scene is in record.json: each structure once, for writing and for reading. */
#pragma once

#include "record.h"

struct cJSON;
struct record_files;

/* Grids are files of their own: their names in the archive are in record.json. `kind`: "terrain", "raised" (that of cells which lava
 * has changed), "value". */
typedef int record_put_grid(struct record_files *f, char **name, const char *kind,
                            const struct georef *geo, int rows, int cols, const float *value,
                            struct error *e);
typedef int record_get_grid(const struct record_files *f, const char *name, struct georef *geo,
                            int rows, int cols, double *value, struct error *e);

struct record_io {
    bool reading;
    struct cJSON *o; /* the object of what is described */
    const char *name;
    struct record_scene *to; /* reading: owns what is allocated */
    struct record_files *files;
    record_put_grid *put;
    record_get_grid *get;
    int status; /* of the first that failed; nothing is done after it */
    struct error *e;
};

/* Writes *s, or reads it. */
void record_io_scene(struct record_io *io, struct scene *s);
