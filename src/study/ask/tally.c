#include "tally.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = STATISTICS_HALF, LOWER = (1 << STATISTICS_HALF) - 1, FRESH = 2 };

/* Classes of which one may have been counted. */
struct span {
    int first, end;
};

struct tally {
    struct statistics *s;
    int cols, classes;               /* classes of thickness and, behind these, of arrival */
    uint32_t first;                  /* place of the first cell of the tile */
    int width;                       /* of it */
    int weight;                      /* of all members in it, without signs */
    struct span class[2];            /* of thickness, of arrival */
    unsigned char came[BLOCK_CELLS]; /* 1, or FRESH: has had no counters */
    int64_t sum[BLOCK_CELLS][2];     /* weight times upper and lower half of thickness_q */
    int32_t count[];                 /* of each cell: by class of thickness, by class of arrival */
};

struct tally *tally_create(struct statistics *s, int cols)
{
    const int classes = s->thickness_classes + s->arrival_classes;
    struct tally *t = calloc(1, sizeof *t + (size_t)classes * BLOCK_CELLS * sizeof *t->count);
    if (t) {
        t->s = s;
        t->cols = cols;
        t->classes = classes;
    }
    return t;
}

void tally_free(struct tally *t)
{
    free(t);
}

/* ---- into the statistics --------------------------------------------------------------------- */

static uint32_t place_of(const struct tally *t, int cell)
{
    return t->first + (uint32_t)(cell / BLOCK_SIDE) * (uint32_t)t->cols +
           (uint32_t)(cell % BLOCK_SIDE);
}

/* Returns the sum of what was counted. fresh: all of *to is 0, which is not read: a page of memory that is read
 * first is given twice, of zeros and of its own. */
static uint64_t flush_span(uint64_t *restrict to, int32_t *restrict count, struct span class,
                           bool fresh)
{
    uint64_t sum = 0;
    for (int k = class.first; k < class.end; k++) sum += (uint64_t)count[k];
    if (fresh)
        for (int k = class.first; k < class.end; k++) to[k] = (uint64_t)count[k];
    else
        for (int k = class.first; k < class.end; k++) to[k] += (uint64_t)count[k]; /* (2^64) */
    memset(count + class.first, 0, (size_t)(class.end - class.first) * sizeof *count);
    return sum;
}

static void flush_cell(struct tally *t, int cell)
{
    const struct statistics *s = t->s;
    const bool fresh = t->came[cell] == FRESH;
    int32_t *count = t->count + (size_t)cell * (size_t)t->classes;
    uint64_t *c = statistics_open(t->s, place_of(t, cell), NULL); /* (has counters) */
    const uint64_t came = flush_span(c, count, t->class[0], fresh);
    flush_span(c + s->thickness_classes, count + s->thickness_classes, t->class[1], fresh);
    c[s->stride] = came + (fresh ? 0 : c[s->stride]);
    for (int k = 0; k < 2; k++) c[t->classes + k] += (uint64_t)t->sum[cell][k];
    memset(t->sum[cell], 0, sizeof t->sum[cell]);
    t->came[cell] = 0;
}

static int open_cell(struct tally *t, int cell, struct error *e)
{
    const uint32_t place = place_of(t, cell);
    if (!statistics_at(t->s, place)) t->came[cell] = FRESH;
    return statistics_open(t->s, place, e) ? 0 : ERROR_INPUT;
}

int tally_flush(struct tally *t, struct error *e)
{
    int status = 0;
#pragma omp critical(counters)
    for (int cell = 0; !status && cell < BLOCK_CELLS; cell++)
        if (t->came[cell]) status = open_cell(t, cell, e);
    for (int cell = 0; !status && cell < BLOCK_CELLS; cell++)
        if (t->came[cell]) flush_cell(t, cell);
    t->weight = 0;
    for (int k = 0; k < 2; k++) t->class[k] = (struct span){INT_MAX, 0};
    return status;
}

static int begin_tile(struct tally *t, uint32_t place, int weight, struct error *e)
{
    const uint32_t cols = (uint32_t)t->cols, row = place / cols, col = place % cols;
    const uint32_t first = row / BLOCK_SIDE * BLOCK_SIDE * cols + col / BLOCK_SIDE * BLOCK_SIDE;
    const bool same = first == t->first && t->weight && t->weight <= INT_MAX - abs(weight);
    const int status = same ? 0 : tally_flush(t, e),
              left = t->cols - (int)(col / BLOCK_SIDE * BLOCK_SIDE);
    t->first = first;
    t->width = left < BLOCK_SIDE ? left : BLOCK_SIDE;
    t->weight += abs(weight);
    return status;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void widen(struct span *s, int first, int last)
{
    if (first < s->first) s->first = first;
    if (last >= s->end) s->end = last + 1;
}

/* What a cell is counted in, in variables of a loop. */
struct counters {
    int32_t *count;
    int64_t (*sum)[2];
    unsigned char *came;
    size_t classes, arrival;
};

static struct counters counters_of(struct tally *t)
{
    return (struct counters){t->count, t->sum, t->came, (size_t)t->classes,
                             (size_t)t->s->thickness_classes};
}

static inline void count_cell(const struct counters *t, int weight, size_t cell, uint32_t thickness,
                              uint32_t arrival, uint32_t q)
{
    int32_t *c = t->count + cell * t->classes;
    c[thickness] += weight;
    c[t->arrival + arrival] += weight;
    t->sum[cell][0] += (int64_t)weight * (q >> HALF);
    t->sum[cell][1] += (int64_t)weight * (q & LOWER);
    t->came[cell] = 1;
}

int tally_add(struct tally *t, int weight, const struct reached *reached, int count,
              struct error *e)
{
    if (!count) return 0;
    const struct counters to = counters_of(t);
    const int status = begin_tile(t, reached->place, weight, e);
    uint32_t row = t->first;
    int begin = 0; /* the first cell of the row */
    for (int i = 0; !status && i < count; i++) {
        for (; reached[i].place - row >= (uint32_t)t->width; row += (uint32_t)t->cols)
            begin += BLOCK_SIDE;
        widen(&t->class[0], reached[i].thickness_class, reached[i].thickness_class);
        widen(&t->class[1], reached[i].arrival_class, reached[i].arrival_class);
        count_cell(&to, weight, (size_t)begin + (reached[i].place - row),
                   reached[i].thickness_class, reached[i].arrival_class, reached[i].thickness_q);
    }
    return status;
}

int tally_add_block(struct tally *t, int weight, uint32_t place, const struct block *b,
                    const uint32_t *floor, struct error *e)
{
    const struct block_column_reader thickness = block_column(b, BLOCK_THICKNESS),
                                     arrival = block_column(b, BLOCK_ARRIVAL),
                                     more = block_column(b, BLOCK_MORE);
    const struct counters to = counters_of(t);
    const int status = begin_tile(t, place, weight, e);
    if (status) return status;
    widen(&t->class[0], (int)thickness.least, (int)block_most(b, BLOCK_THICKNESS));
    widen(&t->class[1], (int)arrival.least, (int)block_most(b, BLOCK_ARRIVAL));
    for (int i = 0; i < b->count; i++) {
        const uint32_t class = block_value(&thickness, i);
        count_cell(&to, weight, b->at[i], class, block_value(&arrival, i),
                   floor[class] + block_value(&more, i));
    }
    return 0;
}
