/* forecast_folder.h — the forecast that an ensemble, a calibration or a null model left in its folder. */
#pragma once

#include "raster/raster.h"
#include "verify.h"

struct forecast_folder {
    struct raster probability; /* NaN: 0 */
    struct raster
        domain;      /* the grid of the plan, of which layers may show a part; rows 0: not known */
    char *outline;   /* of the plan, ""; none */
    uint64_t weight; /* of all members */
    double members;  /* their effective number */
};

/* Whether it is the folder of many runs. */
bool forecast_folder_is(const char *path);

/* ERROR_INPUT where there is no probability.tif or no number of members. Probabilities have 24 bits. */
int forecast_folder_read(struct forecast_folder *f, const char *path, struct error *e);
void forecast_folder_free(struct forecast_folder *f); /* all-zero is fine */

/* As verify.h wants it, on that domain; *f stays the caller's. */
struct forecast forecast_folder_on(const struct forecast_folder *f, const struct domain *domain);
