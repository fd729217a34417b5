/* vents_vector.c — vents and fissures of a vector file. */
#include "vents.h"

#include "text/scan.h"
#include "vector/measure.h"

#include <math.h>

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

/* The eastern and northern edges are of no cell. */
static struct place place_at(const struct vent_ground *g, struct place a, struct place b, double t)
{
    const double right = a.right + t * (b.right - a.right), up = a.up + t * (b.up - a.up);
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
        const double *last = k->from->xy[i - 1], *next = k->from->xy[i];
        struct place a, b;
        double t[2];
        const bool a_on = vent_place(g, last[0], last[1], &a),
                   b_on = vent_place(g, next[0], next[1], &b);
        const double from[2] = {a.right, a.up}, to[2] = {b.right, b.up};
        const bool there = measure_cut(from, to, end, t) && (t[0] < t[1] || (a_on && b_on));
        if (there && !(joined && t[0] == 0)) {
            p.at = t[0] > 0 || !a_on ? place_at(g, a, b, t[0]) : a;
            p.part = ++k->parts;
            status = vent_points_add(k->v, p, k->e);
        }
        if (there && !status) {
            p.at = t[1] < 1 || !b_on ? place_at(g, a, b, t[1]) : b;
            p.part = k->parts;
            status = vent_points_add(k->v, p, k->e);
        }
        joined = there && t[1] == 1;
    }
    return status;
}

static int refuse_outside(struct reading *k, const struct vent_point *p, const double xy[2])
{
    return vent_refuse_outside(k->path, ": feature ", p->line, xy[0], xy[1], k->ground,
                               "give a larger DEM, or remove the vent", k->e);
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
        const double *xy = k->from->xy[part->first];
        if (f->kind == VECTOR_LINE && part->count > 1) {
            status = add_line(k, p, part);
            continue;
        }
        if (!vent_place(k->ground, xy[0], xy[1], &p.at)) return refuse_outside(k, &p, xy);
        p.part = f->count > 1 || f->kind == VECTOR_LINE ? ++k->parts : 0;
        status = vent_points_add(k->v, p, k->e);
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
