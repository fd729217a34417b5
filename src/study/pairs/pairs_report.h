/* pairs_report.h — the files of pairs: layers, a map, tables, the summary. */
#ifndef SCIARA_PAIRS_REPORT_H
#define SCIARA_PAIRS_REPORT_H

#include "pairs.h"
#include "products/products.h"

/* Its rows, also to know our files in a folder by their names. */
extern const struct product_table pairs_files;

/* All files, the summary last. At least one pair is done. */
int pairs_report_write(const struct study_job *j, struct error *e);

/* summary.json as text, malloc'ed; NULL: out of memory. */
char *pairs_summary_text(const struct study_job *j);

/* What all pairs did together. */
struct pairs_found {
    double area_m2[PAIR_SIDES], area_error_m2[PAIR_SIDES]; /* mean of the members */
    double area_difference_m2, area_difference_error_m2;   /* of the pairs: with less without */
    double largest_error;                                  /* of a difference of probability */
    double less_likely_m2,
        more_likely_m2; /* cells whose difference is beyond twice its error: less, more */
};
struct pairs_found pairs_find(const struct pairs *x);

#endif
