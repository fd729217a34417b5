/* widen.cu — lets a window grow. The state is copied to larger arrays on the device, one array after the other. The
 * host adds the terrain of the new cells. If there is no memory for the larger window, the simulation stays as it
 * was. */
#include "host.h"
#include "tile_list.h"

#include "base/trace.h"

#include <stdlib.h>

/* A simulation, a copy of its data from before the window grew, and the row and column of the new window at which
 * the old window begins. */
struct widening {
    struct gpu *g, *old;
    int row, col;
};

/* ---- the state ------------------------------------------------------------------------------- */

/* Where the cells of the old window are: in a padded array on the device, or in a copy on the host. */
struct place {
    char *first;
    size_t pitch; /* bytes from row to row */
};

static struct place place_in(void *memory, int stride, int row, int col, size_t element)
{
    return {(char *)memory + (size_t)grid_at(stride, row, col) * element, (size_t)stride * element};
}

static void copy_cells(const struct widening *w, struct place to, struct place from, size_t element,
                       cudaMemcpyKind kind)
{
    struct gpu *g = w->g;
    const size_t width = (size_t)w->old->grid.cols * element, rows = (size_t)w->old->grid.rows;
    if (g->failed) return;
    gpu_check(
        g,
        cudaMemcpy2DAsync(to.first, to.pitch, from.first, from.pitch, width, rows, kind, g->stream),
        "copy");
    gpu_check(g, cudaStreamSynchronize(g->stream), "copy");
}

/* Moves an array through host memory if the device has no room for both the old and the larger
 * array. */
static void *move_by_host(const struct widening *w, const struct gpu_array *a, void *from)
{
    struct gpu *g = w->g;
    const size_t pitch = (size_t)w->old->grid.cols * a->element;
    char *host = (char *)malloc(pitch * (size_t)w->old->grid.rows);
    const struct place cells = {host, pitch};
    if (!host) {
        gpu_out_of_memory(g);
        return NULL;
    }
    copy_cells(w, cells, place_in(from, w->old->v.stride, 0, 0, a->element), a->element,
               cudaMemcpyDeviceToHost);
    gpu_free(w->old, from);
    void *to = gpu_allocate(g, (size_t)g->v.size * a->element);
    gpu_empty(g, a, to);
    copy_cells(w, place_in(to, g->v.stride, w->row, w->col, a->element), cells, a->element,
               cudaMemcpyHostToDevice);
    free(host);
    return to;
}

static void *move_array(const struct widening *w, const struct gpu_array *a, void *from)
{
    struct gpu *g = w->g;
    void *to = gpu_try_to_allocate(g, (size_t)g->v.size * a->element);
    if (!to) return move_by_host(w, a, from);
    gpu_empty(g, a, to);
    copy_cells(w, place_in(to, g->v.stride, w->row, w->col, a->element),
               place_in(from, w->old->v.stride, 0, 0, a->element), a->element,
               cudaMemcpyDeviceToDevice);
    gpu_free(w->old, from);
    return to;
}

static void move_state(const struct widening *w)
{
    for (const struct gpu_array &a : gpu_arrays)
        if (gpu_has(w->g, &a) && a.kept && !w->g->failed)
            gpu_set_array(&w->g->v, &a, move_array(w, &a, gpu_array_of(&w->old->v, &a)));
}

/* ---- the terrain of the new cells ------------------------------------------------------------ */

/* The host fills the new cells in strips of at most this size. A strip has the layout of a window. Its doubles take
 * 8.2 MiB. */
enum { STRIP_ROWS = 256, STRIP_COLS = 4096 };
#define STRIP_BYTES ((STRIP_ROWS + 3) * (STRIP_COLS + 3 * GRID_LEFT) * sizeof(double))

template <class T> struct filler {
    void (*fill)(const struct grid *, const struct problem *, struct window, T *);
    T *to[3]; /* up to three device arrays, which all get the values of fill(); NULL: no array */
};

template <class T>
static void upload_strip(struct gpu *g, const struct filler<T> *f, struct window part)
{
    struct problem p = *g->problem;
    const struct grid rows = grid_create(part.rows, part.cols, 1, 1);
    T *host = (T *)g->strip;
    const size_t stride = (size_t)g->v.stride * sizeof *host,
                 width = (size_t)part.cols * sizeof *host,
                 first = (size_t)grid_at(g->v.stride, part.row0 - p.window.row0,
                                         part.col0 - p.window.col0);
    p.window = part;
    f->fill(&rows, &p, grid_cells(&rows), host);
    if (g->failed) return;
    gpu_check(g,
              cudaMemcpy2DAsync(f->to[0] + first, stride, host + grid_at(rows.stride, 0, 0),
                                (size_t)rows.stride * sizeof *host, width, (size_t)part.rows,
                                cudaMemcpyHostToDevice, g->stream),
              "upload");
    for (int i = 1; i < 3; i++)
        if (f->to[i])
            gpu_check(g,
                      cudaMemcpy2DAsync(f->to[i] + first, stride, f->to[0] + first, stride, width,
                                        (size_t)part.rows, cudaMemcpyDeviceToDevice, g->stream),
                      "copy");
    gpu_check(g, cudaStreamSynchronize(g->stream), "upload");
}

/* Uploads those cells of `all` that are outside the old window. `all` is in rows and columns of the domain. */
template <class T>
static void upload_new(const struct widening *w, const struct filler<T> *f, struct window all)
{
    struct window before = w->g->problem->window;
    before = {before.row0 + w->row, before.col0 + w->col, w->old->grid.rows, w->old->grid.cols};
    const int south = before.row0 + before.rows, east = before.col0 + before.cols;
    const struct window part[] = {
        {all.row0, all.col0, before.row0 - all.row0, all.cols},
        {south, all.col0, all.row0 + all.rows - south, all.cols},
        {before.row0, all.col0, before.rows, before.col0 - all.col0},
        {before.row0, east, before.rows, all.col0 + all.cols - east},
    };
    for (const struct window &now : part)
        for (int row = now.row0; row < now.row0 + now.rows; row += STRIP_ROWS)
            for (int col = now.col0; col < now.col0 + now.cols; col += STRIP_COLS)
                upload_strip(w->g, f, window_common(now, {row, col, STRIP_ROWS, STRIP_COLS}));
}

/* Uploads elevations, flags and temperatures of the new cells, and elevations of the ring around the window. Lava was
 * never in the new cells, but the problem may give them a temperature. */
static void upload_terrain(const struct widening *w)
{
    struct gpu *g = w->g;
    struct gpu_view *v = &g->v;
    const struct problem *p = g->problem;
    const struct window here = p->window, ring = window_common({here.row0 - 1, here.col0 - 1,
                                                                here.rows + 2, here.cols + 2},
                                                               problem_domain(p));
    const struct filler<double> z = {grid_fill_elevation, {v->z, v->z_other, v->highest_m}}, T = {
        grid_fill_temp, { v->T[0], gpu_T_alternates(g) ? v->T[1] : NULL }
    };
    const struct filler<unsigned char> flag = {
        grid_fill_flag, { v->flag }
    };
    upload_new(w, &z, ring);
    upload_new(w, &flag, here);
    if (p->temp_K) upload_new(w, &T, here);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Makes the larger window. First frees the arrays that have no data between steps (gpu_array.kept). */
static void make_window(struct gpu *g, struct gpu *old)
{
    if (!g->strip) gpu_check(g, cudaMallocHost(&g->strip, STRIP_BYTES), "memory");
    old->strip = g->strip;
    gpu_free_cells(old, false);
    gpu_make_window(g, old->bytes);
    if (!g->failed) gpu_allocate_cells(g, false);
}

/* Restores the old window after make_window() failed. No array has been moved yet. */
static void go_back(struct gpu *g, const struct gpu *old)
{
    gpu_free_arrays(g);
    *g = *old;
    (void)cudaGetLastError(); /* so that no later launch reports the error */
    gpu_allocate_cells(g, false);
    gpu_read_control(g);
}

int gpu_widen(void *self, struct window before, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    trace_begin("widen");
    gpu_check(g, cudaSetDevice(g->device), "device");
    gpu_read_control(g);
    gpu_drop_staging(g);
    if (!g->failed) {
        struct gpu old = *g;
        const struct window *now = &g->problem->window;
        const struct widening w = {g, &old, before.row0 - now->row0, before.col0 - now->col0};
        make_window(g, &old);
        if (g->failed) {
            const int status = gpu_status(g, e);
            go_back(g, &old);
            trace_end();
            return status;
        }
        move_state(&w);
        upload_terrain(&w);
        gpu_upload_control(g);
        gpu_free_arrays(&old);
    }
    trace_end();
    return gpu_status(g, e);
}
