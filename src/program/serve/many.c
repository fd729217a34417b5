/* many.c — computes the members of an ensemble for the page, on a thread that calls the engine of the studies. */
#include "many.h"

#include "base/loops.h"

/* Number of members that are computed with barriers before the same members are computed without barriers. */
enum { PAIRS_AT_ONCE = 16 };

static int next_numbers(void *of, int64_t *number, int at_once, int most)
{
    struct many *m = of;
    const struct ensemble *s = ensemble_of(m, m->side);
    int count = 0;
    LOCKED(&m->lock);
    for (; count < most && m->next < m->block_end; m->next++)
        if (!s->result[m->next].done) number[count++] = m->next;
    return count;
}

static bool asks_to_stop(const struct study_progress *now, void *of)
{
    return atomic_load(&((struct many *)of)->stop);
}

static int compute_block(struct many *m, int64_t first, struct error *e)
{
    const struct engine_feed feed = {next_numbers, m};
    enum engine_end end;
    int status = 0;
    for (m->side = 0; m->side < m->sides && !status && !atomic_load(&m->stop); m->side++) {
        struct engine_options o = engine_options_of(&m->job[m->side]);
        m->next = first;
        o.feed = &feed;
        o.batch = 1;
        o.tell = asks_to_stop;
        o.user = m;
        status = engine_run(ensemble_of(m, m->side), &o, &end, e);
    }
    m->side = 0;
    return status;
}

static void *compute_study(void *of)
{
    struct many *m = of;
    struct error e = {0};
    int status = 0;
    loops_limit(1);
    for (int64_t first = 0; first < m->all && !status && !atomic_load(&m->stop);
         first = m->block_end) {
        m->block_end =
            m->sides == 1 || first + PAIRS_AT_ONCE > m->all ? m->all : first + PAIRS_AT_ONCE;
        status = compute_block(m, first, &e);
    }
    LOCKED(&m->lock);
    if (status && !atomic_load(&m->stop)) m->error = e;
    m->ended = true;
    pthread_cond_broadcast(&m->changed);
    return NULL;
}

bool many_start(struct many *m)
{
    atomic_store(&m->stop, false);
    m->ended = false;
    return m->started = loops_start_thread(&m->thread, NULL, compute_study, m);
}

void many_halt(struct many *m)
{
    atomic_store(&m->stop, true);
    if (m->started) pthread_join(m->thread, NULL);
    m->started = false;
}

bool many_wait(struct many *m)
{
    condition_wait(&m->changed, &m->lock, 0.1);
    return true;
}
