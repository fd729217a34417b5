/* changing.c — a terrain that changes during a simulation: between two steps the state is copied,
 * changed on the host, and the simulation continues from it. Variants know nothing of it. */
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

/* Room for one more, which is not counted yet. All of the terrain changes, so that it is read. */
static int more_ground(sciara_simulation *s, double **ground, struct error *e)
{
    const struct problem *p = &s->c.problem;
    double **all = realloc(s->ground, ((size_t)s->ground_count + 1) * sizeof *all);
    *ground = NULL;
    if (!all) return error_memory(e);
    s->ground = all;
    int status = problem_read_terrain(p, problem_domain(p), e);
    if (status) return status;
    *ground = all[s->ground_count] = malloc(window_cells(problem_domain(p)) * sizeof **all);
    if (*ground) return 0;
    return error_input(e, "out of memory for a changed terrain of %d x %d cells", p->rows, p->cols);
}

/* Snapshots and the case keep what they have. */
static void use_ground(sciara_simulation *s, const struct ground_sums *sums)
{
    s->c.problem.elevation_m = s->ground[s->ground_count++];
    s->changed_by = *sums;
}

int simulation_change(sciara_simulation *s, struct error *e)
{
    const struct change *x = &s->c.change[s->next_change++];
    double *ground;
    simulation_collect(s);
    int status = more_ground(s, &ground, e);
    if (status) return status;
    s->ground_count++;
    return change_held(x, s->held, &s->c.problem, ground, &s->changed_by, e);
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

/* Changes that were made before the state are made of the terrain beyond its window, too; its own
 * cells have them. */
static int change_beyond(sciara_simulation *s, int made, struct error *e)
{
    int status = 0;
    for (int i = 0; i < made && !status; i++) {
        struct fields none = {0};
        double *ground;
        status = more_ground(s, &ground, e);
        if (!status) status = change_make(&s->c.change[i], &none, &s->c.problem, ground, e);
        if (status) free(ground);
        else use_ground(s, &none.ground);
    }
    return status;
}

static int take_ground(sciara_simulation *s, int new_terrain, struct error *e)
{
    struct fields *f = &s->from;
    const struct problem *p = &s->c.problem;
    double *ground;
    bool other = true;
    int status = more_ground(s, &ground, e);
    if (status) return status;
    if (new_terrain)
        status = ground_survey(f, p, p->elevation_m, new_terrain == SCIARA_WITH_LAVA, ground, e);
    else other = ground_of(f, p, ground);
    if (!status && other) status = check_vents(p, ground, e);
    if (status || !other) free(ground);
    else use_ground(s, &f->ground);
    return status;
}

int simulation_set_ground(sciara_simulation *s, int new_terrain, struct error *e)
{
    const struct fields *f = &s->from;
    const struct problem *p = &s->c.problem;
    const bool all = window_equal(f->window, problem_domain(p));
    const int made = all || new_terrain ? 0 : changes_next(&s->c, f->step);
    int status = problem_read_terrain(p, f->window, e);
    if (!status) status = change_beyond(s, made, e);
    if (!status && (new_terrain || f->ground.raised || f->ground.lowered))
        status = take_ground(s, new_terrain, e);
    s->changed_by = f->ground;
    return status;
}
