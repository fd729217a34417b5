/* hazard.h — the hazard of a volcano (volcano/): how often lava comes to a cell or a place (docs/formats/hazard.md).
 * The study asks a library (ask/ask.h) and computes no members.
 *
 * Each member stands for a part of the rate of eruptions per year. In a zone, q of a member is the probability of its
 * vent and class there, divided by the probability with which they were drawn. The member's part of the rate of the
 * zone is q / (sum of q over members). The rate of a cell is the sum of the parts of the members that reach it. The
 * probability of lava within T years is 1 - exp(-rate T).
 *
 * The rate has a range from 5 to 95 % for each cause (enum hazard_cause): uncertain rates of eruptions, an uncertain
 * density of vents, few members, and all of these together. */
#pragma once

#include "ask/ask.h"
#include "members/library_block.h"
#include "plan/plan.h"
#include "record/legends.h"
#include "record/probability.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

struct hazard_options {
    struct ask_options ask; /* the first field, because study_ask reads it */
    /* Plan with past vents, past eruptions and the periods of the maps; NULL: the library's plan. */
    const char *volcano;
    bool brief; /* leave out the files of an ensemble, which are about one eruption */
};

enum { HAZARD_PERIODS = 4 };
enum hazard_cause { BY_FREQUENCY, BY_VENTS, BY_RUNS, BY_ALL, HAZARD_CAUSES };

struct hazard_rate {
    double rate; /* eruptions per year with lava there */
    float low[HAZARD_CAUSES], high[HAZARD_CAUSES];
    float part[OPENING_ZONES_MAX]; /* share of each zone in the rate */
    /* for each period of past flows: the rate, estimated from what was known before the period */
    float past[HAZARD_PERIODS];
};

/* hazard_flows.c: a past flow, with which the map is compared. */
struct past_flow {
    double year; /* NaN: not known */
    int period;  /* the last period that does not begin after the flow; -1: none */
    /* share[k]: share of the flow's area in class k of the map; share[0]: share without lava on the map. */
    double share[LEGEND_HAZARD + 1];
    /* Scores: [0] of the map, [1] of the density of vents. before: the same, but with a map and a
     * density made from what was known before the flow's period; NaN: no period. */
    double score[2], before[2];
};
struct past_period {
    double begin; /* year of the first flow in the period */
    struct opening opening;
    struct catalogue catalogue;
};
struct past_gain { /* how much better the map scores than the density of vents: mean over flows */
    int flows;
    double mean, error;
};
struct past_flows {
    int count, periods;
    struct assets assets; /* areas of the flows */
    struct past_flow *flow;
    struct past_period period[HAZARD_PERIODS];
    struct past_gain now, before;
};

/* Sums over the members that reach a cell or a place. */
struct hazard_sums {
    double part[OPENING_ZONES_MAX], squares;
};

struct hazard_tile { /* the tile that a thread counts */
    uint32_t tile;
    int count;
    uint32_t place[BLOCK_CELLS];
    struct hazard_sums sum[BLOCK_CELLS];
    float *drawn; /* for each place and set: sum of the rates of members that reach the place */
};

struct hazard {
    struct ask ask;   /* the first field, because study_ask reads it */
    struct plan *own; /* plan of the given volcano; NULL: none is given */
    const struct plan *from;
    char thickest[48]; /* name of the thickness layer for the longest period */
    /* draws: number of draws. sets: number of sets of rates; a set has a rate for each member. The sets are, in this
     * order: `draws` sets with drawn rates of eruptions; `draws` sets with drawn vents; one with the density from which
     * vents are drawn; one for each period of past flows. */
    int draws, sets;
    int years, zones, zones_shown, places, causes; /* numbers of files of each kind */
    /* Sums over members: of rates, of squared rates. */
    double all, squares;
    /* Bounds of the rate of all eruptions together. */
    struct hazard_rate together;
    /* For each member: its rate in each zone, and the square of the sum of these rates. */
    struct hazard_sums *member;
    float *drawn;              /* rate of each member in each set */
    double *normal;            /* normally distributed numbers, one for each draw; for BY_ALL */
    struct hazard_tile **tile; /* a tile for each thread */
    int tiles;
    unsigned char *margin; /* bits of each cell (hazard_margin.c); read by hazard_in_margin() */
    /* Eruptions per year with lava that leaves the terrain; width of the margin. */
    double left, margin_m;
    uint32_t *slot; /* index in cell[] of each cell, from 1; 0: no lava came */
    uint32_t cells, room;
    struct hazard_rate *cell, *place;
    struct past_flows flows;
    bool failed; /* a thread was out of memory */
};

/* The study of a struct hazard. Its options are struct hazard_options. */
extern const struct study study_hazard;

/* hazard_weights.c: *x is the beginning of a struct hazard. Sets its `member` and `drawn`, and replaces x->weight by the
 * rates of the members. */
int hazard_weigh(struct ask *x, struct error *e);

/* The rate at a cell or place, from the sums over the members that reach it. drawn[sets]: sums of x->drawn over the
 * same members; they are overwritten. */
struct hazard_rate hazard_rate_of(const struct hazard *x, const struct hazard_sums *sum,
                                  float *drawn);

/* The rate of a cell; NULL: it is 0. */
static inline const struct hazard_rate *hazard_at(const struct hazard *x, size_t cell)
{
    const struct hazard_rate *r = x->slot[cell] ? &x->cell[x->slot[cell] - 1] : NULL;
    return r && r->rate > 0 ? r : NULL;
}

/* hazard_margin.c: the margin of the terrain in which maps are not valid.
 *   hazard_see_left()         adds cells of a member with lava that leaves the terrain; no two threads add one cell
 *   hazard_set_margin()       sets the margin, after all members
 *   hazard_in_margin()        whether a cell is in the margin
 *   hazard_place_in_margin()  whether any cell of a place is in the margin
 *   hazard_warn()             adds all warnings, of the margin and of members and places */
void hazard_see_left(struct hazard *x, const struct reached *reached, int count);
int hazard_set_margin(struct hazard *x, struct error *e);
bool hazard_in_margin(const struct hazard *x, size_t cell);
bool hazard_place_in_margin(const struct hazard *x, int place);
void hazard_warn(const struct study_job *j, struct warnings *w);

/* hazard_flows.c: hazard_flows_open() reads the past flows of a plan, if it has any. hazard_flows_score() scores them
 * after all cells are counted. */
int hazard_flows_open(struct past_flows *f, const struct plan *from, struct error *e);
void hazard_flows_score(struct hazard *x);
void hazard_flows_free(struct past_flows *f);
/* The probability per square metre that the next vent opens at the middle of a cell, from the past
 * vents *o and the past eruptions *c. */
double hazard_density(const struct hazard *x, const struct opening *o, const struct catalogue *c,
                      size_t cell);
/* hazard_report.c: the class of a cell by its probability of lava within `years`, from 1; 0: no lava came. */
int hazard_class(const struct hazard *x, size_t cell, double years);

/* The period to show where there is room for only one: 50 years, or the longest period. */
static inline double hazard_years_shown(const struct hazard_keys *k)
{
    for (int i = 0; i < k->years.count; i++)
        if (k->years.value[i] == 50) return 50;
    return k->years.value[k->years.count - 1];
}

/* hazard_report.c: hazard_said() writes the probability of lava within `years` as packed words (text/words.h). */
char *hazard_said(char out[PROBABILITY_TEXT], const struct hazard_rate *r, double years);
void hazard_name_thickest(struct hazard *x);
extern const struct product_table hazard_files;
