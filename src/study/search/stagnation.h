/* stagnation.h — whether a search that is told noisy costs still gets on: the criterion
 * "Stagnation" of N. Hansen, The CMA Evolution Strategy: A Tutorial (arXiv:1604.00772, B.3). */
#ifndef SCIARA_STAGNATION_H
#define SCIARA_STAGNATION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A history of populations; all-zero is an empty one. */
struct stagnation {
    size_t count, room;
    double *best, *median; /* of the costs of each population; owned */
};

/* NaN counts as worse than any number. ERROR_FAILED: out of memory. */
int stagnation_note(struct stagnation *s, double best, double median, struct error *e);

/* Whether, of the last fifth of all populations, and at least `least` of them, neither the best nor
 * the median costs of the last 30 % are better in their median than those of the first 30 %. Never
 * with fewer populations than `least`, which is 4 at least. */
bool stagnation_seen(const struct stagnation *s, size_t least);

void stagnation_free(struct stagnation *s);

#endif
