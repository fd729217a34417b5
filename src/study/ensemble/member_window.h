/* member_window.h — a member computed with the reference in a window of the domain that grows with
 * its lava: memory and time depend on the lava, not on the domain. The bits are the same as in the
 * whole domain. */
#ifndef SCIARA_ENSEMBLE_MEMBER_WINDOW_H
#define SCIARA_ENSEMBLE_MEMBER_WINDOW_H

#include "case/case.h"
#include "sim/fields.h"
#include "sim/variant.h"

/* From the first step to the end. *seen becomes the problem with the last window, of which *f, made
 * here, is the state. `stop` is called now and then; ERROR_CANCELLED if it returns true. */
int member_compute(const struct sim_case *c, struct problem *seen, struct fields *f,
                   struct variant_status *now, bool (*stop)(const void *), const void *of,
                   struct error *e);

/* The last step that a member may make. */
int64_t member_last_step(const struct sim_case *c);

#endif
