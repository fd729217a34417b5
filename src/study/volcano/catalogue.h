/* catalogue.h — the rate and the sizes of a volcano's eruptions, from a catalogue of past eruptions
 * (docs/formats/volcano.md).
 *
 * A band is a range of volumes with a complete period: since its beginning, all eruptions of the band are known. A kind
 * of eruptions is a zone and a band. An eruption counts with q, the probability that it was in the complete period. The
 * rate of a kind with n = sum of q in T years has a gamma distribution with shape a = n + 1 / (2 kinds) and mean a / T
 * (Jeffreys' prior). Both a and T are multiplied by a / (a + sum of q (1 - q)). This adds the variance of n.
 *
 * A class of size has neighbouring volumes of a band. Its share in a kind is (n_class + p) / (n + 1), where p is its
 * share in the band over all zones. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum { CATALOGUE_BANDS = 4, CATALOGUE_CLASSES = 12, CATALOGUE_KINDS = 64 };

/* All eruptions of volume_m3 or more since the year `since` are known. */
struct complete_band {
    double volume_m3, since;
};

struct catalogue_request {
    const char *path;
    /* When the catalogue ends, as a decimal year such as 2024.5. */
    double now;
    /* Number of bands; 0: the catalogue has no complete period. */
    int bands;
    struct complete_band band[CATALOGUE_BANDS]; /* volumes increase; the first may be 0 */
    /* Eruptions per year: mean, 5 %, 95 %; 0: from the catalogue. */
    double rate, rate_low, rate_high;
    int classes; /* largest number of classes in a band */
    bool lognormal;
};

struct past_eruption {
    /* NaN: not known; error_y: standard deviation of year. */
    double year, error_y, volume_m3, duration_s;
    int zone; /* -1: not known */
    /* Probability of being in the complete period of its band. */
    double q;
};

struct eruption_kind {
    int zone, band;
    double count, spread; /* sum of q; sum of q (1 - q) */
    double shape, years;  /* parameters of the gamma distribution; the mean rate is shape / years */
    double share[CATALOGUE_CLASSES];
};

struct size_class {
    int band, first, next; /* its eruptions, sorted by volume, have the indices first to next - 1 */
    double volume_m3, duration_s;
};

struct catalogue {
    int eruptions, kinds, classes;
    struct past_eruption *eruption;
    struct eruption_kind kind[CATALOGUE_KINDS];
    struct size_class class[CATALOGUE_CLASSES];
    double count, rate; /* sum of q; eruptions of all kinds per year */
    /* Numbers of eruptions: without volume, without duration, without zone, perhaps outside the complete period. */
    int gaps[4];
};

/* Reads a catalogue. zone[]: names of zones; there is only one zone if the column `zone` is missing. ERROR_INPUT: a
 * row cannot be read; there is neither a complete period nor a rate; fewer than two eruptions count. On an error *c
 * is all zero. */
int catalogue_read(struct catalogue *c, const struct catalogue_request *w, const char (*zone)[40],
                   int zones, struct error *e);
void catalogue_free(struct catalogue *c); /* all-zero is fine */
/* Makes the catalogue as it was known at the beginning of `year`: with earlier eruptions only. */
int catalogue_before(struct catalogue *c, const struct catalogue *now,
                     const struct catalogue_request *w, int zones, double year, struct error *e);
/* Reads "1669" or "1669-03-11" as a decimal year. False: the text is neither. */
bool catalogue_year(const char *date, double *year);

/* The mean number of eruptions of a kind per year. The rate of one class of the kind also has a gamma distribution,
 * with the same `years`. */
static inline double kind_rate(const struct eruption_kind *k)
{
    return k->shape / k->years;
}

/* Turns a normal number into a number from the gamma distribution with this shape and mean 1 (Wilson and Hilferty
 * 1931). */
double catalogue_gamma(double shape, double normal);
/* The quantile at u of a gamma distribution with this shape and mean shape / years. */
double catalogue_quantile(double shape, double years, double u);
/* The probability of at least one event in `years` years, at a rate per year. */
double catalogue_probability(double rate, double years);
