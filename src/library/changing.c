/* changing.c — a terrain that changes during a simulation: between two steps the state is copied from
 * the variant, changed on the host, and the variant restarted from it. Variants know nothing of it. */
#include "library.h"

#include "case/changes.h"
#include "sim/ground.h"

#include <math.h>
#include <stdlib.h>

int64_t simulation_next_change(const sciara_simulation *s)
{
    const int next = s->next_change;
    return next < s->c.change_count ? change_step(&s->c.change[next], &s->c.problem.params)
                                    : INT64_MAX;
}

/* Room for one more; NULL: out of memory. It is not counted yet. */
static double *more_ground(sciara_simulation *s)
{
    const struct problem *p = &s->c.problem;
    double **all = realloc(s->ground, ((size_t)s->ground_count + 1) * sizeof *all);
    if (!all) return NULL;
    s->ground = all;
    return all[s->ground_count] = malloc((size_t)p->rows * (size_t)p->cols * sizeof **all);
}

/* Snapshots and the case keep what they have. */
static void use_ground(sciara_simulation *s, const struct ground_sums *sums)
{
    s->c.problem.elevation_m = s->ground[s->ground_count++];
    s->changed_by = *sums;
}

static int out_of_memory(const sciara_simulation *s, struct error *e)
{
    return error_input(e, "out of memory for a changed terrain of %d x %d cells", s->c.problem.rows,
                       s->c.problem.cols);
}

/* ---- during the run -------------------------------------------------------------------------- */

static int copy_state(sciara_simulation *s, struct fields *f, struct error *e)
{
    int status = fields_create(f, s->c.problem.window, e);
    if (!status) status = s->variant->snapshot(s->self, f, e);
    if (!status) status = s->variant->snapshot_wait(s->self, e);
    f->ground = s->changed_by;
    return status;
}

/* Memory for two of them may not be there. */
static int restart_variant(sciara_simulation *s, const struct fields *f, struct error *e)
{
    s->variant->destroy(s->self);
    s->self = NULL;
    s->device_ms_before = s->now.device_ms;
    s->c.problem.from = f;
    int status = s->variant->create(&s->self, &s->c.problem, &s->machine, e);
    s->c.problem.from = NULL;
    if (status) s->self = NULL;
    return status;
}

int simulation_change(sciara_simulation *s, struct error *e)
{
    const struct change *x = &s->c.change[s->next_change++];
    struct fields f = {0};
    struct ledger ledger;
    double *ground = more_ground(s);
    simulation_collect(s);
    int status = ground ? copy_state(s, &f, e) : out_of_memory(s, e);
    if (!status) status = change_make(x, &f, &s->c.problem, ground, e);
    if (status) free(ground);
    else use_ground(s, &f.ground);
    if (!status) status = fields_ledger(&ledger, &f, &s->c.problem, e);
    if (!status) status = restart_variant(s, &f, e);
    fields_free(&f);
    return status;
}

/* ---- from a state ---------------------------------------------------------------------------- */

/* A terrain with data where the state has none does not fill the hole. */
static int check_vents(const struct problem *p, const double *ground, struct error *e)
{
    for (int i = 0; i < p->vent_count; i++) {
        const struct vent *v = &p->vents[i];
        if (!isnan(ground[(size_t)v->row * (size_t)p->cols + (size_t)v->col])) continue;
        return error_input(
            e,
            "vent %d, row %d, column %d: the terrain of the state has no data there; move the vent",
            v->id, v->row, v->col);
    }
    return 0;
}

int simulation_set_ground(sciara_simulation *s, int new_terrain, struct error *e)
{
    struct fields *f = &s->from;
    const struct problem *p = &s->c.problem;
    double *ground = more_ground(s);
    bool other = true;
    int status = 0;
    if (!ground) return out_of_memory(s, e);
    if (new_terrain)
        status = ground_survey(f, p, p->elevation_m, new_terrain == SCIARA_WITH_LAVA, ground, e);
    else other = ground_of(f, p, ground) && (f->ground.raised || f->ground.lowered);
    if (!status && other) status = check_vents(p, ground, e);
    if (status || !other) free(ground);
    else use_ground(s, &f->ground);
    s->changed_by = f->ground;
    return status;
}
