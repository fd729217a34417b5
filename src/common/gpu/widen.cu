/* widen.cu — a window that grows: the state is copied to larger arrays on the device, and the host adds
 * the terrain of the new cells. Old and new arrays are there together; without memory for both, the
 * simulation stays as it was. */
#include "host.h"
#include "tile_list.h"

#include "base/trace.h"

#include <stdlib.h>

/* A simulation, its arrays before, and the place in the new window where the old one begins. */
struct widening {
    struct gpu *g;
    const struct gpu *old;
    int row, col;
};

/* ---- the state ------------------------------------------------------------------------------- */

enum { FILLERS = 8 /* blocks of a multiprocessor */, FILL_THREADS = 256 };

__global__ static void fill_arrival(const __grid_constant__ struct gpu_view v)
{
    gpu_wait();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < (unsigned)v.size; i += gridDim.x * blockDim.x) v.arrival[i] = ARRIVAL_NEVER;
}

/* No lava has come to the new cells, and none was there at the beginning. */
static void fill_new(struct gpu *g)
{
    const struct gpu_view *v = &g->v;
    double *const zero[] = {v->h, v->h_other, v->T[0], v->max_temp_K};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        if (zero[i] && !g->failed)
            gpu_check(g, cudaMemsetAsync(zero[i], 0, (size_t)v->size * 8, g->stream), "memset");
    gpu_launch(g, fill_arrival, dim3((unsigned)(g->processors * FILLERS)), dim3(FILL_THREADS), *v);
}

static void copy_old(const struct widening *w, void *to, const void *from, size_t element)
{
    struct gpu *g = w->g;
    const int stride = g->v.stride, old_stride = w->old->v.stride;
    const size_t first = (size_t)grid_at(stride, w->row, w->col) * element,
                 old_first = (size_t)grid_at(old_stride, 0, 0) * element;
    if (!from || g->failed) return;
    gpu_check(g,
              cudaMemcpy2DAsync((char *)to + first, (size_t)stride * element,
                                (const char *)from + old_first, (size_t)old_stride * element,
                                (size_t)w->old->grid.cols * element, (size_t)w->old->grid.rows,
                                cudaMemcpyDeviceToDevice, g->stream),
              "copy");
}

/* What is not copied has no meaning between steps. */
static void copy_state(const struct widening *w)
{
    const struct gpu_view *v = &w->g->v, *old = &w->old->v;
    copy_old(w, v->z, old->z, 8);
    copy_old(w, v->h, old->h, 8);
    copy_old(w, v->highest_m, old->highest_m, 8);
    copy_old(w, v->max_temp_K, old->max_temp_K, 8);
    copy_old(w, v->z_other, old->z_other, 8);
    copy_old(w, v->h_other, old->h_other, 8);
    copy_old(w, v->T[0], old->T[0], 8);
    copy_old(w, v->T[1], old->T[1], 8);
    copy_old(w, v->arrival, old->arrival, 4);
    copy_old(w, v->flag, old->flag, 1);
}

/* ---- the terrain of the new cells ------------------------------------------------------------ */

static void upload_part(struct gpu *g, struct window part, void *to, const void *host,
                        size_t element)
{
    const size_t stride = (size_t)g->v.stride * element,
                 first = (size_t)grid_at(g->v.stride, part.row0, part.col0) * element;
    if (g->failed) return;
    gpu_check(g,
              cudaMemcpy2D((char *)to + first, stride, (const char *)host + first, stride,
                           (size_t)part.cols * element, (size_t)part.rows, cudaMemcpyHostToDevice),
              "upload");
}

/* Fills an array, and others that have the same, outside of the old window. */
template <class T>
static void upload_new(const struct widening *w,
                       void (*fill)(const struct grid *, const struct problem *, struct window,
                                    T *),
                       void *memory, T *to, T *also, T *too)
{
    struct gpu *g = w->g;
    const struct grid *old = &w->old->grid;
    const struct window all = grid_all(&g->grid);
    const int south = w->row + old->rows, east = w->col + old->cols;
    const struct window part[] = {
        {all.row0, all.col0, w->row - all.row0, all.cols},
        {south, all.col0, all.row0 + all.rows - south, all.cols},
        {w->row, all.col0, old->rows, w->col - all.col0},
        {w->row, east, old->rows, all.col0 + all.cols - east},
    };
    T *host = (T *)memory;
    const size_t rest = (size_t)(g->v.size - GRID_LEFT); /* filled with the last row */
    for (const struct window &now : part) {
        fill(&g->grid, g->problem, now, host);
        upload_part(g, now, to, host, sizeof *host);
        if (also) upload_part(g, now, also, host, sizeof *host);
        if (too) upload_part(g, now, too, host, sizeof *host);
    }
    gpu_upload(g, to + rest, host + rest, GRID_LEFT * sizeof *host);
    if (also) gpu_upload(g, also + rest, host + rest, GRID_LEFT * sizeof *host);
    if (too) gpu_upload(g, too + rest, host + rest, GRID_LEFT * sizeof *host);
}

/* A temperature may have been given where there is no lava, too. */
static void upload_terrain(const struct widening *w)
{
    struct gpu *g = w->g;
    const struct gpu_view *v = &g->v;
    void *host = malloc((size_t)v->size * 8);
    if (!host) {
        gpu_out_of_memory(g);
        return;
    }
    upload_new(w, grid_fill_elevation, host, v->z, v->z_other, v->highest_m);
    upload_new(w, grid_fill_flag, host, v->flag, (unsigned char *)NULL, (unsigned char *)NULL);
    if (g->problem->temp_K)
        upload_new(w, grid_fill_temp, host, v->T[0], gpu_T_alternates(g) ? v->T[1] : NULL,
                   (double *)NULL);
    free(host);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void widen(const struct widening *w)
{
    struct gpu *g = w->g;
    fill_new(g);
    gpu_check(g, cudaDeviceSynchronize(), "memset");
    copy_state(w);
    upload_terrain(w);
    memset(g->control->count, 0, sizeof g->control->count);
    if (!g->failed) gpu_upload_lists(g);
}

int gpu_widen(void *self, struct window before, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    trace_begin("widen");
    gpu_check(g, cudaSetDevice(g->device), "device");
    gpu_read_control(g);
    struct gpu old = *g;
    const struct window *now = &g->problem->window;
    const struct widening w = {g, &old, before.row0 - now->row0, before.col0 - now->col0};
    if (!g->failed) {
        gpu_make_arrays(g);
        if (!g->failed) widen(&w);
        gpu_free_arrays(g->failed ? g : &old);
    }
    const int status = gpu_status(g, e);
    if (status && !old.failed) {
        *g = old;
        (void)cudaGetLastError(); /* otherwise the next kernel would report it */
        gpu_read_control(g);
    }
    trace_end();
    return status;
}
