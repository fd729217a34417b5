/* lanes.h — the type `real`: one double, or several.
 *
 * The physics is written once, over `real`. On the GPU, and by default, a real is one double. A
 * file that defines SCIARA_LANES to 2, 4 or 8 before including this header gets a vector of that
 * many doubles (GCC's vector extensions), and the same source computes that many cells at once.
 * IEEE 754 rounds every operation used correctly in each lane, so the bits are the same.
 *
 *   real   one double, or several          ints    64-bit integers, as many
 *   mask   result of a comparison          tally   a small count, 0 to 9
 *
 *   select(m, a, b)  a where m holds, else b          any_lane(m)    whether m holds in any lane
 *   where(m, n)      n where m holds, else 0          mask_not(m)    where m does not
 *   fused(a, b, c)   a b + c rounded once             broadcast(x)   x in every lane
 *   higher(a, b), lower(a, b)  of finite numbers      magnitude(x)   |x|
 *   positive(x), negative(x)   of +0 or a normal number
 *
 * fused() is the only fused multiply-add: a compiler may make none of its own. Every GPU, Arm and
 * x86-64 processor with AVX2 has it as one instruction; on older ones it is composed of others. */
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

/* Before a loop of constant length whose arrays should be in registers. */
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define UNROLLED _Pragma("unroll")
#elif defined(__CUDACC__)
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 32")
#endif

#if defined(SCIARA_LANES)

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double real __attribute__((vector_size(8 * SCIARA_LANES)));
typedef int64_t ints __attribute__((vector_size(8 * SCIARA_LANES)));
typedef uint64_t ints_unsigned __attribute__((vector_size(8 * SCIARA_LANES)));
typedef ints mask;

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
INLINE real magnitude(real x)
{
    return (real)((ints)x & INT64_MAX);
}
INLINE ints shift_right(ints x, int n)
{
    return (ints)((ints_unsigned)x >> n);
}
INLINE ints shift_left(ints x, int n)
{
    return (ints)((ints_unsigned)x << n);
}
INLINE real select(mask m, real a, real b)
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
typedef ints tally;
INLINE mask positive(real x)
{
    return x > 0.0;
}
INLINE mask negative(real x)
{
    return x < 0.0;
}

#if SCIARA_LANES == 8 && defined(__AVX512F__) && defined(__AVX512DQ__)
#define VECTORS_AVX512 1
#endif

#if defined(VECTORS_AVX512)
INLINE real higher(real a, real b)
{
    return (real)_mm512_max_pd((__m512d)a, (__m512d)b);
}
INLINE real lower(real a, real b)
{
    return (real)_mm512_min_pd((__m512d)a, (__m512d)b);
}
#elif SCIARA_LANES == 4 && defined(__AVX__)
INLINE real higher(real a, real b)
{
    return (real)_mm256_max_pd((__m256d)a, (__m256d)b);
}
INLINE real lower(real a, real b)
{
    return (real)_mm256_min_pd((__m256d)a, (__m256d)b);
}
#elif SCIARA_LANES == 2 && defined(__SSE2__)
INLINE real higher(real a, real b)
{
    return (real)_mm_max_pd((__m128d)a, (__m128d)b);
}
INLINE real lower(real a, real b)
{
    return (real)_mm_min_pd((__m128d)a, (__m128d)b);
}
#else
INLINE real higher(real a, real b)
{
    return select(a > b, a, b);
}
INLINE real lower(real a, real b)
{
    return select(a < b, a, b);
}
#endif

#if defined(VECTORS_AVX512)
INLINE real fused(real a, real b, real c)
{
    return (real)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#elif SCIARA_LANES == 4 && defined(__FMA__)
INLINE real fused(real a, real b, real c)
{
    return (real)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#elif defined(__x86_64__) && !defined(__FMA__)

/* a + b exactly, as their sum and its rounding error (Knuth). */
INLINE real two_sum(real a, real b, real *error)
{
    real sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}
/* a in two halves of 26 bits (Veltkamp). */
INLINE real high_half(real a)
{
    real big = a * 134217729.0;
    return big - (big - a);
}
/* Processors from before 2013. The product exactly as a sum of two (Dekker), the sum of three
 * rounded once by way of a sum rounded to odd (S. Boldo, G. Melquiond, IEEE Transactions on
 * Computers 57 (2008) 462-471). The products here are far from the ends of the range of doubles. */
INLINE real fused(real a, real b, real c)
{
    real product = a * b, a1 = high_half(a), a2 = a - a1, b1 = high_half(b), b2 = b - b1, low, rest,
         lost;
    real product_low = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    real sum = two_sum(product, two_sum(c, product_low, &low), &rest);
    real odd = two_sum(low, rest, &lost);
    ints inwards = (odd > 0.0) ^ (lost > 0.0), even = (bits_of(odd) & 1) - 1;
    ints next = (inwards | 1) & even & ((lost > 0.0) | (lost < 0.0)); /* 1, -1 or 0 */
    return sum + real_of(bits_of(odd) + next);
}

#else
INLINE real fused(real a, real b, real c)
{
    real sum;
    for (int i = 0; i < SCIARA_LANES; i++) sum[i] = __builtin_fma(a[i], b[i], c[i]);
    return sum;
}
#endif

#if SCIARA_LANES == 4 && defined(__AVX__)
INLINE int any_lane(mask m)
{
    return _mm256_movemask_pd((__m256d)m);
}
#elif defined(VECTORS_AVX512)
INLINE int any_lane(mask m)
{
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m);
}
#elif SCIARA_LANES == 2 && defined(__SSE2__)
INLINE int any_lane(mask m)
{
    return _mm_movemask_pd((__m128d)m);
}
#else
INLINE int any_lane(mask m)
{
    int64_t all = 0;
    for (int i = 0; i < SCIARA_LANES; i++) all |= m[i];
    return all != 0;
}
#endif

/* Whether n is not 0 in any lane. */
INLINE int any_bit(ints n)
{
#if defined(VECTORS_AVX512)
    return _mm512_test_epi64_mask((__m512i)n, (__m512i)n);
#elif SCIARA_LANES == 4 && defined(__AVX__)
    return !_mm256_testz_si256((__m256i)n, (__m256i)n);
#else
    return any_lane(n != 0);
#endif
}

/* Where m holds, a bit for each lane. */
INLINE int bits_where(mask m)
{
#if defined(__SSE2__)
    return any_lane(m);
#else
    int bits = 0;
    for (int i = 0; i < SCIARA_LANES; i++) bits |= (int)(m[i] & 1) << i;
    return bits;
#endif
}

#else

typedef double real;
typedef int64_t ints;
typedef bool mask;

INLINE real broadcast(double x)
{
    return x;
}
INLINE ints bits_of(real x)
{
#if defined(__CUDA_ARCH__)
    return __double_as_longlong(x);
#else
    ints i;
    memcpy(&i, &x, sizeof i);
    return i;
#endif
}
INLINE real real_of(ints i)
{
#if defined(__CUDA_ARCH__)
    return __longlong_as_double(i);
#else
    real x;
    memcpy(&x, &i, sizeof x);
    return x;
#endif
}
#if defined(__CUDA_ARCH__)
INLINE real magnitude(real x)
{
    return fabs(x);
}
#else
INLINE real magnitude(real x)
{
    return real_of(bits_of(x) & INT64_MAX);
}
#endif
INLINE ints shift_right(ints x, int n)
{
    return (ints)((uint64_t)x >> n);
}
INLINE ints shift_left(ints x, int n)
{
    return (ints)((uint64_t)x << n);
}
INLINE real select(mask m, real a, real b)
{
    return m ? a : b;
}
INLINE real higher(real a, real b)
{
    return a > b ? a : b;
}
INLINE real lower(real a, real b)
{
    return a < b ? a : b;
}
INLINE ints where(mask m, ints n)
{
    return m ? n : 0;
}
INLINE mask mask_not(mask m)
{
    return !m;
}
INLINE int any_lane(mask m)
{
    return m;
}

typedef int tally;
#if defined(__CUDA_ARCH__)
INLINE mask positive(real x)
{
    return __double2hiint(x) > 0;
} /* integers are idle, FP64 is not */
INLINE mask negative(real x)
{
    return __double2hiint(x) < 0;
}
INLINE real fused(real a, real b, real c)
{
    return __fma_rn(a, b, c);
}
#else
INLINE mask positive(real x)
{
    return x > 0.0;
}
INLINE mask negative(real x)
{
    return x < 0.0;
}
INLINE real fused(real a, real b, real c)
{
    return __builtin_fma(a, b, c);
}
#endif

#endif

#endif
