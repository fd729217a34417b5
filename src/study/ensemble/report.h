/* report.h — the files of an ensemble: layers, maps, tables, diagrams, and the summary. */
#pragma once

#include "record/colours.h"
#include "record/probability.h"
#include "bulletin.h"
#include "engine.h"
#include "null/null_model.h"
#include "products/products.h"
#include "verify/discrepancy.h"
#include "verify/verify.h"

/* What was observed besides the outline; 0 and NULL: not. */
struct report_observed {
    double volume_m3;
    /* rows*cols: thickness in 1/STATISTICS_MM m, arrival in ms; < 0: not surveyed */
    const int64_t *thickness_q, *arrival_ms;
};

enum { REPORT_VARIED = 900 };

struct report {
    const struct ensemble *s;
    const struct null_model *null; /* to compare with, or the paths that *s is of; NULL: none */
    const struct null_model *persistence; /* NULL: none */
    uint64_t digest;                      /* ensemble_digest(s): all counters go into it */
    const struct study_job *job;          /* folder, version, progress, times */
    const char *
        question; /* which members count, and how much, packed (text/words.h); NULL: all of the plan */
    const char *asked; /* the same with words in place of names of columns; NULL: has none */
    const struct product_table *also; /* and what follows it up to report_files: further files, of
                                         also_of; NULL: none */
    const void *also_of;
    bool (*also_reached)(const void *of,
                         size_t cell);    /* cells that these show, too; NULL: no more */
    const struct bulletin_more *bulletin; /* a page for who decides; NULL: none */
    bool brief;      /* of the files of report_files those that every page shows */
    const char *end; /* "complete", "until_error", "interrupted" */
    struct report_observed observed;
    int threads, devices;             /* 0 and 0: nothing was computed */
    int ranks;                        /* processes; 0: this one alone */
    const struct engine_share *share; /* of each process or GPU */
    int shares;
    const struct engine_counts *counts; /* of devices */

    /* What the rows of report_files show, set when they are written: 1 or 0, and numbers of files. */
    int whole;                                        /* all members, or a shard */
    int lava, has_null, has_persistence, has_outline; /* of the whole */
    int has_bulletin;
    int full, full_lava, has_scores, has_members; /* unless files are brief */
    int full_map;                                 /* unless a forecast has a map of its own */
    char varied[REPORT_VARIED];
    int thresholds, times, percents, places, has_discrepancy;
    struct verification v;    /* where there is an outline */
    struct vicinity vicinity; /* with discrepancy_m */
};

/* Its rows, also to know our files in a folder by their names. */
extern const struct product_table report_files;

/* All files but the summary; of a shard only tables. *s has a member done. */
int report_products(const struct report *r, struct error *e);

/* summary.json as text, malloc'ed; NULL: out of memory. */
char *report_summary_text(const struct report *r);

/* ---- the parts ------------------------------------------------------------------------------- */

/* Whether it is of paths, without lava. */
static inline bool report_of_paths(const struct report *r)
{
    return r->null && r->s == &r->null->s;
}

/* A warning where lava leaves the terrain, and what is to be said of places. */
void report_warn(const struct ensemble *s, struct warnings *w);

/* Whether cells are given a discrepancy: only where the map is of all members. A mean over neighbours
 * would blur what was seen in a cell, where a forecast has it. */
static inline bool report_has_discrepancy(const struct ensemble *s)
{
    return s->source->discrepancy_m > 0 && s->shard.count == 1 && !s->seen;
}

static inline const struct report *report_at(const struct product_at *at)
{
    return at->of;
}

/* report_summary.c: ensemble_forecast() spread over discrepancy_m. */
int report_vicinity(struct vicinity *x, const struct ensemble *s, struct error *e);

/* *s has an outline and members; scores, and tables and diagrams of reliability, ROC and
 * overlap. */
int report_verify(struct verification *v, const struct report *r, struct error *e);
int report_verify_discrepancy(struct verification *v, const struct ensemble *s, struct error *e);
struct cJSON;
void report_add_forecast(struct cJSON *root, const struct report *r); /* members, verification */
/* The numbers of a null model and, where it has an outline, its scores; and of the one carried over. */
void report_add_null(struct cJSON *o, const struct null_model *n);
int report_roc(FILE *f, const struct product_at *at, struct error *e);
int report_draw_roc(const struct product_at *at, struct error *e);
int report_reliability(FILE *f, const struct product_at *at, struct error *e);
int report_overlap(FILE *f, const struct product_at *at, struct error *e);
int report_draw_reliability(const struct product_at *at, struct error *e);
int report_draw_overlap(const struct product_at *at, struct error *e);

/* Classes of probability on maps: of p, from 1 (NaN: of NaN); and all of them. */
double report_class(double p);
void report_map_classes(struct map *m);

enum { REPORT_PERCENTS = 3 };
extern const int report_percents[REPORT_PERCENTS]; /* 5, 50, 95 */

/* A result of a member; NaN: it has none. And of each member that has one; *crps, unless NULL: against
 * `observed`. */
enum report_result { REPORT_AREA_M2, REPORT_RUNOUT_M, REPORT_VOLUME_M3, REPORT_OVERLAP };
double report_result(const struct ensemble *s, const struct member_result *r,
                     enum report_result which);
struct percentiles report_spread(const struct ensemble *s, enum report_result which,
                                 double observed, double *crps);

/* What lava may reach, by the one probability of each cell; any_km2: cells that any member reaches. */
struct report_area {
    uint64_t cells;
    double any_km2, expected_km2, most; /* most: the largest probability */
};
struct report_area report_area_of(const struct ensemble *s);

/* What the members differ in, with 5 and 95 % of the draws of those that are done: parts of a text (text/words.h), "": in nothing that
 * has words. grouped: with one word for the parameters of the lava, and for where vents are. Returns out. */
char *report_varied(char out[REPORT_VARIED], const struct ensemble *s, bool grouped);

/* Arrivals of a class are written as its lower end. */
double report_arrival_h(const struct ensemble *s, int class);

/* When members reach a place (after it was last seen dry), or when those do whose counters of *x are c: from the class of 5 % of them to the end of
 * that of 95 %; NaN: none does. */
struct report_range {
    double low_h, high_h;
};
struct report_range report_arrival_range(const struct ensemble *s, int place);
/* How many members there are, packed, with their effective number if they have weights; returns out. */
enum { REPORT_MEMBERS = 120 };
char *report_members(const struct report *r, char out[REPORT_MEMBERS]);
/* The probability that lava arrives at a place, or that it was seen there, packed (text/words.h); returns out. */
/* What was asked for, packed, or its first `most` bytes in English where they are more. */
enum { REPORT_QUESTION = 200 };
char *report_question(char out[REPORT_QUESTION], const char *question, size_t most);
/* The question in words for people, or else as it was asked. */
static inline const char *report_asked(const struct report *r)
{
    return r->asked ? r->asked : r->question;
}
char *report_said(char out[PROBABILITY_TEXT], const struct ensemble *s, int place);
struct report_range report_range_of(const struct ensemble *s, const struct statistics *x,
                                    const uint64_t *c);
