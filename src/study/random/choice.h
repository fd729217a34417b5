/* choice.h — chooses one of several vents or classes by their weights: whole numbers, probabilities that sum up to 1,
 * or shares of any sum. */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum choice_kind { CHOICE_ALIKE, CHOICE_WEIGHTS, CHOICE_PROBABILITIES, CHOICE_SHARES };

struct choice {
    enum choice_kind kind;
    int count;
    double *share;    /* as given: > 0 */
    double *up_to;    /* cumulated, the last one is 1 */
    uint64_t *weight; /* in whole numbers, after choice_units() */
    uint64_t sum;     /* of these weights */
};

/* Appends one; `at`: file and line, for messages. The caller leaves out shares of 0. */
int choice_add(struct choice *choice, double share, const char *at, struct error *e);
/* Ends the list and checks the sum. `name`: of the file. */
int choice_finish(struct choice *choice, const char *name, struct error *e);
void choice_free(struct choice *choice); /* all-zero is fine */

/* The number of the one at which the cumulated weights pass u times their sum. */
int choice_of(const struct choice *choice, double u);

/* Makes whole numbers: weights as they are, probabilities and shares in units of 2^-bits, at least 1. */
void choice_units(struct choice *choice, int bits);
