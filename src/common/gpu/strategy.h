/* strategy.h — defines a CUDA variant by its arrays, the size of its tiles, and host functions that
 * enqueue its kernels. GPU_VARIANT makes a struct variant from this definition. */
#ifndef SCIARA_GPU_STRATEGY_H
#define SCIARA_GPU_STRATEGY_H

#include "tile_list.h"

#include "sim/variant.h"

#include <stddef.h>

struct gpu; /* host.h */

/* Arrays that only some variants have. Every variant has z, h, T[0], records, arrival and flags. */
enum {
    GPU_LAYERS = 1,        /* the 8 outflow layers */
    GPU_SUMS = 2,          /* gain_m and heat */
    GPU_ALTERNATING_T = 4, /* T[0] and T[1] alternate; otherwise T[0] is the temperature */
    GPU_SCRATCH_T = 8,     /* T[1] has no meaning between steps */
    GPU_TWO_STATES = 16,   /* z and h alternate with z_other and h_other, and T alternates too */
};

/* The usual `run` and `list_first` of a strategy. Steps are made in segments (segments.cu), and a list of tiles is
 * valid for EPOCH steps. */
void gpu_run_segments(struct gpu *g, long long steps);
void gpu_list_first(struct gpu *g);

struct gpu_strategy {
    int steps_per_ms = 0;                              /* see variant.h; 0: not measured yet */
    unsigned arrays;                                   /* GPU_..., or'ed */
    size_t control_bytes = sizeof(struct gpu_control); /* larger for a derived struct */
    /* Number of steps for which a list of tiles is valid. Lava travels at most one cell in a step. Tiles have at
     * least list_holds rows and columns, so lava reaches at most the next tile while a list is valid. */
    int list_holds = EPOCH;
    int tile_rows, tile_cols;

    /* Makes `steps` steps, or enqueues them, and adds them to g->step. */
    void (*run)(struct gpu *g, long long steps) = gpu_run_segments;
    /* gpu_run_segments() makes a segment by the next three functions. It calls emitLava() for the first step of the
     * segment, with offset 1. */
    void (*emitLava)(struct gpu *g, int offset, int steps) = NULL;
    /* Enqueues the kernels of step `offset` after control->step, offset >= 1. For the first step of a segment,
     * emitLava() has already been called. emit_next: vents also emit for the next step. */
    void (*step)(struct gpu *g, int offset, bool emit_next) = NULL;
    /* Ends a segment of `steps` steps: sums the mobile lava in control->mobile. */
    void (*reduceAdd)(struct gpu *g, int steps) = NULL;

    /* Makes the list of tiles for the first step, by gpu_list_tiles(). */
    void (*list_first)(struct gpu *g) = gpu_list_first;

    /* create() makes g->state, the data of this strategy alone, and destroy() frees it. Neither frees memory from
     * gpu_allocate(), because gpu_free_all() does. */
    void (*create)(struct gpu *g) = NULL;
    void (*destroy)(struct gpu *g) = NULL;
};

/* A kernel of a variant. gpu_kernels() finds the resources that the kernel needs on a device. */
struct gpu_kernel {
    const char *name; /* such as "massBalance"; text from "<" on is not shown */
    const void *function;
    int cols, rows;       /* threads of a block */
    size_t dynamic_bytes; /* shared memory of a block, given at the launch */
};
#define GPU_KERNEL(kernel, threads, bytes)                                                         \
    {                                                                                              \
#kernel, (const void *)(kernel), threads, 1, bytes                                         \
    }

/* The functions that struct variant needs, for all CUDA variants. */
void gpu_wake(const struct variant_options *o);
void gpu_leave(const struct variant_options *o);
int gpu_available(const struct variant_options *o, char what[128], struct error *e);
int gpu_create(const struct gpu_strategy *s, void **self, const struct problem *p,
               const struct variant_options *o, struct error *e);
int gpu_advance(void *self, int64_t steps, struct variant_status *status, struct error *e);
int gpu_snapshot(void *self, struct fields *out, struct error *e);
int gpu_snapshot_wait(void *self, struct error *e);
int gpu_reach(void *self, struct window *reach, struct error *e);
int gpu_widen(void *self, struct window before, struct error *e);
int gpu_outflows_layers(void *self, double *out, struct error *e);
size_t gpu_memory(void *self);
void gpu_destroy(void *self);
int gpu_kernels(const struct gpu_kernel *list, struct variant_kernel k[VARIANT_KERNELS], int *count,
                const struct variant_options *o, struct error *e);

/* An array of cells on the device. */
struct gpu_array {
    size_t pointer; /* offset of its pointer in struct gpu_view */
    unsigned only;  /* GPU_..., or'ed: strategies with one of these bits have the array; 0: all */
    size_t element; /* bytes of a cell */
    bool kept;      /* false: between steps, the array is 0 or has no meaning */
    double empty;   /* initial value of all elements, also of padding */
};
#define GPU_ARRAY(name, ...)                                                                       \
    {                                                                                              \
        offsetof(struct gpu_view, name), __VA_ARGS__                                               \
    }
static constexpr struct gpu_array gpu_arrays[] = {
    GPU_ARRAY(flow, GPU_LAYERS, 64, false, 0),
    GPU_ARRAY(gain_m, GPU_SUMS, 8, false, 0),
    GPU_ARRAY(heat, GPU_SUMS, 8, false, 0),
    GPU_ARRAY(T[1], GPU_SCRATCH_T, 8, false, 0),
    GPU_ARRAY(T[1], GPU_ALTERNATING_T | GPU_TWO_STATES, 8, true, 0),
    GPU_ARRAY(z_other, GPU_TWO_STATES, 8, true, WALL_M),
    GPU_ARRAY(h_other, GPU_TWO_STATES, 8, true, 0),
    GPU_ARRAY(z, 0, 8, true, WALL_M),
    GPU_ARRAY(h, 0, 8, true, 0),
    GPU_ARRAY(T[0], 0, 8, true, 0),
    GPU_ARRAY(highest_m, 0, 8, true, 0),
    GPU_ARRAY(max_temp_K, 0, 8, true, 0),
    GPU_ARRAY(arrival, 0, 4, true, ARRIVAL_NEVER),
    GPU_ARRAY(flag, 0, 1, true, CELL_VOID),
};

static constexpr size_t gpu_bytes_per_cell(unsigned arrays)
{
    size_t bytes = 0;
    for (const struct gpu_array &a : gpu_arrays)
        if (!a.only || a.only & arrays) bytes += a.element;
    return bytes;
}

/* Defines `variant_id` from a strategy and the list of its kernels. A kernel without a name ends the list. */
#define GPU_VARIANT(id, text, strategy, list)                                                      \
    static int create_##id(void **self, const struct problem *p, const struct variant_options *o,  \
                           struct error *e)                                                        \
    {                                                                                              \
        return gpu_create(&(strategy), self, p, o, e);                                             \
    }                                                                                              \
    static int kernels_##id(struct variant_kernel k[VARIANT_KERNELS], int *count,                  \
                            const struct variant_options *o, struct error *e)                      \
    {                                                                                              \
        return gpu_kernels(list, k, count, o, e);                                                  \
    }                                                                                              \
    extern "C" const struct variant variant_##id = {                                               \
        .name = #id,                                                                               \
        .summary = text,                                                                           \
        .cuda = true,                                                                              \
        .steps_per_ms = (strategy).steps_per_ms,                                                   \
        .available = gpu_available,                                                                \
        .wake = gpu_wake,                                                                          \
        .leave = gpu_leave,                                                                        \
        .bytes_per_cell = gpu_bytes_per_cell((strategy).arrays),                                   \
        .lazy = NULL,                                                                              \
        .create = create_##id,                                                                     \
        .advance = gpu_advance,                                                                    \
        .snapshot = gpu_snapshot,                                                                  \
        .snapshot_wait = gpu_snapshot_wait,                                                        \
        .reach = gpu_reach,                                                                        \
        .widen = gpu_widen,                                                                        \
        .outflows = (strategy).arrays & GPU_LAYERS ? gpu_outflows_layers : NULL,                   \
        .memory = gpu_memory,                                                                      \
        .destroy = gpu_destroy,                                                                    \
        .kernels = kernels_##id,                                                                   \
    }

#endif
