/* plan_outlook.c — every member of a plan made once, before any is computed: whether it would be
 * refused, what it costs, and when it ends. */
#include "member.h"
#include "plan.h"

#include "case/case_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lava covers an area that grows with what has been emitted, and each cell of it is computed in
 * every step that is left. */
static double cost_of(const struct sim_case *c)
{
    const struct problem *p = &c->problem;
    const double last =
        (double)(c->max_steps ? c->max_steps : 2 * (p->last_vent_step + p->reduce_every));
    double sum = 0;
    for (int v = 0; v < p->vent_count; v++)
        for (int i = 0; i < p->vents[v].interval_count; i++) {
            const double from = fmin(last, (double)p->vents[v].first_step[i]);
            const double to = i + 1 < p->vents[v].interval_count
                                  ? fmin(last, (double)p->vents[v].first_step[i + 1])
                                  : last;
            sum += p->vents[v].amount_m[i] * (to - from) * (last - (from + to) / 2);
        }
    return sum;
}

/* The number of the first that would be refused, count: none. */
static int64_t estimate(struct plan_outlook *o, const struct plan *p)
{
    int64_t first = p->count, warned = 0, warned_first = p->count;
    double end_s = 0;
    bool known = true;
#pragma omp parallel for schedule(dynamic, 64) reduction(min : first, warned_first)                \
    reduction(max : end_s) reduction(+ : warned) reduction(&& : known)
    for (int64_t n = 0; n < p->count; n++) {
        /* not on the stack: OMP_STACKSIZE may leave too little */
        struct member *m = n > first ? NULL : malloc(sizeof *m);
        if (n > first) continue;
        if (!m || member_create_flat(m, p, n, NULL)) {
            first = n;
            free(m);
            continue;
        }
        o->cost[n] = cost_of(&m->c);
        if (*m->c.warning) {
            warned++;
            if (n < warned_first) warned_first = n;
        }
        known = known && m->c.max_steps > 0;
        end_s = fmax(end_s, (double)m->c.max_steps * m->c.problem.params.clock_s);
        member_free(m);
        free(m);
    }
    o->end_s = known ? end_s : 0;
    o->warned = warned;
    o->warned_first = warned_first;
    return first;
}

int plan_look_ahead(struct plan_outlook *o, const struct plan *p, struct error *e)
{
    struct member m;
    *o = (struct plan_outlook){.cost = malloc((size_t)p->count * sizeof *o->cost)};
    if (!o->cost) return error_memory(e);
    const int64_t n = estimate(o, p);
    if (n == p->count) return 0;
    free(o->cost);
    o->cost = NULL;
    int status = member_create_flat(&m, p, n, e);
    if (status) return status;
    member_free(&m); /* there was no memory for it before */
    return error_memory(e);
}

int plan_warn_of_members(struct plan *p, struct error *e)
{
    const struct plan_outlook *o = &p->outlook;
    struct member m;
    char sentence[1024];
    memcpy(p->own_warning, p->base.warning, sizeof p->own_warning);
    if (!o->warned) return 0;
    int status = member_create_flat(&m, p, o->warned_first, e);
    if (status) return status;
    snprintf(sentence, sizeof sentence,
             "%lld of %lld members have a warning, such as member %lld: %.800s",
             (long long)o->warned, (long long)p->count, (long long)o->warned_first, m.c.warning);
    case_warn(&p->base, sentence);
    member_free(&m);
    return 0;
}
