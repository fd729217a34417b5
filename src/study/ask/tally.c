#include "tally.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = STATISTICS_HALF, LOWER = (1 << STATISTICS_HALF) - 1, LITTLE = 1 << 8 };

/* Each cell of a tile has counters of its classes of thickness, and then of its classes of arrival. It also has two
 * sums over members. The upper sum is of weight times the upper half of the bits of thickness_q, the lower sum of
 * weight times the lower half. If the counters have 16 bits, sum[cell][0] is the upper sum times 2^32, plus the lower
 * sum. Both sums are below 2^26, because the sum of weights is below 2^15 and each half is below 2^11. */
struct tally {
    struct statistics *s;
    int cols, classes;                /* columns of the terrain; classes of thickness and arrival */
    uint32_t first;                   /* place of the first cell of the tile */
    int width;                        /* columns of the tile */
    int weight, weight_max;           /* sum of absolute weights; largest value of a counter */
    struct statistics_span span[2];   /* classes that may have counts: of thickness, of arrival */
    uint32_t came[BLOCK_SIDE];        /* a bit for each cell: lava came */
    unsigned char fresh[BLOCK_CELLS]; /* nonzero: the statistics had no counters for the cell yet */
    uint64_t sum[BLOCK_CELLS][2];     /* with counters of 16 bits, only sum[cell][0] is used */
    int16_t *little;                  /* counters of 16 bits; NULL: `count` is used */
    int32_t *count;                   /* counters of 32 bits; NULL: `little` is used */
};

struct tally *tally_create(struct statistics *s, int cols, int most)
{
    const int classes = s->thickness_classes + s->arrival_classes;
    const size_t counters = (size_t)classes * BLOCK_CELLS;
    struct tally *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->s = s;
    t->cols = cols;
    t->classes = classes;
    t->weight_max = most <= LITTLE ? INT16_MAX : INT_MAX;
    if (most <= LITTLE) t->little = calloc(counters, sizeof *t->little);
    else t->count = calloc(counters, sizeof *t->count);
    if (t->little || t->count) return t;
    free(t);
    return NULL;
}

void tally_free(struct tally *t)
{
    if (!t) return;
    FREE_ALL(t->little, t->count, t);
}

/* ---- into the statistics --------------------------------------------------------------------- */

static uint32_t place_of(const struct tally *t, int cell)
{
    return t->first + (uint32_t)(cell / BLOCK_SIDE) * (uint32_t)t->cols +
           (uint32_t)(cell % BLOCK_SIDE);
}

static bool came(const struct tally *t, int cell)
{
    return t->came[cell / BLOCK_SIDE] >> cell % BLOCK_SIDE & 1;
}

static int64_t count_at(const struct tally *t, size_t i)
{
    return t->little ? t->little[i] : t->count[i];
}

/* Narrows a span to the classes of a cell from the first to the last with a count. */
static struct statistics_span span_of(const struct tally *t, size_t cell, struct statistics_span in)
{
    while (in.first < in.end && !count_at(t, cell + (size_t)in.first)) in.first++;
    while (in.first < in.end && !count_at(t, cell + (size_t)in.end - 1)) in.end--;
    return in;
}

/* Moves counters to *to. fresh: all of *to is 0. Then *to is not read, because a read would first map a page of zeros. */
static void flush_span(uint64_t *restrict to, struct tally *t, size_t from,
                       struct statistics_span in, bool fresh)
{
    const size_t first = from + (size_t)in.first;
    const int n = in.end - in.first;
    to += in.first;
    if (t->little) {
        int16_t *restrict c = t->little + first;
        if (fresh)
            for (int k = 0; k < n; k++) to[k] = (uint64_t)c[k];
        else
            for (int k = 0; k < n; k++) to[k] += (uint64_t)c[k]; /* modulo 2^64 */
        memset(c, 0, (size_t)n * sizeof *c);
    } else {
        int32_t *restrict c = t->count + first;
        for (int k = 0; k < n; k++) to[k] += (uint64_t)c[k];
        memset(c, 0, (size_t)n * sizeof *c);
    }
}

static void flush_sums(uint64_t to[2], const struct tally *t, int cell)
{
    const uint64_t *sum = t->sum[cell];
    const uint64_t lower = t->little ? (uint64_t)(int32_t)(uint32_t)sum[0] : sum[1];
    to[0] += t->little ? (uint64_t)((int64_t)(sum[0] - lower) / (INT64_C(1) << 32)) : sum[0];
    to[1] += lower;
}

static void flush_cell(struct tally *t, int cell)
{
    const size_t thickness = (size_t)cell * (size_t)t->classes,
                 arrival = thickness + (size_t)t->s->thickness_classes;
    uint64_t *c = statistics_open(t->s, place_of(t, cell), NULL); /* made by open_cell() */
    const struct statistics_span span[2] = {span_of(t, thickness, t->span[0]),
                                            span_of(t, arrival, t->span[1])};
    flush_span(c, t, thickness, span[0], t->fresh[cell]);
    flush_span(c + t->s->thickness_classes, t, arrival, span[1], t->fresh[cell]);
    flush_sums(c + t->classes, t, cell);
    statistics_counted(t->s, c, span);
    memset(t->sum[cell], 0, sizeof t->sum[cell]);
}

static int open_cell(struct tally *t, int cell, struct error *e)
{
    const uint32_t place = place_of(t, cell);
    t->fresh[cell] = !statistics_at(t->s, place);
    return statistics_open(t->s, place, e) ? 0 : ERROR_INPUT;
}

int tally_flush(struct tally *t, struct error *e)
{
    int status = 0;
#pragma omp critical(counters)
    for (int cell = 0; !status && cell < BLOCK_CELLS; cell++)
        if (came(t, cell)) status = open_cell(t, cell, e);
    for (int cell = 0; !status && cell < BLOCK_CELLS; cell++)
        if (came(t, cell)) flush_cell(t, cell);
    t->weight = 0;
    memset(t->came, 0, sizeof t->came);
    for (int k = 0; k < 2; k++) t->span[k] = (struct statistics_span){INT_MAX, 0};
    return status;
}

static int begin_tile(struct tally *t, uint32_t place, int weight, struct error *e)
{
    const uint32_t cols = (uint32_t)t->cols, row = place / cols, col = place % cols;
    const uint32_t first = row / BLOCK_SIDE * BLOCK_SIDE * cols + col / BLOCK_SIDE * BLOCK_SIDE;
    const bool same = first == t->first && t->weight && t->weight <= t->weight_max - abs(weight);
    const int status = same ? 0 : tally_flush(t, e),
              left = t->cols - (int)(col / BLOCK_SIDE * BLOCK_SIDE);
    t->first = first;
    t->width = left < BLOCK_SIDE ? left : BLOCK_SIDE;
    t->weight += abs(weight);
    return status;
}

/* ---- counting -------------------------------------------------------------------------------- */

static void widen_span(struct statistics_span *s, int first, int last)
{
    if (first < s->first) s->first = first;
    if (last >= s->end) s->end = last + 1;
}

/* The addresses of a tally's counters. A loop has them in local variables, which the compiler can keep in registers. */
struct counters {
    int16_t *little;
    int32_t *count;
    uint64_t (*sum)[2];
    size_t classes, arrival;
};

static struct counters counters_of(struct tally *t)
{
    return (struct counters){t->little, t->count, t->sum, (size_t)t->classes,
                             (size_t)t->s->thickness_classes};
}

/* `little` is a constant in each call, so that the compiler makes a separate loop for each value. */
static inline void count_cell(const struct counters *t, bool little, int weight, size_t cell,
                              uint32_t thickness, uint32_t arrival, uint32_t q)
{
    const uint64_t w = (uint64_t)weight;
    const size_t i = cell * t->classes + thickness, k = cell * t->classes + t->arrival + arrival;
    if (little) {
        t->little[i] = (int16_t)(t->little[i] + weight);
        t->little[k] = (int16_t)(t->little[k] + weight);
        t->sum[cell][0] += w * ((uint64_t)(q >> HALF) << 32 | (q & LOWER));
    } else {
        t->count[i] += weight;
        t->count[k] += weight;
        t->sum[cell][0] += w * (q >> HALF);
        t->sum[cell][1] += w * (q & LOWER);
    }
}

static inline void count_list(struct tally *t, bool little, int weight,
                              const struct reached *reached, int count)
{
    const struct counters to = counters_of(t);
    struct statistics_span thickness = t->span[0], arrival = t->span[1];
    uint32_t first = t->first, came = 0;
    int row = 0;
    for (int i = 0; i < count; i++) {
        const struct reached *r = &reached[i];
        for (; r->place - first >= (uint32_t)t->width; first += (uint32_t)t->cols) {
            t->came[row++] |= came;
            came = 0;
        }
        came |= UINT32_C(1) << (r->place - first);
        widen_span(&thickness, r->thickness_class, r->thickness_class);
        widen_span(&arrival, r->arrival_class, r->arrival_class);
        count_cell(&to, little, weight, (size_t)row * BLOCK_SIDE + (r->place - first),
                   r->thickness_class, r->arrival_class, r->thickness_q);
    }
    t->came[row] |= came;
    t->span[0] = thickness;
    t->span[1] = arrival;
}

int tally_add(struct tally *t, int weight, const struct reached *reached, int count,
              struct error *e)
{
    const int status = count ? begin_tile(t, reached->place, weight, e) : 0;
    if (status || !count) return status;
    if (t->little) count_list(t, true, weight, reached, count);
    else count_list(t, false, weight, reached, count);
    return 0;
}

static inline void count_block(struct tally *t, bool little, int weight, const struct block *b,
                               const uint32_t *floor)
{
    const struct block_column_reader thickness = block_column(b, BLOCK_THICKNESS),
                                     arrival = block_column(b, BLOCK_ARRIVAL),
                                     more = block_column(b, BLOCK_MORE);
    const struct counters to = counters_of(t);
    for (int i = 0; i < b->count; i++) {
        const uint32_t class = block_value(&thickness, i);
        count_cell(&to, little, weight, b->at[i], class, block_value(&arrival, i),
                   floor[class] + block_value(&more, i));
    }
}

int tally_add_block(struct tally *t, int weight, uint32_t place, const struct block *b,
                    const uint32_t *floor, struct error *e)
{
    const int status = begin_tile(t, place, weight, e);
    if (status) return status;
    widen_span(&t->span[0], (int)b->least[BLOCK_THICKNESS], (int)block_most(b, BLOCK_THICKNESS));
    widen_span(&t->span[1], (int)b->least[BLOCK_ARRIVAL], (int)block_most(b, BLOCK_ARRIVAL));
    for (int row = 0; row < b->rows; row++) t->came[b->row0 + row] |= b->lava[row];
    if (t->little) count_block(t, true, weight, b, floor);
    else count_block(t, false, weight, b, floor);
    return 0;
}
