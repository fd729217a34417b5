#include "ensemble.h"
#include "library.h"

#include "base/mix64.h"
#include "compare/outline.h"
#include "sim/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int read_outline(struct ensemble *s, struct error *e)
{
    const struct sim_case *c = s->source->base;
    if (!c->outline_path) return 0;
    int status =
        outline_read(&s->outline, c->outline_path, c->problem.rows, c->problem.cols, &c->geo, e);
    if (status) return status;
    for (size_t i = 0; i < window_cells(problem_domain(&c->problem)); i++)
        s->outline_cells += s->outline[i] != 0;
    return domain_create(&s->domain, &s->source->within, s->outline, &c->problem, &c->geo,
                         s->source->path, e);
}

static int make_statistics(struct ensemble *s, size_t bytes_max, struct error *e)
{
    const struct statistics_request *w = &s->source->request;
    const size_t places = (size_t)s->assets.count,
                 cells = window_cells(problem_domain(&s->source->base->problem));
    int status = axis_create(&s->thickness_m, 0, w->thickness_step_m, w->thickness_steps,
                             w->threshold_m, w->threshold_count, e);
    if (!status)
        status = axis_create(&s->arrival_s, s->source->base->problem.params.clock_s,
                             w->arrival_step_s, w->arrival_steps, w->time_s, w->time_count, e);
    if (!status)
        status = statistics_create(&s->cells, cells, &s->thickness_m, &s->arrival_s, false,
                                   bytes_max, e);
    if (!status)
        status = statistics_create(&s->places, places, &s->thickness_m, &s->arrival_s, true,
                                   SIZE_MAX, e);
    return status;
}

int ensemble_create(struct ensemble *s, const struct ensemble_source *source, struct shard shard,
                    size_t bytes_max, struct error *e)
{
    const struct sim_case *c = source->base;
    *s = (struct ensemble){.source = source, .plan_digest = source->digest, .shard = shard};
    int status = assets_on(&s->assets, source->assets, &c->problem, &c->geo, e);
    if (!status) status = read_outline(s, e);
    if (!status) status = make_statistics(s, bytes_max, e);
    if (!status && !(s->result = calloc((size_t)source->count, sizeof *s->result)))
        status = error_input(
            e, "%s: a table of %" PRId64 " members needs %.2f GiB of memory; split it into shards",
            source->path, source->count, (double)source->count * sizeof *s->result / 1073741824.0);
    if (status) ensemble_free(s);
    return status;
}

void member_result_free(struct member_result *r)
{
    RELEASE(r, r->drawn, r->notice);
}

void ensemble_free(struct ensemble *s)
{
    for (int64_t i = 0; s->result && i < s->source->count; i++) member_result_free(&s->result[i]);
    FREE_ALL(s->result, s->outline, s->assumed);
    domain_free(&s->domain);
    assets_free(&s->assets);
    statistics_free(&s->cells);
    statistics_free(&s->places);
    axis_free(&s->thickness_m);
    axis_free(&s->arrival_s);
    *s = (struct ensemble){0};
}

void reached_widen(struct reached *x, const struct reached *here, bool first)
{
    if (first) *x = *here;
    if (here->thickness_class > x->thickness_class) x->thickness_class = here->thickness_class;
    if (here->thickness_q > x->thickness_q) x->thickness_q = here->thickness_q;
    if (here->arrival_class < x->arrival_class) x->arrival_class = here->arrival_class;
}

void contribution_free(struct contribution *one)
{
    member_result_free(&one->result);
    RELEASE(one, one->cell, one->place);
}

struct window contribution_box(const struct contribution *one, int cols)
{
    struct window box = {0};
    for (size_t i = 0; i < one->cells; i++) window_add_place(&box, one->cell[i].place, cols);
    return box;
}

bool ensemble_is_mine(const struct ensemble *s, int64_t number)
{
    return number % s->shard.count == s->shard.index - 1;
}

int64_t ensemble_share(const struct ensemble *s)
{
    return (s->source->count - s->shard.index + s->shard.count) / s->shard.count;
}

/* Sets into_sea and only_sea from the reached cells, because devices report only the sum of the lava that left. */
static void see_shore(const struct ensemble *s, struct contribution *one)
{
    const struct problem *p = &s->source->base->problem;
    bool edge = false;
    for (size_t i = 0; p->sea && i < one->cells; i++) {
        const size_t place = one->cell[i].place, cols = (size_t)p->cols;
        const uint8_t flag = grid_border_flag(p, (int)(place / cols), (int)(place % cols));
        if (flag & CELL_SHORE) one->result.into_sea = true;
        else if (flag & CELL_BORDER) edge = true;
    }
    one->result.only_sea = one->result.into_sea && !edge;
}

/* Adds the places and the result of a member, after its cells have been counted. */
static int add_one(struct ensemble *s, struct contribution *one, struct error *e)
{
    int status = statistics_add(&s->places, one->result.weight, one->place, one->places, e);
    if (status) return status;
    s->result[one->number] = one->result;
    s->done++;
    one->result = (struct member_result){0};
    contribution_free(one);
    return 0;
}

/* Adds a member. Creates counters of places before it counts cells, so nothing is counted if memory is short. */
static int add_counted(struct ensemble *s, struct contribution *one, struct error *e)
{
    const uint64_t weight = one->result.weight;
    int status = s->on_result ? s->on_result(s->on_result_of, one, e) : 0;
    if (status) return status;
    if (s->uncounted) one->cells = one->places = 0;
    for (size_t i = 0; i < one->places; i++)
        if (!statistics_open(&s->places, one->place[i].place, e)) return ERROR_INPUT;
    status = statistics_add(&s->cells, weight, one->cell, one->cells, e);
    return status ? status : add_one(s, one, e);
}

static bool open_all(struct ensemble *s, const struct contribution *one, int count)
{
    for (int k = 0; k < count; k++) {
        for (size_t i = 0; i < one[k].places; i++)
            if (!statistics_open(&s->places, one[k].place[i].place, NULL)) return false;
        for (size_t i = 0; i < one[k].cells; i++)
            if (!statistics_open(&s->cells, one[k].cell[i].place, NULL)) return false;
    }
    return true;
}

/* Adds members after open_all() has created the counters of all their cells and places. */
static int add_together(struct ensemble *s, struct contribution *one, int count,
                        struct statistics_member *member, struct error *e)
{
    for (int k = 0; k < count; k++)
        member[k] = (struct statistics_member){one[k].result.weight, one[k].cell, one[k].cells};
    int status = statistics_add_all(&s->cells, member, (size_t)count, e);
    for (int k = 0; !status && k < count; k++) status = add_one(s, &one[k], e);
    return status;
}

/* Adds members together. Adds them one by one if on_result() is set or memory is short. */
int ensemble_add_all(struct ensemble *s, struct contribution *one, int count, struct error *e)
{
    for (int k = 0; k < count; k++) see_shore(s, &one[k]);
    int status = s->library ? library_add(s->library, one, count, e) : 0;
    if (status) return status;
    const bool together = count > 1 && !s->on_result && !s->uncounted && open_all(s, one, count);
    FREED struct statistics_member *member =
        together ? malloc((size_t)count * sizeof *member) : NULL;
    if (member) return add_together(s, one, count, member, e);
    for (int k = 0; !status && k < count; k++) status = add_counted(s, &one[k], e);
    return status;
}

int ensemble_merge(struct ensemble *s, struct ensemble *from, const char *name, struct error *e)
{
    for (int64_t i = 0; i < s->source->count; i++)
        if (from->result[i].done && s->result[i].done)
            return error_input(
                e, "%s: has member %" PRId64 ", which another folder has too; name each shard once",
                name, i);
    int status = statistics_merge(&s->cells, &from->cells, e);
    if (!status) status = statistics_merge(&s->places, &from->places, e);
    for (int64_t i = 0; !status && i < s->source->count; i++) {
        if (!from->result[i].done) continue;
        s->result[i] = from->result[i];
        from->result[i] = (struct member_result){0};
        s->done++;
    }
    return status;
}

/* The digest includes the digests of members, since members with equal counters may differ. */
uint64_t ensemble_digest(const struct ensemble *s)
{
    uint64_t sum = mix64(s->source->digest) + statistics_digest(&s->cells) +
                   mix64(statistics_digest(&s->places));
    for (int64_t i = 0; i < s->source->count; i++)
        if (s->result[i].done)
            sum += mix64(s->result[i].digest ^ mix64((uint64_t)i + UINT64_C(0xd1342543de82ef95)));
    return mix64(sum);
}

/* The largest error includes the error of a cell that no member reached. */
double ensemble_cautious_error(const struct ensemble *s)
{
    const struct statistics_request *w = &s->source->request;
    const struct statistics *x = &s->cells;
    double error = statistics_cautious_error(x, 0);
    STATISTICS_EACH (x, i, c) {
        error = fmax(error, statistics_cautious_error(x, statistics_reached(x, c)));
        for (int k = 0; k < w->threshold_count; k++) {
            const int edge = axis_edge(&s->thickness_m, w->threshold_m[k]);
            error = fmax(error, statistics_cautious_error(x, statistics_exceeding(x, c, edge)));
        }
        for (int k = 0; k < w->time_count; k++) {
            const int edge = axis_edge(&s->arrival_s, w->time_s[k]);
            error = fmax(error, statistics_cautious_error(x, statistics_within(x, c, edge)));
        }
    }
    return error;
}

double statistics_event(const struct statistics *x, const uint64_t *c, enum ensemble_event event,
                        int edge)
{
    return statistics_probability(x, event == EVENT_LAVA      ? statistics_reached(x, c)
                                     : event == EVENT_THICKER ? statistics_exceeding(x, c, edge)
                                                              : statistics_within(x, c, edge));
}

double ensemble_probability(const struct ensemble *s, size_t cell, enum ensemble_event event,
                            int edge)
{
    const uint64_t *c = statistics_at(&s->cells, cell);
    if (s->seen) return s->seen->cell(s->seen->of, cell, event, edge);
    return statistics_reached(&s->cells, c) ? statistics_event(&s->cells, c, event, edge)
                                            : (double)NAN;
}

double ensemble_reached_s(const struct ensemble *s, int place)
{
    return s->seen ? s->seen->reached_s(s->seen->of, (size_t)place) : (double)NAN;
}

int ensemble_dry_classes(const struct ensemble *s, int place)
{
    return s->seen ? s->seen->dry_classes(s->seen->of, (size_t)place) : 0;
}

double ensemble_at_place(const struct ensemble *s, int place, enum ensemble_event event, int edge)
{
    if (s->assets.asset[place].bare && isnan(ensemble_reached_s(s, place))) return NAN;
    return s->seen ? s->seen->place(s->seen->of, (size_t)place, event, edge)
                   : statistics_event(&s->places, statistics_at(&s->places, (size_t)place), event,
                                      edge);
}

bool ensemble_is_assumed(const struct ensemble *s, int place)
{
    const double p = ensemble_at_place(s, place, EVENT_LAVA, 0);
    return s->assumed && s->assumed[place] && (p == 0 || p == 1);
}

const struct statistics *ensemble_places(const struct ensemble *s)
{
    return s->seen ? s->seen->places : &s->places;
}

double ensemble_largest_error(const struct ensemble *s)
{
    double most = 0; /* the largest p (1 - p) */
    STATISTICS_EACH (&s->cells, i, c) {
        const double p = ensemble_probability(s, i, EVENT_LAVA, 0);
        most = fmax(most, p * (1 - p)); /* fmax() ignores a p that is NaN */
    }
    return sqrt(most / statistics_effective(&s->cells));
}

double ensemble_worst_error(const struct ensemble *s)
{
    return s->assets.count ? statistics_largest_error(ensemble_places(s))
                           : ensemble_largest_error(s);
}

static uint64_t count_reached(const void *of, size_t cell)
{
    const struct ensemble *s = of;
    if (!s->seen) return statistics_reached(&s->cells, statistics_at(&s->cells, cell));
    const double p = ensemble_probability(s, cell, EVENT_LAVA, 0);
    return isnan(p) ? 0 : (uint64_t)rint(p * (double)s->cells.weight);
}

struct forecast ensemble_forecast(const struct ensemble *s)
{
    return (struct forecast){&s->domain, count_reached, s, s->cells.weight,
                             statistics_effective(&s->cells)};
}
