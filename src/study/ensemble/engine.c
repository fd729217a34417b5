#include "engine_parts.h"

#include "base/loops.h"
#include "base/memory.h"
#include "sim/variant.h"
#include "ensemble_state.h"
#include "text/grow.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AHEAD_PER_THREAD = 4 };

/* ---- which members, in which order ----------------------------------------------------------- */

struct costed {
    double cost;
    int64_t number;
};

static int dearest_first(const void *a, const void *b)
{
    const struct costed *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static int sort_by_cost(const struct ensemble_source *source, int64_t *number, int64_t count,
                        struct error *e)
{
    struct costed *list = malloc((size_t)(count ? count : 1) * sizeof *list);
    if (!list) return error_memory(e);
    for (int64_t i = 0; i < count; i++)
        list[i] = (struct costed){source->cost(source->of, number[i]), number[i]};
    qsort(list, (size_t)count, sizeof *list, dearest_first);
    for (int64_t i = 0; i < count; i++) number[i] = list[i].number;
    free(list);
    return 0;
}

int engine_order(const struct ensemble *s, int64_t **number, int64_t *count, struct error *e)
{
    const struct ensemble_source *source = s->source;
    int64_t *order = malloc((size_t)(source->count ? source->count : 1) * sizeof *order);
    *number = order;
    *count = 0;
    if (!order) return error_memory(e);
    for (int64_t i = 0; i < source->count; i++)
        if (ensemble_is_mine(s, i) && !s->result[i].done) order[(*count)++] = i;
    /* With a boundary those below it come first. */
    return source->cost && !s->until_error ? sort_by_cost(source, order, *count, e) : 0;
}

int64_t engine_boundary(int64_t n, int64_t count)
{
    int64_t b = 0;
    while (b <= n) b += b / 8 > 64 ? b / 8 : 64;
    return b < count ? b : count;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static int keep(struct contributions *list, struct contribution *c, struct error *e)
{
    struct contribution *more = grow(list->item, list->count, sizeof *more);
    if (!more) return error_memory(e);
    list->item = more;
    more[list->count++] = *c;
    *c = (struct contribution){0};
    return 0;
}

static void drop(struct contributions *list)
{
    for (int i = 0; i < list->count; i++) contribution_free(&list->item[i]);
    free(list->item);
    *list = (struct contributions){0};
}

static int add_ready(struct engine *g, struct error *e)
{
    int status = ensemble_add_all(g->s, g->ready.item, g->ready.count, e);
    drop(&g->ready);
    return status;
}

void engine_stop(struct engine *g)
{
    atomic_store(&g->stop, true);
    for (int i = 0; i < ENGINE_DEVICES_MAX; i++)
        if (g->batch[i]) batch_stop(g->batch[i]);
    pthread_cond_broadcast(&g->changed);
}

/* All members below the boundary are done: enough, or on to the next one, with those that wait. */
static int pass_boundary(struct engine *g, struct error *e)
{
    struct contributions ahead = g->ahead;
    int status = 0;
    if (ensemble_cautious_error(g->s) < g->s->until_error) {
        g->sure = true;
        engine_stop(g);
        return 0;
    }
    g->boundary = engine_boundary(g->boundary, g->s->source->count);
    g->ahead = (struct contributions){0};
    for (int i = 0; i < ahead.count; i++) {
        struct contribution *c = &ahead.item[i];
        if (!status) status = keep(c->number < g->boundary ? &g->ready : &g->ahead, c, e);
    }
    drop(&ahead);
    pthread_cond_broadcast(&g->changed);
    return status;
}

/* While the lock is held. */
int engine_deliver(struct engine *g, struct contribution *c, struct error *e)
{
    const int64_t count = g->s->source->count;
    int status = keep(c->number < g->boundary ? &g->ready : &g->ahead, c, e);
    if (!status && g->ready.count >= g->o->batch) status = add_ready(g, e);
    if (!g->s->until_error) return status;
    while (!status && !g->sure && g->s->done + g->ready.count == g->boundary) {
        status = add_ready(g, e);
        if (g->boundary == count) break;
        if (!status) status = pass_boundary(g, e);
    }
    return status;
}

/* ---- threads --------------------------------------------------------------------------------- */

bool engine_stopping(const void *engine)
{
    return atomic_load_explicit(&((const struct engine *)engine)->stop, memory_order_relaxed);
}

void engine_fail(struct engine *g, int status, const struct error *e)
{
    if (!status || (status == ERROR_CANCELLED && engine_stopping(g))) return;
    if (!g->status) {
        g->status = status;
        g->error = *e;
    }
    engine_stop(g);
}

/* Until something changes, at most so long. The clock of the day may be set back meanwhile. */
static void rest(struct engine *g, double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += (long)(1e9 * seconds);
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&g->changed, &g->lock, &t);
}

int engine_fetch(struct engine *g, int64_t *number, int at_once, int most)
{
    const struct engine_feed *f = g->o->feed;
    int count = -1;
    while (!engine_stopping(g) && (count = f->next(f->user, number, at_once, most)) < 0)
        rest(g, 0.001);
    return count < 0 ? 0 : count;
}

/* The next member, -1: none. Not too many at once wait beyond a boundary. */
static int64_t next_member(struct engine *g)
{
    int64_t number;
    if (g->o->feed) return engine_fetch(g, &number, g->threads, 1) ? number : -1;
    while (!engine_stopping(g) && g->ahead.count >= AHEAD_PER_THREAD * g->threads &&
           g->next < g->count && g->order[g->next] >= g->boundary)
        pthread_cond_wait(&g->changed, &g->lock);
    return !engine_stopping(g) && g->next < g->count ? g->order[g->next++] : -1;
}

int engine_next(struct engine *g, int64_t *number, int most, int ahead)
{
    int count = 0;
    while (count < most && !engine_stopping(g) && g->next < g->count &&
           (g->order[g->next] < g->boundary || g->ahead.count + count < ahead))
        number[count++] = g->order[g->next++];
    return count;
}

bool engine_wait(struct engine *g)
{
    if (engine_stopping(g) || g->next == g->count) return false;
    pthread_cond_wait(&g->changed, &g->lock);
    return true;
}

static void *work(void *engine)
{
    struct engine *g = engine;
    loops_limit(1);
    pthread_mutex_lock(&g->lock);
    for (int64_t number; (number = next_member(g)) >= 0;) {
        struct contribution c;
        struct error e = {0};
        pthread_mutex_unlock(&g->lock);
        int status = member_run(g->s, number, engine_stopping, g, &c, &e);
        pthread_mutex_lock(&g->lock);
        if (!status) status = engine_deliver(g, &c, &e);
        engine_fail(g, status, &e);
    }
    g->running--;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* ---- the caller's thread --------------------------------------------------------------------- */

struct watching {
    struct study_progress now;
    double began_s, saved_s, looked_s, look_took_s;
};

/* Looking at all cells takes a while: it shall not take more than some per cent of the time. */
static void look(struct engine *g, struct watching *w)
{
    const double time_s = clock_now_s();
    w->now.done = g->s->done + g->ready.count;
    w->now.elapsed_s = time_s - w->began_s;
    if (g->o->feed || time_s - w->looked_s < 1 + 50 * w->look_took_s) return; /* (has a part) */
    w->now.error = ensemble_worst_error(g->s);
    w->looked_s = clock_now_s();
    w->look_took_s = w->looked_s - time_s;
}

/* While the lock is held; but nobody waits for it while the caller is told. */
static void progress(struct engine *g, struct watching *w)
{
    bool save = clock_now_s() - w->saved_s >= g->o->checkpoint_s;
    if (g->o->tell) {
        look(g, w);
        pthread_mutex_unlock(&g->lock);
        const bool stop = g->o->tell(&w->now, g->o->user);
        pthread_mutex_lock(&g->lock);
        /* At once: who asks a process to end may not wait for the members under way. */
        save = save || (stop && !engine_stopping(g));
        if (stop) engine_stop(g);
    }
    if (!g->o->state || !save || !(g->s->done + g->ready.count)) return;
    struct error e = {0};
    int status = add_ready(g, &e);
    if (!status) status = state_write(&ensemble_state, g->s, g->o->state, &e);
    engine_fail(g, status, &e);
    w->saved_s = clock_now_s();
}

/* One for each device. */
static int begin_devices(struct engine *g, pthread_t *thread, struct engine_device *device,
                         struct error *e)
{
    for (int t = 0; t < g->o->device_count; t++) {
        device[t] = (struct engine_device){g, t, g->o->device[t]};
        if (!loops_start_thread(&thread[t], NULL, engine_work_on_device, &device[t])) break;
        g->threads = ++g->running;
    }
    return g->threads ? 0 : error_failed(e, "no thread can be begun (ulimit -u)");
}

/* At least one thread, or the error. */
static int begin_threads(struct engine *g, pthread_t *thread, struct error *e)
{
    for (int t = 0; t < g->o->threads && (t < g->count || g->o->feed); t++) {
        if (!loops_start_thread(&thread[t], NULL, work, g)) break;
        g->threads = ++g->running;
    }
    return g->threads || !(g->count || g->o->feed)
               ? 0
               : error_failed(e, "no thread can be begun (ulimit -u)");
}

/* From when they ended to how long they then waited. */
static void measure_idle(struct engine *g)
{
    struct engine_counts *c = g->o->counts;
    double last_s = 0;
    for (int t = 0; c && t < g->o->device_count; t++) last_s = fmax(last_s, c->idle_s[t]);
    for (int t = 0; c && t < g->o->device_count; t++)
        c->idle_s[t] = c->idle_s[t] > 0 ? last_s - c->idle_s[t] : 0;
}

static int compute(struct engine *g, struct error *e)
{
    struct watching w = {.began_s = clock_now_s()};
    struct engine_device device[ENGINE_DEVICES_MAX];
    const int most = g->o->device_count ? g->o->device_count : g->o->threads;
    pthread_t *thread = malloc((size_t)most * sizeof *thread);
    if (!thread) return error_memory(e);
    w.saved_s = w.began_s;
    w.now.stage = "members";
    w.now.best = w.now.tolerance = NAN;
    w.now.all = ensemble_share(g->s);
    w.now.begun_with = g->s->done;
    pthread_mutex_lock(&g->lock);
    int status = g->o->device_count && (g->count || g->o->feed)
                     ? begin_devices(g, thread, device, e)
                     : begin_threads(g, thread, e);
    while (g->running) {
        rest(g, 0.1);
        progress(g, &w);
    }
    pthread_mutex_unlock(&g->lock);
    for (int t = 0; t < g->threads; t++) pthread_join(thread[t], NULL);
    measure_idle(g);
    free(thread);
    return status;
}

/* Where the members done end at a boundary, nobody may have looked yet. A member done beyond a
 * boundary that is not reached comes from a run without until_error. */
static int resume_boundary(struct engine *g, struct error *e)
{
    const struct ensemble *s = g->s;
    int64_t first = 0;
    while (first < s->source->count && s->result[first].done) first++;
    g->boundary = engine_boundary(first, s->source->count);
    for (int64_t i = g->boundary; i < s->source->count; i++)
        if (s->result[i].done)
            return error_input(
                e,
                "members from %" PRId64 " on are done and member %" PRId64
                " is not: the ensemble was begun without until_error; resume it without, "
                "too",
                i, first);
    if (first && first == s->done && engine_boundary(first - 1, s->source->count) == first &&
        ensemble_cautious_error(s) < s->until_error)
        g->sure = true;
    return 0;
}

/* Nothing is lost that is done, even where something failed. */
static int end_run(struct engine *g, int status, struct error *e)
{
    if (g->status && !status) {
        status = g->status;
        *e = g->error;
    }
    struct error late = {0};
    int last = add_ready(g, &late);
    if (g->o->state && g->s->done) {
        struct error unwritten = {0};
        int written = state_write(&ensemble_state, g->s, g->o->state, &unwritten);
        if (!last && written) last = written, late = unwritten;
    }
    if (!last || status) return status;
    *e = late;
    return last;
}

int engine_run(struct ensemble *s, const struct engine_options *o, enum engine_end *end,
               struct error *e)
{
    struct engine g = {.s = s, .o = o, .boundary = INT64_MAX};
    struct error mine = {0};
    pthread_condattr_t monotonic;
    pthread_mutex_init(&g.lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&g.changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int status = s->until_error > 0 ? resume_boundary(&g, &mine) : 0;
    if (!status && !g.sure && !o->feed) status = engine_order(s, &g.order, &g.count, &mine);
    if (!status && !g.sure) status = compute(&g, &mine);
    status = end_run(&g, status, &mine);
    *end = g.sure ? ENGINE_SURE : s->done == ensemble_share(s) ? ENGINE_COMPLETE : ENGINE_STOPPED;
    drop(&g.ready);
    drop(&g.ahead);
    free(g.order);
    pthread_cond_destroy(&g.changed);
    pthread_mutex_destroy(&g.lock);
    if (status && e) *e = mine;
    return status;
}

/* ---- a round of a study ---------------------------------------------------------------------- */

struct showing {
    struct study_job *job;
    engine_adapt *adapt;
    const void *of;
};

static bool show(const struct study_progress *now, void *user)
{
    const struct showing *x = user;
    struct study_progress all = *now;
    if (x->adapt) x->adapt(x->of, &all);
    return study_show(x->job, &all);
}

int engine_round(struct study_job *j, struct ensemble *s, int threads, engine_adapt *adapt,
                 const void *of, struct engine_counts *counts, struct error *e)
{
    struct showing x = {j, adapt, of};
    const struct engine_options o = {.threads = threads,
                                     .device = j->device,
                                     .device_count = j->device_count,
                                     .batch = 1,
                                     .tell = j->tell ? show : NULL,
                                     .user = &x,
                                     .counts = counts};
    enum engine_end end;
    int status = engine_run(s, &o, &end, e);
    if (end == ENGINE_STOPPED) j->stopped = true;
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

int engine_plan_memory(const struct ensemble_source *source, int processes, int *threads,
                       size_t *counter_bytes, struct error *e)
{
    /* State of the member, its copy with all fields, terrain and lava of its own, reached cells. */
    enum { COPY = 6 * 8 + 4, OWN = 4 * 8, REACHED = sizeof(struct reached) };
    const struct problem *p = &source->base->problem;
    const double cells = ((double)p->rows + 2) * ((double)p->cols + 32);
    const double each =
        cells * (double)(variant_find("reference")->bytes_per_cell + COPY + OWN + REACHED);
    const double have = 0.9 * memory_available() / processes,
                 map = 8 * cells; /* slots and the outline */
    double most = floor((have - map) / 2 / each);
    if (most < 1) most = have - map > each ? 1 : 0;
    if (most < 1)
        return error_input(e,
                           "%s: a member of %d x %d cells needs %.2f GiB of memory, and there are "
                           "%.2f; use a coarser grid, or a larger machine",
                           source->path, p->rows, p->cols, (each + map) / 1073741824.0,
                           have / 1073741824.0);
    if (*threads > most) *threads = (int)most;
    *counter_bytes = (size_t)(have - map - *threads * each);
    return 0;
}

int engine_prepare(struct ensemble *s, const struct ensemble_source *source, int *threads,
                   struct error *e)
{
    size_t bytes = 0;
    int status = engine_plan_memory(source, 1, threads, &bytes, e);
    return status ? status : ensemble_create(s, source, (struct shard){1, 1}, bytes, e);
}
