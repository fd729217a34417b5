/* variables.h — the numbers that can differ from member to member, with their names in plans
 * (`vary_NAME`), member tables and lists. Parameters of the model come first. */
#pragma once

#include "model/params.h"

enum variable {
    RATE_FACTOR = PARAMETERS, /* all rates are multiplied by this */
    DURATION_FACTOR,          /* times of the rates are multiplied by this */
    VENT_EAST,                /* all vents are moved by this, m */
    VENT_NORTH,
    AZIMUTH,         /* direction of fissures, degrees clockwise from grid north */
    FISSURE_LENGTH,  /* every vent is a straight fissure of this length, m */
    ERUPTION_VOLUME, /* rates are scaled to this, m3 */
    ERUPTION_H,      /* times of the rates are stretched to this, h */
    RUN_H,           /* end of the run, h */
    ERUPTION_END,    /* no lava is emitted later, h */
    TERRAIN_ERROR,   /* standard deviation of the terrain's error, m */
    TERRAIN_LENGTH,  /* its correlation length, m */
    VARIABLES
};

struct variable_row {
    const char *name, *unit;
    double low, high; /* ends included */
};
struct variable_row variable_row(int variable);

/* The variable of that name; -1: none, and *nearest is then the name that was probably meant, or
 * NULL. */
int variable_find(const char *name, const char **nearest);

/* variable_find() for a table, where case does not matter. */
int variable_of_column(const char *name, const char **nearest);
