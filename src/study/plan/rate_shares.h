/* rate_shares.h — how several vents share one total rate, and when they open and close.
 *
 * The file is a CSV as of rates, with a share, a whole number, in place of the rate. At any time a vent emits the total
 * times its share over the sum of the shares; a vent without a row at that time is closed. Vents whose rows
 * reach the last time of the file stay open with their last share. With a factor of error each member
 * multiplies the share of a vent by factor^z, z normal, for all of the eruption. */
#pragma once

#include "rate_history.h"

struct rate_shares {
    struct rate_series of; /* shares in place of rates; count 0: none */
    double sd;             /* of the logarithm of a vent's share */
    int times;             /* times at which shares change, increasing */
    double *time_s;
};

/* Reads the shares of the total *rates. */
int rate_shares_read(struct rate_shares *s, const char *path, const char *start_time, double factor,
                     const struct rate_series *rates, struct error *e);
void rate_shares_free(struct rate_shares *s); /* all-zero is fine */

/* Divides a total among the vents; `of` NULL: by the shares as they are, without an error. */
int rate_shares_divide(struct rate_series *out, const struct rate_shares *s,
                       const struct rate_series *total, const struct rate_history_draws *of,
                       struct error *e);
