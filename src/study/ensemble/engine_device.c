/* engine_device.c — a thread that has members computed by a device. It keeps the lanes of a batch
 * (batch.h) full: while the device computes what is on one, what came back on another is added.
 * Members that the device cannot take, or that outgrow what it has, are computed by fewer blocks,
 * which have more memory each, and at last by the reference. */
#include "engine_parts.h"

#include "base/loops.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>

/* What a lane carries. */
struct load {
    int count;
    int64_t *number;
    struct ensemble_member *member;
};

/* Members of a launch are safe when all of it has ended, and of all work no more than a minute may
 * be lost: that long it may take, once it is known how many that are. */
static const double LAUNCH_S = 10;
enum { FIRST_LAUNCH = 4 }; /* times those that are computed at once */

struct numbers {
    int count;
    int64_t *number;
};

struct worker {
    struct engine *g;
    int number;
    struct batch *batch;
    int most; /* members of a launch */
    struct load lane[BATCH_LANES];
    struct batch_job *job;
    struct batch_outcome *outcome;
    struct numbers larger, others; /* that outgrew their share; for the reference */
    struct engine_counts counts;
    int64_t members;       /* delivered */
    double began_s, per_s; /* members a second that came back, since then */
    int64_t received;
    struct outcome_room room;
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* The batch to who may want to stop it. */
static void show(struct worker *w, struct batch *batch)
{
    pthread_mutex_lock(&w->g->lock);
    w->g->batch[w->number] = batch;
    if (batch && engine_stopping(w->g)) batch_stop(batch);
    pthread_mutex_unlock(&w->g->lock);
}

static int open_worker(struct worker *w, int device, struct error *e)
{
    const struct ensemble *s = w->g->s;
    const struct batch_setup setup = {.base = &s->source->base->problem,
                                      .outline = s->outline,
                                      .thickness_m = &s->thickness_m,
                                      .arrival_s = &s->arrival_s,
                                      .device = device};
    int status = batch_create(&w->batch, &setup, e);
    if (status) return status;
    show(w, w->batch);
    w->most = batch_members_at_most(w->batch);
    const size_t most = (size_t)w->most;
    bool whole = (w->job = malloc(most * sizeof *w->job)) != NULL &&
                 (w->outcome = malloc(most * sizeof *w->outcome)) != NULL;
    for (int i = 0; i < BATCH_LANES; i++) {
        struct load *l = &w->lane[i];
        l->number = malloc(most * sizeof *l->number);
        l->member = calloc(most, sizeof *l->member);
        whole = whole && l->number && l->member;
    }
    if (!whole) return error_memory(e);
    return outcome_room_create(&w->room, s, e);
}

static void release(struct worker *w, struct load *l)
{
    const struct ensemble_source *source = w->g->s->source;
    for (int i = 0; i < l->count; i++) source->release(source->of, &l->member[i]);
    l->count = 0;
}

static void close_worker(struct worker *w)
{
    show(w, NULL);
    batch_destroy(w->batch);
    for (int i = 0; i < BATCH_LANES; i++) {
        release(w, &w->lane[i]);
        free(w->lane[i].number);
        free(w->lane[i].member);
    }
    free(w->job);
    free(w->outcome);
    free(w->larger.number);
    free(w->others.number);
    outcome_room_free(&w->room);
}

static int note(struct numbers *list, int64_t number, struct error *e)
{
    int64_t *more = grow(list->number, list->count, sizeof *more);
    if (!more) return error_memory(e);
    list->number = more;
    more[list->count++] = number;
    return 0;
}

/* ---- to the device --------------------------------------------------------------------------- */

static int launch_most(const struct worker *w, int at_once)
{
    const double fit = w->per_s > 0 ? LAUNCH_S * w->per_s : FIRST_LAUNCH * (double)at_once;
    const int least = at_once < w->most ? at_once : w->most;
    return fit < least ? least : fit < w->most ? (int)fit : w->most;
}

/* Of the members that are left a part, so that several devices end together. Where none can be had
 * now and nothing is under way here, others have to deliver first. */
static int choose(struct worker *w, int64_t *number, bool under_way)
{
    struct engine *g = w->g;
    const int least = batch_blocks_at_once(w->batch), most = launch_most(w, least);
    pthread_mutex_lock(&g->lock);
    int count;
    do {
        const int64_t part = (g->count - g->next) / (3 * g->threads) + 1;
        const int wanted = part < least ? least : part < most ? (int)part : most;
        count = g->o->feed ? engine_fetch(g, number, least, most)
                           : engine_next(g, number, wanted < most ? wanted : most, 2 * w->most);
    } while (!count && !under_way && !g->o->feed && engine_wait(g));
    pthread_mutex_unlock(&g->lock);
    return count;
}

/* Members with these numbers onto a lane. Those that are not for the device are put aside. */
static int send(struct worker *w, int lane, const int64_t *number, int count, int blocks,
                struct error *e)
{
    const struct ensemble_source *source = w->g->s->source;
    struct load *l = &w->lane[lane];
    for (int i = 0; i < count; i++) {
        struct ensemble_member *m = &l->member[l->count];
        int status = (source->create_flat ? source->create_flat : source->create)(source->of,
                                                                                  number[i], m, e);
        if (status) return member_name(number[i], status, e);
        const struct batch_job job = {&m->c->problem, m->error, member_last_step(m->c)};
        const bool takes = batch_takes(w->batch, &job) && !member_check(w->g->s, m->c, NULL);
        if (!takes) {
            source->release(source->of, m);
            status = note(&w->others, number[i], e);
            if (status) return status;
            continue;
        }
        w->job[l->count] = job;
        l->number[l->count++] = number[i];
    }
    return l->count ? batch_begin(w->batch, lane, w->job, l->count, blocks, e) : 0;
}

/* ---- and back -------------------------------------------------------------------------------- */

static int deliver(struct worker *w, struct contribution *c, struct error *e)
{
    struct engine *g = w->g;
    pthread_mutex_lock(&g->lock);
    int status = engine_deliver(g, c, e);
    pthread_mutex_unlock(&g->lock);
    w->members += !status;
    return status;
}

static int accept(struct worker *w, struct load *l, int i, struct error *e)
{
    struct batch_outcome *o = &w->outcome[i];
    struct contribution c;
    if (o->fate == BATCH_NOT_BEGUN) return 0;
    if (o->fate != BATCH_COMPUTED) return note(&w->larger, l->number[i], e);
    if (o->max_thickness_m > THICKNESS_MAX_M) { /* let the reference say so */
        free(o->cell);
        o->cell = NULL;
        return note(&w->others, l->number[i], e);
    }
    w->counts.updates += o->updates;
    int status = member_of_outcome(w->g->s, l->number[i], &l->member[i], o, &w->room, &c, e);
    return status ? status : deliver(w, &c, e);
}

/* What comes back on a lane. */
static int receive(struct worker *w, int lane, struct error *e)
{
    struct load *l = &w->lane[lane];
    if (!l->count) return 0;
    int status = batch_end(w->batch, lane, w->outcome, e);
    w->received += l->count;
    w->per_s = (double)w->received / fmax(clock_now_s() - w->began_s, 1e-6);
    for (int i = 0; !status && i < l->count; i++) {
        status = accept(w, l, i, e);
        for (int k = i + 1; status && k < l->count; k++) free(w->outcome[k].cell);
    }
    release(w, l);
    return status;
}

/* ---- the life of the thread ------------------------------------------------------------------ */

static bool is_busy(const struct worker *w)
{
    bool busy = false;
    for (int i = 0; i < BATCH_LANES; i++) busy = busy || w->lane[i].count;
    return busy;
}

/* Until nobody has members left, or all are to stop. */
static int compute_all(struct worker *w, struct error *e)
{
    int64_t *number = malloc((size_t)w->most * sizeof *number);
    int status = number ? 0 : error_memory(e);
    bool more = true;
    w->began_s = clock_now_s();
    for (int lane = 0; !status && more; lane = (lane + 1) % BATCH_LANES) {
        status = receive(w, lane, e);
        const int count = status ? 0 : choose(w, number, is_busy(w));
        if (count) status = send(w, lane, number, count, 0, e);
        more = count || is_busy(w);
    }
    free(number);
    return status;
}

/* Those that outgrew their share, by an eighth of the blocks with shares eight times as large, and
 * so on; what one block alone has no memory for is left to the reference. */
static int compute_larger(struct worker *w, struct error *e)
{
    int status = 0;
    for (int blocks = batch_blocks_at_once(w->batch); !status && w->larger.count && blocks > 1;) {
        struct numbers list = w->larger;
        w->larger = (struct numbers){0};
        w->counts.larger += list.count;
        blocks = (blocks + 7) / 8;
        const int each = 4 * blocks < w->most ? 4 * blocks : w->most;
        for (int i = 0; !status && i < list.count && !engine_stopping(w->g); i += each) {
            const int left = list.count - i;
            status = send(w, 0, list.number + i, left < each ? left : each, blocks, e);
            if (!status) status = receive(w, 0, e);
        }
        free(list.number);
    }
    for (int i = 0; !status && i < w->larger.count; i++)
        status = note(&w->others, w->larger.number[i], e);
    return status;
}

static int compute_others(struct worker *w, struct error *e)
{
    int status = 0;
    for (int i = 0; !status && i < w->others.count && !engine_stopping(w->g); i++) {
        struct contribution c;
        status = member_run(w->g->s, w->others.number[i], engine_stopping, w->g, &c, e);
        if (!status) status = deliver(w, &c, e);
        w->counts.reference++;
    }
    return status;
}

/* While the lock is held. */
static void count_up(struct engine_counts *all, const struct worker *w)
{
    if (!all) return;
    all->updates += w->counts.updates;
    all->larger += w->counts.larger;
    all->reference += w->counts.reference;
    all->members[w->number] = w->members;
    all->idle_s[w->number] = clock_now_s(); /* its end, until all have ended */
}

void *engine_work_on_device(void *device)
{
    struct engine_device *d = device;
    struct engine *g = d->engine;
    struct worker w = {.g = g, .number = d->number};
    struct error e = {0};
    loops_limit(0); /* of statistics_add() */
    int status = open_worker(&w, d->device, &e);
    if (!status) status = compute_all(&w, &e);
    if (!status) status = compute_larger(&w, &e);
    if (!status) status = compute_others(&w, &e);
    close_worker(&w);
    pthread_mutex_lock(&g->lock);
    engine_fail(g, status, &e);
    count_up(g->o->counts, &w);
    g->running--;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}
