/* given.c — compares an observed outline with the lava that a member has at the time of
 * observation: the overlap of both, and the distance between the observed outline and the outline
 * of this lava. */
#include "ask.h"

#include "compare/outline.h"
#include "members/library.h"

#include <math.h>
#include <stdlib.h>

static int take_given(void *of, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    struct ask *x = of;
    struct given *g = &x->given;
    for (int i = 0; i < count; i++) {
        if (reached[i].arrival_class > g->class) continue;
        g->came[member]++;
        g->inside[member] += g->observed[reached[i].place];
    }
    return 0;
}

int ask_given(struct ask *x, const struct ask_options *o, struct error *e)
{
    const struct ensemble *s = &x->of.s;
    const struct problem *p = &s->source->base->problem;
    const size_t members = (size_t)s->source->count, cells = s->cells.places;
    struct given *g = &x->given;
    int status = outline_read(&g->observed, o->given, p->rows, p->cols, &s->source->base->geo, e);
    if (status) return status;
    for (size_t i = 0; i < cells; i++) {
        if (!g->observed[i]) continue;
        g->cells++;
        window_add_place(&g->box, i, p->cols);
    }
    status = library_open(&g->db, NULL, g->path = o->library, e);
    if (status) return status;
    g->class = o->at_s > 0 ? axis_of(&s->arrival_s, o->at_s) : s->arrival_s.edges;
    g->came = calloc(members, sizeof *g->came);
    g->inside = calloc(members, sizeof *g->inside);
    if (!g->came || !g->inside) return error_memory(e);
    return library_arrivals(s, x->db, o->library, x->given.class, NULL, take_given, x, e);
}

void ask_given_free(struct given *g)
{
    library_shut(&g->db);
    RELEASE(g, g->observed, g->came, g->inside);
}

double ask_overlap(const struct ask *x, int64_t member)
{
    const struct given *g = &x->given;
    const uint64_t both = g->inside[member];
    return (double)both / (double)(g->came[member] + g->cells - both);
}

/* ---- distance ---------------------------------------------------------------------------------- */

struct meeting {
    const struct given *g;
    int cols;          /* columns of the terrain */
    struct window box; /* around both outlines */
    uint32_t *cell;    /* cells of the member at the time of observation */
    size_t cells;
};

static int keep_cells(void *of, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    struct meeting *m = of;
    for (int i = 0; i < count; i++) {
        if (reached[i].arrival_class > m->g->class) continue;
        m->cell[m->cells++] = reached[i].place;
        window_add_place(&m->box, reached[i].place, m->cols);
    }
    return 0;
}

/* Measures the distance of the two outlines in m->box, with a border of one cell around the box. */
static int measure_distance(double *apart_m, const struct meeting *m, double cell_m,
                            struct error *e)
{
    const struct window *box = &m->box,
                        frame = {box->row0 - 1, box->col0 - 1, box->rows + 2, box->cols + 2};
    FREED unsigned char *cell = calloc(window_cells(frame), 1);
    struct outline_distance d;
    if (!cell) return error_memory(e);
    for (size_t i = 0; i < window_cells(*box); i++) {
        const size_t place = window_in_domain(*box, i, m->cols);
        if (m->g->observed[place]) cell[window_at(frame, place, m->cols)] = DISTANCE_A;
    }
    for (size_t i = 0; i < m->cells; i++) cell[window_at(frame, m->cell[i], m->cols)] |= DISTANCE_B;
    const int status = outline_distance(&d, cell, frame.rows, frame.cols, cell_m, e);
    *apart_m = d.p95_m;
    return status;
}

int ask_apart_m(double *apart_m, const struct ask *x, int64_t member, struct error *e)
{
    const struct given *g = &x->given;
    const struct ensemble *s = &x->of.s;
    *apart_m = NAN;
    if (!g->came[member]) return 0;
    FREED uint32_t *cell = malloc(g->came[member] * sizeof *cell);
    if (!cell) return error_memory(e);
    struct meeting m = {.g = g, .cols = s->source->base->problem.cols, .box = g->box, .cell = cell};
    const int status = library_member(s, g->db, g->path, member, keep_cells, &m, e);
    if (status) return status;
    return m.cells == g->came[member]
               ? measure_distance(apart_m, &m, s->source->base->geo.cell_m, e)
               : library_damaged(g->path, "cells", e);
}
