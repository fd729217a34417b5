/* member_run.h — one member from its first step to what it adds to the ensemble, computed by the
 * reference or found by a device: the same contribution. */
#pragma once

#include "members/ensemble.h"
#include "sim/fields.h"
#include "sim/variant.h"

struct batch_outcome;

/* member_of_outcome() turns the outcome of a member on a device (batch.h) into a contribution, which takes the reached cells
 * of *o. The caller releases *m. room, calloc'ed by member_room(), has the number of each cell among the reached cells, from
 * 1; it is all 0 between members. NULL: there are no places of interest. */
int member_room(uint32_t **room, const struct ensemble *s, struct error *e);
int member_of_outcome(const struct ensemble *s, int64_t number, struct ensemble_member *m,
                      struct batch_outcome *o, uint32_t *room, struct contribution *out,
                      struct error *e);

/* Checks that a case can be a member; the error has its number. */
int member_check(const struct ensemble *s, const struct sim_case *c, struct error *e);
int member_name(int64_t number, int status, struct error *e);

/* Computes a member with the reference on one thread. `stop` is called now and then;
 * ERROR_CANCELLED if it returns true. */
int member_run(const struct ensemble *s, int64_t number, bool (*stop)(const void *), const void *of,
               struct contribution *out, struct error *e);

/* A case computed to its end. */
struct member_computed {
    struct problem seen; /* the problem with the last window and terrain */
    struct fields f;     /* the last state */
    struct variant_status now;
    double *ground; /* elevations of `seen` if the terrain has changed, else NULL */
    struct ground_sums changed_by;
};
void member_computed_free(struct member_computed *x); /* all-zero is fine */

/* Computes a case from its first step, or its state, to the end, with the reference in a window that grows with the lava:
 * memory and time depend on the lava, not on the domain; the bits depend on neither. *out is to be freed, after an error,
 * too. `stop` is called now and then; ERROR_CANCELLED if it returns true. */
int member_compute(const struct sim_case *c, struct member_computed *out,
                   bool (*stop)(const void *), const void *of, struct error *e);

/* The last step that a member may make. */
int64_t member_last_step(const struct sim_case *c);
