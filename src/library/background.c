/* background.c — work on another thread, with reports of its progress. */
#include "library.h"

#include "base/lock.h"
#include "text/plain_locale.h"

#include <stdint.h>

struct task {
    struct background *w;
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool over;
    int status;
    struct error error;
};

static int do_work(struct background *w, struct error *e)
{
    IN_PLAIN_LOCALE;
    return w->work(w->what, e);
}

static int do_work_here(struct background *w, struct error *e)
{
    FREED_BY(loops_end) const struct loops before = loops_begin(w->threads, SIZE_MAX);
    return do_work(w, e);
}

static void *work_on_task(void *self)
{
    struct task *t = self;
    loops_limit(t->w->threads);
    struct error e = {0};
    int status = do_work(t->w, &e);
    LOCKED(&t->lock);
    t->status = status;
    t->error = e;
    t->over = true;
    pthread_cond_signal(&t->end);
    return NULL;
}

static void report_progress(struct background *w, double began_s)
{
    struct file_progress *progress = w->progress;
    const struct sciara_progress now = {
        .phase = w->phase,
        .file = atomic_load(&progress->file),
        .done = atomic_load(&progress->done),
        .all = atomic_load(&progress->all),
        .elapsed_s = clock_now_s() - began_s,
    };
    if (!w->watcher->progress(&now, w->watcher->user)) return;
    w->cancelled = true;
    if (w->stop) file_progress_cancel(progress);
}

/* Reports the progress until the work ends. The lock is released during a report, so that the work can end
 * meanwhile. */
static void report_until_end(struct task *t)
{
    const double began_s = clock_now_s();
    LOCKED(&t->lock);
    while (!t->over) {
        if (t->w->cancelled) pthread_cond_wait(&t->end, &t->lock);
        else if (!condition_wait(&t->end, &t->lock, 0.1)) {
            pthread_mutex_unlock(&t->lock);
            report_progress(t->w, began_s);
            pthread_mutex_lock(&t->lock);
        }
    }
}

int background_run(struct background *w, struct error *e)
{
    struct task t = {.w = w};
    pthread_t thread;
    w->cancelled = false;
    if (!w->watcher || !w->watcher->progress) return do_work_here(w, e);
    pthread_mutex_init(&t.lock, NULL);
    condition_init(&t.end);
    if (loops_start_thread(&thread, NULL, work_on_task, &t)) {
        report_until_end(&t);
        pthread_join(thread, NULL);
    } else {
        /* No thread can be created, so progress is not reported. */
        t.status = do_work_here(w, &t.error);
    }
    pthread_cond_destroy(&t.end);
    pthread_mutex_destroy(&t.lock);
    if (w->cancelled && !t.status) return error_cancelled(e);
    if (t.status && e) *e = t.error;
    return t.status;
}
