/* isochrone_rings.c — rings around what lava had come to, and which hole is in which polygon.
 *
 * A row of points between eastern and western neighbours is all that a line through the centres of
 * a row of cells crosses. So what lies to the left of a ring's first point, in the order of the
 * rows, says what the ring is in (Suzuki and Abe 1985). */
#include "isochrone_parts.h"

#include "text/grow.h"

#include <stdlib.h>

int path_add(struct isochrone_path *p, double x, double y, struct error *e)
{
    double(*more)[2] = grow(p->xy, p->count, sizeof *more);
    if (!more) return error_memory(e);
    p->xy = more;
    p->xy[p->count][0] = x;
    p->xy[p->count++][1] = y;
    return 0;
}

struct ring {
    struct isochrone_path path;
    int polygon; /* that it is part of */
    bool hole;
};

struct tracing {
    const struct bands_graph *g;
    int level;
    enum bands_kind kind;
    int32_t *ring_of; /* of each point; -1: none yet */
    struct ring *ring;
    int count, polygons;
};

/* The point after `at` that is not the one before it. A node has two such lines, of one of which we
 * come. */
static int32_t next_of(const struct tracing *t, int32_t at, int32_t before)
{
    const struct bands_point *p = &t->g->point[at];
    if (p->axis != AXIS_NODE) return p->link[0] == before ? p->link[1] : p->link[0];
    for (int k = 0; k < p->links; k++)
        if (p->link[k] != before && bands_divides(&t->g->point[p->link[k]], t->level, t->kind))
            return p->link[k];
    return -1; /* never: bands have one sector of a square each */
}

/* With the inside to the left: southwards where it lies in the east. */
static int walk(struct tracing *t, int32_t start, bool hole, struct isochrone_path *path,
                struct error *e)
{
    int32_t before = start, at = t->g->point[start].link[hole ? 0 : 1];
    int status = path_add(path, t->g->point[start].x, t->g->point[start].y, e);
    t->ring_of[start] = t->count;
    while (at != start && at >= 0 && !status) {
        const int32_t next = next_of(t, at, before);
        status = path_add(path, t->g->point[at].x, t->g->point[at].y, e);
        t->ring_of[at] = t->count;
        before = at;
        at = next;
    }
    path->closed = true;
    return status;
}

static int add_ring(struct tracing *t, int32_t start, bool hole, int left, struct error *e)
{
    struct isochrone_path path = {0};
    struct ring *more = grow(t->ring, t->count, sizeof *more);
    if (!more) return error_memory(e);
    t->ring = more;
    const int status = walk(t, start, hole, &path, e);
    t->ring[t->count++] = (struct ring){path, hole ? t->ring[left].polygon : t->polygons, hole};
    t->polygons += !hole;
    return status;
}

static int trace(struct tracing *t, struct error *e)
{
    int status = 0, left = -1;
    double row = -1;
    for (int32_t i = 0; i < t->g->count; i++) t->ring_of[i] = -1;
    for (int32_t i = 0; i < t->g->count && !status; i++) {
        const struct bands_point *p = &t->g->point[i];
        if (p->axis != AXIS_X || !bands_divides(p, t->level, t->kind)) continue;
        if (p->y != row) left = -1;
        row = p->y;
        const bool inside_west =
            t->kind == BANDS_BAND ? p->side[0] == t->level : p->side[0] <= t->level;
        if (t->ring_of[i] < 0) status = add_ring(t, i, inside_west, left, e);
        left = t->ring_of[i];
    }
    return status;
}

/* Rings that are found later than the outer one that they are in. */
static int gather(struct isochrone_area *out, struct tracing *t, struct error *e)
{
    out->polygon = calloc((size_t)t->polygons + 1, sizeof *out->polygon);
    if (!out->polygon) return error_memory(e);
    out->count = t->polygons;
    for (int i = 0; i < t->count; i++) {
        struct isochrone_polygon *p = &out->polygon[t->ring[i].polygon];
        struct isochrone_path *more = grow(p->ring, p->count, sizeof *more);
        if (!more) return error_memory(e);
        p->ring = more;
        p->ring[p->count++] = t->ring[i].path;
        t->ring[i].path = (struct isochrone_path){0};
    }
    return 0;
}

int bands_trace_area(struct isochrone_area *out, const struct bands_graph *g, int level,
                     enum bands_kind kind, int32_t *ring_of, struct error *e)
{
    struct tracing t = {.g = g, .level = level, .kind = kind, .ring_of = ring_of};
    int status = trace(&t, e);
    if (!status) status = gather(out, &t, e);
    for (int i = 0; i < t.count; i++) free(t.ring[i].path.xy);
    free(t.ring);
    return status;
}
