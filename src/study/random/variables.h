/* variables.h — the numbers that may differ between members. Their names appear in plans (`vary_NAME`) and member
 * tables. Parameters of the model come first. */
#pragma once

#include "model/params.h"

enum variable {
    RATE_FACTOR = PARAMETERS, /* factor of all rates */
    DURATION_FACTOR,          /* factor of the times of the rates */
    VENT_EAST,                /* all vents move this far east, m */
    VENT_NORTH,
    AZIMUTH,         /* direction of fissures, degrees clockwise from grid north */
    FISSURE_LENGTH,  /* every vent is a straight fissure of this length, m */
    ERUPTION_VOLUME, /* volume to which the rates are scaled, m3 */
    ERUPTION_H,      /* duration to which the times of the rates are stretched, h */
    RUN_H,           /* end of the run, h */
    ERUPTION_END,    /* time after which no lava is emitted, h */
    TERRAIN_ERROR,   /* standard deviation of the terrain's error, m */
    TERRAIN_LENGTH,  /* correlation length of the terrain's error, m */
    VARIABLES
};

struct variable_row {
    const char *name, *unit;
    double low, high; /* range, both ends included */
};
struct variable_row variable_row(int variable);

/* The variable of that name. -1: there is none; *nearest is then the most similar name, or NULL. */
int variable_find(const char *name, const char **nearest);

/* variable_find() for the columns of a table: it ignores upper and lower case. */
int variable_of_column(const char *name, const char **nearest);
