/* mix64.h — the function by which all digests mix a word. It is a bijection of 64-bit words: two rounds of xor-shift
 * and multiplication by an odd number, and a third xor-shift. Each input bit changes about half of the output bits.
 * Host and devices compute it. */
#pragma once

#include <stdint.h>

#if defined(__CUDACC__)
__host__ __device__
#endif
    static inline uint64_t
    mix64(uint64_t x)
{
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 29)) * UINT64_C(0xa0761d6478bd642f);
    return x ^ (x >> 32);
}

/* Adds a word to the digest of a sequence; on the host. */
static inline void mix64_add(uint64_t *digest, uint64_t word)
{
    *digest = mix64((*digest ^ word) + UINT64_C(0x9e3779b97f4a7c15));
}
