#include "sights.h"

#include "base/order.h"
#include "plan/member.h"
#include "random/quantile.h"
#include "sights_inside.h"
#include "text/number.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sights_class(const struct axis *arrival_s, double time_s)
{
    const int class = axis_of(arrival_s, time_s);
    return class < arrival_s->edges && arrival_s->edge[class] == time_s ? class : class - 1;
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* Orders lines by their values: dates, region, errors and correlation. */
static int order_lines(const struct seen_line *a, const struct seen_line *b)
{
    const double of_a[] = {a->increments, a->part,    a->frp,
                           a->error_m,    a->error_s, a->correlation_m},
                 of_b[] = {b->increments, b->part,    b->frp,
                           b->error_m,    b->error_s, b->correlation_m};
    int order = order_by(strcmp(a->within, b->within), strcmp(a->date, b->date));
    for (size_t i = 0; i < sizeof of_a / sizeof *of_a && !order; i++)
        order = order_reals(&of_a[i], &of_b[i]);
    return order;
}

static int by_time(const void *a, const void *b)
{
    const struct sight *x = a, *y = b;
    const int moment = order_by(ORDER(x->time_s, y->time_s), ORDER(x->kind, y->kind)),
              text = order_by(strcmp(x->line->file, y->line->file), strcmp(x->name, y->name)),
              line = order_lines(x->line, y->line);
    return order_by(moment, order_by(text, order_by(line, ORDER(x->rate.from_s, y->rate.from_s))));
}

static void free_sight(struct sight *o)
{
    FREE_ALL(o->odds, o->gain, o->seen, o->front.inside, o->arrival.cell, o->survey.thickness_q,
             o->survey.share, o->hot.bits, o->hot.spot);
    domain_free(&o->front.domain);
}

static void drop_later(struct sights *x, double now_s)
{
    int kept = 0;
    for (int i = 0; i < x->count; i++)
        if (x->of[i].time_s <= now_s) x->of[kept++] = x->of[i];
        else free_sight(&x->of[i]);
    x->count = kept;
}

/* The end of the last member. INFINITY: it is not known before members are computed. */
static double last_end_s(const struct sights *x)
{
    const struct plan_outlook *o = x->s->source->outlook;
    return o && o->end_s > 0 ? o->end_s : INFINITY;
}

/* Writes advice for the user: the key of the plan that makes members last until a time. */
static void say_longer(const struct sights *x, double time_s, char out[200])
{
    const struct plan *p = x->plan;
    char hours[32];
    const double clock_s = p->base.problem.params.clock_s;
    if (p->keys.run_s > 0 || !p->base.max_steps)
        snprintf(out, 200, "give the plan 'run_h %s' or more", number_text(time_s / 3600, hours));
    else snprintf(out, 200, "give the plan 'max_steps %.0f' or more", ceil(time_s / clock_s));
    snprintf(out + strlen(out), 200 - strlen(out),
             "; sciara nowcast PLAN then computes its members");
}

/* The latest observation after the end of all members; NULL: there is none. *late: number of such observations. */
static const struct sight *find_late(const struct sights *x, double end_s, int *late)
{
    const struct sight *latest = NULL;
    *late = 0;
    for (int i = 0; i < x->count; i++) {
        if (x->of[i].time_s <= end_s) continue;
        if (!(*late)++ || by_time(&x->of[i], latest) > 0) latest = &x->of[i];
    }
    return latest;
}

/* Removes observations after the end of all members: their time is mistyped (50d instead of 5d), or members end too
 * early. If members end at rest, the observations remain, because lava at rest does not change. */
static int drop_late(struct sights *x, double now_s, struct error *e)
{
    const double end_s = last_end_s(x);
    const bool rest = x->plan->keys.stop_at_rest || x->plan->base.problem.stop_when_still;
    char longer[200], text[256], english[256], remedy[256], hours[32], end[32];
    int late;
    const struct sight *latest = find_late(x, end_s, &late);
    number_text(round(end_s / 3.6) / 1000, end);
    if (now_s > end_s && !rest) {
        say_longer(x, now_s, longer);
        return error_input(
            e, "now: %s h is later than the end of every member, %s h; correct it, or %s",
            number_text(now_s / 3600, hours), end, longer);
    }
    if (!latest) return 0;
    say_longer(x, latest->time_s, longer);
    snprintf(remedy, sizeof remedy, "%s%s", rest ? "check its time" : "correct its time, or ",
             rest ? "" : longer);
    if (late == 1)
        words_pack(
            text, sizeof text,
            rest ? "%s is later than the end of every simulated eruption, %s h, when its lava was "
                   "at rest"
                 : "%s does not count: it is later than the end of every simulated eruption, %s h",
            latest->said, end);
    else
        words_pack(text, sizeof text,
                   rest ? "%s (and %d more) is later than the end of every simulated eruption, %s "
                          "h, when its lava was at rest"
                        : "%s (and %d more) does not count: it is later than the end of every "
                          "simulated eruption, %s h",
                   latest->said, late - 1, end);
    warnings_add(&x->told, WARNING_RESULT, text, remedy);
    if (rest) return 0;
    if (late == x->count)
        return error_line(e, latest->line->path, latest->line->line, "%s; %s",
                          words_fill(english, sizeof english, text, NULL), remedy);
    drop_later(x, end_s);
    return 0;
}

/* Links each rate to the rate of the previous interval, because their errors are correlated. */
static void link_rates(struct sights *x)
{
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < i && x->of[i].kind == SEEN_RATES; k++)
            if (x->of[k].kind == SEEN_RATES && x->of[k].line == x->of[i].line &&
                x->of[k].time_s <= x->of[i].rate.from_s)
                x->of[i].rate.previous = k;
}

static bool is_same(const struct seen_line *a, const struct seen_line *b)
{
    return a->kind == b->kind && !strcmp(a->file, b->file) && !order_lines(a, b) &&
           (a->time_s == b->time_s || isnan(a->time_s));
}

static bool came_before(const struct seen_lines *l, int i)
{
    for (int k = 0; k < i; k++)
        if (is_same(&l->line[k], &l->line[i])) return true;
    return false;
}

int sights_create(struct sights *x, const struct plan *p, const struct ensemble *s, double now_s,
                  struct error *e)
{
    const struct seen_lines *l = &p->keys.seen;
    *x = (struct sights){.plan = p, .s = s};
    int status = 0;
    for (int i = 0; i < l->count && !status; i++)
        if (!came_before(l, i)) status = sights_read(x, (struct plan *)p, &l->line[i], e);
    if (!status && !isnan(now_s)) drop_later(x, now_s);
    if (!status) status = drop_late(x, now_s, e);
    if (!status && !x->count)
        status = error_input(e,
                             "%s: has no observation%s; add a line such as 'observed_front "
                             "front.geojson at 24h error_m 30', or 'weigh_rates FILE'",
                             p->base.path, isnan(now_s) ? "" : " by then");
    if (!status) {
        qsort(x->of, (size_t)x->count, sizeof *x->of, by_time);
        link_rates(x);
        x->now_s = isnan(now_s) ? x->of[x->count - 1].time_s : now_s;
        status = sights_note_lava(x, e);
        if (!status) status = sights_count(x, e);
    }
    if (status) sights_free(x);
    return status;
}

void sights_free(struct sights *x)
{
    sights_forget_lava(x);
    for (int i = 0; i < x->count; i++) free_sight(&x->of[i]);
    RELEASE(x, x->of);
}

/* ---- members ----------------------------------------------------------------------------------- */

/* Adds cells of a member to *mine, for one observation. Cells count if they have lava by the observation's time. */
static void look_at_cells(const struct sight *o, struct sight_of_member *mine,
                          const struct reached *reached, const struct sight_cell *at, int count)
{
    const uint32_t inside = !isnan(o->beyond);
    for (int i = 0; i < count; i++) {
        if (reached[i].arrival_class > o->edge) continue;
        const size_t k = window_place(o->box, at[i].row, at[i].col);
        if (k == SIZE_MAX) {
            mine->gain += o->beyond_gain;
            mine->cells += inside;
        } else if (o->hot.bits) {
            mine->spots |= o->hot.bits[k];
        } else {
            mine->gain += o->gain[k];
            mine->cells += o->seen[k] & 1;
            mine->both += o->seen[k] >> 1;
            if (o->survey.share && o->seen[k])
                mine->gain -= (int64_t)rint(sight_miss(o, k, reached[i].thickness_q) *
                                            o->survey.share[k] * SIGHTS_UNIT);
        }
    }
}

static bool is_cell_of(const struct sight *o, uint32_t place)
{
    return bsearch(&place, o->arrival.cell, o->arrival.cells, sizeof *o->arrival.cell,
                   order_places) != NULL;
}

void sights_look(const struct sights *x, struct sight_of_member *mine,
                 const struct reached *reached, int count)
{
    struct sight_cell at[BLOCK_CELLS];
    sights_places(at, reached, count, (uint32_t)x->plan->base.problem.cols);
    for (int k = 0; k < x->count; k++) {
        const struct sight *o = &x->of[k];
        if (o->odds || o->hot.bits) look_at_cells(o, &mine[k], reached, at, count);
        for (int i = 0; i < count && o->arrival.cell; i++)
            if (reached[i].arrival_class < mine[k].first && is_cell_of(o, reached[i].place))
                mine[k].first = reached[i].arrival_class;
    }
}

/* The log-likelihood of a difference in time. With probability 0.01 the observed time is wrong;
 * otherwise its error is normal. */
static double log_of_miss(double miss_s, double variance)
{
    const double wrong = 0.01;
    return real_log(wrong + (1 - wrong) * real_exp(-0.5 * miss_s * miss_s / variance));
}

/* The log-likelihood of an arrival. A member's arrival is known only as a class, so the middle of the class is used. */
static double gain_of_arrival(const struct sights *x, const struct sight *o, int first)
{
    const struct axis *a = &x->s->arrival_s;
    if (first == UINT16_MAX) return log_of_miss(INFINITY, 1) / o->arrival.n;
    const double low = axis_low(a, first), high = axis_high(a, first);
    const double miss_s = 0.5 * (low + high) - o->time_s;
    const double variance = o->line->error_s * o->line->error_s + (high - low) * (high - low) / 12;
    return log_of_miss(miss_s, variance) / o->arrival.n;
}

/* The mean rate of all vents together between two times. */
static double rate_of(const struct problem *p, double from_s, double to_s, double cell_m)
{
    const int64_t first = from_s > 0 ? rates_first_step(from_s, 1, p->params.clock_s) : 0,
                  end = rates_first_step(to_s, 1, p->params.clock_s);
    double sum_m = 0;
    for (int v = 0; v < p->vent_count; v++) {
        const struct vent *u = &p->vents[v];
        for (int i = 0; i < u->interval_count; i++) {
            int64_t begin = u->first_step[i],
                    until = i + 1 < u->interval_count ? u->first_step[i + 1] : end + 1;
            if (begin <= first) begin = first + 1;
            if (until > end + 1) until = end + 1;
            if (until > begin) sum_m += u->amount_m[i] * (double)(until - begin);
        }
    }
    return sum_m * cell_m * cell_m / (to_s - from_s);
}

/* The error of a member's rate in an interval, in standard deviations. */
static double miss_of(const struct sight *o, const struct member *m)
{
    const double rate = rate_of(&m->c.problem, o->rate.from_s, o->time_s, m->c.geo.cell_m);
    return real_log((o->rate.mean_m3_s + o->rate.floor_m3_s) / (rate + o->rate.floor_m3_s)) /
           o->rate.sd;
}

static int64_t gain_of_end(const struct sight *o, const struct problem *p)
{
    const double miss_s = (double)p->last_vent_step * p->params.clock_s - o->time_s;
    return (int64_t)rint(log_of_miss(miss_s, o->line->error_s * o->line->error_s) / o->end.n *
                         SIGHTS_UNIT);
}

/* The log-likelihood of a front's growth since an earlier front, in 1 / SIGHTS_UNIT. */
static int64_t gain_of_growth(const struct sights *x, int front, const struct sight_of_member *mine)
{
    const struct sight *o = &x->of[front], *was = &x->of[o->front.previous];
    const double grown = (double)mine[front].cells - (double)mine[o->front.previous].cells,
                 seen = (double)o->front.lava - (double)was->front.lava;
    return (int64_t)rint(log_of_miss(grown - seen, o->front.growth_variance) / o->front.growth_n *
                         SIGHTS_UNIT);
}

bool sight_is_near(const struct sight *o, const struct sight_of_member *mine)
{
    const double n = o->kind == SEEN_END ? o->end.n : o->arrival.n,
                 three_errors = log_of_miss(SIGHTS_FAR, 1) / n * SIGHTS_UNIT;
    return mine->gain >= (int64_t)rint(three_errors);
}

static int weigh_emission(const struct sights *x, struct sight_of_member *mine, int64_t member,
                          struct error *e)
{
    /* A rate lowers log L by at most this number, because an observed rate may be quite wrong. */
    static const double MOST = 12;
    FREED struct member *m = malloc(sizeof *m);
    const int status = m ? member_create_flat(m, x->plan, member, e) : error_memory(e);
    if (status) return status;
    for (int k = 0; k < x->count; k++) {
        const struct sight *o = &x->of[k];
        if (o->kind == SEEN_END) mine[k].gain = gain_of_end(o, &m->c.problem);
        if (o->kind != SEEN_RATES) continue;
        const double r = o->rate.previous < 0 ? 0 : o->rate.before;
        const double miss = miss_of(o, m) - (r > 0 ? r * miss_of(&x->of[o->rate.previous], m) : 0);
        mine[k].gain = -(int64_t)(fmin(MOST, 0.5 * miss * miss / (1 - r * r)) * SIGHTS_UNIT);
    }
    member_free(m);
    return 0;
}

int sights_finish(const struct sights *x, struct sight_of_member *mine, int64_t member,
                  struct error *e)
{
    bool emission = false;
    for (int k = 0; k < x->count; k++) {
        const struct sight *o = &x->of[k];
        emission = emission || o->kind == SEEN_RATES || o->kind == SEEN_END;
        if (o->kind == SEEN_ARRIVAL)
            mine[k].gain = (int64_t)rint(gain_of_arrival(x, o, mine[k].first) * SIGHTS_UNIT);
        if (o->front.growth_variance > 0) mine[k].gain += gain_of_growth(x, k, mine);
        for (int i = 0; i < o->hot.count; i++)
            if (mine[k].spots >> i & 1)
                mine[k].gain += (int64_t)rint(o->hot.spot[i].odds / o->hot.spot[i].n * SIGHTS_UNIT);
    }
    return emission ? weigh_emission(x, mine, member, e) : 0;
}

double sight_jaccard(const struct sight *x, const struct sight_of_member *mine)
{
    const uint64_t either = mine->cells + x->front.lava - mine->both;
    return either ? (double)mine->both / (double)either : 1;
}
