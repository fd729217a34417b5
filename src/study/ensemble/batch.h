/* batch.h — the interface between the engine and src/study/batch, which computes many members in one launch on a GPU.
 * A program without CUDA has the functions of batch_missing.c, which report that CUDA is missing.
 *
 * A batch has the data that all members share, and two lanes for launches. While the device
 * computes the launch of one lane, the host begins or ends the launch of the other lane. The
 * reference gives the same outcomes, bit for bit. */
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
    const struct problem *base;   /* terrain, initial lava and first step; the caller keeps it */
    const unsigned char *outline; /* rows*cols, nonzero inside; NULL: none */
    const struct axis *thickness_m, *arrival_s; /* classes for batch_outcome.cell */
    int device;
    int members;      /* largest number of members in a launch; 0: batch_create() chooses */
    size_t bytes_max; /* limit of device memory; 0: nine tenths of free memory, at most 60 GiB */
    size_t share_max; /* largest memory of a block in a launch with all blocks; 0: no limit */
    size_t reached_cells; /* reached cells that a launch has room for; 0: batch_create() chooses */
};

/* A member to compute. *problem has the rasters of batch_setup.base, but may have its own elevations. */
struct batch_job {
    const struct problem *problem;
    struct terrain_error error; /* added to the elevations; sd_m 0: none */
    int64_t steps;              /* number of the last step */
};

enum batch_fate {
    BATCH_COMPUTED,
    BATCH_NOT_BEGUN,  /* the batch was stopped before the member began */
    BATCH_TOO_LARGE,  /* a block had too little memory: compute again with fewer blocks */
    BATCH_CROWDED_OUT /* no room for reached cells: compute again with fewer members */
};

struct batch_outcome {
    enum batch_fate fate; /* only BATCH_COMPUTED sets the fields below */
    int64_t step;
    bool stopped;
    uint64_t digest; /* fields_digest() of the last state */
    /* Amounts of lava, checked by batch_end(). The sums of heat are 0. left_domain includes lava in the sea. */
    struct ledger ledger;
    /* cells: number of cells with mobile or solid lava. both: number of these cells inside the outline. */
    uint64_t cells, both;
    double max_thickness_m;
    /* Greatest squared distance of lava to its nearest vent, in cells; < 0: none. */
    double farthest;
    int32_t last_arrival; /* the last step in which lava came to a new cell; -1: none */
    uint64_t updates;     /* number of updates of cells with lava */
    int window_rows, window_cols, grown; /* window at the end; how often it grew */
    struct reached *cell;                /* malloc'ed; the caller frees it */
    size_t cell_count;                   /* cells are in any order */
};

/* Returns 0 if this machine has the device and can use it; else ERROR_DEVICE with the reason. `what` receives the
 * name of the device. */
int batch_available(int device, char what[128], struct error *e);

/* Prepares a device for its first use in a process. This takes a while; any thread may call it. */
void batch_warm(int device);

int batch_create(struct batch **b, const struct batch_setup *s, struct error *e);
void batch_destroy(struct batch *b); /* NULL is fine */

int batch_blocks_at_once(const struct batch *b);  /* how many members are computed at a time */
int batch_members_at_most(const struct batch *b); /* largest number of members in a launch */
size_t batch_memory(const struct batch *b);       /* bytes in use on the device */

/* Whether the device can compute a job. If not, the reference has to compute it. */
bool batch_takes(const struct batch *b, const struct batch_job *job);

/* Launches `count` jobs on a lane. The device begins them in the order of the array. The caller may free the jobs
 * afterwards. blocks: the largest number of blocks that compute at once; 0: batch_blocks_at_once(). Fewer blocks have more
 * memory each. If the other lane still computes with another number of blocks, this lane waits. */
int batch_begin(struct batch *b, int lane, const struct batch_job *jobs, int count, int blocks,
                struct error *e);

/* Stops a batch: no block begins another member. Any thread may call it. */
void batch_stop(struct batch *b);

/* Waits for the jobs of a lane and sets their outcomes. After an error there are no outcomes. */
int batch_end(struct batch *b, int lane, struct batch_outcome *out, struct error *e);

#ifdef __cplusplus
}
#endif
