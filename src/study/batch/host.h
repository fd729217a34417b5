/* host.h — a batch on the host. */
#ifndef SCIARA_BATCH_HOST_H
#define SCIARA_BATCH_HOST_H

#include "ensemble/batch.h"
#include "view.h"

#include "gpu/host.h"

/* Tables of a launch that have no fixed length and grow. */
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
    struct batch_member *sent; /* copies on the host, which the launch reads until it has ended */
    struct batch_vent *vent;
    struct batch_interval *interval;
};

/* Sums over the first state, in the whole domain. */
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
    int *stop; /* in host memory that the device can read */
};

/* The layout of half a share if `blocks` blocks divide the pool. */
struct batch_layout batch_layout_for(const struct batch *b, int blocks);

void batch_lane_clear(struct batch_lane *l); /* frees the host memory of a launch */

#endif
