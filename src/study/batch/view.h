/* view.h — data that the kernels of the batch engine and the host share: members to compute, their results, and the
 * shared memory of a block. */
#ifndef SCIARA_BATCH_VIEW_H
#define SCIARA_BATCH_VIEW_H

#include "gpu/cell.h"

#include "members/statistics.h"
#include "random/terrain_error.h"
#include "sim/digest.h"
#include "sim/fields.h"

/* The emulator has small sizes, so that even small members outgrow these sizes. */
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
    int threads; /* threads of a block */
    int listed;  /* listed cells in shared memory; further listed cells are in device memory */
    int bits; /* cells with bits in shared memory; a larger window has its bits in device memory */
};
constexpr struct batch_sizes batch_sizes = BATCH_SIZES;

enum {
    BATCH_THREADS = batch_sizes.threads,
    BATCH_WARPS = BATCH_THREADS / 32,
    BATCH_LISTED = batch_sizes.listed,
    BATCH_BITS = batch_sizes.bits,
    BATCH_LOOKS = 4,       /* listed cells that a thread tests together */
    BATCH_SORT_EVERY = 64, /* steps between sorts of the list, which remove dry cells */
    BATCH_NODES = batch_sizes.listed / 2,
    BATCH_MARGIN = 8, /* cells that a new window has on each side of its vents and lava */
    BATCH_POURS = 64, /* number of a member's vents whose emission is in shared memory */
};
static_assert(BATCH_THREADS % 32 == 0 && BATCH_WARPS <= 32,
              "one warp adds up the sums of the others");

/* ---- input from the host --------------------------------------------------------------------- */

/* A vent in a cell. Its emission is in intervals `begin` to `end` - 1. Vents are sorted by row and column, so the
 * vents of a cell follow one another. */
struct batch_vent {
    int row, col, begin, end;
};

/* An interval of a vent's emission (sim/vent.h). */
struct batch_interval {
    long long first_step;
    double amount_m;
    gpu_word fraction, phase;
};

struct batch_box { /* rows and columns of the domain; row1 and col1 are outside the box */
    int row0, col0, row1, col1;
};

struct batch_member {
    struct physics physics;
    struct gpu_rule rule;
    struct terrain_error error; /* added to the elevations; sd_m 0: no error */
    const double *elevation_m;  /* the member's own terrain, or NULL */
    /* first_step: number of steps already done in the initial state. steps: number of the last step, unless the
     * stopping rule ends the member earlier. */
    long long first_step, steps;
    double clock_s;
    int vent, vents; /* its first vent in batch_view.vent; number of its vents */
    /* Whether cooling alone may make lava flow. Then all cells are tested in each step. */
    bool rises;
};

static_assert(sizeof(struct batch_member) % 8 == 0, "it is copied by words");

/* ---- the cells of a window ------------------------------------------------------------------- */

struct __align__(16) batch_ground
{
    double z, h;
};
/* What flows into a cell minus what flows out of the cell; 0 between steps. */
struct __align__(16) batch_flow
{
    double gain_m;
    gpu_word heat;
};
/* Records of a cell, updated by physics_record(). level_m is the largest z + h so far. The largest thickness is
 * level_m minus the initial ground of the cell. */
struct __align__(16) batch_record
{
    double level_m, max_temp_K;
};

/* Kinds of bits. A window has one bit of each kind for each cell. batch_around() also reads one bit before the first
 * cell and one bit after the last cell. */
enum {
    BITS_LISTED,      /* cells on the list: with lava, or with a vent */
    BITS_CHANGED,     /* for even steps: cells with new z or h, with higher T, or from the queue */
    BITS_CHANGED_TOO, /* the same for odd steps */
    BITS_BORDER,      /* cells at the border; always in device memory */
    BITS_VENT,        /* cells with vents; always in device memory */
    BITS_KINDS,
    BITS_MOVING = BITS_BORDER /* number of kinds that change from step to step */
};

/* Layout of half the share of a block (batch_view.pool). A window is in one half, and grows into the other half. The
 * values of 32 successive cells are adjacent in memory, so one register can point to all of these values. The bits of
 * the window are at the end. */
enum {
    AT_GROUND = 0, /* AT_...: bytes per cell of all values before this value */
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
    size_t cells, bytes; /* number of cells that fit, a multiple of 32; bytes of the half */
};

/* The layout of half a share that has room for `cells` cells, a multiple of 32. */
static inline struct batch_layout batch_layout_of(size_t cells)
{
    struct batch_layout in = {};
    const size_t bits = BITS_KINDS * (cells / 32 + 2) * sizeof(unsigned);
    in.cells = cells;
    in.bytes = (cells * BATCH_CELL_BYTES + bits + 255) / 256 * 256;
    return in;
}

/* ---- results from the device ----------------------------------------------------------------- */

enum batch_end {
    BATCH_NONE,      /* not computed */
    BATCH_DONE,      /* made all its steps */
    BATCH_STOPPED,   /* ended by the stopping rule */
    BATCH_OUTGREW,   /* lava needs a larger window than fits into half a share */
    BATCH_UNWRITTEN, /* there was no room for the reached cells */
};

struct batch_result {
    int end;          /* enum batch_end */
    int last_arrival; /* last step in which lava entered a new cell; -1: never */
    long long step;
    struct gpu_sum emitted, left, mobile, solid;
    gpu_word digest;      /* sum of batch_digest() over the reached cells */
    gpu_word cells, both; /* cells: with lava at the end; both: with lava, and inside the outline */
    gpu_word updates;     /* number of updates of cells with lava */
    /* Index of the member's first reached cell in batch_view.reached; number of its reached cells. */
    gpu_word reached, reached_cells;
    double max_thickness_m; /* largest thickness in the window */
    double farthest; /* largest squared distance of lava to its nearest vent, in cells; -1: none */
    int window_rows, window_cols, grown;
};

/* Counters of a launch, 0 at its beginning. */
struct batch_control {
    int next; /* the first member that no block has taken */
    int unused;
    /* Reached cells of all members so far, even of members without room for their cells. */
    gpu_word reached_cells;
};

/* The parameter of a kernel, passed by value. Rasters are row by row over the domain. */
struct batch_view {
    int rows, cols;
    const double *elevation_m;                    /* NaN: no data */
    const double *thickness_m, *temp_K, *solid_m; /* initial state of all members, or NULL */
    const unsigned char *outline;                 /* nonzero inside; NULL: no outline */
    /* Box around initial lava, mobile or solidified. */
    struct batch_box lava;
    int thickness_edges, arrival_edges; /* numbers of edges of the classes (members/axis.h) */
    const double *thickness_edge, *arrival_edge;

    int members;
    const struct batch_member *member;
    const struct batch_vent *vent;
    const struct batch_interval *interval;

    struct batch_result *result;
    struct reached *reached;
    gpu_word reached_cells; /* room for reached cells */
    struct batch_control *control;
    const int *stop; /* not 0: blocks take no further members; in host memory */
    int *taken;      /* for each share: whether a block has taken it */
    int shares;      /* at least the number of blocks on the device at once */
    char *pool;      /* device memory, divided into shares */
    struct batch_layout in;
};

/* ---- shared memory of a block ---------------------------------------------------------------- */

/* The window of a member: the rows and columns of the domain for which it has memory. A cell has the number
 * row * cols + col, counted in the window. cols and col0 are multiples of 32, so that all bits of a word belong to
 * one row. */
struct batch_window {
    int row0, col0, rows, cols;
    int half;     /* the half of the share that has the window: 0 or 1 */
    int words;    /* number of words of bits */
    char *memory; /* cells, then bits */
};

/* An element of the list is the number of a cell, with flags in the highest bits. */
enum : unsigned {
    BATCH_VENT = 0x80000000u,
    BATCH_BORDER = 0x40000000u,
    BATCH_SPECIAL = BATCH_VENT | BATCH_BORDER,
    BATCH_CELL = 0x3fffffffu
};

/* Data of a block, in shared memory. */
struct batch_block {
    struct batch_member m;
    struct batch_window w;
    int share, number;
    int count;     /* length of the list */
    int queued[2]; /* cells in the queue (from which lava may flow), in even and in odd steps */
    unsigned grow; /* sides of the window that lava has reached (BATCH_GROW_...) */
    long long step;
    int grown;
    struct gpu_sum emitted, left, mobile, solid;
    gpu_word updates;
    struct batch_result end; /* result of the member, while it is computed */
    int written;             /* number of reached cells written */
    /* Emissions of the first BATCH_POURS vents, from the present step on. */
    struct gpu_emission pours[BATCH_POURS];
    unsigned vent_cell[BATCH_POURS];
    double most[BATCH_WARPS][2];
    int last[BATCH_WARPS];
    int scan[33];
    unsigned candidate[BATCH_WARPS][32 * BATCH_LOOKS + 32];
    unsigned bits[BITS_MOVING][BATCH_BITS / 32 + 2];
    union {
        unsigned list[BATCH_LISTED];
        /* Nodes of the terrain error, only while a window is filled (terrain.h). */
        double node[BATCH_NODES];
    };
};

/* Marks functions that are called rarely. They are not inlined, so that they do not take registers from the
 * functions of each step. */
#define BATCH_SELDOM __noinline__

/* Marks functions that each step calls. They are inlined, so that the compiler knows which data are parameters and
 * which data are in shared memory. */
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
