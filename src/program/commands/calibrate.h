/* calibrate.h — the parts of `sciara calibrate` among themselves. */
#ifndef SCIARA_CLI_CALIBRATE_H
#define SCIARA_CLI_CALIBRATE_H

#include "run.h"

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct calibrate_request {
    const char *plan, *output; /* output NULL: output/NAME-OF-PLAN */
    int64_t evaluations, seed; /* 0, < 0: as the plan says */
    int threads;               /* 0: all */
    int variant;               /* of ensemble_variants */
    unsigned formats;          /* OUTPUT_SVG, OUTPUT_PDF, RUN_HTML: beside the usual files */
    struct run_map map;        /* page of the maps of the best */
    const char *devices;       /* NULL: the first */
    bool posterior, hold_out, resume, quiet, json;
};

int calibrate_run(const struct calibrate_request *q, struct error *e);

#endif
