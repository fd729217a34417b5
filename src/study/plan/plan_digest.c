/* plan_digest.c — the digest of everything that decides members and statistics. The row of a key in its schema
 * states how the key counts (enum key_counts). A large terrain counts only by samples. Names and places of files do
 * not count. */
#include "plan.h"

#include "base/mix64.h"
#include "case/changes.h"
#include "case/parameter_sets.h"
#include "case/resolution.h"
#include "terrain/noise.h"
#include "text/textfile.h"
#include "text/times.h"

#include <stdlib.h>
#include <string.h>

static uint64_t of_bytes(uint64_t hash, const void *data, size_t size)
{
    const char *byte = data;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, byte + i, size - i < 8 ? size - i : 8);
        hash = noise_hash(hash, (int64_t)word, 0, 0);
    }
    return noise_hash(hash, (int64_t)size, 1, 0);
}

static uint64_t of_text(uint64_t hash, const char *text)
{
    return of_bytes(hash, text, strlen(text));
}

/* Whether the line of a key counts as it is written. The first schema with the key decides, because a calibration may
 * replace keys of plans. */
static bool counts_as_written(const char *key)
{
    struct key k;
    for (int i = 0; schemas[i]; i++)
        if (schema_find(schemas[i], key, &k)) return k.counts == COUNTS_LINE;
    return true;
}

/* Whether a line gives Pclock the value of the parameter set, so that Pclock is not scaled with the cell size. The
 * digest leaves out such a line. Earlier versions never scaled Pclock, so a plan with this line has the digest that
 * earlier versions gave the plan without it. */
static bool restores_clock(const struct plan *p, const struct keyvalue *line)
{
    struct parameter_set set;
    const struct sim_case *c = &p->base;
    return !strcmp(line->key, "Pclock") && p->settings.parameter_set && resolution_clock_s(c) > 0 &&
           !parameter_set_find(&set, c->parameter_set, NULL) &&
           c->problem.params.clock_s == set.params.clock_s;
}

/* Adds the lines that count as they are written. Their order does not matter. */
static uint64_t of_lines(const struct plan *p)
{
    const struct keyvalues *k = &p->settings.lines;
    uint64_t sum = 0;
    bool any_date = false;
    for (int i = 0; i < k->count; i++) {
        if (!counts_as_written(k->item[i].key) || restores_clock(p, &k->item[i])) continue;
        sum += of_text(of_text(2, k->item[i].key), k->item[i].value);
        any_date = any_date || times_has_date(k->item[i].value);
    }
    if (any_date) sum += of_text(of_text(2, "start_time"), p->base.start_time);
    /* If a line names a parameter set or a kind of DEM, its numbers count, too. Another version may have other numbers. */
    if (p->settings.parameter_set)
        sum += of_bytes(8, &p->settings.params, PARAMETERS * sizeof(double));
    if (p->keys.dem_length_m > 0)
        sum += of_bytes(9, &p->keys.terrain_error_m, sizeof(double)) +
               of_bytes(10, &p->keys.terrain_error_length_m, sizeof(double));
    return sum;
}

static uint64_t of_layer(uint64_t hash, const double *value, struct window w, int cols)
{
    const size_t cells = (size_t)w.rows * (size_t)w.cols;
    if (!value) return noise_hash(hash, 0, 2, 0);
    value += (size_t)w.row0 * (size_t)cols + (size_t)w.col0;
    if (w.cols == cols) return of_bytes(hash, value, cells * sizeof *value);
    for (int row = 0; row < w.rows; row++, value += cols)
        hash = of_bytes(hash, value, (size_t)w.cols * sizeof *value);
    return hash;
}

/* Adds terrain and initial lava in a window to the digest. */
static int of_window(uint64_t *hash, const struct plan *p, struct window w, struct error *e)
{
    const struct sim_case *c = &p->base;
    const double *const layer[] = {c->elevation_m, c->thickness_m, c->temp_K, c->solid_m};
    int status = problem_read_terrain(&c->problem, w, e);
    for (size_t i = 0; !status && i < sizeof layer / sizeof *layer; i++)
        *hash = of_layer(*hash, layer[i], w, c->problem.cols);
    return status;
}

/* A window around a cell, cut at the border of the domain. */
static struct window window_near(const struct problem *q, int row, int col)
{
    enum { NEAR = 32 };
    return window_common((struct window){row - NEAR, col - NEAR, 2 * NEAR, 2 * NEAR},
                         problem_domain(q));
}

/* Adds the whole terrain to the digest. If the terrain is read on demand, adds only windows that are spread over the
 * terrain, and windows around vents. */
static int of_terrain(uint64_t *hash, const struct plan *p, struct error *e)
{
    enum { SIDE = 4, POINTS = 16 };
    const struct problem *q = &p->base.problem;
    const bool listed = p->sources.point_count > 0;
    const struct vent_point *point = listed ? p->sources.point : p->vents.point;
    const int points = listed ? p->sources.point_count : p->vents.count,
              step = (points + POINTS - 1) / POINTS;
    int status = 0;
    if (!q->terrain) return of_window(hash, p, (struct window){0, 0, q->rows, q->cols}, e);
    for (int i = 0; i < SIDE * SIDE && !status; i++) {
        const int row = (int)((int64_t)q->rows * (2 * (i / SIDE) + 1) / (2 * SIDE)),
                  col = (int)((int64_t)q->cols * (2 * (i % SIDE) + 1) / (2 * SIDE));
        status = of_window(hash, p, window_near(q, row, col), e);
    }
    for (int i = 0; i < points && !status; i += step) {
        const struct place *at = &point[i].at;
        status = of_window(hash, p, window_near(q, q->rows - 1 - (int)at->up, (int)at->right), e);
    }
    return status;
}

static uint64_t of_series(uint64_t hash, const struct rate_series *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct rate_series_interval *k = &c->interval[i];
        hash = noise_hash(hash, k->id, 3, 0);
        const double number[] = {k->from_s, k->to_s, k->rate_m3_s};
        hash = of_bytes(hash, number, sizeof number);
    }
    return noise_hash(hash, c->count, 4, 0);
}

struct of_file {
    uint64_t hash;
    int status;
    struct error *e;
};

static void add_file(void *self, const char *path)
{
    struct of_file *f = self;
    FREED char *data = NULL;
    size_t size;
    if (!f->status) f->status = textfile_load(&data, &size, path, f->e);
    if (!f->status) f->hash = of_bytes(f->hash, data, size);
}

/* Adds to the digest the bytes of a file and of all files that belong to it, and the name of its layer. */
static int of_file(uint64_t *hash, const char *path, struct error *e)
{
    struct of_file f = {*hash, 0, e};
    if (!path) {
        *hash = noise_hash(*hash, 0, 5, 0);
        return 0;
    }
    FREED char *file = vectors_file_of(path);
    if (!file || !vectors_each_file(path, add_file, &f)) f.status = error_memory(e);
    else if (!f.status) f.status = textfile_check_regular(file, "a file", e);
    if (file && strcmp(file, path)) f.hash = of_text(f.hash, path + strlen(file));
    *hash = f.hash;
    return f.status;
}

/* ---- parts that count as numbers or bytes, and parts that are not keys ----------------------- */

typedef int plan_part(uint64_t *to, const struct plan *p, struct error *e);

/* Adds all rates and shapes to the digest, also the rates of files that tables name. Adds the points of sources,
 * too. */
static int of_eruptions(uint64_t *to, const struct plan *p, struct error *e)
{
    uint64_t hash = of_series(of_series(*to, &p->rates), &p->shape);
    if (p->history.sd)
        hash = of_bytes(hash, p->history.sd, (size_t)p->rates.count * sizeof *p->history.sd);
    if (p->shares.times) hash = of_series(hash, &p->shares.of);
    for (int i = 0; i < p->classes.choice.count; i++)
        hash = of_series(hash, &p->classes.item[i].series);
    for (int i = 0; i < p->table.rates_count; i++) hash = of_series(hash, &p->table.rates[i]);
    for (int i = 0; i < p->sources.point_count; i++) {
        const struct vent_point *v = &p->sources.point[i];
        const double number[] = {v->at.right, v->at.up, v->weight};
        hash = of_bytes(noise_hash(hash, v->id, 6, 0), number, sizeof number);
    }
    *to = hash;
    return 0;
}

static int of_classes(uint64_t *to, const struct plan *p, struct error *e)
{
    for (int i = 0; i < p->classes.choice.count; i++) {
        const struct eruption_class *c = &p->classes.item[i];
        const double number[] = {c->volume_m3, c->duration_s, p->classes.choice.share[i]};
        *to = of_bytes(of_text(*to, c->name), number, sizeof number);
    }
    return 0;
}

/* Bytes of the variables before ERUPTION_END. The first version of sciara had only these variables. A later variable
 * counts only if a plan gives it, so that digests of older plans stay. */
enum { FIRST_VARIABLES = ERUPTION_END * sizeof(double) };

static int of_correlation(uint64_t *to, const struct plan *p, struct error *e)
{
    for (int i = 0; i < p->correlation.count; i++)
        *to = of_bytes(noise_hash(*to, p->correlation.variable[i], 7, 0), p->correlation.root[i],
                       FIRST_VARIABLES);
    return 0;
}

static int of_rows(uint64_t *to, const struct plan *p, struct error *e)
{
    const struct member_table *t = &p->table;
    uint64_t hash = *to;
    for (int i = 0; i < t->count; i++) {
        const struct table_row *r = &t->row[i];
        const double place[] = {r->x, r->y, r->stop_mobile_m};
        hash = noise_hash(hash, (int64_t)r->weight, r->vent, 9);
        hash = noise_hash(hash, r->class, r->rates, 10);
        hash = noise_hash(hash, r->terrain_seed, r->max_steps, 11);
        hash = of_bytes(of_bytes(hash, place, sizeof place), r->value, FIRST_VARIABLES);
        for (int v = ERUPTION_END; v < VARIABLES; v++)
            if (t->has[v]) hash = of_bytes(hash, &r->value[v], sizeof r->value[v]);
    }
    *to = t->count ? noise_hash(hash, t->count, 12, 0) : noise_hash(hash, 0, 5, 0);
    return 0;
}

/* If a vector file was transformed, adds the CRS of the result to the digest. */
static uint64_t of_way(uint64_t hash, const struct vectors_about *a)
{
    return *a->projected_to ? of_text(hash, a->projected_to) : hash;
}

static int of_ways(uint64_t *to, const struct plan *p, struct error *e)
{
    *to = of_way(of_way(of_way(*to, &p->vents.about), &p->base.outline_about), &p->assets_about);
    return 0;
}

static int of_vents(uint64_t *to, const struct plan *p, struct error *e)
{
    return of_file(to, p->settings.vents ? p->files.vents : NULL, e);
}

static int of_outline(uint64_t *to, const struct plan *p, struct error *e)
{
    return of_file(to, p->base.outline_path, e);
}

static int of_assets(uint64_t *to, const struct plan *p, struct error *e)
{
    return of_file(to, p->assets, e);
}

static int of_grid(uint64_t *to, const struct plan *p, struct error *e)
{
    const struct georef *g = &p->base.geo;
    const double place[] = {g->west_m, g->south_m, g->cell_m, p->base.problem.rows,
                            p->base.problem.cols};
    *to = of_bytes(*to, place, sizeof place);
    return 0;
}

static int of_sea(uint64_t *to, const struct plan *p, struct error *e)
{
    if (p->base.sea) *to = of_bytes(*to, &p->base.sea_level_m, sizeof p->base.sea_level_m);
    return 0;
}

/* Adds the changes of the terrain and their times to the digest. Times count in seconds, because the length of a step
 * may differ between members. */
static int of_changes(uint64_t *to, const struct plan *p, struct error *e)
{
    const struct sim_case *c = &p->base;
    if (c->change_count) *to = noise_hash(*to, (int64_t)changes_digest(c), c->change_count, 14);
    for (int i = 0; i < c->change_count; i++)
        *to = of_bytes(*to, &c->change[i].time_s, sizeof c->change[i].time_s);
    return 0;
}

/* Adds a state to the digest: its own digest, its step, and its sums of lava, heat and changes of the ground. */
static int of_state(uint64_t *to, const struct plan *p, struct error *e)
{
    if (!p->from) return 0;
    const struct fields *f = &p->from->f;
    const quanta sum[] = {f->emitted,      f->left_domain,     f->entered_sea,
                          f->heat.emitted, f->heat.solidified, f->heat.left_domain,
                          f->heat.cooled,  f->ground.raised,   f->ground.lowered};
    const struct restart *about = &p->from->about;
    *to = of_bytes(noise_hash(*to, (int64_t)about->digest, about->step, 15), sum, sizeof sum);
    return 0;
}

/* Adds the estimated probabilities of vents and classes to the digest. Members draw vents and classes with other
 * probabilities, which are not added here. */
static int of_hazard(uint64_t *to, const struct plan *p, struct error *e)
{
    const struct plan_hazard *h = p->hazard;
    if (!h) return 0;
    *to = of_bytes(*to, h->opens,
                   (size_t)p->sources.choice.count * (size_t)h->opening.zones * sizeof *h->opens);
    for (int k = 0; k < h->catalogue.kinds; k++)
        for (int c = 0; c < p->classes.choice.count; c++) {
            const double part = plan_hazard_part(h, k) * h->catalogue.kind[k].share[c];
            *to = of_bytes(*to, &part, sizeof part);
        }
    return 0;
}

/* Parts of the digest in addition to lines that count as written. A new part belongs at the end. It must not
 * change the digest of a plan that does not use the part. */
static plan_part *const parts[] = {of_grid,      of_terrain, of_sea,         of_changes, of_state,
                                   of_eruptions, of_classes, of_correlation, of_vents,   of_rows,
                                   of_ways,      of_outline, of_assets,      of_hazard};
enum {
    PARTS = sizeof parts / sizeof *parts,
    GROUND = 5 /* the first 5 parts are the same for all members */
};

int plan_compute_ground(const struct plan *p, uint64_t *digest, struct error *e)
{
    int status = 0;
    *digest = noise_hash(13, p->keys.statistics.medians, 0, 0);
    for (int i = 0; i < GROUND && !status; i++) status = parts[i](digest, p, e);
    *digest = of_way(*digest, &p->base.outline_about);
    return status ? status : of_outline(digest, p, e);
}

int plan_compute_digest(struct plan *p, struct error *e)
{
    uint64_t hash = of_lines(p);
    int status = 0;
    for (int i = 0; i < PARTS && !status; i++) status = parts[i](&hash, p, e);
    p->unscaled_digest = hash;
    const double scaled_s = p->base.problem.params.clock_s;
    if (p->base.unscaled_clock_s > 0) hash = of_bytes(hash, &scaled_s, sizeof scaled_s);
    p->digest = p->draws ? draws_plan_digest(p->draws) : hash;
    return status;
}
