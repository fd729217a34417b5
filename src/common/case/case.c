/* case.c — where all ways to a case meet: vents and rates together, and the problem that a variant
 * computes. */
#include "case.h"

#include "case_parts.h"

#include <stdlib.h>

static int mark_vents(struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    c->vent_id = calloc((size_t)p->rows * (size_t)p->cols, sizeof *c->vent_id);
    if (!c->vent_id) return error_failed(e, "%s: out of memory", c->path);
    for (int i = p->vent_count - 1; i >= 0; i--) /* of two in one cell the first one is shown */
        c->vent_id[(size_t)c->vents[i].row * (size_t)p->cols + (size_t)c->vents[i].col] =
            c->vents[i].id;
    return 0;
}

static int64_t last_vent_step(const struct vent *vents, int count)
{
    int64_t last = 0;
    for (int i = 0; i < count; i++) {
        int n = vents[i].interval_count; /* the last change is to nothing */
        if (n && vents[i].first_step[n - 1] - 1 > last) last = vents[i].first_step[n - 1] - 1;
    }
    return last;
}

int case_emission(struct sim_case *c, const struct vent_sites *sites,
                  const struct rate_lists *rates, bool rounded, struct error *e)
{
    struct problem *p = &c->problem;
    int status = emission_create(&c->vents, &p->vent_count, sites, rates, &p->params, !c->original,
                                 rounded, e);
    if (status) return status;
    p->last_vent_step = last_vent_step(c->vents, p->vent_count);
    return mark_vents(c, e);
}

void case_point(struct sim_case *c)
{
    struct problem *p = &c->problem;
    p->window = (struct window){0, 0, p->rows, p->cols};
    p->elevation_m = c->elevation_m;
    p->thickness_m = c->thickness_m;
    p->temp_K = c->temp_K;
    p->solid_m = c->solid_m;
    p->vents = c->vents;
}

void case_free(struct sim_case *c)
{
    emission_free(c->vents, c->vents ? c->problem.vent_count : 0);
    free(c->path);
    free(c->outline_path);
    free(c->elevation_m);
    free(c->thickness_m);
    free(c->temp_K);
    free(c->solid_m);
    free(c->vent_id);
    *c = (struct sim_case){0};
}
