/* resident.cu — the lava stays on the chip for several steps at a time.
 *
 * A block loads a tile of SIDE x SIDE cells with a margin of 2 cells for every step to come, makes ROUND steps
 * in shared memory and registers, and writes its tile back: one kernel, one exchange through L2, per round.
 * A step needs two cells around what it computes (what flows into a cell depends on that cell's neighbours'
 * neighbours), so the region that is still right shrinks by 2 a step, and after the last one it is the tile:
 *
 *     steps to come    n                                         n - 1                          0
 *     margin           2 n     -> outflows within 2 n - 1  ->    2 n - 2   -> ...  ->   the tile itself
 *
 * The margins of neighbouring tiles are computed more than once, which costs less than waiting for each other
 * would; arithmetic is exact, so all get the same bits. Only the tile's own cells count in records and ledger.
 * Every round reads one state and writes the other (z, h, T twice in memory), so blocks need not wait for each
 * other within a round. Dry cells are looked at but not computed: the wet ones are listed in shared memory and
 * shared out among the threads. Flows stay where they leave and are gathered: 64-bit atomics in shared memory
 * are loops of compare-and-swap on every GPU that we have seen. */
#include "../common/gpu_host.h"

#ifndef RESIDENT_SIDE
#define RESIDENT_SIDE 8
#define RESIDENT_ROUND 2
#define RESIDENT_THREADS 256
#endif
enum {
    SIDE = RESIDENT_SIDE,
    ROUND = RESIDENT_ROUND,
    THREADS = RESIDENT_THREADS,
    REGION = SIDE + 4 * ROUND,
    CELLS = REGION * REGION,
    OWN = SIDE * SIDE,
    PASSES = (CELLS + THREADS - 1) / THREADS,
};

struct region {
    double z[CELLS], h[CELLS], T[CELLS];
    double flow_m[8][CELLS]; /* where gives[] has bit k; otherwise rubbish */
    long long heat[8][CELLS];
    double s[OWN], max_total_m[OWN], max_temp_K[OWN];
    unsigned char flag[CELLS];
    unsigned char gives[CELLS]; /* bit k: flows to neighbour k in this step */
    short wet[CELLS];
    int wet_count;
};

/* Row and column in the tile; it is one of the tile's own cells if both are in [0, SIDE). */
__device__ static inline int tile_row(int cell) { return cell / REGION - 2 * ROUND; }
__device__ static inline int tile_col(int cell) { return cell % REGION - 2 * ROUND; }

/* How many cells a cell of the region is away from the tile. */
__device__ static inline int distance(int cell)
{
    int row = tile_row(cell), col = tile_col(cell);
    int r = row < 0 ? -row : row - (SIDE - 1), c = col < 0 ? -col : col - (SIDE - 1);
    int far = r > c ? r : c;
    return far > 0 ? far : 0;
}

/* emitLava wherever the state is right, 2 n cells around the tile, and the list of cells with lava of which the
 * outflows are needed, 2 n - 1 around it. The vents' ledger is kept by their owners. */
__device__ static void emit_and_list(const struct gpu_view *v, struct region *r, int tile_at, int n,
                                     long long step)
{
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++) {
        int cell = pass * THREADS + threadIdx.x;
        bool wet = false;
        if (cell < CELLS && distance(cell) <= 2 * n) {
            r->gives[cell] = 0;
            if (r->flag[cell] & CELL_VENT)
                gpu_emit(v, tile_at + tile_row(cell) * v->stride + tile_col(cell), step, &r->h[cell],
                         &r->T[cell], distance(cell) == 0);
            wet = r->h[cell] > 0.0 && distance(cell) < 2 * n;
        }
        unsigned lanes = __ballot_sync(0xffffffffu, wet);
        if (!lanes) continue;
        int lane = threadIdx.x % 32, start = 0;
        if (lane == 0) start = atomicAdd(&r->wet_count, __popc(lanes));
        start = __shfl_sync(0xffffffffu, start, 0);
        if (wet) r->wet[start + __popc(lanes & ((1u << lane) - 1u))] = (short)cell;
    }
}

/* computeOutflows of one cell. */
__device__ static void flow_out(const struct gpu_view *v, struct region *r, int cell)
{
    double zk[8], hk[8], flow[8], T = r->T[cell];
    unsigned gives = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int next = cell + PHYSICS_ROW(k) * REGION + PHYSICS_COL(k);
        zk[k] = r->z[next];
        hk[k] = r->h[next];
    }
    if (!physics_outflows(&v->physics, r->z[cell], r->h[cell], T, zk, hk, flow)) return;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        r->flow_m[k][cell] = flow[k];
        r->heat[k][cell] = heat_of(flow[k], T);
        gives |= flow[k] > 0.0 ? 1u << k : 0u;
    }
    r->gives[cell] = (unsigned char)gives;
}

/* massBalance, solidification, records, boundary of one cell. Returns whether it held lava at any time. */
__device__ static bool settle(const struct gpu_view *v, struct region *r, int tile_at, int cell, long long step)
{
    double h = r->h[cell], gain = 0.0;
    long long heat = 0;
    unsigned out = r->gives[cell], in = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int from = cell + PHYSICS_ROW(k) * REGION + PHYSICS_COL(k);
        in |= (r->gives[from] >> PHYSICS_OPPOSITE(k) & 1u) << k;
    }
    if (!(h > 0.0) && !in) return false;
    if (in) {
        double gains[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int from = cell + PHYSICS_ROW(k) * REGION + PHYSICS_COL(k);
            bool comes = in >> k & 1u;
            gains[k] = comes ? r->flow_m[PHYSICS_OPPOSITE(k)][from] : 0.0;
            heat += comes ? r->heat[PHYSICS_OPPOSITE(k)][from] : 0;
        }
        gain = physics_sum8(gains);
    }
    if (out) {
        double losses[8];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            losses[k] = r->flow_m[k][cell];
            heat -= r->heat[k][cell];
        }
        gain -= physics_sum8(losses);
    }
    double T = r->T[cell], z = r->z[cell], s = 0.0;
    int border = r->flag[cell] & CELL_BORDER, own = tile_row(cell) * SIDE + tile_col(cell);
    bool mine = distance(cell) == 0;
    physics_balance(gain, heat, &h, &T);
    if (h > 0.0) {
        if (mine) s = r->s[own];
        double s_before = s;
        physics_solidify(&v->physics, border, &z, &h, &T, &s);
        if (mine) {
            if (physics_record(1, h + s, T, &r->max_total_m[own], &r->max_temp_K[own]))
                v->arrival[tile_at + tile_row(cell) * v->stride + tile_col(cell)] = (int)step;
            r->s[own] = s;
        }
        if (s != s_before) r->z[cell] = z;
        if (border) {
            double left = physics_boundary(border, &h, &T);
            if (mine) gpu_add(&v->control->left, left);
        }
    }
    r->h[cell] = h;
    r->T[cell] = T;
    return true;
}

/* Loads the tile with its margin; returns (to all threads) whether there is lava or a vent. */
__device__ static bool load(const struct gpu_view *v, struct region *r, int tile_at, int margin, int state)
{
    const double *z = state ? v->z_other : v->z, *h = state ? v->h_other : v->h, *T = v->T[state];
    bool awake = false;
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++) {
        int cell = pass * THREADS + threadIdx.x;
        if (cell >= CELLS || distance(cell) > margin) continue;
        long long at = tile_at + (long long)tile_row(cell) * v->stride + tile_col(cell);
        bool exists = at >= 0 && at < v->size; /* beyond the padding there are walls */
        r->z[cell] = exists ? z[at] : WALL_M;
        r->h[cell] = exists ? h[at] : 0.0;
        r->T[cell] = exists ? T[at] : 0.0;
        r->flag[cell] = exists ? v->flag[at] : (unsigned char)CELL_VOID;
        awake = awake || r->h[cell] > 0.0 || (r->flag[cell] & CELL_VENT);
    }
    if (threadIdx.x < OWN) {
        int at = tile_at + threadIdx.x / SIDE * v->stride + threadIdx.x % SIDE;
        r->s[threadIdx.x] = v->s[at];
        r->max_total_m[threadIdx.x] = v->max_total_m[at];
        r->max_temp_K[threadIdx.x] = v->max_temp_K[at];
    }
    if (threadIdx.x == 0) r->wet_count = 0;
    return __syncthreads_or(awake);
}

/* One step of which `n` - 1 are to follow. Returns whether any of the thread's cells of the tile was wet. */
__device__ static bool one_step(const struct gpu_view *v, struct region *r, int tile_at, int n, long long step)
{
    bool wet = false;
    emit_and_list(v, r, tile_at, n, step);
    __syncthreads();
    for (int j = threadIdx.x; j < r->wet_count; j += THREADS) flow_out(v, r, r->wet[j]);
    __syncthreads();
    if (threadIdx.x == 0) r->wet_count = 0;
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++) {
        int cell = pass * THREADS + threadIdx.x;
        if (cell < CELLS && distance(cell) <= 2 * n - 2)
            wet = (settle(v, r, tile_at, cell, step) && distance(cell) == 0) || wet;
    }
    __syncthreads();
    return wet;
}

/* Writes the tile into the other state; returns what its cell of this thread wakes. */
__device__ static unsigned store(const struct gpu_view *v, const struct region *r, int tile_at, int state,
                                 bool ever_wet)
{
    if (threadIdx.x >= OWN) return 0;
    int row = threadIdx.x / SIDE, col = threadIdx.x % SIDE;
    int cell = (row + 2 * ROUND) * REGION + col + 2 * ROUND, at = tile_at + row * v->stride + col;
    (state ? v->z : v->z_other)[at] = r->z[cell];
    (state ? v->h : v->h_other)[at] = r->h[cell];
    v->T[!state][at] = r->T[cell];
    if (ever_wet) {
        v->s[at] = r->s[threadIdx.x];
        v->max_total_m[at] = r->max_total_m[threadIdx.x];
        v->max_temp_K[at] = r->max_temp_K[threadIdx.x];
    }
    return gpu_wakes(v, row, col, ever_wet, r->h[cell] > 0.0 || (r->flag[cell] & CELL_VENT));
}

__global__ static void __launch_bounds__(THREADS) round_of_steps(const __grid_constant__ struct gpu_view v,
                                                                int offset, int steps, int round)
{
    gpu_shared(struct region, r);
    struct gpu_work w = gpu_begin(&v, offset, round);
    int state = (int)(w.turn & 1);
    gpu_empty_list(&v, &w, threadIdx.x);
    for (int i = blockIdx.x; i < w.count; i += gridDim.x) {
        int tile_at = gpu_tile_at(&v, &w, i);
        bool awake = load(&v, r, tile_at, 2 * steps, state), ever_wet = false;
        for (int n = steps; awake && n > 0; n--)
            ever_wet = one_step(&v, r, tile_at, n, w.step + steps - n) || ever_wet;
        ever_wet = __syncthreads_or(ever_wet);
        gpu_wake(&v, tile_at, threadIdx.x, &w, store(&v, r, tile_at, state, ever_wet));
    }
}

static void steps(struct gpu *g, int offset, int count, int round)
{
    gpu_launch_shared(g, round_of_steps, dim3(gpu_blocks(g, 3)), dim3(THREADS), sizeof(struct region), g->v, offset,
                      count, round);
}

static const struct gpu_strategy strategy = {false, false, false, false, ROUND, SIDE, SIDE, NULL, steps};

GPU_VARIANT(resident, "several steps at a time in shared memory, wet cells shared out among threads", strategy);
