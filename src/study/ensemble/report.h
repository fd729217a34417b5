/* report.h — the files of an ensemble: layers, maps, tables, diagrams, and the summary. */
#pragma once

#include "record/probability.h"
#include "bulletin.h"
#include "engine.h"
#include "null/null_model.h"
#include "products/products.h"
#include "verify/discrepancy.h"
#include "verify/verify.h"

/* What was observed besides the outline; 0 and NULL if it was not. */
struct report_observed {
    double volume_m3;
    /* rows*cols: thickness in 1/STATISTICS_MM m, arrival in ms; < 0: not surveyed */
    const int64_t *thickness_q, *arrival_ms;
};

enum { REPORT_VARIED = 900 };

struct report {
    const struct ensemble *s;
    const struct null_model *null;        /* compared with *s, or *s is of its paths; NULL: none */
    const struct null_model *persistence; /* NULL: none */
    uint64_t digest;                      /* ensemble_digest(s): all counters go into it */
    const struct plan *plan;          /* which rates members draw; NULL: none, of a calibration */
    const struct study_job *job;      /* folder, version, progress, times */
    const char *question;             /* which members count, how much; packed; NULL: all */
    const char *asked;                /* the question in words for people; NULL: none */
    int64_t asked_of;                 /* how many members it chooses from; 0: nothing is asked */
    const struct product_table *also; /* more files, written before report_files; NULL: none */
    const void *also_of;
    bool (*also_reached)(const void *of, size_t cell); /* cells that these show, too; or NULL */
    const struct bulletin_more *bulletin;              /* page for those who decide; NULL: none */
    bool brief;                                        /* only the files that every page shows */
    const char *end; /* "complete", "until_error", "interrupted" */
    struct report_observed observed;
    int threads, devices;             /* 0 and 0: nothing was computed */
    int ranks;                        /* processes; 0: this one alone */
    const struct engine_share *share; /* one for each process or GPU */
    int shares;
    const struct engine_counts *counts; /* of devices */

    /* What the rows of report_files show, set when they are written: 1 or 0, and numbers of files. */
    int whole;                                        /* all members, not a shard */
    int lava, has_null, has_persistence, has_outline; /* 0 of a shard */
    int has_bulletin;
    int full, full_lava, has_scores, has_members; /* 0 if files are brief */
    int full_map;                                 /* unless a forecast has a map of its own */
    char varied[REPORT_VARIED];
    int thresholds, times, percents, places, has_discrepancy;
    struct verification v;    /* where there is an outline */
    struct vicinity vicinity; /* with discrepancy_m */
};

/* The rows of its files; their names also identify our files in a folder. */
extern const struct product_table report_files;

/* Writes all files but the summary; of a shard only tables. *s has a member done. */
int report_products(const struct report *r, struct error *e);

/* Makes the text of summary.json, malloc'ed; NULL: out of memory. */
char *report_summary_text(const struct report *r);

/* ---- the parts ------------------------------------------------------------------------------- */

/* Whether the report is of paths, without lava. */
static inline bool report_of_paths(const struct report *r)
{
    return r->null && r->s == &r->null->s;
}

/* Warns of lava that leaves the terrain, and of places (assets_warn()). */
void report_warn(const struct ensemble *s, struct warnings *w);
/* Warns if runs end before their eruptions do; report_warn() does so, too. */
void report_warn_of_cut(const struct ensemble *s, struct warnings *w);

/* Whether cells are given a discrepancy: only if the map is of all members, and not in a forecast,
 * where a mean over neighbours would blur what was seen in a cell. */
static inline bool report_has_discrepancy(const struct ensemble *s)
{
    return s->source->discrepancy_m > 0 && s->shard.count == 1 && !s->seen;
}

static inline const struct report *report_at(const struct product_at *at)
{
    return at->of;
}

/* report_summary.c: spreads ensemble_forecast() over discrepancy_m. */
int report_vicinity(struct vicinity *x, const struct ensemble *s, struct error *e);

/* Scores, and tables and diagrams of reliability, ROC and overlap; *s has an outline and
 * members. */
int report_verify(struct verification *v, const struct report *r, struct error *e);
int report_verify_discrepancy(struct verification *v, const struct ensemble *s, struct error *e);
struct cJSON;
void report_add_forecast(struct cJSON *root, const struct report *r); /* members, verification */
/* Adds the numbers of a null model and, if it has an outline, its scores; then those of n->carried. */
void report_add_null(struct cJSON *o, const struct null_model *n);
int report_roc(FILE *f, const struct product_at *at, struct error *e);
int report_draw_roc(const struct product_at *at, struct error *e);
int report_reliability(FILE *f, const struct product_at *at, struct error *e);
int report_overlap(FILE *f, const struct product_at *at, struct error *e);
int report_draw_reliability(const struct product_at *at, struct error *e);
int report_draw_overlap(const struct product_at *at, struct error *e);

/* The class of a probability on maps, from 1 (NaN: NaN); report_map_classes() sets all of them. */
double report_class(double p);
void report_map_classes(struct map *m);

enum { REPORT_PERCENTS = 3 };
extern const int report_percents[REPORT_PERCENTS]; /* 5, 50, 95 */

/* report_result(): a result of a member; NaN: it has none. report_spread(): its percentiles over the members that have one;
 * *crps, unless NULL: their score against `observed`. */
enum report_result { REPORT_AREA_M2, REPORT_RUNOUT_M, REPORT_VOLUME_M3, REPORT_OVERLAP };
double report_result(const struct ensemble *s, const struct member_result *r,
                     enum report_result which);
/* The distance of a cell from the nearest vent; NaN: there is no vent, or each member chooses its own. */
double report_vent_distance_m(const struct ensemble *s, double row, double col);
struct percentiles report_spread(const struct ensemble *s, enum report_result which,
                                 double observed, double *crps);

/* What lava may reach, by the probability of each cell; any_km2: cells that any member reaches. */
struct report_area {
    uint64_t cells;
    double any_km2, expected_km2, most; /* most: the largest probability */
};
struct report_area report_area_of(const struct ensemble *s);

/* Writes what the members of plan *p that are done differ in, each with its range from 5 to 95 %, as parts of a text (text/words.h);
 * empty: nothing that has words. grouped: one word for all parameters of the lava, one for all places of vents. Returns
 * out. */
char *report_varied(char out[REPORT_VARIED], const struct ensemble *s, const struct plan *p,
                    bool grouped);

/* Gives the name of a column of what members drew, up to a comma; returns its length, 0: there are no more columns. */
size_t report_column(const struct ensemble *s, int column, const char **name);
/* The number that a member drew for a column; NaN: none, or a word. */
double report_drawn(const struct member_result *r, int column);

/* The time that is written for a class of arrival: its lower end. */
double report_arrival_h(const struct ensemble *s, int class);

/* The times at which members reach a place, after it was last seen dry: from the lower end of the class of 5 % of them to the
 * upper end of that of 95 %; NaN: too few do. report_range_of(): the same for the members that the counters c of *x count. */
struct report_range {
    double low_h, high_h;
};
struct report_range report_arrival_range(const struct ensemble *s, int place);
struct report_range report_range_of(const struct ensemble *s, const struct statistics *x,
                                    const uint64_t *c);
/* Writes how many members there are, packed, with their effective number if they have weights; returns out. */
enum { REPORT_MEMBERS = 120 };
char *report_members(const struct report *r, char out[REPORT_MEMBERS]);
/* Writes what was asked for, packed; of more than `most` bytes only the first ones, in English. */
enum { REPORT_QUESTION = 200 };
char *report_question(char out[REPORT_QUESTION], const char *question, size_t most);
/* The question in words for people, or else as it was asked. */
static inline const char *report_asked(const struct report *r)
{
    return r->asked ? r->asked : r->question;
}
/* Writes the probability that lava arrives at a place, or that it was seen there, packed (text/words.h); returns out. */
char *report_said(char out[PROBABILITY_TEXT], const struct ensemble *s, int place);
