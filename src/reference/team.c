/* team.c — the threads of a team: how they wait, how they are gathered, and how many are used. */
#define _GNU_SOURCE /* sched_getcpu */
#include "team.h"

#include "base/clock.h"
#include "base/loops.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- waiting --------------------------------------------------------------------------------- */

/* time for which a thread spins at a barrier; usually all threads arrive within this time */
static const double BARRIER_SPIN_S = 40e-6;
static const double AT_HAND_S = 600e-6; /* time for which a member spins */
static const double ANSWER_S = 3e-6;
enum { YIELDS = 20 };

static void breathe(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Polls *a until it differs from `value`. False: it still has this value after limit_s. */
static bool changes(const atomic_uint *a, unsigned value, double limit_s)
{
    for (int i = 0; i < 64; i++, breathe())
        if (atomic_load_explicit(a, memory_order_acquire) != value) return true;
    const double end_s = clock_now_s() + limit_s;
    do {
        for (int i = 0; i < 16; i++, breathe())
            if (atomic_load_explicit(a, memory_order_acquire) != value) return true;
    } while (clock_now_s() < end_s);
    return false;
}

/* ---- the team -------------------------------------------------------------------------------- */

/* The state of a member. A member AT_HAND spins; after a time it sets ASLEEP. To wake it, the caller of team_gather()
 * sets CALLED, and the member sets AT_HAND. To use a member AT_HAND, the caller sets RESERVED. The member answers with
 * READY, which shows that it has a processor at this moment. Then the caller sets ORDERED + rank. The member works, and
 * then sets AT_HAND. */
enum { ASLEEP, CALLED, AT_HAND, RESERVED, READY, DISMISSED, ORDERED };

struct member {
    struct team *team;
    pthread_t thread;
    pthread_cond_t called;
    atomic_uint state;
    char apart[64]; /* keeps members from sharing a cache line */
};

/* Threads that wait first spin, because the last thread is usually only microseconds late. Then
 * they sleep. */
struct barrier {
    atomic_int waiting, sleeping;
    atomic_uint round;
    int threads;
};

/* A number of threads that the team may use, and its recent speed. */
struct gear {
    int threads;
    double amount, time_s;  /* recent work and its time; older work has less weight; 0: not known */
    double last_s;          /* when it was last used */
    double pause_s, next_s; /* after a failed trial: pause before the next trial; time of the next
                               trial */
};
enum { GEARS = 12 };

struct team {
    enum team_rule rule;
    pid_t process; /* the process in which the threads were started */
    int members;   /* number of threads without the caller */
    struct member *member;
    pthread_mutex_t lock;
    pthread_cond_t passed; /* all threads have passed the barrier */
    struct barrier barrier;
    void (*work)(void *, int);
    void *context;
    struct gear gear[GEARS];
    int gears, best, trial; /* best: index of the fastest gear; trial: index of a larger gear that
                               is being tried, or 0 */
    int attempts;           /* attempts to gather enough threads for the trial */
    atomic_int processor;   /* the processor of the caller of team_gather() */
    double best_since_s;
    int gathered, *order; /* number and indices of the members of the next stretch */
    int used;             /* index of the gear in use */
    int steps;            /* number of steps that take about STRETCH_S */
    double stretch_s;     /* duration of the last stretch */
    uint64_t random;
};

void team_barrier(struct team *t, void (*last)(void *), void *context)
{
    struct barrier *b = &t->barrier;
    unsigned round = atomic_load_explicit(&b->round, memory_order_relaxed);
    /* This thread reads b->threads before it arrives. After all threads have arrived, the caller may begin a stretch
     * with fewer threads. */
    const int last_to_arrive = b->threads - 1;
    if (atomic_fetch_add_explicit(&b->waiting, 1, memory_order_acq_rel) == last_to_arrive) {
        if (last) last(context);
        atomic_store_explicit(&b->waiting, 0, memory_order_relaxed);
        atomic_fetch_add(&b->round, 1);
        if (!atomic_load(&b->sleeping)) return;
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->passed);
        pthread_mutex_unlock(&t->lock);
        return;
    }
    if (changes(&b->round, round, BARRIER_SPIN_S)) return;
    for (int i = 0; i < YIELDS; i++) { /* the late thread may need this processor */
        if (atomic_load_explicit(&b->round, memory_order_acquire) != round) return;
        sched_yield();
    }
    pthread_mutex_lock(&t->lock);
    /* This thread changes `sleeping` before it tests `round`, and the last thread changes `round` before it tests
     * `sleeping`. So one of the two threads sees the change of the other. */
    atomic_fetch_add(&b->sleeping, 1);
    while (atomic_load(&b->round) == round) pthread_cond_wait(&t->passed, &t->lock);
    atomic_fetch_sub(&b->sleeping, 1);
    pthread_mutex_unlock(&t->lock);
}

/* Sleeps until called. Sleeps again if it wakes up on the caller's processor, because it would keep the caller from
 * computing. */
static void sleep_until_called(struct member *m)
{
    unsigned state = AT_HAND;
    if (!atomic_compare_exchange_strong(&m->state, &state, ASLEEP) && state != ASLEEP) return;
    pthread_mutex_lock(&m->team->lock);
    while (atomic_load(&m->state) == ASLEEP) pthread_cond_wait(&m->called, &m->team->lock);
    pthread_mutex_unlock(&m->team->lock);
    state = CALLED;
    const unsigned next = sched_getcpu() == m->team->processor ? ASLEEP : AT_HAND;
    atomic_compare_exchange_strong(&m->state, &state, next);
}

static void *live(void *self)
{
    struct member *m = self;
    for (;;) {
        unsigned state = atomic_load_explicit(&m->state, memory_order_acquire);
        if (state == DISMISSED) return NULL;
        if (state >= ORDERED) {
            m->team->work(m->team->context, (int)(state - ORDERED));
            atomic_store_explicit(&m->state, AT_HAND, memory_order_release);
        } else if (state == RESERVED) atomic_compare_exchange_strong(&m->state, &state, READY);
        else if (state == READY) breathe(); /* ORDERED or AT_HAND follows at once */
        else if (state == ASLEEP || !changes(&m->state, AT_HAND, AT_HAND_S)) sleep_until_called(m);
    }
}

static void call(struct member *m, unsigned why)
{
    pthread_mutex_lock(&m->team->lock);
    atomic_store(&m->state, why);
    pthread_cond_signal(&m->called);
    pthread_mutex_unlock(&m->team->lock);
}

static void add_gears(struct team *t)
{
    int most = t->members + 1;
    for (int threads = 1; t->gears < GEARS; threads *= 2) {
        if (threads > most || t->gears == GEARS - 1) threads = most;
        t->gear[t->gears++].threads = threads;
        if (threads == most) break;
    }
}

struct team *team_create(int most, enum team_rule rule)
{
    struct team *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->rule = rule;
    t->process = getpid();
    t->random = 0x9e3779b97f4a7c15u;
    t->steps = 1;
    t->member = calloc((size_t)most, sizeof *t->member);
    t->order = calloc((size_t)most, sizeof *t->order);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->passed, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20); /* also if `ulimit -s` is smaller or larger */
    for (; t->member && t->order && t->members < most - 1; t->members++) {
        struct member *m = &t->member[t->members];
        m->team = t;
        atomic_init(&m->state, AT_HAND);
        pthread_cond_init(&m->called, NULL);
        if (loops_start_thread(&m->thread, &attributes, live, m)) continue;
        pthread_cond_destroy(&m->called);
        break; /* the system grants no more threads */
    }
    pthread_attr_destroy(&attributes);
    add_gears(t);
    if (t->member && t->order) return t;
    team_free(t);
    return NULL;
}

static void dismiss(struct team *t)
{
    for (int i = 0; i < t->members; i++) {
        struct member *m = &t->member[i];
        while (atomic_load(&m->state) >= ORDERED) breathe(); /* until it ends its last work */
        call(m, DISMISSED);
        pthread_join(m->thread, NULL);
        pthread_cond_destroy(&m->called);
    }
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->passed);
}

/* After a fork the new process has the team's memory but not its threads. So it frees the memory only. */
void team_free(struct team *t)
{
    if (!t) return;
    if (t->process == getpid()) dismiss(t);
    free(t->member);
    free(t->order);
    free(t);
}

int team_most(const struct team *t)
{
    return t->members + 1;
}

/* ---- the size -------------------------------------------------------------------------------- */

static const double STRETCH_S = 250e-6; /* target time of a stretch */
static const double RECENT_S = 50e-3;   /* after this time without use, a gear's work counts half */
static const double REFRESH_S = 100e-3; /* time after which the next smaller gear is measured
                                           again */
static const double PAUSE_LEAST_S = 1e-3, PAUSE_MOST_S = 250e-3;
enum { STRETCH_STEPS = 256, REFRESH_STRETCHES = 50, ATTEMPTS = 3 };

static double speed(const struct gear *g)
{
    return g->time_s > 0 ? g->amount / g->time_s : 0;
}

/* Chooses the gear for the next stretch. A gear larger than the best one begins a trial. */
static int choose_gear(struct team *t, double now)
{
    const double refresh_s = t->stretch_s * REFRESH_STRETCHES;
    if (t->trial) return t->trial;
    if (t->best > 0 && now > t->gear[t->best - 1].last_s + fmax(refresh_s, REFRESH_S))
        return t->best - 1;
    if (t->best + 1 == t->gears || !(speed(&t->gear[t->best]) > 0) ||
        now < t->gear[t->best + 1].next_s)
        return t->best;
    t->trial = t->best + 1;
    t->attempts = 0;
    t->gear[t->trial].amount = t->gear[t->trial].time_s = 0;
    return t->trial;
}

/* Postpones the next trial of a gear that was slower than a smaller gear. Each pause is longer than
 * the one before. */
static void disappointed(struct team *t, int gear, double now)
{
    struct gear *g = &t->gear[gear];
    g->pause_s = fmin(fmax(2 * g->pause_s, PAUSE_LEAST_S), PAUSE_MOST_S);
    g->next_s = now + g->pause_s;
}

static void learn(struct team *t, int used, double amount, double took_s, double now)
{
    struct gear *g = &t->gear[used];
    const double kept = g->time_s > 0 ? RECENT_S / (RECENT_S + now - g->last_s) : 0;
    g->amount = kept * g->amount + amount;
    g->time_s = kept * g->time_s + took_s;
    g->last_s = now;
    if (used == t->trial && t->trial) {
        t->trial = 0;
        if (speed(g) > speed(&t->gear[t->best])) {
            t->best = used;
            t->best_since_s = now;
        } else disappointed(t, used, now);
    } else if (t->best > 0 && speed(&t->gear[t->best - 1]) > speed(&t->gear[t->best])) {
        disappointed(t, t->best--, now);
        t->best_since_s = now;
    } else if (now > t->best_since_s + RECENT_S) t->gear[t->best].pause_s = 0;
}

/* ---- stretches ------------------------------------------------------------------------------- */

static unsigned draw_number(struct team *t, unsigned below)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(t->random >> 33) % below;
}

/* Whether a reserved member answers at once, because it has a processor. */
static bool answers(struct member *m)
{
    unsigned state = RESERVED;
    return changes(&m->state, RESERVED, ANSWER_S) ||
           !atomic_compare_exchange_strong(&m->state, &state, AT_HAND);
}

/* Reserves `wanted` members, or fewer after limit_s. It wakes sleeping members if it meets them before enough members
 * are reserved. */
static void collect_members(struct team *t, int wanted, double limit_s)
{
    const double end_s = clock_now_s() + limit_s;
    t->gathered = 0;
    t->processor = t->rule == TEAM_ADAPTS ? sched_getcpu() : -1;
    do {
        for (int i = 0; i < t->members && t->gathered < wanted; i++) {
            struct member *m = &t->member[i];
            unsigned state = AT_HAND;
            if (atomic_compare_exchange_strong(&m->state, &state, RESERVED)) {
                if (t->rule != TEAM_ADAPTS || answers(m)) t->order[t->gathered++] = i;
            } else if (state == ASLEEP && t->rule == TEAM_ADAPTS) call(m, CALLED);
            else if (state == ASLEEP) {
                /* not CALLED: a CALLED member may sleep again before this loop comes back to it */
                call(m, RESERVED);
                t->order[t->gathered++] = i;
            }
        }
        if (t->rule != TEAM_ADAPTS && t->gathered < wanted) sched_yield();
    } while (t->gathered < wanted && clock_now_s() < end_s);
}

static void release_members(struct team *t, int kept)
{
    while (t->gathered > kept)
        atomic_store_explicit(&t->member[t->order[--t->gathered]].state, AT_HAND,
                              memory_order_release);
}

/* The largest gear for which enough members are gathered. */
static int gear_at_hand(const struct team *t)
{
    int gear = 0;
    while (gear + 1 < t->gears && t->gear[gear + 1].threads <= t->gathered + 1) gear++;
    return gear;
}

int team_gather(struct team *t, int *steps)
{
    *steps = t->steps;
    if (t->rule == TEAM_ADAPTS) {
        const double patience_s = fmin(fmax(5e-6, t->stretch_s / 10), 1e-3);
        collect_members(t, t->gear[choose_gear(t, clock_now_s())].threads - 1, patience_s);
        t->used = gear_at_hand(t);
        if (t->trial && t->used != t->trial && ++t->attempts == ATTEMPTS) {
            disappointed(t, t->trial, clock_now_s());
            t->trial = 0;
        }
        release_members(t, t->gear[t->used].threads - 1);
    } else if (t->rule == TEAM_CHANGES) {
        *steps = 1 + (int)draw_number(t, 5);
        collect_members(t, (int)draw_number(t, (unsigned)team_most(t)), INFINITY);
    } else {
        *steps = 32;
        collect_members(t, team_most(t) - 1, INFINITY);
    }
    return t->gathered + 1;
}

void team_run(struct team *t, void (*work)(void *context, int rank), void *context)
{
    const double began_s = clock_now_s();
    t->work = work;
    t->context = context;
    t->barrier.threads = t->gathered + 1;
    for (int i = 0; i < t->gathered; i++)
        atomic_store_explicit(&t->member[t->order[i]].state, ORDERED + 1 + (unsigned)i,
                              memory_order_release);
    work(context, 0);
    t->stretch_s = clock_now_s() - began_s;
}

void team_learn(struct team *t, int64_t steps, double amount)
{
    const double fit = (double)steps * STRETCH_S / t->stretch_s;
    t->steps = !(fit > 1) ? 1 : fit > STRETCH_STEPS ? STRETCH_STEPS : (int)fit;
    if (t->rule == TEAM_ADAPTS) learn(t, t->used, amount, t->stretch_s, clock_now_s());
}
