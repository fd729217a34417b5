/* output_maps.c — the maps of a run, which have one scale and show one part of the domain.
 *
 * Both are known at the end, unless the case says them: so snapshots are kept until then, as the
 * cells where they differ from the terrain of the case. Where they get too many, their scale is
 * that of the later ones, too, which are drawn as they come. */
#include "output_parts.h"

#include "base/watch.h"
#include "compare/runfolder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 100 };
static const size_t kept_cells_most = (size_t)1 << 23;

/* A cell with lava, or with another ground than at the beginning. */
struct cell {
    size_t at;
    double terrain;
    float thickness_m, temperature_C; /* NaN: none is drawn */
};

struct kept {
    struct output_sheet sheet; /* without its arrays */
    size_t count;
    struct cell *cell;
};

struct output_maps {
    const struct output_info *info;
    const struct sim_case *c;
    const unsigned char *outline;
    struct kept *kept;
    int count;
    size_t cells;            /* of all of them */
    struct output_view view; /* its scale: of what has come so far */
    bool settled;            /* it stays so */
};

static unsigned maps_of(const struct output_info *info)
{
    const unsigned maps = info->pictures.maps;
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
    for (int i = 0; i < m->count; i++) free(m->kept[i].cell);
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

static double ground_of(const struct sim_case *c, const struct window *w, size_t i)
{
    const size_t row = i / (size_t)w->cols + (size_t)w->row0,
                 col = i % (size_t)w->cols + (size_t)w->col0;
    return c->problem.elevation_m[row * (size_t)c->problem.cols + col];
}

static bool differs(const struct sim_case *c, const struct fields *f, size_t i)
{
    const double here = f->elevation_m[i], there = ground_of(c, &f->window, i);
    return f->thickness_m[i] + f->solid_m[i] > 0 ||
           (here != there && !(isnan(here) && isnan(there)));
}

static int keep_cells(struct kept *k, const struct sim_case *c, const struct fields *f,
                      struct error *e)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    for (size_t i = 0; i < n; i++) k->count += differs(c, f, i);
    k->cell = malloc((k->count + 1) * sizeof *k->cell);
    if (!k->cell) return error_failed(e, "out of memory to keep a map for the end of the run");
    struct cell *to = k->cell;
    for (size_t i = 0; i < n; i++)
        if (differs(c, f, i)) *to++ = (struct cell){.at = i, .terrain = f->elevation_m[i]};
    return 0;
}

static int keep(struct output_maps *m, const struct fields *f, struct error *e)
{
    struct kept *more = realloc(m->kept, ((size_t)m->count + 1) * sizeof *more), *k;
    if (!more) return error_failed(e, "out of memory to keep a map for the end of the run");
    m->kept = more;
    k = &m->kept[m->count];
    *k = (struct kept){0};
    struct output_sheet s;
    int status = output_sheet_create(&s, m->c, f, e);
    if (!status) status = keep_cells(k, m->c, f, e);
    if (!status) {
        m->count++;
        m->cells += k->count;
        output_sheet_take(&s, OUTPUT_MAP_THICKNESS, m->c, f);
        output_view_widen(&m->view, &s);
        for (size_t i = 0; i < k->count; i++) {
            k->cell[i].thickness_m = (float)s.value[k->cell[i].at];
            k->cell[i].terrain = s.terrain[k->cell[i].at];
        }
        output_sheet_take(&s, OUTPUT_MAP_TEMPERATURE, m->c, f);
        for (size_t i = 0; i < k->count; i++)
            k->cell[i].temperature_C = (float)s.value[k->cell[i].at];
        k->sheet = s;
        k->sheet.value = k->sheet.filled = NULL;
        k->sheet.terrain = NULL;
    }
    output_sheet_free(&s);
    return status;
}

/* ---- the end
 * ------------------------------------------------------------------------------------- */

static double *base_terrain(const struct sim_case *c, const struct window *w)
{
    const size_t n = (size_t)w->rows * (size_t)w->cols;
    const bool holes = c->original && c->unrounded;
    double *z = malloc(n * sizeof *z);
    for (size_t i = 0; z && i < n; i++) {
        z[i] = ground_of(c, w, i);
        if (holes && z[i] < ELEVATION_MIN_M) z[i] = (double)NAN;
    }
    return z;
}

static int draw_kept(struct output_maps *m, struct kept *k, const struct output_view *v,
                     struct error *e)
{
    const struct window *w = &k->sheet.window;
    const size_t n = (size_t)w->rows * (size_t)w->cols;
    const unsigned kinds = maps_of(m->info) & OUTPUT_MAPS_OF_SNAPSHOTS;
    struct output_sheet *s = &k->sheet;
    s->filled = base_terrain(m->c, w);
    s->value = malloc(n * sizeof *s->value);
    int status = 0;
    if (!s->filled || !s->value) status = error_failed(e, "out of memory while drawing the map");
    for (size_t i = 0; i < k->count && !status; i++) s->filled[k->cell[i].at] = k->cell[i].terrain;
    s->terrain = s->filled;
    for (unsigned kind = 1; kind <= kinds && !status; kind <<= 1) {
        if (!(kinds & kind)) continue;
        watch_file(m->info->watch, 0);
        for (size_t i = 0; i < n; i++) s->value[i] = (double)NAN;
        for (size_t i = 0; i < k->count; i++)
            s->value[k->cell[i].at] =
                kind == OUTPUT_MAP_THICKNESS ? k->cell[i].thickness_m : k->cell[i].temperature_C;
        status = output_sheet_draw(m->info, m->c, s, kind, v, m->outline, e);
    }
    output_sheet_free(s);
    return status;
}

static int draw_all_kept(struct output_maps *m, int64_t but_step, const struct output_view *v,
                         struct error *e)
{
    int status = 0;
    for (int i = 0; i < m->count && !status; i++) {
        if (watch_cancelled(m->info->watch)) return error_cancelled(e);
        if (m->kept[i].sheet.step != but_step) status = draw_kept(m, &m->kept[i], v, e);
        free(m->kept[i].cell);
        m->kept[i].cell = NULL;
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

int output_maps_end(struct output_maps *m, const struct fields *f, struct error *e)
{
    struct output_view v;
    int status = find_view(&v, &m->view, m->settled, m->c, f, m->outline, e);
    if (!status) status = draw_all_kept(m, f->step, &v, e);
    return status ? status : draw_kinds(m->info, m->c, f, maps_of(m->info), &v, m->outline, e);
}
