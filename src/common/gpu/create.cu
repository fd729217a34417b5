/* create.cu — the beginning and the end of a simulation on a device. */
#include "host.h"

#include "base/trace.h"

#include <stdio.h>
#include <stdlib.h>

bool gpu_check(struct gpu *g, cudaError_t status, const char *what)
{
    if (status == cudaSuccess) return true;
    if (!g->failed) error_failed(&g->error, "CUDA: %s: %s", what, cudaGetErrorString(status));
    g->failed = true;
    return false;
}

void gpu_out_of_memory(struct gpu *g)
{
    if (!g->failed) error_memory(&g->error);
    g->failed = true;
}

int gpu_status(const struct gpu *g, struct error *e)
{
    if (g->failed && e) *e = g->error;
    return g->failed ? g->error.code : 0;
}

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

/* Creates the context of the device, which takes a fifth of a second. */
void gpu_wake(const struct variant_options *o)
{
    if (cudaSetDevice(o->device) == cudaSuccess) cudaFree(NULL);
}

/* Ends the context of the device, which takes a tenth of a second. */
void gpu_leave(const struct variant_options *o)
{
    if (cudaSetDevice(o->device) == cudaSuccess) cudaDeviceReset();
}

static void create_streams(struct gpu *g)
{
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
}

/* Lays out the grid of the problem's window. */
static void describe(struct gpu *g)
{
    const struct gpu_strategy *s = g->strategy;
    const struct problem *p = g->problem;
    g->grid = grid_create(p->window.rows, p->window.cols, s->tile_rows, s->tile_cols);
    g->v.physics = physics_create(&p->params);
    g->v.stride = g->grid.stride;
    g->v.size = g->grid.size;
    g->v.tile_rows = s->tile_rows;
    g->v.tile_cols = s->tile_cols;
    g->v.tiles_across = g->grid.tiles_across;
    g->v.tile_count = g->grid.tiles_down * g->grid.tiles_across;
    g->v.reach = s->list_holds;
    g->v.full = p->full_domain;
}

/* Checks that the device has memory for all arrays of cells. `had`: bytes of arrays that will be freed first. */
static bool fits(struct gpu *g, size_t had)
{
    size_t free_bytes = 0, all = 0,
           need = (size_t)g->v.size * gpu_bytes_per_cell(g->strategy->arrays);
    if (!gpu_check(g, cudaMemGetInfo(&free_bytes, &all), "memory")) return false;
    if (need <= free_bytes + had) return true;
    error_input(&g->error,
                "%d x %d cells need %.1f GiB on the device, %.1f GiB are free; use fewer cells, a "
                "variant with "
                "less memory a cell (sciara variants), or a larger device",
                g->grid.rows, g->grid.cols, (double)need / 1073741824.0,
                (double)(free_bytes + had) / 1073741824.0);
    g->failed = true;
    return false;
}

void gpu_make_window(struct gpu *g, size_t had)
{
    g->allocations = NULL;
    g->bytes = 0;
    g->has_staging = false;
    g->graph = 0;
    g->state = NULL;
    describe(g);
    if (!g->failed && fits(g, had)) gpu_allocate_lists(g);
    if (!g->failed && g->strategy->create) g->strategy->create(g);
    if (!g->failed) gpu_upload_vents(g);
}

void gpu_free_arrays(struct gpu *g)
{
    if (g->strategy->destroy) g->strategy->destroy(g);
    if (g->graph) cudaGraphExecDestroy(g->graph);
    gpu_free_all(g);
}

int gpu_create(const struct gpu_strategy *s, void **self, const struct problem *p,
               const struct variant_options *o, struct error *e)
{
    char what[128];
    int code = gpu_available(o, what, e);
    if (code) return code;
    struct gpu *g = (struct gpu *)calloc(1, sizeof *g);
    if (!g) return error_memory(e);
    trace_begin("create");
    g->problem = p;
    g->strategy = s;
    g->device = o ? o->device : 0;
    g->disabled = o ? o->disabled : 0;
    g->step = fields_begin(p);
    create_streams(g);
    gpu_make_window(g, 0);
    if (!g->failed) gpu_allocate_cells(g, false);
    if (!g->failed) gpu_allocate_cells(g, true);
    if (!g->failed) gpu_upload_problem(g);
    trace_end();
    code = gpu_status(g, e);
    if (code) gpu_destroy(g);
    else *self = g;
    return code;
}

void gpu_destroy(void *self)
{
    struct gpu *g = (struct gpu *)self;
    if (!g) return;
    cudaSetDevice(g->device);
    gpu_snapshot_wait(g, NULL);
    gpu_free_arrays(g);
    if (g->control) cudaFreeHost(g->control);
    if (g->strip) cudaFreeHost(g->strip);
    if (g->begin) cudaEventDestroy(g->begin);
    if (g->end) cudaEventDestroy(g->end);
    if (g->staged) cudaEventDestroy(g->staged);
    if (g->stream) cudaStreamDestroy(g->stream);
    if (g->copy_stream) cudaStreamDestroy(g->copy_stream);
    free(g);
}
