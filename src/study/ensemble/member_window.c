#include "member_window.h"

#include "reference/reference.h"

enum {
    STEPS_MAX = 2147483646,
    BATCH = 500,  /* steps between two calls of stop() */
    MARGIN = 64,  /* cells of a new window around its lava, at least */
    NARROW = 16,  /* with less than that between lava and an edge, the window grows */
    FAR = 1 << 30 /* lava does not pass the edge of the domain */
};

int64_t member_last_step(const struct sim_case *c)
{
    return c->max_steps && c->max_steps < STEPS_MAX ? c->max_steps : STEPS_MAX;
}

/* ---- windows --------------------------------------------------------------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static struct window whole(const struct problem *p)
{
    return (struct window){0, 0, p->rows, p->cols};
}

/* In one direction: from `at` on, `count` of them. */
struct span {
    int at, count;
};

/* With room for the lava to become twice as long, on both sides, up to the edge of the domain. */
static struct span with_room(struct span s, int cells)
{
    const int room = most(MARGIN, s.count / 2);
    const int first = most(0, s.at - room), end = least(cells, s.at + s.count + room);
    return (struct span){first, end - first};
}

static struct span both(struct span a, struct span b)
{
    const int first = least(a.at, b.at), end = most(a.at + a.count, b.at + b.count);
    return (struct span){first, end - first};
}

/* A window around lava that reaches so far, all of the old one within it. Most of the domain is as
 * good as all of it. */
static struct window around(const struct problem *p, struct window reach, struct window old)
{
    const struct span row = both(with_room((struct span){reach.row0, reach.rows}, p->rows),
                                 (struct span){old.row0, old.rows});
    const struct span col = both(with_room((struct span){reach.col0, reach.cols}, p->cols),
                                 (struct span){old.col0, old.cols});
    if ((double)row.count * col.count > 0.5 * (double)p->rows * p->cols) return whole(p);
    return (struct window){row.at, col.at, row.count, col.count};
}

/* Lava that lies there at the beginning may be anywhere: such members take the whole domain. */
static struct window first_window(const struct problem *p)
{
    if (!p->vent_count || p->thickness_m || p->solid_m || p->full_domain) return whole(p);
    struct span row = {p->vents[0].row, 1}, col = {p->vents[0].col, 1};
    for (int v = 1; v < p->vent_count; v++) {
        row = both(row, (struct span){p->vents[v].row, 1});
        col = both(col, (struct span){p->vents[v].col, 1});
    }
    const struct window vents = {row.at, col.at, row.count, col.count};
    return around(p, vents, vents);
}

/* Cells between lava and the nearest edge of the window inside the domain: for this number of steps
 * all lava stays inside. */
static int room_of(const struct problem *p, struct window reach)
{
    const struct window *w = &p->window;
    const int south = w->row0 + w->rows, east = w->col0 + w->cols;
    int room = FAR;
    if (!reach.rows) return room;
    if (w->row0 > 0) room = least(room, reach.row0 - w->row0);
    if (w->col0 > 0) room = least(room, reach.col0 - w->col0);
    if (south < p->rows) room = least(room, south - (reach.row0 + reach.rows));
    if (east < p->cols) room = least(room, east - (reach.col0 + reach.cols));
    return room;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A simulation reads its problem for as long as it lives, so the next window has the other one. */
struct windowed {
    struct problem problem[2];
    int current;
    struct reference *m;
};

static int begin(struct windowed *x, const struct sim_case *c, struct error *e)
{
    const struct variant_options one = {.threads = 1};
    void *self;
    *x = (struct windowed){.problem = {c->problem, c->problem}};
    x->problem[0].window = first_window(&c->problem);
    int status = variant_reference.create(&self, &x->problem[0], &one, e);
    if (!status) x->m = self;
    return status;
}

/* How many steps can be made, in a larger window if need be. */
static int find_room(struct windowed *x, int *room, struct error *e)
{
    const struct problem *p = &x->problem[x->current];
    const struct window reach = reference_reach(x->m);
    *room = room_of(p, reach);
    if (*room >= NARROW) return 0;
    struct problem *wider = &x->problem[!x->current];
    wider->window = around(p, reach, p->window);
    int status = reference_widen(&x->m, wider, e);
    if (status) return status;
    x->current = !x->current;
    *room = room_of(wider, reach);
    return 0;
}

static int advance(struct windowed *x, int64_t last, struct variant_status *now,
                   bool (*stop)(const void *), const void *of, struct error *e)
{
    int status = 0, room;
    *now = (struct variant_status){.step = x->problem[0].first_step};
    while (!status && !now->stopped && now->step < last) {
        const int64_t left = last - now->step;
        if (stop && stop(of)) return error_cancelled(e);
        status = find_room(x, &room, e);
        const int steps = least(BATCH, room);
        if (!status) status = variant_reference.advance(x->m, left < steps ? left : steps, now, e);
    }
    return status;
}

int member_compute(const struct sim_case *c, struct problem *seen, struct fields *f,
                   struct variant_status *now, bool (*stop)(const void *), const void *of,
                   struct error *e)
{
    struct windowed x;
    *f = (struct fields){0};
    int status = begin(&x, c, e);
    if (status) return status;
    status = advance(&x, member_last_step(c), now, stop, of, e);
    *seen = x.problem[x.current];
    if (!status) status = fields_create(f, seen->window, e);
    if (!status) status = variant_reference.snapshot(x.m, f, e);
    if (!status) status = variant_reference.snapshot_wait(x.m, e);
    variant_reference.destroy(x.m);
    return status;
}
