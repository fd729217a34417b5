/* choice.h — chooses one of several vents or classes by weights. Weights are whole numbers, probabilities with the
 * sum 1, or shares with any sum. */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum choice_kind { CHOICE_ALIKE, CHOICE_WEIGHTS, CHOICE_PROBABILITIES, CHOICE_SHARES };

struct choice {
    enum choice_kind kind;
    int count;
    double *share;    /* shares as given: > 0 */
    double *up_to;    /* cumulative shares; the last is 1 */
    uint64_t *weight; /* shares as whole numbers, after choice_units() */
    uint64_t sum;     /* sum of `weight` */
};

/* Appends a share; `at`: file and line, for messages. The caller skips shares of 0. */
int choice_add(struct choice *choice, double share, const char *at, struct error *e);
/* Ends the list and checks the sum; `name`: the name of the file, for messages. */
int choice_finish(struct choice *choice, const char *name, struct error *e);
void choice_free(struct choice *choice); /* all-zero is fine */

/* The first choice whose cumulative weight exceeds u times the sum of all weights. */
int choice_of(const struct choice *choice, double u);

/* Sets weight[] and `sum`. Shares of the kinds CHOICE_ALIKE and CHOICE_WEIGHTS are whole numbers already. Other shares
 * are multiplied by 2^bits and rounded; the least weight is 1. */
void choice_units(struct choice *choice, int bits);
