/* sample.h — the sums of one state: a row in the table of a run's progress. */
#pragma once

#include "fields.h"

struct sample {
    int64_t step;
    quanta emitted, mobile, solidified, left_domain, entered_sea; /* as in struct ledger */
    double thickest_m; /* largest mobile + solidified in a cell */
    double hottest_K;  /* largest temperature of mobile lava; 0: no mobile lava */
};

/* Sums over all cells of a state. For states in published arithmetic each cell's value is truncated
 * to whole quanta. */
struct sample sample_of(const struct fields *f);

/* The samples of a run, by increasing step. */
struct samples {
    int count;
    struct sample *item;
};
/* Adds a sample; ignores a sample that is not later than all samples of the list. */
int samples_add(struct samples *s, const struct sample *one, struct error *e);
int samples_copy(struct samples *to, const struct samples *from, struct error *e);
void samples_free(struct samples *s); /* all-zero is fine */
