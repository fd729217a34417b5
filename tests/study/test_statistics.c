/* The counters of an ensemble and what is computed from them, against sums over the members one by
 * one: ties of percentiles, thresholds on an edge, both standard errors, means, merging, digests. */
/* tests: study/members */
#include "members/statistics.h"
#include "random_case.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 300, MEMBERS = 40, EDGES = 4 };

static double edge_m[EDGES] = {0.5, 1, 2, 4}, edge_s[EDGES] = {60, 120, 240, 480};
static const struct axis thickness_axis = {.edges = EDGES, .edge = edge_m},
                         arrival_axis = {.edges = EDGES, .edge = edge_s};

static void create(struct statistics *s, bool shares, size_t bytes)
{
    struct error e = {0};
    assert_int_equal(
        statistics_create(s, PLACES, &thickness_axis, &arrival_axis, shares, bytes, &e), 0);
}

static void add(struct statistics *s, uint64_t weight, const struct reached *x, size_t count)
{
    struct error e = {0};
    assert_int_equal(statistics_add(s, weight, x, count, &e), 0);
}

/* Weights of a place are rounded, so that they may add up to a little more than those of the members. */
static void no_probability_is_above_1(void **state)
{
    const struct reached x = {.place = 7};
    struct statistics s;
    struct error e = {0};
    create(&s, true, SIZE_MAX);
    statistics_count(&s, 1000);
    assert_int_equal(statistics_add_places(&s, 1001, &x, 1, &e), 0);
    const uint64_t reached = statistics_reached(&s, statistics_at(&s, 7));
    assert_int_equal(reached, 1001);
    assert_true(statistics_probability(&s, reached) == 1 && statistics_error(&s, reached) == 0);
    statistics_free(&s);
}

/* ---- percentiles ----------------------------------------------------------------------------- */

/* Twenty members of equal weight, one in the lowest class, ten up to the second, nineteen up to the
 * third: a class that reaches the percentage exactly counts. */
static void a_percentile_that_is_reached_exactly(void **state)
{
    static const struct {
        int percent, class;
    } row[] = {{0, 0}, {4, 0}, {5, 0}, {6, 1}, {50, 1}, {51, 2}, {95, 2}, {96, 3}, {100, 3}};
    struct statistics s;
    create(&s, true, SIZE_MAX);
    for (int i = 0; i < 20; i++) {
        const uint16_t class = i < 1 ? 0 : i < 10 ? 1 : i < 19 ? 2 : 3;
        const struct reached x = {.place = 7,
                                  .thickness_class = class,
                                  .arrival_class = class,
                                  .share_q = class * STATISTICS_SHARE_PARTS / STATISTICS_SHARES};
        add(&s, 3, &x, 1);
    }
    const uint64_t *c = statistics_at(&s, 7);
    assert_int_equal(statistics_reached(&s, c), 60);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(statistics_thickness_class(&s, c, row[i].percent), row[i].class);
        assert_int_equal(statistics_arrival_class(&s, c, row[i].percent), row[i].class);
        assert_int_equal(statistics_share_class(&s, c, row[i].percent), row[i].class);
    }
    assert_int_equal(statistics_arrival_class(&s, c, 0), 0);
    /* of the ten from the third class on: nine in it */
    assert_int_equal(statistics_arrival_class_from(&s, c, 2, 0), 2);
    assert_int_equal(statistics_arrival_class_from(&s, c, 2, 90), 2);
    assert_int_equal(statistics_arrival_class_from(&s, c, 2, 91), 3);
    assert_int_equal(statistics_arrival_class_from(&s, c, 4, 50), -1);
    const struct reached late = {.place = 9, .thickness_class = 2, .arrival_class = 3};
    add(&s, 1, &late, 1);
    assert_int_equal(statistics_arrival_class(&s, statistics_at(&s, 9), 0), 3);
    assert_int_equal(statistics_thickness_class(&s, statistics_at(&s, 9), 0), 2);
    assert_null(statistics_at(&s, 8));
    assert_int_equal(statistics_thickness_class(&s, NULL, 50), -1);
    assert_int_equal(statistics_arrival_class(&s, NULL, 50), -1);
    assert_int_equal(statistics_share_class(&s, NULL, 50), -1);
    statistics_free(&s);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* At edges of groups and inside them, in the first, an empty and the last one, which is cut. */
static void empty_groups_are_passed_over(void **state)
{
    enum { G = STATISTICS_GROUP, ALL = 5 * G + 7 };
    static const size_t place[] = {0, 5, G - 1, G, 3 * G - 1, 5 * G, ALL - 1};
    const size_t places = sizeof place / sizeof *place;
    struct statistics s;
    struct error e = {0};
    assert_int_equal(
        statistics_create(&s, ALL, &thickness_axis, &arrival_axis, false, SIZE_MAX, &e), 0);
    assert_int_equal(statistics_next(&s, 0), ALL);
    for (size_t k = places; k-- > 0;) {
        assert_non_null(statistics_open(&s, place[k], &e));
        assert_int_equal(statistics_next(&s, 0), place[k]);
    }
    size_t k = 0;
    STATISTICS_EACH (&s, i, c) {
        assert_true(k < places && i == place[k++]);
        assert_ptr_equal(c, statistics_at(&s, i));
    }
    assert_int_equal(k, places);
    assert_int_equal(statistics_next(&s, ALL), ALL);
    statistics_free(&s);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* k of n members of one weight: sqrt(k (n - k) / n^3), and for Agresti and Coull two successes and
 * two failures more. */
static void errors_of_a_count(void **state)
{
    for (int n = 1; n <= MEMBERS; n++)
        for (uint64_t weight = 1; weight <= 1000; weight += 333) {
            struct statistics s;
            create(&s, false, SIZE_MAX);
            for (int i = 0; i < n; i++) add(&s, weight, NULL, 0);
            assert_true(statistics_effective(&s) == n);
            for (int k = 0; k <= n; k++) {
                const double p = (double)k / n, q = (k + 2.0) / (n + 4.0);
                const uint64_t came = (uint64_t)k * weight;
                assert_true(statistics_probability(&s, came) == p);
                assert_true(fabs(statistics_error(&s, came) - sqrt(p * (1 - p) / n)) < 1e-15);
                assert_true(fabs(statistics_cautious_error(&s, came) -
                                 sqrt(q * (1 - q) / (n + 4))) < 1e-15);
            }
            statistics_free(&s);
        }
}

/* Unequal weights count as (sum w)^2 / sum w^2 members; none as a fair coin thrown four times. */
static void errors_of_weights(void **state)
{
    struct statistics s;
    create(&s, false, SIZE_MAX);
    assert_true(statistics_effective(&s) == 0 && isnan(statistics_probability(&s, 0)));
    assert_true(statistics_cautious_error(&s, 0) == 0.25);
    add(&s, 1, NULL, 0);
    add(&s, 3, NULL, 0);
    assert_true(statistics_effective(&s) == 16.0 / 10);
    assert_true(statistics_probability(&s, 3) == 0.75);
    assert_true(fabs(statistics_error(&s, 3) - sqrt(0.1875 / 1.6)) < 1e-15);
    const double p = (0.75 * 1.6 + 2) / 5.6;
    assert_true(fabs(statistics_cautious_error(&s, 3) - sqrt(p * (1 - p) / 5.6)) < 1e-15);
    statistics_free(&s);
}

/* ---- sums over members ----------------------------------------------------------------------- */

struct drawn {
    int count[MEMBERS];
    uint64_t weight[MEMBERS];
    struct reached reached[MEMBERS][PLACES];
};

static void draw(struct drawn *d, uint64_t *seed)
{
    for (int m = 0; m < MEMBERS; m++) {
        d->count[m] = 0;
        d->weight[m] = 1 + (uint64_t)(1e6 * random_unit(seed));
        for (uint32_t i = 0; i < PLACES; i++)
            if (random_unit(seed) < 0.3)
                d->reached[m][d->count[m]++] =
                    (struct reached){.place = i,
                                     .thickness_class = (uint16_t)((EDGES + 1) * random_unit(seed)),
                                     .arrival_class = (uint16_t)((EDGES + 1) * random_unit(seed)),
                                     .thickness_q = (uint32_t)(0x1p22 * random_unit(seed)),
                                     .share_q = 1 + (uint32_t)(0x1p20 * random_unit(seed))};
    }
}

static void compare_place(const struct statistics *s, const struct drawn *d, uint32_t place)
{
    uint64_t came = 0, above[EDGES] = {0}, within[EDGES] = {0}, share[STATISTICS_SHARES + 1] = {0};
    wide thickness = 0, shares = 0;
    for (int m = 0; m < MEMBERS; m++)
        for (int i = 0; i < d->count[m]; i++) {
            const struct reached *x = &d->reached[m][i];
            const uint64_t w = d->weight[m];
            if (x->place != place) continue;
            came += w;
            for (int k = 0; k < EDGES; k++) {
                if (x->thickness_class > k) above[k] += w;
                if (x->arrival_class <= k) within[k] += w;
            }
            share[(int)ceil(x->share_q * (100 / 0x1p20))] += w;
            thickness += (wide)w * x->thickness_q;
            shares += (wide)w * x->share_q;
        }
    const uint64_t *c = statistics_at(s, place);
    assert_int_equal(statistics_reached(s, c), came);
    for (int k = 0; k < EDGES; k++) {
        assert_int_equal(statistics_exceeding(s, c, k), above[k]);
        assert_int_equal(statistics_within(s, c, k), within[k]);
    }
    for (int k = 0; k <= STATISTICS_SHARES; k++)
        assert_int_equal(c[s->thickness_classes + s->arrival_classes + k], share[k]);
    assert_true(statistics_mean_thickness_m(s, c) == (double)thickness / (double)came / 1024);
    assert_true(statistics_mean_share(s, c) == (double)shares / (double)came / 0x1p20);
}

/* Classes added up in runs: 70 of thickness and 99 of arrival, neither a whole number of runs. */
static void added_up(void **state)
{
    enum { THICKNESS = 69, ARRIVAL = 98 };
    static const struct axis thickness = {.edges = THICKNESS}, arrival = {.edges = ARRIVAL};
    struct statistics s, plain;
    struct error e = {0};
    uint64_t seed = 5;
    struct statistics *const both[] = {&s, &plain};
    for (int k = 0; k < 2; k++)
        assert_int_equal(
            statistics_create(both[k], PLACES, &thickness, &arrival, false, SIZE_MAX, &e), 0);
    for (int m = 0; m < 4 * MEMBERS; m++) {
        const struct reached x = {.place = (uint32_t)(3 * random_unit(&seed)),
                                  .thickness_class =
                                      (uint16_t)((THICKNESS + 1) * random_unit(&seed)),
                                  .arrival_class = (uint16_t)((ARRIVAL + 1) * random_unit(&seed))};
        const uint64_t weight = 1 + (uint64_t)(3 * random_unit(&seed));
        for (int k = 0; k < 2; k++) add(both[k], weight, &x, 1);
        if (m % MEMBERS == MEMBERS - 1) statistics_add_up(&s);
        assert_true(s.added_up == (m % MEMBERS == MEMBERS - 1)); /* further members end it */
    }
    for (size_t i = 0; i < 3; i++) {
        const uint64_t *c = statistics_at(&s, i), *p = statistics_at(&plain, i);
        assert_true(statistics_reached(&s, c) > 0);
        for (int k = 0; k < THICKNESS; k++)
            assert_int_equal(statistics_exceeding(&s, c, k), statistics_exceeding(&plain, p, k));
        for (int k = 0; k < ARRIVAL; k++)
            assert_int_equal(statistics_within(&s, c, k), statistics_within(&plain, p, k));
        for (int percent = 0; percent <= 100; percent++) {
            assert_int_equal(statistics_thickness_class(&s, c, percent),
                             statistics_thickness_class(&plain, p, percent));
            for (int first = 0; first <= ARRIVAL + 1; first += 13)
                assert_int_equal(statistics_arrival_class_from(&s, c, first, percent),
                                 statistics_arrival_class_from(&plain, p, first, percent));
        }
    }
    assert_int_equal(statistics_digest(&s), statistics_digest(&plain));
    assert_true(s.added_up);
    add(&s, 1, NULL, 0); /* a member without lava changes the digest as well */
    assert_false(s.added_up);
    for (int k = 0; k < 2; k++) statistics_free(both[k]);
}

/* In any order, in parts that are merged, and one after the other: the same sums and digest. */
static void sums_over_members(void **state)
{
    struct drawn *d = malloc(sizeof *d);
    struct statistics s, part[2], backwards;
    struct error e = {0};
    uint64_t seed = 3, weight = 0;
    wide weight2 = 0;
    assert_non_null(d);
    draw(d, &seed);
    create(&s, true, SIZE_MAX);
    create(&backwards, true, SIZE_MAX);
    for (int k = 0; k < 2; k++) create(&part[k], true, SIZE_MAX);
    for (int m = 0; m < MEMBERS; m++) {
        const int back = MEMBERS - 1 - m;
        add(&s, d->weight[m], d->reached[m], (size_t)d->count[m]);
        add(&backwards, d->weight[back], d->reached[back], (size_t)d->count[back]);
        add(&part[m % 3 == 0], d->weight[m], d->reached[m], (size_t)d->count[m]);
        weight += d->weight[m];
        weight2 += (wide)d->weight[m] * d->weight[m];
    }
    assert_int_equal(statistics_merge(&part[0], &part[1], &e), 0);
    for (uint32_t i = 0; i < PLACES; i++) {
        compare_place(&s, d, i);
        compare_place(&part[0], d, i);
    }
    assert_true(s.members == MEMBERS && s.weight == weight && s.weight2 == weight2);
    assert_true(part[0].members == MEMBERS && part[0].weight == weight);
    assert_true(part[0].weight2 == weight2);
    assert_int_equal(statistics_digest(&part[0]), statistics_digest(&s));
    assert_int_equal(statistics_digest(&backwards), statistics_digest(&s));
    statistics_free(&s);
    statistics_free(&backwards);
    for (int k = 0; k < 2; k++) statistics_free(&part[k]);
    free(d);
}

/* Each counter and each of the three sums over all members changes the digest; counters that are
 * all zero do not. */
static void a_digest_of_every_counter(void **state)
{
    struct statistics s;
    struct error e = {0};
    create(&s, true, SIZE_MAX);
    const uint64_t empty = statistics_digest(&s);
    uint64_t *c = statistics_open(&s, 5, &e), *next = statistics_open(&s, 6, &e);
    assert_non_null(c);
    assert_int_equal(statistics_digest(&s), empty);
    for (size_t k = 0; k < s.stride; k++) {
        c[k] = 1;
        statistics_read(&s, c);
        const uint64_t one = statistics_digest(&s);
        c[k] = 0, next[k] = 1;
        statistics_read(&s, next);
        assert_true(one != empty && statistics_digest(&s) != one);
        next[k] = 0, c[(k + 1) % s.stride] = 1;
        statistics_read(&s, c);
        assert_true(statistics_digest(&s) != one);
        c[(k + 1) % s.stride] = 0;
    }
    s.members++;
    assert_true(statistics_digest(&s) != empty);
    s.members--, s.weight++;
    assert_true(statistics_digest(&s) != empty);
    s.weight--, s.weight2++;
    assert_true(statistics_digest(&s) != empty);
    s.weight2 += ((wide)1 << 64) - 1;
    assert_true(statistics_digest(&s) != empty);
    statistics_free(&s);
}

/* ---- measures, and memory -------------------------------------------------------------------- */

static void whole_parts(void **state)
{
    assert_int_equal(statistics_thickness(0), 0);
    assert_int_equal(statistics_thickness(-1), 0);
    assert_int_equal(statistics_thickness(1), 1024);
    assert_int_equal(statistics_thickness(0x1.8p-10), 2); /* a tie: the even one */
    assert_int_equal(statistics_thickness(0x1p-11), 0);
    assert_int_equal(statistics_thickness(5000), (1 << 22) - 1);
    assert_int_equal(statistics_share(0, 3), 0);
    assert_int_equal(statistics_share(3, 3), 1 << 20);
    assert_int_equal(statistics_share(1, 3), 349525);
    assert_int_equal(statistics_share(1, 4000000000u), 1); /* above 0, though rounded down */
}

/* Cells in chunks of 256, the last of what is left; the memory that is allowed is not exceeded, and
 * what does not fit counts nothing. */
static void memory_has_a_limit(void **state)
{
    struct statistics s;
    struct error e = {0};
    create(&s, false, SIZE_MAX);
    const size_t whole = 256 * (s.stride + 2) * sizeof(uint64_t),
                 rest = (PLACES - 256) * (s.stride + 2) * sizeof(uint64_t);
    struct reached all[PLACES];
    for (uint32_t i = 0; i < PLACES; i++) all[i] = (struct reached){.place = i};
    add(&s, 1, all, PLACES);
    assert_int_equal(s.bytes, whole + rest);
    statistics_free(&s);
    create(&s, false, whole + rest);
    add(&s, 1, all, PLACES);
    statistics_free(&s);
    create(&s, false, whole + rest - 1);
    assert_int_equal(statistics_add(&s, 1, all, PLACES, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "a coarser resolution of thickness and arrival"));
    assert_true(s.members == 0 && s.weight == 0 &&
                statistics_reached(&s, statistics_at(&s, 0)) == 0);
    statistics_free(&s);
}

int main(void)
{
    return UNIT_RUN(a_percentile_that_is_reached_exactly, no_probability_is_above_1,
                    empty_groups_are_passed_over, errors_of_a_count, errors_of_weights,
                    sums_over_members, added_up, a_digest_of_every_counter, whole_parts,
                    memory_has_a_limit);
}
