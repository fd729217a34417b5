#include "measure.h"

#include <math.h>
#include <stdlib.h>

struct box {
    double low[2], high[2];
};

static bool cut_axis(double a, double b, double end, double t[2])
{
    if (a == b) return a >= 0 && a <= end;
    const double first = (0 - a) / (b - a), second = (end - a) / (b - a);
    t[0] = fmax(t[0], fmin(first, second));
    t[1] = fmin(t[1], fmax(first, second));
    return t[0] <= t[1];
}

bool measure_cut(const double a[2], const double b[2], const double end[2], double t[2])
{
    t[0] = 0;
    t[1] = 1;
    return cut_axis(a[0], b[0], end[0], t) && cut_axis(a[1], b[1], end[1], t);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static double length_inside(const double a[2], const double b[2], const struct box *box,
                            double length)
{
    double t[2], from[2], to[2], end[2];
    for (int k = 0; k < 2; k++) {
        from[k] = a[k] - box->low[k];
        to[k] = b[k] - box->low[k];
        end[k] = box->high[k] - box->low[k];
    }
    return measure_cut(from, to, end, t) ? length * (t[1] - t[0]) : 0;
}

/* ---- areas ----------------------------------------------------------------------------------- */

/* Twice the area, from a corner of the box on, so that large coordinates do not cancel. */
static double twice_area(double (*xy)[2], int count, const double at[2])
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double *p = xy[i], *q = xy[i + 1 < count ? i + 1 : 0];
        sum += (p[0] - at[0]) * (q[1] - at[1]) - (q[0] - at[0]) * (p[1] - at[1]);
    }
    return sum;
}

/* Sutherland and Hodgman: keeps what lies on one side of a line of the grid. */
static int clip_side(double (*out)[2], double (*in)[2], int count, int axis, double at, double sign)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const double *p = in[i], *q = in[i + 1 < count ? i + 1 : 0];
        const bool p_in = sign * (p[axis] - at) >= 0, q_in = sign * (q[axis] - at) >= 0;
        if (p_in) {
            out[kept][0] = p[0];
            out[kept++][1] = p[1];
        }
        if (p_in == q_in) continue;
        const double t = (at - p[axis]) / (q[axis] - p[axis]);
        out[kept][axis] = at;
        out[kept++][!axis] = p[!axis] + t * (q[!axis] - p[!axis]);
    }
    return kept;
}

static bool area_inside(double (*xy)[2], int count, const struct box *box, double *area)
{
    const double at[4] = {box->low[0], box->high[0], box->low[1], box->high[1]};
    double(*in)[2] = xy;
    for (int side = 0; side < 4 && count; side++) {
        double(*out)[2] = malloc(2 * (size_t)count * sizeof *out);
        if (out) count = clip_side(out, in, count, side / 2, at[side], side % 2 ? -1 : 1);
        if (in != xy) free(in);
        if (!(in = out)) return false;
    }
    *area = count ? fabs(twice_area(in, count, box->low)) / 2 : 0;
    if (in != xy) free(in);
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool is_inside(const double xy[2], const struct box *box)
{
    return xy[0] >= box->low[0] && xy[0] < box->high[0] && xy[1] >= box->low[1] &&
           xy[1] < box->high[1];
}

/* The largest ring is the polygon, and the others are its holes, in whatever order they stand. */
static bool measure_polygon(struct vectors *v, int first, int count, const struct box *box)
{
    struct vectors_about *a = &v->about;
    double size = 0, inside = 0, largest = 0, in_largest = 0;
    for (int i = first; i < first + count; i++) {
        double(*xy)[2] = v->xy + v->part[i].first, in = 0;
        const double ring = fabs(twice_area(xy, v->part[i].count, xy[0])) / 2;
        if (box && !area_inside(xy, v->part[i].count, box, &in)) return false;
        size -= ring;
        inside -= in;
        if (ring <= largest) continue;
        largest = ring;
        in_largest = in;
    }
    a->count[VECTOR_AREA]++;
    a->size[VECTOR_AREA] += fmax(0, size + 2 * largest);
    a->inside[VECTOR_AREA] += fmax(0, inside + 2 * in_largest);
    return true;
}

static void measure_line(struct vectors_about *a, double (*xy)[2], int count, const struct box *box)
{
    a->count[VECTOR_LINE]++;
    for (int i = 1; i < count; i++) {
        const double length = hypot(xy[i][0] - xy[i - 1][0], xy[i][1] - xy[i - 1][1]);
        a->size[VECTOR_LINE] += length;
        if (box) a->inside[VECTOR_LINE] += length_inside(xy[i - 1], xy[i], box, length);
    }
}

static bool measure_feature(struct vectors *v, const struct vector_feature *f,
                            const struct box *box)
{
    struct vectors_about *a = &v->about;
    const double before = a->inside[f->kind];
    for (int i = f->first, rings; i < f->first + f->count; i += rings) {
        const struct vector_part *p = &v->part[i];
        for (rings = 1; i + rings < f->first + f->count && f->kind == VECTOR_AREA; rings++)
            if (p[rings].polygon != p->polygon) break;
        if (f->kind == VECTOR_AREA) {
            if (!measure_polygon(v, i, rings, box)) return false;
        } else if (f->kind == VECTOR_LINE) {
            measure_line(a, v->xy + p->first, p->count, box);
        } else {
            a->count[VECTOR_POINT]++;
            a->size[VECTOR_POINT]++;
            if (box) a->inside[VECTOR_POINT] += is_inside(v->xy[p->first], box);
        }
    }
    a->outside += box && a->inside[f->kind] <= before;
    return true;
}

int measure(struct vectors *v, const struct vector_grid *g, struct error *e)
{
    struct vectors_about *a = &v->about;
    struct box box = {{0}, {0}};
    if (g)
        box = (struct box){{g->geo->west_m, g->geo->south_m},
                           {g->geo->west_m + g->cols * g->geo->cell_m,
                            g->geo->south_m + g->rows * g->geo->cell_m}};
    a->features = v->features;
    a->west = a->south = INFINITY;
    a->east = a->north = -INFINITY;
    for (int i = 0; i < v->positions; i++) {
        a->west = fmin(a->west, v->xy[i][0]);
        a->east = fmax(a->east, v->xy[i][0]);
        a->south = fmin(a->south, v->xy[i][1]);
        a->north = fmax(a->north, v->xy[i][1]);
    }
    for (int i = 0; i < v->features; i++)
        if (!measure_feature(v, &v->feature[i], g ? &box : NULL)) return error_memory(e);
    return 0;
}
