/* distribution.h — the distribution of a number, as a line of a plan describes it:
 *
 *     uniform LOW HIGH         triangular LOW MODE HIGH
 *     normal MEAN SD           lognormal MEDIAN FACTOR (68 % between MEDIAN / FACTOR and MEDIAN * FACTOR)
 *     discrete VALUE... (equal probabilities)    discrete VALUE:PROBABILITY...
 *
 * A normal or lognormal distribution may end in `from LOW to HIGH`, which excludes values outside of these limits. */
#pragma once

#include "base/error.h"
#include "variables.h"

enum distribution_kind {
    DISTRIBUTION_UNIFORM,
    DISTRIBUTION_NORMAL,
    DISTRIBUTION_LOGNORMAL,
    DISTRIBUTION_TRIANGULAR,
    DISTRIBUTION_DISCRETE
};
enum { DISTRIBUTION_VALUES_MAX = 64 };

struct distribution {
    enum distribution_kind kind;
    double a, b, c;   /* numbers in the order of the line; for lognormal, b is ln(FACTOR) */
    double low, high; /* limits of all values; may be infinite */
    /* The quantile at u is the quantile of the distribution without limits at low_u + span * u. */
    double low_u, span;
    int count; /* number of discrete values; they are in increasing order */
    /* up_to: cumulative probabilities. */
    double value[DISTRIBUTION_VALUES_MAX], up_to[DISTRIBUTION_VALUES_MAX];
};

/* Reads a distribution; `at`: file, line and key, for messages. */
int distribution_parse(struct distribution *d, const char *text, const char *at, struct error *e);

/* The quantile at u: the share u of all values is below it. 0 < u < 1. */
double distribution_quantile(const struct distribution *d, double u);

/* The value for a standard normal number z: the quantile at normal_probability(z). */
double distribution_of_normal(const struct distribution *d, double z);

/* ---- correlated variables -------------------------------------------------------------------- */

/* Correlated variables, read from a CSV. Its header has `name` and the names of the variables; each variable has a
 * row. The table is symmetric and positive definite, with 1 on its diagonal. It has the correlations of the normal
 * numbers from which the variables are made (a Gaussian copula). */
struct correlation {
    int count;                         /* 0: no variable is correlated */
    int variable[VARIABLES];           /* in the order of the table's columns */
    double root[VARIABLES][VARIABLES]; /* lower triangle L with L L^T = the table */
};

int correlation_read(struct correlation *corr, const char *path, struct error *e);

/* Makes independent normal numbers correlated. z has a number for each variable, in the order of corr->variable. */
void correlation_apply(const struct correlation *corr, double z[]);
