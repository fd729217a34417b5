/* areas.c — computes areas of polygons. At each y, a line from west to east has a length inside the polygons. The
 * area is the integral of this length over y.
 *
 * A slab is the strip between two values of y. If edges neither end nor cross within a slab, the length is linear in
 * y, so the length at mid-height times the height is the exact area. A slab in which edges cross is cut at the
 * crossing. */
#include "draw_cells.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

/* WORK_MOST: limit on the sum of the numbers of edges in all slabs. The sum reaches the limit after a second or two of
 * processor time. DEEP: greatest number of nested cuts. */
enum { WORK_MOST = 1 << 22, DEEP = 1 << 10 };

/* An edge from its lower to its upper end. */
struct edge {
    double x0, y0, x1, y1;
    int polygon, feature;
};

struct crossing {
    /* x of the edge at the middle, the lower border and the upper border of the slab */
    double x, at_low, at_high;
    int polygon, feature;
};

struct span {
    double from, to;
    int feature;
};

struct sweep {
    struct edge *edge; /* sorted by their lower ends */
    int edges, next;   /* next: index of the first edge that is not in `active` yet */
    struct edge *active;
    int actives;
    double *y; /* borders of slabs, increasing */
    int ys;
    bool whole; /* whether no edge begins or ends inside a slab */
    double work;
    struct crossing *crossing;
    struct span *span;
    const double *origin; /* subtracted from coordinates, since large values would lose digits */
    double low[2], high[2];
    double *all, *inside;
    bool *touches;
};

/* ---- order ----------------------------------------------------------------------------------- */

static int by_lower_end(const void *a, const void *b)
{
    return ORDER(((const struct edge *)a)->y0, ((const struct edge *)b)->y0);
}

ORDER_MEMBERS(by_polygon, struct crossing, polygon, x)

/* ---- a slab ---------------------------------------------------------------------------------- */

static double x_at(const struct edge *e, double y)
{
    return e->x0 + (y - e->y0) * ((e->x1 - e->x0) / (e->y1 - e->y0));
}

/* Finds where edges cross the middle of a slab, from west to east. Returns the number of crossings. */
static int cross_middle(struct sweep *s, double low, double high)
{
    const double y = low + (high - low) / 2;
    int count = 0;
    for (int i = 0; i < s->actives; i++) {
        const struct edge *e = &s->active[i];
        if (!(e->y0 <= y && y < e->y1)) continue;
        s->crossing[count++] =
            (struct crossing){x_at(e, y), x_at(e, fmax(low, e->y0)), x_at(e, fmin(high, e->y1)),
                              e->polygon, e->feature};
    }
    qsort(s->crossing, (size_t)count, sizeof *s->crossing, order_reals);
    return count;
}

/* Finds a y in the slab at which an edge crosses the western or eastern side of the rectangle from s->low to s->high.
 * There the slope of the length inside the rectangle changes. NaN: there is no such y. */
static double find_side(const struct sweep *s, double low, double high, int crossings)
{
    const double least = 1e-9 * (high - low);
    for (int i = 0; i < crossings; i++)
        for (int side = 0; side < 2; side++) {
            const struct crossing *x = &s->crossing[i];
            const double at = side ? s->high[0] : s->low[0], below = x->at_low - at,
                         above = x->at_high - at;
            if (!(below < 0 && above > 0) && !(below > 0 && above < 0)) continue;
            const double up = (high - low) * (below / (below - above));
            if (up > least && high - low - up > least) return low + up;
        }
    return (double)NAN;
}

/* Finds a y at which two edges cross. Only edges that are neighbours in the middle of the slab are compared. NaN: no
 * two edges cross, up to rounding. */
static double find_cut(const struct sweep *s, double low, double high, int crossings)
{
    const double half = (high - low) / 2, y = low + half, least = 1e-9 * half;
    for (int i = 1; i < crossings; i++) {
        const struct crossing *a = &s->crossing[i - 1], *b = &s->crossing[i];
        const double middle = b->x - a->x, below = b->at_low - a->at_low,
                     above = b->at_high - a->at_high;
        const double down = below < 0 ? half * middle / (middle - below) : 0,
                     up = above < 0 ? half * middle / (middle - above) : 0;
        if (below < 0 && half - down > least) return y - down;
        if (above < 0 && half - up > least) return y + up;
    }
    return (double)NAN;
}

/* Makes spans by the even-odd rule: from the first crossing of a polygon to the second, from the third to the fourth, ... */
static int find_spans(struct sweep *s, int crossings)
{
    int count = 0;
    qsort(s->crossing, (size_t)crossings, sizeof *s->crossing, by_polygon);
    for (int i = 0; i + 1 < crossings; i += 2)
        s->span[count++] =
            (struct span){s->crossing[i].x, s->crossing[i + 1].x, s->crossing[i].feature};
    qsort(s->span, (size_t)count, sizeof *s->span, order_reals);
    return count;
}

static void add_middle(struct sweep *s, double low, double high, int crossings)
{
    const int count = find_spans(s, crossings);
    const double y = low + (high - low) / 2, west = s->low[0], east = s->high[0];
    const bool between = y >= s->low[1] && y < s->high[1];
    double length = 0, within = 0, end = -INFINITY;
    for (int i = 0; i < count; i++) {
        const struct span *x = &s->span[i];
        const double from = fmax(x->from, end);
        if (between && fmin(x->to, east) > fmax(x->from, west)) s->touches[x->feature] = true;
        if (!(x->to > from)) continue;
        length += x->to - from;
        if (between) within += fmax(0, fmin(x->to, east) - fmax(from, west));
        end = x->to;
    }
    *s->all += length * (high - low);
    *s->inside += within * (high - low);
}

static void add_slab(struct sweep *s, double low, double high, int depth)
{
    const int crossings = cross_middle(s, low, high);
    const bool may = s->whole && s->work < WORK_MOST && depth < DEEP;
    double cut = may ? find_cut(s, low, high, crossings) : (double)NAN;
    if (may && isnan(cut)) cut = find_side(s, low, high, crossings);
    if (cut > low && cut < high) {
        s->work += crossings;
        add_slab(s, low, cut, depth + 1);
        add_slab(s, cut, high, depth + 1);
    } else add_middle(s, low, high, crossings);
}

/* ---- all slabs ------------------------------------------------------------------------------- */

static void add_edge(struct sweep *s, const double a[2], const double b[2], int polygon,
                     int feature)
{
    const double *from = a[1] < b[1] ? a : b, *to = a[1] < b[1] ? b : a, *o = s->origin;
    s->y[s->ys++] = a[1] - o[1]; /* each vertex is the `a` of one edge */
    if (from[1] < to[1])
        s->edge[s->edges++] = (struct edge){from[0] - o[0], from[1] - o[1], to[0] - o[0],
                                            to[1] - o[1],   polygon,        feature};
}

static void add_edges(struct sweep *s, const struct vectors *v, int feature)
{
    const struct vector_feature *f = &v->feature[feature];
    for (const struct vector_part *p = v->part + f->first; p < v->part + f->first + f->count; p++)
        for (int i = 0; i < p->count; i++) {
            const int next = i + 1 < p->count ? i + 1 : 0;
            add_edge(s, v->xy[p->first + i], v->xy[p->first + next], p->polygon, feature);
        }
}

static int find_slab(const struct sweep *s, double y)
{
    int low = 0, high = s->ys - 1;
    ORDER_HALVE(at, low, high, s->y[at] < y);
    return low;
}

/* Chooses the borders of slabs: the different y of all vertices, or only some of these if edges would be in too many
 * slabs. */
static void choose_slabs(struct sweep *s)
{
    const int count = s->ys = order_distinct(s->y, s->ys);
    double work = 0;
    for (int i = 0; i < s->edges; i++)
        work += find_slab(s, s->edge[i].y1) - find_slab(s, s->edge[i].y0);
    const int each = 1 + (int)(work / WORK_MOST);
    s->whole = each == 1;
    if (s->whole) return;
    s->ys = 0;
    for (int i = 0; i < count; i += each) s->y[s->ys++] = s->y[i];
    if ((count - 1) % each) s->y[s->ys++] = s->y[count - 1];
}

static void sweep_all(struct sweep *s)
{
    for (int k = 0; k + 1 < s->ys; k++) {
        const double low = s->y[k], high = s->y[k + 1];
        int kept = 0;
        for (int i = 0; i < s->actives; i++)
            if (s->active[i].y1 > low) s->active[kept++] = s->active[i];
        s->actives = kept;
        for (; s->next < s->edges && s->edge[s->next].y0 < high; s->next++)
            s->active[s->actives++] = s->edge[s->next];
        add_slab(s, low, high, 0);
    }
}

bool areas_add(const struct vectors *v, const double low[2], const double high[2], double *all,
               double *inside, bool *touches)
{
    if (!v->positions) return true;
    const size_t room = (size_t)v->positions + 3;
    struct sweep s = {.edge = malloc(room * sizeof *s.edge),
                      .active = malloc(room * sizeof *s.active),
                      .y = malloc(room * sizeof *s.y),
                      .crossing = malloc(room * sizeof *s.crossing),
                      .span = malloc(room * sizeof *s.span),
                      .origin = *v->xy,
                      .low = {low[0] - **v->xy, low[1] - v->xy[0][1]},
                      .high = {high[0] - **v->xy, high[1] - v->xy[0][1]},
                      .all = all,
                      .inside = inside,
                      .touches = touches};
    const bool good = s.edge && s.active && s.y && s.crossing && s.span;
    if (good) {
        for (int i = 0; i < v->features; i++)
            if (v->feature[i].kind == VECTOR_AREA) add_edges(&s, v, i);
        if (s.ys) s.y[s.ys++] = s.low[1], s.y[s.ys++] = s.high[1];
        qsort(s.edge, (size_t)s.edges, sizeof *s.edge, by_lower_end);
        choose_slabs(&s);
        sweep_all(&s);
    }
    FREE_ALL(s.edge, s.active, s.y, s.crossing, s.span);
    return good;
}
