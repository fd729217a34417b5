/* member_eruption.c — where a member erupts and how much. */
#include "member.h"
#include "plan.h"

#include "case/vents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- vents ----------------------------------------------------------------------------------- */

/* Points of one vent, in map coordinates. */
struct line {
    int id, count;
    struct line_point {
        double x, y;
        int part; /* of the vent */
    } * point;
};

static void middle_of(const struct line *l, double *x, double *y)
{
    double west = l->point[0].x, east = west, south = l->point[0].y, north = south;
    for (const struct line_point *p = l->point; p < l->point + l->count; p++) {
        west = fmin(west, p->x);
        east = fmax(east, p->x);
        south = fmin(south, p->y);
        north = fmax(north, p->y);
    }
    *x = 0.5 * (west + east);
    *y = 0.5 * (south + north);
}

/* Turned about its middle such that the line from its first to its last point has that azimuth. Both
 * directions as unit vectors (u, v): the turn takes one to the other. */
static void turn(struct line *l, double azimuth)
{
    double x, y, u, v;
    const struct line_point *first = l->point, *last = first + l->count - 1;
    const double dx = last->x - first->x, dy = last->y - first->y;
    const double length = sqrt(dx * dx + dy * dy);
    if (length == 0) return;
    middle_of(l, &x, &y);
    real_turn(azimuth, &u, &v);
    const double c = (dx * u + dy * v) / length, s = (dx * v - dy * u) / length;
    for (struct line_point *p = l->point; p <= last; p++) {
        const double right = p->x - x, up = p->y - y;
        p->x = x + (c * right - s * up);
        p->y = y + (s * right + c * up);
    }
}

/* A straight fissure in its place. There is room for two points. */
static void straighten(struct line *l, double length_m, double azimuth)
{
    double x, y, u, v;
    middle_of(l, &x, &y);
    real_turn(azimuth, &u, &v);
    l->count = 2;
    for (int i = 0; i < 2; i++)
        l->point[i] =
            (struct line_point){x + (i - 0.5) * length_m * u, y + (i - 0.5) * length_m * v, 0};
}

static int place_line(struct vent_sites *sites, const struct member *m, const struct line *l,
                      struct error *e)
{
    const struct vent_ground ground = plan_ground(m->plan);
    int status = 0;
    for (int i = 0; i < l->count && !status; i++) {
        const struct line_point *at = &l->point[i];
        struct place p;
        if (!vent_place(&ground, at->x, at->y, &p))
            return error_input(e,
                               "%s: vent %d moves to %.10g, %.10g, outside the DEM; vary its place "
                               "less, or give a larger DEM",
                               m->called, l->id, at->x, at->y);
        status = vent_sites_add_point(sites, l->id, p, at->part, &ground, 0, e);
    }
    return status;
}

static int place_vent(struct vent_sites *sites, struct member *m, struct line *l, struct error *e)
{
    const double *value = m->value;
    if (!isnan(value[FISSURE_LENGTH])) straighten(l, value[FISSURE_LENGTH], value[AZIMUTH]);
    else if (!isnan(value[AZIMUTH])) turn(l, value[AZIMUTH]);
    for (int i = 0; i < l->count; i++) {
        if (!isnan(value[VENT_EAST])) l->point[i].x += value[VENT_EAST];
        if (!isnan(value[VENT_NORTH])) l->point[i].y += value[VENT_NORTH];
    }
    if (isnan(m->x)) middle_of(l, &m->x, &m->y);
    return place_line(sites, m, l, e);
}

/* All points of that vent, in their order. */
static int place_one_vent(struct vent_sites *sites, struct member *m,
                          const struct vent_point *point, int count, int id, struct error *e)
{
    const struct georef *geo = &m->plan->base.geo;
    struct line l = {id, 0, malloc(((size_t)count + 2) * sizeof *l.point)};
    if (!l.point) return error_memory(e);
    for (int i = 0; i < count; i++)
        if (point[i].id == id)
            l.point[l.count++] =
                (struct line_point){geo->west_m + point[i].at.right * geo->cell_m,
                                    geo->south_m + point[i].at.up * geo->cell_m, point[i].part};
    const int status =
        l.count ? place_vent(sites, m, &l, e)
                : error_input(e, "%s: there is no vent %d; name one of the list, or of the case",
                              m->called, id);
    free(l.point);
    return status;
}

/* Each vent of the case once, when its first point comes. */
static int place_all(struct vent_sites *sites, struct member *m, struct error *e)
{
    const struct vent_points *v = &m->plan->vents;
    int status = 0;
    for (int i = 0; i < v->count && !status; i++) {
        int first = 0;
        while (v->point[first].id != v->point[i].id) first++;
        if (first == i) status = place_one_vent(sites, m, v->point, v->count, v->point[i].id, e);
    }
    return status;
}

static int place_vents(struct vent_sites *sites, struct member *m, const struct table_row *row,
                       struct error *e)
{
    const struct plan *p = m->plan;
    const struct sources *s = &p->sources;
    *sites = (struct vent_sites){.path = m->called};
    int status;
    if (row && !isnan(row->x)) {
        struct line one = {1, 1, (struct line_point[2]){{row->x, row->y, 0}}};
        status = place_vent(sites, m, &one, e);
    } else if (row && row->vent && s->choice.count) {
        status = place_one_vent(sites, m, s->point, s->point_count, row->vent, e);
    } else if (row && row->vent) {
        status = place_one_vent(sites, m, p->vents.point, p->vents.count, row->vent, e);
    } else if (m->source >= 0) {
        const struct source *from = &s->source[m->source];
        status = place_one_vent(sites, m, s->point + from->first, from->points, from->id, e);
    } else {
        status = place_all(sites, m, e);
    }
    if (!status) status = vent_sites_finish(sites, e);
    return status;
}

/* What the rates are made of, and by how much. */
struct scale {
    const struct rate_series *series;
    double stretch, factor;
};

static struct scale scale_of(const struct member *m, const struct table_row *row,
                             const struct rate_series *rates)
{
    const struct plan *p = m->plan;
    const double *value = m->value;
    struct scale s = {rates->count ? rates : &p->shape, 1, 1};
    double volume_m3 = value[ERUPTION_VOLUME];
    if (row && row->rates >= 0) {
        s.series = &p->table.rates[row->rates];
    } else if (m->class >= 0) {
        const struct eruption_class *c = &p->classes.item[m->class];
        s.series = &c->series;
        s.stretch = c->duration_s;
        volume_m3 = c->volume_m3;
    }
    if (!isnan(value[ERUPTION_H])) s.stretch = value[ERUPTION_H] * 3600 / s.series->end_s;
    if (!isnan(volume_m3)) s.factor = volume_m3 / (s.series->volume_m3 * s.stretch);
    if (!isnan(value[DURATION_FACTOR])) s.stretch *= value[DURATION_FACTOR];
    if (!isnan(value[RATE_FACTOR])) s.factor *= value[RATE_FACTOR];
    return s;
}

/* The history of this member, where the plan's rates are uncertain; else count 0. */
static int draw_rates(struct rate_series *drawn, const struct member *m, struct error *e)
{
    const struct plan *p = m->plan;
    const double end_h = m->value[ERUPTION_END];
    *drawn = (struct rate_series){0};
    if (!p->history.sd) return 0;
    struct rate_history_draws of = {.seed = (uint64_t)p->keys.seed, .number = (uint64_t)m->number};
    if (p->draws) {
        of.given = (uint32_t)p->draws->rates;
        of.z = draws_of(p->draws, m->number) + p->draws->dimensions;
    }
    return rate_history_draw(drawn, &p->history, &p->rates, &of,
                             isnan(end_h) ? INFINITY : end_h * 3600, e);
}

int member_erupt(struct member *m, const struct table_row *row, struct error *e)
{
    const double clock_s = m->c.problem.params.clock_s;
    struct rate_series drawn;
    int status = draw_rates(&drawn, m, e);
    if (status) return status;
    const struct scale s = scale_of(m, row, drawn.count ? &drawn : &m->plan->rates);
    struct vent_sites sites = {0};
    struct rate_lists rates = {0};
    char called[sizeof m->called + 300];
    snprintf(called, sizeof called, "%s: %.280s", m->called, s.series->path);
    status = place_vents(&sites, m, row, e);
    if (!status && (!isfinite(s.factor) || !isfinite(s.stretch)))
        status = error_input(e, "%s: has no rate above 0, and so no volume to scale", called);
    if (!status)
        status = rate_series_rates(&rates, s.series, s.stretch, s.factor, clock_s, called, e);
    if (!status) status = case_emission(&m->c, &sites, &rates, e);
    vents_free(&sites);
    rates_free(&rates);
    rate_series_free(&drawn);
    return status;
}
