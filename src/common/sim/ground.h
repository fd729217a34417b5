/* ground.h — the ground of a run becomes another one while lava lies on it.
 *
 * Elevations of a state change, and what lies on them stays: h, T, what has solidified, records. So
 * the ledgers of lava and heat close as before. The elevation that the problem has to have from
 * then on is z less what has solidified since the beginning; cell by cell the two fit together
 * (fields_ledger()). By how much the ground rose and sank is counted in exact sums of its own.
 *
 * Cells without data stay so. */
#pragma once

#include "base/error.h"
#include "fields.h"

#include <stdbool.h>

/* The ground becomes that of a later survey, elevation_m[rows*cols] of the domain, but where it has
 * no data. with_lava: what has solidified since the beginning is in it, so that it is the new
 * elevation; else it is what lies beneath. ground[rows*cols]: what p->elevation_m has to be
 * replaced with. ERROR_INPUT where an elevation would leave the range in which arithmetic is exact;
 * *f and ground are of no use then. */
int ground_survey(struct fields *f, const struct problem *p, const double *elevation_m,
                  bool with_lava, double *ground, struct error *e);

/* How a cell of the ground changes: it is raised by a height, or to a crest where it is lower (the
 * higher of both counts), or else it is dug. All lengths are on the lattice. */
struct ground_rule {
    uint32_t place;  /* row * cols + col of the domain */
    double height_m; /* 0: none */
    double crest_m;  /* -INFINITY: none */
    double depth_m;  /* 0: none */
};
double ground_by_rule(const struct ground_rule *r, double elevation_m);

/* Counts that a cell was raised by rise_m (below 0: lowered). */
void ground_count(struct ground_sums *sums, double rise_m);

/* Changes the ground by rules, each for another place; parameters and errors are those of
 * ground_survey(). */
int ground_reshape(struct fields *f, const struct problem *p, const struct ground_rule *rule,
                   size_t rules, double *ground, struct error *e);

/* Finds the terrain that p->elevation_m has to be for *f to be a state of *p; false: it is that
 * already. */
bool ground_of(const struct fields *f, const struct problem *p, double *ground);
