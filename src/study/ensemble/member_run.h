/* member_run.h — computes a member from its first step to its contribution to the ensemble. The reference and a
 * device give the same contribution. */
#pragma once

#include "members/ensemble.h"
#include "sim/fields.h"
#include "sim/variant.h"

struct batch_outcome;

/* member_of_outcome() turns the outcome of a member on a device (batch.h) into a contribution, which takes over o->cell.
 * The caller releases *m. member_room() callocs an array that member_of_outcome() uses and leaves all 0. It is NULL if there
 * are no places of interest. */
int member_room(uint32_t **room, const struct ensemble *s, struct error *e);
int member_of_outcome(const struct ensemble *s, int64_t number, struct ensemble_member *m,
                      struct batch_outcome *o, uint32_t *room, struct contribution *out,
                      struct error *e);

/* member_check() checks that a case can be a member. member_name() adds the number of the member to an error; it returns
 * `status`. */
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

/* Computes a case with the reference from its first step, or from its state, to the end. The window grows with the lava, so
 * memory and time depend on the lava, not on the domain. The results do not depend on the window. The caller frees *out, also after an
 * error. `stop` is called now and then; ERROR_CANCELLED if it returns true. */
int member_compute(const struct sim_case *c, struct member_computed *out,
                   bool (*stop)(const void *), const void *of, struct error *e);

/* The last step of a member, if its stopping rule does not end it before. */
int64_t member_last_step(const struct sim_case *c);
