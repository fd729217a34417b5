/* lanes.h — what a `real` is.
 *
 * The physics is written once, over `real`. On the GPU, and wherever nothing else is asked for, a real
 * is one double. A file that defines SCIARA_LANES to 2, 4 or 8 before including this header gets a
 * vector of that many doubles (GCC's vector extensions), and the same source computes that many cells
 * at once. Every operation used is exactly rounded by IEEE 754 in each lane, so the bits are the same.
 *
 *   real   one double, or several           ints   64-bit integers, as many
 *   mask   result of a comparison           pick(m, a, b)   a where m holds, else b
 *   one_where(m)  1 where m holds, else 0
 *   some(m)  whether m holds in any lane    all_of(x)       x in every lane
 */
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
HD ints one_where(mask m) { return -m; }

#if SCIARA_LANES == 4 && defined(__AVX__)
#include <immintrin.h>
HD int some(mask m) { return _mm256_movemask_pd((__m256d)m); }
#elif SCIARA_LANES == 8 && defined(__AVX512F__)
#include <immintrin.h>
HD int some(mask m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m); }
#elif SCIARA_LANES == 2 && defined(__SSE2__)
#include <emmintrin.h>
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
HD ints one_where(mask m) { return m; }
HD int some(mask m) { return m; }

#endif
#endif
