/* sights_inside.h — what the files sights*.c share. */
#pragma once

#include "sights.h"

#include <math.h>

/* sights_read.c: adds the observations of a line of the plan to *x, with odds but without gains. */
int sights_read(struct sights *x, struct plan *p, const struct seen_line *line, struct error *e);

/* sights_fronts.c: adds a front for each date. */
int sights_read_fronts(struct sights *x, struct plan *p, const struct seen_line *line,
                       const char *path, struct error *e);

/* Adds a front with the lava `inside`, an array from malloc() that the front owns afterwards. */
int sights_add_front(struct sights *x, struct plan *p, const struct seen_line *line, double time_s,
                     unsigned char *inside, struct error *e);

/* Adds an observation to *x with only the values of its line. NULL: out of memory. */
struct sight *sights_add(struct sights *x, const struct seen_line *l, const char *word,
                         double time_s, struct error *e);

/* The loss of log-likelihood in cell i of a survey's box, for a thickness in 1/1024 m. */
static inline double sight_miss(const struct sight *o, size_t i, uint32_t thickness_q)
{
    const double z =
        ((double)o->survey.thickness_q[i] - thickness_q) / (STATISTICS_MM * o->line->error_m);
    return fmin(0.5 * z * z, SIGHTS_ODDS);
}

/* The log odds in a cell of a front, dry place or survey. NaN: the cell is not seen. */
static inline float sight_odds_at(const struct sight *o, uint32_t row, uint32_t col)
{
    const size_t k = window_place(o->box, row, col);
    return k == SIZE_MAX ? o->beyond : o->odds[k];
}

/* sights_hot.c: sights_read_hot() adds the hot spots of each time, at most SIGHT_SPOTS in an observation.
 * sights_count_hot() finds `n` of each hot spot. */
int sights_read_hot(struct sights *x, struct plan *p, const struct seen_line *l, const char *path,
                    struct error *e);
void sights_count_hot(struct sights *x, int i, const int *time_of, const double *share);

/* sights_here.c: fills x->lava. Observations are in order of time. */
int sights_note_lava(struct sights *x, struct error *e);
void sights_forget_lava(struct sights *x);

/* sights_count.c: finds n of all cells, and the gains. */
int sights_count(struct sights *x, struct error *e);
