/* reach.cu — finds the rectangle that has all lava. The kernel reads all cells of the window. This
 * takes microseconds, and happens only once in hundreds of steps (sim/held.h). */
#include "host.h"
#include "tile_list.h"

enum { REACH_BLOCKS = 32 /* per multiprocessor; a block is one warp */ };

/* Each warp reads whole rows. Only threads that find lava update control->reach. */
__global__ static void find_reach(const __grid_constant__ struct gpu_view v, int rows, int cols)
{
    gpu_wait();
    int reach[4] = {};
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
        for (int col = threadIdx.x; col < cols; col += blockDim.x) {
            if (!(v.h[grid_at(v.stride, row, col)] > 0.0)) continue;
            reach[0] = max(reach[0], row + 1);
            reach[1] = max(reach[1], col + 1);
            reach[2] = max(reach[2], rows - row);
            reach[3] = max(reach[3], cols - col);
        }
    for (int i = 0; i < 4; i++)
        if (reach[i]) atomicMax(&v.control->reach[i], reach[i]);
}

int gpu_reach(void *self, struct window *reach, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    const struct problem *p = g->problem;
    const int rows = g->grid.rows, cols = g->grid.cols;
    const unsigned most = (unsigned)(g->processors * REACH_BLOCKS);
    gpu_check(g, cudaSetDevice(g->device), "device");
    gpu_check(g, cudaMemsetAsync(g->v.control->reach, 0, sizeof g->control->reach, g->stream),
              "memset");
    gpu_launch(g, find_reach, dim3((unsigned)rows < most ? (unsigned)rows : most), dim3(32),
               gpu_present(g), rows, cols);
    gpu_read_control(g);
    const int *found = g->control->reach;
    *reach = (struct window){};
    if (!g->failed && found[0])
        *reach = {p->window.row0 + rows - found[2], p->window.col0 + cols - found[3],
                  found[0] + found[2] - rows, found[1] + found[3] - cols};
    for (int i = 0; i < p->vent_count; i++)
        *reach = window_of_both(*reach, {p->vents[i].row, p->vents[i].col, 1, 1});
    return gpu_status(g, e);
}
