/* stagnation.h — whether a search with noisy costs still improves: the criterion "Stagnation" of N. Hansen, The CMA Evolution Strategy: A Tutorial (arXiv:1604.00772, B.3). */
#ifndef SCIARA_STAGNATION_H
#define SCIARA_STAGNATION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A history of populations; all-zero is an empty one. */
struct stagnation {
    size_t count;
    double *best, *median; /* of the costs of each population; owned */
};

/* NaN counts as worse than any number. ERROR_FAILED: out of memory. */
int stagnation_note(struct stagnation *s, double best, double median, struct error *e);

/* Compares the first and the last 30 % of the last fifth of all populations (of `least` populations,
 * if a fifth is less): true where neither the best nor the median costs have a lower median at the
 * end. False with fewer populations than `least`, which is 4 or more. */
bool stagnation_seen(const struct stagnation *s, size_t least);

void stagnation_free(struct stagnation *s);

#endif
