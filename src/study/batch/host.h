/* host.h — a batch as the host sees it. */
#ifndef SCIARA_BATCH_HOST_H
#define SCIARA_BATCH_HOST_H

#include "ensemble/batch.h"
#include "view.h"

#include "gpu/host.h"

/* Tables of a launch without a fixed length: they grow. */
enum { TABLE_VENTS, TABLE_INTERVALS, TABLE_TERRAINS, LANE_TABLES };
struct batch_table {
    void *device;
    size_t bytes, room;
};

struct batch_lane {
    cudaStream_t stream;
    int count, blocks; /* of the launch under way; count 0: none */
    struct batch_member *member;
    struct batch_result *result;
    struct reached *reached;
    struct batch_control *control;
    struct batch_table table[LANE_TABLES];
    struct batch_member *sent; /* on the host; what follows too, until the launch has ended */
    struct batch_vent *vent;
    struct batch_interval *interval;
};

/* What the first state adds up to, in the whole domain. */
struct batch_start_sums {
    quanta initial;
    struct batch_box box; /* around its lava, solid or not */
};

struct batch {
    struct gpu gpu; /* for its memory and errors */
    struct problem base;
    struct batch_start_sums start;
    struct batch_view view; /* what all launches have in common */
    int blocks, members;
    size_t reached_cells, pool_bytes;
    size_t window_cells; /* of the largest window there can be */
    struct batch_lane lane[BATCH_LANES];
    int *stop; /* in memory of the host that the device reads */
};

/* Of half a share, for this number of blocks. */
struct batch_layout batch_layout_for(const struct batch *b, int blocks);

void batch_lane_clear(struct batch_lane *l); /* what the host holds of a launch */

#endif
