/* member.h — one eruption of a plan, ready to run. A member is a function of plan and number alone, with the same
 * bits on every machine and thread. */
#pragma once

#include "plan.h"
#include "random/terrain_error.h"
#include "random/variables.h"

struct member {
    int64_t number;
    uint64_t weight;   /* > 0; the sum over all members is less than 2^53 */
    struct sim_case c; /* borrows from the plan, which has to outlive it */

    const struct plan *plan;
    double value[VARIABLES]; /* drawn, or from the member table; NaN: as in the case */
    int source;              /* index in plan->sources.source; -1: none */
    int vent;                /* number of the drawn vent; 0: all vents of the case */
    double x, y;             /* middle of the member's vents in map coordinates */
    int class;               /* index in plan->classes.item; -1: none */
    const char *rates;       /* name of the rates file in the member table; NULL: none */
    struct terrain_spectrum error;
    double *elevation_m; /* c.elevation_m if it belongs to this member; else NULL */
    /* The lava with which c begins, on the member's terrain; all zero: none. */
    struct fields from;
    /* Arrays to which c.change points; NULL: it points to arrays of the plan. */
    struct member_changes *changes;
    struct member_terrain *terrain; /* reads the terrain in tiles; NULL: the terrain is in memory */
    char called[600];               /* "PATH: member NUMBER", for messages; c borrows it */
};

/* Makes a member. The caller calls member_free(). Several threads may call this function at once. On an error *m is
 * all zero. */
int member_create(struct member *m, const struct plan *p, int64_t number, struct error *e);

/* Makes a member as member_create() does, but the terrain remains the terrain of the plan's case, without a copy.
 * The caller adds the terrain error m->error where it reads the terrain. */
int member_create_flat(struct member *m, const struct plan *p, int64_t number, struct error *e);

void member_free(struct member *m); /* all-zero is fine */

/* Sets *possible to false if member_create_flat() returns ERROR_INPUT. Returns other errors. Needs little stack. */
int member_possible(bool *possible, const struct plan *p, int64_t number, struct error *e);

/* Writes the member's value in column i of the plan's table of members, as text for files. */
void member_value(const struct member *m, int i, char text[64]);

/* The weight of member `number`, found without making the member. */
uint64_t member_weight(const struct plan *p, int64_t number);

/* Finds the end of a member's eruption and the volume of its lava without running the member. Both are 0 if the
 * member has no vents. */
int member_eruption(double *end_s, double *volume_m3, const struct plan *p, int64_t number,
                    struct error *e);
