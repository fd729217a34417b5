/* Paths of steepest descent: downhill, out of every hollow over its lowest rim, to the border; and
 * functions of the terrain and its error alone. */
#include "ensemble/steepest.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 40, COLS = 33, CELLS = ROWS * COLS, MIDDLE = ROWS / 2 * COLS + COLS / 2 };

static double z[CELLS];
static const struct problem terrain = {
    .rows = ROWS, .cols = COLS, .window = {0, 0, ROWS, COLS}, .elevation_m = z};
static const struct terrain_error none;

static struct steepest_path follow(const struct terrain_error *error, double most)
{
    struct error e = {0};
    struct steepest *s;
    struct steepest_path path = {0}, again = {0};
    must(steepest_create(&s, &terrain, &e), &e);
    must(steepest_follow(s, &terrain, error, MIDDLE, most, &path, &e), &e);
    must(steepest_follow(s, &terrain, error, MIDDLE, most, &again, &e), &e); /* nothing is left */
    assert_int_equal(path.count, again.count);
    for (size_t i = 0; i < path.count; i++)
        assert_true(path.at[i].place == again.at[i].place &&
                    path.at[i].length == again.at[i].length);
    free(again.at);
    steepest_free(s);
    return path;
}

static void down_a_plane(void **state)
{
    for (int i = 0; i < CELLS; i++) z[i] = 100 - i / COLS;
    struct steepest_path path = follow(&none, 1000);
    assert_int_equal(path.count, ROWS - ROWS / 2);
    for (size_t i = 0; i < path.count; i++) {
        assert_int_equal(path.at[i].place, MIDDLE + COLS * i);
        assert_true(path.at[i].length == (double)i);
    }
    free(path.at);
    path = follow(&none, 5); /* cut */
    assert_int_equal(path.count, 6);
    free(path.at);
    for (int i = 0; i < CELLS; i++) z[i] = 100 - i / COLS - i % COLS;
    path = follow(&none, 3); /* 1.41 a cell */
    assert_int_equal(path.count, 4);
    assert_int_equal(path.at[3].place, MIDDLE + 3 * (COLS + 1));
    assert_true(fabs(path.at[3].length - 3 * sqrt(2)) < 1e-12);
    free(path.at);
}

static bool is_border(int i)
{
    const int row = i / COLS, col = i % COLS;
    return row == 0 || row == ROWS - 1 || col == 0 || col == COLS - 1;
}

/* The height that has to be passed from each cell to the border, by going over all cells again and
 * again. */
static void spill(double *level)
{
    for (int i = 0; i < CELLS; i++) level[i] = is_border(i) ? z[i] : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < CELLS; i++)
            for (int k = 0; k < 9 && !is_border(i); k++) {
                const double over = fmax(z[i], level[i + (k / 3 - 1) * COLS + k % 3 - 1]);
                changed = changed || over < level[i];
                level[i] = fmin(level[i], over);
            }
    }
}

static void out_of_hollows(void **state)
{
    static double level[CELLS];
    int risen = 0;
    for (int seed = 0; seed < 200; seed++) {
        srand((unsigned)seed);
        for (int i = 0; i < CELLS; i++) z[i] = rand() % 1000;
        for (int i = 0; seed % 2 && i < CELLS; i++) /* a bowl, with equal elevations */
            z[i] = hypot(i / COLS - ROWS / 2, i % COLS - COLS / 2) + rand() % 3;
        struct steepest_path path = follow(&none, INFINITY);
        spill(level);
        double highest = 0;
        for (size_t i = 0; i < path.count; i++) {
            const double here = z[path.at[i].place];
            highest = fmax(highest, here);
            if (!i) continue;
            const int apart = abs((int)path.at[i].place - (int)path.at[i - 1].place);
            assert_true(apart == 1 || (apart >= COLS - 1 && apart <= COLS + 1));
            assert_true(path.at[i].length > path.at[i - 1].length);
            risen += here > z[path.at[i - 1].place];
        }
        assert_true(is_border((int)path.at[path.count - 1].place));
        assert_true(highest == level[MIDDLE]);
        free(path.at);
    }
    assert_true(risen > 1000);
}

/* On the terrain with the error added the path is that of the terrain and the error. */
static void over_errors(void **state)
{
    static double flat[CELLS];
    int apart = 0;
    for (int i = 0; i < CELLS; i++) flat[i] = z[i] = 1000 - 0.1 * (i / COLS);
    for (uint64_t number = 0; number < 20; number++) {
        const struct terrain_error error = {3, number, 1, number % 2 ? 0.4 : 0};
        memcpy(z, flat, sizeof z);
        struct steepest_path path = follow(&error, INFINITY);
        for (int i = 0; i < CELLS; i++) z[i] += terrain_error_at(&error, i / COLS, i % COLS);
        struct steepest_path same = follow(&none, INFINITY);
        assert_int_equal(path.count, same.count);
        for (size_t i = 0; i < path.count; i++) {
            assert_int_equal(path.at[i].place, same.at[i].place);
            apart += i < ROWS / 2 && path.at[i].place != MIDDLE + COLS * i;
        }
        free(path.at);
        free(same.at);
    }
    assert_true(apart > 100);
}

int main(void)
{
    return UNIT_RUN(down_a_plane, out_of_hollows, over_errors);
}
