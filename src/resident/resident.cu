/* resident.cu — the lava stays on the chip: one launch makes thousands of steps, and a block keeps its tile.
 *
 * An epoch has up to SIDE steps, so that lava travels at most to the next tile. After each epoch all blocks wait for
 * each other, and take tiles from a new list. There are two kernels. Each has all elementary processes, and applies
 * reduceAdd and the stopping rule at the end of an epoch. A kernel makes epochs until the other kernel has to continue:
 *
 *     on_chip          one tile per block, in its registers and shared memory (chip.h)
 *     through_memory   more tiles than blocks: warps go down panels (panels.h)
 */
#include "resident.h"
#include "chip.h"
#include "panels.h"

#include "gpu/host.h"
#include "gpu/strategy.h"

#include <stdlib.h>

/* Numbers of blocks of on_chip and of through_memory for which a multiprocessor has to have enough registers. */
#ifndef RESIDENT_CHIP_BLOCKS
#define RESIDENT_CHIP_BLOCKS 4
#endif
#ifndef RESIDENT_MEMORY_BLOCKS
#define RESIDENT_MEMORY_BLOCKS 5
#endif

/* ---- epoch after epoch ----------------------------------------------------------------------- */

struct launch_progress {
    /* The last step made so far, the last step that this launch may make, and the step of the next reduction. */
    long long done, end, reduction;
    int epoch, epochs; /* number of the present epoch; epochs that this launch has made */
    unsigned meetings;
    struct listed now; /* numbers of tiles on the list */
    bool stopped;
};

__device__ static inline struct launch_progress
progress_begin(const struct resident_view *v, long long end, const struct gpu_rule *rule)
{
    const struct resident_control *control = control_of(v);
    long long done = control->step, reduction = (done / rule->every + 1) * rule->every;
    return {done,
            end,
            reduction,
            control->epoch,
            0,
            0,
            {control->count[0], control->light},
            control->stopped != 0};
}

__device__ static inline int progress_tiles(const struct resident_view *v,
                                            const struct launch_progress *p)
{
    return v->full ? v->tile_count : p->now.heavy + p->now.light;
}

/* The number of steps of the next epoch; 0: there is no next epoch. An epoch ends at the next reduction or
 * earlier. The steps up to the reduction are divided so that, where possible, no epoch has less than SHORTEST steps. */
__device__ static inline int progress_steps(const struct launch_progress *p)
{
    long long left = min(p->end, p->reduction) - p->done;
    if (p->stopped || p->done >= p->end) return 0;
    return left >= SIDE + SHORTEST ? (int)SIDE : left > SIDE ? (int)left / 2 : (int)left;
}

/* Where an epoch of `steps` steps adds its mobile lava; NULL: the epoch does not end with a reduction. */
__device__ static inline struct gpu_sum *progress_mobile(const struct resident_view *v,
                                                         const struct launch_progress *p, int steps)
{
    return p->done + steps == p->reduction ? &control_of(v)->so_far : NULL;
}

/* Ends a reduction, on one thread, while all other threads wait. Returns whether the stopping rule
 * applies. */
__device__ static inline bool end_reduction(struct resident_control *control,
                                            const struct gpu_rule *rule, long long done)
{
    exchange_fence();
    struct gpu_sum sum = {{__ldcg(&control->so_far.word[0]), __ldcg(&control->so_far.word[1])}};
    control->mobile = sum;
    control->so_far = {};
    exchange_fence();
    return gpu_is_still(rule, &sum, done);
}

/* Ends an epoch of `steps` steps: all blocks meet. *listed: numbers of tiles that this block has listed for the next
 * epoch. */
__device__ static inline void progress_meet(const struct resident_view *v,
                                            struct launch_progress *p, const struct gpu_rule *rule,
                                            int steps, const struct listed *listed,
                                            unsigned long long *notice)
{
    bool reduces = p->done + steps == p->reduction;
    p->done += steps;
    __syncthreads();
    p->now = exchange_meet(v->exchange, ++p->meetings, *listed, notice, &p->stopped, [&] {
        v->exchange->fill[(p->epoch + 3) % 4] = {0, 0};
        return reduces && end_reduction(control_of(v), rule, p->done);
    });
    if (reduces) p->reduction += rule->every;
    p->epoch++;
    p->epochs++;
}

/* Writes the progress of this launch to the control in device memory. *epochs: the epochs that this kernel has made
 * in all launches. While gpu_carry_heat() runs, other blocks may still add to the sums of heat. */
__device__ static inline void progress_end(const struct resident_view *v,
                                           const struct launch_progress *p, int *epochs)
{
    if (blockIdx.x != 0) return;
    struct resident_control *control = control_of(v);
    gpu_carry_heat(control);
    if (threadIdx.x != 0) return;
    control->step = p->done;
    control->epoch = p->epoch;
    control->stopped = p->stopped;
    control->count[0] = p->now.heavy;
    control->light = p->now.light;
    gpu_carry(&control->emitted);
    gpu_carry(&control->left);
    gpu_carry(&control->sea);
    *epochs += p->epochs;
}

/* ---- the kernels ----------------------------------------------------------------------------- */

/* Makes epochs up to step `end`, as long as every listed tile has a block. Ends earlier if the stopping rule applies,
 * or before an epoch of less than SHORTEST steps. */
__global__ static void __launch_bounds__(THREADS, RESIDENT_CHIP_BLOCKS)
    on_chip(const __grid_constant__ struct resident_view v, long long end,
            const __grid_constant__ struct gpu_rule rule)
{
    gpu_shared(struct region, r);
    struct launch_progress p = progress_begin(&v, end, &rule);
    struct part_marks marks = {};
    gpu_word *cooled = threadIdx.x < OWN ? &r->cooled[threadIdx.x] : NULL;
    if (cooled) *cooled = 0;
    clear_boxes(&v, (int)blockIdx.x, p.done);
    int place = exchange_place(v.exchange, ++p.meetings, &r->notice, &r->place), steps;
    part_begins(&marks);
    while ((steps = progress_steps(&p)) >= SHORTEST && progress_tiles(&v, &p) <= (int)gridDim.x) {
        bool mine = place < progress_tiles(&v, &p);
        if (threadIdx.x == 0) r->listed = {0, 0};
        if (mine)
            epoch_on_chip(&v, r, &marks, p.epoch, p.now.heavy, p.done + 1, steps,
                          progress_mobile(&v, &p, steps));
        else clear_boxes(&v, r->place, p.done + steps);
        progress_meet(&v, &p, &rule, steps, &r->listed, &r->notice);
        part_ends(&marks, PART_MEET);
        parts_count(&marks, mine ? &control_of(&v)->parts : NULL, steps);
    }
    gpu_end_cooled(&v, cooled ? *cooled : 0);
    progress_end(&v, &p, &control_of(&v)->on_chip);
}

/* Makes epochs that are too short for on_chip(), and epochs with more tiles than on_chip() has blocks (`chip`). After
 * an epoch with too many tiles, this kernel continues until 7/8 of `chip` blocks are enough. So the two kernels do
 * not alternate at every epoch. */
__global__ static void __launch_bounds__(PANEL_THREADS, RESIDENT_MEMORY_BLOCKS)
    through_memory(const __grid_constant__ struct resident_view v, long long end,
                   const __grid_constant__ struct gpu_rule rule, int chip)
{
    gpu_shared(struct panel_block, b);
    struct launch_progress p = progress_begin(&v, end, &rule);
    gpu_word *cooled = &b->passage[threadIdx.x / WARP].cooled[threadIdx.x % WARP];
    *cooled = 0;
    int fits = chip;
    for (int steps; (steps = progress_steps(&p)) > 0;) {
        if (progress_tiles(&v, &p) > chip) fits = chip - chip / 8;
        if (steps >= SHORTEST && progress_tiles(&v, &p) <= fits) break;
        if (threadIdx.x == 0) b->listed = {0, 0};
        epoch_through_memory(&v, b, p.epoch, p.now.heavy, progress_tiles(&v, &p), p.done + 1, steps,
                             progress_mobile(&v, &p, steps), &p.meetings);
        progress_meet(&v, &p, &rule, steps, &b->listed, &b->notice);
    }
    gpu_end_cooled(&v, *cooled);
    progress_end(&v, &p, &control_of(&v)->through_memory);
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* The largest number of steps in a launch. These steps take less than a second, because a device may also draw a
 * screen. */
enum { LONGEST_RUN = 20000 };

static unsigned chip_blocks(const struct gpu *g)
{
    return gpu_blocks(g, gpu_occupancy(on_chip, THREADS, sizeof(struct region)));
}

static unsigned memory_blocks(const struct gpu *g)
{
    return (unsigned)(g->processors *
                      gpu_occupancy(through_memory, PANEL_THREADS, sizeof(struct panel_block)));
}

/* A view with the arrays of this variant from g->state and all other data from g->v. */
static struct resident_view view_of(const struct gpu *g)
{
    struct resident_view v = *(const struct resident_view *)g->state;
    static_cast<struct gpu_view &>(v) = g->v;
    return v;
}

static void create(struct gpu *g)
{
    struct resident_view *v = (struct resident_view *)calloc(1, sizeof *v);
    g->state = v;
    if (!v) {
        gpu_out_of_memory(g);
        return;
    }
    size_t tiles = (size_t)g->v.tile_count * sizeof(int),
           panels = (size_t)panels_across(&g->v) * (size_t)g->grid.tiles_down * sizeof(int),
           boxes = (size_t)chip_blocks(g) * 2 * MARGIN * sizeof(struct mail_word);
    v->slot = (int *)gpu_allocate(g, tiles);
    v->weight = (int *)gpu_allocate(g, tiles);
    v->exchange = (struct exchange *)gpu_allocate(g, sizeof(struct exchange) + boxes);
    v->panel = (int *)gpu_allocate(g, panels);
    v->panel_for = (int *)gpu_allocate(g, panels);
    if (g->failed) return;
    gpu_check(g, cudaMemset(v->slot, 0, tiles), "memset");
    gpu_check(g, cudaMemset(v->weight, 0, tiles), "memset");
    gpu_check(g, cudaMemset(v->panel_for, 0, panels), "memset");
}

static void destroy(struct gpu *g)
{
    free(g->state);
}

/* Makes list 0, the list of epoch 0. All its tiles count as heavy, because their numbers of cells with lava are not
 * known yet. */
static void list_first(struct gpu *g)
{
    gpu_list_tiles(g, 0, 0, ((const struct resident_view *)g->state)->slot);
}

static void clear_exchange(struct gpu *g, const struct resident_view *v)
{
    gpu_check(g, cudaMemsetAsync(v->exchange, 0, sizeof(struct exchange), g->stream), "memset");
}

/* Launches the two kernels in turn until step `end` is made. A kernel without work costs only some microseconds. */
static void run_to(struct gpu *g, long long end)
{
    const struct resident_view v = view_of(g);
    struct gpu_rule rule = gpu_rule_of(g->problem);
    unsigned chip = chip_blocks(g), memory = memory_blocks(g);
    do {
        clear_exchange(g, &v);
        gpu_launch_cooperative(g, on_chip, dim3(chip), dim3(THREADS), sizeof(struct region), v, end,
                               rule);
        clear_exchange(g, &v);
        gpu_launch_cooperative(g, through_memory, dim3(memory), dim3(PANEL_THREADS),
                               sizeof(struct panel_block), v, end, rule, (int)chip);
        gpu_read_control(g);
    } while (!g->failed && !g->control->stopped && g->control->step < end);
}

static void run(struct gpu *g, long long steps)
{
    for (long long n; steps > 0 && !g->failed; steps -= n) {
        n = steps;
        if (n > LONGEST_RUN) n = LONGEST_RUN;
        run_to(g, g->step + n);
        g->step += n;
    }
}

static int read_control(struct gpu *g, struct resident_control *out, struct error *e)
{
    gpu_check(g, cudaMemcpy(out, g->v.control, sizeof *out, cudaMemcpyDeviceToHost), "copy");
    return gpu_status(g, e);
}

extern "C" int resident_count_epochs(void *self, struct resident_epochs *out, struct error *e)
{
    struct resident_control control = {};
    int code = read_control((struct gpu *)self, &control, e);
    *out = {control.on_chip, control.through_memory};
    return code;
}

static const struct gpu_strategy strategy = {
    .steps_per_ms = 430,
    .arrays = GPU_TWO_STATES,
    .control_bytes = sizeof(struct resident_control),
    .list_holds = SIDE,
    .tile_rows = SIDE,
    .tile_cols = SIDE,
    .run = run,
    .list_first = list_first,
    .create = create,
    .destroy = destroy,
};

static const struct gpu_kernel kernels[] = {
    GPU_KERNEL(on_chip, THREADS, sizeof(struct region)),
    GPU_KERNEL(through_memory, PANEL_THREADS, sizeof(struct panel_block)),
    {}};
GPU_VARIANT(resident, "the lava stays on the chip: one launch for thousands of steps", strategy,
            kernels);
