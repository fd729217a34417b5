/* rate_history.h — rates that were observed with an error, and go on in a way that is not known. Each
 * member draws one history.
 *
 * The rate of an interval is the observed one times exp(sd z), with sd the logarithm of its factor of
 * error. z is normal, and correlated from interval to interval as an AR(1) process in continuous time,
 * by R^(days between their middles): a satellite that sees too much today does so tomorrow.
 *
 * Rates of radiant power have one more error, that of their radiant density: one factor for all rates of a member.
 *
 * After the last interval rates are drawn for each day until the eruption ends:
 *
 *     ar1      the logarithm returns from the member's last rate to a level, and scatters around it by sd z
 *     decline  the last rate times exp(-t / T), times exp(sd z): how reservoirs under pressure empty
 *              (G. Wadge: The variation of magma discharge during basaltic eruptions. J. Volcanol.
 *              Geotherm. Res. 11, 1981)
 *     curve    the rate returns to a form of the whole eruption (rate_series.h), scaled so that the form emits until
 *              then what the member has emitted
 *
 * Draws are functions of seed, member and interval (random/philox.h), the same on every machine. */
#pragma once

#include "rate_series.h"
#include "text/keyvalue.h"

enum rates_after { AFTER_NOTHING, AFTER_AR1, AFTER_DECLINE, AFTER_CURVE };

/* The values of the lines `rates_error`, `radiant_density` and `rates_after`. */
struct rate_history_keys {
    double factor;                               /* error of rates without a factor of their own */
    double correlation;                          /* of errors a day apart */
    double radiant_density_J_m3, radiant_factor; /* and its error; 0: the file has rates */
    enum rates_after after;
    double after_factor, after_correlation;
    double level_m3_s, decline_s;  /* the level; 0: the mean of the member's rates until then */
    const struct rate_form *curve; /* each member draws its peak and decay between these */
    double peak[2], decay[2];
};
struct rate_history_keys rate_history_keys_default(void);
int rate_history_read_error(const struct entry *at, struct error *e);
int rate_history_read_radiant(const struct entry *at, struct error *e);
int rate_history_read_after(const struct entry *at, struct error *e);

struct rate_history {
    struct rate_history_keys keys;
    double *sd;       /* of the logarithm of the rate in each interval; NULL: all rates are exact */
    double shared_sd; /* of an error that all rates of a member share, which is drawn first */
    int turns;        /* number of distinct middles of intervals */
    double *middle_s; /* these middles, increasing */
    int *turn;        /* for each interval the index of its middle */
};

/* Makes the history of the rates *from. path: their file, whose column `factor` has the error of each; NULL: they have
 * none. */
int rate_history_create(struct rate_history *h, const struct rate_history_keys *keys,
                        const struct rate_series *from, const char *path, struct error *e);
void rate_history_free(struct rate_history *h); /* all-zero is fine */

/* The independent normal numbers of a member: first those that are `given`, then its own. */
struct rate_history_draws {
    uint64_t seed, number;
    uint32_t given;
    const double *z;
};
double rate_history_normal(uint64_t seed, uint64_t number, uint32_t i); /* of its own */

/* Draws the rates of a member, until end_s. *out is freed by the caller. */
int rate_history_draw(struct rate_series *out, const struct rate_history *h,
                      const struct rate_series *from, const struct rate_history_draws *of,
                      double end_s, struct error *e);
