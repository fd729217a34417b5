/* rate_history.h — draws the rates of a member: observed rates with errors, then a rate for each day until the end.
 *
 * An observed rate is multiplied by exp(sd z). sd is the logarithm of the factor of error. z is a normal AR(1) process.
 * The correlation of z in two intervals is `correlation` to the power of the days between their middles. A daily rate
 * is exp(sd z) times:
 *
 *     ar1      a constant level
 *     decline  the last observed rate times exp(-t / T), as a reservoir under pressure empties (G. Wadge: The variation
 *              of magma discharge during basaltic eruptions. J. Volcanol. Geotherm. Res. 11, 1981)
 *     curve    a form of the whole eruption (rate_series.h). A factor gives the form the volume of the member's observed
 *              rates up to their end */
#pragma once

#include "rate_series.h"
#include "text/keyvalue.h"

enum rates_after { AFTER_NOTHING, AFTER_AR1, AFTER_DECLINE, AFTER_CURVE };

/* Values of the keys `rates_error`, `radiant_density` and `rates_after`. */
struct rate_history_keys {
    double factor;      /* factor of error of rates without a factor of their own */
    double correlation; /* correlation of the errors of rates one day apart */
    /* radiant_density_J_m3 0: the file has rates, not radiant power. radiant_factor: factor of error of the density. */
    double radiant_density_J_m3, radiant_factor;
    enum rates_after after;
    double after_factor, after_correlation;
    double level_m3_s, decline_s;  /* level_m3_s 0: the mean of the member's observed rates */
    const struct rate_form *curve; /* form of the rates for AFTER_CURVE */
    /* Peak and decay of the form. A member draws each between its two numbers. */
    double peak[2], decay[2];
};
struct rate_history_keys rate_history_keys_default(void);
int rate_history_read_error(const struct entry *at, struct error *e);
int rate_history_read_radiant(const struct entry *at, struct error *e);
int rate_history_read_after(const struct entry *at, struct error *e);

struct rate_history {
    struct rate_history_keys keys;
    /* Standard deviation of ln(rate) in each interval; NULL: all rates are exact. */
    double *sd;
    /* Standard deviation of the error that all rates of a member share. A member draws this error first. */
    double shared_sd;
    int turns;        /* number of distinct middle times of intervals */
    double *middle_s; /* the distinct middle times, increasing */
    int *turn;        /* for each interval, the index of its middle */
};

/* Makes the history of the rates *from. path: the file of the rates, with the error of each in the column `factor`;
 * NULL: no rate has a factor of its own. */
int rate_history_create(struct rate_history *h, const struct rate_history_keys *keys,
                        const struct rate_series *from, const char *path, struct error *e);
void rate_history_free(struct rate_history *h); /* all-zero is fine */

/* The independent normal numbers of a member: first the `given` numbers of z, then numbers of rate_history_normal(). */
struct rate_history_draws {
    uint64_t seed, number;
    uint32_t given;
    const double *z;
};
/* Returns normal number i of member `number`, drawn with `seed`. */
double rate_history_normal(uint64_t seed, uint64_t number, uint32_t i);

/* Draws the rates of a member, until end_s. The caller frees *out. */
int rate_history_draw(struct rate_series *out, const struct rate_history *h,
                      const struct rate_series *from, const struct rate_history_draws *of,
                      double end_s, struct error *e);
