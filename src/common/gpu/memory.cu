/* memory.cu — a simulation's memory on the device. */
#include "host.h"

#include <stdlib.h>

/* *status: that of the device. */
static void *allocate(struct gpu *g, size_t bytes, cudaError_t *status)
{
    struct gpu_allocation *a = (struct gpu_allocation *)calloc(1, sizeof *a);
    *status = cudaSuccess;
    if (!a) return NULL;
    *status = cudaMalloc(&a->memory, bytes);
    if (*status != cudaSuccess) {
        free(a);
        return NULL;
    }
    a->next = g->allocations;
    g->allocations = a;
    g->bytes += bytes;
    return a->memory;
}

void *gpu_allocate(struct gpu *g, size_t bytes)
{
    cudaError_t status;
    if (g->failed) return NULL;
    void *memory = allocate(g, bytes, &status);
    if (!memory && gpu_check(g, status, "memory")) gpu_out_of_memory(g);
    return memory;
}

void *gpu_try_to_allocate(struct gpu *g, size_t bytes)
{
    cudaError_t status;
    void *memory = g->failed ? NULL : allocate(g, bytes, &status);
    if (!memory) (void)cudaGetLastError(); /* otherwise the next kernel would report it */
    return memory;
}

void gpu_free_all(struct gpu *g)
{
    for (struct gpu_allocation *a = g->allocations, *next; a; a = next) {
        next = a->next;
        cudaFree(a->memory);
        free(a);
    }
    g->allocations = NULL;
}

/* If the device has too little memory, the message says how much is needed. */
bool gpu_fits(struct gpu *g)
{
    size_t free_bytes = 0, all = 0,
           need = (size_t)g->v.size * gpu_bytes_per_cell(g->strategy->arrays);
    if (!gpu_check(g, cudaMemGetInfo(&free_bytes, &all), "memory")) return false;
    if (need <= free_bytes) return true;
    error_input(&g->error,
                "%d x %d cells need %.1f GiB on the device, %.1f GiB are free; use fewer cells, a "
                "variant with "
                "less memory a cell (sciara variants), or a larger device",
                g->grid.rows, g->grid.cols, (double)need / 1073741824.0,
                (double)free_bytes / 1073741824.0);
    g->failed = true;
    return false;
}

void gpu_allocate_view(struct gpu *g)
{
    struct gpu_view *v = &g->v;
    unsigned arrays = g->strategy->arrays;
    size_t n = (size_t)v->size, tiles = (size_t)v->tile_count;
    double **always[] = {&v->z, &v->h, &v->highest_m, &v->max_temp_K, &v->T[0]};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        *always[i] = (double *)gpu_allocate(g, n * 8);
    if (arrays & GPU_TWO_STATES) {
        v->z_other = (double *)gpu_allocate(g, n * 8);
        v->h_other = (double *)gpu_allocate(g, n * 8);
    }
    if (arrays & (GPU_ALTERNATING_T | GPU_SCRATCH_T | GPU_TWO_STATES))
        v->T[1] = (double *)gpu_allocate(g, n * 8);
    if (arrays & GPU_LAYERS) v->flow = (double *)gpu_allocate(g, 8 * n * 8);
    if (arrays & GPU_SUMS) {
        v->gain_m = (double *)gpu_allocate(g, n * 8);
        v->heat = (gpu_word *)gpu_allocate(g, n * 8);
    }
    v->arrival = (int *)gpu_allocate(g, n * 4);
    v->flag = (unsigned char *)gpu_allocate(g, n);
    v->control = (struct gpu_control *)gpu_allocate(g, g->strategy->control_bytes);
    for (int i = 0; i < 3; i++) v->list[i] = (int *)gpu_allocate(g, tiles * 4);
    v->listed_for = (int *)gpu_allocate(g, tiles * 4);
    if (g->failed) return;
    gpu_check(g, cudaMemset(v->control, 0, g->strategy->control_bytes), "memset");
    if (v->T[1]) gpu_check(g, cudaMemset(v->T[1], 0, n * 8), "memset");
    if (v->flow) gpu_check(g, cudaMemset(v->flow, 0, 8 * n * 8), "memset");
    if (v->gain_m) gpu_check(g, cudaMemset(v->gain_m, 0, n * 8), "memset");
    if (v->heat) gpu_check(g, cudaMemset(v->heat, 0, n * 8), "memset");
    for (int i = 0; i < 3; i++) gpu_check(g, cudaMemset(v->list[i], 0, tiles * 4), "memset");
    gpu_check(g, cudaMemset(v->listed_for, 0xff, tiles * 4), "memset"); /* -1: for none yet */
}

size_t gpu_memory(void *self)
{
    return ((const struct gpu *)self)->bytes;
}
