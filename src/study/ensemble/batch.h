/* batch.h — many members of an ensemble on one GPU, in one launch: the interface
 * between the engine and src/study/batch. A program that was built without it has functions that
 * report so (batch_missing.c).
 *
 * A batch holds what all members share. Jobs are handed over in launches, on one of two lanes, and
 * come back as outcomes; while one lane is computed the other can be handed over or taken back, and
 * the device goes from one to the other without a gap. Everything is exact: an outcome is what the
 * reference would have found, to the bit. */
#pragma once

#include "base/error.h"
#include "members/axis.h"
#include "members/statistics.h"
#include "random/terrain_error.h"
#include "sim/fields.h"

#ifdef __cplusplus
extern "C" {
#endif

struct batch;

enum { BATCH_LANES = 2, BATCH_MEMBERS_MAX = 32768 };

struct batch_setup {
    const struct problem *base;   /* terrain, initial lava and first step; kept by the caller */
    const unsigned char *outline; /* rows*cols, nonzero inside; NULL: none */
    const struct axis *thickness_m, *arrival_s; /* classes of reached cells */
    int device;
    int members;          /* at most in a launch; 0: as many as are worth their while */
    size_t bytes_max;     /* of device memory; 0: nine tenths of what is free, at most 60 GiB */
    size_t share_max;     /* of that, for a block when all compute; 0: as much as there is */
    size_t reached_cells; /* room for them in a launch; 0: chosen */
};

/* A member. Rasters of *problem are the rasters of the base, or its elevations are its own. */
struct batch_job {
    const struct problem *problem;
    struct terrain_error error; /* added to the elevations; sd_m 0: none */
    int64_t steps;              /* number of the last step */
};

enum batch_fate {
    BATCH_COMPUTED,
    BATCH_NOT_BEGUN,  /* batch_stop() came before */
    BATCH_TOO_LARGE,  /* for the share of a block: again, with fewer blocks */
    BATCH_CROWDED_OUT /* no room for its reached cells: again, with fewer members */
};

struct batch_outcome {
    enum batch_fate fate; /* the rest only if it was computed */
    int64_t step;
    bool stopped;
    uint64_t digest;      /* fields_digest() of the last state */
    struct ledger ledger; /* closes, or batch_end() fails; the heat ledger is not kept: zeros.
                             Lava in the sea is in left_domain */
    uint64_t cells, both; /* with lava, solid or not; of these, inside the outline */
    double max_thickness_m;
    double farthest;      /* cell's squared distance to the nearest vent, in cells; below 0: none */
    int32_t last_arrival; /* when lava came to a new cell for the last time; -1: never */
    uint64_t updates;     /* of cells with lava */
    int window_rows, window_cols, grown; /* memory that it had in the end */
    struct reached *cell;                /* malloc'ed: the caller's */
    size_t cell_count;                   /* in any order */
};

/* 0 if this machine can run it; else ERROR_DEVICE with the reason. *what names the device. */
int batch_available(int device, char what[128], struct error *e);

/* Prepares a device for its first use in a process, which takes a while; may be called on any thread. */
void batch_warm(int device);

int batch_create(struct batch **b, const struct batch_setup *s, struct error *e);
void batch_destroy(struct batch *b); /* NULL is fine */

int batch_blocks_at_once(const struct batch *b);  /* members that are computed at a time */
int batch_members_at_most(const struct batch *b); /* of a launch */
size_t batch_memory(const struct batch *b);       /* bytes in use on the device */

/* Whether the device can compute it: else the reference has to. */
bool batch_takes(const struct batch *b, const struct batch_job *job);

/* Hands over jobs[0] to jobs[count - 1], which begin in this order; nothing of them is needed
 * afterwards. blocks: the most at once, each with the larger a share of memory; 0: all. Where another
 * lane is still computed with another number, this one waits. */
int batch_begin(struct batch *b, int lane, const struct batch_job *jobs, int count, int blocks,
                struct error *e);

/* Stops a batch from any thread: no block takes another member any more. */
void batch_stop(struct batch *b);

/* Waits for them. On an error there are no outcomes. */
int batch_end(struct batch *b, int lane, struct batch_outcome *out, struct error *e);

#ifdef __cplusplus
}
#endif
