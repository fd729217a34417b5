/* fit_subject.h — what `sciara fit` compares: the lava of a run or a raster, and the observed flow
 * on its grid; with what the map and the small print say of them. */
#ifndef SCIARA_CLI_FIT_SUBJECT_H
#define SCIARA_CLI_FIT_SUBJECT_H

#include "base/error.h"
#include "compare/fit.h"
#include "raster/raster.h"

#include <stdbool.h>

/* As asked for. */
struct fit_request {
    const char *run, *outline, *case_path, *dem_path, *map_path;
    double threshold_m;
    bool no_map, json;
};

/* Data of one comparison; freed together. */
struct fit_subject {
    struct raster thickness, terrain;
    struct fit_cell *vents;
    int vent_count;
    unsigned char *observed;
    double beyond_m2;           /* of the outline, outside the grid */
    double left_m3, left_share; /* of the lava; NaN: not known */
    char *title, *map_path;
    char *source,
        *stamp; /* of terrain and lava, for the small print; what is on all maps; or NULL */
    char *when; /* "22 days since start, step 16000"; NULL: not known */
    bool synthetic;
};

/* Makes *s, in which lava thinner than the threshold is none. It is to be freed after an error,
 * too; all-zero is fine. */
int fit_subject_read(struct fit_subject *s, const struct fit_request *q, struct error *e);
void fit_subject_free(struct fit_subject *s);

#endif
