/* upload.cu — uploads a problem to the device: fields, the first list of tiles, vents. */
#include "host.h"
#include "tile_list.h"

#include "base/trace.h"

#include <stdlib.h>

void gpu_upload(struct gpu *g, void *to, const void *from, size_t bytes)
{
    if (!g->failed) gpu_check(g, cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "upload");
}

/* Uploads the fields one after the other through one host array. Afterwards this array has h, for initial_mobile(). */
static void upload_fields(struct gpu *g, void *host)
{
    const struct problem *p = g->problem;
    const struct window all = grid_all(&g->grid);
    struct gpu_view *v = &g->v;
    size_t n = (size_t)v->size;
    double *real = (double *)host;
    grid_fill_elevation(&g->grid, p, all, real);
    gpu_upload(g, v->z, real, n * 8);
    if (v->z_other) gpu_upload(g, v->z_other, real, n * 8);
    grid_fill_temp(&g->grid, p, all, real);
    gpu_upload(g, v->T[0], real, n * 8);
    if (gpu_T_alternates(g)) gpu_upload(g, v->T[1], real, n * 8);
    grid_fill_highest(&g->grid, p, all, real);
    gpu_upload(g, v->highest_m, real, n * 8);
    grid_fill_max_temp(&g->grid, p, all, real);
    gpu_upload(g, v->max_temp_K, real, n * 8);
    grid_fill_arrival(&g->grid, p, all, (int32_t *)host);
    gpu_upload(g, v->arrival, host, n * 4);
    grid_fill_flag(&g->grid, p, all, (uint8_t *)host);
    gpu_upload(g, v->flag, host, n);
    grid_fill_thickness(&g->grid, p, all, real);
    gpu_upload(g, v->h, real, n * 8);
    if (v->h_other) gpu_upload(g, v->h_other, real, n * 8);
}

/* ---- the first list of tiles ----------------------------------------------------------------- */

enum { FINDERS = 32 /* blocks per multiprocessor */, LISTERS = 256 /* threads per block */ };

/* Sets awake[tile] to whether a tile has lava or a vent. One warp per tile. */
__global__ static void find_awake(const __grid_constant__ struct gpu_view v, int *awake)
{
    gpu_wait();
    for (int tile = blockIdx.x; tile < v.tile_count; tile += gridDim.x) {
        int first = grid_at(v.stride, tile / v.tiles_across * v.tile_rows,
                            tile % v.tiles_across * v.tile_cols);
        bool wakes = false;
        for (int i = threadIdx.x; i < v.tile_rows * v.tile_cols; i += blockDim.x) {
            int at = first + i / v.tile_cols * v.stride + i % v.tile_cols;
            wakes |= v.h[at] > 0.0 || (v.flag[at] & CELL_VENT);
        }
        wakes = __any_sync(0xffffffffu, wakes);
        if (threadIdx.x == 0) awake[tile] = wakes;
    }
}

__global__ static void list_around(const __grid_constant__ struct gpu_view v, const int *awake,
                                   int list, int epoch, int *slot)
{
    gpu_wait();
    for (int tile = (int)(blockIdx.x * blockDim.x + threadIdx.x); tile < v.tile_count;
         tile += (int)(gridDim.x * blockDim.x)) {
        bool listed = false;
        for (int k = 0; k < 9; k++) {
            int beside = gpu_tile_beside(&v, tile, k);
            listed |= beside >= 0 && awake[beside];
        }
        if (!listed) continue;
        int place = atomicAdd(&v.control->count[list], 1);
        v.listed_for[tile] = epoch;
        v.list[list][place] = tile;
        if (slot) slot[tile] = place;
    }
}

static unsigned blocks_for(const struct gpu *g, int count)
{
    const int most = g->processors * FINDERS;
    return (unsigned)(count < most ? count : most);
}

/* `awake` uses the memory of another list, because no kernel reads that list yet. */
void gpu_list_tiles(struct gpu *g, int list, int epoch, int *slot)
{
    const struct gpu_view now = gpu_present(g);
    int *awake = g->v.list[(list + 1) % 3];
    gpu_launch(g, find_awake, dim3(blocks_for(g, now.tile_count)), dim3(32), now, awake);
    gpu_launch(g, list_around, dim3(blocks_for(g, now.tile_count / LISTERS + 1)), dim3(LISTERS),
               now, awake, list, epoch, slot);
}

void gpu_list_first(struct gpu *g)
{
    const long long epoch = (g->step + 1) / EPOCH;
    gpu_list_tiles(g, (int)(epoch % 3), (int)epoch, NULL);
}

static struct gpu_sum initial_mobile(const struct gpu *g, const double *h)
{
    const struct problem *p = g->problem;
    struct gpu_sum sum = {};
    for (int r = 0; (p->from || p->thickness_m) && r < g->grid.rows; r++)
        for (int c = 0; c < g->grid.cols; c++) {
            gpu_word n = (gpu_word)(h[grid_at(g->v.stride, r, c)] * LATTICE_PER_M);
            sum.word[0] += n & 0xffffffffu;
            sum.word[1] += n >> 32;
        }
    return sum;
}

/* ---- vents ----------------------------------------------------------------------------------- */

struct vent_row {
    int at;
    const struct vent *vent;
};

static int by_place(const void *a, const void *b)
{
    int x = ((const struct vent_row *)a)->at, y = ((const struct vent_row *)b)->at;
    return x < y ? -1 : x > y;
}

/* LONGEST_SEGMENT limits the steps of a segment, EMISSIONS the emissions in the table v.emission_m. */
enum { LONGEST_SEGMENT = 1000 };
#if defined(SCIARA_EMULATOR)
enum { EMISSIONS = 20 }; /* few, so that small tests fill the table */
#else
enum { EMISSIONS = 1 << 20 };
#endif

static void make_emission_table(struct gpu *g)
{
    const int vents = g->v.vent_count;
    g->longest = LONGEST_SEGMENT;
    if (vents > EMISSIONS / LONGEST_SEGMENT) g->longest = vents < EMISSIONS ? EMISSIONS / vents : 1;
    if (vents && g->strategy->emitLava)
        g->v.emission_m = (double *)gpu_allocate(g, (size_t)vents * (size_t)g->longest * 8);
}

void gpu_upload_vents(struct gpu *g)
{
    const struct problem *p = g->problem;
    struct gpu_view *v = &g->v;
    size_t vents = (size_t)p->vent_count + 1, intervals = 1;
    for (int i = 0; i < p->vent_count; i++) intervals += (size_t)p->vents[i].interval_count;
    struct vent_row *rows = (struct vent_row *)calloc(vents, sizeof *rows);
    int *at = (int *)calloc(vents, 4), *begin = (int *)calloc(vents, 4), used = 0, n = 0;
    long long *first_step = (long long *)calloc(intervals, 8);
    double *amount_m = (double *)calloc(intervals, 8);
    gpu_word *fraction = (gpu_word *)calloc(intervals, 8),
             *phase = (gpu_word *)calloc(intervals, 8);
    if (!rows || !at || !begin || !first_step || !amount_m || !fraction || !phase) {
        gpu_out_of_memory(g);
        goto out;
    }
    for (int i = 0; i < p->vent_count; i++) {
        int r = p->vents[i].row - p->window.row0, c = p->vents[i].col - p->window.col0;
        if (r < 0 || r >= g->grid.rows || c < 0 || c >= g->grid.cols) continue;
        rows[n].at = grid_at(v->stride, r, c);
        rows[n++].vent = &p->vents[i];
    }
    qsort(rows, (size_t)n, sizeof *rows, by_place);
    for (int i = 0; i < n; i++) {
        at[i] = rows[i].at;
        begin[i] = used;
        for (int j = 0; j < rows[i].vent->interval_count; j++, used++) {
            first_step[used] = rows[i].vent->first_step[j];
            amount_m[used] = rows[i].vent->amount_m[j];
            fraction[used] = rows[i].vent->fraction ? rows[i].vent->fraction[j] : 0;
            phase[used] = rows[i].vent->phase ? rows[i].vent->phase[j] : 0;
        }
    }
    begin[n] = used;
    v->vent_count = n;
    {
        int *d_at = (int *)gpu_allocate(g, vents * 4), *d_begin = (int *)gpu_allocate(g, vents * 4);
        long long *d_first = (long long *)gpu_allocate(g, intervals * 8);
        double *d_amount = (double *)gpu_allocate(g, intervals * 8);
        gpu_word *d_fraction = (gpu_word *)gpu_allocate(g, intervals * 8),
                 *d_phase = (gpu_word *)gpu_allocate(g, intervals * 8);
        v->vent_at = d_at;
        v->vent_begin = d_begin;
        v->vent_first_step = d_first;
        v->vent_amount_m = d_amount;
        v->vent_fraction = d_fraction;
        v->vent_phase = d_phase;
        gpu_upload(g, d_at, at, vents * 4);
        gpu_upload(g, d_begin, begin, vents * 4);
        gpu_upload(g, d_first, first_step, intervals * 8);
        gpu_upload(g, d_amount, amount_m, intervals * 8);
        gpu_upload(g, d_fraction, fraction, intervals * 8);
        gpu_upload(g, d_phase, phase, intervals * 8);
    }
    make_emission_table(g);
out:
    free(rows);
    free(at);
    free(begin);
    free(first_step);
    free(amount_m);
    free(fraction);
    free(phase);
}

/* Keeps the sums of the state from which the run resumes. The device counts from 0, and snapshots add these sums. */
static void keep_sums(struct gpu *g)
{
    const struct fields *from = g->problem->from;
    if (!from) return;
    g->before.emitted = from->emitted;
    g->before.left_domain = from->left_domain;
    g->before.entered_sea = from->entered_sea;
    g->before.heat = from->heat;
}

void gpu_upload_control(struct gpu *g)
{
    memset(g->control->count, 0, sizeof g->control->count);
    gpu_upload(g, g->v.control, g->control, sizeof *g->control);
    /* gpu_upload() copies in the default stream, for which g->stream does not wait. */
    gpu_check(g, cudaDeviceSynchronize(), "upload");
    if (!g->failed) g->strategy->list_first(g);
    gpu_read_control(g);
}

void gpu_upload_problem(struct gpu *g)
{
    double *host = (double *)malloc((size_t)g->grid.size * 8);
    trace_begin("upload");
    if (!host) gpu_out_of_memory(g);
    else {
        upload_fields(g, host);
        g->control->step = g->step;
        keep_sums(g);
        g->control->mobile = initial_mobile(g, host);
        gpu_upload_control(g);
    }
    trace_end();
    free(host);
}
