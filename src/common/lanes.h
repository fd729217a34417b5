/* lanes.h — what a `real` is.
 *
 * The physics is written once, over `real`. On the GPU, and wherever nothing else is asked for, a real
 * is one double. A file that defines SCIARA_LANES to 2, 4 or 8 before including this header gets a
 * vector of that many doubles (GCC's vector extensions), and the same source computes that many cells
 * at once. Every operation used is exactly rounded by IEEE 754 in each lane, so the bits are the same.
 *
 *   real   one double, or several           ints   64-bit integers, as many
 *   mask   result of a comparison           pick(m, a, b)   a where m holds, else b
 *   tally  a small count, 0 to 9            one_where(m)    1 where m holds, else 0
 *   some(m)  whether m holds in any lane    all_of(x)       x in every lane
 *   fused(a, b, c)  a b + c rounded once    positive(x)     x > 0, for x = 0 or normal
 *
 * fused() is the only fused multiply-add: a compiler may make none of its own. Every GPU, Arm and
 * x86-64 processor with AVX2 has it as one instruction; elsewhere the C library computes it. */
#ifndef SCIARA_LANES_H
#define SCIARA_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define HD static __host__ __device__ __forceinline__
#else
#define HD static inline __attribute__((always_inline, unused))
#endif

#if defined(SCIARA_LANES)

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double real __attribute__((vector_size(8 * SCIARA_LANES)));
typedef int64_t ints __attribute__((vector_size(8 * SCIARA_LANES)));
typedef uint64_t ints_unsigned __attribute__((vector_size(8 * SCIARA_LANES)));
typedef ints mask;

HD real all_of(double x) { return (real){0} + x; }
HD ints bits_of(real x) { return (ints)x; }
HD real real_of(ints x) { return (real)x; }
HD ints shift_right(ints x, int n) { return (ints)((ints_unsigned)x >> n); }
HD real pick(mask m, real a, real b) { return (real)((m & (ints)a) | (~m & (ints)b)); }
HD mask mask_not(mask m) { return ~m; }
typedef ints tally;
HD tally one_where(mask m) { return -m; }
HD mask positive(real x) { return x > 0.0; }

HD real fused(real a, real b, real c)
{
#if SCIARA_LANES == 4 && defined(__FMA__)
    return (real)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif SCIARA_LANES == 8 && defined(__AVX512F__)
    return (real)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
    real sum;
    for (int i = 0; i < SCIARA_LANES; i++) sum[i] = __builtin_fma(a[i], b[i], c[i]);
    return sum;
#endif
}

#if SCIARA_LANES == 4 && defined(__AVX__)
HD int some(mask m) { return _mm256_movemask_pd((__m256d)m); }
#elif SCIARA_LANES == 8 && defined(__AVX512F__)
HD int some(mask m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m); }
#elif SCIARA_LANES == 2 && defined(__SSE2__)
HD int some(mask m) { return _mm_movemask_pd((__m128d)m); }
#else
HD int some(mask m)
{
    int64_t any = 0;
    for (int i = 0; i < SCIARA_LANES; i++) any |= m[i];
    return any != 0;
}
#endif

#else

typedef double real;
typedef int64_t ints;
typedef int mask;

HD real all_of(double x) { return x; }
HD ints bits_of(real x)
{
#if defined(__CUDA_ARCH__)
    return __double_as_longlong(x);
#else
    ints i;
    memcpy(&i, &x, sizeof i);
    return i;
#endif
}
HD real real_of(ints i)
{
#if defined(__CUDA_ARCH__)
    return __longlong_as_double(i);
#else
    real x;
    memcpy(&x, &i, sizeof x);
    return x;
#endif
}
HD ints shift_right(ints x, int n) { return (ints)((uint64_t)x >> n); }
HD real pick(mask m, real a, real b) { return m ? a : b; }
HD mask mask_not(mask m) { return !m; }
HD int some(mask m) { return m; }

typedef int tally;
HD tally one_where(mask m) { return m; }
#if defined(__CUDA_ARCH__)
HD mask positive(real x) { return __double2hiint(x) > 0; } /* integers are idle, FP64 is not */
HD real fused(real a, real b, real c) { return __fma_rn(a, b, c); }
#else
HD mask positive(real x) { return x > 0.0; }
HD real fused(real a, real b, real c) { return __builtin_fma(a, b, c); }
#endif

#endif
#endif
