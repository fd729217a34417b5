#include "nowcast.h"

#include "base/memory.h"
#include "base/order.h"
#include "members/library.h"
#include "random/quantile.h"
#include "text/textfile.h"
#include "text/times.h"
#include "text/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DAY_S = 86400;

const double nowcast_horizon_h[NOWCAST_HORIZONS] = {24, 48, 72, INFINITY};

static size_t grid_cells(const struct nowcast *x)
{
    return window_cells(problem_domain(&x->ask.of.plan->base.problem));
}

/* ---- opening ----------------------------------------------------------------------------------- */

/* The last front that shows all lava and is not later than time_s; -1: there is none. */
static int front_by(const struct sights *s, double time_s)
{
    int last = -1;
    for (int i = 0; i < s->count && s->of[i].time_s <= time_s; i++)
        if (s->of[i].kind == SEEN_FRONT && !isnan(s->of[i].beyond)) last = i;
    return last;
}

static int add_front(struct nowcast *x, int sight, struct error *e)
{
    const double until_s = x->sights.of[sight].time_s - DAY_S;
    const size_t cells = window_cells(x->sights.of[sight].front.domain.box);
    struct nowcast_front *f = &x->front[x->fronts++];
    *f = (struct nowcast_front){
        .sight = sight, .set = x->sets, .persistence = front_by(&x->sights, until_s)};
    const bool any = x->sights.of[0].time_s <= until_s;
    if (x->sights.of[sight].edge > x->latest) x->latest = x->sights.of[sight].edge;
    x->set[x->sets++] = (struct nowcast_set){.until_s = any ? until_s : -INFINITY};
    for (int k = 0; k < 3; k++)
        if (!(f->count[k] = calloc(cells, sizeof *f->count[k]))) return error_memory(e);
    return nowcast_look_at_front(x, f, e);
}

static int list_sets(struct nowcast *x, struct error *e)
{
    const struct sights *s = &x->sights;
    const size_t most = (size_t)s->count + NOWCAST_SETS;
    x->set = calloc(most, sizeof *x->set);
    x->front = calloc(most, sizeof *x->front);
    if (!x->set || !x->front) return error_memory(e);
    const bool any = s->of[0].time_s <= s->now_s - DAY_S;
    x->set[NOWCAST_BEFORE].until_s = -INFINITY;
    x->set[NOWCAST_YESTERDAY].until_s = any ? s->now_s - DAY_S : -INFINITY;
    x->set[NOWCAST_NOW].until_s = s->now_s;
    x->sets = NOWCAST_SETS;
    x->latest = -1;
    int status = 0;
    for (int i = 0; i < s->count && !status; i++)
        if (s->of[i].front.domain.cells) status = add_front(x, i, e);
    return status;
}

static char *question_of(const struct nowcast *x)
{
    char hours[32], packed[80];
    times_hours_said(hours, x->sights.now_s);
    return text_format(
        "%s", words_pack(packed, sizeof packed, "weights by what was seen until %s h", hours));
}

static int open_study(struct study_job *j, struct error *e)
{
    const struct nowcast_options *o = j->options;
    struct nowcast *x = j->self;
    int status = study_ask.open(j, e);
    if (status) return status;
    x->ask.of.also = &nowcast_files;
    x->ask.of.also_reached = nowcast_shows;
    x->ask.of.brief = o->brief;
    x->ask.of.bulletin = &nowcast_bulletin;
    x->places = x->ask.of.s.assets.count;
    x->horizons = NOWCAST_HORIZONS - 1;
    struct plan *p = (struct plan *)x->ask.of.plan;
    if (o->folder) status = watch_lines(&p->keys.seen, o->files, o->folder, p->base.start_time, e);
    if (!status) status = sights_create(&x->sights, x->ask.of.plan, &x->ask.of.s, o->now_s, e);
    if (!status) status = list_sets(x, e);
    if (!status) status = nowcast_look_at_places(x, e);
    if (!status && !(x->ask.of.question = question_of(x))) status = error_memory(e);
    return status;
}

int nowcast_check(const char *plan, const struct nowcast_options *o, bool rounds, struct error *e)
{
    struct study_job j = {
        .study = &study_ensemble, .plan = plan, .options = &o->ask.ensemble, .threads = 1};
    struct sights seen = {0};
    int status = study_open(&j, e);
    struct plan *p = status ? NULL : ((struct ensemble_study *)j.self)->plan;
    const struct ensemble *s = status ? NULL : &((struct ensemble_study *)j.self)->s;
    if (!status && rounds) status = plan_check_draws(p, e);
    if (!status && o->folder)
        status = watch_lines(&p->keys.seen, o->files, o->folder, p->base.start_time, e);
    if (!status && p->keys.seen.count) status = sights_create(&seen, p, s, o->now_s, e);
    sights_free(&seen);
    study_close(&j);
    return status;
}

static void close_study(void *self)
{
    struct nowcast *x = self;
    const size_t cells = x->ask.of.plan ? grid_cells(x) : 0;
    for (int k = 0; k < NOWCAST_NOW; k++) memory_release(x->cells[k], cells * sizeof *x->cells[k]);
    for (int k = 0; k < NOWCAST_SETS; k++) memory_release(x->last[k], cells * sizeof *x->last[k]);
    for (int k = 0; k < PLAN_LIST_MAX; k++)
        memory_release(x->thicker[k], cells * sizeof *x->thicker[k]);
    memory_release(x->came, cells * sizeof *x->came);
    statistics_free(&x->seen_places);
    for (int i = 0; i < x->sets; i++) free(x->set[i].weight);
    for (int i = 0; i < x->fronts; i++) {
        for (int k = 0; k < 3; k++) free(x->front[i].count[k]);
        free(x->front[i].here);
    }
    FREE_ALL(x->here, x->set, x->front, x->mine);
    moved_free(&x->moved);
    sights_free(&x->sights);
    study_ask.close(&x->ask);
}

static void dated(const void *self, char *out)
{
    const struct nowcast *x = self;
    char hours[32];
    if (!*times_date(out, x->ask.of.plan->base.start_time, x->sights.now_s, TIMES_STAMP))
        snprintf(out, TIMES_TEXT, "%.24sh", times_hours_said(hours, x->sights.now_s));
}

/* ---- members ----------------------------------------------------------------------------------- */

static int take_cells(void *of, int64_t member, const struct reached *reached, int count,
                      struct error *e)
{
    struct nowcast *x = of;
    sights_look(&x->sights, x->mine + member * x->sights.count, reached, count);
    moved_look(&x->moved, member, reached, count);
    return 0;
}

int64_t nowcast_nearest(const struct nowcast *x, int sight, double *jaccard)
{
    const int sights = x->sights.count;
    int64_t best = -1;
    *jaccard = -1;
    for (int64_t i = 0; i < x->ask.of.s.source->count; i++) {
        const double j = sight_jaccard(&x->sights.of[sight], &x->mine[i * sights + sight]);
        if (!x->set[NOWCAST_BEFORE].weight[i] || j <= *jaccard) continue;
        *jaccard = j;
        best = i;
    }
    return best;
}

/* Warns if even the best overlap of a member with the last whole front is below LEAST_J. */
static void warn_of_front(struct nowcast *x)
{
    static const double LEAST_J = 0.5;
    const struct sights *s = &x->sights;
    int last = -1;
    char text[512];
    double jaccard;
    for (int i = 0; i < s->count; i++)
        if (s->of[i].kind == SEEN_FRONT && !s->of[i].line->part) last = i;
    if (last < 0 || nowcast_nearest(x, last, &jaccard) < 0 || jaccard >= LEAST_J) return;
    words_pack(text, sizeof text,
               "no simulated eruption resembles the %s: the nearest overlaps it by J = %.2f",
               s->of[last].said, jaccard);
    warnings_add(
        &x->told, WARNING_RESULT, text,
        "check vents, rates and terrain, or give the plan more members or wider distributions");
}

/* The share of the members, by their present weights, with an end or arrival more than three standard errors from the
 * observed time. */
static double share_far(const struct nowcast *x, int sight)
{
    const struct sights *s = &x->sights;
    double all = 0, far = 0;
    for (int64_t i = 0; i < x->ask.of.s.source->count; i++) {
        const double weight = (double)x->set[NOWCAST_NOW].weight[i];
        all += weight;
        if (weight > 0 && !sight_is_near(&s->of[sight], &x->mine[i * s->count + sight]))
            far += weight;
    }
    return far / all;
}

/* Warns if more than a tenth of the members, by weight, do not end near the observed end. Members that end too late show
 * lava that may never come. */
static void warn_of_end(struct nowcast *x, int sight)
{
    static const double MANY = 0.1;
    const double far = share_far(x, sight);
    char text[512];
    if (!(far > MANY)) return;
    words_pack(
        text, sizeof text,
        "%.0f %% of the simulated eruptions, by their weights now, end more than three standard "
        "errors away from the observation: %s",
        100 * far, x->sights.of[sight].said);
    warnings_add(&x->told, WARNING_RESULT, text,
                 "give the plan more members with such ends (vary_eruption_end_h), or draw its "
                 "members in rounds");
}

/* Warns if no member agrees with an observed end of the eruption, or with an observed arrival, within three standard
 * errors. */
static void warn_of_times(struct nowcast *x)
{
    const struct sights *s = &x->sights;
    char text[512];
    for (int k = 0; k < s->count; k++) {
        const bool end = s->of[k].kind == SEEN_END;
        bool near = !end && s->of[k].kind != SEEN_ARRIVAL;
        for (int64_t i = 0; i < x->ask.of.s.source->count && !near; i++)
            near = x->set[NOWCAST_BEFORE].weight[i] &&
                   sight_is_near(&s->of[k], &x->mine[i * s->count + k]);
        if (near && end) warn_of_end(x, k);
        if (near) continue;
        words_pack(text, sizeof text,
                   end ? "no simulated eruption ends near %s"
                       : "no simulated eruption brings lava to the observed place near that time: "
                         "%s",
                   s->of[k].said);
        warnings_add(&x->told, WARNING_RESULT, text,
                     end ? "give the plan ends of the eruption up to that time "
                           "(vary_eruption_end_h, vary_duration_h), or correct the time"
                         : "check the place, its time and error_h, or give the plan more members "
                           "or wider distributions");
    }
}

/* Warns if the effective number of members that agree with the observations is below a limit. The limit is 1 % of the
 * effective number before any observation, because in a small library few members agree even with correct observations
 * (docs/nowcast.md). The limit is at most 5 and at least 1.1. At 1.1, one member has about 95 % of the weight. */
static void warn_of_few(struct nowcast *x)
{
    static const double LEAST = 5, SHARE = 0.01, ONE = 1.1;
    char text[512];
    const double full = x->set[NOWCAST_NOW].full, all = x->set[NOWCAST_BEFORE].effective;
    if (full >= fmin(LEAST, fmax(ONE, SHARE * all))) return;
    words_pack(text, sizeof text,
               "hardly any simulated eruption agrees with all observations: without tempering "
               "their effective number is %.2g",
               full);
    warnings_add(&x->told, WARNING_RESULT, text,
                 "check what was observed; give the plan more members or wider distributions, or "
                 "draw its members in rounds");
}

/* Collects the warnings about the observations and their effect on the weights. */
static void find_warnings(struct nowcast *x)
{
    static const double LEAST_POWER = 0.1;
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    char remedy[256];
    x->told = (struct warnings){0};
    warn_of_front(x);
    moved_warn(&x->moved, x->set[NOWCAST_BEFORE].weight, &x->told);
    warn_of_times(x);
    warn_of_few(x);
    warnings_add_all(&x->told, &x->sights.told);
    if (now->power >= LEAST_POWER) return;
    snprintf(remedy, sizeof remedy,
             "likelihoods are tempered to the power %.2g, as no more than %.3g members would count "
             "otherwise; give more members, or discrepancy_m",
             now->power, now->full);
    warnings_add(
        &x->told, WARNING_RESULT,
        "the error of the model dominates: the observations have less weight than their own "
        "errors would give them",
        remedy);
}

static void nowcast_warn(const struct study_job *j, struct warnings *w)
{
    ask_warn(j, w);
    warnings_add_all(w, &((const struct nowcast *)j->self)->told);
}

/* Reads the cells of all members. Thicknesses are read only if there are surveys. Arrivals after the last observation
 * are read only if an arrival at a place was observed. */
static int see_all(struct nowcast *x, const char *path, struct error *e)
{
    struct ask *a = &x->ask;
    bool surveys = false;
    int latest = -1;
    for (int i = 0; i < x->sights.count; i++) {
        const struct sight *o = &x->sights.of[i];
        surveys |= o->kind == SEEN_SURVEY;
        if (o->edge > latest) latest = o->edge;
        if (o->kind == SEEN_ARRIVAL) latest = UINT16_MAX;
    }
    return surveys ? library_cells(&a->of.s, a->db, path, 0, INT64_MAX, NULL, take_cells, x, e)
                   : library_arrivals(&a->of.s, a->db, path, latest, NULL, take_cells, x, e);
}

/* The number of thresholds for which layers are written. */
static int thresholds_of(const struct nowcast *x)
{
    return x->ask.of.brief ? 0 : x->ask.of.s.source->request.threshold_count;
}

/* Reserves arrays of all cells. Only parts in which values are written take memory. */
static int reserve_cells(struct nowcast *x, struct error *e)
{
    const size_t cells = grid_cells(x);
    const int thresholds = thresholds_of(x);
    bool all = (x->came = memory_reserve(cells * sizeof *x->came)) != NULL;
    for (int k = 0; k < NOWCAST_NOW && all; k++)
        all = (x->cells[k] = memory_reserve(cells * sizeof *x->cells[k])) != NULL;
    for (int k = NOWCAST_YESTERDAY; k < NOWCAST_SETS && all; k++)
        all = (x->last[k] = memory_reserve(cells * sizeof *x->last[k])) != NULL;
    for (int k = 0; k < thresholds && all; k++)
        all = (x->thicker[k] = memory_reserve(cells * sizeof *x->thicker[k])) != NULL;
    return all ? 0 : error_memory(e);
}

static int weigh_nowcast(struct ask *a, struct error *e)
{
    struct nowcast *x = (struct nowcast *)a;
    const struct nowcast_options *o = a->job->options;
    const int64_t members = a->of.s.source->count;
    const size_t count = (size_t)members * (size_t)x->sights.count;
    int status = (x->mine = calloc(count, sizeof *x->mine)) ? 0 : error_memory(e);
    if (!status) status = moved_open(&x->moved, &x->sights, members, e);
    if (!status) status = reserve_cells(x, e);
    for (size_t i = 0; i < count && !status; i++) x->mine[i].first = UINT16_MAX;
    if (!status) status = see_all(x, o->ask.library, e);
    for (int64_t i = 0; i < members && !status; i++)
        if (a->weight[i]) status = sights_finish(&x->sights, x->mine + i * x->sights.count, i, e);
    if (!status) status = nowcast_weigh(x, a->weight, e);
    if (status) return status;
    memcpy(a->weight, x->set[NOWCAST_NOW].weight, (size_t)members * sizeof *a->weight);
    find_warnings(x);
    return 0;
}

/* Adds a member to the counts of a front, in the cells where the member had lava at the time of the front. */
static void see_front(struct nowcast_front *f, const struct sight *o, uint64_t weight,
                      uint64_t before, const struct reached *reached, const struct sight_cell *at,
                      int count)
{
    for (int i = 0; i < count; i++) {
        const size_t k = window_place(o->front.domain.box, at[i].row, at[i].col);
        if (reached[i].arrival_class > o->edge || k == SIZE_MAX) continue;
        f->count[0][k] += weight;
        f->count[1][k] += before;
        if (reached[i].arrival_class <= f->here[k].edge) f->count[2][k] += weight;
    }
}

/* Whether a member had lava in a cell at the cell's observation (sights_here()). The cache x->last needs no lock,
 * because a cell is read by one thread only. */
static bool had_lava(struct nowcast *x, int set, const struct reached *r, struct sight_cell at)
{
    uint16_t *last = &x->last[set][r->place];
    if (!*last)
        *last = (uint16_t)(2 + sights_here(&x->sights, x->set[set].until_s, at.row, at.col).edge);
    return r->arrival_class + 2 <= *last;
}

/* Counts a member in each cell in which it already had lava at the cell's observation (sights_here()). */
static void see_cells(struct nowcast *x, int64_t member, const struct reached *reached,
                      const struct sight_cell *at, int count)
{
    const struct ensemble *s = &x->ask.of.s;
    const struct statistics_request *w = &s->source->request;
    const uint64_t yesterday = x->set[NOWCAST_YESTERDAY].weight[member],
                   now = x->set[NOWCAST_NOW].weight[member];
    const bool any = !isinf(x->set[NOWCAST_YESTERDAY].until_s);
    const int thresholds = thresholds_of(x);
    int edge[PLAN_LIST_MAX];
    for (int k = 0; k < thresholds; k++) edge[k] = axis_edge(&s->thickness_m, w->threshold_m[k]);
    for (int i = 0; i < count; i++) {
        if (any && had_lava(x, NOWCAST_YESTERDAY, &reached[i], at[i]))
            x->came[reached[i].place] += yesterday;
        if (!thresholds || !had_lava(x, NOWCAST_NOW, &reached[i], at[i])) continue;
        for (int k = 0; k < thresholds; k++)
            if (reached[i].thickness_class > edge[k]) x->thicker[k][reached[i].place] += now;
    }
}

/* Counts what an ensemble does not count: lava in the forecasts of fronts, lava by the weights in the plan, and lava by
 * the weights of yesterday. */
static void see_reached(struct ask *a, int64_t member, const struct reached *reached, int count)
{
    struct nowcast *x = (struct nowcast *)a;
    struct sight_cell at[BLOCK_CELLS];
    const uint64_t before = x->set[NOWCAST_BEFORE].weight[member],
                   yesterday = x->set[NOWCAST_YESTERDAY].weight[member];
    for (int i = 0; i < count; i++) x->cells[NOWCAST_BEFORE][reached[i].place] += before;
    if (!isinf(x->set[NOWCAST_YESTERDAY].until_s)) /* otherwise these weights are the plan's */
        for (int i = 0; i < count; i++) x->cells[NOWCAST_YESTERDAY][reached[i].place] += yesterday;
    sights_places(at, reached, count, (uint32_t)a->of.plan->base.problem.cols);
    see_cells(x, member, reached, at, count);
    int first = UINT16_MAX;
    for (int i = 0; i < count; i++)
        if (reached[i].arrival_class < first) first = reached[i].arrival_class;
    if (first > x->latest) return; /* the member's lava comes after all fronts */
    for (int n = 0; n < x->fronts; n++)
        see_front(&x->front[n], &x->sights.of[x->front[n].sight],
                  x->set[x->front[n].set].weight[member], before, reached, at, count);
}

int nowcast_only_weigh(struct study_job *j, struct error *e)
{
    static const struct ask_more more = {weigh_nowcast, NULL};
    ((struct nowcast *)j->self)->ask.more = &more;
    return study_ask.round(j, e);
}

static int compute_nowcast(struct study_job *j, struct error *e)
{
    static const struct ask_more more = {weigh_nowcast, see_reached};
    struct nowcast *x = j->self;
    int status = x->ask.weight ? ask_open_again(j, e) : 0;
    x->ask.more = &more;
    if (!status) status = study_ask.round(j, e);
    return status ? status : nowcast_see_places(x, e);
}

/* ---- results ------------------------------------------------------------------------------------- */

double nowcast_at_place(const struct nowcast *x, int set, int place, double time_s)
{
    const struct nowcast_set *s = &x->set[set];
    const struct axis *a = &x->ask.of.s.arrival_s;
    const int last = isinf(time_s) ? a->edges : sights_class(a, time_s);
    const struct sight_here here = x->here[set * x->places + place];
    if (isinf(here.odds) && last >= here.edge) return 1;
    if (x->ask.of.s.assets.asset[place].bare) return NAN;
    uint64_t came = 0, reached = 0, since = 0;
    for (int64_t i = 0; i < x->ask.of.s.source->count; i++) {
        const struct reached *r = ask_at_place(&x->ask, i, place);
        if (!r->share_q) continue;
        const bool seen = r->arrival_class <= here.edge;
        if (seen) since += s->weight[i];
        if (r->arrival_class > last) continue;
        reached += s->weight[i];
        if (seen) came += s->weight[i];
    }
    return nowcast_given(here, (double)came, (double)since, (double)reached, (double)s->sum,
                         s->later);
}

char *nowcast_pack(char out[PROBABILITY_TEXT], const struct nowcast *x, int set, int place,
                   double time_s)
{
    const double reached_s = nowcast_reached_s(x, set, place);
    if (isnan(reached_s) && x->ask.of.s.assets.asset[place].bare)
        return strcpy(out, ASSETS_BARE WORDS_NEXT);
    return isnan(reached_s) ? probability_pack(out, nowcast_at_place(x, set, place, time_s),
                                               x->set[set].effective)
                            : probability_reached_pack(out, reached_s / 3600);
}

char *nowcast_said(char out[PROBABILITY_TEXT], const struct nowcast *x, int set, int place,
                   double time_s)
{
    char packed[PROBABILITY_TEXT];
    return words_fill(out, PROBABILITY_TEXT, nowcast_pack(packed, x, set, place, time_s), NULL);
}

double nowcast_earliest_s(const struct nowcast *x, int set, int place, double p)
{
    const struct axis *a = &x->ask.of.s.arrival_s;
    if (!(p > 0)) p = 1e-300;
    if (!(nowcast_at_place(x, set, place, INFINITY) >= p)) return NAN;
    int low = 0, high = a->edges;
    ORDER_HALVE(i, low, high, !(nowcast_at_place(x, set, place, axis_high(a, (int)i)) >= p));
    const int dry = x->here[set * x->places + place].dry;
    /* Without observed lava (NaN), fmin() returns the time of the members. */
    return fmin(axis_low(a, low < dry ? dry : low), nowcast_reached_s(x, set, place));
}

double nowcast_reached_s(const struct nowcast *x, int set, int place)
{
    const struct sight_here here = x->here[set * x->places + place];
    return isinf(here.odds) ? here.seen_s : (double)NAN;
}

int64_t nowcast_likeliest(const struct nowcast *x)
{
    const uint64_t *w = x->set[NOWCAST_NOW].weight;
    int64_t best = 0;
    for (int64_t i = 1; i < x->ask.of.s.source->count; i++)
        if (w[i] > w[best]) best = i;
    return best;
}

int64_t nowcast_worst(const struct nowcast *x)
{
    const struct nowcast_set *s = &x->set[NOWCAST_NOW];
    const int64_t count = x->ask.of.s.source->count;
    FREED struct ranked *h = malloc((size_t)count * sizeof *h);
    int64_t worst = nowcast_likeliest(x);
    double sum = 0; /* whole numbers, below 2^53 */
    if (!h) return worst;
    for (int64_t i = 0; i < count; i++) h[i] = (struct ranked){(double)s->weight[i], i};
    qsort(h, (size_t)count, sizeof *h, order_ranks);
    for (int64_t i = 0; i < count && sum < 0.95 * (double)s->sum; i++) {
        sum += h[i].value;
        if (x->ask.of.s.result[h[i].number].cells > x->ask.of.s.result[worst].cells)
            worst = h[i].number;
    }
    return worst;
}

/* ---- forecasts of fronts ------------------------------------------------------------------------- */

static uint64_t count_here(const void *of, size_t cell)
{
    const struct nowcast_counted *c = of;
    const struct nowcast_front *f = c->front;
    const size_t cols = (size_t)c->domain->cols,
                 k = window_place(c->domain->box, (int64_t)(cell / cols), (int64_t)(cell % cols));
    if (k == SIZE_MAX) return 0;
    if (c->which) return f->count[1][k];
    const double came = (double)f->count[2][k],
                 p = nowcast_given(f->here[k], came, came, (double)f->count[0][k], (double)c->all,
                                   f->later);
    return (uint64_t)rint(p * (double)c->all);
}

static uint64_t count_persistent(const void *of, size_t cell)
{
    return ((const unsigned char *)of)[cell] != 0;
}

bool nowcast_forecast(struct forecast *f, const struct nowcast *x, int front, int which,
                      struct nowcast_counted *room)
{
    const struct nowcast_front *n = &x->front[front];
    const struct domain *d = &x->sights.of[n->sight].front.domain;
    if (which == FORECAST_PERSISTENCE) {
        if (n->persistence < 0) return false;
        *f =
            (struct forecast){d, count_persistent, x->sights.of[n->persistence].front.inside, 1, 1};
        return true;
    }
    const struct nowcast_set *s = &x->set[which == FORECAST_NOW ? n->set : NOWCAST_BEFORE];
    *room = (struct nowcast_counted){d, n, s->sum, which};
    *f = (struct forecast){d, count_here, room, s->sum, s->effective};
    return true;
}

const struct study study_nowcast = {STUDY_NAMED("nowcast", struct nowcast),
                                    .dated = dated,
                                    .files = &nowcast_files,
                                    .round = compute_nowcast,
                                    .warn = nowcast_warn,
                                    ENSEMBLE_STUDY};
