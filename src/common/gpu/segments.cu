/* segments.cu — makes steps in segments, from one reduction to the next. A segment is emitLava, the
 * kernels of its steps, reduceAdd and the stopping rule. A CUDA graph records a segment, and the
 * host launches the graph repeatedly. */
#include "host.h"
#include "tile_list.h"

#include "base/trace.h"

/* ---- kernels at the end of a segment --------------------------------------------------------- */

__global__ static void zero_mobile(const __grid_constant__ struct gpu_view v)
{
    gpu_begin(&v, 0);
    struct gpu_control *control = v.control;
    if (!control->stopped) control->mobile.word[0] = control->mobile.word[1] = 0;
}

enum { END_THREADS = 512 };

/* Adds the steps of the segment to control->step. After a reduction, applies the stopping rule. The kernel has one
 * block. */
__global__ static void end_segment(const __grid_constant__ struct gpu_view v, int steps,
                                   bool reduces, const __grid_constant__ struct gpu_rule rule)
{
    gpu_wait();
    struct gpu_control *control = v.control;
    gpu_carry_heat(control);
    if (threadIdx.x != 0 || control->stopped) return;
    control->step += steps;
    gpu_carry(&control->emitted);
    gpu_carry(&control->left);
    gpu_carry(&control->sea);
    if (reduces && gpu_is_still(&rule, &control->mobile, control->step)) control->stopped = 1;
}

/* ---- segments -------------------------------------------------------------------------------- */

struct gpu_rule gpu_rule_of(const struct problem *p)
{
    quanta limit = (quanta)(p->stop_mobile_m * LATTICE_PER_M);
    struct gpu_rule rule = {p->stop_when_still, (long long)p->reduce_every,
                            (long long)p->last_vent_step, (gpu_word)(limit >> 32),
                            (gpu_word)(limit & 0xffffffff)};
    return rule;
}

static void enqueue_segment(struct gpu *g, int steps, bool reduces)
{
    const struct gpu_strategy *s = g->strategy;
    struct gpu_rule rule = gpu_rule_of(g->problem);
    s->emitLava(g, 1, steps);
    for (int i = 1; i <= steps; i++) s->step(g, i, i < steps);
    if (reduces) {
        gpu_launch(g, zero_mobile, dim3(1), dim3(1), g->v);
        s->reduceAdd(g, steps);
    }
    gpu_launch(g, end_segment, dim3(1), dim3(END_THREADS), g->v, steps, reduces, rule);
}

#if !defined(SCIARA_EMULATOR)
/* Records the segment from one reduction to the next as a graph. All segments of this length are launched as this
 * graph. */
static bool make_graph(struct gpu *g)
{
    cudaGraph_t graph = NULL;
    if (!gpu_check(g, cudaStreamBeginCapture(g->stream, cudaStreamCaptureModeThreadLocal),
                   "capture"))
        return false;
    enqueue_segment(g, (int)g->problem->reduce_every, true);
    gpu_check(g, cudaStreamEndCapture(g->stream, &graph), "capture");
    if (!g->failed) gpu_check(g, cudaGraphInstantiate(&g->graph, graph, 0), "graph");
    if (graph) cudaGraphDestroy(graph);
    return !g->failed;
}
#endif

/* The number of steps up to the next reduction, at most `steps` and g->longest. */
static int next_segment(const struct gpu *g, long long steps)
{
    long long every = g->problem->reduce_every, n = every - g->step % every;
    if (n > g->longest) n = g->longest;
    return (int)(n < steps ? n : steps);
}

static void run_segment(struct gpu *g, int steps)
{
#if !defined(SCIARA_EMULATOR)
    bool graph = !(g->disabled & VARIANT_DISABLE_GRAPH);
    if (graph && steps == g->problem->reduce_every && steps <= g->longest) {
        if (!g->graph && !make_graph(g)) return;
        gpu_check(g, cudaGraphLaunch(g->graph, g->stream), "graph launch");
        return;
    }
#endif
    enqueue_segment(g, steps, (g->step + steps) % g->problem->reduce_every == 0);
}

/* Updates g->listed, from which block_launch() chooses the number of blocks. A graph has fixed numbers of blocks, so a
 * changed g->listed needs a new graph. */
static void look_at_list(struct gpu *g)
{
    int most = g->v.full ? g->v.tile_count : 0, listed = 1;
    for (int i = 0; i < 3; i++)
        if (g->control->count[i] > most) most = g->control->count[i];
    while (listed < most) listed *= 2;
    if (listed != g->listed && g->graph) {
        gpu_check(g, cudaGraphExecDestroy(g->graph), "graph");
        g->graph = 0;
    }
    g->listed = listed;
}

void gpu_run_segments(struct gpu *g, long long steps)
{
    look_at_list(g);
    for (int n; steps > 0 && !g->failed; steps -= n) {
        n = next_segment(g, steps);
        run_segment(g, n);
        g->step += n;
    }
}

/* ---- steps of any strategy ------------------------------------------------------------------- */

void gpu_read_control(struct gpu *g)
{
    gpu_check(g,
              cudaMemcpyAsync(g->control, g->v.control, sizeof *g->control, cudaMemcpyDeviceToHost,
                              g->stream),
              "copy");
    gpu_check(g, cudaStreamSynchronize(g->stream), "steps");
}

int gpu_advance(void *self, int64_t steps, struct variant_status *status, struct error *e)
{
    struct gpu *g = (struct gpu *)self;
    trace_begin("%lld steps from %lld", (long long)steps, (long long)g->step + 1);
    gpu_check(g, cudaSetDevice(g->device), "device");
    gpu_check(g, cudaEventRecord(g->begin, g->stream), "event");
    if (!g->failed) g->strategy->run(g, steps);
    gpu_check(g, cudaEventRecord(g->end, g->stream), "event");
    gpu_read_control(g);
    trace_end();
    float ms = 0.0f;
    gpu_check(g, cudaEventElapsedTime(&ms, g->begin, g->end), "time");
    if (g->failed) return gpu_status(g, e);
    g->ms += ms;
    g->step = g->control->step;
    if (status) {
        status->step = g->control->step;
        status->stopped = g->control->stopped;
        status->mobile = gpu_quanta(&g->control->mobile);
        status->device_ms = g->ms;
    }
    return 0;
}
