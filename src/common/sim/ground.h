/* ground.h — changes the ground of a run while lava lies on it.
 *
 * Elevations of a state change; h, T, solidified lava and records stay. So the ledgers of lava and heat close as
 * before. From then on the elevation of the problem has to be z less what has solidified since the beginning;
 * fields_ledger() checks this in each cell. Separate exact sums count by how much the ground rose and sank.
 *
 * Cells without data stay so. */
#pragma once

#include "base/error.h"
#include "fields.h"

#include <stdbool.h>

/* Changes the ground to a later survey, elevation_m[rows*cols] of the domain, except where that has no data.
 * with_lava: the survey includes what has solidified since the beginning; else it is the ground beneath. Writes into
 * ground[rows*cols] what has to replace p->elevation_m. ERROR_INPUT: an elevation would leave the range in which
 * arithmetic is exact; *f and ground have no meaning then. */
int ground_survey(struct fields *f, const struct problem *p, const double *elevation_m,
                  bool with_lava, double *ground, struct error *e);

/* How a cell of the ground changes. It is raised by a height, or to a crest if it is lower; the higher of both
 * counts. If it has neither, it is dug. All lengths are on the lattice. */
struct ground_rule {
    uint32_t place;  /* row * cols + col of the domain */
    double height_m; /* 0: none */
    double crest_m;  /* -INFINITY: none */
    double depth_m;  /* 0: none */
};
double ground_by_rule(const struct ground_rule *r, double elevation_m);

/* Counts that a cell was raised by rise_m (below 0: lowered). */
void ground_count(struct ground_sums *sums, double rise_m);

/* Changes the ground by rules, at most one for a place; parameters and errors are as for ground_survey(). */
int ground_reshape(struct fields *f, const struct problem *p, const struct ground_rule *rule,
                   size_t rules, double *ground, struct error *e);

/* Finds the terrain of which *f is a state, which p->elevation_m has to be; false: it is that already. */
bool ground_of(const struct fields *f, const struct problem *p, double *ground);
