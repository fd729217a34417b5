/* Members of equal weight that are counted by the tile, against statistics_add_places(): tiles cut off by the
 * border, more members than 16 bits count, weights that take others away. */
#include "ask/tally.h"
#include "ensemble/library_block.h"
#include "random_case.h"
#include "unit.h"

#include <string.h>

enum { ROWS = 70, COLS = 43, PLACES = ROWS * COLS, EDGES = 6, TILES = 3 * 2 };

static const struct axis thickness = {.edges = EDGES}, arrival = {.edges = EDGES};

static void create(struct statistics *s)
{
    struct error e = {0};
    assert_int_equal(statistics_create(s, PLACES, &thickness, &arrival, false, SIZE_MAX, &e), 0);
}

/* What a member did in a tile: a share of its cells, in the order of places. */
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

static void count_tiles(uint64_t weight, int members, int tiles, double share)
{
    struct reached reached[BLOCK_CELLS];
    struct statistics by_tile, by_member;
    struct error e = {0};
    uint64_t seed = 7;
    create(&by_tile);
    create(&by_member);
    struct tally *t = tally_create(&by_tile, COLS, weight);
    assert_non_null(t);
    for (int tile = 0; tile < tiles; tile++)
        for (int m = 0; m < members; m++) {
            const int count = draw(reached, tile, share, &seed);
            assert_int_equal(tally_add(t, reached, count, &e), 0);
            assert_int_equal(statistics_add_places(&by_member, weight, reached, (size_t)count, &e),
                             0);
        }
    assert_int_equal(tally_flush(t, &e), 0);
    tally_free(t);
    compare(&by_tile, &by_member);
    statistics_free(&by_tile);
    statistics_free(&by_member);
}

static void tiles_up_to_the_border(void **state)
{
    count_tiles(1, 9, TILES, 0.4);
    count_tiles(UINT64_C(123456789012), 9, TILES, 0.4);
    count_tiles(-UINT64_C(3), 9, TILES, 0.4);
}

static void more_members_than_16_bits(void **state)
{
    count_tiles(2, UINT16_MAX + 10, 1, 0.001);
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
    assert_int_equal(tally_add(t, reached, draw(reached, 0, 0.5, &seed), &e), 0);
    assert_int_equal(tally_flush(t, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "there is no memory for more"));
    tally_free(t);
    statistics_free(&s);
}

int main(void)
{
    return UNIT_RUN(tiles_up_to_the_border, more_members_than_16_bits, too_little_memory);
}
