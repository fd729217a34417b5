/* lane.cu — sends members to the device, launches them in a lane (struct batch_lane), and reads their results. */
#include "host.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void batch_lane_clear(struct batch_lane *l)
{
    free(l->sent);
    free(l->vent);
    free(l->interval);
    l->sent = NULL;
    l->vent = NULL;
    l->interval = NULL;
    l->count = 0;
}

extern "C" bool batch_takes(const struct batch *b, const struct batch_job *job)
{
    const struct problem *p = job->problem, *q = &b->base;
    return p->rows == q->rows && p->cols == q->cols && p->window.rows == p->rows &&
           p->window.cols == p->cols && !p->full_domain && p->first_step == q->first_step &&
           p->thickness_m == q->thickness_m && p->temp_K == q->temp_K && p->solid_m == q->solid_m &&
           job->steps > p->first_step;
}

/* ---- to the device --------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct batch_vent *x = (const struct batch_vent *)a, *y = (const struct batch_vent *)b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return x->col < y->col ? -1 : x->col > y->col;
}

/* Sums over all jobs of a launch. */
struct counted {
    size_t vents, intervals, terrains;
};

static struct counted count_all(const struct batch *b, const struct batch_job *jobs, int count)
{
    struct counted n = {};
    for (int i = 0; i < count; i++) {
        const struct problem *p = jobs[i].problem;
        n.vents += (size_t)p->vent_count;
        for (int k = 0; k < p->vent_count; k++) n.intervals += (size_t)p->vents[k].interval_count;
        n.terrains += p->elevation_m != b->base.elevation_m;
    }
    return n;
}

static void take_vents(struct batch_lane *l, const struct problem *p, struct counted *used)
{
    struct batch_vent *first = l->vent + used->vents;
    for (int k = 0; k < p->vent_count; k++) {
        const struct vent *from = &p->vents[k];
        const int begin = (int)used->intervals;
        for (int i = 0; i < from->interval_count; i++)
            l->interval[used->intervals++] = {from->first_step[i], from->amount_m[i],
                                              from->fraction ? from->fraction[i] : 0,
                                              from->phase ? from->phase[i] : 0};
        first[k] = {from->row, from->col, begin, (int)used->intervals};
    }
    qsort(first, (size_t)p->vent_count, sizeof *first, by_place);
    used->vents += (size_t)p->vent_count;
}

/* Describes a member to the kernel. If vents end after the last step, the stopping rule never applies. If the
 * critical thickness falls with the temperature, lava that only cools may begin to flow (`rises`). */
static struct batch_member member_of(const struct batch_job *job, size_t first_vent)
{
    const struct problem *p = job->problem;
    struct batch_member m = {};
    m.physics = physics_create(&p->params);
    m.rule = gpu_rule_of(p);
    if (p->last_vent_step > job->steps) m.rule.stops = false;
    m.error = job->error;
    m.first_step = p->first_step;
    m.steps = job->steps;
    m.clock_s = p->params.clock_s;
    m.vent = (int)first_vent;
    m.vents = p->vent_count;
    m.rises = !(m.physics.critical_b <= 0.0);
    return m;
}

static void *send(struct batch *b, struct batch_lane *l, int which, const void *from, size_t bytes)
{
    struct gpu *g = &b->gpu;
    struct batch_table *t = &l->table[which];
    if (t->bytes < bytes) {
        cudaFree(t->device);
        *t = {};
        if (!gpu_check(g, cudaMalloc(&t->device, bytes + bytes / 2), "memory")) return NULL;
        t->bytes = bytes + bytes / 2;
    }
    if (from)
        gpu_check(g, cudaMemcpyAsync(t->device, from, bytes, cudaMemcpyHostToDevice, l->stream),
                  "copy");
    return t->device;
}

/* Sends the elevations of members with a terrain of their own. */
static void send_terrains(struct batch *b, struct batch_lane *l, const struct batch_job *jobs,
                          size_t terrains)
{
    struct gpu *g = &b->gpu;
    const size_t cells = (size_t)b->base.rows * (size_t)b->base.cols;
    double *to = NULL;
    if (terrains) to = (double *)send(b, l, TABLE_TERRAINS, NULL, terrains * cells * sizeof *to);
    for (int i = 0; i < l->count && !g->failed; i++) {
        const double *from = jobs[i].problem->elevation_m;
        if (from == b->base.elevation_m) continue;
        gpu_check(g, cudaMemcpy(to, from, cells * sizeof *to, cudaMemcpyHostToDevice), "copy");
        l->sent[i].elevation_m = to;
        to += cells;
    }
}

/* Waits for launches with another number of blocks, because their shares of the pool have another size. */
static void wait_for_others(struct batch *b, int lane, int blocks)
{
    for (int i = 0; i < BATCH_LANES; i++)
        if (i != lane && b->lane[i].count && b->lane[i].blocks != blocks)
            gpu_check(&b->gpu, cudaStreamSynchronize(b->lane[i].stream), "members");
}

static bool prepare(struct batch *b, struct batch_lane *l, const struct batch_job *jobs, int count,
                    struct counted n)
{
    struct counted used = {};
    l->sent = (struct batch_member *)malloc((size_t)count * sizeof *l->sent);
    l->vent = (struct batch_vent *)malloc((n.vents + 1) * sizeof *l->vent);
    l->interval = (struct batch_interval *)malloc((n.intervals + 1) * sizeof *l->interval);
    if (!l->sent || !l->vent || !l->interval || n.intervals > INT32_MAX) {
        gpu_out_of_memory(&b->gpu);
        return false;
    }
    for (int i = 0; i < count; i++) {
        l->sent[i] = member_of(&jobs[i], used.vents);
        take_vents(l, jobs[i].problem, &used);
    }
    return true;
}

static void launch(struct batch *b, struct batch_lane *l, const struct batch_job *jobs,
                   struct counted n)
{
    struct gpu *g = &b->gpu;
    const size_t count = (size_t)l->count;
    struct batch_view v = b->view;
    send_terrains(b, l, jobs, n.terrains);
    v.members = l->count;
    v.member = l->member;
    v.vent = (const struct batch_vent *)send(b, l, TABLE_VENTS, l->vent,
                                             (n.vents + 1) * sizeof *l->vent);
    v.interval = (const struct batch_interval *)send(b, l, TABLE_INTERVALS, l->interval,
                                                     (n.intervals + 1) * sizeof *l->interval);
    v.result = l->result;
    v.reached = l->reached;
    v.reached_cells = b->reached_cells;
    v.control = l->control;
    v.shares = l->blocks;
    v.in = batch_layout_for(b, l->blocks);
    gpu_check(g,
              cudaMemcpyAsync(l->member, l->sent, count * sizeof *l->sent, cudaMemcpyHostToDevice,
                              l->stream),
              "copy");
    gpu_check(g, cudaMemsetAsync(l->result, 0, count * sizeof *l->result, l->stream), "memset");
    gpu_check(g, cudaMemsetAsync(l->control, 0, sizeof *l->control, l->stream), "memset");
    g->stream = l->stream;
    if (!g->failed) batch_launch(g, &v, l->blocks);
}

extern "C" int batch_begin(struct batch *b, int lane, const struct batch_job *jobs, int count,
                           int blocks, struct error *e)
{
    struct batch_lane *l = &b->lane[lane];
    struct gpu *g = &b->gpu;
    const struct counted n = count_all(b, jobs, count);
    gpu_check(g, cudaSetDevice(g->device), "device");
    batch_lane_clear(l);
    l->blocks = blocks > 0 && blocks < b->blocks ? blocks : b->blocks;
    wait_for_others(b, lane, l->blocks);
    l->count = count;
    if (!g->failed && prepare(b, l, jobs, count, n)) launch(b, l, jobs, n);
    return gpu_status(g, e);
}

/* ---- results --------------------------------------------------------------------------------- */

static int close_ledger(const struct batch *b, const struct batch_result *r, struct ledger *l,
                        struct error *e)
{
    char in[48], out[48];
    *l = {};
    l->initial = b->start.initial;
    l->emitted = gpu_quanta(&r->emitted);
    l->left_domain = gpu_quanta(&r->left);
    l->mobile = gpu_quanta(&r->mobile);
    l->solidified = gpu_quanta(&r->solid);
    const quanta before = l->initial + l->emitted,
                 after = l->mobile + l->solidified + l->left_domain;
    if (before == after) return 0;
    return error_failed(e,
                        "step %lld: the ledger does not close: initial + emitted = %s, mobile + "
                        "solidified + left_domain = %s (counts of 2^-36 m)",
                        r->step, quanta_text(before, in), quanta_text(after, out));
}

static int copy_reached(const struct batch_result *r, const struct reached *all,
                        struct batch_outcome *o, struct error *e)
{
    o->cell_count = (size_t)r->reached_cells;
    o->cell = (struct reached *)malloc((o->cell_count + 1) * sizeof *o->cell);
    if (!o->cell) return error_memory(e);
    memcpy(o->cell, all + r->reached, o->cell_count * sizeof *o->cell);
    return 0;
}

static int take_back(const struct batch *b, const struct batch_result *r, const struct reached *all,
                     struct batch_outcome *o, struct error *e)
{
    *o = {};
    o->fate = r->end == BATCH_NONE        ? BATCH_NOT_BEGUN
              : r->end == BATCH_OUTGREW   ? BATCH_TOO_LARGE
              : r->end == BATCH_UNWRITTEN ? BATCH_CROWDED_OUT
                                          : BATCH_COMPUTED;
    o->window_rows = r->window_rows;
    o->window_cols = r->window_cols;
    o->grown = r->grown;
    if (o->fate != BATCH_COMPUTED) return 0;
    o->step = r->step;
    o->stopped = r->end == BATCH_STOPPED;
    o->digest = digest_grid(b->base.rows, b->base.cols) + r->digest;
    o->cells = r->cells;
    o->both = r->both;
    o->max_thickness_m = r->max_thickness_m;
    o->farthest = r->farthest;
    o->last_arrival = r->last_arrival;
    o->updates = r->updates;
    int status = close_ledger(b, r, &o->ledger, e);
    return status ? status : copy_reached(r, all, o, e);
}

static void *copy_back(struct gpu *g, const struct batch_lane *l, const void *from, size_t bytes)
{
    void *to = malloc(bytes + 1);
    if (!to) gpu_out_of_memory(g);
    else {
        gpu_check(g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, l->stream), "copy");
        gpu_check(g, cudaStreamSynchronize(l->stream), "members");
    }
    return to;
}

extern "C" int batch_end(struct batch *b, int lane, struct batch_outcome *out, struct error *e)
{
    struct batch_lane *l = &b->lane[lane];
    struct gpu *g = &b->gpu;
    struct batch_control control = {};
    int status = 0, done = 0;
    gpu_check(g, cudaSetDevice(g->device), "device");
    struct batch_result *r =
        (struct batch_result *)copy_back(g, l, l->result, (size_t)l->count * sizeof *r);
    gpu_check(g, cudaMemcpy(&control, l->control, sizeof control, cudaMemcpyDeviceToHost), "copy");
    const size_t asked = (size_t)control.reached_cells,
                 written = asked < b->reached_cells ? asked : b->reached_cells;
    struct reached *all = (struct reached *)copy_back(g, l, l->reached, written * sizeof *all);
    status = gpu_status(g, e);
    for (; done < l->count && !status; done++) status = take_back(b, &r[done], all, &out[done], e);
    for (int i = 0; status && i < done; i++) free(out[i].cell);
    free(r);
    free(all);
    batch_lane_clear(l);
    return status;
}
