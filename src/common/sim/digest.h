/* digest.h — the summands of the digest of a state (fields_digest), for the host and for devices. The digest is the sum
 * of digest_grid() and one summand for each cell. So cells may be added in any order. The summand of a cell depends on
 * its place. */
#pragma once

#include "base/mix64.h"
#include "model/lanes.h"

/* The fields of a cell, in the order of fields.h. */
enum digest_field {
    DIGEST_ELEVATION,
    DIGEST_THICKNESS,
    DIGEST_TEMP,
    DIGEST_SOLID,
    DIGEST_MAX_THICKNESS,
    DIGEST_MAX_TEMP,
    DIGEST_ARRIVAL,
    DIGEST_FIELDS
};

/* The bits of a number for comparison. Equal numbers have equal bits: -0.0 becomes 0.0. All NaN ("no data") become one
 * pattern, because machines make different patterns. */
INLINE uint64_t digest_bits(double x)
{
    uint64_t bits;
    x += 0.0; /* -0.0 + 0.0 is 0.0 */
    memcpy(&bits, &x, sizeof bits);
    return x != x ? UINT64_C(0x7ff8000000000000) : bits;
}

/* The hash of a cell's place in the domain. */
INLINE uint64_t digest_place(int row, int col)
{
    return mix64(((uint64_t)(unsigned)row << 32 | (uint64_t)(unsigned)col) +
                 UINT64_C(0x9e3779b97f4a7c15));
}

/* The digest of a domain of rows x cols cells without lava. */
INLINE uint64_t digest_grid(int rows, int cols)
{
    return digest_place(rows, cols);
}

INLINE uint64_t digest_of(uint64_t bits, int field, uint64_t place)
{
    return mix64((bits + ((uint64_t)(unsigned)field + 1) * UINT64_C(0xbf58476d1ce4e5b9)) ^ place);
}
