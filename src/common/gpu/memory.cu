/* memory.cu — a simulation's memory on the device. */
#include "host.h"
#include "tile_list.h"

#include <stdlib.h>

/* Returns NULL if there is no memory. *status is then the error of the device, or cudaSuccess if the host has no
 * memory. */
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
    a->bytes = bytes;
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
    if (!memory) (void)cudaGetLastError(); /* so that no later launch reports the error */
    return memory;
}

void gpu_free(struct gpu *g, void *memory)
{
    struct gpu_allocation **at = &g->allocations, *a;
    if (!memory) return;
    while ((*at)->memory != memory) at = &(*at)->next;
    a = *at;
    *at = a->next;
    g->bytes -= a->bytes;
    cudaFree(a->memory);
    free(a);
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

void gpu_allocate_lists(struct gpu *g)
{
    struct gpu_view *v = &g->v;
    const size_t tiles = (size_t)v->tile_count;
    v->control = (struct gpu_control *)gpu_allocate(g, g->strategy->control_bytes);
    for (int i = 0; i < 3; i++) v->list[i] = (int *)gpu_allocate(g, tiles * 4);
    v->listed_for = (int *)gpu_allocate(g, tiles * 4);
    if (g->failed) return;
    gpu_check(g, cudaMemset(v->control, 0, g->strategy->control_bytes), "memset");
    for (int i = 0; i < 3; i++) gpu_check(g, cudaMemset(v->list[i], 0, tiles * 4), "memset");
    /* Sets all elements to -1: the tile was listed for no epoch. */
    gpu_check(g, cudaMemset(v->listed_for, 0xff, tiles * 4), "memset");
}

/* ---- arrays of cells ------------------------------------------------------------------------- */

bool gpu_has(const struct gpu *g, const struct gpu_array *a)
{
    return !a->only || a->only & g->strategy->arrays;
}

void *gpu_array_of(const struct gpu_view *v, const struct gpu_array *a)
{
    void *memory;
    memcpy(&memory, (const char *)v + a->pointer, sizeof memory);
    return memory;
}

void gpu_set_array(struct gpu_view *v, const struct gpu_array *a, void *memory)
{
    memcpy((char *)v + a->pointer, &memory, sizeof memory);
}

enum { FILLERS = 8 /* blocks per multiprocessor */, FILL_THREADS = 256 };

template <class T> __global__ static void fill(T *memory, int count, T value)
{
    gpu_wait();
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += (int)(gridDim.x * blockDim.x))
        memory[i] = value;
}

void gpu_empty(struct gpu *g, const struct gpu_array *a, void *memory)
{
    const size_t bytes = (size_t)g->v.size * a->element;
    const dim3 blocks((unsigned)(g->processors * FILLERS)), threads(FILL_THREADS);
    if (g->failed) return;
    if (a->empty == 0 || a->element == 1)
        gpu_check(g, cudaMemsetAsync(memory, (int)a->empty, bytes, g->stream), "memset");
    else if (a->element == sizeof(int))
        gpu_launch(g, fill<int>, blocks, threads, (int *)memory, g->v.size, (int)a->empty);
    else gpu_launch(g, fill<double>, blocks, threads, (double *)memory, g->v.size, a->empty);
}

void gpu_allocate_cells(struct gpu *g, bool kept)
{
    for (const struct gpu_array &a : gpu_arrays) {
        if (!gpu_has(g, &a) || a.kept != kept) continue;
        void *memory = gpu_allocate(g, (size_t)g->v.size * a.element);
        gpu_empty(g, &a, memory);
        gpu_set_array(&g->v, &a, memory);
    }
    if (!g->failed) gpu_check(g, cudaStreamSynchronize(g->stream), "memset");
}

void gpu_free_cells(struct gpu *g, bool kept)
{
    for (const struct gpu_array &a : gpu_arrays)
        if (gpu_has(g, &a) && a.kept == kept) gpu_free(g, gpu_array_of(&g->v, &a));
}

size_t gpu_memory(void *self)
{
    return ((const struct gpu *)self)->bytes;
}
