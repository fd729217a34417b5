/* pairs.c — pairs as a study (study/study.h). A round computes the next members with the barriers, then the same
 * members without them, and then adds the results pair by pair. Each side is a separate ensemble, so a device loads the
 * terrain of a side only once. */
#include "pairs.h"

#include "base/mix64.h"
#include "case/barriers.h"
#include "case/changes.h"
#include "plan/plan.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>

/* ---- sums of pairs --------------------------------------------------------------------------- */

int pair_sums_create(struct pair_sums *s, size_t places, struct error *e)
{
    *s = (struct pair_sums){.places = places};
    s->slot = calloc(places + 1, sizeof *s->slot);
    s->mark = calloc(places + 1, sizeof *s->mark);
    if (s->slot && s->mark) return 0;
    pair_sums_free(s);
    return error_memory(e);
}

void pair_sums_free(struct pair_sums *s)
{
    RELEASE(s, s->slot, s->mark, s->count);
}

const struct pair_count *pair_sums_at(const struct pair_sums *s, size_t place)
{
    return s->slot[place] ? &s->count[s->slot[place] - 1] : NULL;
}

struct pair_count *pair_sums_open(struct pair_sums *s, size_t place)
{
    if (!s->slot[place]) {
        if (!APPEND(s->count, s->slots, (struct pair_count){0})) return NULL;
        s->slot[place] = s->slots;
    }
    return &s->count[s->slot[place] - 1];
}

static bool make_room(struct pair_sums *s, struct pair_reached x)
{
    for (size_t i = 0; i < x.count; i++)
        if (!pair_sums_open(s, x.item[i].place)) return false;
    return true;
}

static void add_both(struct pair_count *c, uint64_t weight, const struct reached *with,
                     const struct reached *without)
{
    const int later = (int)with->arrival_class - (int)without->arrival_class;
    c->both += weight;
    c->both2 += (wide)weight * weight;
    c->later += (signed_wide)weight * later;
    c->later2 += (signed_wide)weight * (later * later);
}

int pair_sums_add(struct pair_sums *s, uint64_t weight, struct pair_reached with,
                  struct pair_reached without, struct error *e)
{
    if (!make_room(s, with) || !make_room(s, without)) return error_memory(e);
    for (size_t i = 0; i < without.count; i++) {
        s->count[s->slot[without.item[i].place] - 1].without += weight;
        s->mark[without.item[i].place] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < with.count; i++) {
        const uint32_t place = with.item[i].place, other = s->mark[place];
        struct pair_count *c = &s->count[s->slot[place] - 1];
        c->with += weight;
        if (other) add_both(c, weight, &with.item[i], &without.item[other - 1]);
    }
    for (size_t i = 0; i < without.count; i++) s->mark[without.item[i].place] = 0;
    s->pairs++;
    s->weight += weight;
    s->weight2 += (wide)weight * weight;
    return 0;
}

uint64_t pair_sums_digest(const struct pair_sums *s)
{
    uint64_t sum = mix64((uint64_t)s->pairs) + mix64(s->weight ^ UINT64_C(0x9e3779b97f4a7c15)) +
                   mix64((uint64_t)s->weight2 ^ UINT64_C(0xbf58476d1ce4e5b9));
    for (size_t i = 0; i < s->places; i++) {
        const struct pair_count *c = pair_sums_at(s, i);
        if (!c || !(c->with | c->without)) continue;
        const uint64_t place = mix64(i + UINT64_C(0x9e3779b97f4a7c15));
        const uint64_t word[] = {c->with,
                                 c->without,
                                 c->both,
                                 (uint64_t)c->both2,
                                 (uint64_t)(c->both2 >> 64),
                                 (uint64_t)c->later,
                                 (uint64_t)(c->later >> 64),
                                 (uint64_t)c->later2,
                                 (uint64_t)(c->later2 >> 64)};
        for (size_t k = 0; k < sizeof word / sizeof *word; k++)
            sum += mix64(word[k] ^ mix64(place + k));
    }
    return sum;
}

double pair_sums_effective(const struct pair_sums *s)
{
    return s->weight ? (double)s->weight / (double)s->weight2 * (double)s->weight : 0;
}

struct pair_estimates pair_sums_estimate(const struct pair_sums *s, const struct pair_count *c,
                                         double class_h)
{
    static const struct pair_count none = {0};
    struct pair_estimates x = {.later_h = (double)NAN, .later_error_h = (double)NAN};
    if (!c) c = &none;
    const double all = (double)s->weight;
    if (!s->weight) return x;
    x.with = (double)c->with / all;
    x.without = (double)c->without / all;
    x.only_without = (double)(c->without - c->both) / all;
    x.only_with = (double)(c->with - c->both) / all;
    x.difference = x.only_with - x.only_without;
    /* In each pair, lava with barriers (1 or 0) minus lava without them is +1, 0 or -1. */
    const double variance = x.only_with + x.only_without - x.difference * x.difference;
    x.error = sqrt(fmax(0, variance) / pair_sums_effective(s));
    if (!c->both) return x;
    const double both = (double)c->both, mean = (double)c->later / both;
    const double n = both / (double)c->both2 * both;
    x.later_h = mean * class_h;
    if (n > 1.5) {
        const double spread = fmax(0, (double)c->later2 / both - mean * mean);
        x.later_error_h = class_h * sqrt(spread / (n - 1));
    }
    return x;
}

/* ---- the members ----------------------------------------------------------------------------- */

const char *const pair_sides[PAIR_SIDES] = {"with", "without"};

/* Copies the surveys among the changes of the terrain, but not the barriers that are built later. */
static int take_surveys(struct sim_case *bare, const struct sim_case *c, struct error *e)
{
    bare->change = malloc((size_t)(c->change_count + 1) * sizeof *bare->change);
    if (!bare->change) return error_memory(e);
    bare->change_count = 0;
    for (int i = 0; i < c->change_count; i++)
        if (c->change[i].elevation_m) bare->change[bare->change_count++] = c->change[i];
    return 0;
}

static bool has_later(const struct sim_case *c)
{
    bool any = false;
    for (int i = 0; i < c->change_count; i++) any = any || c->change[i].rules;
    return any;
}

/* Makes the plan without barriers. It differs from the plan only in its terrain, at the beginning and later. */
static int make_bare(struct pairs *x, struct error *e)
{
    const struct sim_case *c = &x->plan->base;
    const struct barriers *b = c->barriers;
    if (!b || !b->count)
        return error_input(e, "%s: has no barriers; add a line 'barriers FILE'", c->path);
    if (c->problem.from && (b->bare_m || !has_later(c)))
        return error_input(
            e,
            "%s: its state (from_state) was computed with barriers, so members without "
            "barriers cannot use it; give each barrier a time after the state",
            c->path);
    if (!(x->bare = malloc(sizeof *x->bare))) return error_memory(e);
    *x->bare = *x->plan;
    if (b->bare_m) x->bare->base.elevation_m = b->bare_m;
    case_point(&x->bare->base);
    int status = take_surveys(&x->bare->base, c, e);
    return status ? status : plan_compute_digest(x->bare, e);
}

static int supply(struct pairs *x, struct error *e)
{
    const struct plan *plan[PAIR_SIDES] = {x->plan, x->bare};
    int status = 0;
    for (int side = 0; side < PAIR_SIDES && !status; side++) {
        status = plan_supply_create(&x->supply[side], plan[side], e);
        /* Pairs count only whether and when lava arrives. */
        struct statistics_request *w = &x->supply[side].source.request;
        w->time_count = w->threshold_count = 0;
        w->thickness_steps = 1;
    }
    return status;
}

static int make_sums(struct pairs *x, struct error *e)
{
    const struct sim_case *c = &x->plan->base;
    const struct ensemble_source *source = &x->supply[PAIR_WITH].source;
    int status = assets_on(&x->assets, source->assets, &c->problem, &c->geo, e);
    x->has_places = x->assets.count > 0;
    if (!status)
        status = pair_sums_create(&x->cells, (size_t)c->problem.rows * (size_t)c->problem.cols, e);
    if (!status) status = pair_sums_create(&x->places, (size_t)x->assets.count, e);
    if (!status && !(x->result = calloc((size_t)x->count, sizeof *x->result)))
        status = error_memory(e);
    return status;
}

static int open_study(struct study_job *j, struct error *e)
{
    struct pairs *x = j->self;
    int status = plan_load(&x->plan, j->plan, e);
    if (!status) status = make_bare(x, e);
    if (!status) status = supply(x, e);
    if (status) return status;
    j->c = &x->plan->base;
    x->job = j;
    const struct ensemble_source *source = &x->supply[PAIR_WITH].source;
    x->count = source->count;
    x->class_h = source->request.arrival_step_s / 3600;
    x->digest = mix64(mix64(x->plan->digest) ^ x->bare->digest);
    return make_sums(x, e);
}

static void close_study(void *self)
{
    struct pairs *x = self;
    for (int64_t i = 0; x->result && i < x->count; i++) free(x->result[i].drawn);
    free(x->result);
    pair_sums_free(&x->cells);
    pair_sums_free(&x->places);
    assets_free(&x->assets);
    for (int side = 0; side < PAIR_SIDES; side++) plan_supply_free(&x->supply[side]);
    if (x->bare) free(x->bare->base.change);
    free(x->bare);
    plan_free(x->plan);
}

uint64_t pairs_digest(const void *pairs)
{
    const struct pairs *x = pairs;
    uint64_t sum =
        mix64(x->digest) + pair_sums_digest(&x->cells) + mix64(pair_sums_digest(&x->places));
    for (int64_t i = 0; i < x->done; i++)
        for (int side = 0; side < PAIR_SIDES; side++)
            sum += mix64(x->result[i].of[side].digest ^
                         mix64((uint64_t)(2 * i + side) + UINT64_C(0xd1342543de82ef95)));
    return mix64(sum);
}

/* ---- a round -------------------------------------------------------------------------------------- */

struct round {
    struct study_job *job;
    struct pairs *x;
    int64_t first, count; /* first pair and number of pairs of this round */
    int side;
    struct contribution *half[PAIR_SIDES]; /* contributions of the members, by side */
};

/* Moves the contribution of a member to the round. */
static int on_result(void *of, struct contribution *one, struct error *e)
{
    struct round *r = of;
    r->job->round_bytes += one->cells * sizeof *one->cell;
    r->half[r->side][one->number] = *one;
    one->result.drawn = one->result.notice = NULL;
    one->cell = one->place = NULL;
    one->cells = one->places = 0;
    return 0;
}

static void round_free(struct round *r)
{
    for (int side = 0; side < PAIR_SIDES; side++) {
        for (int64_t i = 0; r->half[side] && i < r->count; i++)
            contribution_free(&r->half[side][i]);
        free(r->half[side]);
    }
}

static void adapt_to_sides(const void *of, struct study_progress *now)
{
    const struct round *r = of;
    now->done += 2 * r->x->done + r->side * r->count;
    now->all = 2 * r->x->count;
    now->error = 0;
}

static int run_side(struct round *r, struct error *e)
{
    struct ensemble_source source = r->x->supply[r->side].source;
    FREED_BY(ensemble_free) struct ensemble s = {0};
    int threads = r->job->threads;
    source.first = r->first;
    source.count = r->count;
    if (!(r->half[r->side] = calloc((size_t)r->count, sizeof *r->half[r->side])))
        return error_memory(e);
    const int status = engine_prepare(&s, &source, &threads, e);
    if (status) return status;
    s.on_result = on_result;
    s.on_result_of = r;
    s.uncounted = true;
    return engine_round(r->job, &s, threads, adapt_to_sides, r, &r->x->counts, e);
}

static void keep_result(struct pair_result *to, int side, const struct contribution *h)
{
    to->weight = h->result.weight;
    to->of[side].digest = h->result.digest;
    to->of[side].cells = h->result.cells;
    to->of[side].runout_m = h->result.runout_m;
    to->of[side].max_thickness_m = h->result.max_thickness_m;
    to->of[side].off_terrain = member_off_terrain(&h->result);
    to->of[side].into_sea = h->result.into_sea;
}

static int add_pair(struct pairs *x, struct contribution *with, const struct contribution *without,
                    struct error *e)
{
    const uint64_t weight = with->result.weight;
    int status = pair_sums_add(&x->places, weight, (struct pair_reached){with->place, with->places},
                               (struct pair_reached){without->place, without->places}, e);
    if (!status)
        status = pair_sums_add(&x->cells, weight, (struct pair_reached){with->cell, with->cells},
                               (struct pair_reached){without->cell, without->cells}, e);
    if (status) return status;
    struct pair_result *to = &x->result[x->done++];
    keep_result(to, PAIR_WITH, with);
    keep_result(to, PAIR_WITHOUT, without);
    to->drawn = with->result.drawn;
    with->result.drawn = NULL;
    return 0;
}

static int compute_round(struct study_job *j, struct error *e)
{
    struct pairs *x = j->self;
    FREED_BY(round_free)
    struct round r = {
        .job = j, .x = x, .first = x->done, .count = study_round(j, 1, x->count - x->done)};
    int status = 0;
    for (r.side = 0; r.side < PAIR_SIDES && !status && !j->stopped; r.side++)
        status = run_side(&r, e);
    for (int64_t i = 0; i < r.count && !status && !j->stopped; i++)
        status = add_pair(x, &r.half[PAIR_WITH][i], &r.half[PAIR_WITHOUT][i], e);
    return status;
}

/* ---- the state: the result of each pair, and all sums ---------------------------------------- */

static void put_wide(struct packed_out *o, wide x)
{
    packed_put(o, (uint64_t)x);
    packed_put(o, (uint64_t)(x >> 64));
}

static void put_sums(struct packed_out *o, const struct pair_sums *s)
{
    packed_put(o, (uint64_t)s->pairs);
    packed_put(o, s->weight);
    put_wide(o, s->weight2);
    packed_put(o, s->slots);
    for (size_t i = 0; i < s->places; i++) {
        const struct pair_count *c = pair_sums_at(s, i);
        if (!c) continue;
        packed_put(o, i);
        packed_put(o, c->with);
        packed_put(o, c->without);
        packed_put(o, c->both);
        put_wide(o, c->both2);
        put_wide(o, (wide)c->later);
        put_wide(o, (wide)c->later2);
    }
}

static void put_result(struct packed_out *o, const struct pair_result *r)
{
    packed_put(o, r->weight);
    packed_put_text(o, r->drawn);
    for (int side = 0; side < PAIR_SIDES; side++) {
        packed_put(o, r->of[side].digest);
        packed_put(o, r->of[side].cells);
        packed_put_real(o, r->of[side].runout_m);
        packed_put_real(o, r->of[side].max_thickness_m);
        packed_put(o, (uint64_t)r->of[side].off_terrain | (uint64_t)r->of[side].into_sea << 1);
    }
}

static int made_by(const void *of, struct made_by *by, struct error *e)
{
    return made_by_read(by, ((const struct pairs *)of)->plan->base.path, e);
}

static void put_pairs(const void *of, struct packed_out *o)
{
    const struct pairs *x = of;
    packed_put(o, (uint64_t)x->done);
    for (int64_t i = 0; i < x->done; i++) put_result(o, &x->result[i]);
    put_sums(o, &x->cells);
    put_sums(o, &x->places);
}

static wide get_wide(struct packed_in *i)
{
    const uint64_t low = packed_get(i, UINT64_MAX);
    return low | (wide)packed_get(i, UINT64_MAX) << 64;
}

static bool get_sums(struct packed_in *i, struct pair_sums *s)
{
    s->pairs = (int64_t)packed_get(i, INT64_MAX);
    s->weight = packed_get(i, STATISTICS_WEIGHT_MAX);
    s->weight2 = get_wide(i);
    const uint64_t slots = packed_get(i, s->places);
    size_t next = 0;
    for (uint64_t k = 0; k < slots && !i->bad; k++) {
        const uint64_t place = packed_get(i, s->places);
        if (place < next || place >= s->places) return false;
        next = place + 1;
        struct pair_count *c = pair_sums_open(s, place);
        if (!c) return false;
        c->with = packed_get(i, s->weight);
        c->without = packed_get(i, s->weight);
        c->both = packed_get(i, c->with < c->without ? c->with : c->without);
        c->both2 = get_wide(i);
        c->later = (signed_wide)get_wide(i);
        c->later2 = (signed_wide)get_wide(i);
    }
    return !i->bad;
}

static void get_result(struct packed_in *i, struct pair_result *r)
{
    r->weight = packed_get(i, STATISTICS_WEIGHT_MAX);
    r->drawn = packed_get_text(i);
    for (int side = 0; side < PAIR_SIDES; side++) {
        r->of[side].digest = packed_get(i, UINT64_MAX);
        r->of[side].cells = packed_get(i, UINT64_MAX);
        r->of[side].runout_m = packed_get_real(i);
        r->of[side].max_thickness_m = packed_get_real(i);
        const uint64_t flags = packed_get(i, 3);
        r->of[side].off_terrain = flags & 1;
        r->of[side].into_sea = flags & 2;
    }
}

static int get_pairs(void *of, struct packed_in *i, struct error *e)
{
    struct pairs *x = of;
    const int64_t done = (int64_t)packed_get(i, (uint64_t)x->count);
    for (int64_t k = 0; k < done && !i->bad; k++, x->done++) get_result(i, &x->result[k]);
    const bool good = !i->bad && get_sums(i, &x->cells) && get_sums(i, &x->places) &&
                      x->cells.pairs == done && x->places.pairs == done;
    return good && packed_get_sum(i) ? 0 : STATE_DAMAGED;
}

const struct state_kind pairs_state = {.magic = "sciara pairs 2\n",
                                       .what = "pairs",
                                       .digest_at = offsetof(struct pairs, digest),
                                       .made_by = made_by,
                                       .put = put_pairs,
                                       .get = get_pairs};

/* ---- the study ------------------------------------------------------------------------------------ */

static bool pairs_unfinished(void *self)
{
    const struct pairs *x = self;
    return x->done < x->count;
}

static int64_t pairs_runs(const void *self)
{
    return 2 * ((const struct pairs *)self)->done;
}

const struct study study_pairs = {STUDY_NAMED("pairs", struct pairs),
                                  .state = &pairs_state,
                                  .files = &pairs_files,
                                  .unfinished = pairs_unfinished,
                                  .runs = pairs_runs,
                                  .round = compute_round,
                                  .digest = pairs_digest,
                                  .warn = pairs_warn,
                                  .write = pairs_report_write,
                                  .summary = pairs_summary_text};
