/* members.h — which of the nine cells of a neighbourhood take part in something, and numbers that need not be exact.
 *
 *   rough        a real; on a GPU a float, which is cheaper
 *   membership   some of the numbers k = 0 to 8; nobody; membership_count(who)
 *   admit(k, x, value, &sum, who)   who with k, and the value times ADMIT_UNIT in the sum, where x < 0
 *   admitted(k, x, who), rough_admitted(k, x, who)   who with k where x < 0; neither is -0
 *
 * A membership is made by calls for k = 0, 1, ... 8, in this order. */
#ifndef SCIARA_MEMBERS_H
#define SCIARA_MEMBERS_H

#include "lattice.h"

#if defined(__CUDA_ARCH__) || defined(SCIARA_EMULATOR) || defined(SCIARA_ROUGH_FLOAT)

#include <math.h>
typedef float rough;
HD rough rough_of(real x) { return (float)x; }
HD rough rough_higher(rough a, rough b) { return fmaxf(a, b); }
HD rough rough_lower(rough a, rough b) { return fminf(a, b); }
HD rough rough_size(rough x) { return fabsf(x); }

#else

typedef real rough;
HD rough rough_of(real x) { return x; }
HD rough rough_higher(rough a, rough b) { return higher(a, b); }
HD rough rough_lower(rough a, rough b) { return lower(a, b); }
HD rough rough_size(rough x) { return size_of(x); }

#endif

#if defined(__CUDA_ARCH__)

/* A bit each, shifted in from the sign of x. */
typedef unsigned membership;
#define nobody 0u
#define ADMIT_UNIT 0x1p-7
HD membership admitted(int, real x, membership who) { return __funnelshift_l((unsigned)__double2hiint(x), who, 1); }
HD membership admit(int, rough x, real value, real *sum, membership who)
{
    float one; /* or 0: one instruction, where picking a sum takes two; as the upper half of a double, 2^-7 */
    asm("set.lt.f32.f32 %0, %1, 0f00000000;" : "=f"(one) : "f"(x));
    *sum = fused(value, __hiloint2double(__float_as_int(one), 0), *sum);
    return __funnelshift_l((unsigned)__float_as_int(x), who, 1);
}
HD membership rough_admitted(int, rough x, membership who)
{
    return __funnelshift_l((unsigned)__float_as_int(x), who, 1);
}
HD tally membership_count(membership who) { return __popc(who); }

#else

/* A bit each, and from bit 32 on their count. */
typedef ints membership;
#define nobody ((membership){0})
#define ADMIT_UNIT 1.0
HD membership admitted(int k, real x, membership who)
{
#if defined(SCIARA_LANES)
    return who + ((x < 0.0) & (1LL << 32 | 1LL << k));
#else
    return x < 0.0 ? who + (1LL << 32 | 1LL << k) : who;
#endif
}
HD membership admit(int k, rough x, real value, real *sum, membership who)
{
    *sum += pick(x < 0.0, value, all_of(0.0));
    return admitted(k, x, who);
}
HD membership rough_admitted(int k, rough x, membership who) { return admitted(k, x, who); }
HD tally membership_count(membership who) { return (tally)shift_right(who, 32); }

#endif

#endif
