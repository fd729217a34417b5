/* rate_lists.h — building lists of rates, for those who read or take them. */
#ifndef SCIARA_RATE_LISTS_H
#define SCIARA_RATE_LISTS_H

#include "rates.h"

/* The list of that vent, added if it is new. *list is valid until the next call. */
int rate_lists_get(struct rate_list **list, struct rate_lists *r, int id, struct error *e);

/* Appends a rate. */
int rate_list_add(struct rate_list *list, const struct rate *rate, struct error *e);

/* Checks a rate in seconds (any numbers but NaN) against the one before it of the same vent, and
 * appends it. `line` as in struct rate. */
int rate_list_add_interval(const struct rate_lists *r, struct rate_list *list, double from_s,
                           double to_s, double rate_m3_s, double clock_s, int line,
                           struct error *e);

/* Whether there are any, and not totals beside rates of single vents. */
int rate_lists_check(const struct rate_lists *r, struct error *e);

/* Where a rate stands, for a message: "rates.csv:7", "rates[7]", and "rates" alone of line 0, which
 * no file has. (A 0 with the precision 0 is no digit.) */
#define RATE_AT "%s%s%.*d%s"
#define RATE_PLACE(r, line)                                                                        \
    (r)->path,                                                                                     \
        (r)->array ? "["                                                                           \
        : (line)   ? ":"                                                                           \
                   : "",                                                                             \
        (r)->array || (line), (line), (r)->array ? "]" : ""

#endif
