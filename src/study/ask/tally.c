#include "tally.h"

#include "ensemble/library_block.h"

#include <stdlib.h>
#include <string.h>

struct tally {
    struct statistics *s;
    uint64_t weight;
    int cols, classes; /* classes of thickness and of arrival */
    uint32_t first;    /* place of the first cell of the tile */
    int width;         /* of it */
    int members;
    unsigned char came[BLOCK_CELLS];
    uint64_t sum[BLOCK_CELLS]; /* upper halves of thickness_q, and below 2^32 lower ones */
    uint16_t count[];          /* of each cell: by class of thickness, by class of arrival */
};

enum { HALF = STATISTICS_HALF, LOWER = (1 << STATISTICS_HALF) - 1 };

struct tally *tally_create(struct statistics *s, int cols, uint64_t weight)
{
    const int classes = s->thickness_classes + s->arrival_classes;
    struct tally *t = calloc(1, sizeof *t + (size_t)classes * BLOCK_CELLS * sizeof *t->count);
    if (t) {
        t->s = s;
        t->weight = weight;
        t->cols = cols;
        t->classes = classes;
    }
    return t;
}

void tally_free(struct tally *t)
{
    free(t);
}

static uint32_t place_of(const struct tally *t, int cell)
{
    return t->first + (uint32_t)(cell / BLOCK_SIDE) * (uint32_t)t->cols +
           (uint32_t)(cell % BLOCK_SIDE);
}

static void flush_cell(struct tally *t, int cell)
{
    uint16_t *count = t->count + (size_t)cell * (size_t)t->classes;
    uint64_t *c = statistics_open(t->s, place_of(t, cell), NULL); /* (has counters) */
    for (int k = 0; k < t->classes; k++) c[k] += t->weight * count[k];
    c[t->classes] += t->weight * (t->sum[cell] >> 32);
    c[t->classes + 1] += t->weight * (uint32_t)t->sum[cell];
    statistics_read(t->s, c);
    memset(count, 0, (size_t)t->classes * sizeof *count);
    t->sum[cell] = 0;
    t->came[cell] = 0;
}

int tally_flush(struct tally *t, struct error *e)
{
    int status = 0;
#pragma omp critical(counters)
    for (int cell = 0; !status && cell < BLOCK_CELLS; cell++)
        if (t->came[cell] && !statistics_open(t->s, place_of(t, cell), e)) status = ERROR_INPUT;
    for (int cell = 0; !status && cell < BLOCK_CELLS; cell++)
        if (t->came[cell]) flush_cell(t, cell);
    t->members = 0;
    return status;
}

static int begin_tile(struct tally *t, uint32_t place, struct error *e)
{
    const uint32_t cols = (uint32_t)t->cols, row = place / cols, col = place % cols;
    const uint32_t first = row / BLOCK_SIDE * BLOCK_SIDE * cols + col / BLOCK_SIDE * BLOCK_SIDE;
    if (first == t->first && t->members && t->members < UINT16_MAX) return 0;
    const int status = tally_flush(t, e), left = t->cols - (int)(col / BLOCK_SIDE * BLOCK_SIDE);
    t->first = first;
    t->width = left < BLOCK_SIDE ? left : BLOCK_SIDE;
    return status;
}

int tally_add(struct tally *t, const struct reached *reached, int count, struct error *e)
{
    if (!count) return 0;
    const int status = begin_tile(t, reached->place, e);
    const int thickness = t->s->thickness_classes;
    uint32_t row = t->first;
    int begin = 0; /* the first cell of the row */
    for (int i = 0; !status && i < count; i++) {
        for (; reached[i].place - row >= (uint32_t)t->width; row += (uint32_t)t->cols)
            begin += BLOCK_SIDE;
        const int cell = begin + (int)(reached[i].place - row);
        const uint32_t q = reached[i].thickness_q;
        uint16_t *c = t->count + (size_t)cell * (size_t)t->classes;
        c[reached[i].thickness_class]++;
        c[thickness + reached[i].arrival_class]++;
        t->sum[cell] += (uint64_t)(q >> HALF) << 32 | (q & LOWER);
        t->came[cell] = 1;
    }
    t->members++;
    return status;
}
