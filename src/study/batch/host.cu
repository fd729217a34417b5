/* host.cu — a batch on the host: the data that all members share, and the device memory of both lanes (struct
 * batch_lane). */
#include "host.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- data that all members share ------------------------------------------------------------- */

static double at_or_0(const double *layer, size_t i)
{
    return layer ? layer[i] : 0.0;
}

static void look_at_start(struct batch *b, const struct problem *p)
{
    const size_t cells = p->thickness_m || p->solid_m ? (size_t)p->rows * (size_t)p->cols : 0;
    struct batch_start_sums *s = &b->start;
    s->box = {0, 0, 0, 0};
    for (size_t i = 0; i < cells; i++) {
        const int row = (int)(i / (size_t)p->cols), col = (int)(i % (size_t)p->cols);
        const double h = at_or_0(p->thickness_m, i), solid = at_or_0(p->solid_m, i);
        if (!(h > 0.0 || solid > 0.0)) continue;
        s->initial += (quanta)(h * LATTICE_PER_M) + (quanta)(solid * LATTICE_PER_M);
        struct batch_box *x = &s->box;
        if (x->row0 == x->row1) *x = {row, col, row + 1, col + 1};
        *x = {row < x->row0 ? row : x->row0, col < x->col0 ? col : x->col0,
              row + 1 > x->row1 ? row + 1 : x->row1, col + 1 > x->col1 ? col + 1 : x->col1};
    }
}

static void *upload(struct gpu *g, const void *from, size_t bytes)
{
    void *to = from ? gpu_allocate(g, bytes) : NULL;
    if (to) gpu_check(g, cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy");
    return to;
}

static void upload_shared(struct batch *b, const struct batch_setup *s)
{
    struct gpu *g = &b->gpu;
    struct batch_view *v = &b->view;
    const struct problem *p = s->base;
    const size_t cells = (size_t)p->rows * (size_t)p->cols, layer = cells * sizeof(double);
    v->rows = p->rows;
    v->cols = p->cols;
    v->elevation_m = (const double *)upload(g, p->elevation_m, layer);
    v->thickness_m = (const double *)upload(g, p->thickness_m, layer);
    v->temp_K = (const double *)upload(g, p->temp_K, layer);
    v->solid_m = (const double *)upload(g, p->solid_m, layer);
    v->outline = (const unsigned char *)upload(g, s->outline, cells);
    v->lava = b->start.box;
    v->thickness_edges = s->thickness_m->edges;
    v->arrival_edges = s->arrival_s->edges;
    v->thickness_edge = (const double *)upload(g, s->thickness_m->edge,
                                               (size_t)v->thickness_edges * sizeof(double));
    v->arrival_edge =
        (const double *)upload(g, s->arrival_s->edge, (size_t)v->arrival_edges * sizeof(double));
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The number of cells of the largest window, which has the domain and the walls around the domain. Each row of the
 * window is whole words of bits. */
static size_t most_of_a_window(const struct problem *p)
{
    return ((size_t)p->rows + 2) * (((size_t)p->cols + 1 + 31) / 32 * 32 + 32);
}

struct batch_layout batch_layout_for(const struct batch *b, int blocks)
{
    const size_t cell = batch_layout_of(1 << 20).bytes / (1 << 20) + 1,
                 half = b->pool_bytes / (size_t)blocks / 2, room = half > 4096 ? half - 4096 : 0,
                 cells = room / cell / 32 * 32;
    return batch_layout_of(cells < b->window_cells ? cells : b->window_cells);
}

/* Memory beyond 60 GiB is not useful, because most windows are small. */
static const size_t ENOUGH_BYTES = (size_t)60 << 30;

/* Divides the free device memory. Reached cells get at most a sixteenth of this memory, and no more than all members
 * of a launch can reach. */
static void plan_memory(struct batch *b, const struct batch_setup *s)
{
    struct gpu *g = &b->gpu;
    size_t free_bytes = 0, all = 0;
    const size_t cells = (size_t)s->base->rows * (size_t)s->base->cols;
    if (!gpu_check(g, cudaMemGetInfo(&free_bytes, &all), "memory")) return;
    size_t have = free_bytes / 10 * 9 < ENOUGH_BYTES ? free_bytes / 10 * 9 : ENOUGH_BYTES;
    if (s->bytes_max) have = s->bytes_max;
    if (have > free_bytes) have = free_bytes;
    have = have > g->bytes ? have - g->bytes : 0;
    b->members = s->members ? s->members : 4 * b->blocks;
    if (b->members > BATCH_MEMBERS_MAX) b->members = BATCH_MEMBERS_MAX;
    const size_t most = (size_t)b->members * cells, room = have / 16 / sizeof(struct reached);
    b->reached_cells = s->reached_cells ? s->reached_cells : room < most ? room : most;
    const size_t lanes =
        BATCH_LANES *
        (b->reached_cells * sizeof(struct reached) +
         (size_t)b->members * (sizeof(struct batch_member) + sizeof(struct batch_result)));
    b->window_cells = most_of_a_window(s->base);
    size_t share = have > lanes ? (have - lanes) / (size_t)b->blocks : 0;
    if (s->share_max && share > s->share_max) share = s->share_max;
    const size_t whole = 2 * batch_layout_of(b->window_cells + b->window_cells / 64).bytes + 16384;
    if (share > whole) share = whole;
    b->pool_bytes = share * (size_t)b->blocks;
    const size_t least = 3 * BATCH_MARGIN * 96, room_for = batch_layout_for(b, 1).cells;
    if (room_for == b->window_cells || room_for >= least) return;
    error_input(&g->error,
                "%d x %d cells and the lava of their members do not fit into %.2f GiB of "
                "device memory; use a coarser grid, or a larger device",
                s->base->rows, s->base->cols, (double)have / 1073741824.0);
    g->failed = true;
}

static void create_lane(struct batch *b, struct batch_lane *l)
{
    struct gpu *g = &b->gpu;
    gpu_check(g, cudaStreamCreateWithFlags(&l->stream, cudaStreamNonBlocking), "stream");
    const size_t members = (size_t)b->members;
    l->member = (struct batch_member *)gpu_allocate(g, members * sizeof *l->member);
    l->result = (struct batch_result *)gpu_allocate(g, members * sizeof *l->result);
    l->reached = (struct reached *)gpu_allocate(g, b->reached_cells * sizeof *l->reached);
    l->control = (struct batch_control *)gpu_allocate(g, sizeof *l->control);
}

static void make_room(struct batch *b)
{
    struct gpu *g = &b->gpu;
    for (int i = 0; i < BATCH_LANES; i++) create_lane(b, &b->lane[i]);
    b->view.pool = (char *)gpu_allocate(g, b->pool_bytes);
    if (!g->failed) gpu_check(g, cudaMallocHost((void **)&b->stop, sizeof *b->stop), "memory");
    if (b->stop) *b->stop = 0;
    b->view.stop = b->stop;
    b->view.taken = (int *)gpu_allocate(g, (size_t)b->blocks * sizeof(int));
    if (!g->failed)
        gpu_check(g, cudaMemset(b->view.taken, 0, (size_t)b->blocks * sizeof(int)), "memset");
}

/* ---- a batch --------------------------------------------------------------------------------- */

extern "C" int batch_available(int device, char what[128], struct error *e)
{
    struct variant_options o = {};
    o.device = device;
    return gpu_available(&o, what, e);
}

extern "C" void batch_warm(int device)
{
    if (cudaSetDevice(device) == cudaSuccess) cudaFree(NULL);
}

extern "C" int batch_create(struct batch **out, const struct batch_setup *s, struct error *e)
{
    char what[128];
    int status = batch_available(s->device, what, e);
    if (status) return status;
    struct batch *b = (struct batch *)calloc(1, sizeof *b);
    if (!b) return error_memory(e);
    struct gpu *g = &b->gpu;
    b->base = *s->base;
    g->device = s->device;
    gpu_check(g, cudaSetDevice(s->device), "device");
    gpu_check(g, cudaDeviceGetAttribute(&g->processors, cudaDevAttrMultiProcessorCount, s->device),
              "device");
    b->blocks = batch_blocks(g);
    look_at_start(b, s->base);
    if (!g->failed) upload_shared(b, s);
    if (!g->failed) plan_memory(b, s);
    if (!g->failed) make_room(b);
    status = gpu_status(g, e);
    if (status) batch_destroy(b);
    else *out = b;
    return status;
}

extern "C" void batch_destroy(struct batch *b)
{
    if (!b) return;
    cudaSetDevice(b->gpu.device);
    for (int i = 0; i < BATCH_LANES; i++) {
        struct batch_lane *l = &b->lane[i];
        if (l->stream) cudaStreamSynchronize(l->stream);
        if (l->stream) cudaStreamDestroy(l->stream);
        for (int k = 0; k < LANE_TABLES; k++) cudaFree(l->table[k].device);
        batch_lane_clear(l);
    }
    gpu_free_all(&b->gpu);
    if (b->stop) cudaFreeHost(b->stop);
    free(b);
}

extern "C" void batch_stop(struct batch *b)
{
    *(volatile int *)b->stop = 1;
}

extern "C" int batch_blocks_at_once(const struct batch *b)
{
    return b->blocks;
}

extern "C" int batch_members_at_most(const struct batch *b)
{
    return b->members;
}

extern "C" size_t batch_memory(const struct batch *b)
{
    return b->gpu.bytes;
}
