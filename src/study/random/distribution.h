/* distribution.h — how a number is spread, as a line of a plan says it:
 *
 *     uniform LOW HIGH                 triangular LOW MODE HIGH
 *     normal MEAN SD                   lognormal MEDIAN FACTOR     68 % within MEDIAN / and * FACTOR
 *     discrete VALUE... (all alike)    discrete VALUE:PROBABILITY...
 *
 * Normal and lognormal may end in `from LOW to HIGH`: values beyond are cut off. */
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
    double a, b, c;     /* numbers of the line, in order; lognormal: b is ln(FACTOR) */
    double low, high;   /* bounds of all values; may be infinite */
    double low_u, span; /* normal and lognormal: u becomes low_u + u span; else 0 and 1 */
    int count;          /* discrete values, which increase */
    double value[DISTRIBUTION_VALUES_MAX], up_to[DISTRIBUTION_VALUES_MAX]; /* up_to: sums */
};

/* Reads a distribution; `at`: file, line and key, for messages. */
int distribution_parse(struct distribution *d, const char *text, const char *at, struct error *e);

/* The value below which the part u of all values lies; 0 < u < 1. */
double distribution_quantile(const struct distribution *d, double u);

/* The value for a standard normal number z, that is, at u = the probability below z. */
double distribution_of_normal(const struct distribution *d, double z);

/* ---- correlated variables -------------------------------------------------------------------- */

/* Correlated variables, from a CSV with the header `name` and names of variables and a row for each
 * of them; symmetric, 1 on the diagonal, positive definite. The numbers are the correlations of the
 * normal numbers from which the variables are made (a Gaussian copula). */
struct correlation {
    int count;                         /* 0: none */
    int variable[VARIABLES];           /* in the order of the table */
    double root[VARIABLES][VARIABLES]; /* lower triangle L with L L^T = the table */
};

int correlation_read(struct correlation *corr, const char *path, struct error *e);

/* Turns independent normal numbers of these variables into correlated ones. */
void correlation_apply(const struct correlation *corr, double z[]);
