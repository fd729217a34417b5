/* pairs_run.c — pairs in rounds: the next members with, then the same without, and when both are
 * there they are added pair by pair. Each side is an ensemble of its own, so that a device has its
 * terrain once. */
#include "pairs.h"

#include "ensemble/engine_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a round takes, about: what is lost when a process is killed. */
static const double ROUND_S = 20;
enum { PER_THREAD = 4, PER_DEVICE = 1024, GROWTH = 8, LISTS_MAX = 512 << 20 };

/* What a member did. */
struct half {
    struct member_result result;
    struct reached *cell, *thing;
    size_t cells, things;
};

struct round {
    struct pairs *x;
    const struct pairs_engine *how;
    int64_t first, count; /* pairs */
    int side;
    struct half *half[PAIR_SIDES];
    size_t bytes;
    int64_t begun_with;
    double began_s;
    bool stopped;
};

/* ---- members of a round ---------------------------------------------------------------------- */

/* A source counts its members from 0. */
struct part {
    const struct ensemble_source *inner;
    int64_t first;
};

static int create(const void *of, int64_t number, struct ensemble_member *m, struct error *e)
{
    const struct part *p = of;
    return p->inner->create(p->inner->of, p->first + number, m, e);
}

static int create_flat(const void *of, int64_t number, struct ensemble_member *m, struct error *e)
{
    const struct part *p = of;
    return p->inner->create_flat(p->inner->of, p->first + number, m, e);
}

static void release(const void *of, struct ensemble_member *m)
{
    const struct part *p = of;
    p->inner->release(p->inner->of, m);
}

static double cost(const void *of, int64_t number)
{
    const struct part *p = of;
    return p->inner->cost(p->inner->of, p->first + number);
}

static struct reached *copy(const struct reached *list, size_t count)
{
    struct reached *mine = malloc((count + 1) * sizeof *mine);
    if (mine && count) memcpy(mine, list, count * sizeof *mine);
    return mine;
}

static int look(void *of, const struct contribution *c, struct error *e)
{
    struct round *r = of;
    struct half *h = &r->half[r->side][c->number];
    h->result = c->result;
    h->result.notice = NULL;
    h->result.drawn = NULL;
    h->cells = c->cells;
    h->things = c->things;
    h->cell = copy(c->cell, c->cells);
    h->thing = copy(c->thing, c->things);
    r->bytes += c->cells * sizeof *h->cell;
    if (r->side == PAIR_WITH && c->result.drawn) h->result.drawn = strdup(c->result.drawn);
    return h->cell && h->thing ? 0 : error_memory(e);
}

/* ---- a round --------------------------------------------------------------------------------- */

static void round_free(struct round *r)
{
    for (int side = 0; side < PAIR_SIDES; side++) {
        for (int64_t i = 0; r->half[side] && i < r->count; i++) {
            free(r->half[side][i].cell);
            free(r->half[side][i].thing);
            free(r->half[side][i].result.drawn);
        }
        free(r->half[side]);
        r->half[side] = NULL;
    }
}

static bool tell(const struct engine_progress *now, void *user)
{
    struct round *r = user;
    struct engine_progress all = *now;
    all.done = 2 * r->x->done + r->side * r->count + now->done;
    all.all = 2 * r->x->count;
    all.begun_with = r->begun_with;
    all.elapsed_s = engine_now_s() - r->began_s;
    all.error = 0;
    r->stopped = r->how->tell(&all, r->how->user);
    return r->stopped;
}

static int run_engine(struct round *r, struct ensemble *s, int threads, struct error *e)
{
    const struct pairs_engine *how = r->how;
    const struct engine_options o = {.threads = threads,
                                     .device = how->device,
                                     .device_count = how->device_count,
                                     .batch = 1,
                                     .tell = how->tell ? tell : NULL,
                                     .user = r,
                                     .counts = &r->x->counts};
    enum engine_end end;
    s->look = look;
    s->look_of = r;
    s->uncounted = true;
    int status = engine_run(s, &o, &end, e);
    r->stopped = r->stopped || end == ENGINE_STOPPED;
    return status;
}

static int run_side(struct round *r, struct error *e)
{
    const struct part part = {&r->x->supply[r->side].source, r->first};
    struct ensemble_source source = *part.inner;
    struct ensemble s = {0};
    size_t bytes;
    int threads = r->how->threads;
    source.of = &part;
    source.count = r->count;
    source.create = create;
    source.create_flat = create_flat;
    source.release = release;
    source.cost = cost;
    if (!(r->half[r->side] = calloc((size_t)r->count, sizeof *r->half[r->side])))
        return error_memory(e);
    int status = engine_plan_memory(&source, 1, &threads, &bytes, e);
    if (!status) status = ensemble_create(&s, &source, (struct shard){1, 1}, bytes, e);
    if (!status) status = run_engine(r, &s, threads, e);
    ensemble_free(&s);
    return status;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void keep(struct pair_result *to, int side, const struct half *h)
{
    to->weight = h->result.weight;
    to->of[side].digest = h->result.digest;
    to->of[side].cells = h->result.cells;
    to->of[side].runout_m = h->result.runout_m;
    to->of[side].max_thickness_m = h->result.max_thickness_m;
    to->of[side].off_terrain = member_off_terrain(&h->result);
    to->of[side].into_sea = h->result.into_sea;
}

static int add_pair(struct pairs *x, struct half *with, struct half *without, struct error *e)
{
    const uint64_t weight = with->result.weight;
    int status = pair_sums_add(&x->things, weight, (struct pair_reached){with->thing, with->things},
                               (struct pair_reached){without->thing, without->things}, e);
    if (!status)
        status = pair_sums_add(&x->cells, weight, (struct pair_reached){with->cell, with->cells},
                               (struct pair_reached){without->cell, without->cells}, e);
    if (status) return status;
    struct pair_result *to = &x->result[x->done++];
    keep(to, PAIR_WITH, with);
    keep(to, PAIR_WITHOUT, without);
    to->drawn = with->result.drawn;
    with->result.drawn = NULL;
    return 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Pairs of the next round, by what the last one took. */
static int64_t next_round(const struct round *r, double took_s)
{
    const double last = (double)r->count;
    const int at_once =
        r->how->device_count ? PER_DEVICE * r->how->device_count : PER_THREAD * r->how->threads;
    double pairs = at_once;
    if (last > 0) {
        pairs = fmin(GROWTH * last, last * ROUND_S / fmax(took_s, 1e-3));
        if (pairs * (double)r->bytes / last > LISTS_MAX)
            pairs = LISTS_MAX / ((double)r->bytes / last);
    }
    const int64_t left = r->x->count - r->x->done;
    return pairs < 1 ? 1 : pairs < (double)left ? (int64_t)pairs : left;
}

static int make_round(struct round *r, struct error *e)
{
    int status = 0;
    r->bytes = 0;
    r->first = r->x->done;
    for (r->side = 0; r->side < PAIR_SIDES && !status && !r->stopped; r->side++) {
        status = run_side(r, e);
        if (r->stopped) break;
    }
    for (int64_t i = 0; i < r->count && !status && !r->stopped; i++)
        status = add_pair(r->x, &r->half[PAIR_WITH][i], &r->half[PAIR_WITHOUT][i], e);
    round_free(r);
    return status;
}

int pairs_compute(struct pairs *x, const struct pairs_engine *how, const char *state, bool resume,
                  bool *stopped, struct error *e)
{
    struct round r = {.x = x, .how = how, .began_s = engine_now_s()};
    double took_s = 0;
    int status =
        resume && state && !access(state, F_OK) ? state_read(&pairs_state, x, state, e) : 0;
    r.begun_with = 2 * x->done;
    while (!status && !r.stopped && x->done < x->count) {
        const double began_s = engine_now_s();
        r.count = next_round(&r, took_s);
        status = make_round(&r, e);
        if (!status && !r.stopped && state) status = state_write(&pairs_state, x, state, e);
        took_s = engine_now_s() - began_s;
    }
    *stopped = r.stopped;
    return status;
}
