#include "library_block.h"

#include <string.h>
#include <zlib.h>

static void put_32(unsigned char *out, uint32_t x)
{
    for (int i = 0; i < 4; i++) out[i] = (unsigned char)(x >> 8 * i);
}

static uint32_t get_32(const unsigned char *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static uint32_t sum_of(int64_t key, const unsigned char *blob, size_t size)
{
    unsigned char first[8];
    put_32(first, (uint32_t)key);
    put_32(first + 4, (uint32_t)(key >> 32));
    return (uint32_t)crc32(crc32(0, first, sizeof first), blob + 4, (uInt)(size - 4));
}

static size_t column_bytes(int count, int bits)
{
    return ((size_t)count * (size_t)bits + 7) / 8;
}

/* ---- writing --------------------------------------------------------------------------------- */

static unsigned char *put_column(unsigned char *out, unsigned char *head,
                                 const uint32_t (*value)[BLOCK_COLUMNS], int column, int count)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (int i = 0; i < count; i++) {
        if (value[i][column] < least) least = value[i][column];
        if (value[i][column] > most) most = value[i][column];
    }
    int bits = 0;
    while ((uint64_t)(most - least) >> bits) bits++;
    put_32(head, least);
    head[4] = (unsigned char)bits;
    memset(out, 0, column_bytes(count, bits) + BLOCK_PAD);
    for (int i = 0; i < count; i++) {
        const size_t bit = (size_t)i * (size_t)bits;
        const uint64_t x = (uint64_t)(value[i][column] - least) << bit % 8;
        for (int k = 0; x >> 8 * k; k++) out[bit / 8 + (size_t)k] |= (unsigned char)(x >> 8 * k);
    }
    return out + column_bytes(count, bits);
}

size_t block_pack(unsigned char *out, int64_t key, const uint16_t *at,
                  const uint32_t (*value)[BLOCK_COLUMNS], int count)
{
    const int first = at[0] / BLOCK_SIDE, rows = at[count - 1] / BLOCK_SIDE - first + 1;
    unsigned char *next = out + BLOCK_HEAD + 4 * rows;
    out[BLOCK_ROWS_AT] = (unsigned char)first;
    out[BLOCK_ROWS_AT + 1] = (unsigned char)rows;
    memset(out + BLOCK_HEAD, 0, 4 * (size_t)rows);
    for (int i = 0; i < count; i++) {
        const int bit = at[i] - first * BLOCK_SIDE;
        out[BLOCK_HEAD + bit / 8] |= (unsigned char)(1 << bit % 8);
    }
    for (int k = 0; k < BLOCK_COLUMNS; k++)
        next = put_column(next, out + 4 + 5 * k, value, k, count);
    const size_t size = (size_t)(next - out) + BLOCK_PAD;
    put_32(out, sum_of(key, out, size));
    return size;
}

/* ---- reading --------------------------------------------------------------------------------- */

bool block_move(unsigned char *blob, size_t size, int64_t from, int64_t to)
{
    if (size < BLOCK_HEAD + BLOCK_PAD || get_32(blob) != sum_of(from, blob, size)) return false;
    put_32(blob, sum_of(to, blob, size));
    return true;
}

bool block_open(struct block *b, int64_t key, const unsigned char *blob, size_t size)
{
    b->count = 0;
    if (size < BLOCK_HEAD + BLOCK_PAD || size > BLOCK_BYTES_MAX ||
        get_32(blob) != sum_of(key, blob, size))
        return false;
    const int first = blob[BLOCK_ROWS_AT], rows = blob[BLOCK_ROWS_AT + 1];
    size_t used = BLOCK_HEAD + 4 * (size_t)rows;
    if (first + rows > BLOCK_SIDE || used > size) return false;
    b->row0 = first;
    b->rows = rows;
    for (int row = 0; row < rows; row++)
        for (uint32_t left = b->lava[row] = get_32(blob + BLOCK_HEAD + 4 * row); left;
             left &= left - 1)
            b->at[b->count++] =
                /* A builtin of GCC and clang: the position of the lowest bit that is set. */
                (uint16_t)((first + row) * BLOCK_SIDE + __builtin_ctz(left));
    for (int k = 0; k < BLOCK_COLUMNS; k++) {
        b->least[k] = get_32(blob + 4 + 5 * k);
        b->bits[k] = blob[8 + 5 * k];
        b->column[k] = blob + used;
        used += column_bytes(b->count, b->bits[k]);
        if (b->bits[k] > 32 || used > size) return false;
    }
    return used + BLOCK_PAD == size;
}
