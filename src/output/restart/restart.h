/* restart.h — the exact state of a run in a file; a run that resumes from it has the same bits.
 *
 * A Float64 GeoTIFF (raster/geotiff_stack.h) with a band for each array of struct fields; what
 * else belongs to a state is JSON in its tag ImageDescription (docs/formats/states.md). What vents emit is
 * a function of the step alone (sim/vent.h) and is not stored. */
#pragma once

#include "identity.h"
#include "sim/fields.h"
#include "sim/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- a state --------------------------------------------------------------------------------- */

/* A state that a run resumed from. */
struct restart_link {
    int64_t step;
    uint64_t digest;               /* of the state, fields_digest() */
    uint64_t identity;             /* identity_digest() of the case that wrote it */
    char variant[32], version[64]; /* of the program that wrote it */
    bool changed;                  /* the run resumed with another case */
};

/* The content of a state apart from its fields. */
struct restart {
    struct identity identity;
    char name[64]; /* of the case */
    char variant[32], version[64];
    int64_t step;
    double time_s;
    bool stopped; /* the run was stopped by the stopping rule */
    uint64_t digest;
    bool old; /* read from a file of 0.2.0 or before, where digests counted all cells */
    int link_count;
    struct restart_link *link; /* the oldest first; owned */
    struct samples samples;    /* samples of the run until then; owned */
};
void restart_free(struct restart *r); /* all-zero is fine */

/* Records that a run resumes from the state *from: *r gets the chain of *from with one more link,
 * and its samples. ERROR_FAILED: out of memory. */
int restart_chain(struct restart *r, const struct restart *from, bool changed, struct error *e);

/* Writes *f, a state of *c in any window that has all lava; sets identity, step, time, stopped and
 * digest of *r first. The file appears whole or not at all, and is on the disk then. */
int restart_write(const char *path, struct restart *r, const struct sim_case *c,
                  const struct fields *f, struct error *e);

/* Reads and checks everything; f NULL: without the fields. ERROR_INPUT: not a state, truncated or
 * damaged; nothing has to be freed then. */
int restart_read(struct restart *r, struct fields *f, const char *path, struct error *e);

/* Whether a case can resume from a state; *now is the identity of the case in the window of the
 * state. ERROR_INPUT with the differences if not. RESTART_CHANGED allows all but another ground;
 * RESTART_OTHER_TERRAIN allows other elevations too. */
enum restart_change { RESTART_UNCHANGED, RESTART_CHANGED, RESTART_OTHER_TERRAIN };
int restart_fits(const struct restart *r, const struct identity *now, enum restart_change change,
                 const char *path, struct error *e);

/* A restart as JSON: the chain, and all of a file but its arrays. *f gives the sums. */
struct cJSON;
struct cJSON *restart_links_json(const struct restart *r);
struct cJSON *restart_json(const struct restart *r, const struct fields *f);

/* A restart as text, malloc'ed (NULL: out of memory), and back; *sums gets no arrays. */
#define RESTART_KEY "sciara_state" /* its first member */
char *restart_text(const struct restart *r, const struct fields *f);
bool restart_from_text(struct restart *r, struct fields *sums, const char *text);

/* ---- folders --------------------------------------------------------------------------------- */

/* "FOLDER/state_016000.tif", malloc'ed; NULL: out of memory. */
char *restart_path(const char *folder, int64_t step);

/* The steps of the states in a folder, the latest first: at most `room` of them, returns how many;
 * a folder that cannot be read has none. */
int restart_list(const char *folder, int64_t *step, int room);

/* Whether a file is a state, damaged or not. */
bool restart_is(const char *path);
