/* statistics.c — counters of places, and the probabilities, errors, percentiles and means that follow from them.
 * Counters are exact sums; each result needs only one or a few rounded operations. */
#include "statistics.h"

#include "base/mix64.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_PLACES = 256, SUMS = 4, PARALLEL = 4096, PLACES_TOGETHER = 8, RUN = 32 };

int statistics_create(struct statistics *s, size_t places, const struct axis *thickness_m,
                      const struct axis *arrival_s, bool shares, size_t bytes_max, struct error *e)
{
    *s = (struct statistics){.places = places,
                             .thickness_classes = thickness_m->edges + 1,
                             .arrival_classes = arrival_s->edges + 1,
                             .share_classes = shares ? STATISTICS_SHARES + 1 : 0,
                             .bytes_max = bytes_max};
    s->stride =
        (size_t)s->thickness_classes + (size_t)s->arrival_classes + (size_t)s->share_classes + SUMS;
    assert(places < UINT32_MAX);
    s->slot = calloc(places ? places : 1, sizeof *s->slot);
    s->group = calloc(places / STATISTICS_GROUP + 1, 1);
    s->chunk = calloc(places / CHUNK_PLACES + 1, sizeof *s->chunk);
    if (s->slot && s->group && s->chunk) return 0;
    statistics_free(s);
    return error_input(e,
                       "the statistics of %zu cells need %.2f GiB of memory, more than this "
                       "machine has; use a smaller or coarser grid",
                       places, (double)places * sizeof(uint32_t) / 1073741824.0);
}

void statistics_free(struct statistics *s)
{
    for (size_t i = 0; i < s->chunks; i++) free(s->chunk[i]);
    RELEASE(s, s->chunk, s->group, s->slot);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* Numbers after the `stride` counters of a place. CAME: the weight of all members that reached the
 * place. SPANS: the ranges of classes that have counts. From RUNS on: sums over groups of RUN
 * adjacent classes, first of thickness, then of arrival; valid if s->added_up is set. */
enum { CAME, SPANS, RUNS };

static size_t room_of(const struct statistics *s)
{
    return s->stride + RUNS + (size_t)(s->thickness_classes / RUN + s->arrival_classes / RUN);
}

static const uint64_t *thickness_runs(const struct statistics *s, const uint64_t *c)
{
    return s->added_up ? c + s->stride + RUNS : NULL;
}

static const uint64_t *arrival_runs(const struct statistics *s, const uint64_t *c)
{
    return s->added_up ? c + s->stride + RUNS + s->thickness_classes / RUN : NULL;
}

/* SPANS has 32 bits for each of these ranges: 16 for the first class, 16 for the last class plus 1. All 0: no class. */
enum { OF_THICKNESS, OF_ARRIVAL };

static struct statistics_span span_at(const struct statistics *s, const uint64_t *c, int axis)
{
    const uint32_t both = (uint32_t)(c[s->stride + SPANS] >> 32 * axis);
    return (struct statistics_span){both & 0xffff, (int)(both >> 16)};
}

static void widen_counter(const struct statistics *s, uint64_t *c, int axis,
                          struct statistics_span by)
{
    const struct statistics_span has = span_at(s, c, axis);
    if (by.first >= by.end || (has.first <= by.first && by.end <= has.end)) return;
    const bool any = has.first < has.end;
    const uint32_t first = (uint32_t)(any && has.first < by.first ? has.first : by.first),
                   end = (uint32_t)(has.end > by.end ? has.end : by.end);
    uint64_t *spans = &c[s->stride + SPANS];
    *spans = (*spans & ~(UINT64_C(0xffffffff) << 32 * axis)) | (uint64_t)(first | end << 16)
                                                                   << 32 * axis;
}

static uint64_t *counters(const struct statistics *s, uint32_t slot)
{
    return s->chunk[(slot - 1) / CHUNK_PLACES] + (size_t)((slot - 1) % CHUNK_PLACES) * room_of(s);
}

const uint64_t *statistics_at(const struct statistics *s, size_t place)
{
    const uint32_t slot = s->slot[place];
    return slot ? counters(s, slot) : NULL;
}

size_t statistics_next(const struct statistics *s, size_t place)
{
    while (place < s->places) {
        const size_t group = place / STATISTICS_GROUP;
        const size_t end = (group + 1) * STATISTICS_GROUP;
        for (; s->group[group] && place < end && place < s->places; place++)
            if (s->slot[place]) return place;
        place = end;
    }
    return s->places;
}

static int no_memory(const struct statistics *s, struct error *e)
{
    return error_input(
        e,
        "the statistics of %u cells that lava reached take %.2f GiB, and there is no memory for "
        "more; use a coarser resolution of thickness and arrival, or a larger machine",
        (unsigned)s->slots, (double)s->bytes / 1073741824.0);
}

static int add_chunk(struct statistics *s, struct error *e)
{
    size_t places = CHUNK_PLACES;
    if (s->places - s->slots < places)
        places = s->places - s->slots; /* places that have no counters yet */
    const size_t bytes = places * room_of(s) * sizeof(uint64_t);
    if (bytes > s->bytes_max - s->bytes) return no_memory(s, e);
    if (!(s->chunk[s->chunks] = calloc(places * room_of(s), sizeof(uint64_t))))
        return no_memory(s, e);
    s->chunks++;
    s->bytes += bytes;
    return 0;
}

uint64_t *statistics_open(struct statistics *s, size_t place, struct error *e)
{
    assert(place < s->places);
    /* Threads may count at the same time. So added_up is written only when it changes. */
    if (s->added_up) s->added_up = false;
    if (!s->slot[place]) {
        if (s->slots == s->chunks * CHUNK_PLACES && add_chunk(s, e)) return NULL;
        s->slot[place] = ++s->slots;
        s->group[place / STATISTICS_GROUP] = 1;
    }
    return counters(s, s->slot[place]);
}

/* ---- adding ---------------------------------------------------------------------------------- */

uint32_t statistics_thickness(double thickness_m)
{
    const double most = (1 << STATISTICS_THICKNESS_BITS) - 1;
    const double q = rint(thickness_m * STATISTICS_MM); /* rounds half to even */
    return q >= most ? (uint32_t)most : q > 0 ? (uint32_t)q : 0;
}

uint32_t statistics_share(uint64_t covered, uint64_t all)
{
    assert(covered <= all && all > 0 && all <= UINT32_MAX);
    const uint64_t parts = covered * STATISTICS_SHARE_PARTS / all;
    return covered && !parts ? 1 : (uint32_t)parts;
}

static void add_halves(uint64_t sum[2], uint64_t weight, uint32_t q)
{
    sum[0] += weight * (q >> STATISTICS_HALF);
    sum[1] += weight * (q & ((1U << STATISTICS_HALF) - 1));
}

static void add_reached(const struct statistics *s, uint64_t *c, uint64_t weight,
                        const struct reached *x)
{
    uint64_t *arrival = c + s->thickness_classes, *share = arrival + s->arrival_classes;
    uint64_t *sums = share + s->share_classes;
    assert(x->thickness_class < s->thickness_classes && x->arrival_class < s->arrival_classes);
    widen_counter(s, c, OF_THICKNESS,
                  (struct statistics_span){x->thickness_class, x->thickness_class + 1});
    widen_counter(s, c, OF_ARRIVAL,
                  (struct statistics_span){x->arrival_class, x->arrival_class + 1});
    c[x->thickness_class] += weight;
    c[s->stride + CAME] += weight;
    arrival[x->arrival_class] += weight;
    add_halves(sums, weight, x->thickness_q);
    if (!s->share_classes) return;
    const uint64_t parts = STATISTICS_SHARE_PARTS;
    share[((uint64_t)x->share_q * STATISTICS_SHARES + parts - 1) / parts] += weight;
    add_halves(sums + 2, weight, x->share_q);
}

static void add_member(struct statistics *s, int64_t members, uint64_t weight, wide weight2)
{
    s->added_up = false;
    s->members += members;
    s->weight += weight;
    s->weight2 += weight2;
}

int statistics_add(struct statistics *s, uint64_t weight, const struct reached *reached,
                   size_t count, struct error *e)
{
    const struct statistics_member alone = {weight, reached, count};
    return statistics_add_all(s, &alone, 1, e);
}

void statistics_forget(struct statistics *s, bool counted)
{
    s->added_up = false;
    s->members = 0;
    s->weight = 0;
    s->weight2 = 0;
    for (uint32_t slot = 1; counted && slot <= s->slots; slot++)
        memset(counters(s, slot), 0, room_of(s) * sizeof(uint64_t));
}

void statistics_count(struct statistics *s, uint64_t weight)
{
    add_member(s, 1, weight, (wide)weight * weight);
}

int statistics_add_places(struct statistics *s, uint64_t weight, const struct reached *reached,
                          size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t *c = statistics_open(s, reached[i].place, e);
        if (!c) return ERROR_INPUT;
        add_reached(s, c, weight, &reached[i]);
    }
    return 0;
}

/* Adds the members at the places of one thread. Each thread reads all members. */
static void add_mine(const struct statistics *s, const struct statistics_member *member,
                     size_t members, uint32_t thread, uint32_t threads)
{
    for (size_t m = 0; m < members; m++)
        for (size_t i = 0; i < member[m].count; i++) {
            const struct reached *x = &member[m].reached[i];
            if (x->place / PLACES_TOGETHER % threads != thread) continue;
            add_reached(s, counters(s, s->slot[x->place]), member[m].weight, x);
        }
}

/* Counters for all places are created first, so that nothing has been counted if memory is short. */
int statistics_add_all(struct statistics *s, const struct statistics_member *member, size_t members,
                       struct error *e)
{
    size_t all = 0;
    for (size_t m = 0; m < members; m++) {
        for (size_t i = 0; i < member[m].count; i++)
            if (!statistics_open(s, member[m].reached[i].place, e)) return ERROR_INPUT;
        all += member[m].count;
    }
    /* Several threads are faster if members reach many places, as the members from a device do. */
#pragma omp parallel if (all > PARALLEL)
    add_mine(s, member, members, (uint32_t)omp_get_thread_num(), (uint32_t)omp_get_num_threads());
    for (size_t m = 0; m < members; m++) statistics_count(s, member[m].weight);
    return 0;
}

int statistics_merge(struct statistics *s, const struct statistics *from, struct error *e)
{
    assert(s->places == from->places && s->stride == from->stride);
    STATISTICS_EACH (from, i, c)
        if (!statistics_open(s, i, e)) return ERROR_INPUT;
    STATISTICS_EACH (from, i, c) {
        uint64_t *into = counters(s, s->slot[i]);
        for (size_t k = 0; k <= s->stride; k++) into[k] += c[k];
        for (int axis = 0; axis < 2; axis++) widen_counter(s, into, axis, span_at(from, c, axis));
    }
    add_member(s, from->members, from->weight, from->weight2);
    return 0;
}

static wide whole_of(const uint64_t *c, struct statistics_span in)
{
    wide sum = 0;
    uint64_t narrow = 0, all = 0;
    for (int k = in.first; k < in.end; k++) {
        narrow += c[k];
        all |= c[k];
    }
    if (!(all >> 48)) return narrow; /* fewer than 2^16 addends below 2^48 cannot overflow */
    for (int k = in.first; k < in.end; k++) sum += c[k];
    return sum;
}

bool statistics_adds_up(const struct statistics *s, const uint64_t *c, uint64_t weight)
{
    const uint64_t *arrival = c + s->thickness_classes, *share = arrival + s->arrival_classes;
    const wide came = whole_of(c, span_at(s, c, OF_THICKNESS));
    return came <= weight && whole_of(arrival, span_at(s, c, OF_ARRIVAL)) == came &&
           (!s->share_classes ||
            whole_of(share, (struct statistics_span){0, s->share_classes}) == came);
}

static struct statistics_span counted(const uint64_t *c, int count)
{
    struct statistics_span in = {0, count};
    while (in.first < in.end && !c[in.first]) in.first++;
    while (in.first < in.end && !c[in.end - 1]) in.end--;
    return in;
}

void statistics_read(const struct statistics *s, uint64_t *c)
{
    const struct statistics_span span[2] = {counted(c, s->thickness_classes),
                                            counted(c + s->thickness_classes, s->arrival_classes)};
    statistics_counted(s, c, span);
}

void statistics_counted(const struct statistics *s, uint64_t *c,
                        const struct statistics_span span[2])
{
    uint64_t came = 0;
    for (int axis = 0; axis < 2; axis++) widen_counter(s, c, axis, span[axis]);
    const struct statistics_span in = span_at(s, c, OF_THICKNESS);
    for (int k = in.first; k < in.end; k++) came += c[k];
    c[s->stride + CAME] = came;
}

/* Sums groups of RUN adjacent classes. Groups without counted classes are not written, and stay 0. */
static void add_runs(uint64_t *run, const uint64_t *class, struct statistics_span in, int count)
{
    for (int k = in.first / RUN; k < count / RUN && k * RUN < in.end; k++) {
        run[k] = 0;
        for (int i = 0; i < RUN; i++) run[k] += class[k * RUN + i];
    }
}

void statistics_add_up(struct statistics *s)
{
    if (s->added_up) return;
#pragma omp parallel for if (s->slots > PARALLEL)
    for (uint32_t slot = 1; slot <= s->slots; slot++) {
        uint64_t *c = counters(s, slot), *run = c + s->stride + RUNS;
        add_runs(run, c, span_at(s, c, OF_THICKNESS), s->thickness_classes);
        add_runs(run + s->thickness_classes / RUN, c + s->thickness_classes,
                 span_at(s, c, OF_ARRIVAL), s->arrival_classes);
    }
    s->added_up = true;
}

static uint64_t digest_of_some(const uint64_t *c, uint64_t place, size_t first, size_t end)
{
    uint64_t sum = 0;
    for (size_t k = first; k < end; k++)
        if (c[k]) sum += mix64(c[k] ^ mix64(place + k));
    return sum;
}

static uint64_t digest_of_group(const struct statistics *s, size_t first)
{
    uint64_t sum = 0;
    for (size_t i = first; i < first + STATISTICS_GROUP && i < s->places; i++) {
        const uint64_t *c = statistics_at(s, i);
        if (!c) continue;
        const uint64_t place = mix64(i + UINT64_C(0x9e3779b97f4a7c15));
        const struct statistics_span thickness = span_at(s, c, OF_THICKNESS),
                                     arrival = span_at(s, c, OF_ARRIVAL);
        const size_t from = (size_t)s->thickness_classes;
        sum += digest_of_some(c, place, (size_t)thickness.first, (size_t)thickness.end) +
               digest_of_some(c, place, from + (size_t)arrival.first, from + (size_t)arrival.end) +
               digest_of_some(c, place, from + (size_t)s->arrival_classes, s->stride);
    }
    return sum;
}

uint64_t statistics_digest(const struct statistics *s)
{
    uint64_t sum = mix64((uint64_t)s->members) + mix64(s->weight ^ UINT64_C(0x9e3779b97f4a7c15)) +
                   mix64((uint64_t)s->weight2 ^ UINT64_C(0xbf58476d1ce4e5b9)) +
                   mix64((uint64_t)(s->weight2 >> 64) ^ UINT64_C(0x94d049bb133111eb));
#pragma omp parallel for reduction(+ : sum) if (s->slots > PARALLEL)
    for (size_t group = 0; group <= s->places / STATISTICS_GROUP; group++)
        if (s->group[group]) sum += digest_of_group(s, group * STATISTICS_GROUP);
    return sum;
}

/* ---- weights of members ---------------------------------------------------------------------- */

/* Sums the classes from `first` to end - 1. in: the range that was counted. run: sums over groups
 * of RUN adjacent classes; or NULL. */
static uint64_t sum_of(const uint64_t *class, const uint64_t *run, struct statistics_span in,
                       int first, int end)
{
    uint64_t sum = 0;
    if (end > in.end) end = in.end;
    int k = first > in.first ? first : in.first;
    for (; run && k < end && k % RUN; k++) sum += class[k];
    for (; run && k + RUN <= end; k += RUN) sum += run[k / RUN];
    for (; k < end; k++) sum += class[k];
    return sum;
}

uint64_t statistics_reached(const struct statistics *s, const uint64_t *c)
{
    return c ? c[s->stride + CAME] : 0;
}

uint64_t statistics_exceeding(const struct statistics *s, const uint64_t *c, int edge)
{
    return c ? sum_of(c, thickness_runs(s, c), span_at(s, c, OF_THICKNESS), edge + 1,
                      s->thickness_classes)
             : 0;
}

uint64_t statistics_within(const struct statistics *s, const uint64_t *c, int edge)
{
    return c ? sum_of(c + s->thickness_classes, arrival_runs(s, c), span_at(s, c, OF_ARRIVAL), 0,
                      edge + 1)
             : 0;
}

/* ---- probability ----------------------------------------------------------------------------- */

double statistics_effective(const struct statistics *s)
{
    const double w = (double)s->weight;
    return s->weight ? w * w / (double)s->weight2 : 0;
}

double statistics_probability(const struct statistics *s, uint64_t weight)
{
    return s->weight ? fmin(1, (double)weight / (double)s->weight) : (double)NAN;
}

double statistics_error_of(double p, double effective)
{
    return sqrt(p * (1 - p) / effective);
}

double statistics_error(const struct statistics *s, uint64_t weight)
{
    return statistics_error_of(statistics_probability(s, weight), statistics_effective(s));
}

double statistics_largest_error(const struct statistics *s)
{
    double error = 0;
    STATISTICS_EACH (s, i, c) error = fmax(error, statistics_error(s, statistics_reached(s, c)));
    return error;
}

double statistics_cautious_error(const struct statistics *s, uint64_t weight)
{
    const double n = statistics_effective(s);
    const double p = ((s->weight ? statistics_probability(s, weight) : 0) * n + 2) / (n + 4);
    return statistics_error_of(p, n + 4);
}

/* ---- percentiles and means ------------------------------------------------------------------- */

/* Whether the cumulative weight `sum` has reached a percentile. wanted: 100 times the cumulative weight at the
 * percentile. `sum` and `wanted` include `before`, the weight of the classes that do not count. */
static bool is_up_to(uint64_t sum, uint64_t before, wide wanted)
{
    return sum > before && (wide)sum * 100 >= wanted;
}

static int class_at(const uint64_t *class, const uint64_t *run, struct statistics_span in,
                    uint64_t before, uint64_t came, int percent)
{
    const wide wanted = (wide)before * 100 + (wide)(came - before) * (unsigned)percent;
    uint64_t sum = 0;
    int k = in.first / RUN * RUN;
    for (; run && k + RUN <= in.end && !is_up_to(sum + run[k / RUN], before, wanted); k += RUN)
        sum += run[k / RUN];
    for (; came > before && k < in.end; k++)
        if (is_up_to(sum += class[k], before, wanted)) return k;
    return -1;
}

int statistics_thickness_class(const struct statistics *s, const uint64_t *c, int percent)
{
    return c ? class_at(c, thickness_runs(s, c), span_at(s, c, OF_THICKNESS), 0,
                        statistics_reached(s, c), percent)
             : -1;
}

int statistics_arrival_class(const struct statistics *s, const uint64_t *c, int percent)
{
    return statistics_arrival_class_from(s, c, 0, percent);
}

int statistics_arrival_class_from(const struct statistics *s, const uint64_t *c, int first,
                                  int percent)
{
    if (!c) return -1;
    return class_at(c + s->thickness_classes, arrival_runs(s, c), span_at(s, c, OF_ARRIVAL),
                    first ? statistics_within(s, c, first - 1) : 0, statistics_reached(s, c),
                    percent);
}

int statistics_share_class(const struct statistics *s, const uint64_t *c, int percent)
{
    if (!c || !s->share_classes) return -1;
    return class_at(c + s->thickness_classes + s->arrival_classes, NULL,
                    (struct statistics_span){0, s->share_classes}, 0, statistics_reached(s, c),
                    percent);
}

/* The mean from an exact sum, which is rounded once when it becomes a double. */
static double mean_of(const struct statistics *s, const uint64_t *c, int which, double unit)
{
    const uint64_t came = statistics_reached(s, c);
    if (!came) return NAN;
    const uint64_t *sum = c + s->stride - 4 + 2 * which;
    const wide whole = ((wide)sum[0] << STATISTICS_HALF) + sum[1];
    return (double)whole / (double)came / unit;
}

double statistics_mean_thickness_m(const struct statistics *s, const uint64_t *c)
{
    return mean_of(s, c, 0, STATISTICS_MM);
}

double statistics_mean_share(const struct statistics *s, const uint64_t *c)
{
    return s->share_classes ? mean_of(s, c, 1, STATISTICS_SHARE_PARTS) : (double)NAN;
}
