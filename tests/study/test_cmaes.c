/* The optimiser on the usual functions: how many evaluations it needs. Those of another
 * implementation stand beside the limits; a strategy with a mistake needs several times as many,
 * or never comes there. */
#include "search/search.h"
#include "search/stagnation.h"
#include "effort.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SEEDS = SANITIZED(3, 11), N_MAX = 10 };
static const double PI = 3.14159265358979323846;

static double sphere(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

static double ellipsoid(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += pow(1e6, (double)i / (n - 1)) * x[i] * x[i];
    return sum;
}

/* The same along axes that are none of the coordinates' (a Householder reflection). */
static double turned_ellipsoid(const double *x, int n)
{
    double y[N_MAX], along = 0, length2 = 0;
    for (int i = 0; i < n; i++) along += (i + 1) * x[i], length2 += (i + 1) * (i + 1);
    for (int i = 0; i < n; i++) y[i] = x[i] - 2 * (i + 1) * along / length2;
    return ellipsoid(y, n);
}

static double rosenbrock(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += 100 * (x[i] * x[i] - x[i + 1]) * (x[i] * x[i] - x[i + 1]) + (x[i] - 1) * (x[i] - 1);
    return sum;
}

static double rastrigin(const double *x, int n)
{
    double sum = 10 * n;
    for (int i = 0; i < n; i++) sum += x[i] * x[i] - 10 * cos(2 * PI * x[i]);
    return sum;
}

typedef double function(const double *x, int n);

/* Evaluations until one costs no more than `target`, -1: it stopped before. */
static int evaluations(function *f, int n, double start, double step, double target, uint64_t seed)
{
    double from[N_MAX], *cost;
    struct cmaes *c;
    struct error e = {0};
    int done = 0, found = -1;
    for (int i = 0; i < n; i++) from[i] = start;
    const struct cmaes_options o = {
        .dimensions = n, .start = from, .step = step, .tol_x = 1e-12, .seed = seed};
    assert_int_equal(cmaes_create(&c, &o, &e), 0);
    const int lambda = cmaes_population(c);
    assert_non_null(cost = malloc((size_t)lambda * sizeof *cost));
    while (found < 0 && done < 100000 && !cmaes_stop(c)) {
        const double *x = cmaes_ask(c);
        for (int k = 0; k < lambda; k++) {
            cost[k] = f(x + k * n, n);
            done++;
            if (found < 0 && cost[k] <= target) found = done;
        }
        assert_int_equal(cmaes_tell(c, cost, &e), 0);
    }
    free(cost);
    cmaes_destroy(c);
    return found;
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int median(const char *name, function *f, int n, double start, double step, double target)
{
    int count[SEEDS];
    for (int s = 0; s < SEEDS; s++) count[s] = evaluations(f, n, start, step, target, (uint64_t)s);
    qsort(count, SEEDS, sizeof *count, by_size);
    printf("%-18s n %2d: %d evaluations, %d to %d\n", name, n, count[SEEDS / 2], count[0],
           count[SEEDS - 1]);
    return count[SEEDS / 2];
}

/* Beside the limits: the median of 11 seeds of python3-cmaes 0.9.1 (Debian), of the same functions,
 * starts, steps and targets; ours with the seeds 0 to 10. The limit is a sixth above the latter. */
static void needs_few_evaluations(void **state)
{
    static const struct {
        const char *name;
        function *f;
        int n;
        double start;
        int theirs, ours;
    } row[] = {{"sphere", sphere, 5, 1, 724, 740},
               {"sphere", sphere, 10, 1, 1522, 1550},
               {"ellipsoid", ellipsoid, 10, 1, 4297, 4005},
               {"turned ellipsoid", turned_ellipsoid, 10, 1, 4421, 4190},
               {"Rosenbrock", rosenbrock, 5, 0, 1728, 1719},
               {"Rosenbrock", rosenbrock, 10, 0, 5095, 5244}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const int needed = median(row[i].name, row[i].f, row[i].n, row[i].start, 0.3, 1e-9);
        assert_true(needed > row[i].theirs / 2 && needed < row[i].ours * 7 / 6);
    }
}

/* ---- restarts, and bounds -------------------------------------------------------------------- */

/* Evaluations until the best is found between -4 and 5 in each coordinate; how often it began
 * again. */
static int find_rastrigin(int n, uint64_t seed, int most, int *restarts)
{
    double start[N_MAX], *score = NULL;
    struct search s;
    struct error e = {0};
    int found = -1;
    for (int i = 0; i < n; i++) start[i] = 0.9;
    const struct search_options o = {
        .dimensions = n, .start = start, .tol_x = 1e-9, .tol_score = 1e-10, .seed = seed};
    assert_int_equal(search_create(&s, &o, &e), 0);
    while (found < 0 && s.asked < most) {
        int count;
        const double *unit = search_ask(&s, &count);
        assert_non_null(score = realloc(score, (size_t)count * sizeof *score));
        for (int k = 0; k < count; k++) {
            double x[N_MAX];
            for (int i = 0; i < n; i++) {
                assert_true(unit[k * n + i] >= 0 && unit[k * n + i] <= 1);
                x[i] = -4 + 9 * unit[k * n + i];
            }
            score[k] = -rastrigin(x, n);
            if (found < 0 && score[k] >= -1e-8) found = (int)s.asked + k + 1;
        }
        assert_int_equal(search_tell(&s, score, &e), 0);
    }
    *restarts = s.restart;
    free(score);
    search_free(&s);
    return found;
}

/* One search of the usual population ends in one of many local minima; larger ones find the best.
 * python3-cmaes, with the same restarts and bounds by drawing again: a median of 12682 (of 11
 * seeds, 10 of which began again). */
static void restarts_find_the_best_of_many(void **state)
{
    (void)state;
    int count[SEEDS], began_again = 0;
    for (int s = 0; s < SEEDS; s++) {
        int restarts;
        count[s] = find_rastrigin(5, (uint64_t)s, 200000, &restarts);
        assert_true(count[s] > 0);
        began_again += restarts > 0;
    }
    qsort(count, SEEDS, sizeof *count, by_size);
    printf("Rastrigin          n  5: %d evaluations, %d to %d; %d of %d began again\n",
           count[SEEDS / 2], count[0], count[SEEDS - 1], began_again, SEEDS);
    assert_true(began_again > SEEDS / 2 && count[SEEDS / 2] < 2 * 12682);
}

/* The best is in a corner, and costs rise steeply from there. */
static void finds_a_best_on_the_bounds(void **state)
{
    (void)state;
    double start[3] = {0.5, 0.5, 0.5}, score[64], most = -1e9;
    struct search s;
    struct error e = {0};
    const struct search_options o = {.dimensions = 3, .start = start, .tol_x = 1e-6};
    assert_int_equal(search_create(&s, &o, &e), 0);
    while (!s.restart) {
        int count;
        const double *x = search_ask(&s, &count);
        assert_true(count <= 64);
        for (int k = 0; k < count; k++) {
            score[k] = x[3 * k] - 2 * x[3 * k + 1] + 3 * x[3 * k + 2];
            if (score[k] > most) most = score[k];
        }
        assert_int_equal(search_tell(&s, score, &e), 0);
        assert_true(s.asked < 5000);
    }
    assert_true(most > 4 - 1e-5 && most <= 4);
    search_free(&s);
}

static void folds(void **state)
{
    (void)state;
    const double x[] = {0, 0.25, 1, 1.25, 2, 2.25, 3.5, -0.25, -1.25, -2.25, 40.5},
                 y[] = {0, 0.25, 1, 0.75, 0, 0.25, 0.5, 0.25, 0.75, 0.25, 0.5};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) assert_true(search_fold(x[i]) == y[i]);
}

/* ---- where costs are noisy ------------------------------------------------------------------- */

/* From 0 to 1, another at each point. */
static double noise(const double *x, int n)
{
    uint64_t bits = 1;
    for (int i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, x + i, sizeof word);
        bits = (bits ^ word) * 0x9e3779b97f4a7c15ULL;
        bits ^= bits >> 29;
    }
    return (double)(bits >> 11) * 0x1p-53;
}

/* Populations of 16 until a search in 3 dimensions stops. */
static int populations(double of_noise, enum cmaes_stop *why)
{
    const double from[3] = {3, 3, 3};
    const struct cmaes_options o = {
        .dimensions = 3, .population = 16, .start = from, .step = 1, .tol_x = 1e-12, .seed = 5};
    struct error e = {0};
    struct cmaes *c;
    double cost[16];
    int count = 0;
    assert_int_equal(cmaes_create(&c, &o, &e), 0);
    while (!(*why = cmaes_stop(c)) && count < 2000) {
        const double *x = cmaes_ask(c);
        for (int k = 0; k < 16; k++)
            cost[k] = sphere(x + 3 * k, 3) + of_noise * noise(x + 3 * k, 3);
        assert_int_equal(cmaes_tell(c, cost, &e), 0);
        count++;
    }
    cmaes_destroy(c);
    return count;
}

static void stops_in_noise(void **state)
{
    (void)state;
    enum cmaes_stop why;
    const int least = 120 + 30 * 3 / 16, quiet = populations(0, &why);
    assert_int_equal(why, CMAES_TOL_X);
    const int noisy = populations(0.1, &why);
    print_message("%d populations without noise, %d with\n", quiet, noisy);
    assert_int_equal(why, CMAES_STAGNATION);
    assert_true(noisy >= least && noisy < 10 * least);
}

static void stagnates_by_medians(void **state)
{
    (void)state;
    struct stagnation falls = {0}, flat = {0}, best_falls = {0};
    struct error e = {0};
    for (int i = 0; i < 40; i++) {
        if (i < 20) assert_true(!stagnation_seen(&flat, 20));
        assert_int_equal(stagnation_note(&falls, -i, 3 - 0.001 * i, &e), 0);
        assert_int_equal(stagnation_note(&flat, i % 3, i % 5 ? 7 : NAN, &e), 0);
        assert_int_equal(stagnation_note(&best_falls, -i, 3, &e), 0);
    }
    assert_true(!stagnation_seen(&falls, 20) && !stagnation_seen(&best_falls, 20));
    assert_true(stagnation_seen(&flat, 20) && !stagnation_seen(&flat, 41));
    for (int i = 0; i < 20; i++) assert_int_equal(stagnation_note(&falls, -20, 3, &e), 0);
    assert_true(stagnation_seen(&falls, 20) && !stagnation_seen(&falls, 60));
    stagnation_free(&falls);
    stagnation_free(&flat);
    stagnation_free(&best_falls);
}

/* ---- the same again -------------------------------------------------------------------------- */

/* The order of costs decides, and NaN is the worst; a seed decides, and where points count from. */
static void only_ranks_count(void **state)
{
    (void)state;
    struct error e = {0};
    double from[4] = {1, 1, 1, 1}, cost[4][8];
    struct cmaes *c[4];
    for (int i = 0; i < 4; i++) {
        const struct cmaes_options o = {
            .dimensions = 4, .population = 8, .start = from, .step = 0.5, .seed = i == 3 ? 2 : 1};
        assert_int_equal(cmaes_create(&c[i], &o, &e), 0);
    }
    for (int g = 0; g < 20; g++) {
        const double *x = cmaes_ask(c[0]);
        int worst = 0;
        for (int k = 0; k < 8; k++) {
            cost[0][k] = sphere(x + 4 * k, 4);
            cost[1][k] = cost[2][k] = 5 + cost[0][k] * cost[0][k];
            if (cost[0][k] > cost[0][worst]) worst = k;
        }
        cost[2][worst] = NAN;
        for (int i = 1; i < 3; i++) assert_memory_equal(cmaes_ask(c[i]), x, 4 * 8 * sizeof *x);
        assert_memory_not_equal(cmaes_ask(c[3]), x, 4 * 8 * sizeof *x);
        for (int k = 0; k < 8; k++) cost[3][k] = sphere(cmaes_ask(c[3]) + 4 * k, 4);
        for (int i = 0; i < 4; i++) assert_int_equal(cmaes_tell(c[i], cost[i], &e), 0);
    }
    for (int i = 0; i < 4; i++) cmaes_destroy(c[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(needs_few_evaluations),
                                       cmocka_unit_test(restarts_find_the_best_of_many),
                                       cmocka_unit_test(finds_a_best_on_the_bounds),
                                       cmocka_unit_test(folds),
                                       cmocka_unit_test(stops_in_noise),
                                       cmocka_unit_test(stagnates_by_medians),
                                       cmocka_unit_test(only_ranks_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
