/* sights.h — what was seen of an eruption, and how likely it is for each member of a library.
 *
 * A front is the outline of the flow at a time T. At distance d from its line, inside d > 0, a cell had
 * lava by T with odds exp(k d / s): a logistic error of the line whose standard deviation s is that of
 * the survey and what the model cannot do (discrepancy_m); k = pi / sqrt 3. Odds end at SIGHTS_ODDS: of
 * a hundred cells one is otherwise for reasons unknown. The likelihood of a member is the product over
 * all cells, and differs from that without lava only where the member has lava by T. Relative to that,
 *
 *     log L = sum over its cells with lava by T of  clamp(k d / s) / n
 *
 * n = N (1 + e / c) is how many cells tell the same as this one, of those within half a correlation length
 * east, west, north and south of it. N is the sum over the sights of time T of the cells that they see there, c
 * the number of cells that any of them sees; e sums up these numbers of earlier times, times
 * exp(-age / correlation_h). So a front that is drawn twice counts once, and a finer grid knows no more.
 * A place that stayed dry has the lowest odds in all of its cells. A place that lava reached at T gives a member that
 * reaches it at t the likelihood exp(-(t - T)^2 / 2 H^2). The end of the eruption gives the same for the last step in
 * which the member emits lava, and rates for their logarithms, given the error of the interval before (AR(1)).
 * Fronts of two times err alike, with the correlation r = exp(-age / correlation_h). If both areas are normal about
 * the member's with variance a^2, the terms above have z^2 / 2 and z'^2 / 2 divided by 1 + r. The joint density has
 * r / (1 - r^2) (z - z')^2 / 2 in addition: the growth between them is observed with the variance a^2 (1 - r^2) / r,
 * the smaller the more alike they err. a^2 is s^2 times the length of the line times the correlation length.
 * In each cell of a survey a member loses min(z^2 / 2, SIGHTS_ODDS), where z is the error of its greatest thickness
 * (0 without lava by T) divided by error_m. A hot spot has the odds of its confidence for a member with lava by T
 * in the circle around its pixel; n is then how many hot spots tell the same.
 *
 * Every sum is of integers, so that neither the order of lines nor of members matters. */
#pragma once

#include "members/ensemble.h"
#include "members/library_block.h"
#include "plan/plan.h"

#define SIGHTS_ODDS 4.59511985013459 /* ln(0.99 / 0.01) */
#define SIGHTS_UNIT 4294967296.0     /* a gain of 1 in log L, in units */
#define SIGHTS_FAR  3.0 /* two ends or arrivals differ from this distance on, in errors */

enum { SIGHT_NAME = 64, SIGHT_SPOTS = 64 };

/* A hot spot: the circle around its pixel, on the grid. */
struct hot_spot {
    double row, col, radius; /* in cells; the middle of a cell is half a row down */
    double odds;             /* logarithm of the odds */
    double power;            /* radiative, in MW; 1 where it does not count */
    double n;
};

/* One observation. What only other kinds have is all zero. */
struct sight {
    enum seen_kind kind;
    const struct seen_line *line; /* its line in the plan */
    char name[SIGHT_NAME];        /* "front 48 h" */
    char said[SIGHT_NAME];        /* name, packed (text/words.h) */
    double time_s, reach;         /* reach: half a correlation length, in cells */
    int edge;                     /* the last class of arrival that has lava by then; -1: none */
    struct window box;            /* outside it all cells are alike */
    /* Fronts, dry places and surveys have these, for the cells of the box and beyond it. */
    float *odds, beyond;        /* logarithm; NaN: not seen */
    int64_t *gain, beyond_gain; /* odds / n, in SIGHTS_UNIT */
    unsigned char *seen;        /* 0 not seen, 1 seen, 3 with lava */
    double sharper;             /* factor that takes discrepancy_m out of the odds */
    struct {
        unsigned char *inside; /* 1: lava; rows * cols of the grid */
        uint64_t lava;         /* cells of the box that are seen with lava */
        struct domain domain;  /* where forecasts of it are verified; cells 0: nowhere */
        /* The growth of a whole front since an earlier one, in cells; growth_variance 0: there is none */
        int previous;
        double growth_variance, growth_n;
    } front;
    struct {
        uint32_t *thickness_q; /* by cell of the box; odds are those of any lava there */
        double *share;         /* by cell of the box, 1 / n */
    } survey;
    struct {
        uint32_t *cell, cells; /* cells of the place, increasing */
        double n;
    } arrival;
    struct {
        double n; /* how many ends were seen: all are one end */
    } end;
    struct {
        uint64_t *bits;        /* by cell of the box, a bit for each hot spot around it */
        struct hot_spot *spot; /* room for SIGHT_SPOTS */
        int count;
    } hot;
    struct {
        double from_s, mean_m3_s, floor_m3_s, sd; /* of the interval */
        double before;                            /* correlation with the rate before, R^(days) */
        int previous;                             /* sight of that rate; -1: this is the first */
    } rate;
};

struct sights {
    int count;
    struct sight *of; /* by time; equal lines in any order give equal sights */
    double now_s;     /* the time that is given, or that of the last sight */
    uint32_t *lava;   /* 1 + number of the first sight with lava, rows * cols; 0: none */
    const struct plan *plan;
    const struct ensemble *s;
    struct warnings told; /* contradictions, and times after the end of all members */
};

/* What a member gains by each sight, and how its lava by then overlaps with a front. */
struct sight_of_member {
    int64_t gain;
    uint64_t spots;       /* hot spots with lava by then, a bit each */
    uint32_t both, cells; /* front: cells in both, and of the member, where it is seen */
    uint16_t first;       /* class of arrival at the place; UINT16_MAX: never */
};

/* Reads what the plan of *s names, until now_s (NaN: all), on the grid and with the classes of *s. What is later
 * than the end of every member does not count, unless members end at rest. ERROR_INPUT: nothing is left, or
 * now_s is later. */
int sights_create(struct sights *x, const struct plan *p, const struct ensemble *s, double now_s,
                  struct error *e);
void sights_free(struct sights *x); /* all-zero is fine */

/* Where a cell lies. sights_places() finds it fast, as most cells are in the row of the one before. */
struct sight_cell {
    uint32_t row, col;
};
static inline void sights_places(struct sight_cell *at, const struct reached *reached, int count,
                                 uint32_t cols)
{
    uint32_t row = 0;
    for (int i = 0; i < count; i++) {
        if (reached[i].place - row * cols >= cols) row = reached[i].place / cols;
        at[i] = (struct sight_cell){row, reached[i].place - row * cols};
    }
}

/* Adds at most BLOCK_CELLS cells of a member to mine[x->count], which is at first all zero but .first. */
void sights_look(const struct sights *x, struct sight_of_member *mine,
                 const struct reached *reached, int count);
/* Adds, after all of its cells, what a member gains by arrivals, growth between fronts, and the end and rates of its vents. */
int sights_finish(const struct sights *x, struct sight_of_member *mine, int64_t member,
                  struct error *e);

/* What was seen in a cell itself until a time. An arrival at several cells does not show which has lava: sight_of_arrival() is
 * for a place that has them all. Lava was there by the arrival's time plus twice its error. */
struct sight_here {
    double odds;   /* logarithm of the odds of lava by then; 0: not seen; INFINITY: lava seen */
    int edge;      /* the last class of arrival by then */
    double seen_s; /* when lava was seen, if it was */
    int dry;       /* sights_dry_classes(); 0 where lava was seen */
};
/* What counts in a cell: the first front or arrival that shows lava, as lava stays; else the last front or dry
 * place that sees the cell. */
struct sight_here sights_here(const struct sights *x, double until_s, uint32_t row, uint32_t col);
/* What was seen in a cell last, with odds by its error_m alone: what a front is expected to show. */
struct sight_here sights_odds(const struct sights *x, double until_s, uint32_t row, uint32_t col);
/* How many classes of arrival end by the last time, until until_s, at which the cell was seen dry: as a dry place,
 * or as far outside a front as its error lets lava be; 0: it was not. */
int sights_dry_classes(const struct sights *x, double until_s, uint32_t row, uint32_t col);
struct sight_here sight_of_arrival(const struct sights *x, const struct sight *o);

/* Whether the end of a member's lava, or its arrival, is within SIGHTS_FAR errors of the one that was seen. */
bool sight_is_near(const struct sight *o, const struct sight_of_member *mine);
/* How many cells of an arrival's place are among these, which increase. */
uint32_t sight_cells_common(const struct sight *arrival, const uint32_t *cell, uint32_t cells);

double sight_jaccard(const struct sight *x, const struct sight_of_member *mine);

/* The last class of arrival that ends by then; -1: none does. */
int sights_class(const struct axis *arrival_s, double time_s);
