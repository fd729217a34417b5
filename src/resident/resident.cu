/* resident.cu — the lava lives on the chip: one launch makes thousands of steps, and a block keeps
 * its tile.
 *
 * An epoch is up to SIDE steps, in which lava comes at most one tile farther. After each all blocks
 * meet: the list of tiles is made anew and dealt out; reduceAdd and the stopping rule are part of
 * it. There are two kernels, and each makes epoch after epoch, until that is for the other to do:
 *
 *     stay    a tile for every block, in its registers and shared memory (chip.h)
 *     march   more tiles than blocks: through memory, in panels that warps go down (panels.h)
 */
#include "chip.h"
#include "panels.h"

#ifndef RESIDENT_BLOCKS /* of stay, and of march, for each multiprocessor */
#define RESIDENT_BLOCKS 4
#endif
#ifndef RESIDENT_MARCHERS
#define RESIDENT_MARCHERS 5
#endif

/* ---- epoch after epoch ----------------------------------------------------------------------- */

struct course {
    long long done, end, reduction; /* steps */
    int epoch, epochs;              /* epochs: so far in this kernel */
    unsigned meetings;
    struct listed now; /* tiles */
    bool stopped;
};

__device__ static inline struct course course_begin(const struct gpu_view *v, long long end,
                                                    const struct gpu_rule *rule)
{
    const struct gpu_control *control = v->control;
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

__device__ static inline int course_tiles(const struct gpu_view *v, const struct course *c)
{
    return v->full ? v->tile_count : c->now.heavy + c->now.light;
}

/* Steps of the next epoch, 0 if there is none. A reduction ends an epoch; a very short one is
 * avoided. */
__device__ static inline int course_steps(const struct course *c)
{
    long long left = min(c->end, c->reduction) - c->done;
    if (c->stopped || c->done >= c->end) return 0;
    return left >= SIDE + SHORTEST ? (int)SIDE : left > SIDE ? (int)left / 2 : (int)left;
}

__device__ static inline struct gpu_sum *course_mobile(const struct gpu_view *v,
                                                       const struct course *c, int steps)
{
    return c->done + steps == c->reduction ? &v->control->sum : NULL;
}

/* While all others wait: the end of a reduction. Returns whether to stop. */
__device__ static inline bool end_reduction(struct gpu_control *control,
                                            const struct gpu_rule *rule, long long done)
{
    exchange_fence();
    struct gpu_sum sum = {{__ldcg(&control->sum.word[0]), __ldcg(&control->sum.word[1])}};
    control->mobile = sum;
    control->sum = {};
    exchange_fence();
    return gpu_is_still(rule, &sum, done);
}

/* The end of an epoch: all blocks meet. */
__device__ static inline void course_meet(const struct gpu_view *v, struct course *c,
                                          const struct gpu_rule *rule, int steps,
                                          const struct listed *listed, unsigned long long *told)
{
    bool reduces = c->done + steps == c->reduction;
    c->done += steps;
    __syncthreads();
    c->now = exchange_meet(v->exchange, ++c->meetings, *listed, told, &c->stopped, [&] {
        v->exchange->fill[(c->epoch + 3) % 4] = {0, 0};
        return reduces && end_reduction(v->control, rule, c->done);
    });
    if (reduces) c->reduction += rule->every;
    c->epoch++;
    c->epochs++;
}

__device__ static inline void course_end(const struct gpu_view *v, const struct course *c, int kind)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    v->control->step = c->done;
    v->control->epoch = c->epoch;
    v->control->stopped = c->stopped;
    v->control->count[0] = c->now.heavy;
    v->control->light = c->now.light;
    v->control->epochs[kind] += c->epochs;
}

/* ---- the kernels
 * --------------------------------------------------------------------------------------------------
 */

/* Steps up to `end`, or as many as the stopping rule allows, while there is a block for every tile.
 */
__global__ static void __launch_bounds__(THREADS, RESIDENT_BLOCKS)
    stay(const __grid_constant__ struct gpu_view v, long long end,
         const __grid_constant__ struct gpu_rule rule)
{
    gpu_shared(struct region, r);
    struct course c = course_begin(&v, end, &rule);
    struct parts parts = {};
    clear_boxes(&v, (int)blockIdx.x, c.done);
    int place = exchange_place(v.exchange, ++c.meetings, &r->told, &r->place), steps;
    part_begins(&parts);
    while ((steps = course_steps(&c)) >= SHORTEST && course_tiles(&v, &c) <= (int)gridDim.x) {
        bool mine = place < course_tiles(&v, &c);
        if (threadIdx.x == 0) r->listed = {0, 0};
        if (mine)
            epoch_on_chip(&v, r, &parts, c.epoch, c.now.heavy, c.done + 1, steps,
                          course_mobile(&v, &c, steps));
        else clear_boxes(&v, r->place, c.done + steps);
        course_meet(&v, &c, &rule, steps, &r->listed, &r->told);
        part_ends(&parts, PART_MEET);
        parts_count(&parts, mine ? v.control : NULL, steps);
    }
    course_end(&v, &c, 0);
}

/* The same for what stay() cannot do, whose blocks are `chip`: epochs that are too short, and lava
 * that has outgrown the chip, until it fits with an eighth to spare, lest they take turns all the
 * time. */
__global__ static void __launch_bounds__(MARCH_THREADS, RESIDENT_MARCHERS)
    march(const __grid_constant__ struct gpu_view v, long long end,
          const __grid_constant__ struct gpu_rule rule, int chip)
{
    gpu_shared(struct band, b);
    struct course c = course_begin(&v, end, &rule);
    int fits = chip;
    for (int steps; (steps = course_steps(&c)) > 0;) {
        if (course_tiles(&v, &c) > chip) fits = chip - chip / 8;
        if (steps >= SHORTEST && course_tiles(&v, &c) <= fits) break;
        if (threadIdx.x == 0) b->listed = {0, 0};
        epoch_through_memory(&v, b, c.epoch, c.now.heavy, course_tiles(&v, &c), c.done + 1, steps,
                             course_mobile(&v, &c, steps), &c.meetings);
        course_meet(&v, &c, &rule, steps, &b->listed, &b->told);
    }
    course_end(&v, &c, 1);
}

/* ---- on the host ----------------------------------------------------------------------------- */

static unsigned stay_blocks(const struct gpu *g)
{
    return gpu_blocks(g, gpu_occupancy(stay, THREADS, sizeof(struct region)));
}

static size_t exchange_bytes(const struct gpu *g)
{
    return sizeof(struct exchange) + (size_t)stay_blocks(g) * 2 * MARGIN * sizeof(struct mail_word);
}

static void prepare(struct gpu *g)
{
    size_t panels = (size_t)panels_across(&g->v) * (size_t)g->g.tiles_down * sizeof(int);
    g->v.exchange = (struct exchange *)gpu_allocate(g, exchange_bytes(g));
    g->v.panel = (int *)gpu_allocate(g, panels);
    g->v.panel_for = (int *)gpu_allocate(g, panels);
    if (!g->failed) gpu_check(g, cudaMemset(g->v.panel_for, 0, panels), "memset");
}

/* One after the other: the one that has nothing to do costs some microseconds. */
static void run(struct gpu *g, long long steps, const struct gpu_rule *rule)
{
    long long end = g->step + steps;
    unsigned chip = stay_blocks(g);
    unsigned marchers =
        (unsigned)(g->processors * gpu_occupancy(march, MARCH_THREADS, sizeof(struct band)));
    do {
        gpu_check(g, cudaMemsetAsync(g->v.exchange, 0, sizeof(struct exchange), g->stream),
                  "memset");
        gpu_launch_cooperative(g, stay, dim3(chip), dim3(THREADS), sizeof(struct region), g->v, end,
                               *rule);
        gpu_check(g, cudaMemsetAsync(g->v.exchange, 0, sizeof(struct exchange), g->stream),
                  "memset");
        gpu_launch_cooperative(g, march, dim3(marchers), dim3(MARCH_THREADS), sizeof(struct band),
                               g->v, end, *rule, (int)chip);
        gpu_read_control(g);
    } while (!g->failed && !g->control->stopped && g->control->step < end);
}

static const struct gpu_strategy strategy = {false, false, false, false, true,
                                             SIDE,  SIDE,  NULL,  run,   prepare};

static const struct gpu_kernel kernels[] = {
    {"stay", (const void *)stay, THREADS, 1, sizeof(struct region)},
    {"march", (const void *)march, MARCH_THREADS, 1, sizeof(struct band)},
    {}};
GPU_VARIANT(resident, "the lava stays on the chip: one launch for thousands of steps", strategy,
            kernels);
