/* identity.h — all that decides the bits of a run, in a few numbers: the case of a state, and what differs in
 * another case. */
#pragma once

#include "case/case.h"
#include "case/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct identity {
    int rows, cols;       /* of the domain */
    struct window window; /* in which terrain, lava and sea were looked at */
    double west_m, south_m, cell_m;
    double parameter[PARAMETERS]; /* in the order of params_table */
    uint64_t terrain, lava;       /* digests: elevations; lava there at first_step */
    uint64_t sea;                 /* digest of its cells; 0: there are none */
    uint64_t changes;             /* digest of later changes of the terrain; 0: none */
    uint64_t vents, rates;        /* digests: cells that emit; how much in which step */
    int64_t first_step;
    int reduce_every;
    double stop_below_m; /* -1: no stopping rule */
    /* Pclock before it was scaled with the cell; 0: it was not. Set for a case, not for a state,
     * and does not decide whether a state fits. */
    double unscaled_clock_s;
};

/* The identity of a case before its first step. Only a window of its rasters counts; it is read
 * if needed. A window that is not within the domain has no cells. Errors are those of reading. */
int identity_of(struct identity *id, const struct sim_case *c, struct window w, struct error *e);

/* Whether a window lies in a domain. No sum overflows, whatever the numbers. */
bool identity_is_within(struct window w, int rows, int cols);

uint64_t identity_digest(const struct identity *id);

/* The parts in which two differ, 1u << enum case_part each. */
unsigned identity_parts(const struct identity *a, const struct identity *b);

/* The differences between a state and a case for people ("the rates, Pcool (2.8, now 3)"), cut to
 * the room; empty: equal. Returns whether a run can resume if the change is intended: the grid and
 * the first lava have to be the same; elevations may differ, as IDENTITY_OTHER_TERRAIN. */
enum { IDENTITY_TEXT = 400 };
enum identity_fits { IDENTITY_OTHER, IDENTITY_SAME_TERRAIN, IDENTITY_OTHER_TERRAIN };
enum identity_fits identity_differ(const struct identity *state, const struct identity *now,
                                   char text[IDENTITY_TEXT]);

/* If the step of a state is Pclock as older versions used it, not scaled with the cell: the line that
 * restores it, "add the line 'Pclock 120' ..."; else NULL. */
const char *identity_clock_remedy(const struct identity *state, const struct identity *now,
                                  char text[128]);

struct cJSON;
struct cJSON *identity_json(const struct identity *id);
/* Reads an identity from JSON; false: a number is missing, or the digest beside the numbers is not
 * theirs. */
bool identity_from_json(struct identity *id, const struct cJSON *o);
