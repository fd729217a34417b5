/* pairs.h — computes the members of a plan twice, with its barriers and without, with the same noise. */
#pragma once

#include "case/assets.h"
#include "ensemble/engine.h"
#include "plan/plan_supply.h"
#include "products/products.h"
#include "study/study.h"

/* ---- sums of pairs --------------------------------------------------------------------------- */

/* Lava at each of many places with barriers and without them, pair by pair, counted in
 * integers: sums have no order, so any number of threads and devices gives the same.
 *
 * The members of a pair have the same noise, so that the barriers alone make the difference; its
 * standard error is smaller than the error of the difference of two independent probabilities. */
__extension__ typedef __int128 signed_wide;

/* A place that lava reached in any member. */
struct pair_count {
    uint64_t with, without, both; /* weights of the pairs with lava there */
    wide both2;                   /* squares of the weights of the pairs in `both` */
    signed_wide later, later2;    /* weight times delay by barriers, in classes; times its square */
};

struct pair_sums {
    size_t places;
    uint32_t *slot; /* index in count[] of each place, from 1; 0: lava never came */
    uint32_t slots;
    struct pair_count *count;
    uint32_t *mark; /* place in `without` of a pair, from 1; 0 between pairs */
    int64_t pairs;
    uint64_t weight; /* sum over all pairs */
    wide weight2;
};

int pair_sums_create(struct pair_sums *s, size_t places, struct error *e);
void pair_sums_free(struct pair_sums *s); /* all-zero is fine */

struct pair_reached {
    const struct reached *item;
    size_t count;
};
/* Adds a pair. ERROR_FAILED: out of memory; nothing is counted then. */
int pair_sums_add(struct pair_sums *s, uint64_t weight, struct pair_reached with,
                  struct pair_reached without, struct error *e);

/* The sums of a place; NULL: lava never came. pair_sums_open() creates them; NULL: out of memory. */
const struct pair_count *pair_sums_at(const struct pair_sums *s, size_t place);
struct pair_count *pair_sums_open(struct pair_sums *s, size_t place);

uint64_t pair_sums_digest(const struct pair_sums *s);

/* ---- estimates ------------------------------------------------------------------------------ */

struct pair_estimates {
    double with, without;           /* probabilities of lava */
    double difference, error;       /* with minus without, and its standard error */
    double only_without, only_with; /* probability that lava comes in that case alone */
    double later_h;                 /* mean delay by barriers of lava in both; NaN: none */
    double later_error_h;           /* its standard error; NaN: fewer than two pairs */
};
/* The estimates of a place; c NULL: lava never came. */
struct pair_estimates pair_sums_estimate(const struct pair_sums *s, const struct pair_count *c,
                                         double class_h);
double pair_sums_effective(const struct pair_sums *s); /* the effective number of pairs */

/* ---- the study ------------------------------------------------------------------------------- */

enum pair_side { PAIR_WITH, PAIR_WITHOUT, PAIR_SIDES };
extern const char *const pair_sides[PAIR_SIDES]; /* "with", "without" */

/* What the two members of a pair did. */
struct pair_result {
    uint64_t weight;
    char *drawn; /* as in ensemble.h; owned */
    struct {
        uint64_t digest, cells;
        double runout_m, max_thickness_m; /* NaN: not known */
        bool off_terrain, into_sea;
    } of[PAIR_SIDES];
};

struct pairs {
    struct plan *plan;
    struct plan *bare; /* the plan without barriers; borrows all but its changes from *plan */
    struct plan_supply supply[PAIR_SIDES];
    uint64_t digest; /* of `plan` and `bare` */
    struct assets assets;
    int has_places;
    struct pair_sums cells, places;
    struct pair_result *result; /* one for each member of the plan */
    int64_t count, done;        /* pairs; how many of them, the first ones, are done */
    double class_h;             /* the width of a class of arrival */
    struct engine_counts counts;
    const struct study_job *job;
};

/* The digest of the plan and of all that was counted, members included. */
uint64_t pairs_digest(const void *pairs);

#define PAIRS_STATE "pairs.state"
extern const struct study study_pairs; /* of a struct pairs; it has no options */

extern const struct state_kind pairs_state; /* of a struct pairs */

/* ---- pairs_report.c: the files ----------------------------------------------------------------- */

/* The rows of its files; their names also identify our files in a folder. */
extern const struct product_table pairs_files;

/* Writes all files, the summary last. At least one pair is done. */
int pairs_report_write(const struct study_job *j, struct error *e);

/* Warns of what limits the results; makes the text of summary.json, malloc'ed; NULL: out of memory. */
void pairs_warn(const struct study_job *j, struct warnings *w);
char *pairs_summary_text(const struct study_job *j);

/* What all pairs did together. */
struct pairs_found {
    double area_m2[PAIR_SIDES], area_error_m2[PAIR_SIDES]; /* mean of the members, and its error */
    double area_difference_m2, area_difference_error_m2;   /* of the pairs: with minus without */
    double largest_error;                                  /* of all differences of probability */
    double less_likely_m2, more_likely_m2; /* area where it exceeds twice its error */
};
struct pairs_found pairs_find(const struct pairs *x);

/* The classes of maps of a difference of probabilities. pairs_class() returns the class of a difference, from 1; one
 * within twice its standard error has the pale class. */
enum { PAIRS_CLASSES = 9 };
extern const struct map_class pairs_classes[PAIRS_CLASSES];
int pairs_class(double difference, double error);
