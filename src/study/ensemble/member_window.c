#include "member_window.h"

#include "sim/held.h"

enum { STEPS_MAX = 2147483646, BATCH = 500 /* steps between two calls of stop() */ };

extern const struct variant variant_reference;

/* Small windows: of the members of a large ensemble most have little lava. */
static const struct held_rule rule = {.whole = 0, .least = 64, .most = 1 << 30};

int64_t member_last_step(const struct sim_case *c)
{
    return c->max_steps && c->max_steps < STEPS_MAX ? c->max_steps : STEPS_MAX;
}

static int advance(struct held *h, int64_t last, struct variant_status *now,
                   bool (*stop)(const void *), const void *of, struct error *e)
{
    int status = 0;
    *now = (struct variant_status){.step = h->problem.first_step};
    while (!status && !now->stopped && now->step < last) {
        const int64_t left = last - now->step;
        if (stop && stop(of)) return error_cancelled(e);
        status = held_advance(h, left < BATCH ? left : BATCH, now, e);
    }
    return status;
}

int member_compute(const struct sim_case *c, struct problem *seen, struct fields *f,
                   struct variant_status *now, bool (*stop)(const void *), const void *of,
                   struct error *e)
{
    const struct variant_options one = {.threads = 1};
    struct held *h;
    *f = (struct fields){0};
    int status = held_create(&h, &variant_reference, &c->problem, &one, &rule, e);
    if (status) return status;
    status = advance(h, member_last_step(c), now, stop, of, e);
    *seen = h->problem;
    if (!status) status = held_snapshot(h, f, e);
    if (!status) status = held_wait(h, e);
    held_destroy(h);
    return status;
}
