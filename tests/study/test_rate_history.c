/* Histories of rates: their errors have the factor and the correlation that are asked for; vents that erupt
 * together have one error; what follows the last rate has its level or decline; each is the same alone and
 * among others, and ends with the eruption. */
/* tests: study/plan */
#include "plan/rate_shares.h"
#include "random/quantile.h"

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
    if (rate_series_read(&from, RATE_COLUMN, path, "", &e) ||
        rate_history_create(h, &keys, &from, path, &e))
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

/* Intervals of half a day to three days, of draws that are given: the errors of two whose middles are d days apart
 * have the correlation 0.6^d, whatever lies between. */
static void test_correlation_by_days(void **state)
{
    static const double middle_days[] = {0.25, 0.75, 2, 4.5, 6.25};
    enum { TURNS = sizeof middle_days / sizeof *middle_days };
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    keys.correlation = 0.6;
    keys.factor = 2;
    struct rate_series from =
        read_rates("vent,from_h,to_h,rate_m3_s\n1,0,12,2\n1,12,24,4\n1,24,72,4\n"
                   "1,72,144,2\n1,144,156,1\n",
                   &h, keys);
    double l[TURNS][TURNS]; /* linear: what becomes of unit vectors */
    for (int k = 0; k < TURNS; k++) {
        double z[TURNS] = {0};
        struct rate_series s;
        struct error e = {0};
        z[k] = 1;
        const struct rate_history_draws of = {.seed = 7, .given = TURNS, .z = z};
        must(rate_history_draw(&s, &h, &from, &of, INFINITY, &e), &e);
        for (int i = 0; i < TURNS; i++)
            l[i][k] = log(s.interval[i].rate_m3_s / from.interval[i].rate_m3_s) / log(2);
        rate_series_free(&s);
    }
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j <= i; j++) {
            double product = 0;
            for (int k = 0; k < TURNS; k++) product += l[i][k] * l[j][k];
            assert_true(fabs(product - pow(0.6, middle_days[i] - middle_days[j])) < 1e-9);
        }
    rate_history_free(&h);
    rate_series_free(&from);
}

/* Pieces of a shape last two steps at least, whatever is left at the end, one begins where another ends, and all of
 * its volume is there. */
static void test_pieces_of_shapes(void **state)
{
    static const struct rate_series_shape usual = {NAN, NAN};
    static const double clock_s = 60;
    struct rate_series shape;
    struct error e = {0};
    int joined = 0;
    must(rate_series_shape(&shape, "waxwane", NULL, &usual, "plan.cfg:3", &e), &e);
    for (double hours = 0.25; hours < 20; hours *= 1.13) {
        const double end_s = hours * 3600;
        struct rate_lists r;
        must(rate_series_rates(&r, &shape, end_s, 5000 / end_s, clock_s, "plan", &e), &e);
        double volume_m3 = 0, until_s = 0;
        assert_int_equal(r.count, 1);
        for (int i = 0; i < r.list[0].count; i++) {
            const struct rate *k = &r.list[0].rate[i];
            assert_true(k->to_s - k->from_s >= 2 * clock_s * (1 - 1e-12));
            assert_true(fabs(k->from_s - until_s) < 1e-9 * end_s);
            until_s = k->to_s;
            volume_m3 += k->rate_m3_s * (k->to_s - k->from_s);
        }
        assert_true(fabs(until_s / end_s - 1) < 1e-12 && fabs(volume_m3 / 5000 - 1) < 1e-12);
        joined += r.list[0].count < shape.count;
        rates_free(&r);
    }
    assert_true(joined > 5);
    rate_series_free(&shape);
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

/* The volume from one time to another. */
static double volume_between(const struct rate_series *s, double from_s, double to_s)
{
    double volume_m3 = 0;
    for (int i = 0; i < s->count; i++)
        volume_m3 += s->interval[i].rate_m3_s *
                     fmax(fmin(s->interval[i].to_s, to_s) - fmax(s->interval[i].from_s, from_s), 0);
    return volume_m3;
}

/* A curve of the whole eruption, by its integral alone: rise to the peak, then e^(-decay t). */
static double risefall(double t, double peak, double decay)
{
    double volume = 0;
    const int pieces = 100000;
    for (int i = 0; i < pieces; i++) {
        const double x = t * (i + 0.5) / pieces;
        volume += (x < peak ? x / peak : exp(-decay * (x - peak))) * t / pieces;
    }
    return volume;
}

static void test_curve(void **state)
{
    (void)state;
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    const double end_s = 12.5 * DAY_S;
    keys.after = AFTER_CURVE;
    keys.curve = rate_form_find("risefall");
    assert_non_null(keys.curve);
    keys.peak[0] = keys.peak[1] = 0.3;
    keys.decay[0] = keys.decay[1] = 4;
    struct rate_series from =
        read_rates("vent,from_h,to_h,rate_m3_s\n*,0,24,6\n*,24,48,12\n", &h, keys);
    /* The volume until then is that of the curve until then: the rest follows. */
    struct rate_series s = draw(&h, &from, 0, end_s);
    const double until = risefall(2 / 12.5, 0.3, 4);
    for (int day = 3; day <= 13; day++) {
        const double to_s = fmin(day * (double)DAY_S, end_s),
                     volume = volume_between(&s, 2.0 * DAY_S, to_s),
                     expected = from.volume_m3 * (risefall(to_s / end_s, 0.3, 4) / until - 1);
        assert_true(expected > 0 && fabs(volume / expected - 1) < 1e-4);
    }
    assert_true(s.end_s == end_s &&
                rate_at(&s, 3.5 * DAY_S) > rate_at(&s, 2.5 * DAY_S)); /* still rises */
    assert_true(rate_at(&s, 11.5 * DAY_S) < rate_at(&s, 5.5 * DAY_S));
    rate_series_free(&s);
    rate_history_free(&h);
    rate_series_free(&from);
    /* Ranges of peak and decay: members peak there, early and late, no member has a peak of another, and the decay, by
     * days behind all peaks, is drawn beside the peak. */
    keys.peak[0] = 0.2;
    keys.peak[1] = 0.8;
    keys.decay[0] = 2;
    keys.decay[1] = 6;
    from = read_rates("vent,from_h,to_h,rate_m3_s\n*,0,24,6\n", &h, keys);
    int members[2][2] = {{0}}; /* early and late; slow and fast */
    for (int n = 0; n < 200; n++) {
        int best = 0;
        s = draw(&h, &from, (uint64_t)n, 100.0 * DAY_S);
        for (int day = 0; day < 100; day++)
            if (rate_at(&s, (day + 0.5) * DAY_S) > rate_at(&s, (best + 0.5) * DAY_S)) best = day;
        assert_true(best >= 19 && best <= 80);
        const double decay = 10 * log(rate_at(&s, 85.5 * DAY_S) / rate_at(&s, 95.5 * DAY_S));
        assert_true(decay > 2 - 1e-9 && decay < 6 + 1e-9);
        for (uint32_t i = 0; i < 3; i++) /* no error of a rate has the draw of the decay */
            assert_true(fabs((decay - 2) / 4 -
                             normal_probability(rate_history_normal(7, (uint64_t)n, i))) > 1e-7);
        members[best >= 50][decay >= 4]++;
        rate_series_free(&s);
    }
    for (int i = 0; i < 4; i++)
        assert_true(members[i / 2][i % 2] > 25); /* of 50, with a deviation of 6 */
    rate_history_free(&h);
    rate_series_free(&from);
}

/* A vent whose rates have ended stays closed; in a pause of all, all go on. */
static void test_closed(void **state)
{
    (void)state;
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    keys.after = AFTER_AR1;
    static const char *const rows[] = {"1,0,24,3\n1,24,48,0\n2,0,48,6\n", "1,0,24,3\n2,0,48,6\n",
                                       "1,0,24,3\n1,24,48,0\n2,0,24,6\n2,24,48,0\n"};
    for (int k = 0; k < 3; k++) {
        char text[200];
        snprintf(text, sizeof text, "vent,from_h,to_h,rate_m3_s\n%s", rows[k]);
        struct rate_series from = read_rates(text, &h, keys), s = draw(&h, &from, 0, 5.0 * DAY_S);
        double of[3] = {0};
        for (int i = 0; i < s.count; i++)
            if (s.interval[i].from_s >= 2.0 * DAY_S)
                of[s.interval[i].id] += s.interval[i].rate_m3_s;
        assert_true(of[2] > 0 && (of[1] > 0) == (k == 2));
        assert_true(fabs(rate_at(&s, 3.5 * DAY_S) - from.volume_m3 / from.end_s) < 1e-12);
        if (k == 2) assert_true(fabs(of[2] / of[1] - 2) < 1e-12); /* as their volumes so far */
        rate_series_free(&s);
        rate_history_free(&h);
        rate_series_free(&from);
    }
}

/* Later rates have a level of their own, or the mean of those before; vents share them as their volumes so far; the last
 * day is cut at the end. */
static void test_after_anew(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct rate_history h;
        struct rate_history_keys keys = rate_history_keys_default();
        const double end_s = (5 + 0.3 * k) * DAY_S;
        keys.after = AFTER_AR1;
        keys.level_m3_s = k % 2 ? 0.5 : 0;
        struct rate_series from = read_rates(
            "vent,from_h,to_h,rate_m3_s\n1,0,24,3\n1,24,60,2\n2,12,60,6\n3,0,60,1\n", &h, keys);
        struct rate_series s = draw(&h, &from, 0, end_s);
        const double volume[] = {0, (24 * 3 + 36 * 2) * 3600., 48 * 6 * 3600., 60 * 3600.},
                     all = volume[1] + volume[2] + volume[3],
                     level = keys.level_m3_s > 0 ? keys.level_m3_s : all / (60 * 3600.);
        double later[4] = {0};
        for (int i = 0; i < s.count; i++) {
            const struct rate_series_interval *x = &s.interval[i];
            if (x->from_s >= 60 * 3600.) later[x->id] += x->rate_m3_s * (x->to_s - x->from_s);
        }
        for (int id = 1; id < 4; id++)
            assert_true(fabs(later[id] / (level * (end_s - 60 * 3600.) * volume[id] / all) - 1) <
                        1e-9);
        assert_true(s.end_s == end_s &&
                    fabs(s.volume_m3 / (all + level * (end_s - 60 * 3600.)) - 1) < 1e-9);
        rate_series_free(&s);
        rate_history_free(&h);
        rate_series_free(&from);
    }
}

/* A member's rates from given normal numbers, one after the other as the header says, with functions of libm. Vents that
 * erupt together end together but began at different times; one ended before. */
static void test_anew_from_normals(void **state)
{
    (void)state;
    enum { TURNS = 4 };
    static const char rows[] =
        "vent,from_h,to_h,rate_m3_s,factor\n1,0,24,3,1.5\n1,24,48,5,1.25\n2,0,30,2,2\n2,30,48,4,"
        "1\n3,0,24,1,1.5\n4,24,48,0.5,1.5\n";
    static const double middle_h[TURNS] = {12, 15, 36, 39}, end_h = 48,
                        z[] = {0.5, -1, 0.25, 1.5, -0.75, 0.8, -0.3, 1.1, 0.2, -1.4};
    static const struct {
        double from_h, to_h, rate, factor;
        int turn;
    } row[] = {{0, 24, 3, 1.5, 0}, {24, 48, 5, 1.25, 2}, {0, 30, 2, 2, 1},
               {30, 48, 4, 1, 3},  {0, 24, 1, 1.5, 0},   {24, 48, 0.5, 1.5, 2}};
    for (int k = 0; k < 8; k++) {
        struct rate_history h;
        struct rate_history_keys keys = rate_history_keys_default();
        const enum rates_after after = k / 2 == 3   ? AFTER_CURVE
                                       : k / 2 == 2 ? AFTER_DECLINE
                                                    : AFTER_AR1;
        keys.correlation = 0.6;
        keys.after = after;
        keys.after_factor = 1.75;
        keys.after_correlation = 0.4;
        keys.level_m3_s = k / 2 == 1 ? 2.5 : 0;
        keys.decline_s = 3.0 * DAY_S;
        keys.curve = rate_form_find("waxwane");
        keys.radiant_factor = k % 2 ? 1.3 : 0;
        struct rate_series from = read_rates(rows, &h, keys), s;
        const struct rate_history_draws of = {
            .seed = 1, .number = 2, .given = sizeof z / sizeof *z, .z = z};
        struct error e = {0};
        const double last_h = 156;
        must(rate_history_draw(&s, &h, &from, &of, last_h * 3600, &e), &e);

        int next = 0;
        const double all = k % 2 ? exp(log(1.3) * z[next++]) : 1;
        double error[TURNS], volume = 0, now = 0, began_h = 0;
        for (int t = 0; t < TURNS; t++) {
            const double r = t ? pow(0.6, (middle_h[t] - middle_h[t - 1]) / 24) : 0;
            error[t] = (t ? r * error[t - 1] : 0) + sqrt(1 - r * r) * z[next++];
        }
        for (int i = 0; i < 6; i++) {
            const double rate = row[i].rate * all * exp(log(row[i].factor) * error[row[i].turn]);
            volume += rate * (row[i].to_h - row[i].from_h) * 3600;
            if (row[i].to_h != end_h) continue;
            now += rate;
            began_h = fmax(began_h, row[i].from_h);
        }
        assert_true(fabs(volume_between(&s, 0, end_h * 3600) / volume - 1) < 1e-9);
        const double whole = volume / keys.curve->until(end_h / last_h, RATE_PEAK, 0);
#define LEVEL(from_h, to_h)                                                                        \
    (after == AFTER_CURVE ? whole *                                                                \
                                (keys.curve->until((to_h) / last_h, RATE_PEAK, 0) -                \
                                 keys.curve->until((from_h) / last_h, RATE_PEAK, 0)) /             \
                                (((to_h) - (from_h)) * 3600)                                       \
     : after == AFTER_DECLINE ? now * exp(-((from_h) + 12 - end_h) / 72)                           \
     : keys.level_m3_s > 0    ? keys.level_m3_s                                                    \
                              : volume / (end_h * 3600))
        double scatter = after == AFTER_DECLINE ? error[TURNS - 1]
                                                : log(now / LEVEL(began_h, end_h)) / log(1.75);
        for (int day = 0; day < 3; day++) {
            const double t_h = end_h + 24 * day,
                         r = pow(0.4, (day ? 24 : t_h + 12 - middle_h[TURNS - 1]) / 24);
            scatter = r * scatter + sqrt(1 - r * r) * z[next++];
            const double expected = LEVEL(t_h, t_h + 24) * exp(log(1.75) * scatter),
                         is = rate_at(&s, (t_h + 12) * 3600);
            if (!(fabs(is / expected - 1) < 1e-9))
                fail_msg("%d, day %d: %g, %g", k, day, is, expected);
        }
        rate_series_free(&s);
        rate_history_free(&h);
        rate_series_free(&from);
    }
    struct rate_history h;
    struct rate_series from;
    struct error e = {0};
    const struct rate_history_keys keys = rate_history_keys_default();
    put_text(&dir, "rates.csv", "vent,from_h,to_h,rate_m3_s,factor\n*,0,24,6,100\n*,24,48,6,101\n");
    const char *path = scratch_file(&dir, "rates.csv");
    must(rate_series_read(&from, RATE_COLUMN, path, "", &e), &e);
    assert_int_equal(rate_history_create(&h, &keys, &from, path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "rates.csv:3"));
    rate_history_free(&h);
    rate_series_free(&from);
}

/* ---- a total that vents share ------------------------------------------------------------------ */

#define SHARES "vent,from_h,to_h,share\n1,0,36,60\n1,36,48,20\n2,12,24,40\n3,36,48,20\n"

static void test_shares(void **state)
{
    (void)state;
    struct rate_shares shares;
    struct rate_series total, s;
    struct error e = {0};
    const double hour = 3600;
    put_text(&dir, "total.csv", "vent,from_h,to_h,rate_m3_s\n*,0,30,5\n*,30,40,8\n*,45,90,2\n");
    put_text(&dir, "shares.csv", SHARES);
    assert_int_equal(rate_series_read(&total, RATE_COLUMN, scratch_file(&dir, "total.csv"), "", &e),
                     0);
    const char *path = scratch_file(&dir, "shares.csv");
    if (rate_shares_read(&shares, path, "", 1, &total, &e)) fail_msg("%s", e.text);
    assert_int_equal(rate_shares_divide(&s, &shares, &total, NULL, &e), 0);
    static const struct {
        double hour, rate[4];
    } at[] = {{6, {5, 5, 0, 0}},  {18, {5, 3, 2, 0}}, {27, {5, 5, 0, 0}}, {33, {8, 8, 0, 0}},
              {38, {8, 4, 0, 4}}, {42, {0, 0, 0, 0}}, {46, {2, 1, 0, 1}}, {80, {2, 1, 0, 1}}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        double rate[4] = {rate_at(&s, at[k].hour * hour)};
        for (int i = 0; i < s.count; i++)
            if (s.interval[i].from_s <= at[k].hour * hour && at[k].hour * hour < s.interval[i].to_s)
                rate[s.interval[i].id] += s.interval[i].rate_m3_s;
        for (int vent = 0; vent < 4; vent++)
            assert_true(fabs(rate[vent] - at[k].rate[vent]) < 1e-12);
    }
    assert_true(fabs(s.volume_m3 / total.volume_m3 - 1) < 1e-12);
    rate_series_free(&s);
    rate_shares_free(&shares);
    /* Drawn ones: the total stays, the share of vent 1 is that of its factor, in both of its rows, and of no other member. */
    assert_int_equal(rate_shares_read(&shares, path, "", 2, &total, &e), 0);
    double sum = 0, squares = 0, products = 0;
    for (int n = 0; n < MEMBERS; n++) {
        const struct rate_history_draws of = {.seed = 7, .number = (uint64_t)n};
        assert_int_equal(rate_shares_divide(&s, &shares, &total, &of, &e), 0);
        assert_true(fabs(rate_at(&s, 18 * hour) - 5) < 1e-12);
        double one = 0, later = 0;
        for (int i = 0; i < s.count; i++) {
            if (s.interval[i].id != 1) continue;
            if (s.interval[i].from_s == 12 * hour) one = s.interval[i].rate_m3_s;
            if (s.interval[i].from_s == 36 * hour) later = s.interval[i].rate_m3_s;
        }
        const double z = log(one / (5 - one) / 1.5) / log(2);
        products += z * log(later / (8 - later)) / log(2);
        sum += z;
        squares += z * z;
        rate_series_free(&s);
    }
    assert_true(fabs(sum / MEMBERS) < 4 * sqrt(2.0 / MEMBERS)); /* of two vents: a variance of 2 */
    assert_true(fabs(squares / MEMBERS - 2) < 4 * 2 * sqrt(2.0 / MEMBERS));
    assert_true(fabs(products / MEMBERS - 1) < 4 * sqrt(5.0 / MEMBERS)); /* vent 1 in both */
    rate_shares_free(&shares);
    static const struct {
        const char *rows, *what;
    } bad[] = {{"1,0,48,60.5\n", ":2: the share is 60.5"},
               {"1,12,48,1\n", "at 0 h the rate is above 0, but no vent has a share"},
               {"1,0,12,1\n2,24,48,1\n", "at 12 h the rate is above 0, but no vent has a share"},
               {"1,0,48,0\n", "all rows that end last have a share of 0"},
               {"*,0,48,1\n", ":2: the share is for all vents"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[200];
        snprintf(text, sizeof text, "vent,from_h,to_h,share\n%s", bad[k].rows);
        put_text(&dir, "bad.csv", text);
        assert_int_equal(
            rate_shares_read(&shares, scratch_file(&dir, "bad.csv"), "", 1, &total, &e),
            ERROR_INPUT);
        if (!strstr(e.text, bad[k].what)) fail_msg("%s", e.text);
        rate_shares_free(&shares);
    }
    rate_series_free(&total);
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
    assert_int_equal(rate_series_read(&bad, RATE_COLUMN, path, "", &e), 0);
    assert_int_equal(rate_history_create(&of_bad, &keys, &bad, path, &e), ERROR_INPUT);
    assert_non_null(strstr(e.text, "bad.csv:2:"));
    rate_history_free(&of_bad);
    rate_series_free(&bad);
    rate_history_free(&h);
    rate_series_free(&from);
}

/* ---- rates of radiant power ------------------------------------------------------------------ */

static int read_power(struct rate_series *s, const char *text, double density, struct error *e)
{
    put_text(&dir, "power.csv", text);
    return rate_series_read_power(s, scratch_file(&dir, "power.csv"), "2014-08-31T00:00Z", density,
                                  e);
}

/* Powers of 2 keep every quotient exact: the volume is the energy below the straight lines, by the radiant density. */
static void test_power(void **state)
{
    (void)state;
    static const double density = 134217728; /* J/m3 */
    static const char *const same[] = {
        "time_h,radiant_power_W\n0,0\n2,1073741824\n3,536870912\n7,0\n8,0\n",
        "time_s;radiant_power_MW\n0;0\n7200;1073,741824\n10800;536,870912\n25200;0\n28800;0\n",
        "time,satellite,radiant_power_W\n2014-08-31T00:00Z,a,0\n2014-08-31T02:00Z,b,1073741824\n"
        "2014-08-31T03:00Z,a,536870912\n2014-08-31T07:00Z,b,0\n2014-08-31T08:00Z,b,0\n"};
    static const double to_h[] = {2, 3, 7, 8}, rate_m3_s[] = {4, 6, 2, 0};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        struct rate_series s;
        struct error e = {0};
        if (read_power(&s, same[k], density, &e)) fail_msg("%s", e.text);
        assert_int_equal(s.count, 4);
        for (int i = 0; i < s.count; i++) {
            assert_true(s.interval[i].id == RATES_OF_ALL && s.interval[i].line == i + 3);
            assert_true(s.interval[i].from_s == (i ? to_h[i - 1] * 3600 : 0));
            assert_true(s.interval[i].to_s == to_h[i] * 3600);
            assert_true(s.interval[i].rate_m3_s == rate_m3_s[i]);
        }
        assert_true(s.volume_m3 == (2 * 4 + 1 * 6 + 4 * 2) * 3600.0);
        rate_series_free(&s);
    }
}

/* The error of the density is one factor for all rates of a member; those of rows are drawn beside it. */
static void test_power_error(void **state)
{
    (void)state;
    struct rate_history h;
    struct rate_history_keys keys = rate_history_keys_default();
    struct rate_series from;
    struct error e = {0};
    double sum = 0, squares = 0, own = 0;
    keys.radiant_factor = 1.5;
    keys.correlation = 0;
    assert_int_equal(read_power(&from,
                                "time_h,radiant_power_MW,factor\n0,100,1\n24,300,1\n48,500,1\n"
                                "72,100,1.2\n",
                                2e8, &e),
                     0);
    assert_int_equal(rate_history_create(&h, &keys, &from, scratch_file(&dir, "power.csv"), &e), 0);
    for (int n = 0; n < MEMBERS; n++) {
        struct rate_series s = draw(&h, &from, (uint64_t)n, INFINITY);
        const double z = log(s.interval[0].rate_m3_s) / log(1.5); /* of 1 m3/s */
        assert_true(fabs(s.interval[1].rate_m3_s / s.interval[0].rate_m3_s - 2) < 1e-14);
        sum += z;
        squares += z * z;
        const double y = log(s.interval[2].rate_m3_s / s.interval[0].rate_m3_s / 1.5) / log(1.2);
        own += y * y;
        rate_series_free(&s);
    }
    assert_true(fabs(sum / MEMBERS) < 4 / sqrt(MEMBERS));
    assert_true(fabs(squares / MEMBERS - 1) < 4 * sqrt(2.0 / MEMBERS));
    assert_true(fabs(own / MEMBERS - 1) < 4 * sqrt(2.0 / MEMBERS));
    /* what is given of a member stands for its own draws, the density's first */
    const double z[] = {1, 0.5, -0.5, 2};
    const struct rate_history_draws of = {.seed = 7, .number = 3, .given = 4, .z = z};
    struct rate_series s;
    assert_int_equal(rate_history_draw(&s, &h, &from, &of, INFINITY, &e), 0);
    assert_true(fabs(s.interval[0].rate_m3_s - 1.5) < 1e-14);
    assert_true(fabs(s.interval[2].rate_m3_s - 1.5 * 1.5 * 1.2 * 1.2) < 1e-14);
    rate_series_free(&s);
    rate_history_free(&h);
    rate_series_free(&from);
}

static void test_power_refused(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"time,power\n0,1\n", ":1: ", "time,radiant_power_W"},
        {"time,time_h,radiant_power_W\n0,0,1\n", ":1: ", "time,radiant_power_W"},
        {"time,radiant_power_W,radiant_power_MW\n0,1,1\n", ":1: ", "time,radiant_power_W"},
        {"time,radiant_power_W\n0,1e9\n", "power.csv: ", "two times"},
        {"time,radiant_power_W\n", "power.csv: ", "two times"},
        {"time,radiant_power_W\n-1,1e9\n2,1e9\n", ":2: ", "start of the eruption"},
        {"time,radiant_power_W\n0,-1e9\n2,1e9\n", ":2: ", "negative"},
        {"time,radiant_power_W\n0,1e9\n2,nan\n", ":3: ", ""},
        {"time,radiant_power_W\n0,1e9\n2,1e9\n2,1e9\n", ":4: ", "sort"},
        {"time,radiant_power_MW\n0,1e9\n2,1e9\n", ":3: ", "unit"},
        {"time,radiant_power_W\n0,250\n2,900\n", "power.csv: ", "unit"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct rate_series s;
        struct error e = {0};
        assert_int_equal(read_power(&s, wrong[i][0], 2e8, &e), ERROR_INPUT);
        if (!strstr(e.text, wrong[i][1]) || !strstr(e.text, wrong[i][2])) fail_msg("%s", e.text);
        assert_null(s.interval);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_correlation_by_days),
        cmocka_unit_test(test_pieces_of_shapes),
        cmocka_unit_test(test_after),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_after_anew),
        cmocka_unit_test(test_anew_from_normals),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_power_error),
        cmocka_unit_test(test_power_refused),
    };
    scratch_create(&dir);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(&dir);
    return failed;
}
