/* gpu_host.h — the host side of the CUDA variants: device memory, graphs, snapshots. */
#ifndef SCIARA_GPU_HOST_H
#define SCIARA_GPU_HOST_H

#include "gpu.h"

struct gpu {
    const struct problem *problem;
    const struct gpu_strategy *strategy;
    struct grid g;
    struct gpu_view v;
    int device, processors;
    int listed;       /* tiles on the list when the host last looked, rounded up to a power of 2 */
    unsigned without; /* variant.h */
    cudaStream_t stream, copy_stream;
    cudaEvent_t begin, end, staged;
    cudaGraphExec_t graph; /* reduce_every steps, ending in a reduction */
    struct error *error;   /* where launches report; the first error stays */
    bool failed;
    struct gpu_control *control; /* pinned */
    long long step;
    double ms;
    size_t bytes;
    struct gpu_view staging; /* z, h, T[0], s, max..., arrival of the snapshot under way */
    bool has_staging;
    struct fields *pending_out;
};

/* cudaError_t -> struct error; true if all is well. */
bool gpu_check(struct gpu *g, cudaError_t status, const char *what);

/* Waits for all that was enqueued: g->control is as on the device. */
void gpu_read_control(struct gpu *g);

/* Device memory that lives as long as g, or NULL (g->failed). */
void *gpu_allocate(struct gpu *g, size_t bytes);

/* Blocks to launch: one per tile, as far as they fit on the device at once with `per_processor`
 * each. */
static inline unsigned gpu_blocks(const struct gpu *g, int per_processor)
{
    int most = g->processors * per_processor;
    return (unsigned)(g->v.tile_count < most ? g->v.tile_count : most);
}

#if defined(SCIARA_EMULATOR)
#define gpu_launch(g, kernel, grid, block, ...)                                                    \
    ((void)(g), emulator_launch((grid), (block), [=] { kernel(__VA_ARGS__); }))
#define gpu_launch_cooperative(g, kernel, grid, block, bytes, ...)                                 \
    ((void)(g), (void)(bytes),                                                                     \
     emulator_launch_cooperative((grid), (block), [=] { kernel(__VA_ARGS__); }))
#define gpu_occupancy(kernel, threads, bytes) ((void)(kernel), (void)(threads), (void)(bytes), 3)
#else
/* Blocks of a kernel that a multiprocessor holds at once; 0 if it cannot be asked. */
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
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = bytes;
    config.stream = g->stream;
    config.attrs = attribute;
    config.numAttrs = attribute ? 1 : 0;
    gpu_check(g, cudaLaunchKernelEx(&config, kernel, arguments...), "launch");
}

/* A kernel that may be set up while the one before runs, and waits for its end in gpu_begin(). */
template <class... Parameters, class... Arguments>
static void gpu_launch(struct gpu *g, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                       Arguments... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    gpu_launch_as(g, g->without & VARIANT_WITHOUT_PROGRAMMATIC_LAUNCH ? NULL : &attribute, kernel,
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

/* The functions behind a CUDA variant's struct variant. */
int gpu_available(const struct variant_options *o, char what[128], struct error *e);
int gpu_create(const struct gpu_strategy *s, void **self, const struct problem *p,
               const struct variant_options *o, struct error *e);
int gpu_advance(void *self, int64_t steps, struct variant_status *status, struct error *e);
int gpu_snapshot(void *self, struct fields *out, struct error *e);
int gpu_snapshot_wait(void *self, struct error *e);
int gpu_outflows_layers(void *self, double *out, struct error *e);
size_t gpu_memory(void *self);
void gpu_destroy(void *self);
int gpu_kernels(const struct gpu_kernel *list, struct variant_kernel k[VARIANT_KERNELS], int *count,
                const struct variant_options *o, struct error *e);

#define GPU_BYTES(strategy)                                                                        \
    (size_t)(6 * 8 + 4 + 1 + ((strategy).layers ? 64 : 0) + ((strategy).accumulates ? 16 : 0) +    \
             ((strategy).two_T || (strategy).scratch_T ? 8 : 0) +                                  \
             ((strategy).two_states ? 24 : 0))

/* Defines `variant_NAME` from a strategy, and the list of the kernels of a step; the last one has
 * no name. */
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
    extern "C" const struct variant variant_##id = {#id,                                           \
                                                    text,                                          \
                                                    true,                                          \
                                                    gpu_available,                                 \
                                                    GPU_BYTES(strategy),                           \
                                                    create_##id,                                   \
                                                    gpu_advance,                                   \
                                                    gpu_snapshot,                                  \
                                                    gpu_snapshot_wait,                             \
                                                    (strategy).layers ? gpu_outflows_layers        \
                                                                      : NULL,                      \
                                                    gpu_memory,                                    \
                                                    gpu_destroy,                                   \
                                                    kernels_##id}

#endif
