#include "engine.h"

#include "batch.h"
#include "base/lock.h"
#include "base/loops.h"
#include "base/memory.h"
#include "base/order.h"
#include "case/case_terrain.h"
#include "member_run.h"
#include "members/ensemble_state.h"
#include "members/library.h"
#include "sim/variant.h"
#include "text/grow.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

struct contributions {
    int count;
    struct contribution *item;
};

struct engine {
    struct ensemble *s;
    const struct engine_options *o;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a thread ended, or `boundary` was passed */
    atomic_bool stop;
    int64_t *order; /* members to compute */
    int64_t count, next;
    int64_t boundary; /* results of this member and later ones wait; INT64_MAX: none waits */
    struct contributions ready; /* results that add_ready() adds to *s */
    struct contributions ahead; /* results beyond the boundary */
    bool sure;
    int threads, running;
    struct batch *batch[ENGINE_DEVICES_MAX]; /* by thread; NULL: the thread has no batch */
    int status;                              /* the first error of all threads */
    struct error error;
};

enum { AHEAD_PER_THREAD = 4 };

/* ---- which members, in which order ----------------------------------------------------------- */

static int sort_by_cost(const struct ensemble_source *source, int64_t *number, int64_t count,
                        struct error *e)
{
    FREED struct ranked *list = malloc((size_t)(count ? count : 1) * sizeof *list);
    if (!list) return error_memory(e);
    for (int64_t i = 0; i < count; i++)
        list[i] = (struct ranked){source->cost(source->of, source->first + number[i]), number[i]};
    qsort(list, (size_t)count, sizeof *list, order_ranks);
    for (int64_t i = 0; i < count; i++) number[i] = list[i].number;
    return 0;
}

int engine_order(const struct ensemble *s, int64_t **number, int64_t *count, struct error *e)
{
    const struct ensemble_source *source = s->source;
    int64_t *order = malloc((size_t)(source->count ? source->count : 1) * sizeof *order);
    *number = order;
    *count = 0;
    if (!order) return error_memory(e);
    const int64_t end = s->first > 0 && s->first < source->count ? s->first : source->count;
    for (int64_t i = 0; i < end; i++)
        if (ensemble_is_mine(s, i) && !s->result[i].done) order[(*count)++] = i;
    /* With until_error, members keep their order, because all members below a boundary have to come first. */
    return source->cost && !s->until_error ? sort_by_cost(source, order, *count, e) : 0;
}

int64_t engine_boundary(int64_t n, int64_t count)
{
    int64_t b = 0;
    while (b <= n) b += b / 8 > 64 ? b / 8 : 64;
    return b < count ? b : count;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static int keep_contribution(struct contributions *list, struct contribution *one, struct error *e)
{
    if (!APPEND(list->item, list->count, *one)) return error_memory(e);
    *one = (struct contribution){0};
    return 0;
}

static void drop(struct contributions *list)
{
    for (int i = 0; i < list->count; i++) contribution_free(&list->item[i]);
    RELEASE(list, list->item);
}

static int add_ready(struct engine *g, struct error *e)
{
    int status = ensemble_add_all(g->s, g->ready.item, g->ready.count, e);
    drop(&g->ready);
    return status;
}

static void stop_all(struct engine *g)
{
    atomic_store(&g->stop, true);
    for (int i = 0; i < ENGINE_DEVICES_MAX; i++)
        if (g->batch[i]) batch_stop(g->batch[i]);
    pthread_cond_broadcast(&g->changed);
}

/* Called when all members below the boundary are added. If the error of the probabilities is small enough, stops all
 * threads. Else sets the next boundary; results below this boundary wait no longer. */
static int pass_boundary(struct engine *g, struct error *e)
{
    struct contributions ahead = g->ahead;
    int status = 0;
    if (ensemble_cautious_error(g->s) < g->s->until_error) {
        g->sure = true;
        stop_all(g);
        return 0;
    }
    g->boundary = engine_boundary(g->boundary, g->s->source->count);
    g->ahead = (struct contributions){0};
    for (int i = 0; i < ahead.count; i++) {
        struct contribution *one = &ahead.item[i];
        if (!status)
            status = keep_contribution(one->number < g->boundary ? &g->ready : &g->ahead, one, e);
    }
    drop(&ahead);
    pthread_cond_broadcast(&g->changed);
    return status;
}

/* Keeps the result of a member until it is added. The caller holds the lock. */
static int deliver(struct engine *g, struct contribution *one, struct error *e)
{
    const int64_t count = g->s->source->count;
    int status = keep_contribution(one->number < g->boundary ? &g->ready : &g->ahead, one, e);
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

static bool is_stopping(const void *engine)
{
    return atomic_load_explicit(&((const struct engine *)engine)->stop, memory_order_relaxed);
}

static void fail(struct engine *g, int status, const struct error *e)
{
    if (!status || (status == ERROR_CANCELLED && is_stopping(g))) return;
    if (!g->status) {
        g->status = status;
        g->error = *e;
    }
    stop_all(g);
}

static int fetch(struct engine *g, int64_t *number, int at_once, int most)
{
    const struct engine_feed *f = g->o->feed;
    int count = -1;
    while (!is_stopping(g) && (count = f->next(f->user, number, at_once, most)) < 0)
        condition_wait(&g->changed, &g->lock, 0.001);
    return count < 0 ? 0 : count;
}

/* Returns the next member; -1: none is left. At most AHEAD_PER_THREAD results of each thread wait beyond the boundary. */
static int64_t next_member(struct engine *g)
{
    int64_t number;
    if (g->o->feed) return fetch(g, &number, g->threads, 1) ? number : -1;
    while (!is_stopping(g) && g->ahead.count >= AHEAD_PER_THREAD * g->threads &&
           g->next < g->count && g->order[g->next] >= g->boundary)
        pthread_cond_wait(&g->changed, &g->lock);
    return !is_stopping(g) && g->next < g->count ? g->order[g->next++] : -1;
}

static int next_members(struct engine *g, int64_t *number, int most, int ahead)
{
    int count = 0;
    while (count < most && !is_stopping(g) && g->next < g->count &&
           (g->order[g->next] < g->boundary || g->ahead.count + count < ahead))
        number[count++] = g->order[g->next++];
    return count;
}

static bool wait_for_change(struct engine *g)
{
    if (is_stopping(g) || g->next == g->count) return false;
    pthread_cond_wait(&g->changed, &g->lock);
    return true;
}

static void *work_on_members(void *engine)
{
    struct engine *g = engine;
    loops_limit(1);
    pthread_mutex_lock(&g->lock);
    for (int64_t number; (number = next_member(g)) >= 0;) {
        struct contribution one;
        struct error e = {0};
        pthread_mutex_unlock(&g->lock);
        int status = member_run(g->s, number, is_stopping, g, &one, &e);
        pthread_mutex_lock(&g->lock);
        if (!status) status = deliver(g, &one, &e);
        fail(g, status, &e);
    }
    g->running--;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* ---- a thread that has a device ------------------------------------------------------------ */

/* A device computes members in batches (batch.h), on two lanes: while it computes one lane, the outcomes of the other are
 * added. Members that outgrow their memory are computed again by fewer blocks, with more memory for each block. The reference
 * computes members that the device cannot compute, or for which a single block has too little memory. */

/* The members on a lane. */
struct load {
    int count;
    int64_t *number;
    struct ensemble_member *member;
};

/* A launch gets as many members as a device computes in this time. It is short, because a killed process loses these
 * members. The first launch may take longer, because the speed is not known yet. */
static const double LAUNCH_S = 10;
enum { FIRST_LAUNCH = 4 }; /* the first launch has 4 times the members that are computed at once */

struct numbers {
    int count;
    int64_t *number;
};

struct worker {
    struct engine *g;
    int number, device; /* number of the thread; number of the device */
    struct batch *batch;
    int most; /* largest number of members of a launch */
    struct load lane[BATCH_LANES];
    struct batch_job *job;
    struct batch_outcome *outcome;
    struct numbers larger, others; /* members that outgrew a block; members for the reference */
    struct engine_counts counts;
    double began_s, per_s; /* per_s: finished members per second since began_s */
    int64_t received;
    uint32_t *room; /* member_room() */
};

/* Stores the batch where stop_all() finds it. */
static void publish_batch(struct worker *w, struct batch *batch)
{
    LOCKED(&w->g->lock);
    w->g->batch[w->number] = batch;
    if (batch && is_stopping(w->g)) batch_stop(batch);
}

static int open_worker(struct worker *w, struct error *e)
{
    const struct ensemble *s = w->g->s;
    const struct problem *base = &s->source->base->problem;
    const struct batch_setup setup = {.base = base,
                                      .outline = s->outline,
                                      .thickness_m = &s->thickness_m,
                                      .arrival_s = &s->arrival_s,
                                      .device = w->device};
    const char *name = s->source->base->path;
    int status = base->terrain ? case_terrain_check_size(base->rows, base->cols, name, e) : 0;
    if (!status) status = problem_read_terrain(base, problem_domain(base), e); /* whole terrain */
    if (!status) status = batch_create(&w->batch, &setup, e);
    if (status) return status;
    publish_batch(w, w->batch);
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
    return member_room(&w->room, s, e);
}

static void release_load(struct worker *w, struct load *l)
{
    const struct ensemble_source *source = w->g->s->source;
    for (int i = 0; i < l->count; i++) source->release(source->of, &l->member[i]);
    l->count = 0;
}

static void close_worker(struct worker *w)
{
    publish_batch(w, NULL);
    batch_destroy(w->batch);
    for (int i = 0; i < BATCH_LANES; i++) {
        release_load(w, &w->lane[i]);
        FREE_ALL(w->lane[i].number, w->lane[i].member);
    }
    FREE_ALL(w->job, w->outcome, w->larger.number, w->others.number, w->room);
}

static int append_number(struct numbers *list, int64_t number, struct error *e)
{
    return APPEND(list->number, list->count, number) ? 0 : error_memory(e);
}

/* ---- to the device --------------------------------------------------------------------------- */

static int launch_most(const struct worker *w, int at_once)
{
    const double fit = w->per_s > 0 ? LAUNCH_S * w->per_s : FIRST_LAUNCH * (double)at_once;
    const int least = at_once < w->most ? at_once : w->most;
    return fit < least ? least : fit < w->most ? (int)fit : w->most;
}

/* Takes a part of the members that are left, so that several devices end together. If no member is available now and this
 * device is idle (not under_way), waits until other threads have delivered results. */
static int choose_members(struct worker *w, int64_t *number, bool under_way)
{
    struct engine *g = w->g;
    const int least = batch_blocks_at_once(w->batch), most = launch_most(w, least);
    LOCKED(&g->lock);
    int count;
    do {
        const int64_t part = (g->count - g->next) / (3 * g->threads) + 1;
        const int wanted = part < least ? least : part < most ? (int)part : most;
        count = g->o->feed ? fetch(g, number, least, most)
                           : next_members(g, number, wanted < most ? wanted : most, 2 * w->most);
    } while (!count && !under_way && !g->o->feed && wait_for_change(g));
    return count;
}

/* Launches members with these numbers on a lane. Members that the device cannot compute go to w->others. */
static int launch(struct worker *w, int lane, const int64_t *number, int count, int blocks,
                  struct error *e)
{
    const struct ensemble_source *source = w->g->s->source;
    struct load *l = &w->lane[lane];
    for (int i = 0; i < count; i++) {
        struct ensemble_member *m = &l->member[l->count];
        int status = ensemble_member_create(source, number[i], true, m, e);
        if (status) return member_name(number[i], status, e);
        const struct batch_job job = {&m->c->problem, m->error, member_last_step(m->c)};
        const bool takes = !study_needs_processors(m->c) && batch_takes(w->batch, &job) &&
                           !member_check(w->g->s, m->c, NULL);
        if (!takes) {
            source->release(source->of, m);
            status = append_number(&w->others, number[i], e);
            if (status) return status;
            continue;
        }
        w->job[l->count] = job;
        l->number[l->count++] = number[i];
    }
    return l->count ? batch_begin(w->batch, lane, w->job, l->count, blocks, e) : 0;
}

/* ---- from the device ------------------------------------------------------------------------- */

static int deliver_from(struct worker *w, struct contribution *one, struct error *e)
{
    struct engine *g = w->g;
    pthread_mutex_lock(&g->lock);
    int status = deliver(g, one, e);
    pthread_mutex_unlock(&g->lock);
    w->counts.of[w->number].members += !status;
    return status;
}

static int accept_outcome(struct worker *w, struct load *l, int i, struct error *e)
{
    struct batch_outcome *o = &w->outcome[i];
    struct contribution one;
    if (o->fate == BATCH_NOT_BEGUN) return 0;
    if (o->fate != BATCH_COMPUTED) return append_number(&w->larger, l->number[i], e);
    if (o->max_thickness_m > THICKNESS_MAX_M) { /* the reference reports the error */
        free(o->cell);
        o->cell = NULL;
        return append_number(&w->others, l->number[i], e);
    }
    w->counts.updates += o->updates;
    int status = member_of_outcome(w->g->s, l->number[i], &l->member[i], o, w->room, &one, e);
    return status ? status : deliver_from(w, &one, e);
}

/* Waits for a lane and adds its results. */
static int receive(struct worker *w, int lane, struct error *e)
{
    struct load *l = &w->lane[lane];
    if (!l->count) return 0;
    int status = batch_end(w->batch, lane, w->outcome, e);
    w->received += l->count;
    w->per_s = (double)w->received / fmax(clock_now_s() - w->began_s, 1e-6);
    for (int i = 0; !status && i < l->count; i++) {
        status = accept_outcome(w, l, i, e);
        for (int k = i + 1; status && k < l->count; k++) free(w->outcome[k].cell);
    }
    release_load(w, l);
    return status;
}

/* ---- the life of the thread ------------------------------------------------------------------ */

static bool is_busy(const struct worker *w)
{
    bool busy = false;
    for (int i = 0; i < BATCH_LANES; i++) busy = busy || w->lane[i].count;
    return busy;
}

/* Computes until no members are left, or all threads have to stop. */
static int compute_all(struct worker *w, struct error *e)
{
    FREED int64_t *number = malloc((size_t)w->most * sizeof *number);
    int status = number ? 0 : error_memory(e);
    bool more = true;
    w->began_s = clock_now_s();
    for (int lane = 0; !status && more; lane = (lane + 1) % BATCH_LANES) {
        status = receive(w, lane, e);
        const int count = status ? 0 : choose_members(w, number, is_busy(w));
        if (count) status = launch(w, lane, number, count, 0, e);
        more = count || is_busy(w);
    }
    return status;
}

/* Computes members that outgrew the memory of a block. Each pass has an eighth of the blocks of the
 * pass before, and about eight times the memory for each block. The reference computes members that
 * outgrow the memory of a single block. */
static int compute_larger(struct worker *w, struct error *e)
{
    int status = 0;
    for (int blocks = batch_blocks_at_once(w->batch); !status && w->larger.count && blocks > 1;) {
        const int count = w->larger.count;
        FREED int64_t *number = w->larger.number;
        w->larger = (struct numbers){0};
        w->counts.larger += count;
        blocks = (blocks + 7) / 8;
        const int each = 4 * blocks < w->most ? 4 * blocks : w->most;
        for (int i = 0; !status && i < count && !is_stopping(w->g); i += each) {
            const int left = count - i;
            status = launch(w, 0, number + i, left < each ? left : each, blocks, e);
            if (!status) status = receive(w, 0, e);
        }
    }
    for (int i = 0; !status && i < w->larger.count; i++)
        status = append_number(&w->others, w->larger.number[i], e);
    return status;
}

static int compute_others(struct worker *w, struct error *e)
{
    int status = 0;
    for (int i = 0; !status && i < w->others.count && !is_stopping(w->g); i++) {
        struct contribution one;
        status = member_run(w->g->s, w->others.number[i], is_stopping, w->g, &one, e);
        if (!status) status = deliver_from(w, &one, e);
        w->counts.reference++;
    }
    return status;
}

/* Adds the counts of a thread. The caller holds the lock. */
static void add_counts(struct engine_counts *all, const struct worker *w)
{
    if (!all) return;
    all->updates += w->counts.updates;
    all->larger += w->counts.larger;
    all->reference += w->counts.reference;
    all->of[w->number].members = w->counts.of[w->number].members;
    /* The time at which the thread ended. compute_members() turns it into a duration. */
    all->of[w->number].idle_s = clock_now_s();
}

static void *work_on_device(void *worker)
{
    struct worker *w = worker;
    struct engine *g = w->g;
    struct error e = {0};
    loops_limit(0); /* for statistics_add() */
    int status = open_worker(w, &e);
    if (!status) status = compute_all(w, &e);
    if (!status) status = compute_larger(w, &e);
    if (!status) status = compute_others(w, &e);
    close_worker(w);
    LOCKED(&g->lock);
    fail(g, status, &e);
    add_counts(g->o->counts, w);
    g->running--;
    pthread_cond_broadcast(&g->changed);
    return NULL;
}

/* ---- the caller's thread --------------------------------------------------------------------- */

struct monitor {
    struct study_progress now;
    double began_s, saved_s, error_s, error_took_s;
};

/* Computing the error of all cells takes long, so at most about 2 % of the time is spent on it. */
static void update_progress(struct engine *g, struct monitor *w)
{
    const double time_s = clock_now_s();
    w->now.done = g->s->done + g->ready.count;
    w->now.elapsed_s = time_s - w->began_s;
    if (g->o->feed || time_s - w->error_s < 1 + 50 * w->error_took_s)
        return; /* with a feed, *s has only the members of this process */
    w->now.error = ensemble_worst_error(g->s);
    w->error_s = clock_now_s();
    w->error_took_s = w->error_s - time_s;
}

/* Writes the library first. An ensemble can resume if the library has members that the state lacks, but not if the
 * state has members that the library lacks. */
static int write_state(struct engine *g, struct error *e)
{
    int status = output_make_way(g->o->folder, e);
    if (!status && g->s->library) status = library_commit(g->s->library, e);
    return status ? status : state_write(&ensemble_state, g->s, g->o->state, e);
}

/* Reports the progress and writes checkpoints. The caller holds the lock; the lock is released during the call of
 * tell(). */
static void progress(struct engine *g, struct monitor *w)
{
    bool save = clock_now_s() - w->saved_s >= g->o->checkpoint_s;
    if (g->o->tell) {
        update_progress(g, w);
        pthread_mutex_unlock(&g->lock);
        const bool stop = g->o->tell(&w->now, g->o->user);
        pthread_mutex_lock(&g->lock);
        save = save || (stop && !is_stopping(g)); /* the process may be killed soon */
        if (stop) stop_all(g);
    }
    if (!g->o->state || !save || !(g->s->done + g->ready.count)) return;
    struct error e = {0};
    int status = add_ready(g, &e);
    if (!status) status = write_state(g, &e);
    fail(g, status, &e);
    w->saved_s = clock_now_s();
}

/* Begins a thread for each device. Without devices begins o->threads threads, but at most one for each member.
 * Returns an error if no thread begins. */
static int begin_threads(struct engine *g, pthread_t *thread, struct worker *worker,
                         struct error *e)
{
    const struct engine_options *o = g->o;
    const bool any = g->count || o->feed, devices = o->device_count > 0;
    const int64_t most = devices                            ? o->device_count
                         : o->feed || o->threads < g->count ? o->threads
                                                            : g->count;
    for (int t = 0; any && t < most; t++) {
        if (devices) worker[t] = (struct worker){.g = g, .number = t, .device = o->device[t]};
        if (!loops_start_thread(&thread[t], NULL, devices ? work_on_device : work_on_members,
                                devices ? (void *)&worker[t] : g))
            break;
        g->threads = ++g->running;
    }
    if (g->threads || !any) return 0;
    return error_failed(e, "no thread can be started; raise the limit of processes (ulimit -u)");
}

static int compute_members(struct engine *g, struct error *e)
{
    struct monitor w = {.began_s = clock_now_s()};
    struct worker worker[ENGINE_DEVICES_MAX];
    const int most = g->o->device_count ? g->o->device_count : g->o->threads;
    FREED pthread_t *thread = malloc((size_t)most * sizeof *thread);
    if (!thread) return error_memory(e);
    w.saved_s = w.began_s;
    w.now.stage = "members";
    w.now.best = w.now.tolerance = NAN;
    w.now.all = ensemble_share(g->s);
    w.now.begun_with = g->s->done;
    pthread_mutex_lock(&g->lock);
    int status = begin_threads(g, thread, worker, e);
    while (g->running) {
        condition_wait(&g->changed, &g->lock, 0.1);
        progress(g, &w);
    }
    pthread_mutex_unlock(&g->lock);
    for (int t = 0; t < g->threads; t++) pthread_join(thread[t], NULL);
    /* Until here idle_s is the time when a device ended. Now it becomes the time that the device waited for the last
     * device. */
    struct engine_share *of = g->o->counts ? g->o->counts->of : NULL;
    double last_s = 0;
    for (int t = 0; of && t < g->o->device_count; t++) last_s = fmax(last_s, of[t].idle_s);
    for (int t = 0; of && t < g->o->device_count; t++)
        of[t].idle_s = of[t].idle_s > 0 ? last_s - of[t].idle_s : 0;
    return status;
}

/* Finds the boundary of an ensemble that resumes. If a member beyond the boundary is done, the
 * ensemble was begun without until_error, and is refused. If exactly the members below a boundary
 * are done, checks the error, because an interruption may have prevented this check. */
static int resume_boundary(struct engine *g, struct error *e)
{
    const struct ensemble *s = g->s;
    int64_t first = 0;
    while (first < s->source->count && s->result[first].done) first++;
    g->boundary = engine_boundary(first, s->source->count);
    for (int64_t i = g->boundary; i < s->source->count; i++)
        if (s->result[i].done)
            return error_input(e,
                               "members from %" PRId64 " on are done and member %" PRId64
                               " is not: the ensemble was begun without until_error; resume it "
                               "without until_error",
                               i, first);
    if (first && first == s->done && engine_boundary(first - 1, s->source->count) == first &&
        ensemble_cautious_error(s) < s->until_error)
        g->sure = true;
    return 0;
}

/* Adds all finished members and writes the state, even after an error. */
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
        int written = write_state(g, &unwritten);
        if (!last && written) last = written, late = unwritten;
    }
    if (!last || status) return status;
    *e = late;
    return last;
}

struct engine_options engine_options_of(const struct study_job *j)
{
    return (struct engine_options){.threads = j->threads,
                                   .device = j->device,
                                   .device_count = j->device_count,
                                   .batch = j->device_count ? ENGINE_DEVICE_BATCH : 1,
                                   .state = j->state,
                                   .checkpoint_s =
                                       j->checkpoint_s > 0 ? j->checkpoint_s : STUDY_CHECKPOINT_S};
}

int engine_run(struct ensemble *s, const struct engine_options *o, enum engine_end *end,
               struct error *e)
{
    struct engine g = {.s = s, .o = o, .boundary = INT64_MAX};
    struct error mine = {0};
    pthread_mutex_init(&g.lock, NULL);
    condition_init(&g.changed);
    int status = s->until_error > 0 ? resume_boundary(&g, &mine) : 0;
    if (!status && !g.sure && !o->feed) status = engine_order(s, &g.order, &g.count, &mine);
    if (!status && !g.sure) status = compute_members(&g, &mine);
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

static bool show_study(const struct study_progress *now, void *user)
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
    struct engine_options o = engine_options_of(j);
    o.threads = threads;
    o.batch = 1;
    o.state = NULL; /* the study writes its own state */
    o.tell = j->tell ? show_study : NULL;
    o.user = &x;
    o.counts = counts;
    enum engine_end end;
    int status = engine_run(s, &o, &end, e);
    if (end == ENGINE_STOPPED) j->stopped = true;
    return status;
}

int engine_plan_memory(const struct ensemble_source *source, int processes, int *threads,
                       size_t *counter_bytes, struct error *e)
{
    /* Bytes of a member for each cell, in addition to bytes_per_cell. COPY: a copy of all fields.
     * OWN: the member's terrain and initial lava. `changes`: number of further terrains. Each
     * change of the terrain needs one, all changes together need two more, and an initial state
     * needs one. */
    enum { COPY = 6 * 8 + 4, OWN = 4 * 8, REACHED = sizeof(struct reached) };
    const struct problem *p = &source->base->problem;
    const double cells = ((double)p->rows + 2) * ((double)p->cols + 32);
    /* If terrain is read only where lava comes, memory for 2^22 cells is usually enough. A member that needs more
     * cells fails if there is no memory for them. */
    const double held = p->terrain ? fmin(cells, 1 << 22) : cells;
    const size_t changes =
        (source->base->change_count ? 2 + (size_t)source->base->change_count : 0) +
        (p->from ? 1 : 0);
    const double each = held * (double)(variant_find("reference")->bytes_per_cell + COPY + OWN +
                                        REACHED + changes * sizeof(double));
    const double have = 0.9 * memory_available() / processes,
                 map = !p->terrain                  ? 8 * cells /* statistics.slot, outline */
                       : source->base->outline_path ? cells
                                                    : 0;
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
