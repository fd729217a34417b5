/* The distance of two outlines: the transform against all pairs of cells, squares whose distance is
 * known, and what is no outline. */
/* tests: output/compare */
#include "compare/outline.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { SIDE = 40, CELLS = SIDE * SIDE };

static uint32_t next_random(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 16;
}

static int64_t nearest(const unsigned char *mark, int rows, int cols, int row, int col)
{
    int64_t least = DISTANCE_NONE;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            const int64_t d = (int64_t)(r - row) * (r - row) + (int64_t)(c - col) * (c - col);
            if (mark[r * cols + c] && d < least) least = d;
        }
    return least;
}

/* Grids of all shapes, from no mark to many. */
static void the_transform_is_that_of_all_pairs(void **state)
{
    uint32_t random = 3;
    struct error e;
    int none = 0, far = 0;
    for (int round = 0; round < 300; round++) {
        unsigned char mark[CELLS];
        int64_t squared[CELLS];
        const int rows = 1 + (int)(next_random(&random) % SIDE),
                  cols = 1 + (int)(next_random(&random) % SIDE);
        const uint32_t rare = 1u << (next_random(&random) % 12);
        for (int i = 0; i < rows * cols; i++) mark[i] = next_random(&random) % rare == 0;
        assert_int_equal(distance_transform(squared, mark, rows, cols, &e), 0);
        for (int i = 0; i < rows * cols; i++) {
            assert_true(squared[i] == nearest(mark, rows, cols, i / cols, i % cols));
            none += squared[i] == DISTANCE_NONE;
            far += squared[i] != DISTANCE_NONE && squared[i] > 100;
        }
    }
    assert_true(none > 100 && far > 1000);
}

/* Whether a neighbour on one of the four sides is outside; what is not known, and what lies beyond the grid, is not. */
static bool is_on_outline(const unsigned char *cell, int rows, int cols, int i, int of)
{
    bool on = false;
    for (int k = 0; k < 4; k++) {
        const int row = i / cols + (k == 0) - (k == 1), col = i % cols + (k == 2) - (k == 3);
        if (row < 0 || col < 0 || row >= rows || col >= cols) continue;
        on = on || !(cell[row * cols + col] & (of | DISTANCE_UNKNOWN));
    }
    return on && cell[i] & of;
}

/* Outlines of any cells: the mean of all distances, and the least that at least 95 of 100 cells of either keep. */
static void outlines_of_any_cells(void **state)
{
    static const int side[] = {DISTANCE_A, DISTANCE_B};
    uint32_t random = 5;
    struct error e;
    int larger[2] = {0};
    for (int round = 0; round < 200; round++) {
        unsigned char cell[CELLS], on[2][CELLS];
        const int rows = 1 + (int)(next_random(&random) % 12),
                  cols = 1 + (int)(next_random(&random) % 12);
        double sum = 0, kept[2] = {0};
        int count[2] = {0};
        struct outline_distance d;
        for (int i = 0; i < rows * cols; i++) {
            const uint32_t dice = next_random(&random) % 32;
            const int often = side[round % 2], rare = side[1 - round % 2];
            cell[i] = (unsigned char)(dice < 3    ? DISTANCE_UNKNOWN
                                      : dice < 12 ? often
                                      : dice < 16 ? 3
                                                  : 0);
            if (i / cols > rows / 2 && dice >= 28) cell[i] = (unsigned char)rare;
        }
        for (int i = 0; i < rows * cols; i++)
            for (int k = 0; k < 2; k++)
                count[k] += on[k][i] = is_on_outline(cell, rows, cols, i, side[k]);
        assert_int_equal(outline_distance(&d, cell, rows, cols, 10, &e), 0);
        if (!count[0] || !count[1]) {
            assert_true(count[0] || count[1] ? isinf(d.mean_m) && isinf(d.p95_m) : d.mean_m == 0);
            continue;
        }
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < rows * cols; i++) {
                int nearer = 0;
                const int64_t here = nearest(on[!k], rows, cols, i / cols, i % cols);
                if (!on[k][i]) continue;
                sum += 10 * sqrt((double)here);
                for (int j = 0; j < rows * cols; j++)
                    nearer += on[k][j] && nearest(on[!k], rows, cols, j / cols, j % cols) < here;
                if (100 * nearer < 95 * count[k]) kept[k] = fmax(kept[k], 10 * sqrt((double)here));
            }
        assert_true(fabs(d.mean_m - sum / (count[0] + count[1])) < 1e-9);
        assert_true(d.p95_m == fmax(kept[0], kept[1]));
        for (int k = 0; k < 2; k++) larger[k] += kept[k] > kept[!k];
    }
    assert_true(larger[0] > 20 && larger[1] > 20);
}

static void put_square(unsigned char *cell, int row, int col, int rows, int cols, int of)
{
    for (int r = row; r < row + rows; r++)
        for (int c = col; c < col + cols; c++) cell[r * SIDE + c] |= (unsigned char)of;
}

static struct outline_distance distance_of(const unsigned char *cell)
{
    struct outline_distance d;
    struct error e;
    assert_int_equal(outline_distance(&d, cell, SIDE, SIDE, 10, &e), 0);
    return d;
}

/* A square of 8 cells that is shifted by 1 to 4: the two sides across are that far off, and of the
 * two along what sticks out, cell by cell. */
static void a_shifted_square_is_as_far_as_it_was_shifted(void **state)
{
    for (int by = 0; by <= 4; by++) {
        unsigned char cell[CELLS] = {0};
        put_square(cell, 10, 10, 8, 8, DISTANCE_A);
        put_square(cell, 10, 10 + by, 8, 8, DISTANCE_B);
        const struct outline_distance d = distance_of(cell);
        assert_true(d.p95_m == 10 * by);
        double sum = 0; /* of the 28 cells of one outline: that of the other is its mirror image */
        for (int row = 0; row < 8; row++)
            for (int col = 0; col < 8; col++) {
                if (row > 0 && row < 7 && col > 0 && col < 7) continue;
                double least = INFINITY;
                for (int r = 0; r < 8; r++)
                    for (int c = 0; c < 8; c++)
                        if (r == 0 || r == 7 || c == 0 || c == 7)
                            least = fmin(least, hypot(r - row, c + by - col));
                sum += least;
            }
        assert_true(fabs(d.mean_m - 10 * sum / 28) < 1e-12);
        assert_true(by ? d.mean_m > 0 && d.mean_m < d.p95_m : d.mean_m == 0);
    }
}

/* Far apart, the mean is nearly the shift too. */
static void a_far_line(void **state)
{
    unsigned char cell[CELLS] = {0};
    put_square(cell, 5, 4, 30, 1, DISTANCE_A);
    put_square(cell, 5, 34, 30, 1, DISTANCE_B);
    const struct outline_distance d = distance_of(cell);
    assert_true(d.mean_m == 300 && d.p95_m == 300);
}

/* One cell in a hundred that is far off counts for the mean alone. */
static void a_stray_cell_is_no_outline(void **state)
{
    unsigned char cell[CELLS] = {0};
    put_square(cell, 2, 2, 30, 30, DISTANCE_A | DISTANCE_B);
    assert_true(distance_of(cell).mean_m == 0);
    cell[38 * SIDE + 38] |= DISTANCE_A;
    const struct outline_distance d = distance_of(cell);
    assert_true(d.p95_m == 0 && d.mean_m > 0);
    /* 117 cells on one outline, 116 on the other, and a corner 7 cells off along both axes */
    assert_true(fabs(d.mean_m - 10 * hypot(7, 7) / 233) < 1e-12);
}

static void what_is_not_there_is_nowhere(void **state)
{
    unsigned char cell[CELLS] = {0};
    assert_true(distance_of(cell).mean_m == 0 && distance_of(cell).p95_m == 0);
    put_square(cell, 3, 3, 5, 5, DISTANCE_A);
    assert_true(isinf(distance_of(cell).mean_m) && isinf(distance_of(cell).p95_m));
    memset(cell, DISTANCE_A | DISTANCE_B, sizeof cell); /* beyond the grid nobody has looked */
    assert_true(distance_of(cell).mean_m == 0);
    cell[7] = DISTANCE_A;
    assert_true(isinf(distance_of(cell).mean_m));
}

/* What is not known makes no outline, and does not hide one. */
static void what_is_not_known_is_no_neighbour(void **state)
{
    unsigned char cell[CELLS] = {0};
    put_square(cell, 5, 5, 10, 10, DISTANCE_A);
    put_square(cell, 5, 5, 10, 12, DISTANCE_B);
    const struct outline_distance all = distance_of(cell);
    assert_true(all.p95_m == 20);
    for (int row = 0; row < SIDE; row++)
        for (int col = 15; col < SIDE; col++) cell[row * SIDE + col] = DISTANCE_UNKNOWN;
    assert_true(distance_of(cell).mean_m == 0);
    cell[5 * SIDE + 5] = DISTANCE_A;
    assert_true(distance_of(cell).mean_m > 0);
}

int main(void)
{
    return UNIT_RUN(the_transform_is_that_of_all_pairs, outlines_of_any_cells,
                    a_shifted_square_is_as_far_as_it_was_shifted, a_far_line,
                    a_stray_cell_is_no_outline, what_is_not_there_is_nowhere,
                    what_is_not_known_is_no_neighbour);
}
