/* Histories of rates: their errors have the factor and the correlation that are asked for; vents that erupt
 * together have one error; what follows the last rate has its level or decline; each is the same alone and
 * among others, and ends with the eruption. */
#include "ensemble/rate_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_files.h"
#include "unit.h"

enum { MEMBERS = 20000, DAY_S = 86400, DAYS = 4 };

static struct rate_series read_rates(const char *text, struct rate_history *h,
                                     struct rate_history_keys keys)
{
    struct rate_series from;
    struct error e = {0};
    put_text(&dir, "rates.csv", text);
    const char *path = scratch_file(&dir, "rates.csv");
    if (rate_series_read(&from, path, "", &e) || rate_history_create(h, &keys, &from, path, &e))
        fail_msg("%s", e.text);
    return from;
}

static struct rate_series draw(const struct rate_history *h, const struct rate_series *from,
                               uint64_t number, double end_s)
{
    struct rate_series out;
    struct error e = {0};
    const struct rate_history_draws of = {.seed = 7, .number = number};
    if (rate_history_draw(&out, h, from, &of, end_s, &e)) fail_msg("%s", e.text);
    return out;
}

/* The total at a time. */
static double rate_at(const struct rate_series *s, double time_s)
{
    double rate = 0;
    for (int i = 0; i < s->count; i++)
        if (s->interval[i].from_s <= time_s && time_s < s->interval[i].to_s)
            rate += s->interval[i].rate_m3_s;
    return rate;
}

#define ROWS                                                                                       \
    "vent,from_h,to_h,rate_m3_s,factor\n"                                                          \
    "1,0,24,2,1.5\n1,24,48,4,1.5\n1,48,72,4,1\n1,72,96,2,1.5\n2,0,24,1,1.5\n2,24,48,2,1.5\n"       \
    "2,48,72,2,1\n2,72,96,1,1.5\n"

static void test_errors(void **state)
{
    (void)state;
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    keys.correlation = 0.6;
    struct rate_series from = read_rates(ROWS, &h, keys);
    double sum[DAYS] = {0}, squares[DAYS] = {0}, product = 0, far = 0;
    assert_int_equal(h.turns, DAYS);
    for (int n = 0; n < MEMBERS; n++) {
        struct rate_series s = draw(&h, &from, (uint64_t)n, INFINITY);
        double z[DAYS];
        for (int day = 0; day < DAYS; day++) {
            const double middle_s = (day + 0.5) * DAY_S;
            z[day] = log(rate_at(&s, middle_s) / rate_at(&from, middle_s)) / log(1.5);
            sum[day] += z[day];
            squares[day] += z[day] * z[day];
        }
        product += z[0] * z[1];
        far += z[1] * z[3];
        for (int i = 0; i < 4; i++) /* the second vent has half of the first at all times */
            assert_true(fabs(s.interval[i].rate_m3_s - 2 * s.interval[i + 4].rate_m3_s) < 1e-12);
        assert_true(s.interval[2].rate_m3_s == 4); /* a factor of 1 is exact */
        rate_series_free(&s);
    }
    for (int day = 0; day < DAYS; day++) {
        if (day == 2) continue;
        assert_true(fabs(sum[day] / MEMBERS) < 4 / sqrt(MEMBERS));
        assert_true(fabs(squares[day] / MEMBERS - 1) < 4 * sqrt(2.0 / MEMBERS));
    }
    assert_true(fabs(product / MEMBERS - 0.6) < 4 * sqrt(1.36 / MEMBERS));
    assert_true(fabs(far / MEMBERS - 0.36) <
                4 * sqrt(1.13 / MEMBERS)); /* also across an exact day */
    rate_history_free(&h);
    rate_series_free(&from);
}

/* The mean logarithm of a day after the last rate. */
static double mean_log(const struct rate_history *h, const struct rate_series *from, int day)
{
    double sum = 0;
    for (int n = 0; n < MEMBERS; n++) {
        struct rate_series s = draw(h, from, (uint64_t)n, 30.0 * DAY_S);
        sum += log(rate_at(&s, (day + 0.5) * DAY_S));
        rate_series_free(&s);
    }
    return sum / MEMBERS;
}

static void test_after(void **state)
{
    (void)state;
    static const char rows[] = "vent,from_h,to_h,rate_m3_s\n*,0,24,6\n*,24,48,12\n";
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    keys.after = AFTER_AR1;
    keys.after_factor = 1.5;
    keys.after_correlation = 0.5;
    keys.level_m3_s = 3;
    struct rate_series from = read_rates(rows, &h, keys);
    const double error = 4 * log(1.5) / sqrt(MEMBERS);
    /* Back to the level by half with each day, in logarithms; the first middle is a day after the last. */
    for (int day = 2; day < 5; day++)
        assert_true(fabs(mean_log(&h, &from, day) - log(3) - log(4) * pow(0.5, day - 1)) < error);
    assert_true(fabs(mean_log(&h, &from, 20) - log(3)) < error);
    rate_history_free(&h);
    keys.after = AFTER_DECLINE;
    keys.decline_s = 5.0 * DAY_S;
    keys.after_factor = 1;
    rate_series_free(&from);
    from = read_rates(rows, &h, keys);
    struct rate_series s = draw(&h, &from, 0, 12.25 * DAY_S);
    assert_true(s.end_s == 12.25 * DAY_S);
    assert_true(fabs(rate_at(&s, 7.5 * DAY_S) - 12 * exp(-5.5 / 5)) < 1e-9);
    rate_series_free(&s);
    rate_history_free(&h);
    rate_series_free(&from);
}

static void test_same(void **state)
{
    (void)state;
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    keys.after = AFTER_AR1;
    keys.after_factor = 1.4;
    struct rate_series from = read_rates(ROWS, &h, keys);
    struct rate_series a = draw(&h, &from, 5, 8.0 * DAY_S), other = draw(&h, &from, 6, 8.0 * DAY_S),
                       b = draw(&h, &from, 5, 8.0 * DAY_S), early = draw(&h, &from, 5, 2.5 * DAY_S);
    assert_int_equal(a.count, 16);
    assert_int_equal(a.count, b.count);
    for (int i = 0; i < a.count; i++)
        assert_true(a.interval[i].rate_m3_s == b.interval[i].rate_m3_s);
    assert_true(a.interval[0].rate_m3_s != other.interval[0].rate_m3_s);
    /* An earlier end changes no rate before it. */
    assert_true(early.end_s == 2.5 * DAY_S);
    for (double t = 0.5; t < 2.5; t += 0.25)
        assert_true(rate_at(&early, t * DAY_S) == rate_at(&a, t * DAY_S) &&
                    rate_at(&a, t * DAY_S) > 0);
    assert_true(rate_at(&early, 2.75 * DAY_S) == 0);
    rate_series_free(&a);
    rate_series_free(&b);
    rate_series_free(&other);
    rate_series_free(&early);
    struct error e = {0};
    put_text(&dir, "bad.csv", "vent,from_h,to_h,rate_m3_s,factor\n*,0,24,6,0.9\n");
    struct rate_series bad;
    struct rate_history of_bad;
    const char *path = scratch_file(&dir, "bad.csv");
    assert_int_equal(rate_series_read(&bad, path, "", &e), 0);
    assert_int_equal(rate_history_create(&of_bad, &keys, &bad, path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "bad.csv:2:"));
    rate_history_free(&of_bad);
    rate_series_free(&bad);
    rate_history_free(&h);
    rate_series_free(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_after),
        cmocka_unit_test(test_same),
    };
    scratch_create(&dir);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(&dir);
    return failed;
}
