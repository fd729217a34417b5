/* vent.h — the emission of a vent, from its table (struct vent in problem.h): in one step, and in sums.
 *
 * An interval begins with step m. Before step n of the eruption, phase + (n - m) * fraction has been carried over,
 * modulo 2^64. If adding fraction once more overflows, step n emits one more quantum. So the first k steps of the
 * interval emit floor((phase + k * fraction) / 2^64) carried quanta. This integer depends on the table and the step
 * alone: it is the same in every variant and for a resumed run. */
#pragma once

#include "fields.h"
#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The amount that vent v emits in a step, in metres; 0 before the first interval. */
double vent_amount_m(const struct vent *v, int64_t step);

/* The sum of vent_amount_m() over the steps from `first` >= 1 to `last`, rounded to a double. last = INT64_MAX: all
 * steps; the sum is then infinite if the last amount of the table is not 0. */
double vent_sum_m(const struct vent *v, int64_t first, int64_t last);

/* The sum of vent_amount_m() over all vents and the steps from `first` to `last`, in quanta. `last`
 * is a step, not INT64_MAX. The sum is exact if all amounts are on the lattice. */
quanta vents_sum(const struct vent *v, int count, int64_t first, int64_t last);

/* The last step in which the vent emits lava, for a finite eruption; 0: the vent never emits
 * lava. */
int64_t vent_last_step(const struct vent *v);

#ifdef __cplusplus
}
#endif
