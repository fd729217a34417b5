/* The project's own arithmetic: 10^x, x^(-1/3) and log10 against long double; rounding against the
 * C library's; vectors of 2, 4 and 8 lanes against one lane, bit by bit. */
/* tests: common/model */
/* run: plain */
/* build: optimized */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "effort.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed to inlined functions only */

#define LANES 1
#include "realmath_lanes.h"
#define LANES 2
#include "realmath_lanes.h"
#if defined(__x86_64__) && defined(__clang__)
/* clang tells functions what they may use, but no macros */
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define __AVX2__     1
#define __FMA__      1
#define __AVX512F__  1
#define __AVX512DQ__ 1
#define LANES        4
#include "realmath_lanes.h"
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))),                 \
                             apply_to = function)
#define LANES 8
#include "realmath_lanes.h"
#pragma clang attribute pop
#elif defined(__x86_64__)
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define LANES 4
#include "realmath_lanes.h"
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl")
#define LANES 8
#include "realmath_lanes.h"
#pragma GCC pop_options
#endif
#include "unit.h"
#define LANES 1 /* what follows is scalar */

/* The i-th random word of a stream: any thread can ask for any of them. */
static uint64_t word(uint64_t stream, uint64_t i)
{
    uint64_t x = (stream << 40) + i + 0x632be59bd9b4e019ULL;
    x = (x ^ x >> 31) * 0x7fb5d329728ea185ULL;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44dULL;
    return x ^ x >> 33;
}

static double between(double low, double high, uint64_t stream, uint64_t i)
{
    return low + (high - low) * ((double)(word(stream, i) >> 11) * 0x1p-53);
}

/* |value - truth| in units of the last place of a double as large as truth. */
static double ulps(double value, long double truth)
{
    int exponent;
    frexpl(truth, &exponent);
    return (double)(fabsl((long double)value - truth) / ldexpl(1.0L, exponent - 53));
}

static int inputs;

/* A third over the whole range, a third where the model uses it, a third around 0. */
static void pow10_within_2_ulp(void **state)
{
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (int i = 0; i < inputs; i++) {
        double range = i % 3 == 0 ? 300 : i % 3 == 1 ? 4 : 0x1p-20;
        double x = between(-range, range, 1, (uint64_t)i);
        worst = fmax(worst, ulps(real_pow10(x), powl(10.0L, x)));
    }
    print_message("10^x: at most %.3f ulp in %d inputs\n", worst, inputs);
    assert_true(worst > 0.5 && worst <= 2.0);
    for (int n = 0; n <= 22; n++) assert_true(ulps(real_pow10(n), powl(10.0L, n)) <= 1.0);
    assert_true(real_pow10(0.0) == 1.0); /* r = 1 stays 1 */
    assert_true(real_pow10(1e9) == real_pow10(300) && real_pow10(-1e9) == real_pow10(-300));
}

/* Half from 1 to 2^10 (cooling asks for 1 + something), half over all normal numbers. */
static void rcbrt_within_2_ulp(void **state)
{
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (int i = 0; i < inputs; i++) {
        int exponent =
            i % 2 ? (int)(word(3, (uint64_t)i) % 10) : (int)(word(3, (uint64_t)i) % 2045) - 1022;
        double x = ldexp(between(1, 2, 2, (uint64_t)i), exponent);
        worst = fmax(worst, ulps(real_rcbrt(x), 1.0L / cbrtl(x)));
    }
    print_message("x^(-1/3): at most %.3f ulp in %d inputs\n", worst, inputs);
    assert_true(worst > 0.5 && worst <= 2.0);
    assert_true(real_rcbrt(1.0) == 1.0); /* no cooling leaves T as it is */
}

static void log10_within_4_ulp(void **state)
{
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (int i = 0; i < inputs; i++) {
        int exponent = i % 2 ? 0 : (int)(word(5, (uint64_t)i) % 2000) - 1000;
        double x = ldexp(between(0.5, 2, 4, (uint64_t)i), exponent);
        worst = fmax(worst, ulps(real_log10(x), log10l(x)));
    }
    print_message("log10: at most %.3f ulp in %d inputs\n", worst, inputs);
    assert_true(worst > 0.5 && worst <= 4.0);
    assert_true(real_log10(1.0) == 0.0);
}

/* ---- roundings ------------------------------------------------------------------------------- */

/* A number of any size below 2^bits: every second one half-way between two integers, if so large a
 * number has halves. */
static double any_size(int bits, uint64_t stream, uint64_t i)
{
    uint64_t w = word(stream, i);
    double x = ldexp(between(0.5, 1, stream + 1, i), (int)((w >> 8) % (uint64_t)(bits + 10)) - 9);
    if (fabs(x) >= ldexp(1, bits)) x = ldexp(x, -1);
    if (w & 1 && fabs(x) < 0x1p50) x = floor(x) + 0.5;
    return w & 2 ? -x : x;
}

static void roundings_are_those_of_the_library(void **state)
{
    long wrong = 0, ties = 0, large = 0;
#pragma omp parallel for reduction(+ : wrong, ties, large)
    for (int i = 0; i < inputs; i++) {
        double wide = any_size(62, 6, (uint64_t)i), x = any_size(51, 8, (uint64_t)i);
        double length = x * LATTICE_M;
        int64_t n = llrint(wide), m = (int64_t)word(10, (uint64_t)i) >> word(11, (uint64_t)i) % 63;
        double thickness = between(0, 4000, 12, (uint64_t)i),
               temp = between(0, 2000, 13, (uint64_t)i);
        if (i % 2) thickness = ldexp(thickness, -(int)(word(14, (uint64_t)i) % 48));
        wrong += count_of(wide) != n;
        wrong += count_of(x) != llrint(x);
        wrong += real_of_count(n) != (double)n;
        wrong += real_of_count(m) != (double)m;
        wrong += lattice_round(length) != rint(x) * LATTICE_M;
        wrong += small_count(x) != llrint(x) && fabs(x) < 0x1p51;
        wrong += heat_of(thickness, temp) != llrint(thickness * temp * HEAT_PER_KM);
        ties += x - floor(x) == 0.5;
        large += fabs(wide) >= 0x1p51;
    }
    assert_true(ties > inputs / 4 && large > inputs / 10);
    assert_int_equal(wrong, 0);
}

__extension__ typedef __int128 wide_int;

/* floor(a b 2^36) for 0 <= a <= 1 and b a multiple of lambda; *rest: what was cut off, in 2^-60 of
 * lambda. */
static int64_t exact_floor(double a, double b, int64_t *rest)
{
    int64_t significand =
        llrint(ldexp(a, 60)); /* exact: a was drawn with 53 bits after the point */
    wide_int product = (wide_int)significand * llrint(b * LATTICE_PER_M), unit = (wide_int)1 << 60;
    wide_int down = product / unit - (product % unit < 0);
    *rest = (int64_t)(product - down * unit);
    return (int64_t)down;
}

/* Products are rounded to the lattice once, from their exact value: down, and to the nearest. */
static void products_are_rounded_once(void **state)
{
    long wrong = 0, told_apart = 0, half = 0;
#pragma omp parallel for reduction(+ : wrong, told_apart, half)
    for (int i = 0; i < inputs; i++) {
        double a = between(0, 1, 15, (uint64_t)i),
               b = floor(any_size(50, 16, (uint64_t)i)) * LATTICE_M;
        if (i % 8 == 0) a = floor(a * 16) / 16; /* ties, and products on the lattice */
        int64_t rest, down = exact_floor(a, b, &rest), tie = (int64_t)1 << 59;
        int64_t nearest = down + (rest > tie || (rest == tie && down % 2 != 0));
        wrong += lattice_floor_of_product(a, b) != (double)down * LATTICE_M;
        wrong += lattice_round_product(a, b) != (double)nearest * LATTICE_M;
        told_apart += floor(a * b * LATTICE_PER_M) != (double)down; /* two roundings go wrong */
        half += rest == tie;
    }
    assert_true(told_apart > 100 && half > inputs / 100);
    assert_int_equal(wrong, 0);
}

/* The places where the ways of counting change, and the ends of the ranges. */
static void roundings_at_the_seams(void **state)
{
    static const double seams[] = {0x1p31, 0x1p32, 0x1p50, 0x1p51, 0x1p52, 0x1p53, 0x1p62};
    for (size_t s = 0; s < sizeof seams / sizeof *seams; s++)
        for (int i = -2000; i <= 2000; i++) {
            double ulp = nextafter(seams[s], INFINITY) - seams[s];
            double x = seams[s] + i * (ulp < 0.25 ? 0.25 : ulp);
            for (int sign = -1; sign <= 1; sign += 2) {
                assert_int_equal(count_of(sign * x), llrint(sign * x));
                assert_true(real_of_count(llrint(sign * x) + i) == (double)(llrint(sign * x) + i));
            }
        }
    double last = nextafter(0x1p63 - 0x1p31, 0); /* its high half still fits 31 bits */
    assert_int_equal(count_of(last), llrint(last));
    assert_int_equal(count_of(-last), llrint(-last));
    assert_true(real_of_count(INT64_MAX) == (double)INT64_MAX);
    assert_true(real_of_count(INT64_MIN) == (double)INT64_MIN);
    assert_int_equal(heat_of(4000, 2000), llrint(8e6 * HEAT_PER_KM));
    double edge = 0x1p15 - LATTICE_M / 2; /* the largest tie within the range */
    assert_true(lattice_floor_of_product(0.5, 2 * edge) == 0x1p15 - LATTICE_M);
    assert_true(lattice_floor_of_product(-0.5, 2 * edge) == -0x1p15);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

enum { SAMPLES = 1 << 18 };

static struct samples samples_create(void)
{
    struct samples s = {.n = SAMPLES};
    double **reals[] = {&s.exponent,  &s.normal, &s.share,    &s.length,    &s.wide,
                        &s.thickness, &s.temp,   &s.pow10,    &s.rcbrt,     &s.round,
                        &s.nearest,   &s.floor,  &s.of_count, &s.temp_back, &s.fused_sum};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        assert_non_null(*reals[i] = calloc(SAMPLES, sizeof(double)));
    assert_non_null(s.count = calloc(SAMPLES, sizeof *s.count));
    assert_non_null(s.heat = calloc(SAMPLES, sizeof *s.heat));
    for (uint64_t i = 0; i < SAMPLES; i++) {
        s.exponent[i] = between(-1, 1, 20, i) * (i % 2 ? 310 : 3);
        s.share[i] = between(0, 1, 29, i);
        s.normal[i] = ldexp(between(1, 2, 21, i), (int)(word(22, i) % 2045) - 1022);
        s.length[i] = any_size(51, 23, i) * LATTICE_M;
        s.wide[i] = any_size(i / 8 % 2 ? 62 : 45, 25, i); /* vectors with and without large ones */
        s.thickness[i] = between(LATTICE_M, 4000, 27, i);
        s.temp[i] = between(0, 2000, 28, i);
    }
    return s;
}

static void samples_free(struct samples *s)
{
    double *reals[] = {s->exponent,  s->normal, s->share,    s->length,    s->wide,
                       s->thickness, s->temp,   s->pow10,    s->rcbrt,     s->round,
                       s->nearest,   s->floor,  s->of_count, s->temp_back, s->fused_sum};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) free(reals[i]);
    free(s->count);
    free(s->heat);
}

static void assert_same_bits(const struct samples *a, const struct samples *b)
{
    size_t bytes = SAMPLES * sizeof(double);
    assert_memory_equal(a->pow10, b->pow10, bytes);
    assert_memory_equal(a->rcbrt, b->rcbrt, bytes);
    assert_memory_equal(a->round, b->round, bytes);
    assert_memory_equal(a->nearest, b->nearest, bytes);
    assert_memory_equal(a->floor, b->floor, bytes);
    assert_memory_equal(a->count, b->count, bytes);
    assert_memory_equal(a->heat, b->heat, bytes);
    assert_memory_equal(a->of_count, b->of_count, bytes);
    assert_memory_equal(a->temp_back, b->temp_back, bytes);
    assert_memory_equal(a->fused_sum, b->fused_sum, bytes);
}

static void lanes_give_the_bits_of_one(void **state)
{
    struct samples one = samples_create(), many = samples_create();
    evaluate_1(&one);
    evaluate_2(&many);
    assert_same_bits(&one, &many);
#if defined(__x86_64__)
    struct samples wide = samples_create();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        evaluate_4(&wide);
        assert_same_bits(&one, &wide);
    } else print_message("4 lanes: skipped, this processor has no AVX2\n");
    samples_free(&wide);
    wide = samples_create();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        evaluate_8(&wide);
        assert_same_bits(&one, &wide);
    } else print_message("8 lanes: skipped, this processor has no AVX-512\n");
    samples_free(&wide);
#endif
    samples_free(&many);
    samples_free(&one);
}

/* ---- products -------------------------------------------------------------------------------- */

/* 1 and a few last places, of a number above or below 1. */
static double about_1(uint64_t stream, uint64_t i)
{
    const int places = (int)(word(stream, i) % 9) - 4;
    return 1.0 + (places < 0 ? 0x1p-53 : 0x1p-52) * places;
}

/* With as many bits, some of them few. */
static double with_bits(uint64_t stream, uint64_t i)
{
    const double x = between(1, 2, stream, i), keep = ldexp(1, (int)(word(stream + 1, i) % 53));
    return word(stream + 2, i) & 1 ? floor(x * keep) / keep : x;
}

static double signed_as(uint64_t bit, double x)
{
    return bit & 1 ? -x : x;
}

/* Any sizes; sums that are ties, but for the last bit of the product; products that nearly cancel; small
 * products. */
static void fill_sum(struct products *p, uint64_t i)
{
    const uint64_t w = word(30, i);
    const int wide = i % 3 ? 30 : 300, size = (int)(w >> 8 & 63);
    p->a[i] = signed_as(w, ldexp(with_bits(31, i), (int)(word(34, i) % (2 * wide)) - wide));
    p->b[i] = signed_as(w >> 1, ldexp(with_bits(35, i), (int)(word(38, i) % (2 * wide)) - wide));
    p->c[i] =
        signed_as(w >> 2, ldexp(with_bits(39, i), (int)(word(42, i) % (4 * wide)) - 2 * wide));
    p->nearly[i] = p->a[i] * p->b[i] * about_1(43, i);
    if (i % 4 == 1) {
        p->a[i] = signed_as(w, about_1(44, i) * (double)(2 * (w >> 16 & 7) + 1));
        p->b[i] = ldexp(about_1(45, i), -53);
        p->c[i] = signed_as(w >> 2, with_bits(46, i));
        p->nearly[i] = p->a[i] * p->b[i] * about_1(43, i);
    } else if (i % 4 == 2) p->c[i] = -p->nearly[i];
    else if (i % 4 == 3) p->c[i] = ldexp(p->a[i] * p->b[i] * with_bits(49, i), size);
    p->square[i] = p->a[i] * p->a[i] * about_1(52, i);
}

/* A small count of lengths on the lattice, and a sum of lengths that it may cancel. */
static void fill_multiple(struct products *p, uint64_t i)
{
    p->n[i] = (double)(word(53, i) % 10);
    p->share[i] = with_bits(67, i) / 2;
    p->x[i] = rint(any_size(51, 54, i)) * LATTICE_M;
    p->sum[i] = rint(any_size(i % 2 ? 53 : 20, 56, i)) * LATTICE_M + 0.0; /* not -0 */
    if (i % 2 == 0 && fabs(p->n[i] * p->x[i]) < 0x1p16) p->sum[i] -= p->n[i] * p->x[i];
}

/* Quotients near the middle of two doubles; first all for which the first quotient may be off by more
 * than one last place. */
static void fill_quotient(struct products *p, uint64_t i)
{
    p->divisor[i] = with_bits(58, i);
    const double q = with_bits(61, i);
    p->dividend[i] =
        fma(q, p->divisor[i], word(64, i) % 3 * 0x1p-53 * p->divisor[i]) * about_1(65, i);
    if (i >= 16 * 16) return;
    p->dividend[i] = 4.0 - (double)(i % 16) * 0x1p-51;
    p->divisor[i] = 2.0 - (double)(i / 16) * 0x1p-52;
}

/* The sum with the error of its rounding and of that of the product: two roundings too many. */
static double rounded_in_turn(double a, double b, double c)
{
    const double product = a * b, sum = product + c, part = sum - product;
    const double error = (product - (sum - part)) + (c - part);
    return sum + (error + fma(a, b, -product));
}

static void assert_same_products(const struct products *one, void by_lanes(struct products *))
{
    struct products *many = malloc(sizeof *many);
    assert_non_null(many);
    memcpy(many, one, sizeof *many);
    memset(&many->got, 0, sizeof many->got);
    by_lanes(many);
    assert_memory_equal(&one->got, &many->got, sizeof one->got);
    free(many);
}

/* Where there is no such instruction, as with two lanes on x86-64, they are composed. */
static void products_are_those_of_fma(void **state)
{
    struct products *p = calloc(1, sizeof *p);
    assert_non_null(p);
    long twice = 0, ties = 0, equal = 0, on_lattice = 0, corrected = 0;
    for (uint64_t i = 0; i < PRODUCTS; i++) {
        fill_sum(p, i);
        fill_multiple(p, i);
        fill_quotient(p, i);
        const double a = p->a[i], b = p->b[i], c = p->c[i], flow = p->share[i] * p->x[i];
        twice += a * b + c != fma(a, b, c);
        ties += rounded_in_turn(a, b, c) != fma(a, b, c);
        equal += a * a == p->square[i] && fma(a, a, -p->square[i]) > 0;
        on_lattice += flow == lattice_round(flow) && fma(p->share[i], p->x[i], -flow) < 0;
        corrected += p->dividend[i] * (1.0 / p->divisor[i]) != p->dividend[i] / p->divisor[i];
    }
    assert_true(twice > PRODUCTS / 8 && ties > 200 && equal > PRODUCTS / 100);
    assert_true(on_lattice > 200 && corrected > PRODUCTS / 8);
    evaluate_products_1(p);
    for (size_t i = 0; i < PRODUCTS; i++)
        assert_true(p->got.quotient[i] == p->dividend[i] / p->divisor[i]);
    assert_same_products(p, evaluate_products_2);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assert_same_products(p, evaluate_products_4);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        assert_same_products(p, evaluate_products_8);
#endif
    free(p);
}

int main(void)
{
    inputs = sample(SANITIZED(1000000, 2500000), 10000000);
    return UNIT_RUN(pow10_within_2_ulp, rcbrt_within_2_ulp, log10_within_4_ulp,
                    roundings_are_those_of_the_library, products_are_rounded_once,
                    roundings_at_the_seams, products_are_those_of_fma, lanes_give_the_bits_of_one);
}
