/* output_writer.c — writes during the computation: one thread, one state at a time. */
#include "output_inside.h"
#include "output_map.h"

#include "base/file_progress.h"
#include "base/lock.h"
#include "base/loops.h"
#include "base/trace.h"
#include "case/changes.h"
#include "text/grow.h"
#include "text/plain_locale.h"
#include "text/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames of the animation, drawn at the end with the scale of all ------------------------- */

enum { FRAME_DPI = 100 };

int output_frames_add(struct output_frames *all, const struct output_info *info,
                      const struct sim_case *c, const struct fields *f, struct error *e)
{
    if (!all->every) all->every = info->pictures.frame_every;
    if (all->count && all->kept[all->count - 1].step == f->step) return 0;
    while (all->count >= FRAMES_MOST - 1) {
        int kept = 0;
        all->every *= 2;
        for (int i = 0; i < all->count; i++)
            if (all->kept[i].step % all->every) output_sheet_free(&all->kept[i]);
            else all->kept[kept++] = all->kept[i];
        all->count = kept;
    }
    int status = output_sheet_keep(&all->kept[all->count], &all->view, c, f, e);
    if (!status) all->count++;
    return status;
}

static void forget_sheets(struct output_sheet *kept, int *count)
{
    while (*count) output_sheet_free(&kept[--*count]);
}

void output_frames_free(struct output_frames *all)
{
    forget_sheets(all->kept, &all->count);
}

struct frames_of_run {
    const struct output_frames *all;
    const struct output_scene *at;
    struct frame frame[FRAMES_MOST];
};

static int begin_frame(const void *of, int i, struct error *e)
{
    struct file_progress *progress = ((const struct frames_of_run *)of)->at->info->progress;
    if (file_progress_cancelled(progress)) return error_cancelled(e);
    file_progress_begin_file(progress, 0);
    return 0;
}

static void frame_row(const void *of, int i, int row, double *elevation_m, double *value)
{
    const struct frames_of_run *r = of;
    output_sheet_row(&r->all->kept[i], OUTPUT_MAP_THICKNESS, r->at->x, row, elevation_m, value);
}

static int paint_frames(const struct map *m, void *of, struct error *e)
{
    const struct frames_of_run *r = of;
    const struct output_painting to = {.info = r->at->info, .c = &r->at->x->part.c};
    const struct frames frames = {m, r->all->count, r->frame, begin_frame, frame_row, r};
    const struct scene scene = scene_of_frames(&frames);
    return output_picture(&to, "animation", &scene, e);
}

/* All frames have the size of the frame with the longest texts, so all frames show the map at the same place. */
static struct output_view view_of(const struct output_frames *all, const struct output_view *v)
{
    struct output_view with = *v;
    with.room_subtitle = with.room_alert = "";
    for (int i = 0; i < all->count; i++) {
        const struct output_sheet *s = &all->kept[i];
        if (strlen(WORDS_ENGLISH(s->subtitle)) > strlen(WORDS_ENGLISH(with.room_subtitle)))
            with.room_subtitle = s->subtitle;
        if (strlen(WORDS_ENGLISH(s->alert)) > strlen(WORDS_ENGLISH(with.room_alert)))
            with.room_alert = s->alert;
    }
    return with;
}

/* Writes animation.webp. */
static int output_animation(struct output_frames *all, const struct output_scene *at,
                            struct error *e)
{
    const struct output_view view = view_of(all, at->view);
    struct output_info drawn = *at->info;
    const struct output_scene scene = {&drawn, at->x, &view};
    struct frames_of_run of = {.all = all, .at = &scene};
    int status = 0;
    if (!all->count) return 0;
    drawn.formats = SCIARA_WEBP;
    if (!(drawn.pictures.width_in > 0)) drawn.pictures.dpi = FRAME_DPI; /* coarser than on paper */
    for (int i = 0; i < all->count; i++) {
        const struct output_sheet *s = &all->kept[i];
        char *note = output_sheet_note(s, OUTPUT_MAP_THICKNESS, &scene);
        if (!note) status = error_memory(e);
        of.frame[i] = (struct frame){s->subtitle, s->alert, note};
    }
    if (!status)
        status =
            output_sheet_with_map(all->kept, OUTPUT_MAP_THICKNESS, &scene, paint_frames, &of, e);
    for (int i = 0; i < all->count; i++) free((char *)(size_t)of.frame[i].note);
    return output_picture_done(&drawn, "animation", status, e);
}

/* ---- the maps of a run -------------------------------------------------------------------------
 *
 * All maps have one scale and show one part of the domain. Unless the case gives both, scale and part are known only at
 * the end. Until then snapshots are kept, as the cells that differ from the terrain of the case. If there are too many
 * snapshots or cells, the scale so far is used for all maps, and later snapshots are drawn at once. */

enum { KEPT_MOST = 100, LARGE_CELLS = 1 << 22 };
static const size_t kept_cells_most = (size_t)1 << 23;

struct output_maps {
    const struct output_info *info;
    const struct sim_case *c; /* the whole case */
    struct output_sheet *kept;
    int count;
    size_t cells;            /* number of cells in all kept snapshots */
    struct output_view view; /* the view of all states so far, with its scale */
    bool settled;            /* the view no longer changes */
    struct output_frames frames;
};

static unsigned maps_of(const struct output_info *info)
{
    const unsigned maps = info->pictures.maps;
    if (!(info->formats & OUTPUT_RECORDED)) return 0;
    return maps ? maps : OUTPUT_MAP_THICKNESS | OUTPUT_MAP_ARRIVAL;
}

static void output_maps_begin(struct output_maps *m, const struct output_info *info,
                              const struct sim_case *c)
{
    m->info = info;
    m->c = c;
    m->view.scale_high_m = c->display.scale_m[1];
    m->settled = c->display.scale_m[1] > 0 && c->display.domain; /* the case gives the view */
}

static void output_maps_free(struct output_maps *m)
{
    forget_sheets(m->kept, &m->count);
    output_frames_free(&m->frames);
    free(m->kept);
}

/* A map to draw. */
struct job {
    const struct output_sheet *sheet;
    enum output_map kind;
    double scale_denominator; /* n of 1 : n, the scale of a map of the last state */
    int status;
    struct error error;
};

struct jobs {
    struct output_scene at;
    int count;
    struct job *job;
};

static void do_job(void *jobs, int i)
{
    const struct jobs *all = jobs;
    struct job *job = &all->job[i];
    if (file_progress_cancelled(all->at.info->progress)) {
        job->status = error_cancelled(&job->error);
        return;
    }
    file_progress_begin_file(all->at.info->progress, 0);
    job->status =
        output_sheet_paint(job->sheet, job->kind, &all->at,
                           job->sheet->cell ? NULL : &job->scale_denominator, &job->error);
}

static void add_jobs(struct jobs *all, const struct output_sheet *sheet, unsigned kinds)
{
    for (unsigned kind = 1; kind <= kinds; kind <<= 1)
        if (kinds & kind) all->job[all->count++] = (struct job){.sheet = sheet, .kind = kind};
}

/* Draws small maps at the same time, and large maps one after the other, each with all threads and all memory. The order
 * of the listed files is the same in both cases. */
static int do_jobs(struct jobs *all, struct error *e)
{
    const bool large = window_cells(all->at.x->window) > LARGE_CELLS;
    int status = 0;
    if (!large) jobs_run(all->count, do_job, all);
    for (int i = 0; i < all->count && large; i++) do_job(all, i);
    for (int i = 0; i < all->count && !status; i++) {
        struct job *job = &all->job[i];
        status = output_sheet_done(&all->at, job->kind, job->sheet->step, job->scale_denominator,
                                   job->status, &job->error);
        if (status && e) *e = job->error;
    }
    return status;
}

static int keep_maps(struct output_maps *m, const struct fields *f, struct error *e)
{
    if (!GROW(m->kept, m->count)) return error_memory(e);
    int status = output_sheet_keep(&m->kept[m->count], &m->view, m->c, f, e);
    if (!status) m->cells += m->kept[m->count++].count;
    return status;
}

enum { KINDS_MOST = 4 };

/* Draws the kept snapshots, except a snapshot of the state in *at. Then draws this state. */
static int draw_all(const struct output_scene *at, const struct output_sheet *kept, int count,
                    unsigned kinds, struct error *e)
{
    const struct output_sheet state =
        output_sheet_of(at->x->part.from, at->x->f, at->x->digest, at->info->told);
    FREED struct job *job = malloc(((size_t)count + 1) * KINDS_MOST * sizeof *job);
    struct jobs all = {*at, 0, job};
    if (!job) return error_memory(e);
    for (int i = 0; i < count; i++)
        if (kept[i].step != state.step)
            add_jobs(&all, &kept[i], maps_of(at->info) & OUTPUT_MAPS_OF_SNAPSHOTS);
    add_jobs(&all, &state, kinds);
    return do_jobs(&all, e);
}

int output_maps_of_state(const struct output_info *info, const struct output_cut *x,
                         struct error *e)
{
    FREED_BY(output_view_free) struct output_view v;
    const struct output_scene scene = {info, x, &v};
    const int status = output_view_of(&v, 0, false, x, e);
    return status ? status : draw_all(&scene, NULL, 0, maps_of(info), e);
}

/* Adds the maps of the snapshot *f, whose extent is *x. Snapshots are kept until the view is settled. If too many are
 * kept, the view is settled at once, and their maps are drawn. If no pictures are requested, no snapshot is kept, and
 * the record has only maps of the end: a killed run would lose its kept snapshots, and have fewer maps when resumed. */
static int output_maps_add(struct output_maps *m, const struct fields *f,
                           const struct output_cut *x, struct error *e)
{
    const unsigned kinds = maps_of(m->info) & OUTPUT_MAPS_OF_SNAPSHOTS;
    FREED_BY(output_view_free) struct output_view v = {0};
    const struct output_scene scene = {m->info, x, &v};
    if (!kinds || !(m->info->formats & PAINTED_PICTURES)) return 0;
    if (!m->settled && m->count < KEPT_MOST && m->cells < kept_cells_most)
        return keep_maps(m, f, e);
    int status = output_view_of(&v, m->view.scale_high_m, m->settled, x, e);
    m->view.scale_high_m = v.scale_high_m;
    m->settled = true;
    if (!status) status = draw_all(&scene, m->kept, m->count, kinds, e);
    forget_sheets(m->kept, &m->count);
    return status;
}

static int output_maps_frame(struct output_maps *m, const struct fields *f, struct error *e)
{
    if (m->frames.every && f->step % m->frames.every) return 0;
    return output_frames_add(&m->frames, m->info, m->c, f, e);
}

/* Draws the last state, all kept snapshots, and the animation. */
static int output_maps_end(struct output_maps *m, const struct fields *f,
                           const struct output_cut *x, struct error *e)
{
    FREED_BY(output_view_free) struct output_view v;
    const struct output_scene scene = {m->info, x, &v};
    int status = output_view_of(&v, m->view.scale_high_m, m->settled, x, e);
    if (!status) status = draw_all(&scene, m->kept, m->count, maps_of(m->info), e);
    if (!status && m->info->pictures.frame_every) {
        /* lava may be thicker in a frame than in all snapshots */
        if (!(m->c->display.scale_m[1] > 0))
            v.scale_high_m = fmax(v.scale_high_m, m->frames.view.scale_high_m);
        status = output_frames_add(&m->frames, m->info, m->c, f, e);
        if (!status) status = output_animation(&m->frames, &scene, e);
        else status = output_missed(m->info, "animation", status, e);
    }
    return status;
}

/* ---- the writer ------------------------------------------------------------------------------ */

/* The slot has at most one state. While `full` is set, the slot belongs to the thread. Otherwise it belongs to the
 * caller. */
struct output_writer {
    struct output_info info;
    const struct sim_case *c;
    struct output_outline outline;
    bool draws;              /* the writer makes pictures, at least for the record */
    struct output_maps maps; /* set if the writer makes pictures */
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct fields slot;
    bool lent; /* the slot's arrays belong to the caller */
    int parts; /* what to write of the slot's state */
    bool full, closing;
    int status; /* status of the first state that failed; later states are dropped */
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
    int status = w->draws ? output_maps_end(&w->maps, &w->slot, x, e) : 0;
    status = output_missed(info, "maps", status, e);
    if (status) return status;
    status = output_export(info, x, e);
    status = output_missed(info, "files for other programs", status, e);
    if (!status && info->formats & OUTPUT_GEOTIFF) status = output_page(info, x, e);
    return status ? status : output_assets(info, w->c, &w->slot, e);
}

static int write_files(struct output_writer *w, struct error *e)
{
    const struct output_info *info = &w->info;
    FREED_BY(output_cut_free) struct output_cut x;
    int status = output_cut(&x, info, w->c, &w->slot, &w->outline, e);
    if (!status && info->folder) info->folder->extent = x.window;
    if (!status && w->parts & OUTPUT_FILES)
        status = output_state_files(info, w->c, &w->slot, &x, e);
    if (!status && w->parts & OUTPUT_MAPS && w->draws) {
        status = output_maps_add(&w->maps, &w->slot, &x, e);
        status = output_missed(info, "maps", status, e);
    }
    if (!status && w->parts & OUTPUT_END) status = write_end(w, &x, e);
    return status;
}

/* Writes the requested parts of the state in the slot. */
static int write_parts(struct output_writer *w, struct error *e)
{
    const struct output_info *info = &w->info;
    int status = w->parts & OUTPUT_FILES ? output_sample(info, w->c, &w->slot, e) : 0;
    if (!status && w->parts & OUTPUT_SAVE) {
        status = output_save(info, w->c, &w->slot, e);
        status = output_missed(info, "state", status, e);
    }
    if (!status && w->draws && w->parts & OUTPUT_FRAME)
        status = output_maps_frame(&w->maps, &w->slot, e);
    const bool files = w->parts & (OUTPUT_FILES | OUTPUT_MAPS | OUTPUT_END);
    return !status && files ? write_files(w, e) : status;
}

static void *write_states(void *self)
{
    struct output_writer *w = self;
    loops_limit(w->info.threads);
    IN_PLAIN_LOCALE;
    /* fonts are loaded while the first steps are computed */
    if (w->info.formats & PAINTED_PICTURES || w->info.pictures.frame_every)
        painters_check(&(struct painting){.fonts = true}, NULL);
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
    return NULL;
}

static void writer_free(struct output_writer *w)
{
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    output_maps_free(&w->maps);
    output_outline_free(&w->outline);
    free(w);
}

int output_writer_create(struct output_writer **out, const struct output_info *info,
                         const struct sim_case *c, struct error *e)
{
    struct output_writer *w = *out = calloc(1, sizeof *w);
    if (!w) return error_memory(e);
    w->info = *info;
    w->c = c;
    w->draws = info->formats & OUTPUT_RECORDED || info->pictures.frame_every;
    if (w->draws) output_maps_begin(&w->maps, &w->info, c);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    int status = w->draws || info->formats & (OUTPUT_EXPORTS | OUTPUT_GEOTIFF)
                     ? output_outline_read(&w->outline, info, c, e)
                     : 0;
    if (!status) return 0;
    writer_free(w);
    *out = NULL;
    return status;
}

int output_writer_start(struct output_writer *w, struct error *e)
{
    w->started = loops_start_thread(&w->thread, NULL, write_states, w);
    return w->started ? 0
                      : error_failed(e, "the system refuses a thread for writing; allow more "
                                        "processes (`ulimit -u`, pids.max of a container)");
}

int output_writer_keep(const struct output_writer *w, struct window lava, struct error *e)
{
    const struct sim_case *c = w->c;
    const struct problem *p = &c->problem;
    const struct window part =
        w->info.formats & OUTPUT_ORIGINAL
            ? problem_domain(p)
            : extent_around(window_of_both(w->outline.window, lava), w->info.extent, p);
    const int status = w->info.saving ? changes_read_surveys(c, e) : 0;
    return status ? status : problem_read_terrain(p, part, e);
}

/* Called with the lock held. */
static int report_status(const struct output_writer *w, struct error *e)
{
    if (w->status && e) *e = w->error;
    return w->status;
}

static int give(struct output_writer *w, const struct fields *f, int parts, bool lent,
                struct error *e)
{
    LOCKED(&w->lock);
    while (w->full) pthread_cond_wait(&w->changed, &w->lock);
    if (w->status) return report_status(w, e);
    w->slot = *f;
    w->lent = lent;
    w->parts = parts;
    w->full = true;
    pthread_cond_broadcast(&w->changed);
    return 0;
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
    LOCKED(&w->lock);
    while (w->full) pthread_cond_wait(&w->changed, &w->lock);
    return report_status(w, e);
}

bool output_writer_busy(struct output_writer *w)
{
    LOCKED(&w->lock);
    return w->full;
}

int output_writer_finish(struct output_writer *w, struct error *e)
{
    if (!w) return 0;
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (w->started) pthread_join(w->thread, NULL);
    const int status = report_status(w, e);
    writer_free(w);
    return status;
}
