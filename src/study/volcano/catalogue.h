/* catalogue.h — how often a volcano erupts, and how large: from a catalogue of its eruptions.
 *
 * An eruption counts, in its zone and its band of sizes, by the probability q that it lies in the period in which all
 * eruptions of its size are known. A kind of eruptions is a zone and a band. With n = sum of q eruptions in T years its
 * rate has a gamma distribution with shape a = n + 1 / (2 kinds) and mean a / T (the prior of Jeffreys, shared by the
 * kinds). Where q is neither 0 nor 1, a and T shrink by a / (a + sum of q (1 - q)): this adds that variance
 * and leaves the mean.
 *
 * A class of size is some eruptions of a band next to each other in volume; those of one volume that lie in two classes count
 * in both. Its share in a kind is (n_class + p) / (n + 1), where p is its share in the band over all zones, as if there were one
 * eruption more. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum { CATALOGUE_BANDS = 4, CATALOGUE_CLASSES = 12, CATALOGUE_KINDS = 64 };

/* Eruptions of this volume or more are all known since that year. */
struct complete_band {
    double volume_m3, since;
};

struct catalogue_request {
    const char *path;
    double now;                                 /* the year in which the catalogue ends */
    int bands;                                  /* 0: it has no complete period */
    struct complete_band band[CATALOGUE_BANDS]; /* volumes increase; the first may be 0 */
    double rate, rate_low, rate_high;           /* eruptions a year, 5, 95 %; 0: the catalogue's */
    int classes;                                /* most classes of each band */
    bool lognormal;
};

struct past_eruption {
    double year, error_y, volume_m3, duration_s; /* NaN: not known; error_y: standard deviation */
    int zone;                                    /* -1: not known */
    double q;                                    /* probability of being in its band's period */
};

struct eruption_kind {
    int zone, band;
    double count, spread; /* sums of q and q (1 - q) */
    double shape, years;  /* of the gamma: the mean rate is shape / years */
    double share[CATALOGUE_CLASSES];
};

struct size_class {
    int band, first, next; /* its eruptions, of those with a volume that count, by volume */
    double volume_m3, duration_s;
};

struct catalogue {
    int eruptions, kinds, classes;
    struct past_eruption *eruption;
    struct eruption_kind kind[CATALOGUE_KINDS];
    struct size_class class[CATALOGUE_CLASSES];
    double count, rate; /* sum of q; rate of all kinds, a year */
    int gaps[4];        /* eruptions without volume, duration, zone; perhaps not in the period */
};

/* Reads a catalogue. zone[]: names of zones; without a column `zone` there may be only one. ERROR_INPUT: a
 * row cannot be read; there is neither a complete period nor a rate; fewer than two eruptions count. On an error *c
 * is all zero. */
int catalogue_read(struct catalogue *c, const struct catalogue_request *w, const char (*zone)[40],
                   int zones, struct error *e);
void catalogue_free(struct catalogue *c); /* all-zero is fine */
/* Makes the catalogue as it was known at the beginning of an earlier year, of the eruptions before that. */
int catalogue_before(struct catalogue *c, const struct catalogue *now,
                     const struct catalogue_request *w, int zones, double year, struct error *e);
/* Reads "1669" or "1669-03-11" as a year with its fraction. False: it is neither. */
bool catalogue_year(const char *date, double *year);

/* The mean rate of a kind a year. That of one class of its eruptions is gamma, too, with the same years. */
static inline double kind_rate(const struct eruption_kind *k)
{
    return k->shape / k->years;
}

/* A draw from a gamma distribution of mean 1 with that shape, by a normal one (Wilson and Hilferty 1931). */
double catalogue_gamma(double shape, double normal);
/* The rate below which the part u of a gamma distribution lies. */
double catalogue_quantile(double shape, double years, double u);
/* The probability of an event within `years`, at that rate a year. */
double catalogue_probability(double rate, double years);
