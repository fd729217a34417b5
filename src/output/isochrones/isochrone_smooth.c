/* isochrone_smooth.c — the points of lines slide between the centres of their two cells until the
 * lines are smooth.
 *
 * Taubin's filter (1995): each point goes some way to the middle of its neighbours, and in every
 * second round a little farther back: that flattens the stairs of cells and lets large shapes as
 * they are, where the first alone would shrink them. A point stays SLIDE cells from the
 * middle at most. */
#include "isochrone_parts.h"

#include <math.h>
#include <stdlib.h>

#define TO         0.5
#define BACK       -0.525
#define SLIDE      0.4
#define SLIDE_NODE 0.3
enum { ROUNDS = 24, SMALL_RING = 12 };

static bool is_outline(const struct bands_point *p)
{
    return p->axis != AXIS_NODE && (p->side[0] == BAND_NONE || p->side[1] == BAND_NONE);
}

/* Where neighbours meet: of a node, those along the outline count alone, which stays smooth there.
 */
static void middle_of(double to[2], const struct bands_graph *g, const struct bands_point *p)
{
    double all[2] = {0, 0}, outline[2] = {0, 0};
    int outlines = 0;
    for (int k = 0; k < p->links; k++) {
        const struct bands_point *q = &g->point[p->link[k]];
        const bool on = p->axis == AXIS_NODE && is_outline(q);
        all[0] += q->x;
        all[1] += q->y;
        outline[0] += on ? q->x : 0;
        outline[1] += on ? q->y : 0;
        outlines += on;
    }
    to[0] = outlines == 2 ? outline[0] / 2 : all[0] / p->links;
    to[1] = outlines == 2 ? outline[1] / 2 : all[1] / p->links;
}

static double within(double x, double centre, double most)
{
    return fmin(fmax(x, centre - most), centre + most);
}

/* Of a point between centres, the middle has a half in its direction; of a node, both are. */
static double half_of(double x)
{
    return floor(x) + 0.5;
}

static void move(struct bands_graph *g, const double (*to)[2], double share)
{
    for (int i = 0; i < g->count; i++) {
        struct bands_point *p = &g->point[i];
        const double most = p->axis == AXIS_NODE ? SLIDE_NODE : SLIDE;
        if (p->held || p->axis == AXIS_FIXED) continue;
        if (p->axis != AXIS_Y) p->x = within(p->x + share * (to[i][0] - p->x), half_of(p->x), most);
        if (p->axis != AXIS_X) p->y = within(p->y + share * (to[i][1] - p->y), half_of(p->y), most);
    }
}

/* Whether the line through a point closes after a few points, without a node. Smoothing would make
 * a speck of such a ring. */
static bool is_small_ring(const struct bands_graph *g, int start)
{
    int before = start, at = g->point[start].link[0];
    for (int i = 0; i < SMALL_RING; i++) {
        const struct bands_point *p = &g->point[at];
        if (at == start) return true;
        if (p->axis == AXIS_NODE) return false;
        const int next = p->link[0] == before ? p->link[1] : p->link[0];
        before = at;
        at = next;
    }
    return false;
}

/* What stays as it is: small rings; nodes beside the point that two of them share a square with,
 * and those at the border. */
static void hold(struct bands_graph *g)
{
    for (int i = 0; i < g->count; i++) {
        struct bands_point *p = &g->point[i];
        if (p->axis != AXIS_NODE) p->held = p->held || is_small_ring(g, i);
        for (int k = 0; k < p->links && p->axis == AXIS_NODE; k++) {
            const struct bands_point *q = &g->point[p->link[k]];
            if (q->axis == AXIS_FIXED || q->held) p->held = true;
        }
    }
}

int bands_graph_smooth(struct bands_graph *g, struct error *e)
{
    double(*to)[2] = malloc(((size_t)g->count + 1) * sizeof *to);
    if (!to) return error_memory(e);
    hold(g);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < g->count; i++) middle_of(to[i], g, &g->point[i]);
        move(g, to, round % 2 ? BACK : TO);
    }
    free(to);
    return 0;
}
