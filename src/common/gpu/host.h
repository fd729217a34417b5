/* host.h — the host's side of a simulation on a device: its data, its memory, and the launch of
 * kernels. */
#ifndef SCIARA_GPU_HOST_H
#define SCIARA_GPU_HOST_H

#include "strategy.h"
#include "view.h"

/* A piece of device memory, and the next piece of the same simulation. */
struct gpu_allocation {
    struct gpu_allocation *next;
    void *memory;
    size_t bytes;
};

/* The sums of lava and heat in the state from which a simulation resumes; 0 without such a state. */
struct gpu_before {
    quanta emitted, left_domain, entered_sea;
    struct heat_sums heat;
};

struct gpu {
    const struct problem *problem;
    const struct gpu_strategy *strategy;
    struct grid grid;
    struct gpu_view v;
    void *state; /* data that only the strategy uses */
    int device, processors;
    int longest; /* largest number of steps of a segment; emission_m has room for these steps */
    int listed; /* length of the longest list of tiles (look_at_list()), rounded up to a power of 2 */
    unsigned disabled; /* VARIANT_DISABLE_... */
    cudaStream_t stream, copy_stream;
    cudaEvent_t begin, end, staged;
    cudaGraphExec_t graph; /* a segment of reduce_every steps with a reduction; 0: not made yet */
    struct error error;    /* the first error; all later operations fail too */
    bool failed;
    struct gpu_control *control; /* pinned */
    void *strip;                 /* pinned; for new cells of a window; NULL: no window has grown */
    long long step;
    double ms;
    struct gpu_allocation *allocations;
    size_t bytes; /* sum of all allocations */
    /* Device copies of z, h, T[0], highest_m, max_temp_K and arrival for the current snapshot. */
    struct gpu_view staging;
    bool has_staging;
    struct fields *pending_out;
    struct gpu_before before;
};

/* Whether T alternates: step n reads T[n & 1] and writes the other array. */
static inline bool gpu_T_alternates(const struct gpu *g)
{
    return g->strategy->arrays & (GPU_ALTERNATING_T | GPU_TWO_STATES);
}

/* Returns g->v. If the strategy has two states, z and h of the result are the arrays that the last step wrote. */
static inline struct gpu_view gpu_present(const struct gpu *g)
{
    struct gpu_view now = g->v;
    if (g->strategy->arrays & GPU_TWO_STATES && (g->step + 1) & 1) {
        now.z = g->v.z_other;
        now.h = g->v.h_other;
    }
    return now;
}

static inline quanta gpu_quanta(const struct gpu_sum *s)
{
    return (quanta)s->word[0] + (quanta)(long long)s->word[1] * ((quanta)1 << 32);
}

/* ---- create.cu ------------------------------------------------------------------------------- */

/* Returns whether `status` is success. If not, stores the error in g->error, unless an earlier error is there. */
bool gpu_check(struct gpu *g, cudaError_t status, const char *what);
void gpu_out_of_memory(struct gpu *g); /* the host has no memory: stores an error */

/* The status for a function to return: 0, or the code of the first error, which is copied to *e. */
int gpu_status(const struct gpu *g, struct error *e);

/* ---- memory.cu, upload.cu -------------------------------------------------------------------- */

/* Allocates device memory; gpu_free() and gpu_free_all() free it. NULL: there is no memory, and
 * g->failed is set. */
void *gpu_allocate(struct gpu *g, size_t bytes);
void *gpu_try_to_allocate(struct gpu *g, size_t bytes); /* NULL: no memory; g->failed is not set */
void gpu_free(struct gpu *g, void *memory);             /* NULL is fine */
void gpu_free_all(struct gpu *g);

/* gpu_make_window() makes all that the problem's window needs, except the arrays of cells. It sets an error if these
 * arrays will not fit on the device. `had`: bytes that will be freed before the arrays are allocated. gpu_free_arrays()
 * frees all device memory, and the graph, because the graph has the addresses of the arrays. */
void gpu_make_window(struct gpu *g, size_t had);
void gpu_free_arrays(struct gpu *g);
void gpu_allocate_lists(struct gpu *g);

/* The arrays of cells (strategy.h). gpu_has() returns whether the strategy has an array. gpu_array_of() reads the
 * pointer of an array in a view, gpu_set_array() sets it. */
bool gpu_has(const struct gpu *g, const struct gpu_array *a);
void *gpu_array_of(const struct gpu_view *v, const struct gpu_array *a);
void gpu_set_array(struct gpu_view *v, const struct gpu_array *a, void *memory);
void gpu_empty(struct gpu *g, const struct gpu_array *a,
               void *memory);                      /* enqueues a fill of `memory` with a->empty */
void gpu_allocate_cells(struct gpu *g, bool kept); /* allocates the arrays with a->kept == kept */
void gpu_free_cells(struct gpu *g, bool kept);

void gpu_upload(struct gpu *g, void *to, const void *from, size_t bytes);
void gpu_upload_problem(struct gpu *g); /* the fields, sums and first list of tiles */

void gpu_upload_vents(struct gpu *g);

/* Uploads g->control, lists and counts the tiles for the next step, and reads g->control back. */
void gpu_upload_control(struct gpu *g);

/* Lists the tiles with lava or a vent, and the tiles around them, in v.list[list] for `epoch`. slot[tile] becomes the
 * place of the tile on the list; slot may be NULL. */
void gpu_list_tiles(struct gpu *g, int list, int epoch, int *slot);

/* ---- snapshot.cu ----------------------------------------------------------------------------- */

void gpu_drop_staging(struct gpu *g); /* frees g->staging until the next snapshot */

/* ---- segments.cu ----------------------------------------------------------------------------- */

struct gpu_rule gpu_rule_of(const struct problem *p);

/* Copies the control from the device to g->control, after all enqueued work. */
void gpu_read_control(struct gpu *g);

/* ---- launching -------------------------------------------------------------------------------
 *
 * After a failure no kernel is launched, because its data may be missing. */

/* The number of blocks to launch: one per tile, at most `per_processor` per multiprocessor. */
static inline unsigned gpu_blocks(const struct gpu *g, int per_processor)
{
    int most = g->processors * per_processor;
    return (unsigned)(g->v.tile_count < most ? g->v.tile_count : most);
}

#if defined(SCIARA_EMULATOR)
#define gpu_launch(g, kernel, grid, block, ...)                                                    \
    ((g)->failed ? (void)0 : emulator_launch((grid), (block), [=] { kernel(__VA_ARGS__); }))
#define gpu_launch_cooperative(g, kernel, grid, block, bytes, ...)                                 \
    ((void)(bytes), (g)->failed ? (void)0 : emulator_launch_cooperative((grid), (block), [=] {     \
         kernel(__VA_ARGS__);                                                                      \
     }))
#define gpu_occupancy(kernel, threads, bytes) ((void)(kernel), (void)(threads), (void)(bytes), 3)
#else
/* The number of blocks of a kernel that a multiprocessor holds at once; 0 if the query fails. */
template <class... Parameters>
static int gpu_occupancy(void (*kernel)(Parameters...), int threads, size_t bytes)
{
    int blocks = 0;
    cudaError_t status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
    return status == cudaSuccess ? blocks : 0;
}

template <class... Parameters, class... Arguments>
static void gpu_launch_as(struct gpu *g, cudaLaunchAttribute *attribute,
                          void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t bytes,
                          Arguments... arguments)
{
    cudaLaunchConfig_t config = {};
    if (g->failed) return;
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = bytes;
    config.stream = g->stream;
    config.attrs = attribute;
    config.numAttrs = attribute ? 1 : 0;
    gpu_check(g, cudaLaunchKernelEx(&config, kernel, arguments...), "launch");
}

/* Launches a kernel. Its blocks may start while the previous kernel runs. In gpu_wait() they wait for the end of the
 * previous kernel. */
template <class... Parameters, class... Arguments>
static void gpu_launch(struct gpu *g, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                       Arguments... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    gpu_launch_as(g, g->disabled & VARIANT_DISABLE_PROGRAMMATIC_LAUNCH ? NULL : &attribute, kernel,
                  grid, block, 0, arguments...);
}

/* Launches a kernel with all its blocks on the device at once, and `bytes` of shared memory for
 * gpu_shared(). */
template <class... Parameters, class... Arguments>
static void gpu_launch_cooperative(struct gpu *g, void (*kernel)(Parameters...), dim3 grid,
                                   dim3 block, size_t bytes, Arguments... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    gpu_launch_as(g, &attribute, kernel, grid, block, bytes, arguments...);
}
#endif

#endif
