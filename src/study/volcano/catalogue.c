#include "catalogue.h"

#include "base/order.h"
#include "random/quantile.h"
#include "text/csv.h"
#include "text/grow.h"
#include "text/scan.h"

#include <gsl/gsl_cdf.h>

static const double YEAR_S = 31556952; /* 365.2425 days */

void catalogue_free(struct catalogue *c)
{
    RELEASE(c, c->eruption);
}

double catalogue_gamma(double shape, double normal)
{
    const double root = 1 - 1 / (9 * shape) + normal / (3 * sqrt(shape));
    return root > 0 ? root * root * root : 0;
}

/* GSL's inverse does not converge for shapes of some thousands, so large shapes use catalogue_gamma(). */
double catalogue_quantile(double shape, double years, double u)
{
    return shape > 1000 ? shape / years * catalogue_gamma(shape, normal_quantile(u))
                        : gsl_cdf_gamma_Pinv(u, shape, 1 / years);
}

double catalogue_probability(double rate, double years)
{
    return -expm1(-rate * years);
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum column { DATE, AGE, ERROR, VOLUME, DURATION, RATE, ZONE, COLUMNS };
static const char *const names[] = {"date",       "age_y",          "error_y", "volume_m3",
                                    "duration_h", "mean_rate_m3_s", "zone",    NULL};

static const double MOST = 1e15; /* the largest number that is accepted in the table */
/* volume_m3 and the product of duration and rate may differ at most by this factor. */
static const double CONTRADICTION = 2;

/* Reads a number. *value is NaN if the column is missing or the cell is empty. */
static int read_number(double *value, const struct csv *t, int column, double least,
                       struct error *e)
{
    *value = NAN;
    if (column < 0 || !*t->cell[column]) return 0;
    const int status = csv_real(t, column, value, e);
    if (status || (*value >= least && *value <= MOST)) return status;
    return csv_refuse(t, e, "%s is %g; give %g to %g, or nothing where it is not known",
                      t->name[column], *value, least, MOST);
}

bool catalogue_year(const char *date, double *year)
{
    int64_t unix_s;
    if (!times_date_scan(date, &unix_s)) return scan_real(date, year);
    *year = 1970 + (double)unix_s / YEAR_S;
    return true;
}

static int read_year(struct past_eruption *x, const struct csv *t, const int at[COLUMNS],
                     double now, struct error *e)
{
    double age_y;
    const char *date = at[DATE] < 0 ? "" : t->cell[at[DATE]];
    int status = read_number(&age_y, t, at[AGE], 0, e);
    if (!status) status = read_number(&x->error_y, t, at[ERROR], 0, e);
    if (status) return status;
    if (isnan(x->error_y)) x->error_y = 0;
    if (*date && !catalogue_year(date, &x->year))
        return csv_refuse(
            t, e, "the date '%.40s' cannot be read; give a year (1669), or 1669-03-11", date);
    if (!*date && isnan(age_y))
        return csv_refuse(t, e, "neither a date nor an age; give one of them, with its error");
    if (!*date) x->year = now - age_y;
    return 0;
}

static int read_zone(struct past_eruption *x, const struct csv *t, int column,
                     const char (*zone)[40], int zones, struct error *e)
{
    x->zone = zones == 1 && !*zone[0] ? 0 : -1;
    if (column < 0 || !*t->cell[column]) return 0;
    for (int z = 0; z < zones; z++)
        if (!strcmp(zone[z], t->cell[column])) return x->zone = z, 0;
    return csv_refuse(t, e,
                      "no past vent is in the zone '%.40s'; give its vents this attribute 'zone', "
                      "or leave the cell empty",
                      t->cell[column]);
}

/* Reads a row. Of volume, duration and mean rate, any two give the third. */
static int read_row(struct catalogue *c, const struct csv *t, const int at[COLUMNS],
                    const struct catalogue_request *w, const char (*zone)[40], int zones,
                    struct error *e)
{
    struct past_eruption x;
    double hours, rate;
    int status = read_year(&x, t, at, w->now, e);
    if (!status) status = read_number(&x.volume_m3, t, at[VOLUME], 1e-3, e);
    if (!status) status = read_number(&hours, t, at[DURATION], 1e-6, e);
    if (!status) status = read_number(&rate, t, at[RATE], 1e-9, e);
    if (!status) status = read_zone(&x, t, at[ZONE], zone, zones, e);
    if (status) return status;
    const double times = hours * 3600 * rate / x.volume_m3;
    if (times > CONTRADICTION || times < 1 / CONTRADICTION)
        return csv_refuse(t, e,
                          "%g h at %g m3/s are %.3g m3, and volume_m3 is %g; leave the least "
                          "certain of the three empty",
                          hours, rate, hours * 3600 * rate, x.volume_m3);
    x.duration_s = isnan(hours) ? x.volume_m3 / rate : hours * 3600;
    if (isnan(x.volume_m3)) x.volume_m3 = x.duration_s * rate;
    if (x.year >= w->now + 3 * x.error_y + 1)
        return csv_refuse(t, e,
                          "the year %g is after %g, where the catalogue ends; give catalogue_until",
                          x.year, w->now);
    return APPEND(c->eruption, c->eruptions, x) ? 0 : error_memory(e);
}

/* ---- rates ----------------------------------------------------------------------------------- */

static int band_of(const struct catalogue_request *w, double volume_m3)
{
    int b = 0;
    if (isnan(volume_m3)) return -1;
    while (b < w->bands && volume_m3 >= w->band[b].volume_m3) b++;
    return b - 1; /* -1: smaller than all bands, so the eruption does not count */
}

/* The probability that an eruption was in the year `since` or later. */
static double probably_since(const struct past_eruption *x, double since)
{
    if (!(x->error_y > 0)) return x->year >= since;
    const double z = (x->year - since) / x->error_y;
    return z > 8 ? 1 : z < -8 ? 0 : normal_probability(z);
}

/* Finds the share of each zone among eruptions with a known zone. `bands`: finds the share of each band instead, among
 * eruptions with a known band. */
static void find_shares(double *share, const struct catalogue *c, const struct catalogue_request *w,
                        int zones, bool bands)
{
    double sum = 0;
    const int count = bands ? w->bands : zones;
    for (int i = 0; i < count; i++) share[i] = 0;
    for (int i = 0; i < c->eruptions; i++) {
        const int k = bands ? band_of(w, c->eruption[i].volume_m3) : c->eruption[i].zone;
        if (k >= 0) share[k] += c->eruption[i].q;
        if (k >= 0) sum += c->eruption[i].q;
    }
    for (int i = 0; i < count; i++) share[i] = sum > 0 ? share[i] / sum : 1.0 / count;
}

/* The year from which eruptions of a band count. If the plan gives the rate of eruptions, all eruptions count: they
 * decide only how this rate is divided among the kinds. */
static double since_of(const struct catalogue_request *w, int band)
{
    return w->rate > 0 ? -INFINITY : w->band[band].since;
}

static void count_kinds(struct catalogue *c, const struct catalogue_request *w, int zones)
{
    double of_zone[64], of_band[CATALOGUE_BANDS];
    for (int i = 0; i < c->eruptions; i++) {
        struct past_eruption *x = &c->eruption[i];
        const int band = band_of(w, x->volume_m3);
        x->q = band >= 0 || isnan(x->volume_m3)
                   ? probably_since(x, since_of(w, band < 0 ? 0 : band))
                   : 0;
    }
    find_shares(of_zone, c, w, zones, false);
    find_shares(of_band, c, w, zones, true);
    for (int k = 0; k < c->kinds; k++) {
        struct eruption_kind *kind = &c->kind[k];
        for (int i = 0; i < c->eruptions; i++) {
            const struct past_eruption *x = &c->eruption[i];
            const int band = band_of(w, x->volume_m3);
            const double zone = x->zone < 0 ? of_zone[kind->zone] : x->zone == kind->zone,
                         size = isnan(x->volume_m3) ? of_band[kind->band] : band == kind->band,
                         q = zone * size *
                             (isnan(x->volume_m3) ? probably_since(x, since_of(w, kind->band))
                                                  : x->q);
            kind->count += q;
            kind->spread += q * (1 - q);
        }
        c->count += kind->count;
    }
}

/* Finds, by bisection, the shape of the gamma distribution with a 95th percentile of `ratio` times its 5th. */
static double shape_of(double ratio)
{
    double low = 0.1, high = 1e6;
    for (int i = 0; i < 200; i++) {
        const double shape = sqrt(low * high);
        if (catalogue_quantile(shape, 1, 0.95) / catalogue_quantile(shape, 1, 0.05) > ratio)
            low = shape;
        else high = shape;
    }
    return low;
}

static void set_rates(struct catalogue *c, const struct catalogue_request *w)
{
    const double prior = 0.5 / c->kinds,
                 shape = w->rate > 0 ? shape_of(w->rate_high / w->rate_low) : 0,
                 all = c->count + 0.5;
    for (int k = 0; k < c->kinds; k++) {
        struct eruption_kind *kind = &c->kind[k];
        const double a = kind->count + prior, shrink = a / (a + kind->spread);
        kind->shape = w->rate > 0 ? shape * a / all : a * shrink;
        kind->years = w->rate > 0 ? shape / w->rate : (w->now - w->band[kind->band].since) * shrink;
        c->rate += kind_rate(kind);
    }
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static int order_volumes(const void *a, const void *b)
{
    return order_reals(&((const struct past_eruption *)a)->volume_m3,
                       &((const struct past_eruption *)b)->volume_m3);
}

/* The geometric mean of volume / duration over the eruptions with both numbers. */
static double mean_rate(const struct past_eruption *x, int count)
{
    double sum = 0;
    int known = 0;
    for (int i = 0; i < count; i++) {
        const double rate = x[i].volume_m3 / x[i].duration_s;
        if (isnan(rate)) continue;
        sum += real_log(rate);
        known++;
    }
    return known ? real_exp(sum / known) : (double)NAN;
}

static double mean_log(const struct past_eruption *x, int count, double *sd)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) sum += real_log(x[i].volume_m3);
    for (int i = 0; i < count; i++) {
        const double d = real_log(x[i].volume_m3) - sum / count;
        squares += d * d;
    }
    *sd = count > 1 ? sqrt(squares / (count - 1)) : 0;
    return sum / count;
}

/* Divides the eruptions `begin` to `end` - 1 of a band, sorted by volume, into classes. */
static int add_classes(struct catalogue *c, const struct catalogue_request *w, int band,
                       const struct past_eruption *known, int begin, int end, double usual_rate,
                       struct error *e)
{
    const int count = end - begin;
    const struct past_eruption *x = known + begin;
    const int classes = count < w->classes ? count : w->classes;
    double sd;
    if (!count)
        return error_input(
            e,
            "%s: no known eruption is in the band of sizes from %g m3; join this band "
            "with another in the line 'complete'",
            w->path, w->band[band].volume_m3);
    const double middle = mean_log(x, count, &sd);
    if (c->classes + classes > CATALOGUE_CLASSES)
        return error_input(e, "%s: has more than %d classes of size; give fewer by size_classes",
                           w->path, CATALOGUE_CLASSES);
    for (int j = 0; j < classes; j++) {
        const int first = (int)((int64_t)count * j / classes),
                  next = (int)((int64_t)count * (j + 1) / classes);
        struct size_class *k = &c->class[c->classes++];
        double none, rate = mean_rate(x + first, next - first);
        k->band = band;
        k->first = begin + first;
        k->next = begin + next;
        k->volume_m3 = w->lognormal ? real_exp(middle + sd * normal_quantile((j + 0.5) / classes))
                                    : real_exp(mean_log(x + first, next - first, &none));
        k->duration_s = k->volume_m3 / (isnan(rate) ? usual_rate : rate);
    }
    return 0;
}

/* Counts the eruptions of a zone, or of all zones (zone -1), in each class of a band. Returns the sum. If eruptions of
 * equal volume belong to several classes, each eruption counts as a fraction in each class. The fraction is the share
 * of the class in all eruptions of this volume. */
static double count_classes(double *count, const struct catalogue *c,
                            const struct past_eruption *known, int zone, int band)
{
    double all = 0;
    for (int k = 0; k < c->classes; k++) count[k] = 0;
    for (int first = 0, next; first < c->class[c->classes - 1].next; first = next) {
        double alike = 0;
        for (next = first; next < c->class[c->classes - 1].next &&
                           known[next].volume_m3 == known[first].volume_m3;
             next++)
            if (zone < 0 || known[next].zone == zone) alike += known[next].q;
        for (int k = 0; k < c->classes; k++) {
            const struct size_class *s = &c->class[k];
            const double both = fmin(next, s->next) - fmax(first, s->first);
            if (s->band != band || !(both > 0)) continue;
            count[k] += alike * both / (next - first);
            all += alike * both / (next - first);
        }
    }
    return all;
}

/* Sets the shares of classes by a log-normal distribution. It is fitted to the volumes of the kind or, if there are
 * fewer than three, to all volumes of the band. */
static void fit_shares(struct eruption_kind *kind, const struct catalogue *c,
                       const struct catalogue_request *w, struct past_eruption *room)
{
    double sd = 0, middle = 0, below = 0;
    for (int all = 0, count = 0; all < 2 && count < 3; all++) {
        count = 0;
        for (int i = 0; i < c->eruptions; i++) {
            const struct past_eruption *x = &c->eruption[i];
            if (isnan(x->volume_m3) || band_of(w, x->volume_m3) != kind->band || !(x->q > 0))
                continue;
            if (all || x->zone == kind->zone) room[count++] = *x;
        }
        if (count) middle = mean_log(room, count, &sd);
    }
    for (int k = 0, last = 0; k < c->classes; k++) {
        kind->share[k] = 0;
        if (c->class[k].band != kind->band) continue;
        last = k + 1 == c->classes || c->class[k + 1].band != kind->band;
        const double edge =
                         last ? 0 : real_log(c->class[k].volume_m3 * c->class[k + 1].volume_m3) / 2,
                     z = last             ? 9
                         : sd > 0         ? (edge - middle) / sd
                         : edge >= middle ? 9
                                          : -9,
                     up_to = z >= 8    ? 1
                             : z <= -8 ? 0
                                       : normal_probability(z);
        kind->share[k] = fmax(up_to - below, 0);
        below = up_to;
    }
}

/* Sets the shares of classes in each kind. `known`: the eruptions of all classes, sorted by volume; with a log-normal
 * distribution the array is overwritten. */
static void set_shares(struct catalogue *c, const struct catalogue_request *w,
                       struct past_eruption *known)
{
    for (int i = 0; i < c->kinds; i++) {
        struct eruption_kind *kind = &c->kind[i];
        double mine[CATALOGUE_CLASSES], pooled[CATALOGUE_CLASSES];
        if (w->lognormal) {
            fit_shares(kind, c, w, known);
            continue;
        }
        const double all = count_classes(pooled, c, known, -1, kind->band),
                     own = count_classes(mine, c, known, kind->zone, kind->band);
        for (int k = 0; k < c->classes; k++)
            kind->share[k] = (mine[k] + pooled[k] / all) / (own + 1);
    }
}

static int set_sizes(struct catalogue *c, const struct catalogue_request *w, struct error *e)
{
    FREED struct past_eruption *known = malloc(((size_t)c->eruptions + 1) * sizeof *known);
    int count = 0, status = 0;
    if (!known) return error_memory(e);
    for (int i = 0; i < c->eruptions; i++)
        if (!isnan(c->eruption[i].volume_m3) && c->eruption[i].q > 0)
            known[count++] = c->eruption[i];
    qsort(known, (size_t)count, sizeof *known, order_volumes);
    const double usual_rate = mean_rate(known, count);
    if (isnan(usual_rate))
        return error_input(e,
                           "%s: each eruption that counts has at most one of volume_m3, duration_h "
                           "and mean_rate_m3_s; give two of them for some eruptions",
                           w->path);
    for (int b = 0, first = 0, next; b < w->bands && !status; b++, first = next) {
        while (first < count && band_of(w, known[first].volume_m3) < b) first++;
        for (next = first; next < count && band_of(w, known[next].volume_m3) == b;) next++;
        status = add_classes(c, w, b, known, first, next, usual_rate, e);
    }
    if (!status) set_shares(c, w, known);
    return status;
}

/* ---- the catalogue --------------------------------------------------------------------------- */

static void count_gaps(struct catalogue *c)
{
    for (int i = 0; i < c->eruptions; i++) {
        const struct past_eruption *x = &c->eruption[i];
        if (!(x->q > 0)) continue;
        c->gaps[0] += isnan(x->volume_m3);
        c->gaps[1] += isnan(x->duration_s);
        c->gaps[2] += x->zone < 0;
        c->gaps[3] += x->q < 1;
    }
}

static int read_rows(struct catalogue *c, const struct catalogue_request *w, const char (*zone)[40],
                     int zones, struct error *e)
{
    FREED_BY(csv_close) struct csv t;
    int at[COLUMNS];
    int status = csv_open(&t, w->path, e);
    for (int i = 0; i < COLUMNS && !status; i++) at[i] = csv_column(&t, names[i]);
    if (!status && at[DATE] < 0 && at[AGE] < 0)
        return csv_refuse(&t, e,
                          "the header needs 'date' or 'age_y'; it may have error_y, volume_m3, "
                          "duration_h, mean_rate_m3_s and zone");
    CSV_EACH (&t, status, e) status = read_row(c, &t, at, w, zone, zones, e);
    return status;
}

/* Counts the eruptions in kinds and sets the rates. */
static int count_all(struct catalogue *c, const struct catalogue_request *w, int zones,
                     struct error *e)
{
    if (!w->bands)
        return error_input(e,
                           "%s: no period is given in which the catalogue is complete; add the "
                           "line 'complete YEAR' (or eruptions_per_year)",
                           w->path);
    for (int b = 0; b < w->bands && !(w->rate > 0); b++)
        if (!(w->band[b].since < w->now))
            return error_input(e,
                               "%s: the line 'complete' gives %g, but the catalogue ends in %g; "
                               "give an earlier year",
                               w->path, w->band[b].since, w->now);
    if (zones * w->bands > CATALOGUE_KINDS)
        return error_input(e,
                           "%s: the zones times the volumes of the line 'complete' are more than "
                           "%d; give fewer zones or volumes",
                           w->path, CATALOGUE_KINDS);
    for (int z = 0; z < zones; z++)
        for (int b = 0; b < w->bands; b++)
            c->kind[c->kinds++] = (struct eruption_kind){.zone = z, .band = b};
    count_kinds(c, w, zones);
    if (!(c->count >= 1.5))
        return error_input(e,
                           "%s: its complete period has %.3g eruption%s, and a rate needs two or "
                           "more; give an earlier year, or eruptions_per_year",
                           w->path, c->count, c->count == 1 ? "" : "s");
    set_rates(c, w);
    const int status = set_sizes(c, w, e);
    count_gaps(c);
    return status;
}

int catalogue_read(struct catalogue *c, const struct catalogue_request *w, const char (*zone)[40],
                   int zones, struct error *e)
{
    *c = (struct catalogue){0};
    int status = read_rows(c, w, zone, zones, e);
    if (!status) status = count_all(c, w, zones, e);
    if (status) catalogue_free(c);
    return status;
}

int catalogue_before(struct catalogue *c, const struct catalogue *now,
                     const struct catalogue_request *w, int zones, double year, struct error *e)
{
    struct catalogue_request then = *w;
    int status = 0;
    *c = (struct catalogue){0};
    then.now = year;
    for (int i = 0; i < now->eruptions && !status; i++)
        if (now->eruption[i].year < year && !APPEND(c->eruption, c->eruptions, now->eruption[i]))
            status = error_memory(e);
    if (!status) status = count_all(c, &then, zones, e);
    if (status) catalogue_free(c);
    return status;
}
