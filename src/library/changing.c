/* changing.c — terrain that changes during a run, and simulations that begin with the state of an earlier run. To
 * change the terrain between two steps, the state is copied to the host and changed there. Then the variant is
 * created again from this state. */
#include "library.h"

#include "case/case_notes.h"
#include "case/changes.h"
#include "sim/ground.h"
#include "text/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int64_t simulation_next_change(const sciara_simulation *s)
{
    const int next = s->next_change;
    return next < s->c.change_count ? change_step(&s->c.change[next], &s->c.problem.params)
                                    : INT64_MAX;
}

/* Allocates another terrain, without using it yet. A change may affect any cell, so the terrain of the case is first
 * read completely. */
static int more_ground(sciara_simulation *s, double **ground, struct error *e)
{
    const struct problem *p = &s->c.problem;
    *ground = NULL;
    if (!GROW(s->ground, s->ground_count)) return error_memory(e);
    int status = problem_read_terrain(p, problem_domain(p), e);
    if (status) return status;
    *ground = s->ground[s->ground_count] =
        malloc(window_cells(problem_domain(p)) * sizeof **ground);
    if (*ground) return 0;
    return error_input(e, "out of memory for a changed terrain of %d x %d cells", p->rows, p->cols);
}

/* Makes the last allocated terrain the present terrain. Earlier snapshots, and the caller's case, keep the earlier
 * terrain. */
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

/* ---- terrain of a state ---------------------------------------------------------------------- */

/* Checks that the terrain of the state has data at each vent. The terrain of the state may lack
 * data where the terrain of the case has data. */
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

/* Repeats the changes of terrain that the earlier run made before it wrote the state, for cells outside the state's
 * window. The cells in the window already have these changes. */
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

/* Sets the terrain with which the run continues: the terrain of the state s->from or, if new_terrain is not 0 (enum
 * sciara_new_terrain), the terrain of the case. */
static int set_ground(sciara_simulation *s, int new_terrain, struct error *e)
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

/* ---- beginning with a state ------------------------------------------------------------------ */

/* Returns the input of restart_write(). Only reads *s, so several threads may call this function at once. */
struct restart simulation_about(const sciara_simulation *s)
{
    struct restart r = s->about;
    snprintf(r.name, sizeof r.name, "%s", s->c.name);
    snprintf(r.variant, sizeof r.variant, "%s", s->variant->name);
    snprintf(r.version, sizeof r.version, "%s", sciara_version());
    return r;
}

static int check_step(const sciara_simulation *s, const struct fields *f, const char *path,
                      struct error *e)
{
    const int64_t step = f->step, last = s->c.max_steps;
    if (step < s->c.problem.first_step)
        return error_input(e, "%s: is a state of step %lld, before the first step of the case",
                           path, (long long)step);
    if (!last || step <= last) return 0;
    return error_input(
        e, "%s: is a state of step %lld, but the run ends at step %lld; ask for more steps", path,
        (long long)step, (long long)last);
}

/* Checks that the state is one of this case, as far as fields_ledger() can find out. */
static int check_ledger(const sciara_simulation *s, const char *path, struct error *e)
{
    struct ledger ledger;
    struct error why;
    if (!fields_ledger(&ledger, &s->from, &s->c.problem, &why)) return 0;
    return error_input(e, "%s: not a state of this case: %.800s", path, why.text);
}

static void begin_with(sciara_simulation *s, const struct fields *f)
{
    s->c.problem.from = f;
    s->from_step = s->now.step = f->step;
    s->next_change = changes_next(&s->c, s->from_step);
    s->now.mobile = fields_mobile(f, NULL);
    s->now.stopped = fields_stopped(f, &s->c.problem);
}

static int adopt(sciara_simulation *s, const struct restart *r, const char *path,
                 const struct sciara_options *o, struct error *e)
{
    char text[IDENTITY_TEXT];
    struct identity now;
    const enum restart_change change = !o->changed      ? RESTART_UNCHANGED
                                       : o->new_terrain ? RESTART_OTHER_TERRAIN
                                                        : RESTART_CHANGED;
    int status = identity_of(&now, &s->c, r->identity.window, e);
    if (!status) status = restart_fits(r, &now, change, path, e);
    if (!status) status = check_step(s, &s->from, path, e);
    if (status) return status;
    const bool other = identity_differ(&r->identity, &now, text) == IDENTITY_OTHER_TERRAIN;
    struct error why;
    if (set_ground(s, other ? o->new_terrain : SCIARA_SAME_TERRAIN, &why))
        return error_input(e, "%s: %.800s", path, why.text);
    status = check_ledger(s, path, e);
    if (status) return status;
    begin_with(s, &s->from);
    return restart_chain(&s->about, r, *text, e);
}

/* Begins with the state of the plan, if the case is a member of a plan that has a state. */
static int begin_as_planned(sciara_simulation *s, struct error *e)
{
    const struct fields *f = s->c.problem.from;
    if (!f) return 0;
    const struct plan_state *from = s->given->plan->from;
    int status = check_step(s, f, from->path, e);
    if (status) return status;
    s->changed_by = f->ground;
    begin_with(s, f);
    return restart_chain(&s->about, &from->about, true, e);
}

/* Resumes from a state. *damaged: why the state cannot be read; *e: why the simulation cannot begin with it. */
static int resume_from(sciara_simulation *s, const char *path, const struct sciara_options *o,
                       struct error *damaged, struct error *e)
{
    FREED_BY(restart_free) struct restart r = {0};
    int status = restart_read(&r, &s->from, path, damaged);
    if (status) return status;
    status = adopt(s, &r, path, o, e);
    if (status) fields_free(&s->from);
    return status;
}

/* Resumes from the latest undamaged state, if there is one. Damaged states are skipped; a state of another case is an
 * error. */
static int resume(sciara_simulation *s, const char *folder, const struct sciara_options *o,
                  struct error *e)
{
    enum { ROOM = 8 }; /* more than enough: a run keeps two states */
    int64_t step[ROOM];
    const int count = restart_list(folder, step, ROOM);
    int status = 0;
    for (int i = 0; i < count && !status && s->from_step < 0; i++) {
        struct error damaged = {0};
        FREED char *path = restart_path(folder, step[i]);
        if (!path) return error_memory(e);
        status = resume_from(s, path, o, &damaged, e);
        if (damaged.code) status = 0;
        if (damaged.code && !*s->over.text) s->over = damaged;
    }
    s->resumed = true;
    return status;
}

int simulation_resume(sciara_simulation *s, const struct sciara_options *o, struct error *e)
{
    s->from_step = s->saved_step = -1;
    if (!o->from_state && !o->resume) return begin_as_planned(s, e);
    if (s->published)
        return error_input(e, "published arithmetic cannot resume: a state has no room for "
                              "its numbers; start from the first step");
    if (o->from_state && o->resume)
        return error_input(
            e, "from_state and resume: give one of them; resume finds the state itself");
    FREED_BY(loops_end) const struct loops before = simulation_loops(s);
    int status =
        o->from_state ? resume_from(s, o->from_state, o, e, e) : resume(s, o->resume, o, e);
    if (!status && s->from_step < 0) status = begin_as_planned(s, e);
    /* No output may overwrite the file of the state. */
    if (!status && o->from_state) case_note_input(&s->c, o->from_state);
    return status;
}

void simulation_forget_state(sciara_simulation *s)
{
    fields_free(&s->from);
    s->c.problem.from = NULL;
}

int64_t sciara_from_step(const sciara_simulation *s)
{
    return s->from_step;
}

const char *sciara_passed_over(const sciara_simulation *s)
{
    return s->over.text;
}

int64_t sciara_saved_step(const sciara_simulation *s)
{
    return s->saved_step;
}

int sciara_snapshot_save(sciara_snapshot *x, const char *path, struct sciara_error *e)
{
    struct error mine = {0};
    sciara_simulation *s = x->s;
    if (!path || !*path) error_input(&mine, "path: name a file for the state");
    else if (s->published)
        error_input(&mine, "published arithmetic cannot save a state: a state has no room for its "
                           "numbers; use exact arithmetic");
    else if (!snapshot_ready(x, &mine) && !output_spare(&s->c, path, &mine)) {
        struct restart r = simulation_about(s);
        FREED_BY(loops_end) const struct loops before = simulation_loops(s);
        restart_write(path, &r, &s->c, &x->f, &mine);
    }
    return mine.code ? return_error(e, &mine) : 0;
}
