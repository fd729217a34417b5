/* philox.h — Philox4x32-10, a generator without a state. It computes four words from a counter of four words and a key
 * of two words (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3. Proc.
 * SC11, 2011, section 4.3). A number that a member draws depends on the seed, the member and the variable, but never on
 * earlier draws.
 *
 * The functions run on hosts and on devices. */
#pragma once

#include "model/lanes.h"

struct philox {
    uint32_t word[4];
};

INLINE struct philox philox4x32(struct philox counter, uint32_t key0, uint32_t key1)
{
    uint32_t *c = counter.word;
    for (int round = 0; round < 10; round++) {
        const uint64_t p = (uint64_t)0xd2511f53u * c[0], q = (uint64_t)0xcd9e8d57u * c[2];
        c[0] = (uint32_t)(q >> 32) ^ c[1] ^ key0;
        c[2] = (uint32_t)(p >> 32) ^ c[3] ^ key1;
        c[1] = (uint32_t)q;
        c[3] = (uint32_t)p;
        key0 += 0x9e3779b9u; /* the fractions of the golden ratio and of sqrt(3), times 2^32 */
        key1 += 0xbb67ae85u;
    }
    return counter;
}

/* The 64 bits at the position (i, j) of a stream, for a seed. */
INLINE uint64_t philox_bits(uint64_t seed, uint32_t stream, uint64_t i, uint32_t j)
{
    const struct philox counter = {{(uint32_t)i, (uint32_t)(i >> 32), j, stream}};
    const struct philox out = philox4x32(counter, (uint32_t)seed, (uint32_t)(seed >> 32));
    return (uint64_t)out.word[0] | (uint64_t)out.word[1] << 32;
}

/* Turns the highest 52 bits into a number u between 0 and 1: an odd multiple of 2^-53, never 0 or 1. 1 - u is exact,
 * so symmetric distributions stay symmetric. */
INLINE double philox_unit(uint64_t bits)
{
    return (double)(int64_t)(bits >> 12 << 1 | 1) * 0x1p-53;
}
