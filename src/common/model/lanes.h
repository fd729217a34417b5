/* lanes.h — the type `real`: one double, or several.
 *
 * The physics is written once, over `real`. On the GPU, and by default, a real is one double. A
 * file that defines SCIARA_LANES as 2, 4 or 8 before it includes this header gets a vector of 2, 4
 * or 8 doubles (GCC's vector extensions). The same source then computes as many cells at once.
 * Every operation used here is rounded correctly in each lane (IEEE 754), so the bits do not depend
 * on the number of lanes.
 *
 *   real   one double, or several          ints    as many 64-bit integers
 *   mask   result of a comparison          tally   a small count, 0 to 9
 *
 *   select_lanes(m, a, b)  a where m holds, else b    any_lane(m)    whether m holds in any lane
 *   where(m, n)      n where m holds, else 0          mask_not(m)    where m does not hold
 *   fused(a, b, c)   a b + c rounded once             broadcast(x)   x in every lane
 *   higher(a, b), lower(a, b)  of finite numbers      magnitude(x)   |x|
 *   positive(x), negative(x)   of +0 or a normal number
 *
 * fused() is the only fused multiply-add: the project is built so that the compiler makes no
 * others. Every GPU, every Arm processor and every x86-64 processor with AVX2 has an instruction
 * for fused(). On older processors, and in WebAssembly, fused() takes some thirty instructions.
 * The functions below take fewer instructions, because they assume more about their operands:
 *
 *   fused_small(a, b, c)    the same bits; cheaper if |a b| is far below |c|
 *   fused_rest(a, b, c)     the same bits, if c plus the rounded product is exact
 *   square_exceeds(x, y)    whether x x > y, exactly */
#ifndef SCIARA_LANES_H
#define SCIARA_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define INLINE static __host__ __device__ __forceinline__
#else
#define INLINE static inline __attribute__((always_inline, unused))
#endif

/* Stands before a loop of constant length. The compiler unrolls the loop, so its arrays can be in
 * registers. */
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define UNROLLED _Pragma("unroll")
#elif defined(__CUDACC__)
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 32")
#endif

#if defined(SCIARA_LANES)

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm__)
#include <wasm_simd128.h>
#endif
/* Only the numbers of lanes that the program uses are accepted. Other numbers would compile, but give wrong bits. On
 * x86-64 NATIVE(operation) is the instruction for a vector of type `native`. */
#if SCIARA_LANES == 8 && defined(__AVX512F__) && defined(__AVX512DQ__)
#define VECTORS_AVX512    1
#define NATIVE(operation) _mm512_##operation
typedef __m512d native;
#elif SCIARA_LANES == 4 && defined(__AVX2__) && defined(__FMA__)
#define VECTORS_AVX2      1
#define NATIVE(operation) _mm256_##operation
typedef __m256d native;
#elif SCIARA_LANES != 2
#error "SCIARA_LANES is 2, 4 with AVX2 and FMA, or 8 with AVX-512 F and DQ"
#elif defined(__x86_64__)
#define VECTORS_SSE2      1
#define NATIVE(operation) _mm_##operation
typedef __m128d native;
#endif
#if (defined(VECTORS_SSE2) && !defined(__FMA__)) || defined(__wasm__)
#define FUSED_COMPOSED 1
#endif

typedef double real __attribute__((vector_size(8 * SCIARA_LANES)));
typedef int64_t ints __attribute__((vector_size(8 * SCIARA_LANES)));
typedef uint64_t ints_unsigned __attribute__((vector_size(8 * SCIARA_LANES)));
typedef ints mask;
typedef ints tally;

INLINE real broadcast(double x)
{
    return (real){0} + x;
}
INLINE ints bits_of(real x)
{
    return (ints)x;
}
INLINE real real_of(ints x)
{
    return (real)x;
}
INLINE real select_lanes(mask m, real a, real b)
{
    return (real)((m & (ints)a) | (~m & (ints)b));
}
INLINE ints where(mask m, ints n)
{
    return m & n;
}
INLINE mask mask_not(mask m)
{
    return ~m;
}

#else

typedef double real;
typedef int64_t ints;
typedef uint64_t ints_unsigned;
typedef bool mask;
typedef int tally;

INLINE real broadcast(double x)
{
    return x;
}
INLINE ints bits_of(real x)
{
    ints i;
    memcpy(&i, &x, sizeof i);
    return i;
}
INLINE real real_of(ints i)
{
    real x;
    memcpy(&x, &i, sizeof x);
    return x;
}
INLINE real select_lanes(mask m, real a, real b)
{
    return m ? a : b;
}
INLINE ints where(mask m, ints n)
{
    return m ? n : 0;
}
INLINE mask mask_not(mask m)
{
    return !m;
}

#endif

INLINE ints shift_right(ints x, int n)
{
    return (ints)((ints_unsigned)x >> n);
}
INLINE ints shift_left(ints x, int n)
{
    return (ints)((ints_unsigned)x << n);
}

INLINE real magnitude(real x)
{
#if defined(__CUDA_ARCH__)
    return fabs(x);
#else
    return real_of(bits_of(x) & INT64_MAX);
#endif
}
/* On a GPU, positive() and negative() compare integers, because integer units are idle while FP64 units are busy. */
INLINE mask positive(real x)
{
#if defined(__CUDA_ARCH__)
    return __double2hiint(x) > 0;
#else
    return x > 0.0;
#endif
}
INLINE mask negative(real x)
{
#if defined(__CUDA_ARCH__)
    return __double2hiint(x) < 0;
#else
    return x < 0.0;
#endif
}

#if defined(NATIVE)
INLINE real higher(real a, real b)
{
    return (real)NATIVE(max_pd)((native)a, (native)b);
}
INLINE real lower(real a, real b)
{
    return (real)NATIVE(min_pd)((native)a, (native)b);
}
#else
INLINE real higher(real a, real b)
{
    return select_lanes(a > b, a, b);
}
INLINE real lower(real a, real b)
{
    return select_lanes(a < b, a, b);
}
#endif

INLINE int any_lane(mask m)
{
#if defined(VECTORS_AVX512)
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m);
#elif defined(NATIVE)
    return NATIVE(movemask_pd)((native)m);
#elif !defined(SCIARA_LANES)
    return m;
#elif defined(__wasm__)
    return wasm_v128_any_true((v128_t)m);
#else
    return (m[0] | m[1]) != 0;
#endif
}

#if defined(FUSED_COMPOSED)

/* a + b exactly, as their sum and its rounding error (Knuth). */
INLINE real two_sum(real a, real b, real *error)
{
    real sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}
/* a with its significand rounded to 26 bits. The rest of a then has 26 bits and a sign. */
INLINE real high_half(real a)
{
    return real_of((bits_of(a) + (1LL << 26)) & -(1LL << 27));
}
/* The exact difference between a b and its rounded product (T. J. Dekker, Numerische Mathematik 18 (1971) 224-242). The
 * products here are far from the ends of the range of doubles. */
INLINE real rest_of_product(real a, real b, real product)
{
    real a1 = high_half(a), a2 = a - a1, b1 = high_half(b), b2 = b - b1;
    return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

/* Computes fused() for all numbers. Rounds the sum of three numbers only once, because a partial sum is first
 * rounded to odd (S. Boldo, G. Melquiond, IEEE Transactions on Computers 57 (2008) 462-471). */
static __attribute__((noinline, cold, unused)) real fused_to_odd(real a, real b, real c)
{
    real product = a * b, low, rest, lost;
    real sum = two_sum(product, two_sum(c, rest_of_product(a, b, product), &low), &rest);
    real odd = two_sum(low, rest, &lost);
    ints inwards = (odd > 0.0) ^ (lost > 0.0), even = (bits_of(odd) & 1) - 1;
    ints next = (inwards | 1) & even & ((lost > 0.0) | (lost < 0.0)); /* 1, -1 or 0 */
    return sum + real_of(bits_of(odd) + next);
}

/* True where sum + error may lie half-way between sum and a second double. There the sum with a slightly larger error
 * rounds to the second double. False for numbers that are not finite, because lanes with unused results need no
 * care. */
INLINE mask may_be_tie(real sum, real error)
{
    real past = sum + error * (1.0 + 0x1p-40);
    return magnitude(past - sum) > 0.0;
}

/* Calls fused_to_odd() only in rare cases. a b + c is exactly sum + error + rest, where `rest` is the rest of the
 * product. First, error + rest is rounded to t. Then sum + t is rounded to `result`. Let d be half the last place
 * of `result`, and r the exact value of |sum + t - result|. Unless r is 0, r and d are multiples of the last place of
 * t. If r is d, sum + t is a tie. If r is not d, r is smaller than d by more than the first rounding changed, so the
 * two roundings act as one. If c and the product nearly cancel, error is 0 and t is exact. */
INLINE real fused(real a, real b, real c)
{
    real product = a * b, error, sum = two_sum(product, c, &error);
    real t = error + rest_of_product(a, b, product), result = sum + t;
    if (any_lane(may_be_tie(result, t - (result - sum)))) return fused_to_odd(a, b, c);
    return result;
}

/* Calls fused_to_odd() where the rest of the product could change the result. This rest is at most half of `least`.
 *
 * If |a b| <= |c|, `error` is exact. If both sum + error + least and sum + error - least round to sum, sum + error +
 * rest rounds to sum too. error + least and error - least may be rounded themselves. But the test detects an error of
 * d, half the last place of sum: |a b| >= d, so d + least is a double.
 *
 * If |a b| > |c|, |sum| < 2 |a b|, and half the last place of sum is less than `least`. So sum + error + least or sum +
 * error - least does not round to sum. */
INLINE real fused_small(real a, real b, real c)
{
    real product = a * b, sum = c + product, error = product - (sum - c);
    real least = magnitude(product) * 0x1p-52;
    real up = (sum + (error + least)) - sum, down = sum - (sum + (error - least));
    if (any_lane(higher(up, down) > 0.0)) return fused_to_odd(a, b, c);
    return sum;
}

/* c + product and the rest of the product are exact, so only their sum is rounded. */
INLINE real fused_rest(real a, real b, real c)
{
    real product = a * b;
    return (c + product) + rest_of_product(a, b, product);
}

/* Rounding keeps order, and y is a double. So the rounded square decides, unless it equals y. */
INLINE mask square_exceeds(real x, real y)
{
    real square = x * x;
    if (any_lane(square == y)) return fused_to_odd(x, x, -y) > 0.0;
    return square > y;
}

#else

INLINE real fused(real a, real b, real c)
{
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#elif defined(NATIVE)
    return (real)NATIVE(fmadd_pd)((native)a, (native)b, (native)c);
#elif defined(SCIARA_LANES)
    return (real){__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
#else
    return __builtin_fma(a, b, c);
#endif
}
INLINE real fused_small(real a, real b, real c)
{
    return fused(a, b, c);
}
INLINE real fused_rest(real a, real b, real c)
{
    return fused(a, b, c);
}
INLINE mask square_exceeds(real x, real y)
{
    return positive(fused(x, x, -y));
}
#endif

#if defined(SCIARA_LANES)
/* Whether n is not 0 in any lane. */
INLINE int any_bit(ints n)
{
#if defined(VECTORS_AVX512)
    return _mm512_test_epi64_mask((__m512i)n, (__m512i)n);
#elif defined(VECTORS_AVX2)
    return !_mm256_testz_si256((__m256i)n, (__m256i)n);
#else
    return any_lane(n != 0);
#endif
}

/* Bit i is 1 if m holds in lane i. */
INLINE int bits_where(mask m)
{
#if defined(__x86_64__)
    return any_lane(m);
#elif defined(__wasm__)
    return (int)wasm_i64x2_bitmask((v128_t)m);
#else
    return (int)((m[0] & 1) | (m[1] & 2));
#endif
}
#endif

#endif
