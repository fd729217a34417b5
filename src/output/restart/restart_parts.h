/* restart_parts.h — the pieces of restart.h among themselves. */
#ifndef SCIARA_RESTART_PARTS_H
#define SCIARA_RESTART_PARTS_H

#include "restart.h"

#define RESTART_KEY "sciara_state" /* the first member of the JSON */
enum { RESTART_FORMAT = 1 };

/* The JSON of a state, malloc'ed; NULL: out of memory. */
char *restart_text(const struct restart *r, const struct fields *f);

/* And back, with the sums into *sums, which gets no arrays. */
bool restart_from_text(struct restart *r, struct fields *sums, const char *text);

#endif
