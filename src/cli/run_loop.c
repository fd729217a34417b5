/* run_loop.c — a run from its first step to its last.
 *
 * A snapshot is begun after its step and collected after the next batch of steps, so that copying
 * goes on beside computing; writing happens on the writer's thread. */
#include "run.h"

#include <unistd.h>

/* Steps at once: as many as fit between two looks at the clock and at Ctrl-C. A device is left to
 * itself for no more than DEVICE_BATCH. */
static const double BATCH_S = 0.2;
enum { DEVICE_BATCH = 4096, GROWTH = 8 };

static int64_t last_step(const struct run *r)
{
    return r->c.max_steps ? r->c.max_steps : RUN_STEPS_MAX;
}

static bool ended(const struct run *r)
{
    return r->summary.interrupted || r->now.stopped || r->now.step >= last_step(r);
}

static bool at_snapshot(const struct run *r)
{
    return r->writer && r->c.snapshot_every && r->now.step % r->c.snapshot_every == 0;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* The next batch ends where a snapshot or the run does. */
static int64_t batch_end(const struct run *r, int64_t steps)
{
    int64_t end = r->now.step + steps, every = r->writer ? r->c.snapshot_every : 0;
    if (every) {
        int64_t snapshot = (r->now.step / every + 1) * every;
        if (end > snapshot) end = snapshot;
    }
    return end < last_step(r) ? end : last_step(r);
}

/* *batch is the number of steps to try, and becomes that of the next time. */
static int advance(struct run *r, int64_t *batch, struct error *e)
{
    const int64_t steps = batch_end(r, *batch) - r->now.step;
    const double began_s = clock_now_s();
    int status = r->variant->advance(r->simulation, steps, &r->now, e);
    const double took_s = clock_now_s() - began_s;
    r->summary.steps_s += took_s;
    r->summary.interrupted = interrupt_seen();

    double next = (double)steps * BATCH_S / (took_s + 1e-9);
    if (next > (double)*batch * GROWTH) next = (double)*batch * GROWTH;
    if (r->variant->cuda && next > DEVICE_BATCH) next = DEVICE_BATCH;
    *batch = next < 1 ? 1 : (int64_t)next;
    return status;
}

/* ---- snapshots ------------------------------------------------------------------------------ */

static int begin_snapshot(struct run *r, struct error *e)
{
    /* the writer took the last one */
    int status = r->state.arrival ? 0 : fields_create(&r->state, r->c.problem.window, e);
    if (!status) status = r->variant->snapshot(r->simulation, &r->state, e);
    r->copying = !status;
    return status;
}

/* Published arithmetic leaves the lattice: its sums are cut off, and nothing has to close. */
static struct ledger totals(const struct fields *f)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    double solid_m = 0;
    for (size_t i = 0; i < n; i++) solid_m += f->solid_m[i];
    return (struct ledger){.emitted = f->emitted,
                           .mobile = fields_mobile(f, NULL),
                           .solidified = (quanta)(solid_m * 0x1p36),
                           .left_domain = f->left_domain};
}

/* The ledger is checked for every state that anybody gets to see. */
static int take_snapshot(struct run *r, bool last, struct error *e)
{
    struct fields *f = &r->state;
    int status = r->variant->snapshot_wait(r->simulation, e);
    r->copying = false;
    if (status) return status;
    if (r->summary.published) r->summary.ledger = totals(f);
    else status = fields_ledger(&r->summary.ledger, f, &r->c.problem, e);
    if (status) return status;
    if (last) {
        r->summary.step = f->step;
        r->summary.digest = fields_digest(f);
        r->summary.extent = extent_of(f, &r->c.problem);
    }
    return r->writer ? output_writer_put(r->writer, f, e) : 0;
}

/* ---- the run -------------------------------------------------------------------------------- */

bool run_shows_progress(const struct run *r)
{
    return !r->options->quiet && isatty(STDERR_FILENO);
}

static struct progress start_progress(const struct run *r)
{
    const double cell_m = r->c.problem.params.cell_m;
    return (struct progress){.on = run_shows_progress(r),
                             .first_step = r->now.step,
                             .last_step = r->c.max_steps,
                             .clock_s = r->c.problem.params.clock_s,
                             .area_m2 = cell_m * cell_m,
                             .began_s = clock_now_s()};
}

int run_loop(struct run *r, struct error *e)
{
    int64_t batch = 1;
    int status = 0;
    r->now = (struct variant_status){.step = r->c.problem.first_step};
    struct progress progress = start_progress(r);
    while (!status && !ended(r)) {
        status = advance(r, &batch, e);
        if (!status && r->copying) status = take_snapshot(r, false, e);
        if (!status && (ended(r) || at_snapshot(r))) status = begin_snapshot(r, e);
        progress_show(&progress, &r->now);
    }
    if (!status) status = take_snapshot(r, true, e);
    progress_clear(&progress);
    r->summary.stopped = r->now.stopped;
    r->summary.device_ms = r->now.device_ms;
    return status;
}
