/* waiting.c — a line on the terminal while files are read and written, which on a large grid takes
 * long enough to wonder. */
#include "run.h"

#include <stdio.h>
#include <time.h>

/* The next look, on the clock that condition variables go by. */
static struct timespec in_ms(long ms)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* Kept below 80 columns, as in progress.c. */
static void show(const struct waiting *w)
{
    const int s = (int)(clock_now_s() - w->began_s), file = atomic_load(&w->watch->file);
    const long long done = atomic_load(&w->watch->done), all = atomic_load(&w->watch->all);
    char share[32] = "";
    if (file && all > 0 && done <= all)
        snprintf(share, sizeof share, ": %lld %%", 100 * done / all);
    fprintf(stderr, "\r%s %.40s", w->doing, w->name);
    if (file) fprintf(stderr, "  file %d%s", file, share);
    fprintf(stderr, "  %d:%02d\033[K", s / 60, s % 60);
    fflush(stderr);
}

static void *look(void *self)
{
    struct waiting *w = self;
    bool shown = false;
    pthread_mutex_lock(&w->lock);
    for (struct timespec next = in_ms(500); !w->over;) {
        if (pthread_cond_timedwait(&w->end, &w->lock, &next) == 0) continue;
        show(w);
        shown = true;
        next = in_ms(200);
    }
    pthread_mutex_unlock(&w->lock);
    if (shown) fputs("\r\033[K", stderr);
    return NULL;
}

void waiting_begin(struct waiting *w, bool on, const char *doing, const char *name,
                   struct watch *watch)
{
    *w = (struct waiting){.doing = doing, .name = name, .watch = watch, .began_s = clock_now_s()};
    if (!on) return;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->end, NULL);
    w->on = pthread_create(&w->thread, NULL, look, w) == 0; /* without a thread, no line */
}

void waiting_end(struct waiting *w)
{
    if (!w->on) return;
    pthread_mutex_lock(&w->lock);
    w->over = true;
    pthread_cond_signal(&w->end);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->end);
    pthread_mutex_destroy(&w->lock);
    w->on = false;
}
