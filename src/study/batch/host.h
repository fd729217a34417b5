/* host.h — a batch of members and its launches, as the host sees them. */
#ifndef SCIARA_BATCH_HOST_H
#define SCIARA_BATCH_HOST_H

#include "ensemble/batch.h"
#include "view.h"

#include "gpu/host.h"

/* Tables whose length differs from launch to launch. A larger table replaces a table on the device that is too
 * small. */
enum { TABLE_VENTS, TABLE_INTERVALS, TABLE_TERRAINS, LANE_TABLES };
struct batch_table {
    void *device;
    size_t bytes;
};

struct batch_lane {
    cudaStream_t stream;
    int count, blocks; /* members and blocks of the present launch; count 0: no launch */
    struct batch_member *member;
    struct batch_result *result;
    struct reached *reached;
    struct batch_control *control;
    struct batch_table table[LANE_TABLES];
    /* Copies on the host that the device reads until the launch has ended. */
    struct batch_member *sent;
    struct batch_vent *vent;
    struct batch_interval *interval;
};

/* Sums over the initial state of the whole domain. */
struct batch_start_sums {
    quanta initial;
    struct batch_box box; /* box around initial lava, mobile or solidified */
};

struct batch {
    struct gpu gpu; /* for memory and errors of the device */
    struct problem base;
    struct batch_start_sums start;
    struct batch_view view; /* values that all launches share */
    int blocks, members;
    size_t reached_cells, pool_bytes;
    size_t window_cells; /* cells of the largest possible window */
    struct batch_lane lane[BATCH_LANES];
    int *stop; /* not 0: blocks take no further member; the device can read this host memory */
};

/* The layout of half the share of a block, if `blocks` blocks divide the pool (batch_view.pool). */
struct batch_layout batch_layout_for(const struct batch *b, int blocks);

void batch_lane_clear(struct batch_lane *l); /* frees the host memory of a launch */

#endif
