/* test_terrain.c — made-up landscapes: the same everywhere, of the promised shape, of any size. */
/* tests: input/terrain */
/* run: plain, sanitized */
#include "effort.h"
#include "terrain/noise.h"
#include "sim/problem.h"
#include "terrain/terrain.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum terrain_kind all_kinds[] = {TERRAIN_VOLCANO, TERRAIN_SHEET,  TERRAIN_CHANNEL,
                                              TERRAIN_PYRAMID, TERRAIN_VALLEY, TERRAIN_ETNA2006};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

/* A digest of the elevations, thicknesses and temperatures of every 7th row. */
static uint64_t digest(const struct terrain *t)
{
    uint64_t sum = 0;
    for (int row = 0; row < t->rows; row += 7)
        for (int col = 0; col < t->cols; col++) {
            double v[3] = {terrain_elevation(t, row, col), terrain_thickness(t, row, col),
                           terrain_temperature(t, row, col)};
            uint64_t bits[3];
            memcpy(bits, v, sizeof bits);
            for (int i = 0; i < 3; i++) sum += noise_hash(bits[i], row, col, i);
        }
    return sum;
}

/* ---- noise ----------------------------------------------------------------------------------- */

/* Every input bit should change about half of the output bits. */
static void test_hash_mixes(void **state)
{
    for (int which = 0; which < 4; which++)
        for (int bit = 0; bit < 64; bit++) {
            int changed = 0;
            for (int n = 0; n < 256; n++) {
                uint64_t in[4] = {7, (uint64_t)n, (uint64_t)(n * n), (uint64_t)-n};
                uint64_t a = noise_hash(in[0], (int64_t)in[1], (int64_t)in[2], (int64_t)in[3]);
                in[which] ^= (uint64_t)1 << bit;
                uint64_t b = noise_hash(in[0], (int64_t)in[1], (int64_t)in[2], (int64_t)in[3]);
                changed += __builtin_popcountll(a ^ b);
            }
            assert_in_range(changed, 256 * 24, 256 * 40);
        }
}

static void test_noise_is_smooth_and_bounded(void **state)
{
    double least = 0, most = 0, before = noise_3(3, -20, 0.3, 0.7);
    for (int i = 1; i <= 40000; i++) {
        double x = -20 + i * 1e-3, n = noise_3(3, x, 0.3, 0.7);
        assert_true(fabs(n - before) < 5e-3); /* no step, at lattice planes neither */
        if (n < least) least = n;
        if (n > most) most = n;
        before = n;
    }
    assert_true(least < -0.2 && least > -1 && most > 0.2 && most < 1);
    assert_true(noise_floor(-0.5) == -1 && noise_floor(-1) == -1 && noise_floor(0.5) == 0);
}

/* ---- every kind ------------------------------------------------------------------------------ */

/* The bits themselves: another compiler, machine or optimisation must not change them. */
static void test_same_bits_everywhere(void **state)
{
    static const uint64_t expected[KINDS] = {0x158a6e4dfb98e747, 0x2e19881038a7fc82,
                                             0xd2303ed0829577cf, 0x473cfaa1e26a6805,
                                             0x6d79e827394e2582, 0x4eb777e186c5b766};
    for (int k = 0; k < KINDS; k++) {
        struct terrain t = terrain_default(all_kinds[k]);
        if (t.rows > 600) t.rows = t.cols = 600;
        assert_int_equal(terrain_valid(&t, NULL), 0);
        if (digest(&t) != expected[k])
            fail_msg("%s: digest %#llx", terrain_kind_name(t.kind), (unsigned long long)digest(&t));
    }
}

static void test_seed_matters(void **state)
{
    for (int k = 0; k < KINDS; k++) {
        struct terrain a = terrain_default(all_kinds[k]), b = a;
        a.rows = b.rows = a.cols = b.cols = 512;
        b.seed++;
        const bool straight = a.kind == TERRAIN_PYRAMID || a.kind == TERRAIN_VALLEY;
        assert_true((digest(&a) == digest(&b)) == straight);
    }
}

static void test_descriptions(void **state)
{
    char text[256];
    for (int k = 0; k < KINDS; k++) {
        struct terrain t = terrain_default(all_kinds[k]);
        terrain_describe(&t, text);
        assert_int_equal(strncmp(text, "SYNTHETIC TERRAIN: ", 19), 0);
        assert_non_null(strstr(text, t.kind == TERRAIN_ETNA2006 ? "stand-in for Etna 2006"
                                                                : terrain_kind_name(t.kind)));
        assert_true(strlen(text) < 100);
    }
}

static void test_refused(void **state)
{
    struct terrain good = terrain_default(TERRAIN_VOLCANO), bad[8];
    struct error e = {0};
    assert_int_equal(terrain_valid(&good, &e), 0);
    for (int i = 0; i < 8; i++) bad[i] = good;
    bad[0].rows = 2;
    bad[1].cols = TERRAIN_CELLS_MAX + 1;
    bad[2].cell_m = NAN;
    bad[3].cell_m = 0;
    bad[4].west_m = INFINITY;
    bad[5].epsg = 0;
    bad[6] = terrain_default(TERRAIN_CHANNEL);
    bad[6].rows = 100;
    bad[7] = terrain_default(TERRAIN_CHANNEL);
    bad[7].cell_m = 100;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(terrain_valid(&bad[i], &e), ERROR_INPUT);
        assert_true(strlen(e.text) > 20 && !strchr(e.text, '\n'));
    }
}

/* The largest grids of each kind stay within the heights of the exact arithmetic, and their vents
 * within the grid. */
static void test_large_grids(void **state)
{
    for (int k = 0; k < KINDS; k++) {
        struct terrain t = terrain_default(all_kinds[k]);
        struct terrain_vent v[TERRAIN_MAX_VENTS];
        t.rows = t.cols = 32768;
        if (t.kind == TERRAIN_PYRAMID) t.cell_m = 4; /* 20 km high with cells of 10 m */
        if (t.kind == TERRAIN_VALLEY) t.cell_m = 2;  /* 46 km */
        assert_int_equal(terrain_valid(&t, NULL), 0);
        for (int row = 0; row < t.rows; row += 511)
            for (int col = 0; col < t.cols; col += 509) {
                double z = terrain_elevation(&t, row, col);
                assert_true(z > ELEVATION_MIN_M && z < ELEVATION_MAX_M);
            }
        for (int i = terrain_vents(&t, v) - 1; i >= 0; i--)
            assert_true(v[i].row > 0 && v[i].row < t.rows && v[i].col > 0 && v[i].col < t.cols);
    }
}

/* ---- the volcano ----------------------------------------------------------------------------- */

static double block_mean(const struct terrain *t, int row, int col, int size)
{
    double sum = 0;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++) sum += terrain_elevation(t, row + r, col + c);
    return sum / (size * size);
}

/* Follows the water from a cell: always on to the lowest neighbour of the rising lake (the cell
 * with the lowest ground among all those next to what is flooded). Returns the column reached when
 * the lake runs over the east edge or `limit` cells are flooded; *drop tells how far the ground has
 * fallen there. */
static int flood(const struct terrain *t, int row, int col, int limit, double *drop)
{
    int cells = t->rows * t->cols, count = 1, east = col;
    char *seen = calloc((size_t)cells, 1);
    int *open = malloc((size_t)cells * sizeof *open);
    double start = terrain_elevation(t, row, col);

    assert_non_null(seen);
    assert_non_null(open);
    open[0] = row * t->cols + col;
    seen[open[0]] = 1;
    *drop = 0;
    for (int flooded = 0; flooded < limit && count > 0; flooded++) {
        int lowest = 0;
        for (int i = 1; i < count; i++)
            if (terrain_elevation(t, open[i] / t->cols, open[i] % t->cols) <
                terrain_elevation(t, open[lowest] / t->cols, open[lowest] % t->cols))
                lowest = i;
        int r = open[lowest] / t->cols, c = open[lowest] % t->cols;
        open[lowest] = open[--count];
        if (c > east) {
            east = c;
            *drop = start - terrain_elevation(t, r, c);
        }
        if (r == 0 || r == t->rows - 1 || c == 0 || c == t->cols - 1) break;
        for (int k = 0; k < 9; k++) {
            int n = (r + k / 3 - 1) * t->cols + c + k % 3 - 1;
            if (!seen[n]) seen[n] = 1, open[count++] = n;
        }
    }
    free(seen);
    free(open);
    return east;
}

/* The stand-in for Etna 2006: its grid and vents, heights and slopes like there, and a valley that
 * leads from the vents to the east for kilometres. */
static void test_stand_in_for_etna(void **state)
{
    struct terrain t = terrain_default(TERRAIN_ETNA2006);
    struct terrain_vent v[TERRAIN_MAX_VENTS];
    double low = 1e9, high = 0, slope = 0, drop;

    assert_true(t.rows == 378 && t.cols == 517 && t.cell_m == 10 && t.epsg == 32633);
    assert_int_equal(terrain_vents(&t, v), 2);
    assert_true(v[0].row == 114 && v[0].col == 71 && v[1].row == 114 && v[1].col == 77);
    for (int row = 1; row < t.rows; row++)
        for (int col = 1; col < t.cols; col++) {
            double z = terrain_elevation(&t, row, col);
            low = fmin(low, z);
            high = fmax(high, z);
            slope += hypot(z - terrain_elevation(&t, row - 1, col),
                           z - terrain_elevation(&t, row, col - 1));
        }
    slope /= 10.0 * (t.rows - 1) * (t.cols - 1);
    assert_true(low > 1200 && low < 1800 && high > 3100 && high < 3600);
    assert_true(slope > 0.25 && slope < 0.6);
    assert_int_equal(flood(&t, v[0].row, v[0].col, 20000, &drop), t.cols - 1);
    assert_true(drop > 1200);
}

/* Whatever the seed and size: down the valley from the vents the ground falls, block by block, and
 * it lies lower than the land on both sides. */
static void test_valley_leads_downhill(void **state)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct terrain t = terrain_default(TERRAIN_VOLCANO);
        struct terrain_vent v[TERRAIN_MAX_VENTS];
        t.seed = seed;
        if (seed % 2) t.rows = t.cols = 1024;
        assert_int_equal(terrain_vents(&t, v), 2);
        int block = t.rows / 16, row = v[0].row + block / 4;
        double before = terrain_elevation(&t, v[0].row, v[0].col);
        for (int col = v[0].col; col + block <= t.cols; col += block) {
            double here = block_mean(&t, row, col, block);
            assert_true(here < before);
            before = here;
        }
        int last = t.cols - 2 * block;
        assert_true(block_mean(&t, row - 4 * block, last, block) > before);
        assert_true(block_mean(&t, row + 4 * block, last, block) > before);
    }
}

/* A finer grid shows the same mountain: cells of a quarter of the side, averaged, are near the
 * coarse ones; and they are not the same, for there is more detail. */
static void test_resolution(void **state)
{
    struct terrain coarse = terrain_default(TERRAIN_VOLCANO), fine = coarse;
    double largest = 0;
    coarse.rows = coarse.cols = 256;
    coarse.cell_m = 40;
    fine.rows = fine.cols = 1024;
    for (int row = 0; row < 256; row += 5)
        for (int col = 0; col < 256; col += 5)
            largest = fmax(largest, fabs(terrain_elevation(&coarse, row, col) -
                                         block_mean(&fine, 4 * row, 4 * col, 4)));
    assert_true(largest > 0.1 && largest < 15);
}

/* ---- the others ------------------------------------------------------------------------------ */

static void test_channel_is_the_same_for_every_size(void **state)
{
    struct terrain small = terrain_default(TERRAIN_CHANNEL), large = small;
    struct terrain_vent a[TERRAIN_MAX_VENTS], b[TERRAIN_MAX_VENTS];
    double drop;
    small.rows = small.cols = 2048;
    large.rows = 16384;
    large.cols = 8192;
    assert_int_equal(terrain_vents(&small, a), 1);
    assert_int_equal(terrain_vents(&large, b), 1);
    for (int row = -1024; row < 1024; row += 3)
        for (int col = -256; col < 1792; col += SANITIZED(49, 7))
            assert_true(terrain_elevation(&small, a[0].row + row, a[0].col + col) ==
                        terrain_elevation(&large, b[0].row + row, b[0].col + col));
    /* long and thin: few cells are needed to get far */
    assert_true(flood(&small, a[0].row, a[0].col, 20000, &drop) > a[0].col + 500);
}

static void test_sheet_is_mostly_wet(void **state)
{
    struct terrain t = terrain_default(TERRAIN_SHEET);
    int wet = 0, cells = 0;
    for (int row = 0; row < t.rows; row += 3)
        for (int col = 0; col < t.cols; col += 3, cells++) {
            double h = terrain_thickness(&t, row, col), temp = terrain_temperature(&t, row, col);
            wet += h > 0;
            assert_true(h == 0 || (h > 2 && h < 8));
            assert_true(h == 0 ? temp == 0 : temp > 1280 && temp <= 1355);
        }
    assert_true(wet > cells * 0.9 && wet < cells);
}

static void test_pyramid(void **state)
{
    struct terrain t = terrain_default(TERRAIN_PYRAMID);
    struct terrain_vent v[TERRAIN_MAX_VENTS];
    int n = t.rows - 1, c = n / 2;
    const double tan5 = 0.08748866352592401;

    assert_true(t.rows == 203 && t.cols == 203 && t.cell_m == 10);
    assert_int_equal(terrain_vents(&t, v), 1);
    assert_true(v[0].row == c && v[0].col == c);
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            double z = terrain_elevation(&t, i, j);
            assert_true(z == terrain_elevation(&t, j, i));
            assert_true(z == terrain_elevation(&t, n - i, j));
            assert_true(z == terrain_elevation(&t, i, n - j));
            assert_true(z <= terrain_elevation(&t, c, c));
        }
    /* 5 degrees down the middle of the faces towards the axes and the diagonals */
    for (int i = 0; i < c; i++) {
        double axis = terrain_elevation(&t, c, c + i) - terrain_elevation(&t, c, c + i + 1);
        assert_true(fabs(axis / 10 - tan5) < 1e-12);
        double step =
            terrain_elevation(&t, c + i, c + i) - terrain_elevation(&t, c + i + 1, c + i + 1);
        assert_true(fabs(step / (10 * sqrt(2)) - tan5) < 1e-12);
    }
    /* eight faces: on a circle of 40 cells the height differs by what an octagon differs from it */
    double low = 1e9, high = -1e9;
    for (int i = -40; i <= 40; i++) {
        double z = terrain_elevation(&t, c + i, c + (int)lround(sqrt(1600 - i * i)));
        low = fmin(low, z);
        high = fmax(high, z);
    }
    assert_true(high - low > 1 && high - low < 400 * tan5 * (1 - cos(atan(1) / 2)) + 10 * tan5);
}

int main(void)
{
    return UNIT_RUN(test_hash_mixes, test_noise_is_smooth_and_bounded, test_same_bits_everywhere,
                    test_seed_matters, test_descriptions, test_refused, test_large_grids,
                    test_stand_in_for_etna, test_valley_leads_downhill, test_resolution,
                    test_channel_is_the_same_for_every_size, test_sheet_is_mostly_wet,
                    test_pyramid);
}
