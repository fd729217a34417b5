/* plan.h — the plan of an ensemble: a case file with more keys (docs/formats/plans.md) for the number of
 * members, their draws, and the statistics.
 *
 * Loading refuses bad input with ERROR_INPUT and one line. A plan is const afterwards, and any
 * number of threads can make members of it. */
#pragma once

#include "case/case_terrain.h"
#include "random/distribution.h"
#include "member_table.h"
#include "null_numbers.h"
#include "random/sampling.h"
#include "rate_history.h"
#include "rate_shares.h"
#include "restart/restart.h"
#include "seen.h"
#include "sources.h"
#include "verify/domain.h"
#include "volcano/catalogue.h"
#include "volcano/opening.h"

enum { PLAN_LIST_MAX = 16, PLAN_MEMBERS_MAX = 10000000 };

/* ---- keys: plan_keys.c ----------------------------------------------------------------------- */

struct plan_statistics {
    int threshold_count;
    double threshold_m[PLAN_LIST_MAX]; /* exceed_m: increasing, above 0 */
    int time_count;
    double time_s[PLAN_LIST_MAX]; /* arrive_within_h: increasing, above 0 */
    double bin_m, bin_s;          /* thickness_bin_m 0.1, arrival_bin_h 1: width of classes */
    double until_error;           /* 0: all members */
    int medians;                  /* thickness_of: medians */
};
/* The keys of a hazard (sciara hazard): past vents and eruptions, in place of vents and classes. Files are as the
 * lines name them. */
enum { HAZARD_DRAWS_MAX = 1000 };
struct hazard_keys {
    struct opening_request opening;
    struct catalogue_request catalogue;
    int64_t size_classes, draws;
    int lognormal, year_count;
    const char *past_flows;     /* NULL: there are none */
    double year[PLAN_LIST_MAX]; /* lengths of the periods, in years: increasing */
};
struct plan_keys {
    int64_t members, repeats, seed; /* members 0: not given */
    int sampling;                   /* enum sampling_kind */
    const char *member_table, *correlation, *vent_list, *vent_raster, *classes, *shape, *assets,
        *verify_within, *null_from, *observed_rates, *vent_shares, *from_state;
    struct rate_history_keys history;
    struct hazard_keys hazard;
    double vent_shares_error; /* a factor of error */
    struct seen_lines seen;   /* freed with the plan */
    double vent_grid_m;       /* 0: none */
    double vent_grid_box[4];  /* west, south, east, north; all 0: the whole DEM */
    double run_s;             /* end of a member; 0: by max_steps */
    int stop_at_rest, keep;
    double terrain_error_m, terrain_error_length_m;
    double terrain_error_hurst; /* INFINITY: the error has one length */
    double dem_length_m;        /* the length in terrain_error; 0: not given */
    double discrepancy_m;       /* 0: none */
    struct plan_statistics statistics;
    const char *vary[VARIABLES]; /* the text of its distribution; NULL: not drawn */
    int vary_line[VARIABLES];    /* line of that text; 0: not drawn */
};
struct plan_keys plan_keys_default(void);

/* The keys of a plan; the values of the schema are a struct plan_keys. */
extern const struct schema plan_schema;

/* Whether a file has keys of a plan; false where it cannot be read. */
bool plan_is(const char *path);
/* Whether a file has keys of a plan other than observations. A case may have observations, too,
 * which then count in a plan of it. */
bool plan_has_draws(const char *path);
bool plan_observes(const char *key);

/* ---- the plan -------------------------------------------------------------------------------- */

/* An estimate of all members before any is computed. */
struct plan_outlook {
    double *cost;        /* cost of each member, in any unit; NULL: not estimated */
    double end_s;        /* when the last of them ends; 0: not known */
    struct plan_warned { /* how many members have a warning of a kind, and which is the first */
        int64_t members, first;
    } warned[WARNING_KINDS];
    int64_t points;  /* number of points of vents, which all lie on terrain */
    uint64_t digest; /* digest of the plan; 0: nothing is known */
};

struct plan;

enum { PLAN_DRAWN_MAX = VARIABLES + 2 };

/* Columns of the table of members: the variables, and then these. */
enum plan_column {
    COLUMN_VENT = VARIABLES,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_CLASS,
    COLUMN_RATES,
    COLUMN_TERRAIN_SEED,
    COLUMN_MAX_STEPS,
    COLUMNS
};

/* The state that all members begin with. */
struct plan_state {
    char *path;
    struct restart about;
    struct fields f;
};

/* A sample of the plan's distributions that was made elsewhere (nowcast/rounds.h), in place of the plan's own: normal
 * numbers and a weight for each member.
 *
 * A member has a number for each dimension of the sample, whose quantile is its value, then one for each of the first
 * errors of its rates. It draws later errors itself. */
struct plan_draws {
    int64_t count;         /* members */
    int dimensions, rates; /* dimensions of the plan's sample; number of errors of rates */
    double *z;             /* count * (dimensions + rates), a member after the other */
    uint64_t *weight;      /* above 0 */
    int round;             /* how often members were drawn anew, from 1 */
    uint64_t alone;        /* digest of the plan without draws */
    uint64_t digest;       /* digest of all of the above */
};

static inline const double *draws_of(const struct plan_draws *d, int64_t number)
{
    return d->z + number * (d->dimensions + d->rates);
}

/* The number from which the error of a member's terrain is drawn; each round has others. */
static inline uint64_t draws_terrain(const struct plan_draws *d, int64_t number)
{
    return (uint64_t)d->round * (uint64_t)d->count + (uint64_t)number;
}

/* Sets d->digest; then the digest of the plan with these draws. */
void draws_finish(struct plan_draws *d);
uint64_t draws_plan_digest(const struct plan_draws *d);
void draws_free(struct plan_draws *d); /* all-zero is fine */

/* plan_hazard.c: what is known of a volcano, from which members are drawn. Each vent has a share in the opening of each
 * zone. Vents and classes are drawn with other probabilities (sources.choice, classes.choice), so that rare ones are not
 * rare among members; the weights of members make up for that. */
struct plan_hazard {
    struct opening opening;
    struct catalogue catalogue;
    double *opens; /* source * opening.zones + zone */
};
/* Reads the sources and classes of *p from its keys; does nothing where they name no past vents. */
int plan_hazard_read(struct plan *p, struct error *e);
void plan_hazard_free(struct plan_hazard *h); /* NULL is fine */
struct catalogue_request plan_hazard_request(const struct hazard_keys *k);
/* The share that a kind has of all eruptions. */
static inline double plan_hazard_part(const struct plan_hazard *h, int kind)
{
    return kind_rate(&h->catalogue.kind[kind]) / h->catalogue.rate;
}
/* The probability of a vent with a class, divided by that with which both are drawn. */
double plan_hazard_ratio(const struct plan *p, int source, int class);
/* How likely it is that the next eruption is from this vent, and that it is of this class. */
double plan_hazard_vent(const struct plan *p, int source);
double plan_hazard_class(const struct plan *p, int class);
/* The weight of a member whose ratio is 1. */
enum { HAZARD_WEIGHT = 1 << 18 };

struct plan {
    struct sim_case base; /* grid, CRS, outline, title of all members; it may have no vents */
    struct settings settings;
    struct case_files files;
    struct plan_keys keys;
    char *assets, *within_path;  /* files that keys name, found beside the plan; NULL: not given */
    struct domain_within within; /* the region of the key verify_within */
    struct null_numbers carried; /* from the folder of null_from; both 0: none */
    struct vectors_about assets_about;

    struct sampling sampling;
    int stream[PLAN_DRAWN_MAX]; /* a variable, STREAM_VENT or STREAM_CLASS for each dimension */
    struct distribution *vary[VARIABLES]; /* NULL: not drawn */
    struct correlation correlation;

    struct plan_state *from;     /* NULL: members begin as the case does */
    struct vent_points vents;    /* the vents of the case */
    struct rate_series rates;    /* rates of the case, or observed ones; count 0: none */
    struct rate_history history; /* errors of these rates, and rates that follow them */
    struct rate_shares shares;   /* shares of vents in these rates; all zero: none are given */
    struct rate_series shape;    /* shape for volume_m3 and duration_h; count 0: none */
    struct sources sources;
    struct classes classes;
    struct member_table table;
    struct plan_hazard *hazard; /* NULL: vents and classes are given */
    bool combined;              /* every vent with every class */
    bool calibrates;            /* a calibration writes the members into the table */

    const struct plan_draws *draws; /* draws in place of the sample; NULL: as the plan draws */

    int64_t count; /* members, numbered from 0 */
    int64_t repeats;
    double lava_low_K, lava_high_K; /* temperatures of initial lava; 0: none */
    int column_count, column[COLUMNS];
    uint64_t digest; /* of everything that decides members and statistics; see plan_digest.c */
    uint64_t unscaled_digest; /* the digest of versions that did not scale Pclock with the cell */

    struct plan_outlook outlook; /* set by plan_load(); else all-zero */
    bool is_known;               /* the vents have been found on terrain before */
};

static inline struct vent_ground plan_ground(const struct plan *p)
{
    const struct problem *q = &p->base.problem;
    return (struct vent_ground){q->rows, q->cols, &p->base.geo, q->elevation_m, q->terrain, q->sea};
}

/* Whether a variable differs between members. */
static inline bool plan_given(const struct plan *p, int variable)
{
    return p->keys.vary[variable] || p->table.has[variable];
}

/* Whether members have an error of their terrain. */
static inline bool plan_terrain_errs(const struct plan *p)
{
    return p->keys.terrain_error_m > 0 || plan_given(p, TERRAIN_ERROR);
}

/* The line of a key; 0: not given. */
static inline int plan_line(const struct plan *p, const char *key)
{
    return settings_line(&p->settings, key);
}

/* Name of a column of the table of members, after number and weight. */
const char *plan_column(const struct plan *p, int i);

/* Reads a plan and makes every member once: refuses a plan if any member would be invalid. */
int plan_load(struct plan **p, const char *path, struct error *e);
/* plan_load() with a state from which members begin, and draws, which outlive the plan; NULL: those of the plan.
 * known: the outlook of the plan when it was loaded before, without costs. It saves making members and reading
 * terrain; that of another plan is ignored. NULL: there is none. */
int plan_load_from(struct plan **p, const char *path, const char *state,
                   const struct plan_draws *draws, const struct plan_outlook *known,
                   struct error *e);

/* What a calibration adds to a plan: its keys and their values. */
struct plan_more {
    struct schema_values keys;
    const bool *fitted; /* by variable: it is fitted, once all lines are read; NULL: none */
    int64_t members;    /* if the file gives no number; 0: a calibration makes them */
};

/* Reads a plan without making members. `calibration` NULL: the plan has no other keys. */
int plan_read(struct plan **p, const char *path, const struct plan_more *calibration,
              struct file_progress *progress, struct error *e);

void plan_free(struct plan *p);                  /* NULL is fine */
static inline void plan_free_at(struct plan **p) /* for FREED_BY */
{
    plan_free(*p);
}

/* Checks that an error of the terrain keeps the terrain in a window within what can be computed. */
int plan_check_ground(const struct plan *p, struct window w, struct error *e);

/* The kind of DEM (from_dem) that a text on the source of a terrain names; NULL: none, or several. */
const char *plan_dem_called(const char *source);

/* ---- steps of loading ------------------------------------------------------------------------ */

/* Sets *path, malloc'ed, to that of a file that a key names, and notes the file as read. NULL names no file: *path
 * stays. */
int plan_find_file(struct plan *p, char **path, const char *name, struct error *e);

/* plan_check.c: lists what all members have in common, of "rate, duration, vents, lava, terrain"; "": nothing. */
enum { PLAN_KNOWN = 40 };
void plan_known(const struct plan *p, char text[PLAN_KNOWN]);
/* Warns of a terrain from a file that all members take as exact. */
void plan_warn_of_terrain(struct plan *p);

/* plan_check.c: plan_check_keys() checks the keys against each other, before files are read; plan_check_tables()
 * whether members have eruptions and an end. */
bool plan_has_members(const struct plan *p); /* the keys give a number of members */
int plan_check_keys(const struct plan *p, struct error *e);
int plan_check_tables(const struct plan *p, struct error *e);

/* Refuses a plan whose members cannot be drawn anew, such as a list of members. */
int plan_check_draws(const struct plan *p, struct error *e);

/* Makes every member once, on all processors. The error is that of the first member that is refused. */
int plan_look_ahead(struct plan_outlook *o, const struct plan *p, struct error *e);

/* plan_digest.c: writes the draws of a member, with its first `rates` errors of rates, to out[dimensions + rates]. */
void draws_read(double *out, const struct plan *p, int64_t number, int rates);
/* Sets p->digest. */
int plan_compute_digest(struct plan *p, struct error *e);
/* The digest of what decides the outcome of a member in addition to its own case: terrain, lava at
 * the beginning, outline, medians. */
int plan_compute_ground(const struct plan *p, uint64_t *digest, struct error *e);
