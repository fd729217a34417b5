/* published.h — the oracle: Sciara-fv2 in the arithmetic of the published serial program
 * (docs/model.md, section 3), defects included. It gives that program's states bit for bit (except
 * for one number that the program reads outside the grid), provided the C library's pow, atan and
 * cos round as those of glibc 2.36 on a processor with FMA do.
 *
 * Tests and `sciara_reference --published` use it, on one thread, and every speed-up of this
 * project is measured against it. All other code computes in exact arithmetic. */
#pragma once

#include "base/error.h"
#include "sim/fields.h"
#include "sim/problem.h"
#include "sim/variant.h"

#include <stdint.h>

struct published; /* one simulation; several can exist in one process */

/* Starts from the state in *problem, whose window must be the whole domain. Its rasters are copied,
 * its vents are not: they must stay alive until published_free(). Unlike in all other code the
 * numbers need not be on the lattice, and must not be if the published program's bits are wanted:
 * elevations in m as in the file, amounts as rate / area * clock.
 *
 * full_domain: visit every cell in every step, as the published program does. Otherwise visit only
 * the cells from the first to the last of each row that ever held lava, and one cell around them.
 * The bits are the same.
 * Returns 0, or ERROR_INPUT if there is too little memory; *p is then NULL. */
int published_create(struct published **p, const struct problem *problem, struct error *e);

/* Makes `steps` steps, fewer if the problem's stopping rule ends them. */
void published_advance(struct published *p, int64_t steps);

/* Step, stopping, mobile lava at the last reduction (truncated to the lattice), time in the
 * steps. */
void published_status(const struct published *p, struct variant_status *status);

/* Copies the present state, as computed, into *out: created by fields_create() for the problem's
 * window. The amounts of the ledger are truncated to the lattice; nothing ever leaves the
 * domain. */
void published_snapshot(const struct published *p, struct fields *out);

/* The 8 outflow layers, [8][rows][cols] in m; layer k - 1 goes to neighbour k. In a cell that has
 * become dry they are those of its last step with lava (the defect of section 3). */
void published_outflows(const struct published *p, double *out);

void published_free(struct published *p); /* NULL is fine */

/* The oracle as a variant, so that `run --published` uses the same code as every other run. */
extern const struct variant variant_oracle;
