/* report.h — the files of an ensemble: layers, maps, tables, diagrams, and the summary. */
#pragma once

#include "record/probability.h"
#include "bulletin.h"
#include "engine.h"
#include "null/null_model.h"
#include "products/products.h"
#include "verify/discrepancy.h"
#include "verify/verify.h"

/* Observations other than the outline; 0 or NULL: not observed. */
struct report_observed {
    double volume_m3;
    /* rows*cols: thickness in 1/STATISTICS_MM m, arrival in ms; < 0: not surveyed */
    const int64_t *thickness_q, *arrival_ms;
};

enum { REPORT_VARIED = 900 };

struct report {
    const struct ensemble *s;
    /* The null model with which *s is compared; NULL: none. In a report of the null model itself,
     * s is &null->s. */
    const struct null_model *null;
    const struct null_model *persistence; /* NULL: none */
    uint64_t digest;                      /* ensemble_digest(s), which reads all counters */
    const struct plan *plan;              /* plan of the members; NULL: none, as in a calibration */
    const struct study_job *job;          /* folder, version, progress, times */
    const char *question;                 /* packed words; selects, weighs members; NULL: none */
    const char *asked;                    /* the question in words for readers; NULL: none */
    int64_t asked_of;                     /* number of members in the library; 0: no question */
    const struct product_table *also;     /* more files, written before report_files; NULL: none */
    const void *also_of;
    /* Whether layers in `also` have a value in a cell. NULL: only in cells with lava of members. */
    bool (*also_reached)(const void *of, size_t cell);
    const struct bulletin_more *bulletin; /* page for decision makers; NULL: none */
    bool brief;                           /* leave out members.csv, scores, most maps and layers */
    const char *end;                      /* "complete", "until_error", "interrupted" */
    struct report_observed observed;
    int threads, devices;             /* 0 and 0: nothing was computed */
    int ranks;                        /* MPI processes; 0: no MPI */
    const struct engine_share *share; /* one for each process or GPU */
    int shares;
    const struct engine_counts *counts; /* counts of the work of devices */

    /* Each row of report_files names one of these numbers: how many files the row writes (COUNT() in report.c). */
    int whole;                                        /* 1: all members, not a shard */
    int lava, has_null, has_persistence, has_outline; /* 0 for a shard */
    int has_bulletin;
    int full, full_lava, has_scores, has_members; /* 0 with the option `brief` */
    int full_map;                                 /* 0 if a forecast has its own map */
    char varied[REPORT_VARIED];
    int thresholds, times, percents, places, has_discrepancy;
    struct verification v;    /* if there is an outline */
    struct vicinity vicinity; /* with discrepancy_m */
};

/* The files of a report. Their names also identify the files of an earlier report in a folder. */
extern const struct product_table report_files;

/* Writes all files except the summary. For a shard, writes only tables. At least one member of *s is done. */
int report_products(const struct report *r, struct error *e);

/* Makes the text of summary.json, malloc'ed; NULL: out of memory. */
char *report_summary_text(const struct report *r);

/* ---- the parts ------------------------------------------------------------------------------- */

/* Whether the report is of the paths of the null model, which have no lava. */
static inline bool report_of_paths(const struct report *r)
{
    return r->null && r->s == &r->null->s;
}

/* Warns of lava that leaves the terrain, and of doubtful places of interest (assets_warn()). */
void report_warn(const struct ensemble *s, struct warnings *w);
/* Warns if runs end before their eruptions do. report_warn() includes this warning. */
void report_warn_of_cut(const struct ensemble *s, struct warnings *w);
/* The probability that lava leaves the terrain; exactly 0 if it does in no member. */
double report_off_terrain(const struct ensemble *s);

/* Whether probabilities are averaged over the discrepancy. Probabilities of a shard are not averaged. In a forecast
 * with observations, a mean over neighbours would blur what was observed in a cell. */
static inline bool report_has_discrepancy(const struct ensemble *s)
{
    return s->source->discrepancy_m > 0 && s->shard.count == 1 && !s->seen;
}

static inline const struct report *report_at(const struct product_at *at)
{
    return at->of;
}

/* report_summary.c: averages the probabilities of ensemble_forecast() over discrepancy_m. */
int report_vicinity(struct vicinity *x, const struct ensemble *s, struct error *e);

/* The comparison with the outline: scores, and tables and diagrams of reliability, ROC and overlap. *s needs an outline
 * and at least one member. */
int report_verify(struct verification *v, const struct report *r, struct error *e);
int report_verify_discrepancy(struct verification *v, const struct ensemble *s, struct error *e);
struct cJSON;
void report_add_forecast(struct cJSON *root, const struct report *r); /* members, verification */
/* Adds the numbers of a null model and, if it has an outline, its scores. Then adds numbers and scores of n->carried. */
void report_add_null(struct cJSON *o, const struct null_model *n);
void report_roc(struct table *t, const struct product_at *at);
int report_draw_roc(const struct product_at *at, struct error *e);
void report_reliability(struct table *t, const struct product_at *at);
void report_overlap(struct table *t, const struct product_at *at);
int report_draw_reliability(const struct product_at *at, struct error *e);
int report_draw_overlap(const struct product_at *at, struct error *e);

/* report_class(): the class of a probability on maps, from 1; NaN for NaN. report_map_classes(): sets all classes of a map. */
double report_class(double p);
void report_map_classes(struct map *m);

enum { REPORT_PERCENTS = 3 };
extern const int report_percents[REPORT_PERCENTS]; /* 5, 50, 95 */

/* report_result(): a result of a member; NaN: the member does not have it. report_spread(): percentiles of a result over the
 * members that have it. *crps: the score of these members against `observed`; crps NULL: not needed. */
enum report_result { REPORT_AREA_M2, REPORT_RUNOUT_M, REPORT_VOLUME_M3, REPORT_OVERLAP };
double report_result(const struct ensemble *s, const struct member_result *r,
                     enum report_result which);
/* The distance of a cell from the nearest vent; NaN: there is no vent, or each member chooses its own. */
double report_vent_distance_m(const struct ensemble *s, double row, double col);
struct percentiles report_spread(const struct ensemble *s, enum report_result which,
                                 double observed, double *crps);

/* The area that lava may reach. any_km2: area of the cells that any member reaches. expected_km2: the mean area. */
struct report_area {
    uint64_t cells;
    double any_km2, expected_km2, most; /* most: the largest probability */
};
struct report_area report_area_of(const struct ensemble *s);

/* Writes the quantities in which the finished members of plan *p differ, each with its range from 5 to 95 %, as parts of
 * a packed text (text/words.h). "": there is no quantity to name. grouped: one word for all parameters of the lava, and
 * one for all places of vents. Returns out. */
char *report_varied(char out[REPORT_VARIED], const struct ensemble *s, const struct plan *p,
                    bool grouped);

/* Finds the name of a column in s->source->columns, the quantities that members draw. Returns the
 * length of the name, because a comma ends the name. 0: there are no more columns. */
size_t report_column(const struct ensemble *s, int column, const char **name);
/* The number that a member drew for a column; NaN: it drew nothing, or a word. */
double report_drawn(const struct member_result *r, int column);

/* The time that stands for a class of arrival: the lower end of the class. */
double report_arrival_h(const struct ensemble *s, int class);

/* A range of arrivals. It begins at the lower end of the class of the 5th percentile, and ends at
 * the upper end of the class of the 95th percentile. NaN: too few members arrive.
 * report_arrival_range(): the range at a place; members that arrive before the place was last seen
 * dry do not count. report_range_of(): the range from the counters c of a place in *x. */
struct report_range {
    double low_h, high_h;
};
struct report_range report_arrival_range(const struct ensemble *s, int place);
struct report_range report_range_of(const struct ensemble *s, const struct statistics *x,
                                    const uint64_t *c);
/* Writes the number of members, packed, with their effective number if they have weights; returns out. */
enum { REPORT_MEMBERS = 120 };
char *report_members(const struct report *r, char out[REPORT_MEMBERS]);
/* Writes a question, packed. A question of more than `most` bytes is cut and remains in English. */
enum { REPORT_QUESTION = 200 };
char *report_question(char out[REPORT_QUESTION], const char *question, size_t most);
/* The question for readers: in words or, if it has no words, as it was asked. */
static inline const char *report_asked(const struct report *r)
{
    return r->asked ? r->asked : r->question;
}
/* Writes the probability that lava arrives at a place, packed (text/words.h). If lava was seen there, if a question
 * has a condition about lava there, or if there is no terrain, writes a remark in place of the probability. Returns
 * out. */
char *report_said(char out[PROBABILITY_TEXT], const struct ensemble *s, int place);
