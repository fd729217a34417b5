/* restart.h — the exact state of a run in a file, from which a run goes on to the same bits.
 *
 * A Float64 GeoTIFF (raster/geotiff_stack.h) with a band for each array of struct fields; what
 * else belongs to a state is JSON in its tag ImageDescription (docs/formats.md). What vents emit is
 * a function of the step alone (sim/vent.h): nothing of it is kept. */
#ifndef SCIARA_RESTART_H
#define SCIARA_RESTART_H

#include "identity.h"
#include "sim/fields.h"
#include "sim/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* A state that a run went on from. */
struct restart_link {
    int64_t step;
    uint64_t digest;               /* of the state, fields_digest() */
    uint64_t identity;             /* identity_digest() of the case that wrote it */
    char variant[32], version[64]; /* that wrote it */
    bool changed;                  /* the case that went on is another */
};

/* What a state says beside its fields. */
struct restart {
    struct identity identity;
    char name[64]; /* of the case */
    char variant[32], version[64];
    int64_t step;
    double time_s;
    bool stopped; /* by the stopping rule */
    uint64_t digest;
    int link_count;
    struct restart_link *link; /* the oldest first; owned */
    struct samples samples;    /* of the run up to then; owned */
};
void restart_free(struct restart *r); /* all-zero is fine */

/* Notes that a run goes on from the state of *from, with its chain and one more link: *r gets the
 * chain, and the samples. ERROR_FAILED: out of memory. */
int restart_chain(struct restart *r, const struct restart *from, bool changed, struct error *e);

/* Writes *f, a state of *c: step, time, stopped and digest of *r are set from these; what is left
 * comes from *r. Appears whole or not at all, and is on the disk then. */
int restart_write(const char *path, struct restart *r, const struct sim_case *c,
                  const struct fields *f, struct error *e);

/* Reads and checks everything; f NULL: only what it says of itself. ERROR_INPUT with one line: no
 * state, truncated, damaged; nothing is left then. */
int restart_read(struct restart *r, struct fields *f, const char *path, struct error *e);

/* Whether the case can go on from it. ERROR_INPUT with what differs: anything; only the ground;
 * only the ground but for its elevations, of which is known what they have in them. */
enum restart_change { RESTART_UNCHANGED, RESTART_CHANGED, RESTART_OTHER_TERRAIN };
int restart_fits(const struct restart *r, const struct identity *now, enum restart_change change,
                 const char *path, struct error *e);

/* As JSON: the chain alone, and all that a file says beside its arrays. */
struct cJSON;
struct cJSON *restart_links_json(const struct restart *r);
struct cJSON *restart_json(const struct restart *r, const struct fields *f);

/* ---- folders --------------------------------------------------------------------------------- */

/* "FOLDER/state_016000.tif", malloc'ed; NULL: out of memory. */
char *restart_path(const char *folder, int64_t step);

/* Whether a name is that of a state, and of which step. */
bool restart_is_name(const char *name, int64_t *step);

/* The steps of the states in a folder, the latest first: at most `room` of them, returns how many;
 * a folder that cannot be read has none. */
int restart_list(const char *folder, int64_t *step, int room);

/* Whether a file is a state, damaged or not. */
bool restart_is(const char *path);

#endif
