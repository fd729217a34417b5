/* vents_vector.c — vents and fissures of a vector file. */
#include "vents.h"

#include "text/grow.h"
#include "text/scan.h"
#include "vector/measure.h"

#include <math.h>
#include <stdlib.h>

enum { VENT, WEIGHT, PROBABILITY };
static const char *const wanted[] = {"vent", "weight", "probability", NULL};
static const char *const without_weights[] = {"vent", NULL};

struct reading {
    struct vent_points *v;
    const struct vectors *from;
    const char *path;
    const struct vent_ground *ground;
    bool numbered; /* features have numbers of vents */
    int parts;     /* so far; 0: single points, which a line joins as it joins rows of a CSV */
    struct error *e;
};

/* Numbers as the file has them; where it has none at all, in the order of the features. */
static int read_id(struct reading *k, int i, int *id)
{
    const char *text = vectors_value(k->from, i, VENT);
    int64_t number;
    char excerpt[48];
    *id = i + 1;
    if (!k->numbered) return 0;
    if (text && scan_integer(text, &number) && number >= 1 && number <= 1000000000) {
        *id = (int)number;
        return 0;
    }
    return error_input(k->e,
                       "%s: feature %d: vent is '%s'; give every feature a whole number from 1, or "
                       "remove the attribute",
                       k->path, k->from->feature[i].number,
                       scan_excerpt(excerpt, text ? text : ""));
}

static int read_weight(struct reading *k, int i, double *weight)
{
    const int attribute = k->v->weights == VENT_WEIGHTS ? WEIGHT : PROBABILITY;
    *weight = 1;
    if (k->v->weights == VENT_WEIGHTS_NONE) return 0;
    if (!vectors_value(k->from, i, attribute))
        return error_input(k->e,
                           "%s: feature %d has no %s, but others have; give it to every feature",
                           k->path, k->from->feature[i].number, wanted[attribute]);
    return vectors_real(k->from, i, attribute, k->path, wanted[attribute], weight, k->e);
}

/* ---- places ---------------------------------------------------------------------------------- */

static int add(struct reading *k, struct vent_point p)
{
    struct vent_point *more = grow(k->v->point, k->v->count, sizeof *more);
    if (!more) return error_memory(k->e);
    p.order = k->v->count;
    k->v->point = more;
    more[k->v->count++] = p;
    return 0;
}

static void to_place(const struct vent_ground *g, const double xy[2], double at[2])
{
    at[0] = (xy[0] - g->geo->west_m) / g->geo->cell_m;
    at[1] = (xy[1] - g->geo->south_m) / g->geo->cell_m;
}

static bool is_on(const struct vent_ground *g, const double at[2])
{
    return at[0] >= 0 && at[1] >= 0 && at[0] < g->cols && at[1] < g->rows;
}

/* The eastern and northern edges are of no cell. */
static struct place place_at(const struct vent_ground *g, const double a[2], const double b[2],
                             double t)
{
    const double right = a[0] + t * (b[0] - a[0]), up = a[1] + t * (b[1] - a[1]);
    return (struct place){fmin(fmax(right, 0), nextafter(g->cols, 0)),
                          fmin(fmax(up, 0), nextafter(g->rows, 0))};
}

/* What of a line lies on the grid, in as many pieces as that are. */
static int add_line(struct reading *k, struct vent_point p, const struct vector_part *part)
{
    const struct vent_ground *g = k->ground;
    const double end[2] = {g->cols, g->rows};
    bool joined = false; /* the last point is where this segment begins */
    int status = 0;
    for (int i = part->first + 1; i < part->first + part->count && !status; i++) {
        double a[2], b[2], t[2];
        to_place(g, k->from->xy[i - 1], a);
        to_place(g, k->from->xy[i], b);
        const bool there =
            measure_cut(a, b, end, t) && (t[0] < t[1] || (is_on(g, a) && is_on(g, b)));
        if (there && !(joined && t[0] == 0)) {
            p.at = t[0] > 0 || !is_on(g, a) ? place_at(g, a, b, t[0]) : (struct place){a[0], a[1]};
            p.part = ++k->parts;
            status = add(k, p);
        }
        if (there && !status) {
            p.at = t[1] < 1 || !is_on(g, b) ? place_at(g, a, b, t[1]) : (struct place){b[0], b[1]};
            p.part = k->parts;
            status = add(k, p);
        }
        joined = there && t[1] == 1;
    }
    return status;
}

static int refuse_outside(struct reading *k, const struct vent_point *p, const double xy[2])
{
    const struct vent_ground *g = k->ground;
    return error_input(k->e,
                       "%s: feature %d: the vent at %.10g, %.10g is outside the DEM, which reaches "
                       "from %.10g, %.10g to %.10g, %.10g; give a larger DEM, or remove the vent",
                       k->path, p->line, xy[0], xy[1], g->geo->west_m, g->geo->south_m,
                       g->geo->west_m + g->cols * g->geo->cell_m,
                       g->geo->south_m + g->rows * g->geo->cell_m);
}

/* Points of one feature are not a line; features of one point each are, as rows of a CSV are. */
static int read_feature(struct reading *k, int i)
{
    const struct vector_feature *f = &k->from->feature[i];
    const int before = k->v->count;
    struct vent_point p = {.line = f->number};
    int status = read_id(k, i, &p.id);
    if (!status) status = read_weight(k, i, &p.weight);
    for (int n = f->first; n < f->first + f->count && !status; n++) {
        const struct vector_part *part = &k->from->part[n];
        double at[2];
        if (f->kind == VECTOR_LINE && part->count > 1) {
            status = add_line(k, p, part);
            continue;
        }
        to_place(k->ground, k->from->xy[part->first], at);
        if (!is_on(k->ground, at)) return refuse_outside(k, &p, k->from->xy[part->first]);
        p.at = (struct place){at[0], at[1]};
        p.part = f->count > 1 || f->kind == VECTOR_LINE ? ++k->parts : 0;
        status = add(k, p);
    }
    if (status || k->v->count > before) return status;
    return refuse_outside(k, &p, k->from->xy[k->from->part[f->first].first]);
}

int vent_points_read_vectors(struct vent_points *v, const char *path,
                             const struct vent_ground *ground, bool weighted, struct error *e)
{
    const struct vector_grid grid = {ground->rows, ground->cols, ground->geo};
    struct vectors from;
    struct reading k = {v, &from, path, ground, false, 0, e};
    *v = (struct vent_points){0};
    int status = vectors_read(&from, path, &grid, VECTORS_TAKE_POINTS | VECTORS_TAKE_LINES,
                              weighted ? wanted : without_weights, e);
    if (status) return status;
    k.numbered = vectors_any_has(&from, VENT);
    if (!status && weighted && vectors_any_has(&from, WEIGHT) &&
        vectors_any_has(&from, PROBABILITY))
        status = error_input(e, "%s: has both weight and probability; keep one", path);
    if (weighted && vectors_any_has(&from, WEIGHT)) v->weights = VENT_WEIGHTS;
    else if (weighted && vectors_any_has(&from, PROBABILITY)) v->weights = VENT_PROBABILITIES;
    for (int i = 0; i < from.features && !status; i++) status = read_feature(&k, i);
    v->about = from.about;
    vectors_free(&from);
    if (status) vent_points_free(v);
    return status;
}
