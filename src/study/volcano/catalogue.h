/* catalogue.h — how often a volcano erupts, and how large: from a catalogue of its eruptions.
 *
 * An eruption counts as far as it is probably in the period in which eruptions of its size are all known, in its zone
 * and its band of sizes: q. A kind of eruptions is a zone and a band. Of n = sum of q eruptions in T years the rate is
 * gamma, with the shape a = n + 1 / (2 kinds) and the mean a / T (the prior of Jeffreys, shared by the kinds); where q is
 * neither 0 nor 1, a and T shrink by a / (a + sum of q (1 - q)), which adds that variance and leaves the mean.
 *
 * A class of size is some eruptions of a band next to each other in volume; of a kind it has the share
 * (n_class + p) / (n + 1), where p is the share among all of the band: one eruption more, of the sizes of all zones. */
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
    double rate, rate_low,
        rate_high; /* of all eruptions a year, with its 5 and 95 %; 0: by the catalogue */
    int classes;   /* of each band, at most */
    bool lognormal;
};

struct past_eruption {
    double year, error_y, volume_m3, duration_s; /* NaN: not known; error_y: standard deviation */
    int zone;                                    /* -1: not known */
    double q;                                    /* that it is in the complete period of its band */
};

struct eruption_kind {
    int zone, band;
    double count, spread; /* sums of q and q (1 - q) */
    double shape, years;  /* of the gamma: the mean rate is shape / years */
    double share[CATALOGUE_CLASSES];
};

struct size_class {
    int band;
    double volume_m3, duration_s;
};

struct catalogue {
    int eruptions, kinds, classes;
    struct past_eruption *eruption;
    struct eruption_kind kind[CATALOGUE_KINDS];
    struct size_class class[CATALOGUE_CLASSES];
    double count, rate; /* eruptions that count; a year, of all kinds */
    int gaps
        [4]; /* without a volume, a duration, a zone; with a year that may be outside the period */
};

/* zone: names of the zones, of which a catalogue without a column `zone` needs one. ERROR_INPUT: a row that cannot be
 * read; neither a complete period nor a rate; fewer than two eruptions that count. On an error *c is all zero. */
int catalogue_read(struct catalogue *c, const struct catalogue_request *w, const char (*zone)[40],
                   int zones, struct error *e);
void catalogue_free(struct catalogue *c); /* all-zero is fine */
/* What was to be known of it at the beginning of an earlier year, by the eruptions before that. */
int catalogue_before(struct catalogue *c, const struct catalogue *now,
                     const struct catalogue_request *w, int zones, double year, struct error *e);
/* "1669" or "1669-03-11" as a year with its part. False: it is neither. */
bool catalogue_year(const char *date, double *year);

/* The mean rate of a kind a year; and of its eruptions of a class, which is gamma, too, with the same years. */
static inline double kind_rate(const struct eruption_kind *k)
{
    return k->shape / k->years;
}

/* A gamma of mean 1 with that shape, at a normal number (Wilson and Hilferty 1931). */
double catalogue_gamma(double shape, double normal);
/* The rate below which the part u of a gamma with that shape lies. */
double catalogue_quantile(double shape, double years, double u);
/* That something with that rate happens in so many years. */
double catalogue_probability(double rate, double years);
