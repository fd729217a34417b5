/* output_maps.c — the maps of a run, which have one scale and show one part of the domain.
 *
 * Both are known at the end, unless the case says them: so snapshots are kept until then, as the
 * cells where they differ from the terrain of the case. Where they get too many, their scale is
 * that of the later ones, too, which are drawn as they come. */
#include "output_animation.h"
#include "output_kept.h"

#include "base/watch.h"
#include "compare/runfolder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 100 };
static const size_t kept_cells_most = (size_t)1 << 23;

struct output_maps {
    const struct output_info *info;
    const struct sim_case *c;
    const unsigned char *outline;
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

bool output_is_map(const char *name)
{
    static const char *const prefix[] = {"map", "map_arrival", "map_temperature",
                                         "map_max_thickness"},
                             *const ending[] = {".png", ".svg", ".pdf"};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            if (runfolder_layer_step(name, prefix[i], ending[k]) >= 0) return true;
    return false;
}

int output_maps_create(struct output_maps **out, const struct output_info *info,
                       const struct sim_case *c, const unsigned char *outline, struct error *e)
{
    struct output_maps *m = *out = calloc(1, sizeof *m);
    if (!m) return error_failed(e, "out of memory");
    *m = (struct output_maps){.info = info, .c = c, .outline = outline};
    m->view.scale_high_m = c->map_scale_high_m;
    m->settled = output_view_given(c);
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

/* ---- all of a state
 * ------------------------------------------------------------------------------ */

static int draw_kinds(const struct output_info *info, const struct sim_case *c,
                      const struct fields *f, unsigned kinds, const struct output_view *v,
                      const unsigned char *outline, struct error *e)
{
    struct output_sheet s;
    int status = output_sheet_create(&s, c, f, e);
    if (status) return status;
    for (unsigned kind = 1; kind <= kinds && !status; kind <<= 1) {
        if (!(kinds & kind)) continue;
        watch_file(info->watch, 0);
        output_sheet_take(&s, kind, c, f);
        status = output_sheet_draw(info, c, &s, kind, v, outline, e);
    }
    output_sheet_free(&s);
    return status;
}

/* With a scale for this state, too, unless it is fixed. */
static int find_view(struct output_view *v, const struct output_view *so_far, bool fixed,
                     const struct sim_case *c, const struct fields *f, const unsigned char *outline,
                     struct error *e)
{
    struct output_sheet s;
    int status = output_view_of(v, c, f, outline, e);
    if (status || c->map_scale_high_m > 0) return status;
    v->scale_high_m = so_far->scale_high_m;
    if (fixed) return 0;
    status = output_sheet_create(&s, c, f, e);
    if (status) return status;
    output_sheet_take(&s, OUTPUT_MAP_THICKNESS, c, f);
    output_view_widen(v, &s);
    output_sheet_free(&s);
    return 0;
}

int output_maps_of_state(const struct output_info *info, const struct sim_case *c,
                         const struct fields *f, const unsigned char *outline, struct error *e)
{
    struct output_view v;
    int status = find_view(&v, &(struct output_view){0}, false, c, f, outline, e);
    return status ? status : draw_kinds(info, c, f, maps_of(info), &v, outline, e);
}

/* ---- snapshots that wait
 * ------------------------------------------------------------------------- */

static int keep(struct output_maps *m, const struct fields *f, struct error *e)
{
    struct output_kept *more = realloc(m->kept, ((size_t)m->count + 1) * sizeof *more);
    if (!more) return error_failed(e, "out of memory to keep a map for the end of the run");
    m->kept = more;
    int status = output_kept_take(&m->kept[m->count], &m->view, m->c, f, e);
    if (!status) m->cells += m->kept[m->count++].count;
    return status;
}

/* ---- the end
 * ------------------------------------------------------------------------------------- */

static int draw_kept(struct output_maps *m, struct output_kept *k, const struct output_view *v,
                     struct error *e)
{
    const unsigned kinds = maps_of(m->info) & OUTPUT_MAPS_OF_SNAPSHOTS;
    int status = output_kept_unfold(k, m->c, e);
    for (unsigned kind = 1; kind <= kinds && !status; kind <<= 1) {
        if (!(kinds & kind)) continue;
        watch_file(m->info->watch, 0);
        output_kept_values(k, kind);
        status = output_sheet_draw(m->info, m->c, &k->sheet, kind, v, m->outline, e);
    }
    output_sheet_free(&k->sheet);
    return status;
}

static int draw_all_kept(struct output_maps *m, int64_t but_step, const struct output_view *v,
                         struct error *e)
{
    int status = 0;
    for (int i = 0; i < m->count && !status; i++) {
        if (watch_cancelled(m->info->watch)) return error_cancelled(e);
        if (m->kept[i].sheet.step != but_step) status = draw_kept(m, &m->kept[i], v, e);
        output_kept_free(&m->kept[i]);
    }
    m->count = 0;
    return status;
}

int output_maps_add(struct output_maps *m, const struct fields *f, struct error *e)
{
    const unsigned kinds = maps_of(m->info) & OUTPUT_MAPS_OF_SNAPSHOTS;
    struct output_view v;
    if (!kinds) return 0;
    if (!m->settled && m->count < KEPT_MOST && m->cells < kept_cells_most) return keep(m, f, e);
    int status = find_view(&v, &m->view, m->settled, m->c, f, m->outline, e);
    m->view.scale_high_m = v.scale_high_m;
    m->settled = true;
    if (!status) status = draw_all_kept(m, -1, &v, e);
    return status ? status : draw_kinds(m->info, m->c, f, kinds, &v, m->outline, e);
}

int output_maps_frame(struct output_maps *m, const struct fields *f, struct error *e)
{
    if (m->frames.every && f->step % m->frames.every) return 0;
    return output_frames_add(&m->frames, m->info, m->c, f, e);
}

int output_maps_end(struct output_maps *m, const struct fields *f, struct error *e)
{
    struct output_view v;
    int status = find_view(&v, &m->view, m->settled, m->c, f, m->outline, e);
    if (!status) status = draw_all_kept(m, f->step, &v, e);
    if (!status) status = draw_kinds(m->info, m->c, f, maps_of(m->info), &v, m->outline, e);
    if (!status && m->info->pictures.frame_every) {
        /* a frame may be thicker than all snapshots */
        if (!(m->c->map_scale_high_m > 0))
            v.scale_high_m = fmax(v.scale_high_m, m->frames.view.scale_high_m);
        status = output_frames_add(&m->frames, m->info, m->c, f, e);
        if (!status) status = output_animation(&m->frames, m->info, m->c, &v, m->outline, e);
    }
    return status;
}
