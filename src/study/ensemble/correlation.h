/* correlation.h — correlated variables: a CSV with the header `name` and names of variables,
 * with a row for each of them; symmetric, 1 on the diagonal, positive definite. The numbers are the
 * correlations of the normal numbers from which the variables are made (a Gaussian copula). */
#pragma once

#include "base/error.h"
#include "variables.h"

struct correlation {
    int count;                         /* 0: none */
    int variable[VARIABLES];           /* in the order of the table */
    double root[VARIABLES][VARIABLES]; /* lower triangle L with L L^T = the table */
};

int correlation_read(struct correlation *corr, const char *path, struct error *e);

/* Normal numbers of these variables, independent before, correlated after. */
void correlation_apply(const struct correlation *corr, double z[]);
