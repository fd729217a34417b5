/* sights_inside.h — for the files that make sights. */
#pragma once

#include "sights.h"

#include <math.h>

/* sights_read.c: adds the sights of a line of the plan to *x, with odds and without gains. */
int sights_read(struct sights *x, struct plan *p, const struct seen_line *line, struct error *e);

/* sights_fronts.c: adds a sight for each date. */
int sights_read_fronts(struct sights *x, struct plan *p, const struct seen_line *line,
                       const char *path, struct error *e);

/* Adds a front of `inside`, which is malloc'ed and becomes the sight's. */
int sights_add_front(struct sights *x, struct plan *p, const struct seen_line *line, double time_s,
                     unsigned char *inside, struct error *e);

/* Adds a sight to *x that has only what the line states; NULL: no memory. */
struct sight *sights_add(struct sights *x, const struct seen_line *l, const char *word,
                         double time_s, struct error *e);

/* By how much a thickness, in 1/1024 m, lowers the logarithm of the likelihood in cell i of a survey's box. */
static inline double sight_miss(const struct sight *o, size_t i, uint32_t thickness_q)
{
    const double z =
        ((double)o->survey.thickness_q[i] - thickness_q) / (STATISTICS_MM * o->line->error_m);
    return fmin(0.5 * z * z, SIGHTS_ODDS);
}

/* The logarithm of the odds of a front, dry place or survey; NaN: it does not see the cell. */
static inline float sight_odds_at(const struct sight *o, uint32_t row, uint32_t col)
{
    const size_t k = window_place(o->box, row, col);
    return k == SIZE_MAX ? o->beyond : o->odds[k];
}

/* sights_hot.c: adds sights of the hot spots of each time, at most SIGHT_SPOTS in a sight; finds n of each spot. */
int sights_read_hot(struct sights *x, struct plan *p, const struct seen_line *l, const char *path,
                    struct error *e);
void sights_count_hot(struct sights *x, int i, const int *time_of, const double *share);

/* sights_here.c: fills x->lava, from sights in order of time. */
int sights_note_lava(struct sights *x, struct error *e);
void sights_forget_lava(struct sights *x);

/* sights_count.c: finds n of all cells, and the gains. */
int sights_count(struct sights *x, struct error *e);
