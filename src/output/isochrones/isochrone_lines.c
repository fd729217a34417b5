/* isochrone_lines.c — the front at a level: from the outline of the flow to the outline, or closed.
 */
#include "isochrone_parts.h"

#include "text/grow.h"

#include <stdlib.h>

struct lines {
    const struct bands_graph *g;
    int level;
    bool last;
    bool *seen;
    struct isochrone *out;
};

/* Of the last level the outline, of others what is not the outline. */
static bool is_part(const struct lines *l, int32_t i)
{
    const struct bands_point *p = &l->g->point[i];
    if (!bands_divides(p, l->level, BANDS_REACHED)) return false;
    return l->last || (p->side[0] != BAND_NONE && p->side[1] != BAND_NONE);
}

static int32_t next_of(const struct lines *l, int32_t at, int32_t before)
{
    const struct bands_point *p = &l->g->point[at];
    for (int k = 0; k < p->links; k++) {
        const int32_t to = p->link[k];
        if (to == before) continue;
        if (l->g->point[to].axis == AXIS_NODE || is_part(l, to)) return to;
    }
    return -1;
}

/* From a point, or a node where it begins. */
static int walk(struct lines *l, int32_t start, int32_t first, struct error *e)
{
    struct isochrone_path *more = grow(l->out->line, l->out->line_count, sizeof *more);
    struct isochrone_path path = {0};
    if (!more) return error_memory(e);
    l->out->line = more;
    int32_t before = start, at = first;
    int status = path_add(&path, l->g->point[start].x, l->g->point[start].y, e);
    l->seen[start] = l->g->point[start].axis != AXIS_NODE;
    while (at >= 0 && at != start && !status) {
        const int32_t next = next_of(l, at, before);
        status = path_add(&path, l->g->point[at].x, l->g->point[at].y, e);
        l->seen[at] = l->g->point[at].axis != AXIS_NODE;
        before = at;
        at = next;
    }
    path.closed = at == start && l->seen[start];
    l->out->line[l->out->line_count++] = path;
    return status;
}

/* A node at which a line of the level ends: the other one that leaves it is the outline. */
static int32_t only_part(const struct lines *l, const struct bands_point *p)
{
    int32_t found = -1;
    for (int k = 0; k < p->links; k++) {
        if (!is_part(l, p->link[k])) continue;
        if (found >= 0) return -1;
        found = p->link[k];
    }
    return found;
}

int bands_trace_lines(struct isochrone *out, const struct bands_graph *g, int level, bool last,
                      struct error *e)
{
    struct lines l = {.g = g, .level = level, .last = last, .out = out};
    int status = 0;
    l.seen = calloc((size_t)g->count + 1, sizeof *l.seen);
    if (!l.seen) return error_memory(e);
    for (int32_t i = 0; i < g->count && !status; i++) {
        const int32_t first = g->point[i].axis == AXIS_NODE ? only_part(&l, &g->point[i]) : -1;
        if (first >= 0 && !l.seen[first]) status = walk(&l, i, first, e);
    }
    for (int32_t i = 0; i < g->count && !status; i++)
        if (g->point[i].axis != AXIS_NODE && is_part(&l, i) && !l.seen[i])
            status = walk(&l, i, g->point[i].link[1], e);
    free(l.seen);
    return status;
}
