/* held.c — windows that grow with the lava. held_advance() finds the number of steps for which the window has room, and
 * calls advance() of the variant. On a CPU this is reference_advance() in reference/reference.c. */
#include "held.h"

#include "base/loops.h"
#include "base/memory.h"

#include <stdlib.h>

const struct held_rule *held_usual(const struct variant *v)
{
    static const struct held_rule wide = {.whole = 1 << 20, .least = 256, .most = 1024},
                                  near = {.whole = 1 << 20, .least = 160, .most = 160, .part = 5};
    return v->widen ? &near : &wide;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* The number of cells between the edges of a new window and lava that is `length` cells long. */
static int margin(const struct held_rule *rule, int length)
{
    return int_most(rule->least, int_least(rule->most, length / 2));
}

static struct window grown(struct window w, int rows, int cols, const struct problem *p)
{
    const int row = int_most(0, w.row0 - rows), col = int_most(0, w.col0 - cols);
    return (struct window){row, col, int_least(p->rows, w.row0 + w.rows + rows) - row,
                           int_least(p->cols, w.col0 + w.cols + cols) - col};
}

/* The window with a margin around the reach of lava; the whole domain, if this window would have more than half of
 * the domain's cells. */
static struct window window_around(const struct held *h, struct window reach)
{
    const struct problem *p = &h->problem;
    const struct window w =
        grown(reach, margin(&h->rule, reach.rows), margin(&h->rule, reach.cols), p);
    return window_cells(w) > window_cells(problem_domain(p)) / 2 ? problem_domain(p) : w;
}

/* The smallest window around the cells of the domain with a value above 0. */
static struct window box_of(const double *value, const struct problem *p)
{
    struct window box = {0};
    for (int row = 0; value && row < p->rows; row++)
        for (int col = 0; col < p->cols; col++)
            if (value[(size_t)row * (size_t)p->cols + (size_t)col] > 0) window_add(&box, row, col);
    return box;
}

/* The smallest window around all vents and all cells where lava has been. */
static struct window lava_of(const struct problem *p)
{
    struct window w = window_of_both(box_of(p->thickness_m, p), box_of(p->solid_m, p));
    if (p->from) w = window_of_both(w, fields_reach(p->from));
    for (int v = 0; v < p->vent_count; v++) window_add(&w, p->vents[v].row, p->vents[v].col);
    return w.rows ? w : (struct window){0, 0, 1, 1};
}

static struct window first_window(const struct held *h)
{
    const struct problem *p = &h->problem;
    if (p->full_domain || !h->variant->reach || window_cells(problem_domain(p)) <= h->rule.whole)
        return problem_domain(p);
    return window_around(h, lava_of(p));
}

/* The number of cells between the lava and the nearer of two edges of the window: north and south,
 * or west and east. Edges of the domain do not count, since lava does not pass them. */
static int64_t room_of(int lava, int lava_count, int held, int held_count, int domain)
{
    const int before = held > 0 ? lava - held : INT32_MAX;
    const int end = held + held_count;
    return int_least(before, end < domain ? end - (lava + lava_count) : INT32_MAX);
}

/* ---- growing --------------------------------------------------------------------------------- */

static bool is_lazy(const struct held *h)
{
    return h->variant->lazy && h->variant->lazy(&h->problem);
}

/* Reads the terrain of a window and of the ring around it. A variant needs both. */
static int read_terrain(const struct held *h, struct window w, struct error *e)
{
    int status = h->keep ? h->keep(h->keep_of, w, e) : 0;
    if (status || is_lazy(h)) return status;
    return problem_read_terrain(&h->problem, grown(w, 1, 1, &h->problem), e);
}

/* ---- reading ahead --------------------------------------------------------------------------- */

/* Terrain for the next window, which a thread reads ahead. The thread ignores an error: it occurs
 * again when the terrain is needed. */
struct held_ahead {
    const struct problem *problem;
    struct window window;
    int threads;
    pthread_t thread;
};

static void *read_ahead(void *argument)
{
    const struct held_ahead *a = argument;
    struct error e;
    loops_limit(a->threads);
    problem_read_terrain(a->problem, a->window, &e);
    return NULL;
}

static void end_ahead(struct held *h)
{
    if (h->ahead) pthread_join(h->ahead->thread, NULL);
    free(h->ahead);
    h->ahead = NULL;
}

/* Starts a thread that reads terrain while a device makes steps. The thread reads on the sides where the window has
 * grown, because the window will probably grow there again. */
static void begin_ahead(struct held *h, struct window before)
{
    const struct problem *p = &h->problem;
    const struct window *w = &p->window;
    if (!p->terrain || is_lazy(h)) return;
    struct held_ahead *a = calloc(1, sizeof *a);
    if (!a) return;
    const int down = margin(&h->rule, w->rows), across = margin(&h->rule, w->cols),
              north = w->row0 < before.row0 ? down : 0, west = w->col0 < before.col0 ? across : 0,
              south = w->row0 + w->rows > before.row0 + before.rows ? down : 0,
              east = w->col0 + w->cols > before.col0 + before.cols ? across : 0;
    a->problem = p;
    a->threads = loops_threads();
    a->window = window_common(
        problem_domain(p), (struct window){w->row0 - north - 1, w->col0 - west - 1,
                                           w->rows + north + south + 2, w->cols + west + east + 2});
    if (loops_start_thread(&a->thread, NULL, read_ahead, a)) h->ahead = a;
    else free(a);
}

static int create_variant(struct held *h, const struct fields *from, struct error *e)
{
    struct problem *p = &h->problem;
    p->from = from;
    int status = h->variant->create(&h->self, p, &h->machine, e);
    p->from = NULL;
    if (status) h->self = NULL;
    h->room = window_equal(p->window, problem_domain(p)) ? INT64_MAX : 0;
    h->anew = h->moved;
    return status;
}

static void end_variant(struct held *h)
{
    end_ahead(h);
    if (h->self) h->variant->destroy(h->self);
    h->self = NULL;
    h->ms_before = h->now.device_ms;
}

/* Checks that the host has memory for a window and its state. A device refuses an array for which it has no memory, but
 * the host would grant the array. */
static int check_memory(const struct held *h, struct window w, struct error *e)
{
    const struct variant *v = h->variant;
    if (is_lazy(h)) return 0;
    const double cell = FIELDS_CELL_BYTES + (v->cuda ? 0.0 : (double)v->bytes_per_cell);
    const double need = cell * (double)window_cells(w) / 1073741824.0;
    const double had = v->cuda ? 0.0 : (double)held_memory(h);
    const double have = (memory_available() + had) / 1073741824.0;
    if (need <= have) return 0;
    return error_input(e,
                       "%d x %d cells need %.2f GiB of memory, %.2f GiB are free; use a coarser "
                       "terrain, or a machine with more memory",
                       w.rows, w.cols, need, have);
}

/* Reports an error. The text of an ERROR_INPUT also names the wider window as the cause. */
static int needs_more(const struct held *h, const struct error *why, struct error *e)
{
    if (why->code != ERROR_INPUT) return *e = *why, why->code;
    return error_input(
        e, "step %lld: lava needs a larger part of the domain, which cannot be computed: %.800s",
        (long long)h->now.step, why->text);
}

/* Begins the variant anew in the wider window. There may be too little memory for two windows, so
 * the old variant is destroyed before the new one is created. */
static int begin_wider(struct held *h, struct window before, struct error *e)
{
    const struct window wider = h->problem.window;
    FREED_BY(fields_free) struct fields f = {0};
    struct error why, other;
    h->problem.window = before;
    int status = held_snapshot(h, &f, e);
    if (!status) status = held_wait(h, e);
    if (!status) {
        end_variant(h);
        h->problem.window = wider;
        status = create_variant(h, &f, &why);
        if (status) {
            h->problem.window = before;
            create_variant(h, &f, &other);
            needs_more(h, &why, e);
        }
    }
    return status;
}

static int grow_window(struct held *h, struct window reach, struct error *e)
{
    const struct variant *v = h->variant;
    const struct window before = h->problem.window,
                        wider = window_of_both(window_around(h, reach), before);
    struct error why;
    int status = held_wait(h, e); /* waits for a snapshot that is under way */
    end_ahead(h);
    if (!status) status = read_terrain(h, wider, e);
    if (status) return status;
    if (check_memory(h, wider, &why)) return needs_more(h, &why, e);
    h->problem.window = wider;
    if (!v->widen || v->widen(h->self, before, &why) != 0) return begin_wider(h, before, e);
    begin_ahead(h, before);
    return 0;
}

/* Whether the room between lava and edges is less than 1/part of the margin. If the limit were the whole margin, the
 * window would grow too often. */
static bool is_narrow(const struct held *h, int64_t rows, int64_t cols, struct window reach)
{
    const int part = h->rule.part ? h->rule.part : 2;
    return rows < 1 + margin(&h->rule, reach.rows) / part ||
           cols < 1 + margin(&h->rule, reach.cols) / part;
}

/* Finds the number of steps for which the window has room. Widens the window first if the room is
 * narrow. */
static int find_room(struct held *h, struct error *e)
{
    const struct problem *p = &h->problem;
    struct window reach;
    int status = h->variant->reach(h->self, &reach, e);
    for (int wider = 0; !status; wider++) {
        const struct window *w = &p->window;
        const int64_t rows = room_of(reach.row0, reach.rows, w->row0, w->rows, p->rows),
                      cols = room_of(reach.col0, reach.cols, w->col0, w->cols, p->cols);
        h->room = reach.rows == 0 ? INT64_MAX : rows < cols ? rows : cols;
        if (reach.rows == 0 || wider || !is_narrow(h, rows, cols, reach)) break;
        status = grow_window(h, reach, e);
    }
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static int ended(struct error *e)
{
    return error_failed(e, "the simulation has ended with an error");
}

int held_advance(struct held *h, int64_t steps, struct variant_status *status, struct error *e)
{
    int code = 0;
    if (!h->self) return ended(e);
    do {
        struct variant_status now = h->now;
        if (steps > 0 && h->room == 0) code = find_room(h, e);
        const int64_t n = steps < h->room ? steps : h->room;
        if (!code) code = h->variant->advance(h->self, n, &now, e);
        if (code) {
            h->now.step = now.step;
            break;
        }
        /* a variant that began anew has no result of the last reduction */
        const int64_t every = h->problem.reduce_every;
        h->anew = h->anew && now.step / every == h->now.step / every;
        if (h->anew) now.mobile = h->now.mobile;
        h->moved = true;
        now.device_ms += h->ms_before;
        h->now = now;
        if (h->room < INT64_MAX) h->room -= n;
        steps -= n;
    } while (steps > 0 && !h->now.stopped);
    if (status) *status = h->now;
    return code;
}

int held_room(const struct held *h, struct fields *f, struct error *e)
{
    const struct window w = h->problem.window;
    return is_lazy(h) ? fields_create_empty(f, w, e) : fields_create(f, w, e);
}

int held_snapshot(struct held *h, struct fields *f, struct error *e)
{
    if (!h->self) return ended(e);
    if (!f->arrival || !window_equal(f->window, h->problem.window) || (f->there && !is_lazy(h))) {
        fields_free(f);
        int status = held_room(h, f, e);
        if (status) return status;
    }
    return h->variant->snapshot(h->self, f, e);
}

int held_wait(struct held *h, struct error *e)
{
    return h->self ? h->variant->snapshot_wait(h->self, e) : 0;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

int held_create(struct held **out, const struct variant *v, const struct problem *p,
                const struct variant_options *o, const struct held_rule *rule, struct error *e)
{
    struct held *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!h) return error_memory(e);
    *h = (struct held){.variant = v, .rule = *rule, .problem = *p};
    if (o) h->machine = *o;
    h->now.step = fields_begin(p);
    h->problem.window = first_window(h);
    int status = check_memory(h, h->problem.window, e);
    if (!status) status = read_terrain(h, h->problem.window, e);
    if (!status) status = create_variant(h, p->from, e);
    if (status) held_destroy(h);
    else *out = h;
    return status;
}

int held_restart(struct held *h, const struct fields *f, const double *elevation_m, struct error *e)
{
    end_variant(h);
    h->problem.elevation_m = elevation_m;
    h->problem.terrain = NULL; /* elevation_m has the terrain of the whole domain */
    return create_variant(h, f, e);
}

size_t held_memory(const struct held *h)
{
    return h->self && h->variant->memory ? h->variant->memory(h->self) : 0;
}

void held_destroy(struct held *h)
{
    if (!h) return;
    end_variant(h);
    free(h);
}
