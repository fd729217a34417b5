/* choice.h — one of several, by their weights: vents, classes. Weights are whole numbers, or
 * probabilities that sum up to 1, or the shares of cells in the sum of a raster. */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum choice_kind { CHOICE_ALIKE, CHOICE_WEIGHTS, CHOICE_PROBABILITIES, CHOICE_SHARES };

struct choice {
    enum choice_kind kind;
    int count;
    double *share;    /* as given: > 0 */
    double *up_to;    /* cumulated, the last one is 1 */
    uint64_t *weight; /* as whole numbers, once choice_units() was called */
    uint64_t sum;     /* of these */
};

/* Appends one. `at`: file and line, for messages. A share of 0 is as good as not there: the caller
 * passes over it. */
int choice_add(struct choice *choice, double share, const char *at, struct error *e);
/* After the last; checks the sum. `name`: of the file. */
int choice_finish(struct choice *choice, const char *name, struct error *e);
void choice_free(struct choice *choice); /* all-zero is fine */

/* The number of the one that has the part u of all weights below it. */
int choice_of(const struct choice *choice, double u);

/* Makes whole numbers of all: weights as they stand, probabilities and shares in 2^-bits, at least 1. */
int choice_units(struct choice *choice, int bits, const char *name, struct error *e);
