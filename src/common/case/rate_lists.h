/* rate_lists.h — building lists of rates; internal to the readers of rates. */
#ifndef SCIARA_RATE_LISTS_H
#define SCIARA_RATE_LISTS_H

#include "rates.h"

/* The list of that vent, added if it is new. *list is valid until the next call. */
int rate_lists_get(struct rate_list **list, struct rate_lists *r, int id, struct error *e);

/* Appends a rate. */
int rate_list_add(const struct rate_lists *r, struct rate_list *list, const struct rate *rate,
                  struct error *e);

#endif
