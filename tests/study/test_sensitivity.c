/* Sensitivity indices of functions whose indices are known: where the points lie, Sobol indices and
 * Morris' effects with their intervals, and the sums of cells. */
/* tests: study/sensitivity */
/* run: plain, sanitized, quick */
#include "effort.h"
#include "sensitivity/cells.h"
#include "unit.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, Z = 1.959963984540054; /* of 95 % */
enum { MANY = SANITIZED(2048, 8192), RESAMPLES = 200 };

typedef double function(const double *x);

static struct design prepared(int method, int dimensions, int64_t groups, uint64_t seed)
{
    return (struct design){.method = method,
                           .dimensions = dimensions,
                           .groups = groups,
                           .second_order = true,
                           .levels = 4,
                           .seed = seed};
}

/* The indices of a function, with intervals of that confidence. */
static struct indices indices_within(function *f, struct design *d, double confidence)
{
    struct error e = {0};
    struct indices x;
    const struct resampling r = {RESAMPLES, confidence};
    assert_int_equal(design_prepare(d, &e), 0);
    double *y = malloc((size_t)(d->groups * d->points) * sizeof *y);
    assert_non_null(y);
    for (int64_t i = 0; i < d->groups * d->points; i++) {
        double unit[DESIGN_DIMENSIONS_MAX];
        design_point(d, i / d->points, (int)(i % d->points), unit);
        y[i] = f(unit);
    }
    assert_int_equal(indices_compute(&x, d, y, &r, &e), 0);
    free(y);
    return x;
}

/* The indices of a function, the design as well. */
static struct indices indices_of(function *f, struct design *d)
{
    return indices_within(f, d, 0.95);
}

/* ---- where the points lie -------------------------------------------------------------------- */

static void sobol_groups_mix_two_points(void **state)
{
    enum { K = 5 };
    struct error e = {0};
    struct design d = prepared(METHOD_SOBOL, K, 64, 3);
    double a[K], b[K], x[K], sum[2 * K] = {0};
    assert_int_equal(design_prepare(&d, &e), 0);
    assert_int_equal(d.points, 2 * K + 2);
    for (int64_t g = 0; g < d.groups; g++) {
        design_point(&d, g, 0, a);
        design_point(&d, g, design_b(&d), b);
        for (int i = 0; i < K; i++) {
            assert_true(a[i] > 0 && a[i] < 1 && b[i] > 0 && b[i] < 1 && a[i] != b[i]);
            sum[i] += a[i];
            sum[K + i] += b[i];
            design_point(&d, g, design_ab(i), x);
            for (int k = 0; k < K; k++) assert_true(x[k] == (k == i ? b[k] : a[k]));
            design_point(&d, g, design_ba(&d, i), x);
            for (int k = 0; k < K; k++) assert_true(x[k] == (k == i ? a[k] : b[k]));
        }
    }
    /* 64 points of a sequence: one in each 64th, in each coordinate */
    for (int i = 0; i < 2 * K; i++) assert_true(fabs(sum[i] / 64 - 0.5) < 1.0 / 64);
}

static void more_groups_begin_with_the_same(void **state)
{
    struct error e = {0};
    double x[3], y[3];
    for (int method = METHOD_MORRIS; method <= METHOD_SOBOL; method++) {
        struct design few = prepared(method, 3, 5, 8), many = prepared(method, 3, 700, 8);
        assert_int_equal(design_prepare(&few, &e) || design_prepare(&many, &e), 0);
        for (int i = 0; i < 5 * few.points; i++) {
            design_point(&few, i / few.points, i % few.points, x);
            design_point(&many, i / few.points, i % few.points, y);
            assert_memory_equal(x, y, sizeof x);
        }
    }
}

static void trajectories_step_along_each_coordinate(void **state)
{
    enum { K = 6, LEVELS = 6 };
    struct error e = {0};
    struct design d = prepared(METHOD_MORRIS, K, 600, 1);
    int at_level[LEVELS] = {0}, first[K] = {0}, rises = 0;
    double before[K], x[K];
    d.levels = LEVELS;
    assert_int_equal(design_prepare(&d, &e), 0);
    for (int64_t g = 0; g < d.groups; g++) {
        bool seen[K] = {false};
        design_point(&d, g, 0, before);
        for (int s = 0; s < K; s++) {
            int sign;
            const int i = design_step(&d, g, s, &sign);
            assert_true(!seen[i]);
            seen[i] = true;
            first[i] += s == 0;
            rises += sign > 0;
            design_point(&d, g, s + 1, x);
            for (int k = 0; k < K; k++) {
                const double level = x[k] * (LEVELS - 1);
                assert_true(fabs(level - round(level)) < 1e-12 && x[k] >= 0 && x[k] <= 1);
                if (k != i) assert_true(x[k] == before[k]);
                else assert_true(fabs(x[k] - before[k] - sign * design_delta(&d)) < 1e-12);
            }
            memcpy(before, x, sizeof x);
        }
        for (int k = 0; k < K; k++) at_level[(int)round(x[k] * (LEVELS - 1))]++;
    }
    /* within 4.5 standard deviations of a fair share */
    for (int l = 0; l < LEVELS; l++)
        assert_true(fabs(at_level[l] - 600.0 * K / LEVELS) < 4.5 * sqrt(600.0 * K / LEVELS));
    for (int k = 0; k < K; k++) assert_true(fabs(first[k] - 100.0) < 4.5 * sqrt(100.0));
    assert_true(fabs(rises - 1800.0) < 4.5 * 30);
}

/* ---- Sobol indices --------------------------------------------------------------------------- */

/* Within 4 standard deviations, which the interval tells, and within `most`. */
static void is_near(const char *what, double value, double conf, double truth, double most)
{
    const double deviation = conf / Z;
    if (fabs(value - truth) > 4 * deviation + 1e-12 || fabs(value - truth) > most)
        fail_msg("%s is %g +- %g, not %g", what, value, conf, truth);
}

/* T. Ishigami, T. Homma, Proc. ISUMA'90, 398-403 */
static double ishigami(const double *u)
{
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = PI * (2 * u[i] - 1);
    return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

/* Of n samples, random ones, an index has a standard deviation of about 2 / sqrt(n) at most;
 * Sobol's points do better. */
static void ishigami_has_its_indices(void **state)
{
    const double v1 = 0.5 * pow(1 + 0.1 * pow(PI, 4) / 5, 2), v2 = 49.0 / 8,
                 v13 = 8 * 0.01 * pow(PI, 8) / 225, v = v1 + v2 + v13;
    const double first[] = {v1 / v, v2 / v, 0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
    struct design d = prepared(METHOD_SOBOL, 3, MANY, 1);
    const struct indices x = indices_of(ishigami, &d);
    const double most = 2 / sqrt(MANY);
    assert_true(x.varies && fabs(x.mean / 3.5 - 1) < most && fabs(x.variance / v - 1) < most);
    for (int i = 0; i < 3; i++) {
        is_near("S1", x.of[SOBOL_S1][i], x.of[SOBOL_S1_CONF][i], first[i], most);
        is_near("ST", x.of[SOBOL_ST][i], x.of[SOBOL_ST_CONF][i], total[i], most);
        for (int j = i + 1; j < 3; j++)
            is_near("S2", x.S2[i][j], x.S2_conf[i][j], i == 0 && j == 2 ? v13 / v : 0, 2 * most);
        printf("Ishigami x%d: S1 %.4f (%.4f), ST %.4f (%.4f)\n", i + 1, x.of[SOBOL_S1][i], first[i],
               x.of[SOBOL_ST][i], total[i]);
    }
}

enum { G = 8 };
static const double g_a[G] = {0, 1, 4.5, 9, 99, 99, 99, 99};

/* A. Saltelli, I. M. Sobol', Matematicheskoe Modelirovanie 7 (1995) 16-28 */
static double g_function(const double *u)
{
    double product = 1;
    for (int i = 0; i < G; i++) product *= (fabs(4 * u[i] - 2) + g_a[i]) / (1 + g_a[i]);
    return product;
}

static void g_function_has_its_indices(void **state)
{
    double part[G], all = 1;
    for (int i = 0; i < G; i++) {
        part[i] = 1 / (3 * (1 + g_a[i]) * (1 + g_a[i]));
        all *= 1 + part[i];
    }
    struct design d = prepared(METHOD_SOBOL, G, MANY, 2);
    const struct indices x = indices_of(g_function, &d);
    const double v = all - 1, most = 2 / sqrt(MANY);
    for (int i = 0; i < G; i++) {
        is_near("S1", x.of[SOBOL_S1][i], x.of[SOBOL_S1_CONF][i], part[i] / v, most);
        is_near("ST", x.of[SOBOL_ST][i], x.of[SOBOL_ST_CONF][i], part[i] * all / (1 + part[i]) / v,
                most);
    }
    is_near("S2", x.S2[0][1], x.S2_conf[0][1], part[0] * part[1] / v, 2 * most);
}

/* x4 does nothing. */
static double additive(const double *u)
{
    return 1e6 + 3 * u[0] - 2 * u[1] * u[1] + exp(u[2]);
}

static void additive_functions_have_no_interactions(void **state)
{
    struct design d = prepared(METHOD_SOBOL, 4, MANY, 5);
    const struct indices x = indices_of(additive, &d);
    const double variances[] = {9 / 12.0, 4 * (1 / 5.0 - 1 / 9.0),
                                (exp(2) - 1) / 2 - (exp(1) - 1) * (exp(1) - 1)};
    const double sum = variances[0] + variances[1] + variances[2];
    for (int i = 0; i < 3; i++) {
        is_near("S1", x.of[SOBOL_S1][i], x.of[SOBOL_S1_CONF][i], variances[i] / sum,
                2 / sqrt(MANY));
        is_near("ST", x.of[SOBOL_ST][i], x.of[SOBOL_ST_CONF][i], variances[i] / sum,
                2 / sqrt(MANY));
        is_near("ST less S1", x.of[SOBOL_ST][i] - x.of[SOBOL_S1][i],
                x.of[SOBOL_ST_CONF][i] + x.of[SOBOL_S1_CONF][i], 0, 4 / sqrt(MANY));
    }
    for (int c = 0; c < INDEX_COLUMNS; c++) assert_true(x.of[c][3] == 0 && !signbit(x.of[c][3]));
}

static double nothing(const double *u)
{
    return u[0] > 2 ? 1 : 0.1;
}

static void what_is_the_same_everywhere_has_no_indices(void **state)
{
    struct design d = prepared(METHOD_SOBOL, 2, 100, 5), m = prepared(METHOD_MORRIS, 2, 100, 5);
    const struct indices x = indices_of(nothing, &d), y = indices_of(nothing, &m);
    assert_true(!x.varies && !y.varies);
    for (int c = 0; c < INDEX_COLUMNS; c++)
        for (int i = 0; i < 2; i++) assert_true(isnan(x.of[c][i]) && y.of[c][i] == 0);
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* They become narrower as 1 / sqrt(n), and hold the truth about as often as they say, or more
 * often: Sobol's points are more even than resamples are. */
static void intervals_hold_the_truth(void **state)
{
    enum { SEEDS = SANITIZED(10, 40) };
    const double v1 = 0.5 * pow(1 + 0.1 * pow(PI, 4) / 5, 2), v2 = 49.0 / 8,
                 v13 = 8 * 0.01 * pow(PI, 8) / 225, v = v1 + v2 + v13;
    const double total[] = {(v1 + v13) / v, v2 / v, v13 / v};
    int held = 0;
    double few_width = 0, many_width = 0;
    for (int s = 0; s < SEEDS; s++) {
        struct design few = prepared(METHOD_SOBOL, 3, 128, (uint64_t)s),
                      many = prepared(METHOD_SOBOL, 3, 512, (uint64_t)s);
        few.second_order = many.second_order = false;
        const struct indices x = indices_of(ishigami, &few), y = indices_of(ishigami, &many);
        for (int i = 0; i < 3; i++) {
            held += fabs(x.of[SOBOL_ST][i] - total[i]) <= x.of[SOBOL_ST_CONF][i];
            few_width += x.of[SOBOL_ST_CONF][i];
            many_width += y.of[SOBOL_ST_CONF][i];
        }
    }
    printf("intervals of 95 %% hold the truth in %d of %d; %.4f wide with 128 samples, %.4f with "
           "512\n",
           held, 3 * SEEDS, few_width / (3 * SEEDS), many_width / (3 * SEEDS));
    assert_true(held >= 0.85 * 3 * SEEDS);
    assert_true(few_width / many_width > 1.7 && few_width / many_width < 2.3);
}

static void threads_make_no_difference(void **state)
{
    const int before = omp_get_max_threads();
    struct indices x[2];
    for (int method = METHOD_MORRIS; method <= METHOD_SOBOL; method++) {
        struct design d = prepared(method, G, 100, 9);
        for (int i = 0; i < 2; i++) {
            omp_set_num_threads(i ? 3 : 1);
            x[i] = indices_of(g_function, &d);
        }
        assert_memory_equal(&x[0], &x[1], sizeof x[0]);
    }
    omp_set_num_threads(before);
}

/* ---- Morris ---------------------------------------------------------------------------------- */

static double linear(const double *u)
{
    return 5 + 4 * u[0] - 3 * u[1];
}

static double product(const double *u)
{
    return u[0] * u[1];
}

static void morris_tells_slopes_and_interactions(void **state)
{
    enum { R = 400 };
    struct design d = prepared(METHOD_MORRIS, 3, R, 4);
    const struct indices x = indices_of(linear, &d);
    const double slope[] = {4, -3, 0};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(x.of[MORRIS_MU][i] - slope[i]) < 1e-12);
        assert_true(fabs(x.of[MORRIS_MU_STAR][i] - fabs(slope[i])) < 1e-12);
        assert_true(x.of[MORRIS_SIGMA][i] < 1e-12 && x.of[MORRIS_MU_STAR_CONF][i] < 1e-12);
    }
    for (int c = 0; c < INDEX_COLUMNS; c++) assert_true(x.of[c][2] == 0);
    /* An effect is the other coordinate: 0, 1/3, 2/3 or 1, as often. */
    const struct indices y = indices_of(product, &d), half = indices_within(product, &d, 0.5);
    const double sigma = sqrt(5.0 / 36);
    for (int i = 0; i < 2; i++) {
        double sum = 0, squares = 0;
        for (int64_t g = 0; g < R; g++)
            for (int s = 0; s < 3; s++) {
                double at[3];
                int sign;
                if (design_step(&d, g, s, &sign) != i) continue;
                design_point(&d, g, s, at);
                sum += at[1 - i], squares += at[1 - i] * at[1 - i];
            }
        const double own = sqrt((squares - sum * sum / R) / (R - 1));
        assert_true(y.of[MORRIS_MU][i] == y.of[MORRIS_MU_STAR][i]);
        assert_true(fabs(y.of[MORRIS_MU][i] - sum / R) < 1e-12);
        assert_true(fabs(y.of[MORRIS_MU][i] - 0.5) < 4 * sigma / sqrt(R));
        assert_true(fabs(y.of[MORRIS_SIGMA][i] - own) < 1e-12);
        assert_true(fabs(own - sigma) < 4 * sigma / sqrt(2 * R));
        /* the error of a mean, by so many resamples */
        assert_true(fabs(y.of[MORRIS_MU_STAR_CONF][i] / (Z * own / sqrt(R)) - 1) <
                    4 / sqrt(2.0 * RESAMPLES));
        assert_true(fabs(half.of[MORRIS_MU_STAR_CONF][i] / y.of[MORRIS_MU_STAR_CONF][i] -
                         0.6744897501960817 / Z) < 1e-12);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

enum { PLACES = 50, MEMBERS = 3, GROUPS = 90, DIMENSIONS = 4 };

/* In how many of three runs lava reaches a place: farther for large coordinates, farthest for the
 * first; the last does nothing. */
static int comes(const double *u, int place)
{
    int count = 0;
    for (int m = 0; m < MEMBERS; m++)
        count += place < 5 + 25 * u[0] + 10 * u[1] * u[0] + 5 * u[2] + 2 * m;
    return count;
}

/* Slots of each point of a group, as often as lava came. */
static void fill_lists(struct cells *c, const struct design *d, int64_t g, struct cell_list *list)
{
    for (int p = 0; p < d->points; p++) {
        double unit[DIMENSIONS];
        design_point(d, g, p, unit);
        list[p].count = 0;
        for (uint32_t place = 0; place < PLACES; place++)
            for (int m = 0; m < comes(unit, (int)place); m++) {
                const int64_t slot = cells_open(c, place);
                assert_true(slot >= 0);
                list[p].slot[list[p].count++] = (uint32_t)slot;
            }
    }
}

static void add_all(struct cells *c, const struct design *d, bool backwards)
{
    struct error e = {0};
    struct cell_list list[2 * DIMENSIONS + 2];
    for (size_t p = 0; p < sizeof list / sizeof *list; p++)
        list[p].slot = malloc(PLACES * MEMBERS * sizeof *list[p].slot);
    assert_int_equal(cells_create(c, PLACES, d, &e), 0);
    for (int64_t i = 0; i < GROUPS; i++) {
        const int64_t g = backwards ? GROUPS - 1 - i : i;
        fill_lists(c, d, g, list);
        cells_add(c, d, g, list);
    }
    for (size_t p = 0; p < sizeof list / sizeof *list; p++) free(list[p].slot);
}

static struct indices indices_of_cell(const struct design *d, int place)
{
    static double y[GROUPS * (2 * DIMENSIONS + 2)];
    struct error e = {0};
    struct indices x;
    const struct resampling r = {2, 0.95};
    for (int64_t i = 0; i < d->groups * d->points; i++) {
        double unit[DIMENSIONS];
        design_point(d, i / d->points, (int)(i % d->points), unit);
        y[i] = comes(unit, place) / (double)MEMBERS;
    }
    assert_int_equal(indices_compute(&x, d, y, &r, &e), 0);
    return x;
}

/* Whether lava comes to a place in enough of the runs of A and B for Sobol indices, and in enough does not. */
static bool has_enough_runs(const struct design *d, int place)
{
    int64_t came = 0, dry = 0;
    for (int64_t g = 0; g < d->groups; g++)
        for (int k = 0; k < 2; k++) {
            double unit[DIMENSIONS];
            design_point(d, g, k ? design_b(d) : 0, unit);
            came += comes(unit, place);
            dry += MEMBERS - comes(unit, place);
        }
    return came >= 10 * MEMBERS && dry >= 10 * MEMBERS;
}

static void is_same(double a, double b)
{
    assert_true(fabs(a - b) < 1e-12 * (1 + fabs(b)));
}

/* known[1]: the number of places with Sobol indices; known[0]: of those without that most runs reach. */
static void compare_cell(const struct cell_view *v, int place, int known[2])
{
    const struct indices x = indices_of_cell(v->d, place);
    const int64_t *sum = cells_at(v->cells, (size_t)place);
    if (!sum) {
        assert_true(!x.varies && x.mean == 0);
        return;
    }
    const bool sobol = v->d->method == METHOD_SOBOL;
    if (sobol) {
        const bool is = cell_is_known(v, sum);
        assert_int_equal(is, has_enough_runs(v->d, place));
        known[is] += is || cell_probability(v, sum) > 0.5;
    }
    is_same(cell_probability(v, sum), x.mean);
    for (int i = 0; i < DIMENSIONS; i++) {
        if (!sobol) is_same(cell_mu_star(v, sum, i), x.of[MORRIS_MU_STAR][i]);
        if (!sobol || !cell_is_known(v, sum)) continue;
        is_same(cell_first_order(v, sum, i), x.of[SOBOL_S1][i]);
        is_same(cell_total(v, sum, i), x.of[SOBOL_ST][i]);
    }
    if (sobol && !cell_is_known(v, sum)) return;
    if (sobol) assert_true(cell_total(v, sum, 3) == 0 && cell_first_order(v, sum, 3) == 0);
    const double *index = x.of[sobol ? SOBOL_ST : MORRIS_MU_STAR];
    int best = 0;
    for (int i = 1; i < DIMENSIONS; i++)
        if (index[i] > index[best] * (1 + 1e-9)) best = i;
    assert_int_equal(cell_dominating(v, sum), index[best] > 0 ? best : -1);
}

/* The sums of a cell say what the values of all its runs say, in whatever order they were added. */
static void cells_say_what_their_runs_say(void **state)
{
    struct error e = {0};
    int known[2] = {0};
    for (int method = METHOD_MORRIS; method <= METHOD_SOBOL; method++) {
        struct design d = prepared(method, DIMENSIONS, GROUPS, 6);
        struct cells c, other;
        assert_int_equal(design_prepare(&d, &e), 0);
        add_all(&c, &d, false);
        add_all(&other, &d, true);
        assert_true(cells_digest(&c) == cells_digest(&other) && cells_digest(&c));
        const struct cell_view v = {&c, &d, GROUPS, MEMBERS};
        for (int place = 0; place < PLACES; place++) compare_cell(&v, place, known);
        assert_true(!cells_at(&c, PLACES - 1)); /* farther than lava ever comes */
        cells_free(&c);
        cells_free(&other);
    }
    assert_true(known[0] > 4 && known[1] > 20);
}

static void of_equal_parameters_the_first_dominates(void **state)
{
    const struct design d = {.method = METHOD_MORRIS, .dimensions = 4};
    const struct cell_view v = {.d = &d};
    int64_t sum[CELL_COMMON + 4 * CELL_EACH] = {0};
    assert_int_equal(cell_dominating(&v, sum), -1); /* none changes anything */
    for (int i = 0; i < 4; i++)
        sum[CELL_COMMON + CELL_EACH * i + CELL_OTHER] = (int[]){2, 5, 5, 1}[i];
    assert_int_equal(cell_dominating(&v, sum), 1);
}

int main(void)
{
    return UNIT_RUN(sobol_groups_mix_two_points, more_groups_begin_with_the_same,
                    trajectories_step_along_each_coordinate, ishigami_has_its_indices,
                    g_function_has_its_indices, additive_functions_have_no_interactions,
                    what_is_the_same_everywhere_has_no_indices, intervals_hold_the_truth,
                    threads_make_no_difference, morris_tells_slopes_and_interactions,
                    cells_say_what_their_runs_say, of_equal_parameters_the_first_dominates);
}
