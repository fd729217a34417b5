#include "course.h"

#include "case/rate_lists.h"
#include "quantile.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 48 }; /* of a shape that is no table */

static int add(struct course *c, struct course_interval i, struct error *e)
{
    struct course_interval *more = grow(c->interval, c->count, sizeof *more);
    if (!more) return error_failed(e, "%s: out of memory", c->path);
    c->interval = more;
    more[c->count++] = i;
    c->volume_m3 += i.rate_m3_s * (i.to_s - i.from_s);
    if (i.to_s > c->end_s) c->end_s = i.to_s;
    return 0;
}

void course_free(struct course *c)
{
    free(c->path);
    free(c->interval);
    *c = (struct course){0};
}

/* ---- tables ---------------------------------------------------------------------------------- */

struct columns {
    int id, from, to, rate; /* id < 0: of all */
    double unit_s;
};

static int find_columns(struct columns *k, const struct csv *t, bool shape, struct error *e)
{
    const bool hours = !shape && csv_column(t, "from_h") >= 0;
    const char *from = shape ? "from" : hours ? "from_h" : "from_s";
    const char *to = shape ? "to" : hours ? "to_h" : "to_s";
    *k =
        (struct columns){shape ? -1 : csv_column(t, "vent"), csv_column(t, from), csv_column(t, to),
                         csv_column(t, shape ? "rate" : "rate_m3_s"), hours ? 3600 : 1};
    if ((shape || k->id >= 0) && k->from >= 0 && k->to >= 0 && k->rate >= 0) return 0;
    return error_input(e, "%s:%d: the header has to be '%s'", t->file.path, t->file.line,
                       shape ? "from,to,rate"
                             : "vent,from_s,to_s,rate_m3_s' (or from_h and to_h: hours)");
}

static const char *fault_of(const struct course *c, const struct course_interval *i)
{
    if (!(i->rate_m3_s >= 0)) return "the rate is negative; give 0 or more";
    if (!(i->from_s >= 0)) return "the time is negative; count from the start of the eruption";
    if (!(i->to_s > i->from_s)) return "the end is not after the start; swap or correct them";
    if (!(i->to_s <= 1e12)) return "the end is too far away; give an earlier one";
    if (!(i->rate_m3_s <= 1e15)) return "the rate is too large; give a smaller one";
    for (int k = c->count - 1; k >= 0; k--)
        if (c->interval[k].id == i->id)
            return c->interval[k].to_s <= i->from_s
                       ? NULL
                       : "begins before the row above ends; put rows in order of time, without "
                         "overlap";
    return NULL;
}

static int read_row(struct course *c, const struct csv *t, const struct columns *k, struct error *e)
{
    int64_t id = RATES_OF_ALL;
    struct course_interval i = {.line = t->file.line};
    int status = 0;
    if (k->id >= 0 && strcmp(t->cell[k->id], "*"))
        status = csv_integer(t, k->id, 1, 1000000000, &id, e);
    if (!status) status = csv_real(t, k->from, &i.from_s, e);
    if (!status) status = csv_real(t, k->to, &i.to_s, e);
    if (!status) status = csv_real(t, k->rate, &i.rate_m3_s, e);
    if (status) return status;
    i.id = (int)id;
    i.from_s *= k->unit_s;
    i.to_s *= k->unit_s;
    const char *fault = fault_of(c, &i);
    if (fault) return error_input(e, "%s:%d: %s", t->file.path, t->file.line, fault);
    return add(c, i, e);
}

static int check_ids(const struct course *c, struct error *e)
{
    bool all = false, single = false;
    for (int i = 0; i < c->count; i++) {
        all |= c->interval[i].id == RATES_OF_ALL;
        single |= c->interval[i].id != RATES_OF_ALL;
    }
    if (!c->count) return error_input(e, "%s: has no rate; add a row for each interval", c->path);
    if (!all || !single) return 0;
    return error_input(e,
                       "%s: rates of all vents (*) stand beside rates of single vents; use one "
                       "of the two ways",
                       c->path);
}

static int read_table(struct course *c, const char *path, bool shape, struct error *e)
{
    struct csv t;
    struct columns k;
    bool more;
    *c = (struct course){.path = text_format("%s", path)};
    if (!c->path) return error_failed(e, "%s: out of memory", path);
    int status = csv_open(&t, path, e);
    if (!status) status = find_columns(&k, &t, shape, e);
    while (!status && !(status = csv_row(&t, &more, e)) && more) status = read_row(c, &t, &k, e);
    if (!status) status = check_ids(c, e);
    csv_close(&t);
    if (status) course_free(c);
    return status;
}

int course_read(struct course *c, const char *path, struct error *e)
{
    return read_table(c, path, false, e);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Volume until t, of duration 1 and any volume. */
static double waxwane_until(double t, double peak)
{
    return t <= peak ? t * t / peak : 1 - (1 - t) * (1 - t) / (1 - peak);
}
static double exponential_until(double t, double decay)
{
    return 1 - real_exp(-decay * t);
}

static int fill(struct course *c, const char *word, const struct course_shape *how, struct error *e)
{
    const double peak = isnan(how->peak) ? 0.25 : how->peak;
    const double decay = isnan(how->decay) ? 3 : how->decay;
    const int pieces = !strcmp(word, "constant") ? 1 : PIECES;
    double before = 0;
    int status = 0;
    for (int i = 1; i <= pieces && !status; i++) {
        const double t = (double)i / pieces;
        const double now = pieces == 1                ? 1
                           : !strcmp(word, "waxwane") ? waxwane_until(t, peak)
                                                      : exponential_until(t, decay);
        status =
            add(c,
                (struct course_interval){
                    .from_s = (i - 1.0) / pieces, .to_s = t, .rate_m3_s = (now - before) * pieces},
                e);
        before = now;
    }
    return status;
}

/* To volume 1 and duration 1. */
static void normalise(struct course *c)
{
    const double duration = c->end_s, volume = c->volume_m3;
    for (int i = 0; i < c->count; i++) {
        c->interval[i].from_s /= duration;
        c->interval[i].to_s /= duration;
        c->interval[i].rate_m3_s *= duration / volume;
    }
    c->end_s = c->volume_m3 = 1;
    c->shape = true;
}

static int check_shape(const char *word, const struct course_shape *how, const char *at,
                       struct error *e)
{
    const bool waxwane = !strcmp(word, "waxwane"), exponential = !strcmp(word, "exponential");
    if (!isnan(how->peak) && !waxwane)
        return error_input(e, "%s: a peak for shape %s; only waxwane has one", at, word);
    if (!isnan(how->decay) && !exponential)
        return error_input(e, "%s: a decay for shape %s; only exponential has one", at, word);
    if (waxwane && !(isnan(how->peak) || (how->peak >= 0.001 && how->peak <= 0.999)))
        return error_input(e, "%s: peak is %g; give a part of the duration from 0.001 to 0.999", at,
                           how->peak);
    if (exponential && !(isnan(how->decay) || (how->decay >= 0.001 && how->decay <= 100)))
        return error_input(e,
                           "%s: decay is %g; give 0.001 to 100, of which 3 means that the rate "
                           "falls to e^-3",
                           at, how->decay);
    return 0;
}

int course_shape(struct course *c, const char *word, const char *path,
                 const struct course_shape *how, const char *at, struct error *e)
{
    *c = (struct course){0};
    int status = check_shape(word, how, at, e);
    if (status) return status;
    if (!strcmp(word, "constant") || !strcmp(word, "waxwane") || !strcmp(word, "exponential")) {
        if (!(c->path = text_format("%s", at))) return error_failed(e, "%s: out of memory", at);
        status = fill(c, word, how, e);
    } else if (!strchr(word, '.')) {
        status = error_input(e,
                             "%s: unknown shape '%.40s'; give constant, waxwane, exponential or a "
                             "CSV file with from,to,rate",
                             at, word);
    } else {
        status = read_table(c, path, true, e);
    }
    if (!status && !(c->volume_m3 > 0))
        status = error_input(e, "%s: no rate is above 0; give a shape that emits", c->path);
    if (status) course_free(c);
    else normalise(c);
    return status;
}

/* ---- lists of rates -------------------------------------------------------------------------- */

static int add_interval(struct rate_lists *r, const struct course_interval *i, double from_s,
                        double to_s, double volume_m3, double clock_s, struct error *e)
{
    struct rate_list *list;
    int status = rate_lists_get(&list, r, i->id, e);
    if (status) return status;
    return rate_list_add_interval(r, list, from_s, to_s, volume_m3 / (to_s - from_s), clock_s,
                                  i->line, e);
}

/* Pieces of a shape are joined until they last two steps; what is left at the end goes to the last.
 */
static int add_shape(struct rate_lists *r, const struct course *c, double stretch, double factor,
                     double clock_s, struct error *e)
{
    double from_s = 0, volume_m3 = 0;
    const double end_s = c->interval[c->count - 1].to_s * stretch;
    int status = 0;
    for (int i = 0; i < c->count && !status; i++) {
        const struct course_interval *k = &c->interval[i];
        const double to_s = k->to_s * stretch;
        if (volume_m3 == 0) from_s = k->from_s * stretch;
        volume_m3 += k->rate_m3_s * factor * (k->to_s - k->from_s) * stretch;
        const bool last = i + 1 == c->count;
        if (!last && (to_s - from_s < 2 * clock_s || end_s - to_s < 2 * clock_s)) continue;
        if (volume_m3 > 0) status = add_interval(r, k, from_s, to_s, volume_m3, clock_s, e);
        volume_m3 = 0;
    }
    return status;
}

int course_rates(struct rate_lists *r, const struct course *c, double stretch, double factor,
                 double clock_s, const char *called, struct error *e)
{
    int status = 0;
    *r = (struct rate_lists){.path = called};
    if (c->shape) status = add_shape(r, c, stretch, factor, clock_s, e);
    for (int i = 0; i < c->count && !c->shape && !status; i++) {
        const struct course_interval *k = &c->interval[i];
        struct rate_list *list;
        status = rate_lists_get(&list, r, k->id, e);
        if (!status)
            status = rate_list_add_interval(r, list, k->from_s * stretch, k->to_s * stretch,
                                            k->rate_m3_s * factor, clock_s, k->line, e);
    }
    if (status) rates_free(r);
    return status;
}
