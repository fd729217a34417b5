#include "bench.h"
#include "base/order.h"
#include "base/clock.h"
#include "base/processors.h"

#include <math.h>
#include <stdlib.h>

/* ---- the reference run ----------------------------------------------------------------------- */

/* The number of steps between two samples. A sample copies all fields, so a large grid gets fewer samples. */
static int64_t sampling(const struct held *h, int64_t steps)
{
    const double cells = (double)window_cells(h->problem.window);
    const double samples = fmax(4, fmin(1000, 5e8 / cells));
    return (int64_t)ceil((double)steps / samples);
}

static void keep_fields(struct fields *kept, struct fields *now)
{
    const struct fields old = *kept;
    *kept = *now;
    *now = old;
}

/* The sum of wet cells over n steps, if their number changes linearly from `before` to `after`. */
static double updates_between(size_t before, size_t after, int64_t n)
{
    return (double)n * (double)before + ((double)after - (double)before) * (double)(n + 1) / 2;
}

static int copy_back(struct held *h, struct fields *f, struct error *e)
{
    int status = held_snapshot(h, f, e);
    return status ? status : held_wait(h, e);
}

static int sample_all(struct bench_states *s, struct fields *now, struct held *h, int64_t first,
                      int64_t last, struct error *e)
{
    struct variant_status at = {.step = first};
    int status = 0;
    while (!status && at.step < last && !at.stopped) {
        const int64_t begin = at.step, left = last - begin;
        const size_t before = s->end_wet;
        status = held_advance(h, left < s->sampled ? left : s->sampled, &at, e);
        if (!status) status = copy_back(h, now, e);
        if (status) break;
        fields_mobile(now, &s->end_wet);
        s->updates += updates_between(before, s->end_wet, at.step - begin);
        s->steps = at.step - first;
        if (s->end_wet < s->peak_wet) continue;
        s->peak_wet = s->end_wet;
        keep_fields(&s->peak, now);
    }
    return status ? status : copy_back(h, &s->end, e);
}

int bench_reference(struct bench_states *s, const struct problem *p, int64_t last, struct error *e)
{
    struct problem lava = *p;
    FREED_BY(fields_free) struct fields now = {0};
    struct held *h;
    const bool large = (double)p->rows * p->cols > 4e6;
    const struct variant_options machine = {.threads = large ? processors_granted() : 1};
    *s = (struct bench_states){.threads = machine.threads};
    lava.full_domain = false;
    int status = held_create(&h, variants[0], &lava, &machine, held_usual(variants[0]), e);
    if (!status) status = copy_back(h, &now, e);
    if (!status) {
        s->sampled = sampling(h, last - p->first_step);
        fields_mobile(&now, &s->end_wet);
        status = sample_all(s, &now, h, p->first_step, last, e);
    }
    held_destroy(h);
    if (!status && !s->peak_wet)
        status =
            error_input(e, "no cell ever holds lava up to step %lld: there is nothing to compare",
                        (long long)last);
    if (status) bench_states_free(s);
    return status;
}

void bench_states_free(struct bench_states *s)
{
    fields_free(&s->peak);
    fields_free(&s->end);
    *s = (struct bench_states){0};
}

/* ---- runs that are measured ------------------------------------------------------------------ */

struct bench {
    struct bench_row *row;
    const struct variant *variant;
    const struct problem *problem;
    const struct variant_options *machine;
    const struct bench_plan *plan;
    struct fields got;
    struct held *held;
    struct variant_status at;
    double total_ms;
};

static void compare_states(struct bench *b, const struct fields *right)
{
    const char *what = "step";
    const struct fields *got = &b->got;
    size_t cells = 0;
    if (got->step == right->step) {
        cells = fields_differ(right, got, &what);
        if (!cells && fields_same_sums(got, right)) return;
        if (!cells) what = "ledger";
    }
    b->row->verdict = BENCH_WRONG;
    snprintf(b->row->why, sizeof b->row->why, "differs at step %lld in %s (%zu cells)",
             (long long)right->step, what, cells);
}

/* Computes the steps up to `step` and copies the state to the host. The comparison with *right is not timed. */
static int go_to(struct bench *b, int64_t step, const struct fields *right, struct error *e)
{
    const double began_s = clock_now_s();
    int status = held_advance(b->held, step - b->at.step, &b->at, e);
    if (!status) status = copy_back(b->held, &b->got, e);
    b->total_ms += 1e3 * (clock_now_s() - began_s);
    if (!status && right) compare_states(b, right);
    return status;
}

static int run_once(struct bench *b, bool look_at_peak, struct error *e)
{
    const struct bench_states *s = b->plan->states;
    const double began_s = clock_now_s();
    b->at = (struct variant_status){.step = b->problem->first_step};
    int status =
        held_create(&b->held, b->variant, b->problem, b->machine, held_usual(b->variant), e);
    b->total_ms = 1e3 * (clock_now_s() - began_s);
    if (!status && look_at_peak && s && s->peak.step < s->end.step)
        status = go_to(b, s->peak.step, &s->peak, e);
    if (!status) status = go_to(b, b->plan->last, s ? &s->end : NULL, e);
    if (!status) b->row->memory_bytes = held_memory(b->held);
    held_destroy(b->held);
    b->held = NULL;
    return status;
}

static struct bench_span span(double *ms, int n)
{
    qsort(ms, (size_t)n, sizeof *ms, order_reals);
    return (struct bench_span){(ms[(n - 1) / 2] + ms[n / 2]) / 2, ms[0], ms[n - 1]};
}

/* Repeats a run up to plan->repeat times, until the time limit is reached or a result is wrong. */
static int repeat(struct bench *b, double *steps_ms, double *total_ms, struct error *e)
{
    struct bench_row *row = b->row;
    const double began_s = clock_now_s();
    for (int i = 0; i < b->plan->repeat; i++) {
        int status = run_once(b, i == 0, e);
        if (status || row->verdict == BENCH_WRONG) return status;
        const double took_s = clock_now_s() - began_s;
        const bool over = took_s > b->plan->limit_s;
        /* The first of several runs is not measured: on a GPU it creates the device's context. If a first run on a CPU
         * exceeds the time limit, it is the only run. */
        if (i == 0 && b->plan->repeat > 1 && !(over && row->threads)) continue;
        steps_ms[row->runs] = b->at.device_ms;
        total_ms[row->runs++] = b->total_ms;
        if (over) break;
    }
    row->steps_ms = span(steps_ms, row->runs);
    row->total_ms = span(total_ms, row->runs);
    return 0;
}

int bench_measure(struct bench_row *row, const struct variant *v, const struct problem *p,
                  const struct variant_options *o, const struct bench_plan *plan, struct error *e)
{
    struct bench b = {.row = row, .variant = v, .problem = p, .machine = o, .plan = plan};
    struct error why = {0};
    char device[128];
    FREED double *ms = calloc(2 * (size_t)plan->repeat, sizeof *ms);
    row->verdict = plan->states ? BENCH_EQUAL : BENCH_OTHER;
    row->full_domain = p->full_domain;
    row->runs = 0;
    int status = ms ? 0 : error_memory(e);
    if (!status && (v->available(o, device, &why) || repeat(&b, ms, ms + plan->repeat, &why))) {
        row->verdict = BENCH_NONE;
        snprintf(row->why, sizeof row->why, "%.*s", (int)sizeof row->why - 1, why.text);
    }
    fields_free(&b.got);
    return status;
}
