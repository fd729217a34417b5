/* members.h — sets of the nine cells of a neighbourhood, and numbers that need not be exact.
 *
 *   approx       a real; on a GPU a float, which is cheaper
 *   membership   a set of numbers k from 0 to 8; MEMBERS_NONE; membership_count(who)
 *   admit(k, x, value, &sum, who)   where x < 0, adds k to who, and value * ADMIT_UNIT to the sum
 *   admitted(k, x, who), approx_admitted(k, x, who)   where x < 0, adds k to who; x not -0
 *
 * Calls for k = 0, 1, ... 8, in this order, build a membership. */
#ifndef SCIARA_MEMBERS_H
#define SCIARA_MEMBERS_H

#include "lattice.h"

#if defined(__CUDA_ARCH__) || defined(SCIARA_EMULATOR) || defined(SCIARA_APPROX_FLOAT)

#include <math.h>
typedef float approx;
#define approx_higher    fmaxf
#define approx_lower     fminf
#define approx_magnitude fabsf

#else

typedef real approx;
#define approx_higher    higher
#define approx_lower     lower
#define approx_magnitude magnitude

#endif

INLINE approx approx_of(real x)
{
    return (approx)x;
}

#if defined(__CUDA_ARCH__)

/* One bit for each k. Each call shifts the sign bit of x into the set. */
typedef unsigned membership;
#define MEMBERS_NONE 0u
#define ADMIT_UNIT   0x1p-7
INLINE membership admitted(int, real x, membership who)
{
    return __funnelshift_l((unsigned)__double2hiint(x), who, 1);
}
INLINE membership admit(int, approx x, real value, real *sum, membership who)
{
    float one; /* 1 or 0. One instruction sets it; selecting a sum would take two. The bits of 1.0f
                  are 0x3f800000. As the high word of a double, these bits are 2^-7 = ADMIT_UNIT */
    asm("set.lt.f32.f32 %0, %1, 0f00000000;" : "=f"(one) : "f"(x));
    *sum = fused(value, __hiloint2double(__float_as_int(one), 0), *sum);
    return __funnelshift_l((unsigned)__float_as_int(x), who, 1);
}
INLINE membership approx_admitted(int, approx x, membership who)
{
    return __funnelshift_l((unsigned)__float_as_int(x), who, 1);
}
INLINE tally membership_count(membership who)
{
    return __popc(who);
}

#else

/* One bit for each k. The bits from bit 32 on are the number of members. */
typedef ints membership;
#define MEMBERS_NONE ((membership){0})
#define ADMIT_UNIT   1.0
INLINE membership admitted(int k, real x, membership who)
{
#if defined(SCIARA_LANES)
    return who + ((x < 0.0) & (1LL << 32 | 1LL << k));
#else
    return x < 0.0 ? who + (1LL << 32 | 1LL << k) : who;
#endif
}
INLINE membership admit(int k, approx x, real value, real *sum, membership who)
{
    *sum += select_lanes(x < 0.0, value, broadcast(0.0));
    return admitted(k, x, who);
}
INLINE membership approx_admitted(int k, approx x, membership who)
{
    return admitted(k, x, who);
}
INLINE tally membership_count(membership who)
{
    return (tally)shift_right(who, 32);
}

#endif

#endif
