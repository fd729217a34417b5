/* member.h — one eruption of a plan, ready to run: a pure function of plan and number, to the same
 * bits on every machine and thread. */
#pragma once

#include "plan.h"
#include "random/terrain_error.h"
#include "random/variables.h"

struct member {
    int64_t number;
    uint64_t weight;   /* > 0; the sum over all members is less than 2^53 */
    struct sim_case c; /* borrows from the plan, which outlives it */

    const struct plan *plan;
    double value[VARIABLES]; /* as drawn, or as in the table; NaN: as in the case */
    int source;              /* which of the plan's vents it erupts from; -1: none of them */
    int vent;                /* number of the drawn vent, 0: all vents of the case */
    double x, y;             /* middle of its vents, map coordinates */
    int class;               /* -1: none */
    const char *rates;       /* name of the file in the member table, NULL: none */
    struct terrain_spectrum error;
    double *elevation_m;            /* c.elevation_m where it is this member's own, else NULL */
    struct fields from;             /* the state on that terrain, where c begins with one */
    struct member_changes *changes; /* own elevations of c.change; NULL: those of the plan */
    struct member_terrain *terrain; /* reads the terrain in tiles; NULL: all of it is there */
    char called[600];               /* for messages; c borrows it */
};

/* Thread-safe. On an error *m is all zero. */
int member_create(struct member *m, const struct plan *p, int64_t number, struct error *e);

/* Makes a member as member_create() does, but with the terrain of the plan's case in place of its
 * own (m->error is to be added): nothing of the size of the grid is computed. */
int member_create_flat(struct member *m, const struct plan *p, int64_t number, struct error *e);

void member_free(struct member *m); /* all-zero is fine */

/* Sets whether the member can be run; false: member_create_flat() has ERROR_INPUT. Returns any other error. The
 * stack of a thread may be small. */
int member_possible(bool *possible, const struct plan *p, int64_t number, struct error *e);

/* Writes column i of the plan's table for a member, as it stands in files. */
void member_value(const struct member *m, int i, char text[64]);

/* The weight of member `number`, without making it. */
uint64_t member_weight(const struct plan *p, int64_t number);

/* When the eruption of a member ends, and all its lava, without making it; 0: it has no vents. */
int member_eruption(double *end_s, double *volume_m3, const struct plan *p, int64_t number,
                    struct error *e);
