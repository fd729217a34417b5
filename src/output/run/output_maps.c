/* output_maps.c — the maps of a run, which have one scale and show one part of the domain.
 *
 * Both are known at the end, unless the case defines them: so snapshots are kept until then, as the
 * cells where they differ from the terrain of the case. Where they get too many, their scale is
 * that of the later ones, too, which are drawn as they come. */
#include "output_map.h"

#include "base/file_progress.h"
#include "base/jobs.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>

enum { KEPT_MOST = 100, LARGE_CELLS = 1 << 22 };
static const size_t kept_cells_most = (size_t)1 << 23;

struct output_maps {
    const struct output_info *info;
    const struct sim_case *c; /* the whole */
    struct output_kept *kept;
    int count;
    size_t cells;            /* of all of them */
    struct output_view view; /* its scale: of what has come so far */
    bool settled;            /* it stays so */
    struct output_frames frames;
};

static unsigned maps_of(const struct output_info *info)
{
    const unsigned maps = info->pictures.maps;
    if (!(info->formats & OUTPUT_PICTURES)) return 0;
    return maps ? maps : OUTPUT_MAP_THICKNESS | OUTPUT_MAP_ARRIVAL;
}

int output_maps_create(struct output_maps **out, const struct output_info *info,
                       const struct sim_case *c, struct error *e)
{
    struct output_maps *m = *out = calloc(1, sizeof *m);
    if (!m) return error_memory(e);
    *m = (struct output_maps){.info = info, .c = c};
    m->view.scale_high_m = c->display.scale_m[1];
    m->settled = c->display.scale_m[1] > 0 && c->display.domain; /* all of it is given */
    return 0;
}

void output_maps_free(struct output_maps *m)
{
    if (!m) return;
    for (int i = 0; i < m->count; i++) output_kept_free(&m->kept[i]);
    output_frames_free(&m->frames);
    free(m->kept);
    free(m);
}

/* ---- all of a state -------------------------------------------------------------------------- */

struct job {
    struct output_kept *kept; /* NULL: the state */
    enum output_map kind;
    double scale_denominator; /* of a map of the state */
    int status;
    struct error error;
};

struct jobs {
    struct output_scene at; /* the state is that of its extent */
    int count;
    struct job *job;
};

static int draw_state(const struct jobs *all, struct job *job, struct error *e)
{
    const struct output_cut *x = all->at.x;
    struct output_sheet s = output_sheet_of(x->part.from, x->f);
    s.x = x;
    const int status = output_sheet_draw(&s, job->kind, &all->at, NULL, e);
    job->scale_denominator = s.scale_denominator;
    return status;
}

static void do_job(void *jobs, int i)
{
    const struct jobs *all = jobs;
    struct job *job = &all->job[i];
    if (file_progress_cancelled(all->at.info->progress)) {
        job->status = error_cancelled(&job->error);
        return;
    }
    file_progress_begin_file(all->at.info->progress, 0);
    job->status = job->kept ? output_kept_draw(job->kept, job->kind, &all->at, NULL, &job->error)
                            : draw_state(all, job, &job->error);
}

static void add_jobs(struct jobs *all, struct output_kept *kept, unsigned kinds)
{
    for (unsigned kind = 1; kind <= kinds; kind <<= 1)
        if (kinds & kind) all->job[all->count++] = (struct job){.kept = kept, .kind = kind};
}

/* Several maps at once, large ones one after the other, each with all threads and its own memory; a list of
 * them that does not depend on it. */
static int do_jobs(struct jobs *all, struct error *e)
{
    const bool large = window_cells(all->at.x->window) > LARGE_CELLS;
    int status = 0;
    if (!large) jobs_run(all->count, do_job, all);
    for (int i = 0; i < all->count && large; i++) do_job(all, i);
    for (int i = 0; i < all->count && !status; i++) {
        struct job *job = &all->job[i];
        status = output_sheet_done(&all->at, job->kind,
                                   job->kept ? job->kept->sheet.step : all->at.x->f->step,
                                   job->scale_denominator, job->status, &job->error);
        if (status && e) *e = job->error;
    }
    return status;
}

enum { KINDS_MOST = 4 };

/* With a scale for this state, too, unless it is fixed. */
static int find_view(struct output_view *v, const struct output_view *so_far, bool fixed,
                     const struct output_cut *x, struct error *e)
{
    int status = output_view_of(v, x, e);
    if (status || x->part.c.display.scale_m[1] > 0) return status;
    v->scale_high_m = so_far->scale_high_m;
    return fixed ? 0 : output_view_widen(v, x, e);
}

int output_maps_of_state(const struct output_info *info, const struct output_cut *x,
                         struct error *e)
{
    struct output_view v;
    struct job job[KINDS_MOST];
    struct jobs all = {{info, x, &v}, 0, job};
    int status = find_view(&v, &(struct output_view){0}, false, x, e);
    add_jobs(&all, NULL, maps_of(info));
    if (!status) status = do_jobs(&all, e);
    output_view_free(&v);
    return status;
}

/* ---- snapshots that wait --------------------------------------------------------------------- */

static int keep(struct output_maps *m, const struct fields *f, struct error *e)
{
    if (!GROW(m->kept, m->count)) return error_memory(e);
    int status = output_kept_take(&m->kept[m->count], &m->view, m->c, f, e);
    if (!status) m->cells += m->kept[m->count++].count;
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* All kept snapshots except of this state, and this state. */
static int draw_all(struct output_maps *m, const struct output_cut *x, unsigned kinds,
                    const struct output_view *v, struct error *e)
{
    struct jobs all = {{m->info, x, v}, 0, NULL};
    all.job = malloc(((size_t)m->count + 1) * KINDS_MOST * sizeof *all.job);
    if (!all.job) return error_memory(e);
    for (int i = 0; i < m->count; i++)
        if (m->kept[i].sheet.step != x->f->step)
            add_jobs(&all, &m->kept[i], maps_of(m->info) & OUTPUT_MAPS_OF_SNAPSHOTS);
    add_jobs(&all, NULL, kinds);
    int status = do_jobs(&all, e);
    free(all.job);
    for (int i = 0; i < m->count; i++) output_kept_free(&m->kept[i]);
    m->count = 0;
    return status;
}

int output_maps_add(struct output_maps *m, const struct fields *f, const struct output_cut *x,
                    struct error *e)
{
    const unsigned kinds = maps_of(m->info) & OUTPUT_MAPS_OF_SNAPSHOTS;
    struct output_view v;
    if (!kinds) return 0;
    if (!m->settled && m->count < KEPT_MOST && m->cells < kept_cells_most) return keep(m, f, e);
    int status = find_view(&v, &m->view, m->settled, x, e);
    m->view.scale_high_m = v.scale_high_m;
    m->settled = true;
    if (!status) status = draw_all(m, x, kinds, &v, e);
    output_view_free(&v);
    return status;
}

int output_maps_frame(struct output_maps *m, const struct fields *f, struct error *e)
{
    if (m->frames.every && f->step % m->frames.every) return 0;
    return output_frames_add(&m->frames, m->info, m->c, f, e);
}

int output_maps_end(struct output_maps *m, const struct fields *f, const struct output_cut *x,
                    struct error *e)
{
    struct output_view v;
    int status = find_view(&v, &m->view, m->settled, x, e);
    if (!status) status = draw_all(m, x, maps_of(m->info), &v, e);
    if (!status && m->info->pictures.frame_every) {
        /* a frame may be thicker than all snapshots */
        if (!(m->c->display.scale_m[1] > 0))
            v.scale_high_m = fmax(v.scale_high_m, m->frames.view.scale_high_m);
        status = output_frames_add(&m->frames, m->info, m->c, f, e);
        if (!status)
            status = output_animation(&m->frames, &(struct output_scene){m->info, x, &v}, e);
        status = output_missed(m->info, "animation", status, e);
    }
    output_view_free(&v);
    return status;
}
