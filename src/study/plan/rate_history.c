#include "rate_history.h"

#include "base/order.h"
#include "random/philox.h"
#include "random/quantile.h"
#include "random/sampling.h"
#include "text/csv.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DAY_S = 86400, FACTOR_MOST = 100, TIME_MOST_S = 3.6e10;

/* ---- keys ------------------------------------------------------------------------------------ */

struct rate_history_keys rate_history_keys_default(void)
{
    return (struct rate_history_keys){.factor = 1,
                                      .correlation = 0.7,
                                      .after_factor = 1,
                                      .after_correlation = 0.7,
                                      .peak = {RATE_PEAK, RATE_PEAK},
                                      .decay = {RATE_DECAY, RATE_DECAY}};
}

static bool read_factor(double *x, const char *word)
{
    return scan_real(word, x) && *x >= 1 && *x <= FACTOR_MOST;
}

static bool read_correlation(double *x, const char *word)
{
    return scan_real(word, x) && *x >= 0 && *x < 1;
}

int rate_history_read_error(const struct entry *at, struct error *e)
{
    struct rate_history_keys *k = at->target;
    struct entry_words w;
    const bool good = entry_words(&w, at) &&
                      (w.count == 1 || (w.count == 3 && !strcmp(w.word[1], "correlation"))) &&
                      read_factor(&k->factor, w.word[0]) &&
                      (w.count == 1 || read_correlation(&k->correlation, w.word[2]));
    return good ? 0
                : entry_refuse(at,
                               "give a factor from 1 to 100, such as 1.5 (68 % between rate / 1.5 "
                               "and rate * 1.5), then 'correlation R' of a day with the next, 0 "
                               "<= R < 1",
                               e);
}

int rate_history_read_radiant(const struct entry *at, struct error *e)
{
    struct rate_history_keys *k = at->target;
    struct entry_words w;
    const bool good = entry_words(&w, at) && w.count == 3 &&
                      scan_real(w.word[0], &k->radiant_density_J_m3) &&
                      k->radiant_density_J_m3 >= 1e5 && k->radiant_density_J_m3 <= 1e10 &&
                      !strcmp(w.word[1], "factor") && read_factor(&k->radiant_factor, w.word[2]);
    return good ? 0
                : entry_refuse(at,
                               "give a radiant density from 1e5 to 1e10 J/m3, and its error, such "
                               "as '2e8 factor 1.5'",
                               e);
}

/* Reads a number, or the two numbers between which members draw. *i becomes the index of the next word. */
static bool read_range(double x[2], const struct entry_words *w, int *i, double least, double most)
{
    if (*i == w->count || !scan_real(w->word[*i], &x[0])) return false;
    ++*i;
    x[1] = x[0];
    if (*i < w->count && scan_real(w->word[*i], &x[1])) ++*i;
    return x[0] >= least && x[1] >= x[0] && x[1] <= most;
}

static bool read_after_tail(struct rate_history_keys *k, const struct entry_words *w, int i)
{
    const struct rate_form *curve = k->after == AFTER_CURVE ? k->curve : NULL;
    bool good = true;
    while (good && i < w->count) {
        const char *word = w->word[i++];
        double x[2] = {0};
        if (curve && curve->peak && !strcmp(word, "peak")) {
            good = read_range(k->peak, w, &i, RATE_PEAK_LEAST, RATE_PEAK_MOST);
        } else if (curve && curve->decay && !strcmp(word, "decay")) {
            good = read_range(k->decay, w, &i, RATE_DECAY_LEAST, RATE_DECAY_MOST);
        } else if (k->after == AFTER_AR1 && !strcmp(word, "level")) {
            good = read_range(x, w, &i, 0, 1e6) && x[0] == x[1] && x[0] > 0;
            k->level_m3_s = x[0];
        } else if (i == w->count) {
            good = false;
        } else if (!strcmp(word, "factor")) {
            good = read_factor(&k->after_factor, w->word[i++]);
        } else if (!strcmp(word, "correlation")) {
            good = read_correlation(&k->after_correlation, w->word[i++]);
        } else {
            good = false;
        }
    }
    return good;
}

int rate_history_read_after(const struct entry *at, struct error *e)
{
    struct rate_history_keys *k = at->target;
    struct entry_words w;
    struct error why;
    bool good = entry_words(&w, at);
    if (good && !strcmp(w.word[0], "ar1")) {
        k->after = AFTER_AR1;
        good = read_after_tail(k, &w, 1);
    } else if (good && !strcmp(w.word[0], "decline") && w.count > 1) {
        k->after = AFTER_DECLINE;
        good = !times_span(&k->decline_s, w.word[1], TIMES_HOURS, &why) && k->decline_s > 0 &&
               k->decline_s <= TIME_MOST_S && read_after_tail(k, &w, 2);
    } else if (good && !strcmp(w.word[0], "curve") && w.count > 1) {
        k->after = AFTER_CURVE;
        k->curve = rate_form_find(w.word[1]);
        good = k->curve && read_after_tail(k, &w, 2);
    } else {
        good = false;
    }
    return good ? 0
                : entry_refuse(
                      at,
                      "give 'ar1', 'decline TIME' or 'curve FORM' (constant, waxwane, exponential, "
                      "risefall), then factor F (1 to 100) and correlation R (0 <= R < 1); ar1 may "
                      "have level RATE (m3/s), a curve peak P and decay D (one or two numbers)",
                      e);
}

/* ---- errors of the rates ----------------------------------------------------------------------- */

static double log_of(double factor)
{
    return factor > 1 ? real_log(factor) : 0;
}

/* Reads the column `factor`. The line number of an interval tells which row has its factor. */
static int read_factors(struct rate_history *h, const struct rate_series *from, const char *path,
                        struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    int status = csv_open(&t, path, e);
    const int column = status ? -1 : csv_column(&t, "factor");
    if (column < 0) return status;
    CSV_EACH (&t, status, e) {
        double factor;
        status = csv_real(&t, column, &factor, e);
        if (!status && !(factor >= 1 && factor <= FACTOR_MOST))
            status = csv_refuse(&t, e, "give a factor of error from 1 (exact) to 100");
        for (int i = 0; i < from->count && !status; i++)
            if (from->interval[i].line == t.file.line) h->sd[i] = log_of(factor);
    }
    return status;
}

/* Lists the middle times of intervals, each time once. Intervals with the same middle time share one error. */
static void list_turns(struct rate_history *h, const struct rate_series *from)
{
    for (int i = 0; i < from->count; i++)
        h->middle_s[i] = 0.5 * (from->interval[i].from_s + from->interval[i].to_s);
    h->turns = order_distinct(h->middle_s, from->count);
    for (int i = 0; i < from->count; i++) {
        const double middle_s = 0.5 * (from->interval[i].from_s + from->interval[i].to_s);
        while (h->middle_s[h->turn[i]] < middle_s) h->turn[i]++;
    }
}

int rate_history_create(struct rate_history *h, const struct rate_history_keys *keys,
                        const struct rate_series *from, const char *path, struct error *e)
{
    const size_t count = (size_t)from->count;
    *h = (struct rate_history){.keys = *keys,
                               .shared_sd = log_of(keys->radiant_factor),
                               .sd = malloc(count * sizeof *h->sd),
                               .middle_s = malloc(count * sizeof *h->middle_s),
                               .turn = calloc(count, sizeof *h->turn)};
    if (!h->sd || !h->middle_s || !h->turn) return error_memory(e);
    for (size_t i = 0; i < count; i++) h->sd[i] = log_of(keys->factor);
    list_turns(h, from);
    return path ? read_factors(h, from, path, e) : 0;
}

void rate_history_free(struct rate_history *h)
{
    RELEASE(h, h->sd, h->middle_s, h->turn);
}

/* ---- a history --------------------------------------------------------------------------------- */

/* An AR(1) process at uneven times. */
struct process {
    const struct rate_history_draws *of;
    double z, time_s;
    bool begun;
    uint32_t count; /* number of normal numbers drawn so far */
};

double rate_history_normal(uint64_t seed, uint64_t number, uint32_t i)
{
    return normal_quantile(philox_unit(philox_bits(seed, STREAM_RATES, number, i)));
}

static double next_normal(struct process *p)
{
    const uint32_t i = p->count++;
    return i < p->of->given ? p->of->z[i] : rate_history_normal(p->of->seed, p->of->number, i);
}

static double step(struct process *p, double time_s, double correlation)
{
    const double days = (time_s - p->time_s) / DAY_S;
    const double r = p->begun && correlation > 0 ? real_exp(days * real_log(correlation)) : 0;
    p->begun = true;
    p->time_s = time_s;
    return p->z = r * p->z + sqrt(1 - r * r) * next_normal(p);
}

static void add_interval(struct rate_series *out, struct rate_series_interval i, double end_s)
{
    if (i.to_s > end_s) i.to_s = end_s;
    if (!(i.to_s > i.from_s)) return;
    out->interval[out->count++] = i;
    out->volume_m3 += i.rate_m3_s * (i.to_s - i.from_s);
    if (i.to_s > out->end_s) out->end_s = i.to_s;
}

static int vents_of(const struct rate_series *s)
{
    int vents = 0;
    for (int i = 0; i < s->count; i++) vents += !i || s->interval[i].id != s->interval[i - 1].id;
    return vents;
}

/* ---- rates after the last one ---------------------------------------------------------------- */

/* Parameters of the total rate after the last observed rate. */
struct future {
    const struct rate_history_keys *keys;
    double begin_s, end_s;
    /* The latest beginning and the sum of the rates of those intervals that end at the last observed time. */
    double last_from_s, last_m3_s;
    double level; /* m3/s; for AFTER_CURVE the volume of the whole curve, m3 */
    double peak, decay;
    /* Volume, m3, from the vents that are closed at the end of the observed rates; 0: no vent counts as closed. */
    double closed_m3;
};

static double drawn_between(const double x[2], const struct rate_history_draws *of, uint32_t i)
{
    const double u = philox_unit(philox_bits(of->seed, STREAM_RATES, of->number, UINT32_MAX - i));
    return x[0] + (x[1] - x[0]) * u;
}

static double curve_between(const struct future *f, double from_s, double to_s)
{
    const struct rate_form *c = f->keys->curve;
    return c->until(to_s / f->end_s, f->peak, f->decay) -
           c->until(from_s / f->end_s, f->peak, f->decay);
}

/* The mean of the total rate between two times, without random scatter. */
static double level_of(const struct future *f, double from_s, double to_s)
{
    const struct rate_history_keys *k = f->keys;
    if (k->after == AFTER_AR1) return f->level;
    if (k->after == AFTER_DECLINE)
        return f->last_m3_s * real_exp(-(from_s + DAY_S / 2 - f->begin_s) / k->decline_s);
    if (to_s > f->end_s) to_s = f->end_s;
    return f->level * curve_between(f, from_s, to_s) / (to_s - from_s);
}

/* Whether the vent of interval i is open at the end of the rates. */
static bool is_open(const struct rate_series *s, int i)
{
    const int id = s->interval[i].id;
    for (int n = 0; n < s->count; n++)
        if (s->interval[n].id == id && s->interval[n].to_s == s->end_s &&
            s->interval[n].rate_m3_s > 0)
            return true;
    return false;
}

static struct future future_of(const struct rate_series *out, const struct rate_history_keys *k,
                               const struct rate_series *from, const struct rate_history_draws *of,
                               double end_s)
{
    struct future f = {.keys = k, .begin_s = out->end_s, .end_s = end_s};
    for (int i = 0; i < out->count; i++) {
        if (out->interval[i].to_s != out->end_s) continue;
        f.last_m3_s += out->interval[i].rate_m3_s;
        f.last_from_s = fmax(f.last_from_s, out->interval[i].from_s);
    }
    for (int i = 0; i < from->count; i++)
        if (!is_open(from, i))
            f.closed_m3 +=
                from->interval[i].rate_m3_s * (from->interval[i].to_s - from->interval[i].from_s);
    /* If no vent is open, all vents share the later rates. */
    if (f.closed_m3 >= from->volume_m3) f.closed_m3 = 0;
    if (k->after == AFTER_CURVE) {
        f.peak = drawn_between(k->peak, of, 0);
        f.decay = drawn_between(k->decay, of, 1);
        f.level = out->volume_m3 / curve_between(&f, 0, out->end_s);
    } else {
        f.level =
            k->level_m3_s > 0 ? k->level_m3_s : out->volume_m3 / (out->end_s > 0 ? out->end_s : 1);
    }
    return f;
}

/* Divides the total rate of the day that begins at from_s among the open vents. The rate of a vent is in proportion to
 * the volume that it has emitted before. */
static void add_total(struct rate_series *out, const struct rate_series *from,
                      const struct future *f, double from_s, double rate_m3_s)
{
    for (int i = 0; i < from->count; i++) {
        const struct rate_series_interval *k = &from->interval[i];
        double volume_m3 = 0;
        if (i && k->id == from->interval[i - 1].id) continue; /* this vent was added already */
        if (f->closed_m3 > 0 && !is_open(from, i)) continue;
        for (int n = i; n < from->count && from->interval[n].id == k->id; n++)
            volume_m3 +=
                from->interval[n].rate_m3_s * (from->interval[n].to_s - from->interval[n].from_s);
        add_interval(
            out,
            (struct rate_series_interval){k->id, k->line, from_s, from_s + DAY_S,
                                          rate_m3_s * volume_m3 / (from->volume_m3 - f->closed_m3)},
            f->end_s);
    }
}

static void go_on(struct rate_series *out, const struct rate_history_keys *k,
                  const struct rate_series *from, struct process *p, double end_s)
{
    const struct future f = future_of(out, k, from, p->of, end_s);
    const double sd = log_of(k->after_factor);
    if (k->after != AFTER_DECLINE && sd > 0 && f.last_m3_s > 0)
        p->z = real_log(f.last_m3_s / level_of(&f, f.last_from_s, f.begin_s)) / sd;
    for (double t = f.begin_s; t < end_s; t += DAY_S) {
        const double z = step(p, t + DAY_S / 2, k->after_correlation);
        add_total(out, from, &f, t, level_of(&f, t, t + DAY_S) * real_exp(sd * z));
    }
}

int rate_history_draw(struct rate_series *out, const struct rate_history *h,
                      const struct rate_series *from, const struct rate_history_draws *of,
                      double end_s, struct error *e)
{
    struct process p = {.of = of};
    const double more_s = h->keys.after && end_s > from->end_s ? end_s - from->end_s : 0;
    const size_t room =
        (size_t)from->count + (size_t)vents_of(from) * ((size_t)(more_s / DAY_S) + 1);
    *out = (struct rate_series){.path = text_format("%s", from->path),
                                .interval = calloc(room, sizeof *out->interval)};
    FREED double *z = calloc((size_t)h->turns + 1, sizeof *z);
    if (!out->path || !out->interval || !z) return rate_series_free(out), error_memory(e);
    const double all = h->shared_sd > 0 ? real_exp(h->shared_sd * next_normal(&p)) : 1;
    for (int i = 0; i < h->turns; i++) z[i] = step(&p, h->middle_s[i], h->keys.correlation);
    for (int i = 0; i < from->count; i++) {
        struct rate_series_interval k = from->interval[i];
        k.rate_m3_s *= all * real_exp(h->sd[i] * z[h->turn[i]]);
        add_interval(out, k, end_s);
    }
    if (more_s > 0) go_on(out, &h->keys, from, &p, end_s);
    rate_series_sort(out);
    if (out->count) return 0;
    rate_series_free(out);
    return error_input(e, "%s: all rates are after the end of the eruption, %g h; give a later end",
                       from->path, end_s / 3600);
}
