/* snapshot.cu — the state of a simulation, copied to the host while the steps continue. */
#include "host.h"

#include "base/trace.h"

/* An array of a snapshot: where it is on the device, where it is on the host, and the bytes of an element. */
struct snapshot_copy {
    const void *from;
    void *to;
    size_t element;
};
enum { COPIES = 6, STAGED_BYTES = 5 * 8 + 4 /* of a cell */ };

static void list_copies(const struct gpu_view *v, int T, struct fields *out,
                        struct snapshot_copy c[COPIES])
{
    const struct snapshot_copy all[COPIES] = {
        {v->z, out->elevation_m, 8},         {v->h, out->thickness_m, 8},
        {v->T[T], out->temp_K, 8},           {v->highest_m, out->max_thickness_m, 8},
        {v->max_temp_K, out->max_temp_K, 8}, {v->arrival, out->arrival, 4}};
    for (int i = 0; i < COPIES; i++) c[i] = all[i];
}

/* Allocates device memory for a copy of the state, so that the steps can continue during the copy
 * to the host. If the copy does not fit, or another process takes the memory first, the steps wait
 * for the snapshot. */
static void make_staging(struct gpu *g)
{
    struct gpu_view *s = &g->staging;
    size_t n = (size_t)g->v.size, free_bytes = 0, all = 0;
    if (g->has_staging) return;
    if (cudaMemGetInfo(&free_bytes, &all) != cudaSuccess) return;
    if (free_bytes < n * STAGED_BYTES + (64u << 20)) return;
    double *memory = (double *)gpu_try_to_allocate(g, n * STAGED_BYTES);
    if (!memory) return;
    double **reals[] = {&s->z, &s->h, &s->T[0], &s->highest_m, &s->max_temp_K};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) *reals[i] = memory + i * n;
    s->arrival = (int *)(memory + sizeof reals / sizeof *reals * n);
    g->has_staging = true;
}

void gpu_drop_staging(struct gpu *g)
{
    if (g->has_staging) gpu_free(g, g->staging.z); /* staging.z: the address of the allocation */
    g->has_staging = false;
}

/* Adds up the sums of heat of all struct gpu_heat. `cooled` is correct modulo 2^64. */
static struct heat_sums heat_sums_of(const struct gpu *g)
{
    const struct gpu_control *control = g->control;
    struct heat_sums sums = g->before.heat;
    for (int i = 0; i < GPU_HEAT_PLACES; i++) {
        sums.emitted += gpu_quanta(&control->heat[i].emitted);
        sums.solidified += gpu_quanta(&control->heat[i].solidified);
        sums.left_domain += gpu_quanta(&control->heat[i].left);
        for (int lane = 0; lane < GPU_HEAT_LANES; lane++)
            sums.cooled += control->heat[i].cooled[lane];
    }
    return sums;
}

int gpu_snapshot(void *self, struct fields *out, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    struct snapshot_copy from[COPIES], to[COPIES];
    const int state = gpu_T_alternates(g) ? (int)((g->step + 1) & 1) : 0;
    const struct gpu_view now = gpu_present(g);
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
    size_t rows = (size_t)g->grid.rows, cols = (size_t)g->grid.cols;
    for (int i = 0; i < COPIES && !g->failed; i++) {
        size_t element = to[i].element, first = (size_t)grid_at(g->v.stride, 0, 0) * element;
        cudaHostRegister(to[i].to, rows * cols * element,
                         cudaHostRegisterDefault); /* page-locked memory is copied faster */
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
    out->emitted = g->before.emitted + gpu_quanta(&g->control->emitted);
    out->left_domain = g->before.left_domain + gpu_quanta(&g->control->left);
    out->entered_sea = g->before.entered_sea + gpu_quanta(&g->control->sea);
    out->heat = heat_sums_of(g);
    g->pending_out = out;
    trace_end();
    if (g->failed) gpu_snapshot_wait(g, NULL); /* no copy to *out may remain under way */
    return gpu_status(g, e);
}

int gpu_snapshot_wait(void *self, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    struct snapshot_copy c[COPIES];
    if (!g->pending_out) return 0;
    trace_begin("wait for the snapshot");
    gpu_check(g, cudaStreamSynchronize(g->copy_stream), "copy");
    list_copies(&g->v, 0, g->pending_out, c);
    for (int i = 0; i < COPIES; i++) cudaHostUnregister(c[i].to);
    (void)cudaGetLastError();
    if (!g->failed) {
        grid_lava_on_ground(&g->grid, g->problem, g->pending_out);
        fields_complete_cooled(g->pending_out, g->problem);
    }
    g->pending_out = NULL;
    trace_end();
    return gpu_status(g, e);
}

int gpu_outflows_layers(void *self, double *out, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    size_t rows = (size_t)g->grid.rows, cols = (size_t)g->grid.cols;
    for (size_t k = 0; k < 8; k++)
        gpu_check(g,
                  cudaMemcpy2D(out + k * rows * cols, cols * 8,
                               g->v.flow + k * (size_t)g->v.size + grid_at(g->v.stride, 0, 0),
                               (size_t)g->v.stride * 8, cols * 8, rows, cudaMemcpyDeviceToHost),
                  "copy");
    return gpu_status(g, e);
}
