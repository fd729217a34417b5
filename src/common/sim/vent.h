/* vent.h — the emission of a vent: the table of problem.h, step by step and summed.
 *
 * In step n of an interval that begins with step m, phase + (n - m) fraction has been carried over
 * so far, modulo 2^64; if adding fraction once more overflows, the step emits one more quantum. So
 * after k steps of the interval floor((phase + k fraction) / 2^64) quanta were emitted in this way:
 * an integer that follows from the table and the step alone, in every variant and wherever the run
 * began. */
#pragma once

#include "fields.h"
#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The amount that vent v emits in a step, in metres; 0 outside its table. */
double vent_amount_m(const struct vent *v, int64_t step);

/* The sum of these amounts over the steps from `first` >= 1 to `last` (INT64_MAX: all; then infinite if the last
 * amount of the table is not 0), rounded to a double. */
double vent_sum_m(const struct vent *v, int64_t first, int64_t last);

/* The sum of all vents in quanta, from `first` to a `last` that is finite: exact where amounts are
 * on the lattice. */
quanta vents_sum(const struct vent *v, int count, int64_t first, int64_t last);

/* The last step of a finite eruption in which the vent emits anything; 0: it never does. */
int64_t vent_last_step(const struct vent *v);

#ifdef __cplusplus
}
#endif
