/* techniques_kernels.cuh — the kernels that techniques.cu compares: computeOutflows over the whole
 * domain and the sum of reduceAdd, each in several forms. The model is that of the simulator
 * (physics.h), so all forms have to give the same bits. Also compiled for tests/emulator, where
 * tests/common/test_techniques.c demands that. */
#ifndef SCIARA_TECHNIQUES_KERNELS_CUH
#define SCIARA_TECHNIQUES_KERNELS_CUH

#include "gpu/view.h"

enum {
    PIECE_TILE =
        16, /* a block computes so many rows and columns; grids are padded to whole tiles */
    SUM_THREADS = 256,
};

/* Padded arrays (grid.h) of `size` elements; eight layers of flow [k * size + at]. */
struct piece {
    struct physics physics;
    int stride, size;
    int tiles_across, tile_count;
    const double *z, *h, *T;
    double *flow;
};

/* ---- computeOutflows ------------------------------------------------------------------------- */

struct plain_load {
    static __device__ double of(const double *p) { return *p; }
};
struct read_only_load {
    static __device__ double of(const double *p) { return __ldg(p); }
};

/* Of CELLS cells, one below the other, the first at `at`. All is loaded before anything is
 * computed, so that all loads are on their way at once; what two of the cells need is loaded once.
 */
template <class Load, int CELLS>
__device__ static inline void piece_outflows(const struct physics *physics, int stride, int size,
                                             const double *z, const double *h, const double *T,
                                             double *flow, int at)
{
    double zs[CELLS + 2][3], hs[CELLS + 2][3], Ts[CELLS];
#pragma unroll
    for (int i = 0; i < CELLS; i++) Ts[i] = Load::of(&T[at + i * stride]);
#pragma unroll
    for (int row = 0; row < CELLS + 2; row++)
#pragma unroll
        for (int col = 0; col < 3; col++) {
            zs[row][col] = Load::of(&z[at + (row - 1) * stride + col - 1]);
            hs[row][col] = Load::of(&h[at + (row - 1) * stride + col - 1]);
        }
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        double zk[8], hk[8], out[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            zk[k] = zs[i + 1 + PHYSICS_ROW(k)][1 + PHYSICS_COL(k)];
            hk[k] = hs[i + 1 + PHYSICS_ROW(k)][1 + PHYSICS_COL(k)];
        }
        double h_here = hs[i + 1][1];
        bool flows =
            h_here > 0.0 && physics_outflows(physics, zs[i + 1][1], h_here, Ts[i], zk, hk, out);
#pragma unroll
        for (int k = 0; k < 8; k++) flow[k * (size_t)size + at + i * stride] = flows ? out[k] : 0.0;
    }
}

/* The first cell of a thread: block blockIdx.x has a tile, each of its threads CELLS rows of a
 * column. */
template <int CELLS> __device__ static inline int piece_at(int stride, int tiles_across)
{
    int tile = (int)blockIdx.x;
    return grid_at(stride, tile / tiles_across * PIECE_TILE + (int)threadIdx.y * CELLS,
                   tile % tiles_across * PIECE_TILE + (int)threadIdx.x);
}

template <class Load, int CELLS> __global__ void outflows_by(const __grid_constant__ struct piece p)
{
    int at = piece_at<CELLS>(p.stride, p.tiles_across);
    piece_outflows<Load, CELLS>(&p.physics, p.stride, p.size, p.z, p.h, p.T, p.flow, at);
}

/* The same, the compiler told that nothing read is written: it may then use read-only loads by
 * itself. */
static __global__ void outflows_restrict(const __grid_constant__ struct piece p,
                                         const double *__restrict__ z, const double *__restrict__ h,
                                         const double *__restrict__ T, double *__restrict__ flow)
{
    int at = piece_at<1>(p.stride, p.tiles_across);
    piece_outflows<plain_load, 1>(&p.physics, p.stride, p.size, z, h, T, flow, at);
}

/* ---- reduceAdd ------------------------------------------------------------------------------- */

/* What a thread has to add: h of its cells in units of the lattice, in two words as in view.h. */
struct sum_words {
    long long low, high;
};

__device__ static inline struct sum_words sum_of_thread(const double *h, int size)
{
    struct sum_words s = {0, 0};
    for (int i = (int)(blockIdx.x * SUM_THREADS + threadIdx.x); i < size;
         i += (int)gridDim.x * SUM_THREADS) {
        long long n = (long long)(h[i] * LATTICE_PER_M);
        s.low += n & 0xffffffffLL;
        s.high += n >> 32;
    }
    return s;
}

__device__ static inline void sum_add(struct gpu_sum *sum, struct sum_words s)
{
    if (!s.low && !s.high) return;
    atomicAdd(&sum->word[0], (gpu_word)s.low);
    atomicAdd(&sum->word[1], (gpu_word)s.high);
}

/* As the simulator does it: shuffles within a warp, then an atomic a warp. */
static __global__ void sum_by_shuffles(const double *h, int size, struct gpu_sum *sum)
{
    struct sum_words s = sum_of_thread(h, size);
    for (int lanes = 16; lanes; lanes /= 2) {
        s.low += __shfl_down_sync(0xffffffffu, s.low, lanes);
        s.high += __shfl_down_sync(0xffffffffu, s.high, lanes);
    }
    if (threadIdx.x % 32 == 0) sum_add(sum, s);
}

/* A tree over the block in shared memory, then an atomic a block. */
static __global__ void sum_in_shared_memory(const double *h, int size, struct gpu_sum *sum)
{
    __shared__ long long low[SUM_THREADS], high[SUM_THREADS];
    int thread = (int)threadIdx.x;
    struct sum_words s = sum_of_thread(h, size);
    low[thread] = s.low;
    high[thread] = s.high;
    for (int half = SUM_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (thread >= half) continue;
        low[thread] += low[thread + half];
        high[thread] += high[thread + half];
    }
    s.low = low[0];
    s.high = high[0];
    if (thread == 0) sum_add(sum, s);
}

/* An atomic by every thread that has lava. */
static __global__ void sum_by_atomics(const double *h, int size, struct gpu_sum *sum)
{
    sum_add(sum, sum_of_thread(h, size));
}

/* ---- launches -------------------------------------------------------------------------------- */

#if defined(SCIARA_EMULATOR)
#define PIECE_LAUNCH(kernel, grid, block, stream, ...)                                             \
    ((void)(stream), emulator_launch((grid), (block), [=] { kernel(__VA_ARGS__); }))
#else
#define PIECE_LAUNCH(kernel, grid, block, stream, ...)                                             \
    kernel<<<(grid), (block), 0, (stream)>>>(__VA_ARGS__)
#endif

template <class Load, int CELLS>
static void launch_outflows_by(const struct piece &p, cudaStream_t stream)
{
    void (*const kernel)(const struct piece) = outflows_by<Load, CELLS>;
    PIECE_LAUNCH(kernel, dim3((unsigned)p.tile_count), dim3(PIECE_TILE, PIECE_TILE / CELLS), stream,
                 p);
}

static inline void launch_outflows_restrict(const struct piece &p, cudaStream_t stream)
{
    PIECE_LAUNCH(outflows_restrict, dim3((unsigned)p.tile_count), dim3(PIECE_TILE, PIECE_TILE),
                 stream, p, p.z, p.h, p.T, p.flow);
}

typedef void launch_outflows(const struct piece &, cudaStream_t);
struct outflows_form {
    const char *name;
    launch_outflows *launch;
};
enum { OUTFLOWS_PLAIN, OUTFLOWS_LDG, OUTFLOWS_RESTRICT, OUTFLOWS_2, OUTFLOWS_4, OUTFLOWS_FORMS };
static const struct outflows_form outflows_forms[OUTFLOWS_FORMS] = {
    {"plain loads of one cell a thread", launch_outflows_by<plain_load, 1>},
    {"`__ldg`", launch_outflows_by<read_only_load, 1>},
    {"`const __restrict__`", launch_outflows_restrict},
    {"2 cells a thread", launch_outflows_by<plain_load, 2>},
    {"4 cells a thread", launch_outflows_by<plain_load, 4>},
};

typedef void sum_kernel(const double *, int, struct gpu_sum *);
struct sum_form {
    const char *name;
    sum_kernel *kernel;
};
enum { SUM_SHUFFLES, SUM_SHARED, SUM_ATOMICS, SUM_FORMS };
static const struct sum_form sum_forms[SUM_FORMS] = {
    {"warp shuffles", sum_by_shuffles},
    {"a tree in shared memory", sum_in_shared_memory},
    {"an atomic by every thread", sum_by_atomics},
};

/* Adds h to *sum; as many blocks as there is work for, `most` at most. */
static inline void launch_sum(const struct sum_form &form, const double *h, int size, int most,
                              struct gpu_sum *sum, cudaStream_t stream)
{
    int blocks = (size + SUM_THREADS - 1) / SUM_THREADS;
    sum_kernel *const kernel = form.kernel;
    PIECE_LAUNCH(kernel, dim3((unsigned)(blocks < most ? blocks : most)), dim3(SUM_THREADS), stream,
                 h, size, sum);
}

#endif
