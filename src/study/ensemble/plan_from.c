/* plan_from.c — the state of a run that all members of a plan begin with: what has happened until then is
 * known, and what members draw counts from then on. */
#include "plan.h"

#include "case/case_notes.h"
#include "case/changes.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>

/* Vents, rates and parameters may be others, but not where they count from. */
static int check_fits(const struct plan *p, struct error *e)
{
    const struct plan_state *s = p->from;
    struct identity now;
    char text[IDENTITY_TEXT];
    int status = identity_of(&now, &p->base, s->about.identity.window, e);
    if (status || identity_differ(&s->about.identity, &now, text) == IDENTITY_SAME_TERRAIN)
        return status;
    return error_input(e,
                       "%s: is a state of another case: %s differs in %s; give a state of a run on "
                       "this terrain, with this Pclock",
                       s->path, p->base.path, text);
}

/* As if the change had been made in the run: beyond the window of the state. */
static int change_beyond(struct plan *p, const struct change *x, double *ground, struct error *e)
{
    struct fields none = {0};
    struct sim_case *c = &p->base;
    int status = change_make(x, &none, &c->problem, ground, e);
    if (!status)
        memcpy(c->elevation_m, ground, window_cells(problem_domain(&c->problem)) * sizeof *ground);
    return status;
}

/* The terrain of the case becomes that of the state; what has been made is past. */
static int take_ground(struct plan *p, struct error *e)
{
    struct sim_case *c = &p->base;
    const struct fields *f = &p->from->f;
    const struct window domain = problem_domain(&c->problem);
    const size_t cells = window_cells(domain);
    const int made = changes_next(c, f->step);
    if (!made && !f->ground.raised && !f->ground.lowered && !plan_terrain_errs(p)) return 0;
    double *ground = NULL;
    int status = plan_read_whole(c, e);
    if (!status && !(ground = malloc(cells * sizeof *ground))) status = error_memory(e);
    for (int i = 0; i < made && !status && !window_equal(f->window, domain); i++)
        status = change_beyond(p, &c->change[i], ground, e);
    if (!status && ground_of(f, &c->problem, ground))
        memcpy(c->elevation_m, ground, cells * sizeof *ground);
    free(ground);
    changes_drop(c, made);
    return status;
}

static int check_ledger(const struct plan *p, struct error *e)
{
    struct ledger ledger;
    struct error why;
    if (!fields_ledger(&ledger, &p->from->f, &p->base.problem, &why)) return 0;
    return error_input(e, "%s: not a state of this terrain: %.800s", p->from->path, why.text);
}

static int take(struct plan *p, struct error *e)
{
    struct plan_state *s = p->from;
    int status = restart_read(&s->about, &s->f, s->path, e);
    if (status) return status;
    case_note_input(&p->base, s->path);
    status = check_fits(p, e);
    if (!status && s->f.step < p->base.problem.first_step)
        status = error_input(e, "%s: is a state before the case begins", s->path);
    if (!status) status = take_ground(p, e);
    return status ? status : check_ledger(p, e);
}

int plan_take_state(struct plan *p, const char *given, struct error *e)
{
    const char *name = given ? given : p->keys.from_state;
    if (!name) return 0;
    if (!(p->from = calloc(1, sizeof *p->from))) return error_memory(e);
    p->from->path = given ? text_format("%s", given) : path_beside(p->base.path, name);
    if (!p->from->path) return error_memory(e);
    int status = take(p, e);
    if (!status) p->base.problem.from = &p->from->f;
    return status;
}

void plan_state_free(struct plan_state *s)
{
    if (!s) return;
    fields_free(&s->f);
    restart_free(&s->about);
    free(s->path);
    free(s);
}
