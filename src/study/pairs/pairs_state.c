/* pairs_state.c — pairs in a file (study/state.h): what each did and all sums. It depends on the pairs
 * that are done alone. */
#include "pairs.h"

/* ---- writing --------------------------------------------------------------------------------- */

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

static uint64_t digest(const void *of)
{
    return ((const struct pairs *)of)->digest;
}

static void put(const void *of, struct packed_out *o)
{
    const struct pairs *x = of;
    packed_put(o, (uint64_t)x->done);
    for (int64_t i = 0; i < x->done; i++) put_result(o, &x->result[i]);
    put_sums(o, &x->cells);
    put_sums(o, &x->places);
}

/* ---- reading --------------------------------------------------------------------------------- */

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

static int get(void *of, struct packed_in *i, struct error *e)
{
    struct pairs *x = of;
    (void)e;
    const int64_t done = (int64_t)packed_get(i, (uint64_t)x->count);
    for (int64_t k = 0; k < done && !i->bad; k++, x->done++) get_result(i, &x->result[k]);
    const bool good = !i->bad && get_sums(i, &x->cells) && get_sums(i, &x->places) &&
                      x->cells.pairs == done && x->places.pairs == done;
    return good && packed_get_sum(i) ? 0 : STATE_DAMAGED;
}

const struct state_kind pairs_state = {
    .magic = "sciara pairs 2\n", .what = "pairs", .digest = digest, .put = put, .get = get};
