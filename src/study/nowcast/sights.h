/* sights.h — observations of an eruption, and their likelihood L for each member of a library
 * (docs/formats/observations.md#likelihood). log L is relative to a member without lava. Each cell
 * in which the member has lava by the time of a front adds (log odds of the cell in the front) / n.
 * n is the number of cells with the same information. Cells are counted in a square around the
 * cell; the side of the square is a correlation length:
 *
 *     n = N (1 + e / c)
 *     N  sum over the observations of the same time: number of cells that the observation sees
 *     c  number of cells that any observation of the same time sees
 *     e  sum over the earlier times: number of cells seen then, times exp(-age / correlation_h) */
#pragma once

#include "members/ensemble.h"
#include "members/library_block.h"
#include "plan/plan.h"

#define SIGHTS_ODDS 4.59511985013459 /* limit of log odds: ln(0.99 / 0.01) */
#define SIGHTS_UNIT 4294967296.0     /* 2^32: log L is stored as the integer log L * 2^32 */
#define SIGHTS_FAR  3.0 /* times agree if they differ by at most this many standard errors */

enum { SIGHT_NAME = 64, SIGHT_SPOTS = 64 };

/* A hot spot, as the circle around its pixel on the grid. */
struct hot_spot {
    double row, col, radius; /* in cells; the middle of cell (0, 0) is at row 0.5, col 0.5 */
    double odds;             /* logarithm of the odds of lava */
    double power;            /* radiative power in MW; 1 if power does not count */
    double n;
};

/* An observation. Fields of other kinds of observations are all zero. */
struct sight {
    enum seen_kind kind;
    const struct seen_line *line; /* its line in the plan */
    char name[SIGHT_NAME];        /* "front 48 h" */
    char said[SIGHT_NAME];        /* the name as packed words (text/words.h) */
    double time_s, reach;         /* reach: half a correlation length, in cells */
    int edge;                     /* the last class of arrival until time_s; -1: none */
    struct window box;            /* all cells outside the box have equal odds */
    /* For fronts, dry places and surveys: a value for each cell in the box, and one value for all cells outside. */
    float *odds, beyond;        /* log odds of lava by time_s; NaN: not seen */
    int64_t *gain, beyond_gain; /* logarithm of the odds / n, in 1 / SIGHTS_UNIT */
    unsigned char *seen;        /* 0: not seen; 1: seen; 3: seen with lava */
    /* Factor from `odds` to the log odds with error_m but without discrepancy_m. */
    double sharper;
    struct {
        unsigned char *inside; /* 1: lava; rows * cols of the grid */
        uint64_t lava;         /* number of cells of the box that are seen with lava */
        /* Cells on which forecasts of the front are verified; 0 cells: none. */
        struct domain domain;
        /* Growth since the previous front. previous: index of the last earlier front that shows
         * all lava (without `part` and `within`). growth_variance: in cells^2. 0: growth does not
         * count, because this front does not show all lava, or there is no previous front, or the
         * two fronts are uncorrelated. */
        int previous;
        double growth_variance, growth_n;
    } front;
    struct {
        /* For a survey, `odds` holds no log odds, but the loss of log L of a member without lava in the cell. */
        uint32_t *thickness_q; /* thickness in each cell of the box, 1/1024 m */
        double *share;         /* 1 / n, for each cell of the box */
    } survey;
    struct {
        uint32_t *cell, cells; /* cells of the place, increasing; their number */
        double n;
    } arrival;
    struct {
        /* Number of observations of the end. An eruption has only one end, so the log-likelihood of each observation is
         * divided by n. */
        double n;
    } end;
    struct {
        uint64_t *bits;        /* for each cell of the box, a bit for each hot spot around it */
        struct hot_spot *spot; /* SIGHT_SPOTS entries */
        int count;
    } hot;
    struct {
        /* mean_m3_s is the mean rate from from_s to time_s. sd: standard deviation of its logarithm. floor_m3_s is
         * added to rates before their logarithms are compared, because a rate may be 0. */
        double from_s, mean_m3_s, floor_m3_s, sd;
        /* Correlation of the error with the error of the previous rate. */
        double before;
        /* Index of the previous rate; -1: this rate is the first. */
        int previous;
    } rate;
};

struct sights {
    int count;
    struct sight *of; /* in order of time, not of lines in the plan */
    double now_s;     /* the given time, or the time of the last observation */
    uint32_t *lava;   /* rows * cols; 1 + index of the first observation with lava; 0: none */
    const struct plan *plan;
    const struct ensemble *s;
    /* Warnings of contradictions, and of times after the end of all members. */
    struct warnings told;
};

/* The log-likelihood of an observation for a member, and the overlap of the member's lava with a front. */
struct sight_of_member {
    int64_t gain;
    /* A bit for each hot spot: whether the member has lava there by the time of the observation. */
    uint64_t spots;
    /* Of the cells that a front sees: number with lava in the front and in the member; number with lava in the
     * member. */
    uint32_t both, cells;
    uint16_t first; /* class of arrival at the place; UINT16_MAX: never */
};

/* Reads the observations in the plan of *s, until now_s (NaN: all), for the grid and classes of *s. If members
 * do not end at rest, observations after the end of all members do not count, and a now_s after this end is refused.
 * ERROR_INPUT: now_s is refused, or no observation remains. */
int sights_create(struct sights *x, const struct plan *p, const struct ensemble *s, double now_s,
                  struct error *e);
void sights_free(struct sights *x); /* all-zero is fine */

/* Row and column of a cell. sights_places() is fast because most cells are in the row of the cell before. */
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

/* Adds at most BLOCK_CELLS cells of a member to mine[x->count]. Before the first call, mine[] is all zero except
 * .first, which is UINT16_MAX. */
void sights_look(const struct sights *x, struct sight_of_member *mine,
                 const struct reached *reached, int count);
/* Adds the log-likelihoods of arrivals, of growth between fronts, of the end of the eruption, and of rates. All cells
 * of the member have been added before. */
int sights_finish(const struct sights *x, struct sight_of_member *mine, int64_t member,
                  struct error *e);

/* The observation that counts in a cell, or at a place of several cells. */
struct sight_here {
    double odds;   /* log odds of lava at the observation; 0: not seen; INFINITY: lava was seen */
    int edge;      /* the last class of arrival until the observation */
    double seen_s; /* time at which lava was seen, if it was */
    int dry;       /* sights_dry_classes(); 0 if lava was seen */
};
/* The observation that counts in a cell. If lava was seen, it is the first front or arrival with lava, because lava
 * stays. Otherwise it is the last front or dry place that sees the cell. */
struct sight_here sights_here(const struct sights *x, double until_s, uint32_t row, uint32_t col);
/* What the last observation of a cell shows, as log odds with error_m alone, without discrepancy_m. The log odds are finite
 * even if lava was seen. */
struct sight_here sights_odds(const struct sights *x, double until_s, uint32_t row, uint32_t col);
/* Finds the last observation up to until_s that shows no lava in a cell: a dry place, or a front so far away that the cell
 * has the lowest odds. Returns the number of classes of arrival that end before this observation; 0: there is none. */
int sights_dry_classes(const struct sights *x, double until_s, uint32_t row, uint32_t col);
/* What an arrival shows at its place: lava, from the time of arrival plus twice its error. If the place has several
 * cells, it does not show which of them have lava. */
struct sight_here sight_of_arrival(const struct sights *x, const struct sight *o);

/* Whether a member's end or arrival is within SIGHTS_FAR standard errors of the observed time. */
bool sight_is_near(const struct sight *o, const struct sight_of_member *mine);
/* The number of cells in `cell`, an increasing list, that are also in the place of an arrival. */
uint32_t sight_cells_common(const struct sight *arrival, const uint32_t *cell, uint32_t cells);

double sight_jaccard(const struct sight *x, const struct sight_of_member *mine);

/* The last class of arrival that ends by a time; -1: none. */
int sights_class(const struct axis *arrival_s, double time_s);
