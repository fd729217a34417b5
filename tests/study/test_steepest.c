/* Paths of steepest descent: downhill, out of every hollow over its lowest rim, to the border; and
 * functions of the terrain and its error alone. */
#include "ensemble/steepest.h"
#include "model/physics.h"
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

/* ---- the same path, by looking at all cells ---------------------------------------------------- */

static double apart(int a, int b)
{
    return hypot(a / COLS - b / COLS, a % COLS - b % COLS);
}

/* The neighbour to which the slope is steepest, the first of equal ones; the cell: none is lower. */
static int steepest_of(int i)
{
    int best = i;
    for (int k = 0; k < 8; k++) {
        const int to = i + PHYSICS_ROW(k) * COLS + PHYSICS_COL(k);
        const double slope = (z[i] - z[to]) / apart(i, to);
        if (slope > (best == i ? 0 : (z[i] - z[best]) / apart(i, best))) best = to;
    }
    return best;
}

/* Of the cells that touch those taken the lowest is taken, the first of equal ones, until it is lower
 * than the start or on the border: `from` leads back from there. */
static int leave(int start, int from[CELLS])
{
    static bool taken[CELLS];
    int at = start;
    for (int i = 0; i < CELLS; i++) from[i] = -1, taken[i] = false;
    from[start] = start;
    while (at == start || (z[at] >= z[start] && !is_border(at))) {
        for (int k = 0; k < 8; k++) {
            const int to = at + PHYSICS_ROW(k) * COLS + PHYSICS_COL(k);
            if (from[to] < 0) from[to] = at;
        }
        taken[at] = true;
        at = -1;
        for (int i = 0; i < CELLS; i++)
            if (from[i] >= 0 && !taken[i] && (at < 0 || z[i] < z[at])) at = i;
    }
    return at;
}

/* Into place[CELLS]; returns how many. */
static int walk(int *place)
{
    static int from[CELLS];
    int count = 1;
    place[0] = MIDDLE;
    while (!is_border(place[count - 1])) {
        const int here = place[count - 1], down = steepest_of(here);
        if (down != here) place[count++] = down;
        else {
            int across = 0;
            const int end = leave(here, from);
            for (int i = end; i != here; i = from[i]) across++;
            count += across;
            for (int i = end, k = count; i != here; i = from[i]) place[--k] = i;
        }
    }
    return count;
}

static void out_of_hollows(void **state)
{
    static double level[CELLS];
    static int place[CELLS];
    int risen = 0, aslant = 0;
    for (int seed = 0; seed < 200; seed++) {
        srand((unsigned)seed);
        for (int i = 0; i < CELLS; i++) z[i] = rand() % 1000;
        for (int i = 0; seed % 2 && i < CELLS; i++) /* a bowl, with equal elevations */
            z[i] = hypot(i / COLS - ROWS / 2, i % COLS - COLS / 2) + rand() % 3;
        struct steepest_path path = follow(&none, INFINITY);
        spill(level);
        double highest = 0, length = 0;
        assert_int_equal(path.count, walk(place));
        for (size_t i = 0; i < path.count; i++) {
            const double here = z[place[i]], step = i ? apart(place[i], place[i - 1]) : 0;
            highest = fmax(highest, here);
            length += step;
            assert_int_equal(path.at[i].place, place[i]);
            assert_true(path.at[i].length == length);
            risen += i && here > z[place[i - 1]];
            aslant += i && here > z[place[i - 1]] && step > 1;
        }
        assert_true(is_border((int)path.at[path.count - 1].place));
        assert_true(highest == level[MIDDLE]);
        free(path.at);
    }
    assert_true(risen > 1000 && aslant > 400 && risen - aslant > 400);
}

/* On the terrain with the error added the path is that of the terrain and the error. */
static void over_errors(void **state)
{
    static double flat[CELLS];
    int aside = 0;
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
            aside += i < ROWS / 2 && path.at[i].place != MIDDLE + COLS * i;
        }
        free(path.at);
        free(same.at);
    }
    assert_true(aside > 100);
}

int main(void)
{
    return UNIT_RUN(down_a_plane, out_of_hollows, over_errors);
}
