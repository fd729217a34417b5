/* gpu_host.cu — the host side of the CUDA variants: device memory, segments of steps as graphs,
 * reduceAdd and the stopping rule at their end, snapshots copied beside the computation. */
#include "gpu_host.h"
#include "base/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool gpu_check(struct gpu *g, cudaError_t status, const char *what)
{
    if (status == cudaSuccess) return true;
    if (!g->failed) error_failed(g->error, "CUDA: %s: %s", what, cudaGetErrorString(status));
    g->failed = true;
    return false;
}

/* ---- kernels at the ends of a segment -------------------------------------------------------- */

/* emitLava for the first step of a segment. T is where that step reads the temperature. */
__global__ static void emit_first(const __grid_constant__ struct gpu_view v, int two_T)
{
    struct gpu_work w = gpu_begin(&v, 1);
    long long step = w.step;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (v.control->stopped || i >= v.vent_count) return;
    int at = v.vent_at[i];
    if (i > 0 && v.vent_at[i - 1] == at) return; /* the first of several in one cell does all */
    double *T_now = v.T[two_T ? step & 1 : 0], h = v.h[at], T = T_now[at];
    gpu_emit(&v, at, step, &h, &T);
    v.h[at] = h;
    T_now[at] = T;
}

/* reduceAdd: mobile lava after the last of `steps` steps, into control->mobile (zeroed before). */
__global__ static void reduceAdd(const __grid_constant__ struct gpu_view v, int steps)
{
    struct gpu_work next = gpu_begin(&v, steps + 1);
    long long low = 0, high = 0;
    int row = threadIdx.x / v.tile_cols, col = threadIdx.x % v.tile_cols;
    for (int i = blockIdx.x; i < next.count; i += gridDim.x) {
        int at = gpu_tile_at(&v, &next, i) + row * v.stride + col;
        long long n = (long long)(v.h[at] * LATTICE_PER_M);
        low += n & 0xffffffffLL;
        high += n >> 32;
    }
    gpu_add_warp(&v.control->mobile, low, high);
}

__global__ static void zero_mobile(const __grid_constant__ struct gpu_view v)
{
    gpu_begin(&v, 0);
    struct gpu_control *control = v.control;
    if (!control->stopped) control->mobile.word[0] = control->mobile.word[1] = 0;
}

/* Counts the steps of the segment; after a reduction, applies the stopping rule. */
__global__ static void end_segment(const __grid_constant__ struct gpu_view v, int steps,
                                   bool reduces, const __grid_constant__ struct gpu_rule rule)
{
    gpu_begin(&v, 0);
    struct gpu_control *control = v.control;
    if (control->stopped) return;
    control->step += steps;
    if (reduces && gpu_is_still(&rule, &control->mobile, control->step)) control->stopped = 1;
}

/* ---- segments -------------------------------------------------------------------------------- */

static quanta sum_of(const struct gpu_sum *s)
{
    return (quanta)s->word[0] + (quanta)s->word[1] * ((quanta)1 << 32);
}

static struct gpu_rule rule_of(const struct problem *p)
{
    quanta limit = (quanta)(p->stop_mobile_m * LATTICE_PER_M);
    struct gpu_rule rule = {p->stop_when_still, (long long)p->reduce_every,
                            (long long)p->last_vent_step, (gpu_word)(limit >> 32),
                            (gpu_word)(limit & 0xffffffff)};
    return rule;
}

static void enqueue_segment(struct gpu *g, int steps, bool reduces)
{
    struct gpu_rule rule = rule_of(g->problem);
    gpu_launch(g, emit_first, dim3((unsigned)(g->v.vent_count + 127) / 128 + 1), dim3(128), g->v,
               (int)g->strategy->two_T);
    for (int i = 1; i <= steps; i++) g->strategy->step(g, i, i < steps);
    if (reduces) {
        gpu_launch(g, zero_mobile, dim3(1), dim3(1), g->v);
        int threads = g->v.tile_rows * g->v.tile_cols;
        gpu_launch(g, reduceAdd, dim3(gpu_blocks(g, 1024 / threads)), dim3((unsigned)threads), g->v,
                   steps);
    }
    gpu_launch(g, end_segment, dim3(1), dim3(1), g->v, steps, reduces, rule);
}

#if !defined(SCIARA_EMULATOR)
/* A whole segment between two reductions as a graph, made once. */
static bool make_graph(struct gpu *g)
{
    cudaGraph_t graph = NULL;
    if (!gpu_check(g, cudaStreamBeginCapture(g->stream, cudaStreamCaptureModeThreadLocal),
                   "capture"))
        return false;
    enqueue_segment(g, (int)g->problem->reduce_every, true);
    gpu_check(g, cudaStreamEndCapture(g->stream, &graph), "capture");
    if (!g->failed) gpu_check(g, cudaGraphInstantiate(&g->graph, graph, 0), "graph");
    if (graph) cudaGraphDestroy(graph);
    return !g->failed;
}
#endif

enum {
    LONGEST_GRAPH = 1000,
    LONGEST_RUN =
        20000, /* steps of one launch: less than a second, for devices that also draw a screen */
};

/* Up to the next reduction, and not more than a graph's worth; or as far as one kernel goes. */
static int64_t next_segment(const struct gpu *g, int64_t steps)
{
    int64_t every = g->problem->reduce_every, n = every - g->step % every, most = LONGEST_GRAPH;
    if (g->strategy->run) n = most = LONGEST_RUN;
    if (n > most) n = most;
    return n < steps ? n : steps;
}

static void run_segment(struct gpu *g, int steps)
{
    if (g->strategy->run) {
        struct gpu_rule rule = rule_of(g->problem);
        g->strategy->run(g, steps, &rule);
        return;
    }
#if !defined(SCIARA_EMULATOR)
    bool graph = !(g->without & VARIANT_WITHOUT_GRAPH);
    if (graph && steps == g->problem->reduce_every && steps <= LONGEST_GRAPH) {
        if (!g->graph && !make_graph(g)) return;
        gpu_check(g, cudaGraphLaunch(g->graph, g->stream), "graph launch");
        return;
    }
#endif
    enqueue_segment(g, steps, (g->step + steps) % g->problem->reduce_every == 0);
}

void gpu_read_control(struct gpu *g)
{
    gpu_check(g,
              cudaMemcpyAsync(g->control, g->v.control, sizeof *g->control, cudaMemcpyDeviceToHost,
                              g->stream),
              "copy");
    gpu_check(g, cudaStreamSynchronize(g->stream), "steps");
}

/* How many blocks are worth their while depends on how many tiles are listed, and the graph has
 * them fixed. */
static void look_at_list(struct gpu *g)
{
    int most = g->v.full ? g->v.tile_count : 0, listed = 1;
    for (int i = 0; i < 3; i++)
        if (g->control->count[i] > most) most = g->control->count[i];
    while (listed < most) listed *= 2;
    if (listed != g->listed && g->graph) {
        gpu_check(g, cudaGraphExecDestroy(g->graph), "graph");
        g->graph = 0;
    }
    g->listed = listed;
}

int gpu_advance(void *self, int64_t steps, struct variant_status *status, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    g->error = e;
    trace_begin("%lld steps from %lld", (long long)steps, (long long)g->step + 1);
    gpu_check(g, cudaSetDevice(g->device), "device");
    look_at_list(g);
    gpu_check(g, cudaEventRecord(g->begin, g->stream), "event");
    for (int64_t n; steps > 0 && !g->failed; steps -= n) {
        n = next_segment(g, steps);
        run_segment(g, (int)n);
        g->step += n;
    }
    gpu_check(g, cudaEventRecord(g->end, g->stream), "event");
    gpu_read_control(g);
    trace_end();
    float ms = 0.0f;
    gpu_check(g, cudaEventElapsedTime(&ms, g->begin, g->end), "time");
    if (g->failed) return ERROR_FAILED;
    g->ms += ms;
    g->step = g->control->step;
    if (status) {
        status->step = g->control->step;
        status->stopped = g->control->stopped;
        status->mobile = sum_of(&g->control->mobile);
        status->device_ms = g->ms;
        for (int i = 0; i < 2; i++) status->epochs[i] = g->control->epochs[i];
    }
    return 0;
}

/* ---- creation -------------------------------------------------------------------------------- */

int gpu_available(const struct variant_options *o, char what[128], struct error *e)
{
    int count = 0, device = o ? o->device : 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver)
        return error_device(
            e, "no CUDA device: no NVIDIA driver, or one older than this program needs");
    if (status != cudaSuccess || count == 0)
        return error_device(e, "no CUDA device: %s",
                            status == cudaSuccess ? "none found" : cudaGetErrorString(status));
    if (device < 0 || device >= count)
        return error_device(e, "no CUDA device %d: this machine has %d, counted from 0", device,
                            count);
    struct cudaDeviceProp properties;
    status = cudaGetDeviceProperties(&properties, device);
    if (status != cudaSuccess)
        return error_device(e, "CUDA device %d: %s", device, cudaGetErrorString(status));
    snprintf(what, 128, "%.100s", properties.name);
    return 0;
}

void *gpu_allocate(struct gpu *g, size_t bytes)
{
    void *a = NULL;
    if (g->failed || !gpu_check(g, cudaMalloc(&a, bytes), "memory")) return NULL;
    g->bytes += bytes;
    return a;
}

static void allocate_view(struct gpu *g)
{
    struct gpu_view *v = &g->v;
    const struct gpu_strategy *s = g->strategy;
    size_t n = (size_t)v->size, tiles = (size_t)v->tile_count;
    double **always[] = {&v->z, &v->h, &v->s, &v->max_total_m, &v->max_temp_K, &v->T[0]};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        *always[i] = (double *)gpu_allocate(g, n * 8);
    if (s->two_states) {
        v->z_other = (double *)gpu_allocate(g, n * 8);
        v->h_other = (double *)gpu_allocate(g, n * 8);
    }
    if (s->two_T || s->scratch_T || s->two_states) v->T[1] = (double *)gpu_allocate(g, n * 8);
    if (s->layers) v->flow = (double *)gpu_allocate(g, 8 * n * 8);
    if (s->accumulates) {
        v->gain_m = (double *)gpu_allocate(g, n * 8);
        v->heat = (gpu_word *)gpu_allocate(g, n * 8);
    }
    v->arrival = (int *)gpu_allocate(g, n * 4);
    v->flag = (unsigned char *)gpu_allocate(g, n);
    v->control = (struct gpu_control *)gpu_allocate(g, sizeof *v->control);
    for (int i = 0; i < 3; i++) v->list[i] = (int *)gpu_allocate(g, tiles * 4);
    v->listed_for = (int *)gpu_allocate(g, tiles * 4);
    if (s->run) {
        v->slot = (int *)gpu_allocate(g, tiles * 4);
        v->weight = (int *)gpu_allocate(g, tiles * 4);
    }
    if (g->failed) return;
    if (v->T[1]) gpu_check(g, cudaMemset(v->T[1], 0, n * 8), "memset");
    if (v->flow) gpu_check(g, cudaMemset(v->flow, 0, 8 * n * 8), "memset");
    if (v->gain_m) gpu_check(g, cudaMemset(v->gain_m, 0, n * 8), "memset");
    for (int i = 0; i < 3; i++) gpu_check(g, cudaMemset(v->list[i], 0, tiles * 4), "memset");
    if (v->heat) gpu_check(g, cudaMemset(v->heat, 0, n * 8), "memset");
}

static void upload(struct gpu *g, void *to, const void *from, size_t bytes)
{
    if (!g->failed) gpu_check(g, cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "upload");
}

/* The fields, one after the other through one host array. Returns the flags for later use. */
static void upload_fields(struct gpu *g, void *host)
{
    const struct problem *p = g->problem;
    struct gpu_view *v = &g->v;
    size_t n = (size_t)v->size;
    double *real = (double *)host;
    grid_fill_elevation(&g->g, p, real);
    upload(g, v->z, real, n * 8);
    if (v->z_other) upload(g, v->z_other, real, n * 8);
    grid_fill_value(&g->g, p, p->temp_K, real);
    upload(g, v->T[0], real, n * 8);
    if (g->strategy->two_T || g->strategy->two_states) upload(g, v->T[1], real, n * 8);
    grid_fill_value(&g->g, p, p->solid_m, real);
    upload(g, v->s, real, n * 8);
    grid_fill_max_thickness(&g->g, p, real);
    upload(g, v->max_total_m, real, n * 8);
    grid_fill_max_temp(&g->g, p, real);
    upload(g, v->max_temp_K, real, n * 8);
    grid_fill_arrival(&g->g, p, (int32_t *)host);
    upload(g, v->arrival, host, n * 4);
    grid_fill_flag(&g->g, p, (uint8_t *)host);
    upload(g, v->flag, host, n);
    grid_fill_value(&g->g, p, p->thickness_m, real); /* last: upload_list looks at it */
    upload(g, v->h, real, n * 8);
    if (v->h_other) upload(g, v->h_other, real, n * 8);
}

static int first_epoch(const struct gpu *g)
{
    return g->strategy->run ? 0 : (int)((g->step + 1) / EPOCH);
}

static void list_tile(struct gpu *g, int *list, int *count, int *listed_for, int *slot, int down,
                      int across)
{
    if (down < 0 || down >= g->g.tiles_down || across < 0 || across >= g->g.tiles_across) return;
    int tile = down * g->g.tiles_across + across, epoch = first_epoch(g);
    if (listed_for[tile] == epoch) return;
    listed_for[tile] = epoch;
    slot[tile] = *count;
    list[(*count)++] = tile;
}

static struct gpu_sum initial_mobile(const struct gpu *g, const double *h)
{
    struct gpu_sum sum = {};
    for (int r = 0; g->problem->thickness_m && r < g->g.rows; r++)
        for (int c = 0; c < g->g.cols; c++) {
            gpu_word n = (gpu_word)(h[grid_at(g->v.stride, r, c)] * LATTICE_PER_M);
            sum.word[0] += n & 0xffffffffu;
            sum.word[1] += n >> 32;
        }
    return sum;
}

/* The list for the first step: tiles with lava or a vent, and their neighbours. */
static void upload_list(struct gpu *g, const double *h)
{
    struct gpu_view *v = &g->v;
    size_t tiles = (size_t)v->tile_count;
    int *list = (int *)malloc(tiles * 4), *listed_for = (int *)malloc(tiles * 4), count = 0;
    int *slot = (int *)calloc(tiles, 4);
    struct gpu_control control = {};
    if (!list || !listed_for || !slot) {
        error_failed(g->error, "out of memory");
        g->failed = true;
    } else {
        for (size_t i = 0; i < tiles; i++) listed_for[i] = -1;
        for (int r = 0; g->problem->thickness_m && r < g->g.rows; r++)
            for (int c = 0; c < g->g.cols; c++)
                if (h[grid_at(v->stride, r, c)] > 0.0)
                    for (int n = 0; n < 9; n++)
                        list_tile(g, list, &count, listed_for, slot, r / v->tile_rows + n / 3 - 1,
                                  c / v->tile_cols + n % 3 - 1);
        for (int i = 0; i < g->problem->vent_count; i++) {
            int r = g->problem->vents[i].row - g->problem->window.row0;
            int c = g->problem->vents[i].col - g->problem->window.col0;
            if (r < 0 || r >= g->g.rows || c < 0 || c >= g->g.cols) continue;
            for (int n = 0; n < 9; n++)
                list_tile(g, list, &count, listed_for, slot, r / v->tile_rows + n / 3 - 1,
                          c / v->tile_cols + n % 3 - 1);
        }
        control.step = g->step;
        control.mobile = initial_mobile(g, h);
        control.count[first_epoch(g) % 3] = count;
        upload(g, v->list[first_epoch(g) % 3], list, (size_t)count * 4);
        upload(g, v->listed_for, listed_for, tiles * 4);
        if (v->slot) upload(g, v->slot, slot, tiles * 4);
        if (v->weight) gpu_check(g, cudaMemset(v->weight, 0, tiles * 4), "memset");
        upload(g, v->control, &control, sizeof control);
        *g->control = control;
    }
    free(list);
    free(listed_for);
    free(slot);
}

struct vent_row {
    int at;
    const struct vent *vent;
};

static int by_place(const void *a, const void *b)
{
    int x = ((const struct vent_row *)a)->at, y = ((const struct vent_row *)b)->at;
    return x < y ? -1 : x > y;
}

static void upload_vents(struct gpu *g)
{
    const struct problem *p = g->problem;
    struct gpu_view *v = &g->v;
    size_t vents = (size_t)p->vent_count + 1, intervals = 1;
    for (int i = 0; i < p->vent_count; i++) intervals += (size_t)p->vents[i].interval_count;
    struct vent_row *rows = (struct vent_row *)calloc(vents, sizeof *rows);
    int *at = (int *)calloc(vents, 4), *begin = (int *)calloc(vents, 4), used = 0, n = 0;
    long long *first_step = (long long *)calloc(intervals, 8);
    double *amount_m = (double *)calloc(intervals, 8);
    if (!rows || !at || !begin || !first_step || !amount_m) {
        error_failed(g->error, "out of memory");
        g->failed = true;
        goto out;
    }
    for (int i = 0; i < p->vent_count; i++) {
        int r = p->vents[i].row - p->window.row0, c = p->vents[i].col - p->window.col0;
        if (r < 0 || r >= g->g.rows || c < 0 || c >= g->g.cols) continue;
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
        }
    }
    begin[n] = used;
    v->vent_count = n;
    {
        int *d_at = (int *)gpu_allocate(g, vents * 4), *d_begin = (int *)gpu_allocate(g, vents * 4);
        long long *d_first = (long long *)gpu_allocate(g, intervals * 8);
        double *d_amount = (double *)gpu_allocate(g, intervals * 8);
        v->vent_at = d_at;
        v->vent_begin = d_begin;
        v->vent_first_step = d_first;
        v->vent_amount_m = d_amount;
        upload(g, d_at, at, vents * 4);
        upload(g, d_begin, begin, vents * 4);
        upload(g, d_first, first_step, intervals * 8);
        upload(g, d_amount, amount_m, intervals * 8);
    }
out:
    free(rows);
    free(at);
    free(begin);
    free(first_step);
    free(amount_m);
}

/* Says how much a problem needs where the device has less. */
static bool fits(struct gpu *g)
{
    size_t free_bytes = 0, all = 0, need = (size_t)g->v.size * (size_t)GPU_BYTES(*g->strategy);
    if (!gpu_check(g, cudaMemGetInfo(&free_bytes, &all), "memory")) return false;
    if (need <= free_bytes) return true;
    error_input(g->error,
                "%d x %d cells need %.1f GiB on the device, %.1f GiB are free; use fewer cells, a "
                "variant with "
                "less memory a cell (sciara variants), or a larger device",
                g->g.rows, g->g.cols, (double)need / 1073741824.0,
                (double)free_bytes / 1073741824.0);
    g->failed = true;
    return false;
}

int gpu_create(const struct gpu_strategy *s, void **self, const struct problem *p,
               const struct variant_options *o, struct error *e)
{
    char what[128];
    struct error local;
    int code = gpu_available(o, what, e);
    if (code) return code;
    struct gpu *g = (struct gpu *)calloc(1, sizeof *g);
    if (!g) return error_failed(e, "out of memory");
    trace_begin("create");
    local.code = ERROR_NONE;
    g->error = &local;
    g->problem = p;
    g->strategy = s;
    g->device = o ? o->device : 0;
    g->without = o ? o->without : 0;
    g->step = p->first_step;
    g->g = grid_create(p->window.rows, p->window.cols, s->tile_rows, s->tile_cols);
    g->v.physics = physics_create(&p->params);
    g->v.stride = g->g.stride;
    g->v.size = g->g.size;
    g->v.tile_rows = s->tile_rows;
    g->v.tile_cols = s->tile_cols;
    g->v.tiles_across = g->g.tiles_across;
    g->v.tile_count = g->g.tiles_down * g->g.tiles_across;
    g->v.reach = s->run ? s->tile_rows : EPOCH;
    g->v.full = p->full_domain;
    gpu_check(g, cudaSetDevice(g->device), "device");
    gpu_check(g, cudaDeviceGetAttribute(&g->processors, cudaDevAttrMultiProcessorCount, g->device),
              "device");
    gpu_check(g, cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking), "stream");
    gpu_check(g, cudaStreamCreateWithFlags(&g->copy_stream, cudaStreamNonBlocking), "stream");
    gpu_check(g, cudaEventCreate(&g->begin), "event");
    gpu_check(g, cudaEventCreate(&g->end), "event");
    gpu_check(g, cudaEventCreateWithFlags(&g->staged, cudaEventDisableTiming), "event");
    gpu_check(g, cudaMallocHost((void **)&g->control, sizeof *g->control), "memory");
    if (!g->failed) memset(g->control, 0, sizeof *g->control);
    void *host = malloc((size_t)g->g.size * 8);
    if (!host) {
        error_failed(g->error, "out of memory");
        g->failed = true;
    }
    if (!g->failed && fits(g)) allocate_view(g);
    if (!g->failed && s->prepare) s->prepare(g);
    if (!g->failed) {
        trace_begin("upload");
        upload_fields(g, host);
        upload_list(g, (const double *)host);
        upload_vents(g);
        gpu_check(g, cudaDeviceSynchronize(), "upload");
        trace_end();
    }
    free(host);
    trace_end();
    if (g->failed) {
        if (e) *e = local;
        code = local.code;
        gpu_destroy(g);
        return code;
    }
    g->error = NULL;
    *self = g;
    return 0;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

/* The arrays of a snapshot: where they are on the device and where they go. */
struct copy {
    const void *from;
    void *to;
    size_t element;
};
enum { COPIES = 7 };

static void list_copies(const struct gpu_view *v, int T, struct fields *out, struct copy c[COPIES])
{
    const struct copy all[COPIES] = {{v->z, out->elevation_m, 8},
                                     {v->h, out->thickness_m, 8},
                                     {v->T[T], out->temp_K, 8},
                                     {v->s, out->solid_m, 8},
                                     {v->max_total_m, out->max_thickness_m, 8},
                                     {v->max_temp_K, out->max_temp_K, 8},
                                     {v->arrival, out->arrival, 4}};
    for (int i = 0; i < COPIES; i++) c[i] = all[i];
}

/* Device memory for a copy of the state, so that the steps can go on meanwhile; none if it does not
 * fit. */
static void make_staging(struct gpu *g)
{
    struct gpu_view *s = &g->staging;
    size_t n = (size_t)g->v.size, free_bytes = 0, all = 0;
    if (g->has_staging) return;
    if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess || free_bytes < n * 53 + (64u << 20))
        return;
    double **reals[] = {&s->z, &s->h, &s->T[0], &s->s, &s->max_total_m, &s->max_temp_K};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        *reals[i] = (double *)gpu_allocate(g, n * 8);
    s->arrival = (int *)gpu_allocate(g, n * 4);
    g->has_staging = !g->failed;
}

int gpu_snapshot(void *self, struct fields *out, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    struct copy from[COPIES], to[COPIES];
    int state = g->strategy->two_T || g->strategy->two_states ? (int)((g->step + 1) & 1) : 0;
    struct gpu_view now = g->v;
    if (g->strategy->two_states && state) {
        now.z = g->v.z_other;
        now.h = g->v.h_other;
    }
    g->error = e;
    trace_begin("snapshot of step %lld", (long long)g->step);
    gpu_check(g, cudaSetDevice(g->device), "device");
    make_staging(g);
    list_copies(&now, state, out, to);
    if (g->has_staging) {
        list_copies(&now, state, out, from);
        list_copies(&g->staging, 0, out, to);
        for (int i = 0; i < COPIES && !g->failed; i++)
            gpu_check(g,
                      cudaMemcpyAsync((void *)to[i].from, from[i].from,
                                      (size_t)g->v.size * to[i].element, cudaMemcpyDeviceToDevice,
                                      g->stream),
                      "stage");
    }
    gpu_check(g, cudaEventRecord(g->staged, g->stream), "event");
    gpu_check(g, cudaStreamWaitEvent(g->copy_stream, g->staged, 0), "event");
    size_t rows = (size_t)g->g.rows, cols = (size_t)g->g.cols;
    for (int i = 0; i < COPIES && !g->failed; i++) {
        size_t element = to[i].element, first = (size_t)grid_at(g->v.stride, 0, 0) * element;
        cudaHostRegister(to[i].to, rows * cols * element,
                         cudaHostRegisterDefault); /* or the copy is slower */
        (void)cudaGetLastError();
        gpu_check(g,
                  cudaMemcpy2DAsync(to[i].to, cols * element, (const char *)to[i].from + first,
                                    (size_t)g->v.stride * element, cols * element, rows,
                                    cudaMemcpyDeviceToHost, g->copy_stream),
                  "copy");
    }
    if (!g->has_staging) gpu_check(g, cudaStreamSynchronize(g->copy_stream), "copy");
    out->window = g->problem->window;
    out->step = g->step;
    out->emitted = sum_of(&g->control->emitted);
    out->left_domain = sum_of(&g->control->left);
    g->pending_out = out;
    trace_end();
    return g->failed ? ERROR_FAILED : 0;
}

int gpu_snapshot_wait(void *self, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    struct copy c[COPIES];
    if (!g->pending_out) return 0;
    g->error = e;
    trace_begin("wait for the snapshot");
    gpu_check(g, cudaStreamSynchronize(g->copy_stream), "copy");
    list_copies(&g->v, 0, g->pending_out, c);
    for (int i = 0; i < COPIES; i++) cudaHostUnregister(c[i].to);
    (void)cudaGetLastError();
    grid_walls_to_nan(&g->g, g->pending_out->elevation_m);
    g->pending_out = NULL;
    trace_end();
    return g->failed ? ERROR_FAILED : 0;
}

int gpu_outflows_layers(void *self, double *out, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    size_t rows = (size_t)g->g.rows, cols = (size_t)g->g.cols;
    g->error = e;
    for (size_t k = 0; k < 8; k++)
        gpu_check(g,
                  cudaMemcpy2D(out + k * rows * cols, cols * 8,
                               g->v.flow + k * (size_t)g->v.size + grid_at(g->v.stride, 0, 0),
                               (size_t)g->v.stride * 8, cols * 8, rows, cudaMemcpyDeviceToHost),
                  "copy");
    return g->failed ? ERROR_FAILED : 0;
}

size_t gpu_memory(void *self)
{
    return ((const struct gpu *)self)->bytes;
}

static void free_view(struct gpu_view *v)
{
    void *arrays[] = {v->z,
                      v->h,
                      v->z_other,
                      v->h_other,
                      v->s,
                      v->max_total_m,
                      v->max_temp_K,
                      v->T[0],
                      v->T[1],
                      v->arrival,
                      v->flag,
                      v->flow,
                      v->gain_m,
                      v->heat,
                      v->control,
                      v->list[0],
                      v->list[1],
                      v->list[2],
                      v->listed_for,
                      v->slot,
                      v->weight,
                      v->exchange,
                      v->panel,
                      v->panel_for,
                      (void *)v->vent_at,
                      (void *)v->vent_begin,
                      (void *)v->vent_first_step,
                      (void *)v->vent_amount_m};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cudaFree(arrays[i]);
}

void gpu_destroy(void *self)
{
    struct gpu *g = (struct gpu *)self;
    if (!g) return;
    struct error ignored;
    if (g->pending_out) gpu_snapshot_wait(g, &ignored);
    cudaSetDevice(g->device);
    if (g->graph) cudaGraphExecDestroy(g->graph);
    free_view(&g->v);
    free_view(&g->staging);
    if (g->control) cudaFreeHost(g->control);
    if (g->begin) cudaEventDestroy(g->begin);
    if (g->end) cudaEventDestroy(g->end);
    if (g->staged) cudaEventDestroy(g->staged);
    if (g->stream) cudaStreamDestroy(g->stream);
    if (g->copy_stream) cudaStreamDestroy(g->copy_stream);
    free(g);
}

/* ---- what a kernel needs of the device ------------------------------------------------------- */

struct room { /* on a multiprocessor */
    int threads, blocks, shared_bytes;
    int reserved_bytes; /* of shared memory, for each block */
};

static cudaError_t room_of(int device, struct room *r)
{
    const struct {
        int *value;
        cudaDeviceAttr what;
    } all[] = {{&r->threads, cudaDevAttrMaxThreadsPerMultiProcessor},
               {&r->blocks, cudaDevAttrMaxBlocksPerMultiprocessor},
               {&r->shared_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
               {&r->reserved_bytes, cudaDevAttrReservedSharedMemoryPerBlock}};
    cudaError_t status = cudaSuccess;
    for (int i = 0; i < 4 && status == cudaSuccess; i++)
        status = cudaDeviceGetAttribute(all[i].value, all[i].what, device);
    return status;
}

/* What is exhausted by the blocks that fit. How registers are dealt out the runtime alone knows:
 * they are the reason where nothing else is. */
static const char *limit_of(const struct variant_kernel *k, const struct room *r)
{
    int shared_bytes = (int)k->shared_bytes + r->reserved_bytes;
    if (k->blocks >= r->threads / (k->cols * k->rows)) return "threads";
    if (k->blocks >= r->blocks) return "blocks";
    if (k->shared_bytes && k->blocks >= r->shared_bytes / shared_bytes) return "shared memory";
    return "registers";
}

int gpu_kernels(const struct gpu_kernel *list, struct variant_kernel k[VARIANT_KERNELS], int *count,
                const struct variant_options *o, struct error *e)
{
    char device[128];
    int code = gpu_available(o, device, e), threads;
    struct room room = {};
    cudaFuncAttributes f;
    if (code) return code;
    cudaError_t status = cudaSetDevice(o ? o->device : 0);
    if (status == cudaSuccess) status = room_of(o ? o->device : 0, &room);
    *count = 0;
    for (const struct gpu_kernel *from = list; from->name; from++) {
        struct variant_kernel *to = &k[*count];
        if (*count == VARIANT_KERNELS) break;
        threads = from->cols * from->rows;
        if (status == cudaSuccess) status = cudaFuncGetAttributes(&f, from->function);
        if (status == cudaSuccess)
            status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&to->blocks, from->function,
                                                                   threads, from->dynamic_bytes);
        if (status != cudaSuccess) break;
        snprintf(to->name, sizeof to->name, "%.*s", (int)strcspn(from->name, "<"), from->name);
        to->cols = from->cols;
        to->rows = from->rows;
        to->registers = f.numRegs;
        to->shared_bytes = f.sharedSizeBytes + from->dynamic_bytes;
        to->local_bytes = f.localSizeBytes;
        to->occupancy = (double)(to->blocks * threads) / room.threads;
        to->limit = limit_of(to, &room);
        ++*count;
    }
    return status == cudaSuccess ? 0
                                 : error_failed(e, "CUDA: kernels: %s", cudaGetErrorString(status));
}
