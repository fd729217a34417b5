/* The error of a terrain: normal with its standard deviation everywhere, correlated over its
 * length, none where it is 0, and a function of the cell alone. */
/* tests: study/random */
/* run: plain, sanitized */
#include "effort.h"
#include "random/terrain_error.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 37, COLS = 53, CELLS = ROWS * COLS };

static struct terrain_error error_of(uint64_t number, double sd_m, double length_cells)
{
    const double nodes = length_cells > 0 ? TERRAIN_ERROR_LAG / length_cells : 0;
    return (struct terrain_error){11, number, sd_m, nodes};
}

/* A slope with a hole. */
static void slope(double *z)
{
    for (int i = 0; i < CELLS; i++) z[i] = 1000 - i / COLS + 0.25 * (i % COLS);
    z[5 * COLS + 7] = NAN;
}

static void every_cell_by_itself(void **state)
{
    static const double lengths[] = {0, 1, 1.1858, 2.5, 10, 400};
    static double z[CELLS], with[CELLS];
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const struct terrain_error t = error_of(3, 0.7, lengths[k]);
        int moved = 0;
        slope(z);
        assert_true(terrain_error_add(&t, ROWS, COLS, z, with));
        assert_true(isnan(with[5 * COLS + 7]));
        for (int i = 0; i < CELLS; i++) {
            if (i == 5 * COLS + 7) continue;
            const double alone = lattice_round(z[i] + terrain_error_at(&t, i / COLS, i % COLS));
            assert_true(memcmp(&alone, &with[i], sizeof alone) == 0);
            moved += alone != z[i];
        }
        assert_int_equal(moved, CELLS - 1);
        for (int i = 0; i < 20; i++) { /* a window: these cells alone */
            static double part[CELLS];
            const struct window w = {i % 7, 3 * i % (COLS - 1), 1 + 2 * i % (ROWS - 7), 1 + i % 2};
            memset(part, 0, sizeof part);
            assert_true(
                terrain_spectrum_add_in(&(struct terrain_spectrum){1, {t}}, w, COLS, z, part));
            for (int c = 0; c < CELLS; c++) {
                const bool in = c / COLS >= w.row0 && c / COLS < w.row0 + w.rows &&
                                c % COLS >= w.col0 && c % COLS < w.col0 + w.cols;
                assert_memory_equal(&part[c], in ? &with[c] : &(double){0}, sizeof *part);
            }
        }
        assert_true(terrain_error_add(&t, ROWS, COLS, z, z)); /* in its place */
        assert_memory_equal(z, with, sizeof z);
    }
}

static void none_is_none(void **state)
{
    static double z[CELLS], with[CELLS];
    const struct terrain_error t = error_of(3, 0, 10);
    slope(z);
    assert_true(terrain_error_add(&t, ROWS, COLS, z, with));
    assert_memory_equal(z, with, sizeof z);
    assert_true(terrain_error_at(&t, 1, 1) == 0);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov's distance from the normal distribution of n independent numbers: P(D > d) <= 2 exp(-2
 * n d^2) (Dvoretzky, Kiefer, Wolfowitz; Massart), 5e-6 for n = 40,000 and d = 0.0127. At a node,
 * between two, and where there is no correlation. */
static void normal_in_every_place(void **state)
{
    enum { MEMBERS = 40000 };
    static double x[MEMBERS];
    static const struct {
        double length;
        int row, col;
    } places[] = {{0, 4, 9}, {TERRAIN_ERROR_LAG, 0, 0}, {8, 3, 3}, {8, 2, 30}, {100, 36, 52}};
    for (size_t k = SANITIZED(2, 0); k < SANITIZED(3, sizeof places / sizeof *places); k++) {
        double squares = 0, distance = 0;
        for (int n = 0; n < MEMBERS; n++) {
            const struct terrain_error t = error_of((uint64_t)n, 2, places[k].length);
            x[n] = terrain_error_at(&t, places[k].row, places[k].col);
            squares += x[n] * x[n];
        }
        qsort(x, MEMBERS, sizeof *x, by_size);
        for (int n = 0; n < MEMBERS; n++) {
            const double below = erfc(-x[n] / 2 / sqrt(2)) / 2;
            distance = fmax(distance, fmax(fabs(below - (double)n / MEMBERS),
                                           fabs(below - (n + 1.0) / MEMBERS)));
        }
        print_message("length %g cells: sd %.4f, distance %.5f\n", places[k].length,
                      sqrt(squares / MEMBERS), distance);
        assert_true(distance < 0.0127);
        /* The variance of 40,000 normal numbers, within five of its standard errors. */
        assert_true(fabs(squares / MEMBERS / 4 - 1) < 5 * sqrt(2.0 / MEMBERS));
    }
}

/* 1/e at the correlation length along rows and columns on the average over the lattice, less
 * beyond, and nothing at four nodes. */
static void correlation_over_its_length(void **state)
{
    enum { MEMBERS = 4000, LENGTH = 8, PLACES = 20 };
    double at[5] = {0}, down = 0, diagonal = 0;
    static const int lags[5] = {0, LENGTH / 2, LENGTH, 2 * LENGTH, 4 * LENGTH};
    for (int n = 0; n < MEMBERS; n++) {
        const struct terrain_error t = error_of((uint64_t)n, 1, LENGTH);
        for (int p = 0; p < PLACES; p++) {
            const double here = terrain_error_at(&t, 7, p);
            for (int k = 0; k < 5; k++) at[k] += here * terrain_error_at(&t, 7, p + lags[k]);
            down += terrain_error_at(&t, p, 7) * terrain_error_at(&t, p + LENGTH, 7);
            diagonal += terrain_error_at(&t, p, p) * terrain_error_at(&t, p + 5, p + 5);
        }
    }
    const double all = MEMBERS * PLACES, error = 5 / sqrt(MEMBERS * 2.0);
    for (int k = 0; k < 5; k++) print_message("lag %d: %.4f\n", lags[k], at[k] / all);
    assert_true(fabs(at[0] / all - 1) < error);
    assert_true(at[1] / all > 0.6 && at[1] / all < 0.95);
    assert_true(fabs(at[2] / all - exp(-1)) < error && fabs(down / all - exp(-1)) < error);
    assert_true(fabs(at[3] / all) < 0.1 && fabs(at[4] / all) < error);
    /* In the diagonal as the round exp(-(distance / length)^2), which it nearly is. */
    print_message("5 and 5: %.4f\n", diagonal / all);
    assert_true(fabs(diagonal / all - exp(-50.0 / (LENGTH * LENGTH))) < 0.03 + error);
}

/* ---- a spectrum ------------------------------------------------------------------------------ */

/* Octaves down to a cell, together with the given standard deviation; the first has the numbers of an
 * error of one length, and without an exponent it is that one, to the bit. */
static void octaves_down_to_a_cell(void **state)
{
    static const struct {
        double length;
        int count;
    } of[] = {{0, 1}, {1, 1}, {1.9, 1}, {2, 2}, {12, 4}, {64, 7}, {1e7, TERRAIN_OCTAVES}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct terrain_error t = error_of(3, 0.7, of[i].length);
        struct terrain_spectrum s, one;
        double squares = 0;
        terrain_spectrum_set(&s, &t, 0.5);
        terrain_spectrum_set(&one, &t, INFINITY);
        assert_int_equal(s.count, of[i].count);
        assert_int_equal(one.count, 1);
        assert_memory_equal(&one.octave[0], &t, sizeof t);
        for (int k = 0; k < s.count; k++) {
            const struct terrain_error *a = &s.octave[k], *b = &s.octave[k ? k - 1 : 0];
            squares += a->sd_m * a->sd_m;
            if (k) assert_true(fabs(a->sd_m / b->sd_m - sqrt(0.5)) < 1e-12 && a->seed != b->seed);
        }
        assert_true(fabs(sqrt(squares) - 0.7) < 1e-12);
        assert_true(s.octave[0].seed == t.seed && s.octave[0].nodes_per_cell == t.nodes_per_cell);
    }
}

static void every_cell_of_a_spectrum(void **state)
{
    static double z[CELLS], with[CELLS], part[CELLS];
    const struct terrain_error t = error_of(3, 0.7, 20);
    const struct window w = {3, 11, 21, 17};
    struct terrain_spectrum s;
    terrain_spectrum_set(&s, &t, 0.3);
    assert_int_equal(s.count, 5);
    slope(z);
    assert_true(terrain_spectrum_add(&s, ROWS, COLS, z, with));
    assert_true(terrain_spectrum_add_in(&s, w, COLS, z, part));
    assert_true(isnan(with[5 * COLS + 7]));
    for (int i = 0; i < CELLS; i++) {
        const int row = i / COLS, col = i % COLS;
        const double error_m = terrain_spectrum_at(&s, row, col),
                     alone = lattice_round(z[i] + error_m);
        const bool in =
            row >= w.row0 && row < w.row0 + w.rows && col >= w.col0 && col < w.col0 + w.cols;
        assert_true(fabs(error_m) < terrain_spectrum_most(&s));
        if (i == 5 * COLS + 7) continue;
        assert_true(alone != z[i] && memcmp(&alone, &with[i], sizeof alone) == 0);
        assert_memory_equal(&part[i], in ? &with[i] : &(double){0}, sizeof *part);
    }
}

/* The cubic B-spline. */
static double spline(double t)
{
    t = fabs(t);
    return t >= 2 ? 0 : t >= 1 ? pow(2 - t, 3) / 6 : 2.0 / 3 - t * t + t * t * t / 2;
}

/* Closed form of the mean of half the square of error(a) - error(b), two cells of a row: of each octave
 * its variance times 1 - its correlation, sum_i B(x - i) B(y - i) / sqrt(S(x) S(y)). */
static double semivariance(const struct terrain_spectrum *s, int a, int b)
{
    double sum = 0;
    for (int k = 0; k < s->count; k++) {
        const double x = (a + 0.5) * s->octave[k].nodes_per_cell,
                     y = (b + 0.5) * s->octave[k].nodes_per_cell;
        double common = 0, of_x = 0, of_y = 0;
        for (int i = (int)x - 3; i <= (int)y + 3; i++) {
            common += spline(x - i) * spline(y - i);
            of_x += spline(x - i) * spline(x - i);
            of_y += spline(y - i) * spline(y - i);
        }
        sum += s->octave[k].sd_m * s->octave[k].sd_m * (1 - common / sqrt(of_x * of_y));
    }
    return sum;
}

/* As drawn and in closed form. The bound is five standard errors of the mean square of independent normal numbers. */
static void variogram_of_a_spectrum(void **state)
{
    enum { MEMBERS = SANITIZED(400, 4000), PLACE = 9, LENGTH = 64 };
    static const double hurst[] = {0.2, 0.5, 0.8};
    static const int lags[] = {1, 2, 4, 8, 16, 32, 64, 300};
    enum { LAGS = sizeof lags / sizeof *lags };
    for (size_t h = 0; h < sizeof hurst / sizeof *hurst; h++) {
        double drawn[LAGS] = {0}, closed[LAGS];
        for (int n = 0; n < MEMBERS; n++) {
            const struct terrain_error t = error_of((uint64_t)n, 2, LENGTH);
            struct terrain_spectrum s;
            terrain_spectrum_set(&s, &t, hurst[h]);
            const double here = terrain_spectrum_at(&s, 5, PLACE);
            for (int k = 0; k < LAGS; k++) {
                const double away = terrain_spectrum_at(&s, 5, PLACE + lags[k]) - here;
                drawn[k] += away * away / 2 / MEMBERS;
                if (!n) closed[k] = semivariance(&s, PLACE, PLACE + lags[k]);
            }
        }
        for (int k = 0; k < LAGS; k++) {
            print_message("hurst %g, lag %d: %.4f drawn, %.4f in closed form\n", hurst[h], lags[k],
                          drawn[k], closed[k]);
            assert_true(fabs(drawn[k] / closed[k] - 1) < 5 * sqrt(2.0 / MEMBERS));
        }
        assert_true(fabs(closed[LAGS - 1] - 4) < 1e-9); /* far away: the variance */
    }
}

/* The closed form is nearly a power 2 H of the distance, far from a cell and from the length. */
static void power_of_the_distance(void **state)
{
    enum { LENGTH = 65536, NEAR = 64, FAR = 1024 };
    for (double hurst = 0.3; hurst < 0.85; hurst += 0.1) {
        const struct terrain_error t = error_of(1, 1, LENGTH);
        struct terrain_spectrum s;
        double near = 0, far = 0;
        terrain_spectrum_set(&s, &t, hurst);
        for (int at = 0; at < LENGTH; at += 1021) { /* over the places in the lattice */
            near += semivariance(&s, at, at + NEAR);
            far += semivariance(&s, at, at + FAR);
        }
        const double power = log(far / near) / log((double)FAR / NEAR);
        print_message("hurst %g: a power of %.3f\n", hurst, power);
        assert_true(fabs(power - 2 * hurst) < 0.1);
    }
}

/* Another member, another seed, another error; the numbers of members reach beyond 32 bits. */
static void members_differ(void **state)
{
    const struct terrain_error a = error_of(1, 1, 5), b = error_of(2, 1, 5);
    struct terrain_error c = a, d = a;
    c.seed = 12;
    d.number += (uint64_t)1 << 40;
    const double z = terrain_error_at(&a, 9, 9);
    assert_true(z != 0 && z != terrain_error_at(&b, 9, 9) && z != terrain_error_at(&c, 9, 9) &&
                z != terrain_error_at(&d, 9, 9) && z == terrain_error_at(&a, 9, 9));
}

int main(void)
{
    return UNIT_RUN(every_cell_by_itself, none_is_none, normal_in_every_place,
                    correlation_over_its_length, octaves_down_to_a_cell, every_cell_of_a_spectrum,
                    variogram_of_a_spectrum, power_of_the_distance, members_differ);
}
