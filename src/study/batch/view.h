/* view.h — data that the kernels of the batch engine and the host share: members to compute, their results, and the
 * shared memory of a block. */
#ifndef SCIARA_BATCH_VIEW_H
#define SCIARA_BATCH_VIEW_H

#include "gpu/cell.h"

#include "members/statistics.h"
#include "random/terrain_error.h"
#include "sim/digest.h"
#include "sim/fields.h"

/* The emulator has small sizes, so that small members outgrow them. */
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
    int listed;  /* listed cells in shared memory; further ones are in the share */
    int bits;    /* cells with bits in shared memory; larger windows have their bits in the share */
};
constexpr struct batch_sizes batch_sizes = BATCH_SIZES;

enum {
    BATCH_THREADS = batch_sizes.threads,
    BATCH_WARPS = BATCH_THREADS / 32,
    BATCH_LISTED = batch_sizes.listed,
    BATCH_BITS = batch_sizes.bits,
    BATCH_LOOKS = 4,       /* listed cells that a thread tests together */
    BATCH_SORT_EVERY = 64, /* steps between sorts of the list; dry cells leave it then */
    BATCH_NODES = batch_sizes.listed / 2,
    BATCH_MARGIN = 8, /* cells that a new window has on each side of its vents and lava */
    BATCH_POURS = 64, /* the first vents of a member; their emission is in shared memory */
};
static_assert(BATCH_THREADS % 32 == 0 && BATCH_WARPS <= 32,
              "one warp adds up the sums of the others");

/* ---- input from the host --------------------------------------------------------------------- */

/* A vent in a cell, and its table: intervals begin to end - 1. Vents are sorted by row and column, so the vents of a
 * cell follow one another. */
struct batch_vent {
    int row, col, begin, end;
};

/* An interval in the table of a vent (sim/vent.h). */
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
    struct terrain_error error; /* added to the terrain of all members; sd_m 0: none */
    const double *elevation_m;  /* the member's own terrain, or NULL */
    /* Number of steps done before; number of the step after which the member ends at the latest. */
    long long first_step, steps;
    double clock_s;
    int vent, vents; /* first vent; number of vents */
    bool rises;      /* lava may begin to flow because it cools, so no cell may be skipped */
};

static_assert(sizeof(struct batch_member) % 8 == 0, "it is copied by words");

/* ---- the cells of a window ------------------------------------------------------------------- */

struct __align__(16) batch_ground
{ /* of a cell */
    double z, h;
};
struct __align__(16) batch_flow
{ /* into a cell minus out of it; 0 between steps */
    double gain_m;
    gpu_word heat;
};
struct __align__(16) batch_record
{ /* updated by physics_record(); level_m: largest z + h. z + h is h + s plus a constant of the cell */
    double level_m, max_temp_K;
};

/* Bits of the cells of a window. batch_around() also reads one bit before and after them. */
enum {
    BITS_LISTED,  /* on the list: cells with lava, and cells with vents */
    BITS_CHANGED, /* of even steps: z or h has changed, or T has risen; of odd steps: the next */
    BITS_CHANGED_TOO,
    BITS_BORDER, /* cells at the border; always in the share */
    BITS_VENT,   /* cells with vents; always in the share */
    BITS_KINDS,
    BITS_MOVING = BITS_BORDER /* number of kinds that change from step to step */
};

/* Layout of half a share. A window is in one half, and grows into the other half. All values of 32 successive cells
 * are adjacent, so one register points to all of them. The bits are at the end. */
enum {
    AT_GROUND = 0, /* AT_...: bytes of all values of a cell that come before this value */
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
    size_t cells, bytes; /* room for so many cells, a multiple of 32; bytes of a half */
};

/* The layout of a half with room for `cells` cells, a multiple of 32. */
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
    BATCH_DONE,      /* all steps */
    BATCH_STOPPED,   /* ended by the stopping rule */
    BATCH_OUTGREW,   /* lava needs a larger window than half a share */
    BATCH_UNWRITTEN, /* there was no room for the reached cells */
};

struct batch_result {
    int end;          /* enum batch_end */
    int last_arrival; /* last step in which lava entered a new cell; -1: never */
    long long step;
    struct gpu_sum emitted, left, mobile, solid;
    gpu_word digest;      /* sum over the cells that lava has reached */
    gpu_word cells, both; /* cells with lava; those of them inside the outline */
    gpu_word updates;     /* number of updates of cells with lava */
    /* Index of the member's first reached cell in batch_view.reached; number of its reached cells. */
    gpu_word reached, reached_cells;
    double max_thickness_m; /* largest thickness in the window */
    double farthest; /* largest squared distance of lava to its nearest vent, in cells; -1: none */
    int window_rows, window_cols, grown;
};

struct batch_control { /* of a launch, which begins with zeros */
    int next;          /* the first member that no block has taken */
    int unused;
    gpu_word reached_cells; /* of all members so far, also of members for which there was no room */
};

/* The parameter of a kernel, passed by value. Rasters are row by row over the domain. */
struct batch_view {
    int rows, cols;
    const double *elevation_m;                    /* NaN: no data */
    const double *thickness_m, *temp_K, *solid_m; /* initial state of all members, or NULL */
    const unsigned char *outline;                 /* nonzero inside; NULL: no outline */
    /* Box around initial lava, mobile or solidified. */
    struct batch_box lava;
    int thickness_edges, arrival_edges; /* axis.h */
    const double *thickness_edge, *arrival_edge;

    int members;
    const struct batch_member *member;
    const struct batch_vent *vent;
    const struct batch_interval *interval;

    struct batch_result *result;
    struct reached *reached;
    gpu_word reached_cells; /* room for reached cells */
    struct batch_control *control;
    const int *stop; /* in host memory; not 0: blocks take no further members */
    int *taken;      /* for each share: whether a block has taken it */
    int shares;      /* at least the number of blocks on the device at once */
    char *pool;      /* the shares */
    struct batch_layout in;
};

/* ---- shared memory of a block ---------------------------------------------------------------- */

/* The rows and columns of the domain for which a member has memory, and this memory. The number of a cell is row *
 * cols + col. cols and col0 are multiples of 32, so that all bits of a word are of one row. */
struct batch_window {
    int row0, col0, rows, cols;
    int half;     /* of the share, in which the window is: 0 or 1 */
    int words;    /* number of words of bits */
    char *memory; /* cells, then bits */
};

/* An element of the list: a cell with flags. */
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
    int count;     /* length of the list */
    int queued[2]; /* number of cells from which lava may flow, of even and of odd steps */
    unsigned grow; /* sides of the window that lava has reached: 1 N, 2 S, 4 W, 8 E */
    long long step;
    int grown;
    struct gpu_sum emitted, left, mobile, solid;
    gpu_word updates;
    struct batch_result end; /* result of the member, while it is computed */
    int written;             /* number of reached cells written */
    /* Emissions of the first vents, from the present step on. */
    struct gpu_emission pours[BATCH_POURS];
    unsigned vent_cell[BATCH_POURS];
    double most[BATCH_WARPS][2];
    int last[BATCH_WARPS];
    int scan[33];
    unsigned candidate[BATCH_WARPS][32 * BATCH_LOOKS + 32];
    unsigned bits[BITS_MOVING][BATCH_BITS / 32 + 2];
    union {
        unsigned list[BATCH_LISTED];
        double node[BATCH_NODES]; /* used while a window is filled (terrain.h) */
    };
};

/* For functions that are called rarely: they are not inlined, so that they do not take registers from the functions
 * of each step. */
#define BATCH_SELDOM __noinline__

/* For functions that each step calls: they are inlined, so that the compiler knows which data are parameters and
 * which are in shared memory. */
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
