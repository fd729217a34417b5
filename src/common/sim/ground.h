/* ground.h — changes the ground of a run while lava lies on it.
 *
 * Only elevations of a state change; h, T, solidified lava, maxima and arrivals stay. So the ledgers of lava and heat
 * close as before. After the change, the elevation of the problem has to be z less the lava solidified since the
 * beginning; fields_ledger() checks this in each cell. struct ground_sums counts exactly how much the ground rose and
 * sank.
 *
 * Cells without data stay without data. */
#pragma once

#include "base/error.h"
#include "fields.h"

#include <stdbool.h>

/* Changes the ground to a later survey, elevation_m[rows*cols] of the domain, except where the survey has no data.
 * with_lava: the survey includes lava solidified since the beginning; else it is the ground beneath this lava. The
 * caller then replaces p->elevation_m by ground[rows*cols]. ERROR_INPUT: an elevation would leave the range in which
 * arithmetic is exact; *f and ground then have no meaning. */
int ground_survey(struct fields *f, const struct problem *p, const double *elevation_m,
                  bool with_lava, double *ground, struct error *e);

/* A change of the ground in a cell. The ground is raised by height_m or up to crest_m, whichever is higher; it is never
 * lowered to crest_m. A rule with neither height nor crest lowers the ground by depth_m. All lengths are on the
 * lattice. */
struct ground_rule {
    uint32_t place;  /* row * cols + col of the domain */
    double height_m; /* 0: none */
    double crest_m;  /* -INFINITY: none */
    double depth_m;  /* 0: none */
};
double ground_by_rule(const struct ground_rule *r, double elevation_m);

/* Adds a rise of one cell to the sums; rise_m < 0: the cell was lowered. */
void ground_count(struct ground_sums *sums, double rise_m);

/* Changes the ground by rules, at most one rule for a place. Other parameters and errors are as for ground_survey(). */
int ground_reshape(struct fields *f, const struct problem *p, const struct ground_rule *rule,
                   size_t rules, double *ground, struct error *e);

/* Writes into ground[rows*cols] the elevations that p->elevation_m has to have for the state *f; false: p->elevation_m
 * has them already. */
bool ground_of(const struct fields *f, const struct problem *p, double *ground);
