/* identity.h — a few numbers that identify everything on which the bits of a run depend. They show whether a state
 * belongs to a case, and what differs in another case. */
#pragma once

#include "case/case.h"
#include "case/schema.h"

#include <stdbool.h>
#include <stdint.h>

struct identity {
    int rows, cols;       /* size of the domain */
    struct window window; /* part of the domain that the digests of terrain, lava and sea count */
    double west_m, south_m, cell_m;
    double parameter[PARAMETERS]; /* in the order of params_table */
    uint64_t terrain, lava;       /* digests of the elevations, and of the lava at first_step */
    uint64_t sea;                 /* digest of the sea cells; 0: there are none */
    uint64_t changes;             /* digest of later changes of the terrain; 0: none */
    uint64_t vents, rates;        /* digests of the cells that emit, and of their amounts */
    int64_t first_step;
    int reduce_every;
    double stop_below_m; /* -1: no stopping rule */
    /* Pclock before it was scaled with the size of cells; 0: Pclock was not scaled, or the identity
     * was read from a state. This number does not decide whether a state fits. */
    double unscaled_clock_s;
};

/* Makes the identity of a case before its first step. The digests of terrain, lava and sea count
 * only the cells of the window w; a window that is not within the domain has no cells. Reads the
 * terrain of the window and all later surveys, unless they are in memory. Errors come from
 * reading. */
int identity_of(struct identity *id, const struct sim_case *c, struct window w, struct error *e);

/* Whether a window is within a domain. The window may have any numbers; no sum overflows. */
bool identity_is_within(struct window w, int rows, int cols);

uint64_t identity_digest(const struct identity *id);

/* The parts in which two identities differ, 1u << enum case_part for each part. */
unsigned identity_parts(const struct identity *a, const struct identity *b);

/* Writes for users the differences between a state and a case, such as "the rates, Pcool (2.8, now 3)", cut to
 * IDENTITY_TEXT bytes. The text is "" if they are equal. Returns IDENTITY_OTHER if no run of the case can resume from
 * the state, because the grid or the initial lava differs. Otherwise a run can resume if the differences are intended;
 * IDENTITY_OTHER_TERRAIN: elevations differ. */
enum { IDENTITY_TEXT = 400 };
enum identity_fits { IDENTITY_OTHER, IDENTITY_SAME_TERRAIN, IDENTITY_OTHER_TERRAIN };
enum identity_fits identity_differ(const struct identity *state, const struct identity *now,
                                   char text[IDENTITY_TEXT]);

/* Older versions did not scale Pclock with the size of cells. If a state has the unscaled Pclock, returns the remedy,
 * "add the line 'Pclock 120' ..."; else NULL. */
const char *identity_clock_remedy(const struct identity *state, const struct identity *now,
                                  char text[128]);

struct cJSON;
struct cJSON *identity_json(const struct identity *id);
/* Reads an identity from JSON; false: a number is missing, or the numbers have another digest than the stated one. */
bool identity_from_json(struct identity *id, const struct cJSON *o);
