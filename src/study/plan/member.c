#include "member.h"

#include "base/memory.h"
#include "base/order.h"
#include "case/changes.h"
#include "case/resolution.h"
#include "eruption/vents.h"
#include "sim/tile_map.h"
#include "text/number.h"
#include "text/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- vents ----------------------------------------------------------------------------------- */

/* The points of one vent or fissure, in map coordinates. */
struct line {
    int id, count;
    struct line_point {
        double x, y;
        int part; /* number of the fissure's part to which the point belongs */
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

/* Turns a line about its middle until the direction from its first to its last point is `azimuth`. c and s are the
 * cosine and the sine of the turn. */
static void turn_line(struct line *l, double azimuth)
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

/* Replaces a fissure by a straight line of two points. l->point has room for them. */
static void straighten_line(struct line *l, double length_m, double azimuth)
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
    if (!isnan(value[FISSURE_LENGTH])) straighten_line(l, value[FISSURE_LENGTH], value[AZIMUTH]);
    else if (!isnan(value[AZIMUTH])) turn_line(l, value[AZIMUTH]);
    for (int i = 0; i < l->count; i++) {
        if (!isnan(value[VENT_EAST])) l->point[i].x += value[VENT_EAST];
        if (!isnan(value[VENT_NORTH])) l->point[i].y += value[VENT_NORTH];
    }
    if (isnan(m->x)) middle_of(l, &m->x, &m->y);
    return place_line(sites, m, l, e);
}

/* Places the vent with the number `id`. point[count] has the points of all vents. */
static int place_one_vent(struct vent_sites *sites, struct member *m,
                          const struct vent_point *point, int count, int id, struct error *e)
{
    const struct georef *geo = &m->plan->base.geo;
    FREED struct line_point *at = malloc(((size_t)count + 2) * sizeof *at);
    struct line l = {id, 0, at};
    if (!at) return error_memory(e);
    for (int i = 0; i < count; i++)
        if (point[i].id == id)
            at[l.count++] =
                (struct line_point){geo->west_m + point[i].at.right * geo->cell_m,
                                    geo->south_m + point[i].at.up * geo->cell_m, point[i].part};
    return l.count
               ? place_vent(sites, m, &l, e)
               : error_input(
                     e, "%s: there is no vent %d; give a vent of the plan's list or of the case",
                     m->called, id);
}

/* Places all vents of the case. A vent is placed when the loop comes to its first point. */
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

/* Rates and their scale: `stretch` multiplies times, and `factor` multiplies rates. */
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

/* Draws the rates of this member if they are uncertain or if vents share them. Otherwise *drawn remains all zero. */
static int draw_rates(struct rate_series *drawn, const struct member *m, struct error *e)
{
    const struct plan *p = m->plan;
    const double end_h = m->value[ERUPTION_END];
    FREED_BY(rate_series_free) struct rate_series total = {0};
    struct rate_history_draws of = {.seed = (uint64_t)p->keys.seed, .number = (uint64_t)m->number};
    if (p->draws) {
        of.given = (uint32_t)p->draws->rates;
        of.z = draws_of(p->draws, m->number) + p->draws->dimensions;
    }
    int status = 0;
    if (p->history.sd)
        status = rate_history_draw(p->shares.times ? &total : drawn, &p->history, &p->rates, &of,
                                   isnan(end_h) ? INFINITY : end_h * 3600, e);
    if (status || !p->shares.times) return status;
    return rate_shares_divide(drawn, &p->shares, p->history.sd ? &total : &p->rates, &of, e);
}

/* Makes the vents and rates of a member. m->value and the parameters are set before. */
static int make_eruption(struct member *m, const struct table_row *row, struct error *e)
{
    const double clock_s = m->c.problem.params.clock_s;
    FREED_BY(rate_series_free) struct rate_series drawn = {0};
    FREED_BY(vents_free) struct vent_sites sites = {0};
    FREED_BY(rates_free) struct rate_lists rates = {0};
    char called[sizeof m->called + 300];
    int status = draw_rates(&drawn, m, e);
    if (status) return status;
    const struct scale s = scale_of(m, row, drawn.count ? &drawn : &m->plan->rates);
    snprintf(called, sizeof called, "%s: %.280s", m->called, s.series->path);
    status = place_vents(&sites, m, row, e);
    if (!status && (!isfinite(s.factor) || !isfinite(s.stretch)))
        status = error_input(
            e, "%s: no rate is above 0, so no volume can be scaled; give a rate above 0", called);
    if (!status)
        status = rate_series_rates(&rates, s.series, s.stretch, s.factor, clock_s, called, e);
    return status ? status : case_emission(&m->c, &sites, &rates, e);
}

enum { STEPS_MAX = 2147483646 }; /* the step in which lava arrives in a cell is stored in 32 bits */

/* ---- draws ----------------------------------------------------------------------------------- */

static void draw_correlated(struct member *m, const double z_of[VARIABLES])
{
    const struct correlation *k = &m->plan->correlation;
    double z[VARIABLES];
    for (int i = 0; i < k->count; i++) z[i] = z_of[k->variable[i]];
    correlation_apply(k, z);
    for (int i = 0; i < k->count; i++)
        m->value[k->variable[i]] = distribution_of_normal(m->plan->vary[k->variable[i]], z[i]);
}

static void draw_member(struct member *m)
{
    const struct plan *p = m->plan;
    double z[VARIABLES];
    for (int i = 0; i < p->sampling.dimensions; i++) {
        const double given = p->draws ? draws_of(p->draws, m->number)[i] : 0,
                     u = p->draws ? normal_probability(given)
                                  : sampling_unit(&p->sampling, m->number, i);
        const int stream = p->stream[i];
        if (stream == STREAM_VENT) m->source = choice_of(&p->sources.choice, u);
        else if (stream == STREAM_CLASS) m->class = choice_of(&p->classes.choice, u);
        else {
            m->value[stream] = distribution_quantile(p->vary[stream], u);
            z[stream] = p->draws ? given : normal_quantile(u);
        }
    }
    if (p->correlation.count) draw_correlated(m, z);
    if (p->hazard)
        m->weight *=
            (uint64_t)fmax(1, rint(HAZARD_WEIGHT * plan_hazard_ratio(p, m->source, m->class)));
}

/* Sets the weight of a member. If members are pairs of a vent and a class, sets the vent and the class, too. Returns
 * the member's row of the member table; NULL: the plan has no such table. */
static const struct table_row *choose_combination(struct member *m)
{
    const struct plan *p = m->plan;
    const int64_t turn = m->number / p->repeats;
    m->weight = p->draws ? p->draws->weight[m->number] : 1;
    if (p->table.count) {
        const struct table_row *row = &p->table.row[turn];
        m->weight = row->weight;
        return row;
    }
    if (!p->combined) return NULL;
    const int classes = p->classes.choice.count, each = classes ? classes : 1;
    if (classes) {
        m->class = (int)(turn % each);
        m->weight *= p->classes.choice.weight[m->class];
    }
    if (p->sources.choice.count) {
        m->source = (int)(turn / each);
        m->weight *= p->sources.choice.weight[m->source];
    }
    return NULL;
}

uint64_t member_weight(const struct plan *p, int64_t number)
{
    struct member m = {.plan = p, .number = number};
    choose_combination(&m);
    if (p->hazard) draw_member(&m);
    return m.weight;
}

static void apply_row(struct member *m, const struct table_row *row)
{
    const struct plan *p = m->plan;
    for (int i = 0; i < VARIABLES; i++)
        if (p->table.has[i]) m->value[i] = row->value[i];
    if (row->class >= 0) m->class = row->class;
    if (row->rates >= 0) m->rates = p->table.rates_name[row->rates];
    m->vent = row->vent;
}

/* ---- the case of a member -------------------------------------------------------------------- */

static int check_values(const struct member *m, struct error *e)
{
    for (int i = 0; i < VARIABLES; i++) {
        const struct variable_row v = variable_row(i);
        char low[32], high[32];
        if (isnan(m->value[i]) || (m->value[i] >= v.low && m->value[i] <= v.high)) continue;
        return error_input(e,
                           "%s: draws %s = %g, which is not from %s to %s; limit the distribution "
                           "(normal MEAN SD from LOW to HIGH)",
                           m->called, v.name, m->value[i], number_text(v.low, low),
                           number_text(v.high, high));
    }
    return 0;
}

static int set_parameters(struct member *m, struct error *e)
{
    struct params *to = &m->c.problem.params;
    *to = *resolution_given(&m->plan->base);
    for (int i = 0; i < PARAMETERS; i++)
        if (!isnan(m->value[i]))
            memcpy((char *)to + params_table[i].at, &m->value[i], sizeof m->value[i]);
    /* resolution_scale() must not scale a drawn Pclock with the size of cells. */
    if (to->clock_s != m->plan->base.problem.params.clock_s) m->c.unscaled_clock_s = 0;
    resolution_scale(&m->c);
    if (!(to->temp_vent_K > to->temp_sol_K))
        return error_input(
            e, "%s: draws PTvent = %g, not above PTsol = %g; keep their distributions apart",
            m->called, to->temp_vent_K, to->temp_sol_K);
    const struct plan *p = m->plan;
    if (p->lava_low_K && (p->lava_low_K < to->temp_sol_K || p->lava_high_K > to->temp_vent_K))
        return error_input(e,
                           "%s: has initial lava of %g to %g K, not between PTsol = %g and PTvent "
                           "= %g; limit what is drawn, or give initial_temperature_K",
                           m->called, p->lava_low_K, p->lava_high_K, to->temp_sol_K,
                           to->temp_vent_K);
    return 0;
}

/* Sets the number of steps. If steps are longer or shorter than the steps of the case, the duration remains the
 * duration of the case. */
static int set_steps(struct member *m, const struct table_row *row, struct error *e)
{
    const struct plan *p = m->plan;
    const double clock_s = m->c.problem.params.clock_s, own_s = p->base.problem.params.clock_s;
    double end_s = isnan(m->value[RUN_H]) ? p->keys.run_s : m->value[RUN_H] * 3600;
    if (row && !isnan(row->stop_mobile_m)) {
        m->c.problem.stop_mobile_m = row->stop_mobile_m;
        m->c.problem.stop_when_still = row->stop_mobile_m > 0;
    }
    if (row && row->max_steps >= 0) {
        m->c.max_steps = row->max_steps;
    } else if (end_s > 0 || clock_s != own_s) {
        if (end_s == 0) end_s = (double)p->base.max_steps * own_s;
        if (end_s / clock_s > STEPS_MAX)
            return error_input(e, "%s: has %.3g steps; give a shorter run_h or a longer Pclock",
                               m->called, end_s / clock_s);
        m->c.max_steps = end_s > 0 ? rates_first_step(end_s, 1, clock_s) : 0;
    }
    if (m->c.max_steps > fields_begin(&m->c.problem) ||
        (!m->c.max_steps && m->c.problem.stop_when_still))
        return 0;
    return error_input(e, "%s: begins at step %lld and ends at step %lld; give more steps",
                       m->called, (long long)fields_begin(&m->c.problem),
                       (long long)m->c.max_steps);
}

/* Counts the cells with vents. -1: out of memory. */
static int vent_cells(const struct problem *p)
{
    FREED uint64_t *place = malloc((size_t)(p->vent_count + 1) * sizeof *place);
    int count = 0;
    if (!place) return -1;
    for (int v = 0; v < p->vent_count; v++)
        place[v] = (uint64_t)p->vents[v].row << 32 | (uint64_t)p->vents[v].col;
    qsort(place, (size_t)p->vent_count, sizeof *place, order_words);
    for (int v = 0; v < p->vent_count; v++) count += !v || place[v] != place[v - 1];
    return count;
}

/* Sets the amount of mobile lava at which a member counts as at rest: the thickness Phc(PTvent) in each cell with a
 * vent. Lava in a cell with a vent stays hot and flows until it has this thickness. */
static int set_stop_at_rest(struct member *m, const struct table_row *row, struct error *e)
{
    struct problem *p = &m->c.problem;
    if (!m->plan->keys.stop_at_rest || (row && !isnan(row->stop_mobile_m))) return 0;
    const int cells = vent_cells(p);
    if (cells < 0) return error_memory(e);
    p->stop_when_still = true;
    p->stop_mobile_m = cells * p->params.critical_vent_m;
    return 0;
}

static double value_or(const struct member *m, int variable, double otherwise)
{
    return isnan(m->value[variable]) ? otherwise : m->value[variable];
}

static int set_terrain_error(struct member *m, const struct table_row *row, struct error *e)
{
    const struct plan *p = m->plan;
    const double cell_m = p->base.geo.cell_m,
                 length_m = value_or(m, TERRAIN_LENGTH, p->keys.terrain_error_length_m);
    if (length_m > 0 && length_m < cell_m)
        return error_input(
            e, "%s: has terrain_error_length_m = %g, less than a cell; give 0 or %g at least",
            m->called, length_m, cell_m);
    const struct terrain_error first = {
        .seed = (uint64_t)p->keys.seed,
        .number = row && row->terrain_seed >= 0 ? (uint64_t)row->terrain_seed
                  : p->draws                    ? draws_terrain(p->draws, m->number)
                                                : (uint64_t)m->number,
        .sd_m = value_or(m, TERRAIN_ERROR, p->keys.terrain_error_m),
        .nodes_per_cell = length_m > 0 ? TERRAIN_ERROR_LAG * cell_m / length_m : 0};
    terrain_spectrum_set(&m->error, &first, p->keys.terrain_error_hurst);
    return 0;
}

static void set_names(struct member *m)
{
    const struct sim_case *base = &m->plan->base;
    const int n = (int)m->number; /* there are at most 10,000,000 members */
    snprintf(m->called, sizeof m->called, "%.500s: member %d", base->path, n);
    snprintf(m->c.name, sizeof m->c.name, "%.50s_%d", base->name, n);
    snprintf(m->c.title, sizeof m->c.title, "%.100s", base->title);
    scan_cut(m->c.title);
    const size_t length = strlen(m->c.title);
    snprintf(m->c.title + length, sizeof m->c.title - length, ", member %d", n);
}

static void begin_member(struct member *m, const struct plan *p, int64_t number)
{
    *m = (struct member){
        .plan = p, .number = number, .source = -1, .class = -1, .x = (double)NAN, .y = (double)NAN};
    for (int i = 0; i < VARIABLES; i++) m->value[i] = NAN;
}

/* Sets the values of a member, from draws or from the member table. Returns the member's row of this table; NULL:
 * there is no table. */
static const struct table_row *set_values(struct member *m)
{
    const struct table_row *row = choose_combination(m);
    draw_member(m);
    if (row) apply_row(m, row);
    return row;
}

static bool has_vents(const struct plan *p)
{
    return p->vents.count || p->sources.choice.count || p->table.has_place;
}

int member_eruption(double *end_s, double *volume_m3, const struct plan *p, int64_t number,
                    struct error *e)
{
    struct member m;
    FREED_BY(rate_series_free) struct rate_series drawn = {0};
    *end_s = *volume_m3 = 0;
    if (!has_vents(p)) return 0;
    begin_member(&m, p, number);
    const struct table_row *row = set_values(&m);
    const int status = draw_rates(&drawn, &m, e);
    if (status) return status;
    const struct scale s = scale_of(&m, row, drawn.count ? &drawn : &p->rates);
    *end_s = s.series->end_s * s.stretch;
    *volume_m3 = s.series->volume_m3 * s.stretch * s.factor;
    return 0;
}

static int build_member(struct member *m, struct error *e)
{
    const struct plan *p = m->plan;
    set_names(m);
    const struct table_row *row = set_values(m);
    if (m->source >= 0) m->vent = p->sources.source[m->source].id;
    int status = check_values(m, e);
    if (!status) status = set_terrain_error(m, row, e);
    if (!status) status = set_parameters(m, e);
    if (!status) status = set_steps(m, row, e);
    if (!status && has_vents(p)) status = make_eruption(m, row, e);
    if (!status) status = case_check_depth(&m->c, e);
    if (status) return status;
    case_point(&m->c);
    return set_stop_at_rest(m, row, e);
}

/* Copies the case of the plan, but neither its warnings nor its changes of the terrain. A member has its own
 * warnings and changes. */
static void borrow_case(struct member *m)
{
    m->c = m->plan->base;
    m->c.told = (struct warnings){0};
    m->c.change = NULL;
    m->c.change_count = 0;
}

/* Copies the changes of the terrain. Sorts them again, because steps of the member may have another length. */
static int take_changes(struct member *m, struct error *e)
{
    const struct sim_case *base = &m->plan->base;
    const size_t size = (size_t)base->change_count * sizeof *base->change;
    struct error why;
    if (!size) return 0;
    if (!(m->c.change = malloc(size))) return error_memory(e);
    memcpy(m->c.change, base->change, size);
    m->c.change_count = base->change_count;
    return changes_sort(&m->c, &why) ? error_input(e, "%s: %.800s", m->called, why.text) : 0;
}

int member_create_flat(struct member *m, const struct plan *p, int64_t number, struct error *e)
{
    begin_member(m, p, number);
    if (number < 0 || number >= p->count)
        return *m = (struct member){0},
               error_input(e, "%s: there is no member %lld; members are numbered from 0 to %lld",
                           p->base.path, (long long)number, (long long)p->count - 1);
    borrow_case(m);
    int status = build_member(m, e);
    if (!status) status = take_changes(m, e);
    if (status) member_free(m);
    return status;
}

int member_possible(bool *possible, const struct plan *p, int64_t number, struct error *e)
{
    FREED struct member *m = malloc(sizeof *m);
    int status = m ? member_create_flat(m, p, number, e) : error_memory(e);
    *possible = !status;
    if (*possible) member_free(m);
    return status == ERROR_INPUT ? 0 : status;
}

/* ---- the member's own terrain ---------------------------------------------------------------- */

/* The terrain of a member, read in tiles. The terrain's error is added to each tile when lava first needs the tile. */
struct member_terrain {
    struct terrain_source source;
    struct tile_map map;
    const struct plan *plan;
    const struct problem *base;
    struct terrain_spectrum error;
    double *elevation_m;
};

static int fill_window(void *self, struct window w, struct error *e)
{
    const struct member_terrain *t = self;
    int status = problem_read_terrain(t->base, w, e);
    if (!status) status = plan_check_ground(t->plan, w, e);
    if (status) return status;
    return terrain_spectrum_add_in(&t->error, w, t->base->cols, t->base->elevation_m,
                                   t->elevation_m)
               ? 0
               : error_memory(e);
}

static int read_window(void *self, struct window w, struct error *e)
{
    struct member_terrain *t = self;
    return tile_map_need(&t->map, w, fill_window, t, e);
}

static bool create_tiles(struct member *m, const struct problem *base)
{
    struct member_terrain *t = m->terrain = calloc(1, sizeof *t);
    if (!t || !tile_map_create(&t->map, base->rows, base->cols, TILE_MAP_SIDE)) return false;
    t->source = (struct terrain_source){read_window, t};
    t->plan = m->plan;
    t->base = base;
    t->error = m->error;
    t->elevation_m = m->elevation_m =
        memory_reserve((size_t)base->rows * (size_t)base->cols * sizeof *t->elevation_m);
    m->c.problem.terrain = &t->source;
    return m->elevation_m != NULL;
}

static bool create_whole(struct member *m, const struct problem *base)
{
    m->elevation_m = malloc((size_t)base->rows * (size_t)base->cols * sizeof *m->elevation_m);
    return m->elevation_m && terrain_spectrum_add(&m->error, base->rows, base->cols,
                                                  base->elevation_m, m->elevation_m);
}

static void free_terrain(struct member *m)
{
    const struct problem *p = &m->c.problem;
    if (!m->terrain) {
        free(m->elevation_m);
        return;
    }
    memory_release(m->elevation_m, (size_t)p->rows * (size_t)p->cols * sizeof *m->elevation_m);
    tile_map_free(&m->terrain->map);
    free(m->terrain);
}

/* ---- the member's own changes ---------------------------------------------------------------- */

/* An array for each change of the terrain: a survey's elevations, or a struct ground_rule for each cell of barriers.
 * NULL: not allocated. */
struct member_changes {
    int count;
    void *of[];
};

/* Adds the error of the terrain to a change: to the elevations of a survey, or to the crests of barriers. */
static bool err_in(struct member *m, struct change *x, void **own)
{
    const struct problem *p = &m->c.problem;
    if (x->elevation_m) {
        double *z = *own = malloc((size_t)p->rows * (size_t)p->cols * sizeof *z);
        if (!z || !terrain_spectrum_add(&m->error, p->rows, p->cols, x->elevation_m, z))
            return false;
        x->elevation_m = z;
        return true;
    }
    struct ground_rule *rule = *own = malloc((x->rules + 1) * sizeof *rule);
    if (!rule) return false;
    memcpy(rule, x->rule, x->rules * sizeof *rule);
    for (size_t i = 0; i < x->rules; i++) {
        const int row = (int)(rule[i].place / (uint32_t)p->cols),
                  col = (int)(rule[i].place % (uint32_t)p->cols);
        rule[i].crest_m = lattice_round(rule[i].crest_m + terrain_spectrum_at(&m->error, row, col));
    }
    x->rule = rule;
    return true;
}

static bool err_in_all(struct member *m)
{
    const int count = m->c.change_count;
    if (!count) return true;
    m->changes = calloc(1, sizeof *m->changes + (size_t)count * sizeof *m->changes->of);
    bool good = m->changes != NULL;
    if (good) m->changes->count = count;
    for (int i = 0; i < count && good; i++) good = err_in(m, &m->c.change[i], &m->changes->of[i]);
    return good;
}

/* Copies the lava and the solidified lava of the state onto the member's own terrain. */
static int take_state(struct member *m, const struct problem *base, struct error *e)
{
    const struct fields *of = base->from;
    if (!of) return 0;
    const size_t size = window_cells(of->window) * sizeof *of->elevation_m;
    m->from = *of;
    if (!(m->from.elevation_m = malloc(size))) return error_memory(e);
    memcpy(m->from.elevation_m, of->elevation_m, size);
    m->c.problem.from = &m->from;
    return ground_survey(&m->from, base, m->elevation_m, false, m->elevation_m, e);
}

int member_create(struct member *m, const struct plan *p, int64_t number, struct error *e)
{
    const struct problem *base = &p->base.problem;
    int status = member_create_flat(m, p, number, e);
    if (status || m->error.octave[0].sd_m == 0) return status;
    if (!(base->terrain ? create_tiles(m, base) : create_whole(m, base)) || !err_in_all(m))
        status = error_memory(e);
    if (!status) status = take_state(m, base, e);
    if (status) {
        member_free(m);
        return status;
    }
    m->c.elevation_m = m->elevation_m;
    case_point(&m->c);
    return 0;
}

/* Pointers that belong to the plan are cleared before the case is freed. */
void member_free(struct member *m)
{
    struct sim_case *c = &m->c;
    c->path = c->outline_path = NULL;
    free_terrain(m);
    c->elevation_m = c->thickness_m = c->temp_K = c->solid_m = NULL;
    c->sea = NULL;
    c->barriers = NULL;
    c->background = NULL;
    c->tiles = NULL;
    for (int i = 0; m->changes && i < m->changes->count; i++) free(m->changes->of[i]);
    free(m->c.change);
    m->c.change = NULL;
    m->c.change_count = 0;
    case_free(c);
    RELEASE(m, m->changes, m->from.elevation_m);
}

void member_value(const struct member *m, int i, char text[64])
{
    const int column = m->plan->column[i];
    *text = '\0';
    if (column < VARIABLES) {
        if (!isnan(m->value[column])) number_text(m->value[column], text);
    } else if (column == COLUMN_VENT) {
        snprintf(text, 64, "%d", m->vent);
    } else if (column == COLUMN_X || column == COLUMN_Y) {
        snprintf(text, 64, "%.3f", column == COLUMN_X ? m->x : m->y);
    } else if (column == COLUMN_CLASS) {
        snprintf(text, 64, "%s", m->class < 0 ? "" : m->plan->classes.item[m->class].name);
    } else if (column == COLUMN_RATES) {
        snprintf(text, 64, "%.60s", m->rates ? m->rates : "");
    } else if (column == COLUMN_TERRAIN_SEED) {
        snprintf(text, 64, "%llu", (unsigned long long)m->error.octave[0].number);
    } else {
        snprintf(text, 64, "%lld", (long long)m->c.max_steps);
    }
}
