/* bands_trace.c — the polygons of what lava had reached, and the fronts at a level.
 *
 * A row of points between eastern and western neighbours is all that a line through the centres of
 * a row of cells crosses. So what lies to the left of a ring's first point, in the order of the
 * rows, is what the ring is in (Suzuki and Abe 1985). */
#include "bands.h"
#include "text/grow.h"

#include <stdlib.h>

struct tracing {
    const struct bands_graph *g;
    int level;
    enum bands_kind kind;
    bool outline;     /* that of the flow belongs to the paths */
    int32_t *path_of; /* number of the path of each point; -1: none yet */
};

static struct tracing begin(const struct bands_graph *g, int level, enum bands_kind kind,
                            bool outline, int32_t *path_of)
{
    for (int32_t i = 0; i < g->count; i++) path_of[i] = -1;
    return (struct tracing){g, level, kind, outline, path_of};
}

static bool is_part(const struct tracing *t, int32_t i)
{
    const struct bands_point *p = &t->g->point[i];
    return bands_divides(p, t->level, t->kind) &&
           (t->outline || (p->side[0] != BAND_NONE && p->side[1] != BAND_NONE));
}

/* The point after `at` that is not the one before it; -1: the line ends. Bands have one sector of a
 * square each, so a node has one such point. */
static int32_t next_of(const struct tracing *t, int32_t at, int32_t before)
{
    const struct bands_point *p = &t->g->point[at];
    for (int k = 0; k < p->links; k++) {
        const int32_t to = p->link[k];
        if (to != before && (t->g->point[to].axis == AXIS_NODE || is_part(t, to))) return to;
    }
    return -1;
}

static int add_point(struct tracing *t, struct isochrone_path *path, int32_t at, int number,
                     struct error *e)
{
    if (!GROW(path->xy, path->count)) return error_memory(e);
    path->xy[path->count][0] = t->g->point[at].x;
    path->xy[path->count++][1] = t->g->point[at].y;
    t->path_of[at] = number;
    return 0;
}

/* From a point, or a node where a line begins, by `first`, until it closes or ends. */
static int walk(struct tracing *t, struct isochrone_path *path, int32_t start, int32_t first,
                int number, struct error *e)
{
    int32_t before = start, at = first;
    int status = add_point(t, path, start, number, e);
    while (at >= 0 && at != start && !status) {
        const int32_t next = next_of(t, at, before);
        status = add_point(t, path, at, number, e);
        before = at;
        at = next;
    }
    path->closed = at == start && t->g->point[start].axis != AXIS_NODE;
    return status;
}

/* ---- polygons -------------------------------------------------------------------------------- */

struct ring {
    struct isochrone_path path;
    int polygon; /* that it is part of */
};

struct rings {
    struct ring *ring;
    int count, polygons;
};

/* With the inside to the left: southwards where it lies in the east. left: the ring before it. */
static int add_ring(struct rings *r, struct tracing *t, int32_t start, bool hole, int left,
                    struct error *e)
{
    if (!GROW(r->ring, r->count)) return error_memory(e);
    struct ring *ring = &r->ring[r->count];
    *ring = (struct ring){.polygon = hole ? r->ring[left].polygon : r->polygons};
    r->polygons += !hole;
    return walk(t, &ring->path, start, t->g->point[start].link[hole ? 0 : 1], r->count++, e);
}

static int find_rings(struct rings *r, struct tracing *t, struct error *e)
{
    int status = 0, left = -1;
    double row = -1;
    for (int32_t i = 0; i < t->g->count && !status; i++) {
        const struct bands_point *p = &t->g->point[i];
        if (p->axis != AXIS_X || !is_part(t, i)) continue;
        if (p->y != row) left = -1;
        row = p->y;
        const bool inside_west =
            t->kind == BANDS_BAND ? p->side[0] == t->level : p->side[0] <= t->level;
        if (t->path_of[i] < 0) status = add_ring(r, t, i, inside_west, left, e);
        left = t->path_of[i];
    }
    return status;
}

/* A hole is found later than the ring that it is in. */
static int gather(struct isochrone_area *out, struct rings *r, struct error *e)
{
    out->polygon = calloc((size_t)r->polygons + 1, sizeof *out->polygon);
    if (!out->polygon) return error_memory(e);
    out->count = r->polygons;
    for (int i = 0; i < r->count; i++) {
        struct isochrone_polygon *p = &out->polygon[r->ring[i].polygon];
        if (!APPEND(p->ring, p->count, r->ring[i].path)) return error_memory(e);
        r->ring[i].path = (struct isochrone_path){0};
    }
    return 0;
}

int bands_trace_area(struct isochrone_area *out, const struct bands_graph *g, int level,
                     enum bands_kind kind, int32_t *path_of, struct error *e)
{
    struct tracing t = begin(g, level, kind, true, path_of);
    struct rings r = {0};
    int status = find_rings(&r, &t, e);
    if (!status) status = gather(out, &r, e);
    for (int i = 0; i < r.count; i++) free(r.ring[i].path.xy);
    free(r.ring);
    return status;
}

/* ---- fronts: from the outline of the flow to the outline, or closed ---------------------------- */

static int add_line(struct isochrone *out, struct tracing *t, int32_t start, int32_t first,
                    struct error *e)
{
    if (!GROW(out->line, out->line_count)) return error_memory(e);
    out->line[out->line_count] = (struct isochrone_path){0};
    const int number = out->line_count++;
    return walk(t, &out->line[number], start, first, number, e);
}

/* A node at which a line of the level ends: the other one that leaves it is the outline. */
static int32_t only_part(const struct tracing *t, const struct bands_point *p)
{
    int32_t found = -1;
    for (int k = 0; k < p->links; k++) {
        if (!is_part(t, p->link[k])) continue;
        if (found >= 0) return -1;
        found = p->link[k];
    }
    return found;
}

int bands_trace_lines(struct isochrone *out, const struct bands_graph *g, int level, bool last,
                      int32_t *path_of, struct error *e)
{
    struct tracing t = begin(g, level, BANDS_REACHED, last, path_of);
    int status = 0;
    for (int32_t i = 0; i < g->count && !status; i++) {
        const int32_t first = g->point[i].axis == AXIS_NODE ? only_part(&t, &g->point[i]) : -1;
        if (first >= 0 && path_of[first] < 0) status = add_line(out, &t, i, first, e);
    }
    for (int32_t i = 0; i < g->count && !status; i++)
        if (is_part(&t, i) && path_of[i] < 0) status = add_line(out, &t, i, g->point[i].link[1], e);
    return status;
}
