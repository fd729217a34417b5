/* restart.h — the exact state of a run in a file; a run that resumes from it has the bits of an uninterrupted run.
 *
 * The file is a Float64 GeoTIFF (raster/geotiff_stack.h) with a band for each array of struct fields. All other data of a
 * state are JSON in the tag ImageDescription (docs/formats/states.md). The emission of vents depends only on the step
 * (sim/vent.h) and is not stored. */
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
    uint64_t digest;   /* digest of the state, fields_digest() */
    uint64_t identity; /* identity_digest() of the case with which the state was computed */
    char variant[32], version[64]; /* variant and version of the program that wrote the state */
    bool changed;                  /* the run resumed with another case */
};

/* The content of a state apart from its fields. */
struct restart {
    struct identity identity;
    char name[64]; /* name of the case */
    char variant[32], version[64];
    int64_t step;
    double time_s;
    bool stopped; /* the run was stopped by the stopping rule */
    uint64_t digest;
    bool old; /* read from a file of 0.2.0 or before, where digests counted all cells */
    int link_count;
    struct restart_link *link; /* the oldest first; owned */
    struct samples samples;    /* samples of the run until this step; owned */
};
void restart_free(struct restart *r); /* all-zero is fine */

/* Records that a run resumes from the state *from: *r gets the samples and the chain of *from, and one more link for
 * *from. ERROR_FAILED: out of memory. */
int restart_chain(struct restart *r, const struct restart *from, bool changed, struct error *e);

/* Sets identity, step, time, stopped and digest of *r. Then writes *f, a state of *c. The window of
 * *f has all cells with lava. The file appears whole or not at all. After success it is on the
 * disk. */
int restart_write(const char *path, struct restart *r, const struct sim_case *c,
                  const struct fields *f, struct error *e);

/* Reads and checks a whole state; f NULL: without the fields. ERROR_INPUT: the file is not a state, is truncated or
 * damaged. Then the caller need not free anything. */
int restart_read(struct restart *r, struct fields *f, const char *path, struct error *e);

/* Checks that a case can resume from a state. *now is the identity of the case in the window of the state. ERROR_INPUT:
 * the case cannot resume; the message has the differences. RESTART_CHANGED allows differences that leave grid,
 * elevations and initial lava the same. RESTART_OTHER_TERRAIN also allows other elevations. */
enum restart_change { RESTART_UNCHANGED, RESTART_CHANGED, RESTART_OTHER_TERRAIN };
int restart_fits(const struct restart *r, const struct identity *now, enum restart_change change,
                 const char *path, struct error *e);

/* restart_links_json() makes only the chain of earlier states. restart_json() makes everything in the file of a state
 * except the arrays; of *f it uses only the sums of lava and heat. */
struct cJSON;
struct cJSON *restart_links_json(const struct restart *r);
struct cJSON *restart_json(const struct restart *r, const struct fields *f);

/* restart_text() writes a restart as text, malloc'ed; NULL: out of memory. restart_from_text() reads it; *sums gets no
 * arrays. */
#define RESTART_KEY "sciara_state" /* first member of the JSON */
char *restart_text(const struct restart *r, const struct fields *f);
bool restart_from_text(struct restart *r, struct fields *sums, const char *text);

/* ---- folders --------------------------------------------------------------------------------- */

/* "FOLDER/state_016000.tif", malloc'ed; NULL: out of memory. */
char *restart_path(const char *folder, int64_t step);

/* Lists the steps of at most `room` states in a folder, the latest first. Returns their number; 0 for a folder that cannot
 * be read. */
int restart_list(const char *folder, int64_t *step, int room);

/* Whether a file is a state, damaged or not. */
bool restart_is(const char *path);
