/* identity.h — all that decides the bits of a run, in a few numbers: so that a state can say which
 * case it is of, and what another case has otherwise. */
#ifndef SCIARA_IDENTITY_H
#define SCIARA_IDENTITY_H

#include "case/case.h"

struct identity {
    int rows, cols; /* of the domain */
    struct window window;
    double west_m, south_m, cell_m;
    double parameter[PARAMETERS]; /* in the order of params_table */
    uint64_t terrain, lava;       /* digests: elevations; lava there at first_step */
    uint64_t sea;                 /* digest of its cells; 0: there is none */
    uint64_t changes;             /* of the terrain, later: digest; 0: none */
    uint64_t vents, rates;        /* digests: cells that emit; how much in which step */
    int64_t first_step, reduce_every;
    double stop_below_m; /* -1: no stopping rule */
};

void identity_of(struct identity *id, const struct sim_case *c);

/* Of all of it. */
uint64_t identity_digest(const struct identity *id);

/* What differs from state to case, for people ("the rates", "Pcool (2.8, now 3)", with commas), cut
 * where it has no room; empty: nothing. Returns whether a run can go on all the same, if that is
 * meant: what lay on the ground at first has to be the same, and the ground itself but for its
 * elevations. Those can be others, too, if it is said what the new ones have in them. */
enum { IDENTITY_TEXT = 400 };
enum identity_fits { IDENTITY_OTHER, IDENTITY_SAME_TERRAIN, IDENTITY_OTHER_TERRAIN };
enum identity_fits identity_differ(const struct identity *state, const struct identity *now,
                                   char text[IDENTITY_TEXT]);

/* As JSON and back; false: something is missing, or no number. */
struct cJSON;
struct cJSON *identity_json(const struct identity *id);
bool identity_from_json(struct identity *id, const struct cJSON *o);

#endif
