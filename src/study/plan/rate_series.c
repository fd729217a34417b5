#include "rate_series.h"

#include "base/order.h"
#include "random/quantile.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 48 }; /* number of pieces of a shape without a table */

int rate_series_add(struct rate_series *series, struct rate_series_interval i, struct error *e)
{
    if (!APPEND(series->interval, series->count, i)) return error_memory(e);
    series->volume_m3 += i.rate_m3_s * (i.to_s - i.from_s);
    if (i.to_s > series->end_s) series->end_s = i.to_s;
    return 0;
}

void rate_series_free(struct rate_series *series)
{
    RELEASE(series, series->path, series->interval);
}

/* Copies lists of rates. The lists were read with steps of one second, so that rounding to steps removes no
 * interval. */
static int take_lists(struct rate_series *series, const struct rate_lists *r, const char *path,
                      struct error *e)
{
    *series = (struct rate_series){.path = text_format("%s", path)};
    int status = series->path ? 0 : error_memory(e);
    for (int i = 0; i < r->count && !status; i++)
        for (int k = 0; k < r->list[i].count && !status; k++) {
            const struct rate *from = &r->list[i].rate[k];
            status = rate_series_add(series,
                                     (struct rate_series_interval){r->list[i].id, from->line,
                                                                   from->from_s, from->to_s,
                                                                   from->rate_m3_s},
                                     e);
        }
    if (status) rate_series_free(series);
    return status;
}

int rate_series_read(struct rate_series *series, const char *column, const char *path,
                     const char *start_time, struct error *e)
{
    FREED_BY(rates_free) struct rate_lists r = {0};
    *series = (struct rate_series){0};
    const int status = rates_read_as(&r, column, path, 1, start_time, e);
    return status ? status : take_lists(series, &r, path, e);
}

int rate_series_read_power(struct rate_series *series, const char *path, const char *start_time,
                           double density_J_m3, struct error *e)
{
    FREED_BY(rates_free) struct rate_lists r = {0};
    *series = (struct rate_series){0};
    const int status = rates_read_power(&r, path, 1, start_time, density_J_m3, e);
    return status ? status : take_lists(series, &r, path, e);
}

ORDER_MEMBERS(by_vent, struct rate_series_interval, id, from_s)

void rate_series_sort(struct rate_series *series)
{
    qsort(series->interval, (size_t)series->count, sizeof *series->interval, by_vent);
}

/* Reads a row of the table of a shape: from, to and rate, in any units. */
static int read_shape_row(struct rate_series *series, const struct csv *t, const int column[3],
                          struct error *e)
{
    struct rate_series_interval i = {.id = RATES_OF_ALL, .line = t->file.line};
    int status = csv_real(t, column[0], &i.from_s, e);
    if (!status) status = csv_real(t, column[1], &i.to_s, e);
    if (!status) status = csv_real(t, column[2], &i.rate_m3_s, e);
    if (status) return status;
    const char *fault = NULL;
    if (!(i.rate_m3_s >= 0 && i.rate_m3_s <= 1e15)) fault = "give a rate from 0 to 1e15";
    else if (!(i.from_s >= 0 && i.to_s > i.from_s && i.to_s <= 1e12))
        fault = "give times from 0 to 1e12, the end (to) after the start (from)";
    else if (series->count && i.from_s < series->end_s)
        fault = "begins before the row above ends; sort the rows by time, without overlap";
    return fault ? csv_refuse(t, e, "%s", fault) : rate_series_add(series, i, e);
}

static int read_shape(struct rate_series *series, const char *path, struct error *e)
{
    FREED_BY(csv_close) struct csv t = {.columns = 0};
    *series = (struct rate_series){.path = text_format("%s", path)};
    if (!series->path) return error_memory(e);
    int status = csv_open(&t, path, e);
    const int column[3] = {csv_column(&t, "from"), csv_column(&t, "to"), csv_column(&t, "rate")};
    if (!status && (column[0] < 0 || column[1] < 0 || column[2] < 0))
        status = error_line(e, path, t.file.line, "the header has to be 'from,to,rate'");
    CSV_EACH (&t, status, e) status = read_shape_row(series, &t, column, e);
    return status;
}

static double constant_until(double t, double peak, double decay)
{
    return t;
}
static double waxwane_until(double t, double peak, double decay)
{
    return t <= peak ? t * t / peak : 1 - (1 - t) * (1 - t) / (1 - peak);
}
static double exponential_until(double t, double peak, double decay)
{
    return 1 - real_exp(-decay * t);
}
static double risefall_until(double t, double peak, double decay)
{
    return t <= peak ? t * t / (2 * peak) : peak / 2 + (1 - real_exp(-decay * (t - peak))) / decay;
}

static const struct rate_form forms[] = {
    {"constant", 1, false, false, constant_until},
    {"waxwane", PIECES, true, false, waxwane_until},
    {"exponential", PIECES, false, true, exponential_until},
    {"risefall", PIECES, true, true, risefall_until},
};

const struct rate_form *rate_form_find(const char *word)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].name, word)) return &forms[i];
    return NULL;
}

static int fill_intervals(struct rate_series *series, const struct rate_form *form,
                          const struct rate_series_shape *how, struct error *e)
{
    const double peak = isnan(how->peak) ? RATE_PEAK : how->peak;
    const double decay = isnan(how->decay) ? RATE_DECAY : how->decay;
    double before = 0;
    int status = 0;
    for (int i = 1; i <= form->pieces && !status; i++) {
        const double t = (double)i / form->pieces, now = form->until(t, peak, decay);
        status = rate_series_add(
            series,
            (struct rate_series_interval){.from_s = (i - 1.0) / form->pieces,
                                          .to_s = t,
                                          .rate_m3_s = (now - before) * form->pieces},
            e);
        before = now;
    }
    return status;
}

/* Scales a series to volume 1 and duration 1. */
static void normalise(struct rate_series *series)
{
    const double duration = series->end_s, volume = series->volume_m3;
    for (int i = 0; i < series->count; i++) {
        series->interval[i].from_s /= duration;
        series->interval[i].to_s /= duration;
        series->interval[i].rate_m3_s *= duration / volume;
    }
    series->end_s = series->volume_m3 = 1;
    series->shape = true;
}

static int check_shape(const struct rate_form *form, const struct rate_series_shape *how,
                       const char *at, struct error *e)
{
    if (!isnan(how->peak) && !form->peak)
        return error_input(
            e, "%s: shape %s has no peak: only waxwane and risefall have a peak; remove it", at,
            form->name);
    if (!isnan(how->decay) && !form->decay)
        return error_input(
            e, "%s: shape %s has no decay: only exponential and risefall have a decay; remove it",
            at, form->name);
    if (!isnan(how->peak) && !(how->peak >= RATE_PEAK_LEAST && how->peak <= RATE_PEAK_MOST))
        return error_input(e, "%s: peak is %g; give a part of the duration from 0.001 to 0.999", at,
                           how->peak);
    if (!isnan(how->decay) && !(how->decay >= RATE_DECAY_LEAST && how->decay <= RATE_DECAY_MOST))
        return error_input(e, "%s: decay is %g; give 0.001 to 100 (3: the rate falls to e^-3)", at,
                           how->decay);
    return 0;
}

int rate_series_shape(struct rate_series *series, const char *word, const char *path,
                      const struct rate_series_shape *how, const char *at, struct error *e)
{
    const struct rate_form *form = rate_form_find(word), own = {.name = word};
    *series = (struct rate_series){0};
    int status = check_shape(form ? form : &own, how, at, e);
    if (status) return status;
    if (form) {
        if (!(series->path = text_format("%s", at))) return error_memory(e);
        status = fill_intervals(series, form, how, e);
    } else if (!strchr(word, '.')) {
        status = error_input(e,
                             "%s: unknown shape '%.40s'; give constant, waxwane, exponential, "
                             "risefall or a CSV file with from,to,rate",
                             at, word);
    } else {
        status = read_shape(series, path, e);
    }
    if (!status && !(series->volume_m3 > 0))
        status = error_input(e, "%s: no rate is above 0; give a shape that emits", series->path);
    if (status) rate_series_free(series);
    else normalise(series);
    return status;
}

static int add_interval(struct rate_lists *r, const struct rate_series_interval *i, double from_s,
                        double to_s, double rate_m3_s, double clock_s, struct error *e)
{
    struct rate_list *list;
    int status = rate_lists_get(&list, r, i->id, e);
    if (status) return status;
    return rate_list_add_interval(r, list, from_s, to_s, rate_m3_s, clock_s, i->line, e);
}

/* Adds a shape. Neighbouring pieces are joined until they last two steps. If less than two steps remain at the end, the
 * last piece is extended by them. */
static int add_shape(struct rate_lists *r, const struct rate_series *series, double stretch,
                     double factor, double clock_s, struct error *e)
{
    double from_s = 0, volume_m3 = 0;
    const double end_s = series->interval[series->count - 1].to_s * stretch;
    int status = 0;
    for (int i = 0; i < series->count && !status; i++) {
        const struct rate_series_interval *k = &series->interval[i];
        const double to_s = k->to_s * stretch;
        if (volume_m3 == 0) from_s = k->from_s * stretch;
        volume_m3 += k->rate_m3_s * factor * (k->to_s - k->from_s) * stretch;
        const bool last = i + 1 == series->count;
        if (!last && (to_s - from_s < 2 * clock_s || end_s - to_s < 2 * clock_s)) continue;
        if (volume_m3 > 0)
            status = add_interval(r, k, from_s, to_s, volume_m3 / (to_s - from_s), clock_s, e);
        volume_m3 = 0;
    }
    return status;
}

int rate_series_rates(struct rate_lists *r, const struct rate_series *series, double stretch,
                      double factor, double clock_s, const char *called, struct error *e)
{
    int status = 0;
    *r = (struct rate_lists){.path = called};
    if (series->shape) status = add_shape(r, series, stretch, factor, clock_s, e);
    for (int i = 0; i < series->count && !series->shape && !status; i++) {
        const struct rate_series_interval *k = &series->interval[i];
        status = add_interval(r, k, k->from_s * stretch, k->to_s * stretch, k->rate_m3_s * factor,
                              clock_s, e);
    }
    if (status) rates_free(r);
    return status;
}
