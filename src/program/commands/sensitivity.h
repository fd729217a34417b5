/* sensitivity.h — the parts of `sciara sensitivity` among themselves. */
#ifndef SCIARA_CLI_SENSITIVITY_H
#define SCIARA_CLI_SENSITIVITY_H

#include "run.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct sensitivity_request {
    const char *plan, *output;           /* output NULL: output/NAME-OF-PLAN */
    int method;                          /* enum sensitivity_method less 1; -1: as the plan says */
    int64_t samples, trajectories, seed; /* 0, 0, < 0: as the plan says */
    int threads;                         /* 0: all */
    int variant;                         /* of ensemble_variants */
    unsigned formats;                    /* OUTPUT_SVG, OUTPUT_PDF: beside PNG */
    struct run_map map;                  /* page of the maps */
    const char *devices;                 /* NULL: the first */
    bool resume, quiet, json;
};

int sensitivity_job(const struct sensitivity_request *q, struct error *e);

#endif
