/* Members that are counted by the tile, against statistics_add_places(): tiles cut off by the border, more weight
 * than 32 bits count, weights that differ and that take others away, cells and blobs of a library. */
/* tests: study/ask, study/members */
#include "ask/tally.h"
#include "members/library_block.h"
#include "random_case.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 70, COLS = 43, PLACES = ROWS * COLS, EDGES = 7, TILES = 3 * 2 };

static const struct axis thickness = {.edges = EDGES}, arrival = {.edges = EDGES};

static void create(struct statistics *s)
{
    struct error e = {0};
    assert_int_equal(statistics_create(s, PLACES, &thickness, &arrival, false, SIZE_MAX, &e), 0);
}

/* What a member did in a tile: a share of its cells, in the order of places. In the first cell all did the same, so
 * that one counter has them all. */
static int draw(struct reached *out, int tile, double share, uint64_t *seed)
{
    const int row0 = tile / 2 * BLOCK_SIDE, col0 = tile % 2 * BLOCK_SIDE;
    int count = 0;
    for (int row = row0; row < row0 + BLOCK_SIDE && row < ROWS; row++)
        for (int col = col0; col < col0 + BLOCK_SIDE && col < COLS; col++)
            if (random_unit(seed) < share)
                out[count++] =
                    (struct reached){.place = (uint32_t)(row * COLS + col),
                                     .thickness_class = (uint16_t)((EDGES + 1) * random_unit(seed)),
                                     .arrival_class = (uint16_t)((EDGES + 1) * random_unit(seed)),
                                     .thickness_q = (uint32_t)(0x1p22 * random_unit(seed))};
    const uint32_t first = (uint32_t)(row0 * COLS + col0);
    if (count && out->place == first) out->thickness_class = 3, out->arrival_class = 5;
    return count;
}

static void compare(const struct statistics *a, const struct statistics *b)
{
    size_t reached = 0;
    STATISTICS_EACH (a, i, c) {
        assert_non_null(statistics_at(b, i));
        assert_memory_equal(c, statistics_at(b, i), (a->stride + 1) * sizeof *c);
        reached += statistics_reached(a, c) > 0;
    }
    assert_true(reached > 0);
    assert_int_equal(a->slots, b->slots);
    assert_int_equal(statistics_digest(a), statistics_digest(b));
}

static int blocks_added;

/* As a blob of a library has it, for the tally; `reached` becomes what the blob states. */
static int add_as_block(struct tally *t, int weight, struct reached *reached, int count,
                        struct error *e)
{
    static const uint32_t floor[EDGES + 1] = {0, 100, 2048, 5000, 70000, 99999, 100000, 1 << 21};
    static unsigned char blob[BLOCK_BYTES_MAX];
    static uint32_t value[BLOCK_CELLS][BLOCK_COLUMNS];
    const int first = (int)reached->place / COLS / BLOCK_SIDE * BLOCK_SIDE;
    uint16_t at[BLOCK_CELLS];
    struct block b;
    for (int i = 0; i < count; i++) {
        struct reached *r = &reached[i];
        const uint32_t row = r->place / COLS, more = r->thickness_q >> 2;
        at[i] = (uint16_t)((row - (uint32_t)first) * BLOCK_SIDE + r->place % COLS);
        value[i][BLOCK_ARRIVAL] = r->arrival_class;
        value[i][BLOCK_THICKNESS] = r->thickness_class;
        value[i][BLOCK_MORE] = more;
        value[i][BLOCK_END] = 0;
        r->thickness_q = floor[r->thickness_class] + more;
    }
    const size_t size = block_pack(blob, 5, at, (const uint32_t(*)[BLOCK_COLUMNS])value, count);
    assert_true(block_open(&b, 5, blob, size));
    if (block_most(&b, BLOCK_THICKNESS) > EDGES || block_most(&b, BLOCK_ARRIVAL) > EDGES)
        return tally_add(t, weight, reached, count, e); /* (as library_blocks() does) */
    blocks_added++;
    return tally_add_block(t, weight, (uint32_t)(first * COLS), &b, floor, e);
}

/* Weights `weight`, and up to `more` farther from 0. */
static void count_tiles(int weight, int more, int members, int tiles, double share, bool blocks)
{
    struct reached reached[BLOCK_CELLS];
    struct statistics by_tile, by_member;
    struct error e = {0};
    uint64_t seed = 7;
    create(&by_tile);
    create(&by_member);
    struct tally *t = tally_create(&by_tile, COLS, abs(weight) + more);
    assert_non_null(t);
    for (int tile = 0; tile < tiles; tile += blocks ? 2 : 1) /* (the others are not whole) */
        for (int m = 0; m < members; m++) {
            const int count = draw(reached, tile, share, &seed),
                      extra = (int)((more + 1) * random_unit(&seed)),
                      w = weight < 0 ? weight - extra : weight + extra;
            const int status = blocks && count ? add_as_block(t, w, reached, count, &e)
                                               : tally_add(t, w, reached, count, &e);
            assert_int_equal(status, 0);
            assert_int_equal(
                statistics_add_places(&by_member, (uint64_t)w, reached, (size_t)count, &e), 0);
        }
    assert_int_equal(tally_flush(t, &e), 0);
    tally_free(t);
    compare(&by_tile, &by_member);
    statistics_free(&by_tile);
    statistics_free(&by_member);
}

static void tiles_up_to_the_border(void **state)
{
    count_tiles(1, 0, 9, TILES, 0.4, false);
    count_tiles(1, 1000, 9, TILES, 0.4, false);
    count_tiles(-3, 0, 9, TILES, 0.4, false);
}

static void blobs(void **state)
{
    count_tiles(1, 0, 9, 4, 0.4, true);
    count_tiles(-1, 1000, 9, 4, 0.4, true);
    assert_int_equal(blocks_added, 36);
}

static void more_weight_than_16_or_32_bits(void **state)
{
    count_tiles(200, 56, 700, 2, 0.9, false);
    count_tiles(-256, 0, 700, 2, 0.9, true);
    count_tiles(TALLY_WEIGHT_MAX, 0, 700, 2, 0.01, false);
    count_tiles(-TALLY_WEIGHT_MAX / 2, TALLY_WEIGHT_MAX / 2, 700, 2, 0.01, true);
}

/* Where counters do not fit, one line says so. */
static void too_little_memory(void **state)
{
    struct reached reached[BLOCK_CELLS];
    struct statistics s;
    struct error e = {0};
    uint64_t seed = 9;
    assert_int_equal(statistics_create(&s, PLACES, &thickness, &arrival, false, 1000, &e), 0);
    struct tally *t = tally_create(&s, COLS, 1);
    assert_non_null(t);
    assert_int_equal(tally_add(t, 1, reached, draw(reached, 0, 0.5, &seed), &e), 0);
    assert_int_equal(tally_flush(t, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "there is no memory for more"));
    tally_free(t);
    statistics_free(&s);
}

int main(void)
{
    return UNIT_RUN(tiles_up_to_the_border, blobs, more_weight_than_16_or_32_bits,
                    too_little_memory);
}
