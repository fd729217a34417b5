/* emission.h — combines vents and rates: the emission of each cell in each step. */
#pragma once

#include "base/error.h"
#include "rates.h"
#include "sim/problem.h"
#include "vents.h"

#include <stdbool.h>
#include <stdint.h>

/* The emission of a step (docs/model.md, section 2.1). */
enum emission_rule {
    EMISSION_INTEGRAL, /* integral of the rate over the step; fractions of a quantum are carried to later steps */
    EMISSION_PUBLISHED, /* rate at the end of the step times Pclock, rounded to the lattice */
    EMISSION_UNROUNDED, /* as EMISSION_PUBLISHED, but not rounded, as in the published program */
};

struct emission_input {
    const struct vent_sites *sites;
    const struct rate_lists *rates;
    const struct params *params;
    enum emission_rule rule;
    bool original; /* each cell of a vent emits the full rate; rates of unknown ids are ignored */
};

/* If a vent emits EMISSION_MUCH_M or more into a cell in one step, spreads the vent over as many cells as it needs,
 * within a radius (vent_site_spread()). */
int emission_spread(struct vent_sites *sites, const struct emission_input *in, double radius_m,
                    const struct vent_ground *ground, struct error *e);

/* Makes a struct vent for each cell of each vent, with only the steps at which its amount changes. ERROR_INPUT if all
 * vents of a cell together emit more than EMISSION_MAX_M in a step. The caller frees *vents with emission_free(). */
int emission_create(struct vent **vents, int *count, const struct emission_input *in,
                    struct error *e);
void emission_free(struct vent *vents, int count);

/* ---- the rules ------------------------------------------------------------------------------- */

/* Fills the table of a vent that gets 1 / shares of the rates. `turn`, from 0 to shares - 1, is different for each cell
 * that shares the rates. With EMISSION_INTEGRAL these cells emit quanta in turns, so that the total of the cells
 * is right to half a quantum. */
int emission_fill(struct vent *v, const struct rate_list *list, int64_t shares, int64_t turn,
                  const struct params *p, enum emission_rule rule, struct error *e);

/* Fills the table of a further cell of a vent. `before` is the table of the cell before it, whose turn was
 * `turn_before`. The two tables differ only in the phase. */
int emission_fill_next(struct vent *v, const struct vent *before, int64_t shares, int64_t turn,
                       int64_t turn_before, struct error *e);

/* ---- the peak of a cell ---------------------------------------------------------------------- */

struct emission_peak {
    double amount_m; /* the most that all vents of a cell emit in a step, m; 0: nothing */
    int64_t step;
    int row, col;
    int id, cells; /* id of the vent, number of the vent's cells; both 0: several vents */
};
int emission_find_peak(struct emission_peak *peak, const struct vent *vents, int count,
                       struct error *e);

/* ERROR_INPUT if the peak of a cell is above EMISSION_MAX_M. */
int emission_check_peak(const struct vent *vents, int count, const struct emission_input *in,
                        struct error *e);

/* Writes a warning if a cell gets EMISSION_MUCH_M (m) or more in a step; else "". */
#define EMISSION_MUCH_M 2.0
int emission_warning(char *out, size_t size, const struct vent *vents, int count,
                     const struct params *p, struct error *e);

/* ---- the requested volumes ------------------------------------------------------------------- */

/* The rate of all cells together from from_s to to_s. */
struct effusion {
    double from_s, to_s, m3_s;
};
int effusion_create(struct effusion **x, int *count, const struct vent_sites *sites,
                    const struct rate_lists *rates, struct error *e);

/* The volume between two times. */
double effusion_m3(const struct effusion *x, int count, double from_s, double to_s);
