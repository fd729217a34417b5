#include "rate_shares.h"

#include "base/order.h"
#include "random/quantile.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>

/* Draws 0 and 1 are for peak and decay (rate_history.c). Draws BEHIND_CURVE and later are for shares. */
enum { SHARE_MOST = 1000000, BEHIND_CURVE = 2 };

static double last_time(const struct rate_shares *s)
{
    return s->time_s[s->times - 1];
}

static int check_shares(const struct rate_shares *s, const struct rate_series *rates,
                        struct error *e)
{
    double at_end = 0;
    if (rates->interval[0].id != RATES_OF_ALL)
        return error_line(e, rates->path, rates->interval[0].line,
                          "the rate is of a single vent, but vent_shares divides the rate of all "
                          "vents; give it with * as vent");
    for (int i = 0; i < s->of.count; i++) {
        const struct rate_series_interval *k = &s->of.interval[i];
        if (k->id == RATES_OF_ALL)
            return error_line(e, s->of.path, k->line,
                              "the share is for all vents (*), not for one; give each row the "
                              "number of one vent");
        if (k->rate_m3_s != floor(k->rate_m3_s) || k->rate_m3_s > SHARE_MOST)
            return error_line(e, s->of.path, k->line,
                              "the share is %g; give whole numbers up to %d, such as 60 and 40",
                              k->rate_m3_s, SHARE_MOST);
        if (k->to_s == last_time(s)) at_end += k->rate_m3_s;
    }
    if (at_end > 0) return 0;
    return error_input(
        e, "%s: all rows that end last have a share of 0; give one of them a share above 0",
        s->of.path);
}

int rate_shares_read(struct rate_shares *s, const char *path, const char *start_time, double factor,
                     const struct rate_series *rates, struct error *e)
{
    struct rate_series tried;
    *s = (struct rate_shares){.sd = factor > 1 ? real_log(factor) : 0};
    int status = rate_series_read(&s->of, "share", path, start_time, e);
    for (int i = 0; i < s->of.count && !status; i++)
        if (!APPEND(s->time_s, s->times, s->of.interval[i].from_s) ||
            !APPEND(s->time_s, s->times, s->of.interval[i].to_s))
            status = error_memory(e);
    if (status) return status;
    qsort(s->time_s, (size_t)s->times, sizeof *s->time_s, order_reals);
    status = check_shares(s, rates, e);
    if (!status) status = rate_shares_divide(&tried, s, rates, NULL, e);
    if (!status) rate_series_free(&tried);
    return status;
}

void rate_shares_free(struct rate_shares *s)
{
    rate_series_free(&s->of);
    RELEASE(s, s->time_s);
}

/* ---- dividing a total ------------------------------------------------------------------------ */

/* The share of the vent of interval i at a time; 0: the vent is closed. */
static double share_at(const struct rate_shares *s, int i, double time_s)
{
    const struct rate_series_interval *k = &s->of.interval[i];
    const bool open = k->from_s <= time_s && (time_s < k->to_s || k->to_s == last_time(s));
    return open ? k->rate_m3_s : 0;
}

static double factor_of(const struct rate_shares *s, const struct rate_history_draws *of, int vent)
{
    if (!of || !(s->sd > 0)) return 1;
    return real_exp(s->sd * rate_history_normal(of->seed, of->number,
                                                UINT32_MAX - BEHIND_CURVE - (uint32_t)vent));
}

/* Divides the rate of interval *k among the vents, from from_s to to_s. No share changes in this time. weight[i]: a
 * factor for row i of the shares. */
static int add_piece(struct rate_series *out, const struct rate_shares *s,
                     const struct rate_series_interval *k, const double *weight, double from_s,
                     double to_s, struct error *e)
{
    double sum = 0;
    int status = 0;
    for (int i = 0; i < s->of.count; i++) sum += weight[i] * share_at(s, i, from_s);
    if (!(sum > 0) && k->rate_m3_s > 0)
        return error_input(e,
                           "%s: at %g h the rate is above 0, but no vent has a share above 0; give "
                           "a vent a share at that time",
                           s->of.path, from_s / 3600);
    for (int i = 0; i < s->of.count && !status; i++) {
        const int id = s->of.interval[i].id;
        double mine = 0;
        if (i && id == s->of.interval[i - 1].id) continue; /* this vent was added already */
        for (int n = i; n < s->of.count && s->of.interval[n].id == id; n++)
            mine += weight[n] * share_at(s, n, from_s);
        status =
            rate_series_add(out,
                            (struct rate_series_interval){id, k->line, from_s, to_s,
                                                          mine > 0 ? k->rate_m3_s * mine / sum : 0},
                            e);
    }
    return status;
}

static int add_interval(struct rate_series *out, const struct rate_shares *s,
                        const struct rate_series_interval *k, const double *weight, struct error *e)
{
    double from_s = k->from_s;
    int status = 0;
    for (int i = 0; i <= s->times && from_s < k->to_s && !status; i++) {
        const double to_s = i < s->times && s->time_s[i] < k->to_s ? s->time_s[i] : k->to_s;
        if (to_s <= from_s) continue;
        status = add_piece(out, s, k, weight, from_s, to_s, e);
        from_s = to_s;
    }
    return status;
}

int rate_shares_divide(struct rate_series *out, const struct rate_shares *s,
                       const struct rate_series *total, const struct rate_history_draws *of,
                       struct error *e)
{
    *out = (struct rate_series){.path = text_format("%s", total->path)};
    FREED double *weight = malloc((size_t)s->of.count * sizeof *weight);
    int status = out->path && weight ? 0 : error_memory(e);
    for (int i = 0, vent = -1; i < s->of.count && !status; i++) {
        vent += !i || s->of.interval[i].id != s->of.interval[i - 1].id;
        weight[i] = factor_of(s, of, vent);
    }
    for (int i = 0; i < total->count && !status; i++)
        status = add_interval(out, s, &total->interval[i], weight, e);
    if (status) rate_series_free(out);
    else rate_series_sort(out);
    return status;
}
