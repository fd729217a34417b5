/* vent.h — what a vent emits: the table of problem.h, step by step and summed up.
 *
 * In step n of an interval that begins with step m, phase + (n - m) fraction has been carried on so
 * far, modulo 2^64; if adding fraction once more overflows, the step emits a quantum more. So after
 * k steps of the interval floor((phase + k fraction) / 2^64) quanta were emitted in this way: an
 * integer that follows from the table and the step alone. Whoever computes the step, from whichever
 * step the run began, gets the same one. */
#ifndef SCIARA_VENT_H
#define SCIARA_VENT_H

#include "model/lanes.h"
#include "problem.h"

/* Whether a step in which `fraction` is added to `carried` emits a quantum more. */
INLINE bool vent_carries(uint64_t carried, uint64_t fraction)
{
    return carried + fraction < carried;
}

#ifdef __cplusplus
extern "C" {
#endif

/* The amount that vent v emits in a step, in metres; 0 outside its table. */
double vent_amount_m(const struct vent *v, int64_t step);

/* The sum of that over the steps from `first`, at least 1, to `last` (INT64_MAX: all; then it is
 * infinite if the last amount of the table is not 0). Rounded to a double, like any sum of them. */
double vent_sum_m(const struct vent *v, int64_t first, int64_t last);

/* The last step of a finite eruption in which the vent emits anything; 0: it never does. */
int64_t vent_last_step(const struct vent *v);

#ifdef __cplusplus
}
#endif
#endif
