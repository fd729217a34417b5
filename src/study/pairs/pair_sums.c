#include "pair_sums.h"

#include "base/mix64.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>

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
    free(s->slot);
    free(s->mark);
    free(s->count);
    *s = (struct pair_sums){0};
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

static uint64_t digest_of(uint64_t x, uint64_t place, int k)
{
    return mix64(x ^ mix64(place + (uint64_t)k));
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
            sum += digest_of(word[k], place, (int)k);
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
    /* a pair counts +1, 0 or -1 */
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
