/* hazard.h — the hazard of a volcano (volcano/): how often lava comes to a cell or a place, from the members of a
 * library, without computing any. A study above a question (ask/ask.h).
 *
 * A member has a part of the rate of eruptions a year: of each zone what its vent and its class are likely, divided by
 * how likely they were drawn, as a share of that sum over all members, times the rate of the zone. The rate of a cell is
 * the sum over the members that reach it; in T years lava comes with 1 - exp(-rate T).
 *
 * From 5 to 95 % of that rate:
 *     frequency   rates of kinds and shares of classes drawn anew, hazard_draws times: gamma, and Dirichlet
 *     vents       as many vents drawn from the density, as often, and a density made of them (the smoothed bootstrap); that
 *                 differs from the density as the density does from the truth, also where both are too smooth: the rate
 *                 times the rate divided by theirs
 *     runs        gamma about as many members as would have that error (Wilson and Hilferty)
 *     all         the product of all three */
#pragma once

#include "ask/ask.h"
#include "members/library_block.h"
#include "record/probability.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

struct hazard_options {
    struct ask_options ask; /* study_ask reads this */
    const char
        *volcano; /* a plan with other past vents, eruptions or years; NULL: that of the library */
};

enum hazard_cause { BY_FREQUENCY, BY_VENTS, BY_RUNS, BY_ALL, HAZARD_CAUSES };

struct hazard_rate {
    double rate; /* of eruptions a year whose lava comes */
    float low[HAZARD_CAUSES], high[HAZARD_CAUSES];
    float part[OPENING_ZONES_MAX]; /* of the rate, by zone */
};

/* Sums over the members that reach a place. */
struct hazard_sums {
    double part[OPENING_ZONES_MAX], squares;
};

struct hazard_tile { /* of a thread */
    uint32_t tile;
    int count;
    uint32_t place[BLOCK_CELLS];
    struct hazard_sums sum[BLOCK_CELLS];
    float *drawn; /* BLOCK_CELLS * sets */
};

struct hazard {
    struct ask ask;   /* study_ask reads this */
    struct plan *own; /* of another volcano; NULL: none */
    const struct plan *from;
    int draws, sets;                               /* sets: 2 * draws, by frequency, by vents */
    int years, zones, zones_shown, places, causes; /* numbers of files */
    double all, squares;                           /* of the rates of all members */
    struct hazard_sums *member;                    /* part, and the square of their sum */
    float *drawn;                                  /* of each member, in each set */
    double *normal;                                /* draws */
    struct hazard_tile **tile;                     /* of each thread */
    int tiles;
    uint32_t *slot; /* of each cell in cell[], from 1; 0: lava never came */
    uint32_t cells, room;
    struct hazard_rate *cell, *place;
    bool failed; /* out of memory, in a thread */
};

/* Of a struct hazard, with struct hazard_options. */
extern const struct study study_hazard;

/* weights.c: x->member and x->drawn, of members that have a weight; then their weights in the ensemble. */
int hazard_weigh(struct ask *x, struct error *e);

/* What the members that reach a place, which have these sums, make of it. drawn[sets] is sorted. */
struct hazard_rate hazard_rate_of(const struct hazard *x, const struct hazard_sums *sum,
                                  float *drawn);

/* NULL: lava never came. */
static inline const struct hazard_rate *hazard_at(const struct hazard *x, size_t cell)
{
    return x->slot[cell] ? &x->cell[x->slot[cell] - 1] : NULL;
}

/* hazard_report.c: the probability that lava comes in so many years, for people, packed; and the files. */
char *hazard_said(char out[PROBABILITY_TEXT], const struct hazard_rate *r, double years);
extern const struct product_table hazard_files;
