#include "observed.h"

#include "compare/outline.h"
#include "ensemble/plan_parts.h"
#include "terrain/noise.h"
#include "text/number.h"
#include "text/textfile.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- reading ----------------------------------------------------------------------------------
 */

static void name_it(struct observation *x)
{
    static const char *const names[] = {
        [OBSERVED_OUTLINE] = "outline", [OBSERVED_VOLUME] = "volume", [OBSERVED_RUNOUT] = "runout"};
    char hours[32];
    if (isinf(x->key.time_s)) snprintf(x->name, sizeof x->name, "%s", names[x->key.kind]);
    else
        snprintf(x->name, sizeof x->name, "%s_%sh", names[x->key.kind],
                 number_text(x->key.time_s / 3600, hours));
}

static int add(struct observations *o, const struct observed_key *key, const char *path,
               const struct sim_case *c, struct error *e)
{
    struct observation *x = &o->item[o->count++];
    *x = (struct observation){.key = *key};
    name_it(x);
    const double end_s = (double)c->max_steps * c->problem.params.clock_s;
    if (isfinite(key->time_s) && c->max_steps && key->time_s > end_s)
        return error_input(e,
                           "%s:%d: observed after %g h, and the runs end after %g h; let them "
                           "run longer",
                           c->path, key->line, key->time_s / 3600, end_s / 3600);
    if (key->kind != OBSERVED_OUTLINE) return 0;
    return outline_read(&x->inside, path, c->problem.rows, c->problem.cols, &c->geo, e);
}

int observations_look(struct plan *p, const struct calibration_keys *k, struct error *e)
{
    struct vectors_about about;
    int status = 0;
    for (int i = 0; i < k->observed_count && !status; i++) {
        if (k->observed[i].kind != OBSERVED_OUTLINE) continue;
        char *path = path_beside(p->base.path, k->observed[i].file);
        if (!path) return error_failed(e, "out of memory");
        status = case_look_at_vectors(&p->base, path, VECTORS_TAKE_AREAS, &about, e);
        free(path);
    }
    return status;
}

static int read_all(struct observations *o, const struct calibration_keys *k,
                    const struct sim_case *c, struct error *e)
{
    const struct observed_key end = {
        .kind = OBSERVED_OUTLINE, .time_s = INFINITY, .weight = k->outline_weight};
    int status = c->outline_path ? add(o, &end, c->outline_path, c, e) : 0;
    for (int i = 0; i < k->observed_count && !status; i++) {
        const struct observed_key *key = &k->observed[i];
        char *path = key->kind == OBSERVED_OUTLINE ? path_beside(c->path, key->file) : NULL;
        if (key->kind == OBSERVED_OUTLINE && !path) return error_failed(e, "out of memory");
        status = add(o, key, path, c, e);
        free(path);
    }
    if (!status && !o->count)
        return error_input(e, "%s: nothing was observed; add a line such as 'outline flow.geojson'",
                           c->path);
    return status;
}

/* ---- what the search does not see -------------------------------------------------------------
 */

static int divide_terrain(struct observations *o, const double at[4], const struct sim_case *c,
                          struct error *e)
{
    const int rows = c->problem.rows, cols = c->problem.cols;
    o->held = malloc((size_t)rows * (size_t)cols);
    if (!o->held) return error_failed(e, "out of memory");
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            const double x = c->geo.west_m + (col + 0.5) * c->geo.cell_m,
                         y = c->geo.south_m + (rows - row - 0.5) * c->geo.cell_m;
            o->held[(size_t)row * (size_t)cols + (size_t)col] =
                (at[2] - at[0]) * (y - at[1]) - (at[3] - at[1]) * (x - at[0]) > 0;
        }
    return 0;
}

static void count_cells(const struct observations *o, struct observation *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x->inside[i]) x->cells[o->held ? o->held[i] : x->counts[PART_HELD]]++;
}

/* A volume, or how far lava came, tells of the other side of a line. */
static int assign(struct observations *o, const struct hold_out_key *h, const struct sim_case *c,
                  bool hold_out, struct error *e)
{
    const size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    bool any[PARTS] = {false};
    int status = 0;
    if (hold_out && h->kind == HOLD_OUT_LEFT_OF) status = divide_terrain(o, h->at, c, e);
    for (int i = 0; i < o->count && !status; i++) {
        struct observation *x = &o->item[i];
        const bool late = hold_out && h->kind == HOLD_OUT_AFTER && x->key.time_s > h->time_s;
        x->counts[PART_HELD] = late || (o->held && x->key.kind != OBSERVED_OUTLINE);
        x->counts[PART_SEEN] = !x->counts[PART_HELD];
        if (x->inside) count_cells(o, x, n);
        for (int p = 0; p < PARTS && o->held && x->inside; p++) x->counts[p] = x->cells[p] > 0;
        for (int p = 0; p < PARTS; p++) any[p] = any[p] || x->counts[p];
    }
    if (!status && !any[PART_SEEN])
        return error_input(e, "%s:%d: hold_out leaves the search nothing to see", c->path, h->line);
    if (!status && hold_out && !any[PART_HELD])
        return error_input(e, "%s:%d: hold_out holds nothing out", c->path, h->line);
    return status;
}

/* ---- distances --------------------------------------------------------------------------------
 */

static int measure(struct observations *o, const struct sim_case *c, struct error *e)
{
    const struct problem *p = &c->problem;
    bool needed = false;
    for (int i = 0; i < o->count; i++) needed = needed || o->item[i].key.kind == OBSERVED_RUNOUT;
    if (!needed) return 0;
    if (!p->vent_count)
        return error_input(e, "%s: observed_runout_m counts from vents, and there are none",
                           c->path);
    o->distance_m = malloc((size_t)p->rows * (size_t)p->cols * sizeof *o->distance_m);
    if (!o->distance_m) return error_failed(e, "out of memory");
    for (int row = 0; row < p->rows; row++)
        for (int col = 0; col < p->cols; col++) {
            double least = INFINITY;
            for (int v = 0; v < p->vent_count; v++) {
                const double dy = row - p->vents[v].row, dx = col - p->vents[v].col;
                least = fmin(least, dx * dx + dy * dy);
            }
            o->distance_m[(size_t)row * (size_t)p->cols + (size_t)col] =
                sqrt(least) * c->geo.cell_m;
        }
    return 0;
}

int observations_create(struct observations *o, const struct calibration_keys *k,
                        const struct sim_case *c, bool hold_out, struct error *e)
{
    *o = (struct observations){.score = k->score};
    int status = read_all(o, k, c, e);
    if (!status) status = assign(o, &k->hold_out, c, hold_out, e);
    if (!status) status = measure(o, c, e);
    if (status) observations_free(o);
    return status;
}

void observations_free(struct observations *o)
{
    for (int i = 0; i < o->count; i++) free(o->item[i].inside);
    free(o->held);
    free(o->distance_m);
    *o = (struct observations){0};
}

uint64_t observations_digest(const struct observations *o, const struct sim_case *c, uint64_t hash)
{
    const size_t cells = (size_t)c->problem.rows * (size_t)c->problem.cols;
    for (int i = 0; i < o->count; i++)
        for (size_t k = 0; o->item[i].inside && k < cells; k++)
            if (o->item[i].inside[k]) hash = noise_hash(hash, (int64_t)k, i, 2);
    return hash;
}

/* ---- classes of arrival -----------------------------------------------------------------------
 */

int observations_times(const struct observations *o, double time_s[OBSERVATIONS_MAX])
{
    int count = 0;
    for (;;) {
        double next = INFINITY;
        for (int i = 0; i < o->count; i++) {
            const double t = o->item[i].key.time_s;
            if (t < next && (!count || t > time_s[count - 1])) next = t;
        }
        if (isinf(next)) return count;
        time_s[count++] = next;
    }
}

void observations_use_axis(struct observations *o, const struct axis *arrival_s)
{
    for (int i = 0; i < o->count; i++) {
        const double t = o->item[i].key.time_s;
        o->item[i].last_class = isinf(t) ? INT_MAX : axis_edge(arrival_s, t);
    }
}

/* ---- judging ----------------------------------------------------------------------------------
 */

static double ratio(double over, double under)
{
    return under > 0 ? over / under : 0;
}

static double overlap(int score, double simulated, double observed, double both)
{
    switch (score) {
    case SCORE_F1:
        return ratio(2 * both, simulated + observed);
    case SCORE_PRECISION:
        return ratio(both, simulated);
    case SCORE_RECALL:
        return ratio(both, observed);
    default:
        return ratio(both, simulated + observed - both);
    }
}

static double likeness(double a, double b)
{
    return a < b ? ratio(a, b) : ratio(b, a);
}

static void judge_outline(const struct observations *o, const struct observation *x,
                          const struct contribution *c, double of[PARTS])
{
    uint64_t simulated[PARTS] = {0}, both[PARTS] = {0};
    for (size_t i = 0; i < c->cells; i++) {
        const struct sighting *s = &c->cell[i];
        if (s->arrival_class > x->last_class) continue;
        const int part = o->held ? o->held[s->place] : x->counts[PART_HELD];
        simulated[part]++;
        both[part] += x->inside[s->place];
    }
    for (int p = 0; p < PARTS; p++)
        if (x->counts[p])
            of[p] = overlap(o->score, (double)simulated[p], (double)x->cells[p], (double)both[p]);
}

static double runout_m(const struct observations *o, const struct observation *x,
                       const struct contribution *c)
{
    double most = 0;
    for (size_t i = 0; i < c->cells; i++)
        if (c->cell[i].arrival_class <= x->last_class)
            most = fmax(most, o->distance_m[c->cell[i].place]);
    return most;
}

void observations_judge(const struct observations *o, const struct contribution *c,
                        struct agreement *a)
{
    double sum[PARTS] = {0}, weight[PARTS] = {0};
    for (int i = 0; i < o->count; i++) {
        const struct observation *x = &o->item[i];
        double *of = a->of[i];
        of[PART_SEEN] = of[PART_HELD] = NAN;
        const int part = x->counts[PART_HELD] ? PART_HELD : PART_SEEN;
        if (x->inside) judge_outline(o, x, c, of);
        else if (x->key.kind == OBSERVED_RUNOUT)
            of[part] = likeness(runout_m(o, x, c), x->key.value);
        else of[part] = likeness(c->result.emitted_m3 - c->result.left_m3, x->key.value);
        for (int p = 0; p < PARTS; p++) {
            if (!x->counts[p]) continue;
            sum[p] += x->key.weight * of[p];
            weight[p] += x->key.weight;
        }
    }
    for (int p = 0; p < PARTS; p++) a->all[p] = weight[p] > 0 ? sum[p] / weight[p] : (double)NAN;
}
