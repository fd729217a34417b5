/* output_writer.c — writing during the computation: one thread, one state at a time. */
#include "output_map.h"
#include "base/loops.h"
#include "base/trace.h"
#include "draw/font.h"
#include "text/plain_locale.h"

#include <pthread.h>
#include <stdlib.h>

/* The slot holds at most one state. The thread owns it from `full` until it has written it;
 * other threads own it while not `full`. */
struct output_writer {
    struct output_info info;
    const struct sim_case *c;
    struct output_outline outline;
    struct output_maps *maps; /* NULL: none are drawn */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct fields slot;
    bool lent; /* the slot's arrays belong to the caller */
    int parts; /* of the slot: what to write */
    bool full, closing;
    int status; /* of the first state that failed; later ones are dropped */
    struct error error;
};

int output_sample(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e)
{
    const struct samples *s = info->samples;
    const int64_t every = c->snapshot_every;
    if (!s || !every || f->step % every) return 0;
    if (s->count && s->item[s->count - 1].step >= f->step) return 0;
    const struct sample one = sample_of(f);
    return samples_add(info->samples, &one, e);
}

static int write_end(struct output_writer *w, const struct output_cut *x, struct error *e)
{
    const struct output_info *info = &w->info;
    int status = w->maps ? output_maps_end(w->maps, &w->slot, x, e) : 0;
    status = output_missed(info, "maps", status, e);
    if (status) return status;
    status = output_export(info, x, e);
    status = output_missed(info, "files for other programs", status, e);
    return status ? status : output_assets(info, w->c, &w->slot, e);
}

static int write_files(struct output_writer *w, struct error *e)
{
    const struct output_info *info = &w->info;
    struct output_cut x;
    int status = output_cut(&x, info, w->c, &w->slot, &w->outline, e);
    if (!status && info->folder) info->folder->extent = x.window;
    if (!status && w->parts & OUTPUT_FILES)
        status = output_state_files(info, w->c, &w->slot, &x, e);
    if (!status && w->parts & OUTPUT_MAPS && w->maps) {
        status = output_maps_add(w->maps, &w->slot, &x, e);
        status = output_missed(info, "maps", status, e);
    }
    if (!status && w->parts & OUTPUT_END) status = write_end(w, &x, e);
    output_cut_free(&x);
    return status;
}

/* All requested parts of the state in the slot; of the last state whatever can be written. */
static int write_parts(struct output_writer *w, struct error *e)
{
    const struct output_info *info = &w->info;
    int status = w->parts & OUTPUT_FILES ? output_sample(info, w->c, &w->slot, e) : 0;
    if (!status && w->parts & OUTPUT_SAVE) {
        status = output_save(info, w->c, &w->slot, e);
        status = output_missed(info, "state", status, e);
    }
    if (!status && w->maps && w->parts & OUTPUT_FRAME)
        status = output_maps_frame(w->maps, &w->slot, e);
    const bool files = w->parts & (OUTPUT_FILES | OUTPUT_MAPS | OUTPUT_END);
    return !status && files ? write_files(w, e) : status;
}

static void *write_states(void *self)
{
    struct output_writer *w = self;
    loops_limit(w->info.threads);
    const struct plain_locale locale = plain_locale_enter();
    if (w->maps) font_prepare(); /* while the first steps are computed */
    pthread_mutex_lock(&w->lock);
    while (true) {
        while (!w->full && !w->closing) pthread_cond_wait(&w->changed, &w->lock);
        if (!w->full) break;
        int status = w->status;
        struct error error = w->error;
        pthread_mutex_unlock(&w->lock);
        trace_begin("write step %lld", (long long)w->slot.step);
        if (!status) status = write_parts(w, &error);
        trace_end();
        pthread_mutex_lock(&w->lock);
        w->status = status;
        w->error = error;
        if (!w->lent) fields_free(&w->slot);
        w->full = false;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    plain_locale_leave(locale);
    return NULL;
}

int output_writer_create(struct output_writer **out, const struct output_info *info,
                         const struct sim_case *c, struct error *e)
{
    *out = NULL;
    struct output_writer *w = calloc(1, sizeof *w);
    if (!w) return error_memory(e);
    w->info = *info;
    w->c = c;
    const bool shown =
        info->formats & (OUTPUT_PICTURES | OUTPUT_EXPORTS) || info->pictures.frame_every;
    int status = shown ? output_outline_read(&w->outline, info, c, e) : 0;
    if (!status && (info->formats & OUTPUT_PICTURES || info->pictures.frame_every))
        status = output_maps_create(&w->maps, &w->info, c, e);
    if (!status) {
        pthread_mutex_init(&w->lock, NULL);
        pthread_cond_init(&w->changed, NULL);
        if (!loops_start_thread(&w->thread, NULL, write_states, w)) {
            pthread_cond_destroy(&w->changed);
            pthread_mutex_destroy(&w->lock);
            status = error_failed(e, "the system refuses a thread for writing; allow more "
                                     "processes (`ulimit -u`, pids.max of a container)");
        }
    }
    if (status) {
        output_maps_free(w->maps);
        output_outline_free(&w->outline);
        free(w);
        return status;
    }
    *out = w;
    return 0;
}

/* With the lock held. */
static int report(const struct output_writer *w, struct error *e)
{
    if (w->status && e) *e = w->error;
    return w->status;
}

static int give(struct output_writer *w, const struct fields *f, int parts, bool lent,
                struct error *e)
{
    pthread_mutex_lock(&w->lock);
    while (w->full) pthread_cond_wait(&w->changed, &w->lock);
    int status = report(w, e);
    if (!status) {
        w->slot = *f;
        w->lent = lent;
        w->parts = parts;
        w->full = true;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return status;
}

int output_writer_put(struct output_writer *w, struct fields *f, int parts, struct error *e)
{
    int status = give(w, f, parts, false, e);
    if (status) fields_free(f);
    *f = (struct fields){0};
    return status;
}

int output_writer_lend(struct output_writer *w, const struct fields *f, int parts, struct error *e)
{
    return give(w, f, parts, true, e);
}

int output_writer_wait(struct output_writer *w, struct error *e)
{
    pthread_mutex_lock(&w->lock);
    while (w->full) pthread_cond_wait(&w->changed, &w->lock);
    const int status = report(w, e);
    pthread_mutex_unlock(&w->lock);
    return status;
}

bool output_writer_busy(struct output_writer *w)
{
    pthread_mutex_lock(&w->lock);
    const bool busy = w->full;
    pthread_mutex_unlock(&w->lock);
    return busy;
}

int output_writer_finish(struct output_writer *w, struct error *e)
{
    if (!w) return 0;
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    int status = report(w, e);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    output_maps_free(w->maps);
    output_outline_free(&w->outline);
    free(w);
    return status;
}
