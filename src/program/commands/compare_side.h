/* compare_side.h — one of the two that `sciara compare` compares: rasters by name, in the folder of
 * a run or made from a state. */
#ifndef SCIARA_CLI_COMPARE_SIDE_H
#define SCIARA_CLI_COMPARE_SIDE_H

#include "compare/runfolder.h"
#include "raster/raster.h"
#include "sim/fields.h"

struct compare_side {
    const char *file;        /* a raster alone; NULL: a run */
    struct runfolder folder; /* of a state: what a folder with its layers would have */
    bool state;
    struct fields f; /* of the state */
    struct georef geo;
    double hours_per_step;
};

/* Whether it is the folder of a run, or a state. */
bool side_is_run(const char *path);

int side_open(struct compare_side *s, const char *path, struct error *e);
void side_close(struct compare_side *s); /* all-zero is fine */

/* For messages and for reading, malloc'ed; NULL: out of memory. */
char *side_path(const struct compare_side *s, const char *name);
int side_raster(const struct compare_side *s, const char *name, const char *path, struct raster *r,
                struct error *e);

#endif
