/* emission_steps.c — rates over time become amounts of steps, by either rule. */
#include "emission.h"

#include "model/lattice.h"
#include "double_double.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

/* The emission of a step: on the lattice, and 2^-64 quanta to carry over. */
struct amount {
    double m;
    uint64_t fraction;
};

struct table {
    struct vent *vent;
    uint64_t phase; /* when its first interval begins */
};

/* From `step` on the vent emits this; intervals without a change are merged, so that a table does
 * not depend on the user's division of time. */
static void change(struct table *t, int64_t step, struct amount amount)
{
    struct vent *v = t->vent;
    int n = v->interval_count;
    if (n && v->first_step[n - 1] == step) n = --v->interval_count;
    const struct amount before =
        n ? (struct amount){v->amount_m[n - 1], v->fraction[n - 1]} : (struct amount){0, 0};
    if (amount.m == before.m && amount.fraction == before.fraction) return;
    v->first_step[n] = step;
    v->amount_m[n] = amount.m;
    v->fraction[n] = amount.fraction;
    v->phase[n] =
        n ? v->phase[n - 1] + (uint64_t)(step - v->first_step[n - 1]) * before.fraction : t->phase;
    v->interval_count++;
}

static void emit(struct table *t, int64_t first, int64_t end, struct amount amount)
{
    change(t, first, amount);
    change(t, end, (struct amount){0, 0});
}

/* ---- the rate at the end of each step -------------------------------------------------------- */

/* The order of the operands is as in the published program. Sharing comes first: exact for one.
 */
double emission_amount_m(double rate_m3_s, double shares, const struct params *p)
{
    return rate_m3_s / shares / (p->cell_m * p->cell_m) * p->clock_s;
}

static void fill_sampled(struct table *t, const struct rate_list *list, double shares,
                         const struct params *p, bool rounded)
{
    for (int i = 0; i < list->count; i++) {
        const struct rate *r = &list->rate[i];
        if (r->first_step == r->end_step) continue;
        const double m = emission_amount_m(r->rate_m3_s, shares, p);
        emit(t, r->first_step, r->end_step, (struct amount){rounded ? lattice_round(m) : m, 0});
    }
}

/* ---- the integral of the rate over each step ------------------------------------------------- */

__extension__ typedef unsigned __int128 parts; /* of a quantum: 2^-64 */

/* Cut off to a whole number of parts; |x_m| < 2^17. Scaling by powers of two is exact, and so is
 * taking the integer off what is positive. The lower half of a number may be negative: then what it
 * takes away is at most what the upper half gave. */
static parts parts_of(double x_m)
{
    if (x_m < 0) return -parts_of(-x_m);
    const double quanta = x_m * LATTICE_PER_M, whole = floor(quanta);
    return ((parts)whole << 64) + (parts)((quanta - whole) * 0x1p64);
}

static struct amount amount_of(parts x)
{
    return (struct amount){(double)(uint64_t)(x >> 64) * LATTICE_M, (uint64_t)x};
}

struct integral {
    struct table table;
    double clock_s;
    struct double_double area_m2; /* that the rate is spread over: of a cell, times the shares */
    int64_t cut;                  /* a step that bounds of intervals cut; 0: none */
    parts so_far;                 /* of the parts of that step */
};

static parts integral_of(const struct integral *g, double rate_m3_s, struct double_double time_s)
{
    const struct double_double m =
        double_double_over(double_double_times(time_s, rate_m3_s), g->area_m2);
    return parts_of(m.high) + parts_of(m.low);
}

/* When step n ends, exactly. */
static struct double_double end_of(const struct integral *g, int64_t n)
{
    return double_double_product((double)n, g->clock_s);
}

/* Its sign: whether step n ends before, at or after that time. */
static int compare_end(const struct integral *g, int64_t n, double at_s)
{
    const struct double_double end = end_of(g, n);
    const double ahead = end.high == at_s ? end.low : end.high - at_s;
    return (ahead > 0) - (ahead < 0);
}

/* The first step that ends at that time or later. */
static int64_t step_ending(const struct integral *g, double at_s)
{
    const double near = floor(at_s / g->clock_s) - 2; /* surely before it, by rounding or not */
    int64_t n = near < 1 ? 1 : (int64_t)near;
    while (compare_end(g, n, at_s) < 0) n++;
    return n;
}

static void end_cut(struct integral *g)
{
    if (g->cut) emit(&g->table, g->cut, g->cut + 1, amount_of(g->so_far));
    g->cut = 0;
    g->so_far = 0;
}

/* A part of step n. */
static void add_part(struct integral *g, int64_t n, double rate_m3_s, struct double_double time_s)
{
    if (g->cut != n) end_cut(g);
    g->cut = n;
    g->so_far += integral_of(g, rate_m3_s, time_s);
}

static void add_interval(struct integral *g, double from_s, double to_s, double rate_m3_s)
{
    const struct double_double from = {from_s, 0}, to = {to_s, 0}, clock = {g->clock_s, 0};
    const int64_t before = step_ending(g, from_s), last = step_ending(g, to_s);
    const bool begins = from_s == 0 || compare_end(g, before, from_s) == 0, /* with a step */
        ends = compare_end(g, last, to_s) == 0;
    int64_t first = from_s == 0 || !begins ? before : before + 1;
    if (first == last && !(begins && ends)) {
        const struct double_double start = begins ? end_of(g, first - 1) : from;
        add_part(g, first, rate_m3_s, double_double_minus(ends ? end_of(g, last) : to, start));
        return;
    }
    if (!begins) {
        add_part(g, first, rate_m3_s, double_double_minus(end_of(g, first), from));
        first++;
    }
    const int64_t end = ends ? last + 1 : last;
    if (first < end) {
        end_cut(g);
        emit(&g->table, first, end, amount_of(integral_of(g, rate_m3_s, clock)));
    }
    if (!ends) add_part(g, last, rate_m3_s, double_double_minus(to, end_of(g, last - 1)));
}

static void fill_integral(struct table t, const struct rate_list *list, double shares,
                          const struct params *p)
{
    struct integral g = {.table = t, .clock_s = p->clock_s};
    g.area_m2 = double_double_times(double_double_product(p->cell_m, p->cell_m), shares);
    for (int i = 0; i < list->count; i++) {
        const struct rate *r = &list->rate[i];
        while (i + 1 < list->count && list->rate[i].to_s == list->rate[i + 1].from_s &&
               list->rate[i + 1].rate_m3_s == r->rate_m3_s)
            i++;
        add_interval(&g, r->from_s, list->rate[i].to_s, r->rate_m3_s);
    }
    end_cut(&g);
}

/* ---- both ------------------------------------------------------------------------------------ */

double emission_changes(const struct rate_list *list, enum emission_rule rule)
{
    return (rule == EMISSION_INTEGRAL ? 4.0 : 2.0) * list->count + 1;
}

/* Hermite: the sum of floor(x + (k + 1/2) / n) over k = 0 ... n - 1 is floor(n x + 1/2). With the
 * phase (turn + 1/2) / shares all cells that share a rate together have emitted, at the end of each
 * step, the whole number of quanta nearest to what the rate comes to until then. */
static uint64_t first_phase(int64_t shares, int64_t turn)
{
    return (uint64_t)(((parts)(2 * turn + 1) << 64) / (parts)(2 * shares));
}

static int make_room(struct vent *v, size_t room, struct error *e)
{
    v->first_step = malloc(room * sizeof *v->first_step);
    v->amount_m = malloc(room * sizeof *v->amount_m);
    v->fraction = malloc(room * sizeof *v->fraction);
    v->phase = malloc(room * sizeof *v->phase);
    if (v->first_step && v->amount_m && v->fraction && v->phase) return 0;
    return error_memory(e);
}

int emission_fill_next(struct vent *v, const struct vent *before, int64_t shares, int64_t turn,
                       int64_t turn_before, struct error *e)
{
    const size_t n = (size_t)before->interval_count;
    const uint64_t later = first_phase(shares, turn) - first_phase(shares, turn_before);
    int status = make_room(v, n + 1, e);
    if (status) return status;
    memcpy(v->first_step, before->first_step, n * sizeof *v->first_step);
    memcpy(v->amount_m, before->amount_m, n * sizeof *v->amount_m);
    memcpy(v->fraction, before->fraction, n * sizeof *v->fraction);
    for (size_t i = 0; i < n; i++) v->phase[i] = before->phase[i] + later;
    v->interval_count = before->interval_count;
    return 0;
}

int emission_fill(struct vent *v, const struct rate_list *list, int64_t shares, int64_t turn,
                  const struct params *p, enum emission_rule rule, struct error *e)
{
    int status = make_room(v, (size_t)emission_changes(list, rule), e);
    if (status) return status;
    struct table t = {v, first_phase(shares, turn)};
    if (rule == EMISSION_INTEGRAL) fill_integral(t, list, (double)shares, p);
    else fill_sampled(&t, list, (double)shares, p, rule == EMISSION_PUBLISHED);
    return 0;
}
