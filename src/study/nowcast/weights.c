/* weights.c — computes weights from likelihoods, and probabilities in observed cells. Weights are whole numbers. */
#include "nowcast.h"

#include "base/order.h"
#include "random/quantile.h"

#include <math.h>
#include <stdlib.h>

/* The search for the power halves its interval this number of times. */
enum { HALVINGS = 40 };

struct likelihood {
    const uint64_t *before;
    double *log; /* log L minus the largest log L */
    int64_t count;
};

/* Sums the log L of each member over the observations until `until_s`. */
static void sum_up(struct likelihood *l, const struct nowcast *x, double until_s)
{
    const int sights = x->sights.count;
    double most = -INFINITY;
    for (int64_t i = 0; i < l->count; i++) {
        int64_t sum = 0;
        for (int k = 0; k < sights; k++)
            if (x->sights.of[k].time_s <= until_s) sum += x->mine[i * sights + k].gain;
        l->log[i] = (double)sum / SIGHTS_UNIT;
        if (l->before[i]) most = fmax(most, l->log[i]);
    }
    for (int64_t i = 0; i < l->count; i++) l->log[i] -= most;
}

/* Sets w[] to the weights and returns the effective number of members. real_exp() >= 1e-300, so no positive weight
 * becomes 0. */
static double effective_members(const struct likelihood *l, double power, double *w)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < l->count; i++) {
        w[i] = l->before[i] ? (double)l->before[i] * real_exp(power * l->log[i]) : 0;
        sum += w[i];
        squares += w[i] * w[i];
    }
    return sum * sum / squares;
}

/* The greatest power that leaves an effective number of at least `least` members. */
static double temper(const struct likelihood *l, double least, double *w)
{
    double low = 0, high = 1;
    if (effective_members(l, 1, w) >= least) return 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (effective_members(l, middle, w) >= least) low = middle;
        else high = middle;
    }
    return low;
}

/* The least effective number of members after tempering. `none` is the effective number before any
 * observation. The least number is the share `least_share` of `none`. In a plan with drawn rounds,
 * it is this share of the number of members, but at most `none`. */
static double least_of(const struct nowcast *x, const struct likelihood *l, double none)
{
    const struct plan *p = x->sights.plan;
    int64_t members = 0;
    for (int64_t i = 0; i < l->count; i++) members += l->before[i] > 0;
    return fmin(none, p->keys.seen.least_share * (p->draws ? (double)members : none));
}

static int set_weights(struct nowcast *x, struct nowcast_set *set, struct likelihood *l, double *w,
                       struct error *e)
{
    if (!(set->weight = calloc((size_t)l->count, sizeof *set->weight))) return error_memory(e);
    sum_up(l, x, set->until_s);
    const double none = effective_members(l, 0, w);
    set->full = effective_members(l, 1, w);
    set->power = temper(l, least_of(x, l, none), w);
    set->effective = effective_members(l, set->power, w);
    if (isinf(set->until_s))
        for (int64_t i = 0; i < l->count; i++) set->weight[i] = l->before[i];
    else ask_round(set->weight, w, l->count);
    for (int64_t i = 0; i < l->count; i++) set->sum += set->weight[i];
    return 0;
}

int nowcast_weigh(struct nowcast *x, const uint64_t *before, struct error *e)
{
    const int64_t count = x->ask.of.s.source->count;
    FREED double *w = malloc((size_t)count * sizeof *w), *log = malloc((size_t)count * sizeof *log);
    struct likelihood l = {before, log, count};
    int status = w && log ? 0 : error_memory(e);
    for (int i = 0; i < x->sets && !status; i++) status = set_weights(x, &x->set[i], &l, w, e);
    return status;
}

/* ---- observations of a cell itself ----------------------------------------------------------- */

static struct sight_here seen_in(const struct nowcast *x, double until_s, size_t cell)
{
    const size_t cols = (size_t)x->ask.of.plan->base.problem.cols;
    return sights_here(&x->sights, until_s, (uint32_t)(cell / cols), (uint32_t)(cell % cols));
}

/* If a cell was seen without lava but most members had lava there, nowcast_share() adds an invented
 * member that had no lava there. Its weight is this share of all weights. The members with lava
 * get the share `later` of the invented member's probability. */
static const double margin_weight = 0.1;

/* In a cell that was seen without lava (odds < 0), members with lava at that time hardly count. But if most members have
 * lava there, their errors are alike: the margin of the flow lies outside the range of the members. Then the result is
 * computed as if members with lava had a smaller share of all weights, `most`. */
struct nowcast_share nowcast_share(double odds, double since, double all, double later)
{
    const double times = odds == 0 ? 1 : real_exp(odds), sum = all + (times - 1) * since;
    const double most = 0.5 * (1 + later), added = margin_weight * all;
    if (odds >= 0 || since <= most * all) return (struct nowcast_share){times / sum, 1 / sum};
    const double had = times * most / (times * most + 1 - most);
    const double other = (1 - had) / (all - since + added);
    return (struct nowcast_share){(had + other * added * later) / since, other};
}

double nowcast_given(struct sight_here seen, double came, double since, double reached, double all,
                     double later)
{
    if (isinf(seen.odds)) return since > 0 ? came / since : (double)NAN;
    const struct nowcast_share of = nowcast_share(seen.odds, since, all, later);
    return of.came * came + of.other * (reached - came);
}

/* Sums over cells that were seen without lava. A cell counts most if half of the members had lava there. */
struct margin {
    double later, dry; /* share with lava later; share without lava when the cell was seen */
};

static void margin_add(struct margin *m, double since, double reached, double all)
{
    m->later += since / all * ((reached - since) / all);
    m->dry += since / all * ((all - since) / all);
}

static double margin_share(const struct margin *m)
{
    return m->dry > 0 ? m->later / m->dry : 0;
}

/* Sets `later` of the sets NOWCAST_NOW and NOWCAST_YESTERDAY, and of each front. Cells that no
 * member reaches add nothing. */
static void see_margins(struct nowcast *x)
{
    const struct problem *p = &x->ask.of.plan->base.problem;
    const struct statistics *s = &x->ask.of.s.cells;
    const struct nowcast_set *old = &x->set[NOWCAST_YESTERDAY];
    struct margin now = {0}, yesterday = {0};
    for (size_t i = 0; i < window_cells(problem_domain(p)); i++) {
        const uint64_t *c = statistics_at(s, i);
        const uint64_t reached = statistics_reached(s, c);
        const struct sight_here here =
            reached ? seen_in(x, x->sights.now_s, i) : (struct sight_here){0};
        if (here.odds < 0)
            margin_add(&now, (double)statistics_within(s, c, here.edge), (double)reached,
                       (double)s->weight);
        if (x->came[i] && seen_in(x, old->until_s, i).odds < 0)
            margin_add(&yesterday, (double)x->came[i], (double)x->cells[NOWCAST_YESTERDAY][i],
                       (double)old->sum);
    }
    x->set[NOWCAST_NOW].later = margin_share(&now);
    x->set[NOWCAST_YESTERDAY].later = margin_share(&yesterday);
    for (int k = 0; k < x->fronts; k++) {
        struct nowcast_front *f = &x->front[k];
        struct margin m = {0};
        for (size_t i = 0; i < window_cells(x->sights.of[f->sight].front.domain.box); i++)
            if (f->here[i].odds < 0)
                margin_add(&m, (double)f->count[2][i], (double)f->count[0][i],
                           (double)x->set[f->set].sum);
        f->later = margin_share(&m);
    }
}

static bool is_before(const struct sight_here *a, const struct sight_here *b)
{
    return isinf(a->odds) > isinf(b->odds) || (isinf(a->odds) && a->seen_s < b->seen_s);
}

/* Finds the observation of a place: the earliest observation that shows lava in one of its cells. If no observation
 * shows lava, finds the observation with the highest odds. */
static struct sight_here look_at_place(const struct nowcast *x, const struct asset *a,
                                       double until_s)
{
    const uint32_t cols = (uint32_t)x->ask.of.plan->base.problem.cols;
    struct sight_here most = {.odds = -2 * SIGHTS_ODDS};
    int dry = 0; /* all cells are dry in the first `dry` classes of arrival */
    for (uint32_t i = 0; i < a->cells; i++) {
        const struct sight_here here =
            sights_here(&x->sights, until_s, a->cell[i] / cols, a->cell[i] % cols);
        if (is_before(&here, &most) || (!isinf(most.odds) && here.odds > most.odds)) most = here;
        const int classes =
            sights_dry_classes(&x->sights, until_s, a->cell[i] / cols, a->cell[i] % cols);
        if (!i || classes < dry) dry = classes;
    }
    for (int i = 0; i < x->sights.count; i++) {
        const struct sight *o = &x->sights.of[i];
        if (o->kind != SEEN_ARRIVAL || o->time_s > until_s ||
            sight_cells_common(o, a->cell, a->cells) < o->arrival.cells)
            continue; /* the lava may have arrived in a cell outside the place */
        const struct sight_here here = sight_of_arrival(&x->sights, o);
        if (is_before(&here, &most)) most = here;
    }
    most.dry = isinf(most.odds) ? 0 : dry;
    return most.odds < -SIGHTS_ODDS ? (struct sight_here){.odds = 0} : most;
}

int nowcast_look_at_places(struct nowcast *x, struct error *e)
{
    const size_t places = (size_t)x->places;
    if (!(x->here = calloc(NOWCAST_SETS * places + 1, sizeof *x->here))) return error_memory(e);
    for (size_t set = NOWCAST_YESTERDAY; set < NOWCAST_SETS; set++)
        for (size_t i = 0; i < places; i++)
            x->here[set * places + i] =
                look_at_place(x, &x->ask.of.s.assets.asset[i], x->set[set].until_s);
    return 0;
}

int nowcast_look_at_front(struct nowcast *x, struct nowcast_front *f, struct error *e)
{
    const struct window box = x->sights.of[f->sight].front.domain.box;
    const size_t cells = window_cells(box);
    if (!(f->here = calloc(cells, sizeof *f->here))) return error_memory(e);
    for (size_t i = 0; i < cells; i++)
        f->here[i] = sights_odds(&x->sights, x->set[f->set].until_s,
                                 (uint32_t)box.row0 + (uint32_t)(i / (size_t)box.cols),
                                 (uint32_t)box.col0 + (uint32_t)(i % (size_t)box.cols));
    return 0;
}

/* ---- the ensemble with observations ---------------------------------------------------------- */

/* Whether an observation makes an event certain: lava was seen, and not later than the event asks for. */
static bool is_certain(struct sight_here here, enum ensemble_event event, int edge)
{
    return isinf(here.odds) &&
           (event == EVENT_LAVA || (event == EVENT_SOONER && edge >= here.edge));
}

/* The probability of an event in a cell, by the present weights and the observations of the cell. */
static double at_cell_now(const void *of, size_t cell, enum ensemble_event event, int edge)
{
    const struct nowcast *x = of;
    const struct statistics *s = &x->ask.of.s.cells;
    const uint64_t *c = statistics_at(s, cell);
    const struct statistics_request *w = &x->ask.of.s.source->request;
    const struct sight_here here = seen_in(x, x->sights.now_s, cell);
    if (is_certain(here, event, edge)) return 1;
    if (!statistics_reached(s, c)) return NAN;
    const uint64_t since = here.edge < 0 ? 0 : statistics_within(s, c, here.edge);
    uint64_t came = since, reached = statistics_reached(s, c);
    int k = 0;
    if (event == EVENT_SOONER) {
        reached = edge < 0 ? 0 : statistics_within(s, c, edge);
        if (edge < here.edge) came = reached;
    } else if (event == EVENT_THICKER) {
        while (axis_edge(&x->ask.of.s.thickness_m, w->threshold_m[k]) != edge) k++;
        reached = statistics_exceeding(s, c, edge);
        came = x->thicker[k][cell];
    }
    return nowcast_given(here, (double)came, (double)since, (double)reached, (double)s->weight,
                         x->set[NOWCAST_NOW].later);
}

static double at_place_now(const void *of, size_t place, enum ensemble_event event, int edge)
{
    const struct nowcast *x = of;
    const struct sight_here here = x->here[(size_t)(NOWCAST_NOW * x->places) + place];
    const uint64_t *c = statistics_at(&x->seen_places, place);
    if (is_certain(here, event, edge)) return 1;
    if (isinf(here.odds) && !statistics_reached(&x->seen_places, c)) return NAN;
    return statistics_event(&x->seen_places, c, event, edge);
}

static double reached_now_s(const void *of, size_t place)
{
    return nowcast_reached_s(of, NOWCAST_NOW, (int)place);
}

static int dry_classes_now(const void *of, size_t place)
{
    const struct nowcast *x = of;
    return x->here[(size_t)(NOWCAST_NOW * x->places) + place].dry;
}

/* The weight of the members that reach a cell up to a class of arrival, given the observations of the cell. */
static double arrived_by(const struct statistics *s, const uint64_t *c, int class, double since,
                         struct nowcast_share of)
{
    const double by = class < 0 ? 0 : (double)statistics_within(s, c, class),
                 came = fmin(by, since);
    return of.came * came + of.other * (by - came);
}

static int arrival_now(const void *of, size_t cell, int percent)
{
    /* A class that reaches the percentage exactly has to count in spite of rounding. */
    static const double EXACTLY = 1 - 1e-12;
    const struct nowcast *x = of;
    const struct statistics *s = &x->ask.of.s.cells;
    const uint64_t *c = statistics_at(s, cell);
    const size_t cols = (size_t)x->ask.of.plan->base.problem.cols;
    if (!statistics_reached(s, c)) return -1;
    const struct sight_here here = seen_in(x, x->sights.now_s, cell);
    const bool lava = isinf(here.odds);
    const double since = here.edge < 0 ? 0 : (double)statistics_within(s, c, here.edge);
    const struct nowcast_share share =
        lava ? (struct nowcast_share){1, 0}
             : nowcast_share(here.odds, since, (double)s->weight, x->set[NOWCAST_NOW].later);
    const int dry = lava ? 0
                         : sights_dry_classes(&x->sights, x->sights.now_s, (uint32_t)(cell / cols),
                                              (uint32_t)(cell % cols));
    const int last = s->arrival_classes - 1;
    const double before = arrived_by(s, c, dry - 1, since, share),
                 came = arrived_by(s, c, last, since, share) - before,
                 wanted = came * percent / 100 * EXACTLY;
    if (!(came > 0)) return -1;
    int low = dry, high = last;
    ORDER_HALVE(i, low, high, !(arrived_by(s, c, (int)i, since, share) - before > wanted));
    return low;
}

bool nowcast_shows(const void *of, size_t cell)
{
    return isinf(seen_in(of, ((const struct nowcast *)of)->sights.now_s, cell).odds);
}

double nowcast_at_cell(const struct nowcast *x, int set, size_t cell)
{
    if (set == NOWCAST_NOW) {
        const double p = ensemble_probability(&x->ask.of.s, cell, EVENT_LAVA, 0);
        return isnan(p) ? 0 : p;
    }
    const struct nowcast_set *of = &x->set[set];
    if (isinf(of->until_s))
        return (double)x->cells[NOWCAST_BEFORE][cell] / (double)x->set[NOWCAST_BEFORE].sum;
    const double came = (double)x->came[cell];
    const struct sight_here here = seen_in(x, of->until_s, cell);
    return is_certain(here, EVENT_LAVA, 0)
               ? 1
               : nowcast_given(here, came, came, (double)x->cells[set][cell], (double)of->sum,
                               of->later);
}

/* The greatest power of two by which all weights can be multiplied so that their sum remains exact. Greater weights
 * lose less when see_place() rounds them. */
static uint64_t unit_of(uint64_t sum)
{
    uint64_t unit = 1;
    while (2 * unit * sum < STATISTICS_WEIGHT_MAX) unit *= 2;
    return unit;
}

/* Counts the members that reach a place. Their weights follow from the observation of the place and are multiplied by
 * `unit`. If lava was seen at the place, only members with lava at that time count. */
static int see_place(struct nowcast *x, int place, uint64_t unit, struct error *e)
{
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    const struct sight_here here = x->here[NOWCAST_NOW * x->places + place];
    const int64_t members = x->ask.of.s.source->count;
    const bool lava = isinf(here.odds);
    double since = 0;
    for (int64_t i = 0; i < members; i++) {
        const struct reached *r = ask_at_place(&x->ask, i, place);
        if (r->share_q && r->arrival_class <= here.edge) since += (double)now->weight[i];
    }
    const struct nowcast_share of =
        lava ? (struct nowcast_share){1 / since, 0}
             : nowcast_share(here.odds, since, (double)now->sum, now->later);
    for (int64_t i = 0; i < members; i++) {
        const struct reached *r = ask_at_place(&x->ask, i, place);
        const bool came = r->arrival_class <= here.edge;
        if (!r->share_q || !now->weight[i] || (lava && !came)) continue;
        const double w =
            (double)(now->weight[i] * unit) * (double)now->sum * (came ? of.came : of.other);
        if (statistics_add_places(&x->seen_places, (uint64_t)rint(w), r, 1, e)) return ERROR_INPUT;
    }
    return 0;
}

int nowcast_see_places(struct nowcast *x, struct error *e)
{
    const struct nowcast_set *now = &x->set[NOWCAST_NOW];
    struct ensemble *s = &x->ask.of.s;
    const uint64_t unit = unit_of(now->sum);
    see_margins(x);
    int status = statistics_create(&x->seen_places, (size_t)x->places, &s->thickness_m,
                                   &s->arrival_s, true, SIZE_MAX, e);
    for (int64_t i = 0; i < s->source->count && !status; i++)
        if (now->weight[i]) statistics_count(&x->seen_places, now->weight[i] * unit);
    for (int i = 0; i < x->places && !status; i++) status = see_place(x, i, unit, e);
    x->seen = (struct ensemble_seen){
        &x->seen_places, at_cell_now, at_place_now, reached_now_s, dry_classes_now, arrival_now, x};
    if (!status) s->seen = &x->seen;
    return status;
}
