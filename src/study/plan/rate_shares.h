/* rate_shares.h — divides a total rate among vents that open and close.
 *
 * The file is a rates CSV with shares, which are whole numbers, instead of rates. At any time a vent emits the total
 * times its share, divided by the sum of all shares. A vent without a row at that time is closed. If the rows of a
 * vent reach the last time of the file, the vent stays open with its last share. With a factor of error, each member
 * multiplies the share of a vent by factor^z for the whole eruption; z is a normal number. */
#pragma once

#include "rate_history.h"

struct rate_shares {
    struct rate_series of; /* its rates are the shares; count 0: none */
    double sd;             /* standard deviation of the logarithm of a share */
    int times;
    double *time_s; /* times at which shares change, increasing */
};

/* Reads the shares of vents in the total rate *rates. factor: factor of error of the shares. */
int rate_shares_read(struct rate_shares *s, const char *path, const char *start_time, double factor,
                     const struct rate_series *rates, struct error *e);
void rate_shares_free(struct rate_shares *s); /* all-zero is fine */

/* Divides a total among the vents. `of` NULL: the shares have no error. */
int rate_shares_divide(struct rate_series *out, const struct rate_shares *s,
                       const struct rate_series *total, const struct rate_history_draws *of,
                       struct error *e);
