/* view.h — what the kernels of the batch engine and the host share: members to compute, what became
 * of them, and what a block keeps on the chip. batch.cu draws who owns what. */
#ifndef SCIARA_BATCH_VIEW_H
#define SCIARA_BATCH_VIEW_H

#include "gpu/cell.h"

#include "members/statistics.h"
#include "random/terrain_error.h"
#include "sim/digest.h"
#include "sim/fields.h"

/* The emulator gets little of everything, so that small members outgrow it. */
#if !defined(BATCH_SIZES)
#if defined(SCIARA_EMULATOR)
#define BATCH_SIZES                                                                                \
    {                                                                                              \
        64, 200, 2048                                                                              \
    }
#else
#define BATCH_SIZES                                                                                \
    {                                                                                              \
        640, 12288, 147456                                                                         \
    }
#endif
#endif
struct batch_sizes {
    int threads; /* of a block */
    int listed;  /* cells of the list that stand in shared memory; the others in the share */
    int bits;    /* cells whose bits do so; a window that is larger has them in the share */
};
constexpr struct batch_sizes batch_sizes = BATCH_SIZES;

enum {
    BATCH_THREADS = batch_sizes.threads,
    BATCH_WARPS = BATCH_THREADS / 32,
    BATCH_LISTED = batch_sizes.listed,
    BATCH_BITS = batch_sizes.bits,
    BATCH_LOOKS = 4,       /* cells of the list that a thread tests together */
    BATCH_SORT_EVERY = 64, /* steps between two times that the list is sorted and cleared */
    BATCH_NODES = batch_sizes.listed / 2,
    BATCH_MARGIN = 8, /* cells of a new window around vents and lava */
    BATCH_POURS = 64, /* vents whose emission is at hand */
};
static_assert(BATCH_THREADS % 32 == 0 && BATCH_WARPS <= 32,
              "one warp adds up the sums of the others");

/* ---- input from the host --------------------------------------------------------------------- */

/* A vent in a cell, and its table: intervals begin to end - 1. Sorted by row and column, those of
 * one cell after each other. */
struct batch_vent {
    int row, col, begin, end;
};

/* An interval of that table (sim/vent.h). */
struct batch_interval {
    long long first_step;
    double amount_m;
    gpu_word fraction, phase;
};

struct batch_box { /* rows and columns of the domain; the last ones are outside */
    int row0, col0, row1, col1;
};

struct batch_member {
    struct physics physics;
    struct gpu_rule rule;
    struct terrain_error error;  /* added to the terrain of all; sd_m 0: none */
    const double *elevation_m;   /* a terrain of its own, or NULL */
    long long first_step, steps; /* done before; the last one to be made at most */
    double clock_s;
    int vent, vents; /* the first one, and how many */
    bool rises;      /* lava may begin to flow because it cools: no cell may be passed over */
};

static_assert(sizeof(struct batch_member) % 8 == 0, "it is copied by words");

/* ---- the cells of a window ------------------------------------------------------------------- */

struct __align__(16) batch_ground
{ /* of a cell */
    double z, h;
};
struct __align__(16) batch_flow
{ /* into a cell, less what flows out; 0 between steps */
    double gain_m;
    gpu_word heat;
};
struct __align__(16) batch_record
{ /* physics_record() of z + h, which is h + s and a constant */
    double level_m, max_temp_K;
};

/* The bits of the cells of a window; a bit more on either side can be read (batch_around). */
enum {
    BITS_LISTED,  /* on the list: cells with lava, and vents */
    BITS_CHANGED, /* in two steps in turn: z or h has changed, or T is higher */
    BITS_CHANGED_TOO,
    BITS_BORDER, /* cells of the border; in the share always */
    BITS_VENT,   /* cells with vents; in the share always */
    BITS_KINDS,
    BITS_MOVING = BITS_BORDER /* the number of kinds that change from step to step */
};

/* Half a share: a window lies in one half and grows into the other. All about 32 cells that follow
 * each other stands together, so that one register leads to it; the bits come last. */
enum {
    AT_GROUND = 0, /* bytes of a cell before it */
    AT_FLOW = AT_GROUND + sizeof(struct batch_ground),
    AT_RECORD = AT_FLOW + sizeof(struct batch_flow),
    AT_T = AT_RECORD + sizeof(struct batch_record),
    AT_Z_BEFORE = AT_T + sizeof(double),
    AT_ARRIVAL = AT_Z_BEFORE + sizeof(double),
    AT_LIST = AT_ARRIVAL + sizeof(int),
    AT_QUEUE = AT_LIST + sizeof(unsigned),
    BATCH_CELL_BYTES = AT_QUEUE + sizeof(unsigned)
};
struct batch_layout {
    size_t cells, bytes; /* room; a multiple of 32 */
};

/* Of a half with room for `cells` cells, whole words of bits. */
static inline struct batch_layout batch_layout_of(size_t cells)
{
    struct batch_layout in = {};
    const size_t bits = BITS_KINDS * (cells / 32 + 2) * sizeof(unsigned);
    in.cells = cells;
    in.bytes = (cells * BATCH_CELL_BYTES + bits + 255) / 256 * 256;
    return in;
}

/* ---- what the device answers ----------------------------------------------------------------- */

enum batch_end {
    BATCH_NONE,      /* not computed */
    BATCH_DONE,      /* all steps */
    BATCH_STOPPED,   /* by the stopping rule */
    BATCH_OUTGREW,   /* lava needs a larger window than the share of a block has room for */
    BATCH_UNWRITTEN, /* there was no room for its reached cells */
};

struct batch_result {
    int end;          /* enum batch_end */
    int last_arrival; /* -1: never */
    long long step;
    struct gpu_sum emitted, left, mobile, solid;
    gpu_word digest;                 /* what cells that lava has been in add to that of the grid */
    gpu_word cells, both;            /* with lava; of these, inside the outline */
    gpu_word updates;                /* of cells with lava */
    gpu_word reached, reached_cells; /* the first one, and how many */
    double max_thickness_m;          /* within the window */
    double farthest; /* squared distance of lava to the nearest vent, in cells; below 0: none */
    int window_rows, window_cols, grown;
};

struct batch_control { /* of a launch; zeros when it begins */
    int next;          /* the first member that no block has taken */
    int unused;
    gpu_word reached_cells; /* written, or asked for */
};

/* Everything a kernel needs; passed by value. Rasters are row by row over the domain. */
struct batch_view {
    int rows, cols;
    const double *elevation_m;                    /* NaN: no data */
    const double *thickness_m, *temp_K, *solid_m; /* as all members begin, or NULL */
    const unsigned char *outline;                 /* or NULL */
    struct batch_box lava;                        /* around initial lava, solid or not */
    int thickness_edges, arrival_edges;           /* axis.h */
    const double *thickness_edge, *arrival_edge;

    int members;
    const struct batch_member *member;
    const struct batch_vent *vent;
    const struct batch_interval *interval;

    struct batch_result *result;
    struct reached *reached;
    gpu_word reached_cells; /* room for them */
    struct batch_control *control;
    const int *stop; /* of the host: no block takes another member */
    int *taken;      /* shares that a block has */
    int shares;      /* at least as many as blocks are on the device at once */
    char *pool;      /* the shares */
    struct batch_layout in;
};

/* ---- what a block has on the chip ------------------------------------------------------------ */

/* Rows and columns of the domain that a member has memory for, and where it is. Cells number
 * row * cols + col. cols and col0 are multiples of 32, so that a word of bits is of one row. */
struct batch_window {
    int row0, col0, rows, cols;
    int half, words; /* of the share; of the bits of all cells */
    char *memory;    /* of the cells, then of the bits */
};

/* An element of the list: the cell, and what is special about it. */
enum : unsigned {
    BATCH_VENT = 0x80000000u,
    BATCH_BORDER = 0x40000000u,
    BATCH_SPECIAL = BATCH_VENT | BATCH_BORDER,
    BATCH_CELL = 0x3fffffffu
};

struct batch_block { /* in shared memory */
    struct batch_member m;
    struct batch_window w;
    int share, number;
    int count;     /* of the list */
    int queued[2]; /* cells that lava may flow from; of two steps in turn */
    unsigned grow; /* sides on which lava has come to the edge of the window: 1 N, 2 S, 4 W, 8 E */
    long long step;
    int grown;
    struct gpu_sum emitted, left, mobile, solid;
    gpu_word updates;
    struct batch_result end;                /* while it is put together */
    int written;                            /* reached cells */
    struct gpu_emission pours[BATCH_POURS]; /* of the cells of the first vents, from now on */
    unsigned vent_cell[BATCH_POURS];
    double most[BATCH_WARPS][2];
    int last[BATCH_WARPS];
    int scan[33];
    unsigned candidate[BATCH_WARPS][32 * BATCH_LOOKS + 32];
    unsigned bits[BITS_MOVING][BATCH_BITS / 32 + 2];
    union {
        unsigned list[BATCH_LISTED];
        double node[BATCH_NODES]; /* while a window is filled (terrain.h) */
    };
};

/* A function that is seldom called: on its own, so that the registers of those that are called in
 * each step are theirs. */
#define BATCH_SELDOM __noinline__

/* What every step calls: within the kernel, where parameters and shared memory are known as such.
 */
#define BATCH_PASS __forceinline__

__device__ static inline int batch_lane(void)
{
    return (int)(threadIdx.x % 32);
}
__device__ static inline int batch_warp(void)
{
    return (int)(threadIdx.x / 32);
}

#endif
