/* verify.h — what was forecast against what was observed: reliability, Brier score, and the overlap
 * of the region above each probability with the outline.
 *
 * Cells count where any member's lava came or lava was observed: elsewhere the forecast of no lava is
 * always right, and would dominate the scores. */
#ifndef SCIARA_VERIFY_H
#define SCIARA_VERIFY_H

#include "ensemble.h"

enum { VERIFY_BINS = 11, VERIFY_LEVELS = 101 };

struct verification {
    uint64_t cells, observed; /* that count; of them with observed lava */
    /* Bin 0: probability 0; bin k: above (k - 1) tenths, up to k tenths */
    uint64_t bin_cells[VERIFY_BINS], bin_observed[VERIFY_BINS];
    double bin_forecast[VERIFY_BINS]; /* mean probability; NaN: no cells */
    double brier, brier_reference;    /* mean (p - o)^2; the same of the observed share as p */
    double skill; /* 1 - brier / brier_reference; NaN: nothing to compare with */
    /* Of the region with a probability of k per cent or more; k = 0: above 0 */
    uint64_t both[VERIFY_LEVELS], either[VERIFY_LEVELS];
    int best; /* level of the largest J = both / either */
};

/* *s has an outline and members. */
void verify(struct verification *v, const struct ensemble *s);

double verify_jaccard(const struct verification *v, int level);

#endif
