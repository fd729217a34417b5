/* handout.h — the members of an ensemble, handed out to several processes: long ones first, in
 * parts that become smaller towards the end, so that all of them end together. */
#ifndef SCIARA_ENSEMBLE_HANDOUT_H
#define SCIARA_ENSEMBLE_HANDOUT_H

#include "ensemble.h"

struct handout {
    int64_t *number; /* members to be computed */
    double *left;    /* what the members from each on cost, together; one more, 0 */
    int64_t count, next;
    int processes;
    int *at_once; /* members that each process computes at a time; 0: has not asked yet */
};

/* Of the members that *s lacks. */
int handout_create(struct handout *h, const struct ensemble *s, int processes, struct error *e);
void handout_free(struct handout *h); /* all-zero is fine */

/* A part for a process that computes `at_once` members at a time: `least` to `most` members (1 <= least
 * <= most), fewer at the end; 0: none are left. It is a third of the share of this process in the
 * rest, by cost. */
int handout_next(struct handout *h, int process, int64_t *number, int at_once, int least, int most);

#endif
