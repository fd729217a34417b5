/* The optimiser on the usual functions: how many evaluations it needs. Those of another
 * implementation stand beside the limits; a strategy with a mistake needs several times as many,
 * or never comes there. */
/* tests: study/search */
/* run: plain, sanitized, quick */
#include "random/philox.h"
#include "random/quantile.h"
#include "search/search.h"
#include "effort.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const int needed = median(row[i].name, row[i].f, row[i].n, row[i].start, 0.3, 1e-9);
        assert_true(needed > row[i].theirs / 2 && needed < row[i].ours * 7 / 6);
    }
}

/* ---- against the tutorial --------------------------------------------------------------------- */

/* The strategy once more, written down from the tutorial's figure 6 and table 1 (arXiv:1604.00772):
 * it sees points and costs, and predicts mean and covariance of the next population. */
struct tutorial {
    int n, lambda, mu, generation;
    double w[64], sum_w, mu_eff, c_s, d_s, c_c, c_1, c_mu, chi;
    double m[N_MAX], sigma, p_s[N_MAX], p_c[N_MAX], C[N_MAX][N_MAX];
    int stalled, bounded; /* generations in which h_sigma was 0; sigma grew e-fold, not more */
};

static double effective_of(const double *w, int from, int to)
{
    double sum = 0, squares = 0;
    for (int i = from; i < to; i++) sum += w[i], squares += w[i] * w[i];
    return sum * sum / squares;
}

static void tutorial_begin(struct tutorial *t, int n, int lambda, double start, double step)
{
    *t = (struct tutorial){.n = n, .lambda = lambda, .mu = lambda / 2, .sigma = step};
    double above = 0, below = 0;
    for (int i = 0; i < lambda; i++) {
        t->w[i] = log((lambda + 1) / 2.0) - log(i + 1);
        *(t->w[i] >= 0 ? &above : &below) += fabs(t->w[i]);
    }
    const double mu_eff = t->mu_eff = effective_of(t->w, 0, t->mu),
                 mu_minus = effective_of(t->w, t->mu, lambda);
    t->c_1 = 2 / (pow(n + 1.3, 2) + mu_eff);
    t->c_mu = fmin(1 - t->c_1, 2 * (1 / 4.0 + mu_eff + 1 / mu_eff - 2) / (pow(n + 2, 2) + mu_eff));
    t->c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    t->c_s = (mu_eff + 2) / (n + mu_eff + 5);
    t->d_s = 1 + 2 * fmax(0, sqrt((mu_eff - 1) / (n + 1)) - 1) + t->c_s;
    t->chi = sqrt(n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
    const double alpha = fmin(fmin(1 + t->c_1 / t->c_mu, 1 + 2 * mu_minus / (mu_eff + 2)),
                              (1 - t->c_1 - t->c_mu) / (n * t->c_mu));
    for (int i = 0; i < lambda; i++) {
        t->w[i] *= t->w[i] >= 0 ? 1 / above : alpha / below;
        t->sum_w += t->w[i];
    }
    for (int i = 0; i < n; i++) t->m[i] = start, t->C[i][i] = 1;
}

/* By elimination with pivots. */
static void inverse_of(const double a[N_MAX][N_MAX], int n, double out[N_MAX][N_MAX])
{
    double b[N_MAX][2 * N_MAX] = {{0}};
    for (int i = 0; i < n; i++) {
        memcpy(b[i], a[i], (size_t)n * sizeof **a);
        b[i][n + i] = 1;
    }
    for (int k = 0; k < n; k++) {
        int top = k;
        for (int i = k; i < n; i++)
            if (fabs(b[i][k]) > fabs(b[top][k])) top = i;
        for (int j = 0; j < 2 * n; j++) {
            const double x = b[k][j];
            b[k][j] = b[top][j], b[top][j] = x;
        }
        for (int i = 0; i < n; i++) {
            const double times = b[i][k] / b[k][k];
            for (int j = 0; i != k && j < 2 * n; j++) b[i][j] -= times * b[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) out[i][j] = b[i][n + j] / b[i][i];
}

/* C^(-1/2) by Newton's iteration of Denman and Beavers, which needs no eigenvectors. */
static void inverse_root(const double C[N_MAX][N_MAX], int n, double root[N_MAX][N_MAX])
{
    double y[N_MAX][N_MAX], y1[N_MAX][N_MAX], z1[N_MAX][N_MAX];
    memcpy(y, C, sizeof y);
    memset(root, 0, sizeof y);
    for (int i = 0; i < n; i++) root[i][i] = 1;
    for (int repeat = 0; repeat < 40; repeat++) {
        inverse_of((const double(*)[N_MAX])y, n, y1);
        inverse_of((const double(*)[N_MAX])root, n, z1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                y[i][j] = (y[i][j] + z1[i][j]) / 2;
                root[i][j] = (root[i][j] + y1[i][j]) / 2;
            }
    }
}

static double length_turned(const double root[N_MAX][N_MAX], const double *y, int n, double *turned)
{
    double squares = 0;
    for (int i = 0; i < n; i++) {
        turned[i] = 0;
        for (int j = 0; j < n; j++) turned[i] += root[i][j] * y[j];
        squares += turned[i] * turned[i];
    }
    return sqrt(squares);
}

/* x in order of their costs, the best first. */
static void tutorial_update(struct tutorial *t, const double *const *x)
{
    const int n = t->n;
    double y[64][N_MAX], y_w[N_MAX] = {0}, root[N_MAX][N_MAX], turned[N_MAX];
    for (int k = 0; k < t->lambda; k++)
        for (int i = 0; i < n; i++) {
            y[k][i] = (x[k][i] - t->m[i]) / t->sigma;
            if (k < t->mu) y_w[i] += t->w[k] * y[k][i];
        }
    inverse_root((const double(*)[N_MAX])t->C, n, root);
    length_turned((const double(*)[N_MAX])root, y_w, n, turned);
    double length = 0;
    for (int i = 0; i < n; i++) {
        t->m[i] += t->sigma * y_w[i];
        t->p_s[i] = (1 - t->c_s) * t->p_s[i] + sqrt(t->c_s * (2 - t->c_s) * t->mu_eff) * turned[i];
        length += t->p_s[i] * t->p_s[i];
    }
    length = sqrt(length);
    const double g = ++t->generation;
    const int h = length / sqrt(1 - pow(1 - t->c_s, 2 * g)) < (1.4 + 2.0 / (n + 1)) * t->chi;
    t->stalled += !h;
    for (int i = 0; i < n; i++)
        t->p_c[i] = (1 - t->c_c) * t->p_c[i] + h * sqrt(t->c_c * (2 - t->c_c) * t->mu_eff) * y_w[i];
    const double growth = t->c_s / t->d_s * (length / t->chi - 1);
    t->bounded += growth > 1;
    t->sigma *= exp(fmin(1, growth));
    double w[64];
    for (int k = 0; k < t->lambda; k++) {
        const double norm = length_turned((const double(*)[N_MAX])root, y[k], n, turned);
        w[k] = t->w[k] * (t->w[k] >= 0 ? 1 : n / (norm * norm));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double rank_mu = 0;
            for (int k = 0; k < t->lambda; k++) rank_mu += w[k] * y[k][i] * y[k][j];
            t->C[i][j] =
                (1 + t->c_1 * (1 - h) * t->c_c * (2 - t->c_c) - t->c_1 - t->c_mu * t->sum_w) *
                    t->C[i][j] +
                t->c_1 * t->p_c[i] * t->p_c[j] + t->c_mu * rank_mu;
        }
}

/* Points are m + A z with A A^T = sigma^2 C, and z is known: m and A from the first n + 1 points. */
static void check_population(const struct tutorial *t, const double *x, uint64_t seed)
{
    const int n = t->n;
    double rows[N_MAX][N_MAX] = {{0}}, inverse[N_MAX][N_MAX], A[N_MAX][N_MAX], scale = 0;
    for (int k = 0; k <= n; k++) {
        const uint64_t number = (uint64_t)t->generation * (uint64_t)t->lambda + (uint64_t)k;
        for (int i = 0; i < n; i++)
            rows[k][i] = normal_quantile(philox_unit(philox_bits(seed, 67, number, (uint32_t)i)));
        rows[k][n] = 1;
    }
    inverse_of((const double(*)[N_MAX])rows, n + 1, inverse);
    for (int i = 0; i < n; i++) scale = fmax(scale, t->sigma * sqrt(t->C[i][i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) {
            A[i][j] = 0;
            for (int k = 0; k <= n; k++) A[i][j] += inverse[j][k] * x[k * n + i];
            if (j == n) assert_true(fabs(A[i][n] - t->m[i]) < 1e-7 * scale);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double covariance = 0;
            for (int k = 0; k < n; k++) covariance += A[i][k] * A[j][k];
            assert_true(fabs(covariance - t->sigma * t->sigma * t->C[i][j]) < 1e-7 * scale * scale);
        }
}

static double slope(const double *x, int n)
{
    (void)n;
    return x[0];
}

static double flat(const double *x, int n)
{
    (void)x, (void)n;
    return 0;
}

/* 30 populations of each function. On a slope p_c is stalled, and steps grow until the bound of
 * their growth counts; costs that are equal rank in their order. */
static void is_the_tutorials(void **state)
{
    static const struct {
        function *f;
        int n, lambda;
        double start, step;
    } row[] = {{rosenbrock, 3, 7, 0, 0.3}, {turned_ellipsoid, 4, 12, 1, 0.3},
               {sphere, 2, 6, 1000, 0.1},  {ellipsoid, 5, 40, 1, 0.3},
               {flat, 3, 9, 1, 0.3},       {slope, 1, 4, 1, 0.3},
               {slope, 1, 4, 1, 0.3},      {slope, 1, 4, 1, 0.3},
               {slope, 1, 4, 1, 0.3}};
    int stalled = 0, bounded = 0;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const int n = row[r].n, lambda = row[r].lambda;
        double from[N_MAX], cost[64];
        struct tutorial t;
        struct cmaes *c;
        struct error e = {0};
        for (int i = 0; i < n; i++) from[i] = row[r].start;
        const struct cmaes_options o = {
            .dimensions = n, .population = lambda, .start = from, .step = row[r].step, .seed = r};
        assert_int_equal(cmaes_create(&c, &o, &e), 0);
        tutorial_begin(&t, n, lambda, row[r].start, row[r].step);
        for (int g = 0; g < 30; g++) {
            const double *x = cmaes_ask(c), *sorted[64];
            check_population(&t, x, r);
            for (int k = 0; k < lambda; k++) {
                int i = k;
                cost[k] = row[r].f(x + k * n, n);
                for (; i > 0 && row[r].f(sorted[i - 1], n) > cost[k]; i--)
                    sorted[i] = sorted[i - 1];
                sorted[i] = x + k * n;
            }
            tutorial_update(&t, sorted);
            assert_int_equal(cmaes_tell(c, cost, &e), 0);
        }
        stalled += t.stalled;
        bounded += t.bounded;
        cmaes_destroy(c);
    }
    print_message("p_c stalled %d times, growth was bounded %d times\n", stalled, bounded);
    assert_true(stalled > 0 && bounded > 0);
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

/* Why a search in two dimensions stops, by populations of 10. */
static enum cmaes_stop stop_of(function *f, double tol_cost, int *count)
{
    const double from[2] = {1, 1};
    const struct cmaes_options o = {
        .dimensions = 2, .population = 10, .start = from, .step = 0.3, .tol_cost = tol_cost};
    struct error e = {0};
    struct cmaes *c;
    double cost[10];
    enum cmaes_stop why;
    assert_int_equal(cmaes_create(&c, &o, &e), 0);
    for (*count = 0; !(why = cmaes_stop(c)) && *count < 3000; ++*count) {
        const double *x = cmaes_ask(c);
        for (int k = 0; k < 10; k++) cost[k] = f(x + 2 * k, 2);
        assert_int_equal(cmaes_tell(c, cost, &e), 0);
    }
    cmaes_destroy(c);
    return why;
}

static double narrow(const double *x, int n)
{
    (void)n;
    return x[0] * x[0] + 1e18 * x[1] * x[1];
}

/* The best of 10 is always about 1, the others are not. */
static double good_by_chance(const double *x, int n)
{
    const double u = noise(x, n);
    return u < 0.5 ? 1 + 1e-4 * u : 1000 * u;
}

static double nearly_flat(const double *x, int n)
{
    return 1 + 1e-4 * noise(x, n);
}

static void stops_for_a_reason(void **state)
{
    enum { RECENT = 10 + 30 * 2 / 10 };
    int count;
    assert_int_equal(stop_of(flat, 0, &count), CMAES_FLAT);
    assert_int_equal(count, RECENT);
    assert_int_equal(stop_of(slope, 0, &count), CMAES_DIVERGED);
    assert_int_equal(stop_of(narrow, 0, &count), CMAES_CONDITION);
    assert_int_equal(stop_of(nearly_flat, 1e-3, &count), CMAES_TOL_COST);
    assert_int_equal(count, RECENT);
    assert_int_equal(stop_of(good_by_chance, 1e-3, &count), CMAES_STAGNATION);
    assert_true(count > RECENT);
}

static void stops_in_noise(void **state)
{
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
    struct stagnation falls = {0}, flat = {0}, best_falls = {0}, median_falls = {0};
    struct error e = {0};
    for (int i = 0; i < 40; i++) {
        if (i < 20) assert_true(!stagnation_seen(&flat, 20));
        assert_int_equal(stagnation_note(&falls, -i, 3 - 0.001 * i, &e), 0);
        assert_int_equal(stagnation_note(&flat, i % 3, i % 5 ? 7 : NAN, &e), 0);
        assert_int_equal(stagnation_note(&best_falls, -i, 3, &e), 0);
        assert_int_equal(stagnation_note(&median_falls, 3, -i, &e), 0);
    }
    assert_true(!stagnation_seen(&falls, 20) && !stagnation_seen(&best_falls, 20));
    assert_true(!stagnation_seen(&median_falls, 20));
    assert_true(stagnation_seen(&flat, 20) && !stagnation_seen(&flat, 41));
    for (int i = 0; i < 20; i++) assert_int_equal(stagnation_note(&falls, -20, 3, &e), 0);
    assert_true(stagnation_seen(&falls, 20) && !stagnation_seen(&falls, 60));
    stagnation_free(&falls);
    stagnation_free(&flat);
    stagnation_free(&best_falls);
    stagnation_free(&median_falls);
}

/* ---- the same again -------------------------------------------------------------------------- */

/* The order of costs decides, and NaN is the worst; a seed decides, and where points count from. */
static void only_ranks_count(void **state)
{
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
    return UNIT_RUN(needs_few_evaluations, is_the_tutorials, restarts_find_the_best_of_many,
                    finds_a_best_on_the_bounds, folds, stops_for_a_reason, stops_in_noise,
                    stagnates_by_medians, only_ranks_count);
}
