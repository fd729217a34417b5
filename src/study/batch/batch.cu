/* batch.cu — many members of an ensemble in one launch. A block of threads computes a member.
 *
 *     queue of members, the longest first            pool: a share for each block
 *     ┌──┬──┬──┬──┬──┬──┐                        ┌───────────────┬──────────────┐
 *     │ 7│ 8│ 9│10│..│..│                        │ window        │              │ share of block 0
 *     └──┴──┴──┴──┴──┴──┘                        ├───────────────┼──────────────┤
 *       │  next: an atomic                       │               │ window, grown│ share of block 1
 *       ▼                                        └───────────────┴──────────────┘
 *     block 0 ── member 4 ────────────► 7 ───────────────► ...      (no block waits)
 *     block 1 ── member 5 ─────► 6 ─────────► 8 ──────► ...
 *                            │        │
 *                            └────────┴─► results, reached cells: in device memory, for the host
 *
 * A block stays on its multiprocessor. It computes a member from the first step to the last, and then the next
 * member. All members share terrain and initial lava, which no block writes. Each member has its own window of the
 * domain (window.h). The share of the block has z, h, T, the records and the inflow of each cell. Shared memory has
 * the list of cells with lava, and bits for listed cells and for changed cells. If there is too much lava for shared
 * memory, list and bits are in the share. Then steps are slower, but the results have the same bits.
 *
 * In a step (step.h) all threads of the block go through the list three times, with a barrier after each pass. They
 * wait nowhere else. In a pass any thread may take any cell, but only one thread takes a cell:
 *
 *     asked      reads  z, h, T of 3 x 3 cells                     writes the queue
 *     outflows   reads  z, h, T around a cell of the queue         adds to flow, list (atomics)
 *     settled    reads  z, h, T, flow, records of its own cell     writes these five
 *
 * A member that needs a larger window than half a share ends with BATCH_OUTGREW. The host then computes it again with
 * fewer blocks and larger shares, at last with a single block. */
#include "kernels.h"
#include "outcome.h"
#include "step.h"

/* ---- shares ---------------------------------------------------------------------------------- */

/* Takes a free share of the pool. Launches overlap: a block of the next launch begins when a block of this launch
 * has ended. The device holds at most as many blocks at once as there are shares, so a share becomes free. The fence
 * makes the writes of the previous block with this share visible. */
__device__ static inline void batch_take_share(const struct batch_view *v, struct batch_block *b)
{
    if (threadIdx.x == 0) {
        int i = 0;
        while (atomicExch(&v->taken[i], 1)) i = (i + 1) % v->shares;
        __threadfence();
        b->share = i;
    }
    __syncthreads();
}

__device__ static inline void batch_leave_share(const struct batch_view *v,
                                                const struct batch_block *b)
{
    __syncthreads();
    if (threadIdx.x) return;
    __threadfence();
    atomicExch(&v->taken[b->share], 0);
}

/* ---- members --------------------------------------------------------------------------------- */

/* Takes the next member that no block has taken. False: no such member is left. */
__device__ static inline bool batch_take_member(const struct batch_view *v, struct batch_block *b)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        b->number = *(const volatile int *)v->stop ? v->members : atomicAdd(&v->control->next, 1);
        b->count = b->queued[0] = b->queued[1] = 0;
        b->grow = 0;
        b->emitted = {};
        b->left = {};
        b->updates = 0;
    }
    __syncthreads();
    if (b->number >= v->members) return false;
    const char *from = (const char *)&v->member[b->number];
    for (size_t i = threadIdx.x; i < sizeof b->m / 8; i += BATCH_THREADS)
        memcpy((char *)&b->m + 8 * i, from + 8 * i, 8);
    for (int i = (int)threadIdx.x; i < BATCH_POURS; i += BATCH_THREADS)
        b->pours[i].until = LLONG_MIN;
    __syncthreads();
    if (threadIdx.x == 0) b->step = b->m.first_step;
    __syncthreads();
    return true;
}

__device__ static inline int batch_compute(const struct batch_view *v, struct batch_block *b)
{
    if (!batch_window_first(v, b)) return BATCH_OUTGREW;
    if (batch_is_small(&b->w)) batch_emit_all<true>(v, b, &b->w, b->step + 1);
    else batch_emit_all<false>(v, b, &b->w, b->step + 1);
    for (;;) {
        const enum batch_pause why =
            batch_is_small(&b->w) ? batch_steps<true>(v, b) : batch_steps_large(v, b);
        if (why != PAUSE_GROW) return why == PAUSE_STILL ? BATCH_STOPPED : BATCH_DONE;
        if (!batch_window_grow(v, b)) return BATCH_OUTGREW;
    }
}

__global__ static void __launch_bounds__(BATCH_THREADS, 1)
    members(const __grid_constant__ struct batch_view given)
{
    gpu_shared(struct batch_block, b);
    const struct batch_view *v = &given;
    batch_take_share(v, b);
    while (batch_take_member(v, b)) batch_outcome(v, b, batch_compute(v, b));
    batch_leave_share(v, b);
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* Gives a block as much shared memory as it needs, and the L1 cache the remainder. Returns the number of blocks that
 * the device holds at once. */
int batch_blocks(struct gpu *g)
{
#if !defined(SCIARA_EMULATOR)
    const int bytes = (int)sizeof(struct batch_block);
    int all = 0;
    gpu_check(g, cudaFuncSetAttribute(members, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              "shared memory");
    gpu_check(g,
              cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, g->device),
              "device");
    if (g->failed) return 0;
    const int percent = (int)((bytes + 1024) * 100LL / all + 1);
    gpu_check(g,
              cudaFuncSetAttribute(members, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   percent < 100 ? percent : 100),
              "shared memory");
    return g->processors * gpu_occupancy(members, BATCH_THREADS, sizeof(struct batch_block));
#else
    return g->processors;
#endif
}

void batch_launch(struct gpu *g, const struct batch_view *v, int blocks)
{
    const dim3 all((unsigned)(v->members < blocks ? v->members : blocks));
    const struct batch_view view = *v;
    gpu_launch_plain(g, members, all, dim3(BATCH_THREADS), sizeof(struct batch_block), view);
}
