/* realmath_lanes.h — the arithmetic headers for another number of lanes. A test includes this file several times, with
 * LANES defined to 1 (scalar), 2, 4 or 8. The file adds a suffix to every name of these headers, so that one test has
 * all widths. It defines evaluate_LANES(), which applies each function to arrays.
 *
 * A test has to include the system headers of lanes.h first, because their names must not get the suffix. */
#undef SCIARA_LANES_H
#undef SCIARA_LATTICE_H
#undef SCIARA_REALMATH_H
#undef SCIARA_LANES
#undef VECTORS_AVX512
#undef VECTORS_AVX2
#undef VECTORS_SSE2
#undef NATIVE
#undef FUSED_COMPOSED
#undef INLINE
#undef UNROLLED
#if LANES > 1
#define SCIARA_LANES LANES
#endif

#ifndef WITH_SUFFIX
#define PASTE_(name, lanes)      name##_##lanes
#define PASTE(name, lanes)       PASTE_(name, lanes)
#define WITH_SUFFIX(name)        PASTE(name, LANES)
#define real                     WITH_SUFFIX(real)
#define ints                     WITH_SUFFIX(ints)
#define ints_unsigned            WITH_SUFFIX(ints_unsigned)
#define mask                     WITH_SUFFIX(mask)
#define native                   WITH_SUFFIX(native)
#define broadcast                WITH_SUFFIX(broadcast)
#define bits_of                  WITH_SUFFIX(bits_of)
#define real_of                  WITH_SUFFIX(real_of)
#define shift_right              WITH_SUFFIX(shift_right)
#define shift_left               WITH_SUFFIX(shift_left)
#define higher                   WITH_SUFFIX(higher)
#define lower                    WITH_SUFFIX(lower)
#define bits_where               WITH_SUFFIX(bits_where)
#define two_sum                  WITH_SUFFIX(two_sum)
#define high_half                WITH_SUFFIX(high_half)
#define rest_of_product          WITH_SUFFIX(rest_of_product)
#define fused_to_odd             WITH_SUFFIX(fused_to_odd)
#define may_be_tie               WITH_SUFFIX(may_be_tie)
#define fused_small              WITH_SUFFIX(fused_small)
#define fused_rest               WITH_SUFFIX(fused_rest)
#define square_exceeds           WITH_SUFFIX(square_exceeds)
#define lattice_multiple         WITH_SUFFIX(lattice_multiple)
#define quotient_of              WITH_SUFFIX(quotient_of)
#define real_rcbrt_step          WITH_SUFFIX(real_rcbrt_step)
#define select_lanes             WITH_SUFFIX(select_lanes)
#define mask_not                 WITH_SUFFIX(mask_not)
#define magnitude                WITH_SUFFIX(magnitude)
#define any_lane                 WITH_SUFFIX(any_lane)
#define any_bit                  WITH_SUFFIX(any_bit)
#define where                    WITH_SUFFIX(where)
#define lattice_round            WITH_SUFFIX(lattice_round)
#define tally                    WITH_SUFFIX(tally)
#define positive                 WITH_SUFFIX(positive)
#define negative                 WITH_SUFFIX(negative)
#define fused                    WITH_SUFFIX(fused)
#define real_of_tally            WITH_SUFFIX(real_of_tally)
#define lattice_round_product    WITH_SUFFIX(lattice_round_product)
#define lattice_floor_of_product WITH_SUFFIX(lattice_floor_of_product)
#define real_of_small            WITH_SUFFIX(real_of_small)
#define small_count              WITH_SUFFIX(small_count)
#define count_of                 WITH_SUFFIX(count_of)
#define real_of_count            WITH_SUFFIX(real_of_count)
#define heat_of                  WITH_SUFFIX(heat_of)
#define temp_of                  WITH_SUFFIX(temp_of)
#define real_pow10               WITH_SUFFIX(real_pow10)
#define real_rcbrt               WITH_SUFFIX(real_rcbrt)
#define real_log10               WITH_SUFFIX(real_log10)
#define evaluate                 WITH_SUFFIX(evaluate)
#define evaluate_products        WITH_SUFFIX(evaluate_products)

/* Arguments within the range of each function, and its values. n is a multiple of 8. */
struct samples {
    size_t n;
    double *exponent, *normal, *share, *length, *wide, *thickness, *temp;
    double *pow10, *rcbrt, *round, *nearest, *floor, *of_count, *temp_back, *fused_sum;
    int64_t *count, *heat;
};

/* Operands of products, and what becomes of them: a b + c, a b - nearly, whether a a > square, n x
 * + sum, share x on the lattice, dividend / divisor. */
enum { PRODUCTS = 1 << 17 };
struct products {
    double a[PRODUCTS], b[PRODUCTS], c[PRODUCTS], nearly[PRODUCTS], square[PRODUCTS], n[PRODUCTS],
        x[PRODUCTS], sum[PRODUCTS], share[PRODUCTS], dividend[PRODUCTS], divisor[PRODUCTS];
    struct {
        double whole[PRODUCTS], small[PRODUCTS], rest[PRODUCTS], exceeds[PRODUCTS],
            multiple[PRODUCTS], quotient[PRODUCTS], floor[PRODUCTS], nearest[PRODUCTS];
    } got;
};
#endif

#include "model/realmath.h"

static void evaluate(const struct samples *s)
{
    for (size_t i = 0; i < s->n; i += LANES) {
        real exponent, normal, share, length, wide, thickness, temp, r;
        memcpy(&exponent, s->exponent + i, sizeof r);
        memcpy(&normal, s->normal + i, sizeof r);
        memcpy(&share, s->share + i, sizeof r);
        memcpy(&length, s->length + i, sizeof r);
        memcpy(&wide, s->wide + i, sizeof r);
        memcpy(&thickness, s->thickness + i, sizeof r);
        memcpy(&temp, s->temp + i, sizeof r);
        memcpy(s->pow10 + i, (r = real_pow10(exponent), &r), sizeof r);
        memcpy(s->rcbrt + i, (r = real_rcbrt(normal), &r), sizeof r);
        memcpy(s->round + i, (r = lattice_round(length), &r), sizeof r);
        memcpy(s->nearest + i, (r = lattice_round_product(share, length), &r), sizeof r);
        memcpy(s->floor + i, (r = lattice_floor_of_product(share, length), &r), sizeof r);
        ints count = count_of(wide), heat = heat_of(thickness, temp);
        memcpy(s->count + i, &count, sizeof count);
        memcpy(s->heat + i, &heat, sizeof heat);
        memcpy(s->of_count + i, (r = real_of_count(count), &r), sizeof r);
        /* most of the product cancels, so that its low half counts */
        real nearly = share * length * (1.0 + 0x1p-40 * temp);
        memcpy(s->fused_sum + i, (r = fused(share, length, -nearly), &r), sizeof r);
        memcpy(s->temp_back + i, (r = temp_of(heat, thickness), &r), sizeof r);
    }
}

static void evaluate_products(struct products *p)
{
    for (size_t i = 0; i < PRODUCTS; i += LANES) {
        real a, b, c, nearly, square, n, x, sum, share, dividend, divisor, r;
        memcpy(&a, p->a + i, sizeof r);
        memcpy(&b, p->b + i, sizeof r);
        memcpy(&c, p->c + i, sizeof r);
        memcpy(&nearly, p->nearly + i, sizeof r);
        memcpy(&square, p->square + i, sizeof r);
        memcpy(&n, p->n + i, sizeof r);
        memcpy(&x, p->x + i, sizeof r);
        memcpy(&sum, p->sum + i, sizeof r);
        memcpy(&share, p->share + i, sizeof r);
        memcpy(&dividend, p->dividend + i, sizeof r);
        memcpy(&divisor, p->divisor + i, sizeof r);
        memcpy(p->got.whole + i, (r = fused(a, b, c), &r), sizeof r);
        memcpy(p->got.small + i, (r = fused_small(a, b, c), &r), sizeof r);
        memcpy(p->got.rest + i, (r = fused_rest(a, b, -nearly), &r), sizeof r);
        r = select_lanes(square_exceeds(a, square), broadcast(1.0), broadcast(0.0));
        memcpy(p->got.exceeds + i, &r, sizeof r);
        r = lattice_multiple(n, x, sum); /* beyond 2^17, its sign */
        r = select_lanes(magnitude(r) < 0x1p17, r,
                         select_lanes(r > 0.0, broadcast(1.0), broadcast(-1.0)));
        memcpy(p->got.multiple + i, &r, sizeof r);
        memcpy(p->got.floor + i, (r = lattice_floor_of_product(share, x), &r), sizeof r);
        memcpy(p->got.nearest + i, (r = lattice_round_product(share, x), &r), sizeof r);
        memcpy(p->got.quotient + i, (r = quotient_of(dividend, divisor), &r), sizeof r);
    }
}

#undef LANES
