/* hazard.h — the hazard of a volcano (volcano/): how often lava comes to a cell or a place, from the members of a
 * library, without computing any. A study above a question (ask/ask.h).
 *
 * A member has a part of the rate of eruptions a year: of each zone what its vent and its class are likely, divided by
 * how likely they were drawn, as a share of that sum over all members, times the rate of the zone. The rate of a cell is
 * the sum over the members that reach it; in T years lava comes with 1 - exp(-rate T).
 *
 * From 5 to 95 % of that rate:
 *     frequency   rates of kinds and shares of classes drawn anew, hazard_draws times: gamma, and Dirichlet
 *     vents       as many vents drawn, as often, from a density that is spread as these are (opening_sharpen()), and such a
 *                 density made of them by all steps, that of the bandwidth too (the smoothed bootstrap); what they are
 *                 drawn from differs from it as the truth does from what they are drawn from: its rate times that
 *                 quotient
 *     runs        gamma about as many members as would have that error (Wilson and Hilferty)
 *     all         the product of all three */
#pragma once

#include "ask/ask.h"
#include "members/library_block.h"
#include "plan/plan.h"
#include "record/probability.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

struct hazard_options {
    struct ask_options ask; /* study_ask reads this */
    const char
        *volcano; /* a plan with other past vents, eruptions or years; NULL: that of the library */
    bool brief;   /* leave out files of an ensemble, which are of one eruption */
};

enum { HAZARD_PERIODS = 4, HAZARD_CLASSES = 5 };
enum hazard_cause { BY_FREQUENCY, BY_VENTS, BY_RUNS, BY_ALL, HAZARD_CAUSES };

struct hazard_rate {
    double rate; /* of eruptions a year whose lava comes */
    float low[HAZARD_CAUSES], high[HAZARD_CAUSES];
    float part[OPENING_ZONES_MAX]; /* of the rate, by zone */
    float past[HAZARD_PERIODS];    /* the rate by what was known before each period of flows */
};

/* hazard_flows.c: past flows, with which the map is compared. */
struct past_flow {
    double year;                      /* NaN: not known */
    int period;                       /* the last that had begun; -1: none */
    double share[HAZARD_CLASSES + 1]; /* of its area without lava on the map, and in each class */
    double score[2],
        before[2]; /* of the map and of vents alone; by what was known before, or NaN */
};
struct past_period {
    double begin; /* of the first of its flows, a year */
    struct opening opening;
    struct catalogue catalogue;
};
struct past_gain { /* score of the map less that of vents alone, of so many flows */
    int flows;
    double mean, error;
};
struct past_flows {
    int count, periods;
    struct assets assets; /* flow by flow */
    struct past_flow *flow;
    struct past_period period[HAZARD_PERIODS];
    struct past_gain now, before;
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
    char thickest[48]; /* the layer of the thickness in the most years */
    /* sets: draws by frequency, draws by vents, what these are drawn from, and periods of flows */
    int draws, sets;
    int years, zones, zones_shown, places, causes; /* numbers of files */
    double all, squares;                           /* of the rates of all members */
    struct hazard_sums *member;                    /* part, and the square of their sum */
    float *drawn;                                  /* of each member, in each set */
    double *normal;                                /* draws */
    struct hazard_tile **tile;                     /* of each thread */
    int tiles;
    unsigned char *margin; /* of each cell; see hazard_in_margin() */
    double left, margin_m; /* eruptions a year whose lava leaves the terrain; 0: none */
    uint32_t *slot;        /* of each cell in cell[], from 1; 0: lava never came */
    uint32_t cells, room;
    struct hazard_rate *cell, *place;
    struct past_flows flows;
    bool failed; /* out of memory, in a thread */
};

/* The study of a struct hazard, with struct hazard_options. */
extern const struct study study_hazard;

/* weights.c: x->member and x->drawn, of members that have a weight; then their weights in the ensemble. */
int hazard_weigh(struct ask *x, struct error *e);

/* What the members that reach a place, which have these sums, make of it. drawn[sets] is sorted. */
struct hazard_rate hazard_rate_of(const struct hazard *x, const struct hazard_sums *sum,
                                  float *drawn);

/* NULL: lava never came, or only by what was known before a period of flows. */
static inline const struct hazard_rate *hazard_at(const struct hazard *x, size_t cell)
{
    const struct hazard_rate *r = x->slot[cell] ? &x->cell[x->slot[cell] - 1] : NULL;
    return r && r->rate > 0 ? r : NULL;
}

/* hazard_margin.c: by threads with cells of their own, the cells of a member whose lava leaves the terrain; then the margin in
 * which maps are not to be read, and whether a cell, or any of a place, lies in it; and what is to be said of it. */
void hazard_see_left(struct hazard *x, const struct reached *reached, int count);
int hazard_set_margin(struct hazard *x, struct error *e);
bool hazard_in_margin(const struct hazard *x, size_t cell);
bool hazard_place_in_margin(const struct hazard *x, int place);
void hazard_warn(const struct study_job *j, struct warnings *w);

/* hazard_flows.c: reads the flows that a plan names, if any; and scores them, after cells are counted. */
int hazard_flows_open(struct past_flows *f, const struct plan *from, struct error *e);
void hazard_flows_score(struct hazard *x);
void hazard_flows_free(struct past_flows *f);
/* The next vent, per square metre, by these, in the middle of a cell of the terrain. */
double hazard_density(const struct hazard *x, const struct opening *o, const struct catalogue *c,
                      size_t cell);
/* hazard_report.c: the class of a cell in so many years, from 1; 0: lava never came. */
int hazard_class(const struct hazard *x, size_t cell, double years);

/* The number of years that is shown where there is room for one: 50, or else the greatest. */
static inline double hazard_years_shown(const struct hazard_keys *k)
{
    for (int i = 0; i < k->year_count; i++)
        if (k->year[i] == 50) return 50;
    return k->year[k->year_count - 1];
}

/* hazard_report.c: the probability that lava comes in so many years, for people, packed; and the files. */
char *hazard_said(char out[PROBABILITY_TEXT], const struct hazard_rate *r, double years);
void hazard_name_thickest(struct hazard *x);
extern const struct product_table hazard_files;
