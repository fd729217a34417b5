/* library_block.h — arrival and thickness of a member's lava in a tile of cells, as a blob of a library (library.h).
 * The bytes are, in this order:
 *
 *     4 bytes                    the CRC-32 of the blob's key (8 bytes) and of what follows
 *     for each column: 4         the least value
 *                      1         how many bits a value takes
 *     1                          the first row of the tile with lava
 *     1                          how many rows the blob has
 *     4, for each of these rows  a bit for each cell, the western one lowest, set where lava came
 *     the columns                for each cell with lava, row by row, its value less the least
 *                                value; each column begins at a whole byte
 *     7                          zeros, so that eight bytes can be read at any value
 *
 * Numbers begin with their lowest byte, and bytes with their lowest bit. */
#pragma once

#include "statistics.h"

enum { BLOCK_SIDE = 32, BLOCK_CELLS = BLOCK_SIDE * BLOCK_SIDE };
enum block_column {
    BLOCK_ARRIVAL,   /* class of arrival */
    BLOCK_THICKNESS, /* class of greatest thickness */
    BLOCK_MORE,      /* greatest thickness minus block_floor(), in 1/1024 m, rounded */
    BLOCK_END,       /* class of the thickness at the end, rounded to 1/1024 m */
    BLOCK_COLUMNS
};
enum {
    BLOCK_ROWS_AT = 4 + 5 * BLOCK_COLUMNS,
    BLOCK_HEAD = BLOCK_ROWS_AT + 2,
    BLOCK_PAD = 7,
    BLOCK_BYTES_MAX = BLOCK_HEAD + 4 * BLOCK_SIDE + 4 * BLOCK_COLUMNS * BLOCK_CELLS + BLOCK_PAD
};

/* The lower end of a class of thickness, in 1/1024 m. */
static inline uint32_t block_floor(const struct axis *thickness_m, int class)
{
    return statistics_thickness(axis_low(thickness_m, class));
}

/* Packs a blob. key: the key of its row in the library. at[i]: the cell in the tile, row * 32 + column, increasing.
 * Returns the number of bytes written to out[BLOCK_BYTES_MAX]. 0 < count <= BLOCK_CELLS. */
size_t block_pack(unsigned char *out, int64_t key, const uint16_t *at,
                  const uint32_t (*value)[BLOCK_COLUMNS], int count);

struct block {
    /* count: number of cells with lava. row0, rows: first row and number of rows of the tile in the blob. */
    int count, row0, rows;
    uint32_t lava[BLOCK_SIDE]; /* for each row, a bit for each cell */
    uint16_t at[BLOCK_CELLS];
    /* Columns within the blob, which has to outlive the struct. */
    const unsigned char *column[BLOCK_COLUMNS];
    uint32_t least[BLOCK_COLUMNS];
    int bits[BLOCK_COLUMNS];
};

/* Replaces the checksum of a blob for the key `from` by the checksum for the key `to`. False: the blob is damaged. */
bool block_move(unsigned char *blob, size_t size, int64_t from, int64_t to);

/* Opens a blob. False: the blob is damaged. */
bool block_open(struct block *b, int64_t key, const unsigned char *blob, size_t size);

/* Reads eight bytes. Compilers turn this expression, but not a loop over bytes, into one load. */
static inline uint64_t block_word(const unsigned char *in)
{
    return (uint64_t)in[0] | (uint64_t)in[1] << 8 | (uint64_t)in[2] << 16 | (uint64_t)in[3] << 24 |
           (uint64_t)in[4] << 32 | (uint64_t)in[5] << 40 | (uint64_t)in[6] << 48 |
           (uint64_t)in[7] << 56;
}

/* The fields that block_value() reads. They are a copy, so compilers can keep them in registers. */
struct block_column_reader {
    const unsigned char *column;
    uint64_t ones;
    uint32_t least;
    int bits;
};

static inline struct block_column_reader block_column(const struct block *b, enum block_column k)
{
    return (struct block_column_reader){b->column[k], (UINT64_C(1) << b->bits[k]) - 1, b->least[k],
                                        b->bits[k]};
}

static inline uint32_t block_value(const struct block_column_reader *r, int i)
{
    const size_t bit = (size_t)i * (size_t)r->bits;
    return r->least + (uint32_t)(block_word(r->column + bit / 8) >> bit % 8 & r->ones);
}

/* Reads a column into value[b->count]. */
static inline void block_values(uint32_t *restrict value, const struct block *b,
                                enum block_column column)
{
    const struct block_column_reader r = block_column(b, column);
    for (int i = 0; i < b->count; i++) value[i] = block_value(&r, i);
}

/* An upper bound of the values in the column. */
static inline uint64_t block_most(const struct block *b, enum block_column k)
{
    return b->least[k] + ((UINT64_C(1) << b->bits[k]) - 1);
}
