/* hazard.h — the hazard of a volcano (volcano/): how often lava comes to a cell or a place. A study above a question
 * (ask/ask.h) finds it from the members of a library, without computing any.
 *
 * Each member stands for a part of the rate of eruptions a year. In a zone its quotient is the probability of its vent and class
 * there, divided by the probability with which they were drawn; its part is its share in the sum of all members' quotients, times
 * the rate of the zone. The rate of a cell is the sum of the parts of the members that reach it. Lava comes within T years with
 * probability 1 - exp(-rate T).
 *
 * The range from 5 to 95 % of that rate, by cause:
 *     frequency   rates of kinds (gamma) and shares of classes (Dirichlet) are drawn anew, hazard_draws times
 *     vents       smoothed bootstrap: hazard_draws times, the same number of vents is drawn from a density as wide as they
 *                 are spread (opening_sharpen()). Each draw gives a density by all steps, with a bandwidth of its own. The
 *                 rate is multiplied by this density divided by the one from which the vents were drawn
 *     runs        gamma, of as many members as would have the same error (Wilson and Hilferty)
 *     all         the product of all three
 * No bound exceeds that of the rate of all eruptions together, whose vents and runs are sure. */
#pragma once

#include "ask/ask.h"
#include "members/library_block.h"
#include "plan/plan.h"
#include "record/probability.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

struct hazard_options {
    struct ask_options ask; /* comes first: study_ask reads it */
    const char *volcano;    /* plan that gives past vents, eruptions, years; NULL: the library's */
    bool brief; /* whether to leave out files of an ensemble, which are of one eruption */
};

enum { HAZARD_PERIODS = 4, HAZARD_CLASSES = 5 };
enum hazard_cause { BY_FREQUENCY, BY_VENTS, BY_RUNS, BY_ALL, HAZARD_CAUSES };

struct hazard_rate {
    double rate; /* eruptions a year whose lava comes */
    float low[HAZARD_CAUSES], high[HAZARD_CAUSES];
    float part[OPENING_ZONES_MAX]; /* share of each zone in the rate */
    float past[HAZARD_PERIODS];    /* the rate by what was known before each period of flows */
};

/* hazard_flows.c: past flows, with which the map is compared. */
struct past_flow {
    double year;                      /* NaN: not known */
    int period;                       /* the last period that had begun by then; -1: none */
    double share[HAZARD_CLASSES + 1]; /* of its area: without lava on the map, then in each class */
    double score[2], before[2];       /* of the map, and of vents alone; by what was known before */
};
struct past_period {
    double begin; /* year of the first of its flows */
    struct opening opening;
    struct catalogue catalogue;
};
struct past_gain { /* how much better the map scores than vents alone, mean of some flows */
    int flows;
    double mean, error;
};
struct past_flows {
    int count, periods;
    struct assets assets; /* the flows, as areas */
    struct past_flow *flow;
    struct past_period period[HAZARD_PERIODS];
    struct past_gain now, before;
};

/* Sums over the members that reach a place. */
struct hazard_sums {
    double part[OPENING_ZONES_MAX], squares;
};

struct hazard_tile { /* the tile that a thread counts */
    uint32_t tile;
    int count;
    uint32_t place[BLOCK_CELLS];
    struct hazard_sums sum[BLOCK_CELLS];
    float *drawn; /* BLOCK_CELLS * sets */
};

struct hazard {
    struct ask ask;   /* comes first: study_ask reads it */
    struct plan *own; /* plan of another volcano; NULL: none */
    const struct plan *from;
    char thickest[48]; /* name of the layer of thickness for the most years */
    /* Sets: draws by frequency; draws by vents; the density from which vents are drawn; periods of flows. */
    int draws, sets;
    int years, zones, zones_shown, places, causes; /* how many files of each */
    double all, squares;                           /* sums over members: rates, their squares */
    struct hazard_rate together;                   /* bounds of the rate of all eruptions */
    struct hazard_sums *member;                    /* of each member: parts, square of their sum */
    float *drawn;                                  /* rate of each member in each set */
    double *normal;                                /* normal quantile of each draw */
    struct hazard_tile **tile;                     /* one for each thread */
    int tiles;
    unsigned char *margin; /* bits of each cell; see hazard_in_margin() */
    double left, margin_m; /* eruptions a year whose lava leaves the terrain; the margin's width */
    uint32_t *slot;        /* index in cell[] of each cell, from 1; 0: lava never came */
    uint32_t cells, room;
    struct hazard_rate *cell, *place;
    struct past_flows flows;
    bool failed; /* a thread was out of memory */
};

/* The study of a struct hazard, with struct hazard_options. */
extern const struct study study_hazard;

/* hazard_weights.c: sets x->member and x->drawn where a member has a weight, then weights in the ensemble. */
int hazard_weigh(struct ask *x, struct error *e);

/* The rate at a place, from the sums over the members that reach it; drawn[sets] are sums, too, and are changed. */
struct hazard_rate hazard_rate_of(const struct hazard *x, const struct hazard_sums *sum,
                                  float *drawn);

/* The rate of a cell; NULL: lava never came, or only by what was known before a period of flows. */
static inline const struct hazard_rate *hazard_at(const struct hazard *x, size_t cell)
{
    const struct hazard_rate *r = x->slot[cell] ? &x->cell[x->slot[cell] - 1] : NULL;
    return r && r->rate > 0 ? r : NULL;
}

/* hazard_margin.c. hazard_see_left(): takes cells of a member whose lava leaves the terrain; each thread has its own cells. Then
 * hazard_set_margin() sets the margin in which maps are not to be read. The others tell whether a cell, or any cell of a place,
 * lies in it, and warn of it. */
void hazard_see_left(struct hazard *x, const struct reached *reached, int count);
int hazard_set_margin(struct hazard *x, struct error *e);
bool hazard_in_margin(const struct hazard *x, size_t cell);
bool hazard_place_in_margin(const struct hazard *x, int place);
void hazard_warn(const struct study_job *j, struct warnings *w);

/* hazard_flows.c: reads the past flows that a plan names, if any; scores them after cells are counted. */
int hazard_flows_open(struct past_flows *f, const struct plan *from, struct error *e);
void hazard_flows_score(struct hazard *x);
void hazard_flows_free(struct past_flows *f);
/* The density of the next vent by `o` and `c`, per square metre, in the middle of a cell of the terrain. */
double hazard_density(const struct hazard *x, const struct opening *o, const struct catalogue *c,
                      size_t cell);
/* hazard_report.c: the class of a cell by its probability of lava within `years`, from 1; 0: lava never came. */
int hazard_class(const struct hazard *x, size_t cell, double years);

/* The number of years that is shown where there is room for one: 50, or else the greatest. */
static inline double hazard_years_shown(const struct hazard_keys *k)
{
    for (int i = 0; i < k->year_count; i++)
        if (k->year[i] == 50) return 50;
    return k->year[k->year_count - 1];
}

/* hazard_report.c: hazard_said() writes, for people and packed, the probability of lava within `years`. */
char *hazard_said(char out[PROBABILITY_TEXT], const struct hazard_rate *r, double years);
void hazard_name_thickest(struct hazard *x);
extern const struct product_table hazard_files;
