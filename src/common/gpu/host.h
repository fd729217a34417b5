/* host.h — a simulation on a device as the host sees it: its parts, its memory, and how kernels are
 * launched. */
#ifndef SCIARA_GPU_HOST_H
#define SCIARA_GPU_HOST_H

#include "strategy.h"
#include "view.h"

struct gpu_allocation { /* of device memory */
    struct gpu_allocation *next;
    void *memory;
    size_t bytes;
};

/* The ledger's sums up to the state that a simulation resumes. */
struct gpu_before {
    quanta emitted, left_domain, entered_sea;
    struct heat_sums heat;
};

struct gpu {
    const struct problem *problem;
    const struct gpu_strategy *strategy;
    struct grid grid;
    struct gpu_view v;
    void *state; /* the strategy's own */
    int device, processors;
    int longest;       /* segment, in steps: what emission_m has room for */
    int listed;        /* tiles on the list when the host last looked, rounded up to a power of 2 */
    unsigned disabled; /* VARIANT_DISABLE_... */
    cudaStream_t stream, copy_stream;
    cudaEvent_t begin, end, staged;
    cudaGraphExec_t graph; /* reduce_every steps, ending in a reduction */
    struct error error;    /* the first one; all later operations fail too */
    bool failed;
    struct gpu_control *control; /* pinned */
    void *strip; /* pinned: rows of new cells of a window that grows; NULL: it has not */
    long long step;
    double ms;
    struct gpu_allocation *allocations;
    size_t bytes; /* of them all */
    struct gpu_view
        staging; /* z, h, T[0], highest_m, max_temp_K, arrival of the current snapshot */
    bool has_staging;
    struct fields *pending_out;
    struct gpu_before before;
};

/* Of two temperatures, step n reads T[n & 1] and writes the other. */
static inline bool gpu_T_alternates(const struct gpu *g)
{
    return g->strategy->arrays & (GPU_ALTERNATING_T | GPU_TWO_STATES);
}

/* The view whose z and h are those that the last step wrote. */
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

/* cudaError_t -> struct error; true if all is well. */
bool gpu_check(struct gpu *g, cudaError_t status, const char *what);
void gpu_out_of_memory(struct gpu *g); /* on the host */

/* The return value of functions: 0, or the code of the first error, which is then also in *e. */
int gpu_status(const struct gpu *g, struct error *e);

/* ---- memory.cu, upload.cu -------------------------------------------------------------------- */

/* Device memory until gpu_free_all(), or NULL (g->failed). */
void *gpu_allocate(struct gpu *g, size_t bytes);
void *gpu_try_to_allocate(struct gpu *g, size_t bytes); /* NULL instead of a failure */
void gpu_free(struct gpu *g, void *memory);             /* NULL is fine */
void gpu_free_all(struct gpu *g);

/* Everything for the problem's window but the arrays of cells; and the end of all, with that of the graph,
 * which knows them. `had`: bytes that will be free before. If the cells do not fit on the device, an error is
 * set. */
void gpu_make_window(struct gpu *g, size_t had);
void gpu_free_arrays(struct gpu *g);
void gpu_allocate_lists(struct gpu *g);

/* The arrays of cells: whether the strategy has one; it in a view. */
bool gpu_has(const struct gpu *g, const struct gpu_array *a);
void *gpu_array_of(const struct gpu_view *v, const struct gpu_array *a);
void gpu_set_array(struct gpu_view *v, const struct gpu_array *a, void *memory);
void gpu_empty(struct gpu *g, const struct gpu_array *a, void *memory); /* enqueued */
void gpu_allocate_cells(struct gpu *g, bool kept); /* those that are kept, or the others */
void gpu_free_cells(struct gpu *g, bool kept);

void gpu_upload(struct gpu *g, void *to, const void *from, size_t bytes);
void gpu_upload_problem(struct gpu *g); /* all of it, and the first list of tiles */

void gpu_upload_vents(struct gpu *g);

/* Uploads g->control, lists the tiles for the next step, counts them in it, and waits. */
void gpu_upload_control(struct gpu *g);

/* list[`list`], of `epoch`, gets the tiles with lava or a vent and those around them; slot[tile], if it is not
 * NULL, the place on the list. */
void gpu_list_tiles(struct gpu *g, int list, int epoch, int *slot);

/* ---- snapshot.cu ----------------------------------------------------------------------------- */

void gpu_drop_staging(struct gpu *g); /* between snapshots; the next one makes it again */

/* ---- segments.cu ----------------------------------------------------------------------------- */

struct gpu_rule gpu_rule_of(const struct problem *p);

/* Waits for all enqueued work; then g->control is as on the device. */
void gpu_read_control(struct gpu *g);

/* ---- launching -------------------------------------------------------------------------------
 *
 * After a failure nothing is launched: what a kernel waits for may not be there. */

/* Blocks to launch: one per tile, at most `per_processor` for each multiprocessor. */
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
/* Blocks of a kernel that a multiprocessor holds at once; 0 if the query fails. */
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

/* A kernel that may be set up while the previous one runs, and waits for its end in gpu_begin(). */
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

/* A kernel all of whose blocks are on the device at once, with `bytes` of shared memory for
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
