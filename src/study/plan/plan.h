/* plan.h — the plan of an ensemble: a case file with more keys (docs/formats/plans.md) for the number of members,
 * their draws, and the statistics.
 *
 * Loading returns ERROR_INPUT, with a message of one line, for a bad plan. A plan does not change after loading, so
 * any number of threads can make its members. */
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

/* Increasing numbers, > 0. */
struct plan_list {
    int count;
    double value[PLAN_LIST_MAX];
};
struct plan_statistics {
    struct plan_list exceed_m, arrive_s; /* arrive_s: the key arrive_within_h, in seconds */
    double bin_m, bin_s;                 /* width of the classes of thickness and arrival */
    double until_error;                  /* standard error at which the ensemble stops; 0: never */
    int medians;                         /* not 0: the plan has `thickness_of medians` */
};
/* Keys for `sciara hazard`, which estimates vents and classes from past vents and eruptions. Names of files are as
 * written in the plan. */
enum { HAZARD_DRAWS_MAX = 1000 };
struct hazard_keys {
    struct opening_request opening;
    struct catalogue_request catalogue;
    int64_t size_classes, draws;
    int lognormal;
    const char *past_flows; /* NULL: none */
    struct plan_list years; /* lengths of the period, years */
};
struct plan_keys {
    int64_t members, repeats, seed; /* members 0: not given */
    int sampling;                   /* enum sampling_kind */
    const char *member_table, *correlation, *vent_list, *vent_raster, *classes, *shape, *assets,
        *verify_within, *null_from, *observed_rates, *vent_shares, *from_state;
    struct rate_history_keys history;
    struct hazard_keys hazard;
    double vent_shares_error; /* factor of error of vent_shares, >= 1 */
    struct seen_lines seen;   /* observations; freed with the plan */
    double vent_grid_m;       /* 0: no grid of vents */
    double vent_grid_box[4];  /* west, south, east, north; all NaN: the whole DEM */
    double run_s;             /* end of a member; 0: max_steps decides */
    int stop_at_rest, keep;
    double terrain_error_m, terrain_error_length_m;
    double terrain_error_hurst; /* INFINITY: the error has a single correlation length */
    double dem_length_m;        /* correlation length for the kind of DEM; 0: no kind is given */
    double discrepancy_m;       /* 0: no discrepancy */
    struct plan_statistics statistics;
    const char *vary[VARIABLES]; /* text of a variable's distribution; NULL: not drawn */
    int vary_line[VARIABLES];    /* line of vary[] in the plan; 0: not drawn */
};
struct plan_keys plan_keys_default(void);

/* The keys of a plan. Their values are read into a struct plan_keys. */
extern const struct schema plan_schema;

/* Whether a file has keys of a plan; false if the file cannot be read. */
bool plan_is(const char *path);
/* Whether a file has keys of a plan that are not observations. A case may have observations, too. */
bool plan_has_draws(const char *path);
bool plan_observes(const char *key);

/* ---- the plan -------------------------------------------------------------------------------- */

/* What is known of the members before the first member is computed. */
struct plan_outlook {
    double *cost; /* cost of each member, in any unit; NULL: not estimated */
    double end_s; /* latest end of a member; 0: not known */
    /* For each kind of warning: how many members have it, and the first such member. */
    struct plan_warned {
        int64_t members, first;
    } warned[WARNING_KINDS];
    int64_t points;  /* number of points of the plan's sources; all points are on terrain */
    uint64_t digest; /* digest of the plan; 0: the outlook is empty */
};

struct plan;

enum { PLAN_DRAWN_MAX = VARIABLES + 2 };

/* Columns of the table of members. The variables come first, then the columns below. */
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

/* The state with which all members begin. */
struct plan_state {
    char *path;
    struct restart about;
    struct fields f;
};

/* A sample that replaces the plan's own (nowcast/rounds.h). Each member has a weight and normal numbers z. The first
 * `dimensions` numbers are for the dimensions of the plan's sample. The next `rates` numbers decide the first errors of
 * the member's rates. In a dimension, u is normal_probability(z). A variable gets the quantile of its distribution at u;
 * choice_of() chooses a vent or a class by u. For correlated variables, correlation_apply() changes z before. */
struct plan_draws {
    int64_t count;         /* number of members */
    int dimensions, rates; /* dimensions of the plan's sample; number of errors of rates */
    double *z;             /* dimensions + rates numbers for each member */
    uint64_t *weight;      /* > 0 */
    int round;             /* number of the round in which members were drawn, from 1 */
    uint64_t alone;        /* digest of the plan without draws */
    uint64_t digest;       /* digest of all other fields */
};

static inline const double *draws_of(const struct plan_draws *d, int64_t number)
{
    return d->z + number * (d->dimensions + d->rates);
}

/* The number that decides the terrain error of a member. This number differs between rounds. */
static inline uint64_t draws_terrain(const struct plan_draws *d, int64_t number)
{
    return (uint64_t)d->round * (uint64_t)d->count + (uint64_t)number;
}

/* draws_finish() sets d->digest. draws_plan_digest() returns the digest of the plan with these draws. */
void draws_finish(struct plan_draws *d);
uint64_t draws_plan_digest(const struct plan_draws *d);
void draws_free(struct plan_draws *d); /* all-zero is fine */

/* plan_hazard.c: vents and classes estimated from past vents and eruptions. Members draw rare vents and classes more
 * often than these occur (sources.choice, classes.choice). The weights of members correct for this. */
struct plan_hazard {
    struct opening opening;
    struct catalogue catalogue;
    /* opens[source * opening.zones + zone]: the probability that an eruption in the zone is from this source. */
    double *opens;
};
/* Makes sources and classes of *p from past vents and eruptions. Does nothing if no key names past vents. */
int plan_hazard_read(struct plan *p, struct error *e);
void plan_hazard_free(struct plan_hazard *h); /* NULL is fine */
struct catalogue_request plan_hazard_request(const struct hazard_keys *k);
/* The share of a kind of eruption among all eruptions. */
static inline double plan_hazard_part(const struct plan_hazard *h, int kind)
{
    return kind_rate(&h->catalogue.kind[kind]) / h->catalogue.rate;
}
/* The probability of a vent with a class, divided by the probability of drawing this vent with this class. */
double plan_hazard_ratio(const struct plan *p, int source, int class);
/* plan_hazard_vent(): the probability that the next eruption is from this vent. plan_hazard_class():
 * the probability that it is of this class. */
double plan_hazard_vent(const struct plan *p, int source);
double plan_hazard_class(const struct plan *p, int class);
/* The weight of a member with a plan_hazard_ratio() of 1. */
enum { HAZARD_WEIGHT = 1 << 18 };

struct plan {
    struct sim_case base; /* grid, CRS, outline, title of all members; vents may be missing */
    struct settings settings;
    struct case_files files;
    struct plan_keys keys;
    char *assets, *within_path;  /* full paths of files that keys name; NULL: not given */
    struct domain_within within; /* value of the key verify_within */
    struct null_numbers carried; /* numbers from the folder null_from; length_m 0: none */
    struct vectors_about assets_about;

    struct sampling sampling;
    /* Stream of each dimension: a variable, STREAM_VENT or STREAM_CLASS. */
    int stream[PLAN_DRAWN_MAX];
    struct distribution *vary[VARIABLES]; /* NULL: the variable is not drawn */
    struct correlation correlation;

    struct plan_state *from;     /* NULL: members begin as the case does */
    struct vent_points vents;    /* vents of the case */
    struct rate_series rates;    /* rates of the case, or observed rates; count 0: none */
    struct rate_history history; /* errors of `rates`; how `rates` go on after their end */
    struct rate_shares shares;   /* shares of vents in `rates`; all zero: none given */
    /* Shape for the variables volume_m3 and duration_h; count 0: none */
    struct rate_series shape;
    struct sources sources;
    struct classes classes;
    struct member_table table;
    struct plan_hazard *hazard; /* NULL: vents and classes are given, not estimated */
    bool combined;              /* members are all pairs of a vent and a class */
    /* The plan belongs to a calibration, which fills the member table. */
    bool calibrates;

    const struct plan_draws *draws; /* used in place of the plan's own sample; NULL: none */

    int64_t count; /* number of members, which are numbered from 0 */
    int64_t repeats;
    double lava_low_K, lava_high_K; /* range of temperatures of initial lava; 0: none */
    int column_count, column[COLUMNS];
    uint64_t digest; /* digest of everything that decides members and statistics (plan_digest.c) */
    uint64_t unscaled_digest; /* digest in versions of sciara that did not scale Pclock */

    struct plan_outlook outlook; /* set by plan_load(); all-zero before */
    bool is_known;               /* an earlier load has found that all vents are on terrain */
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

/* Whether members have an error of the terrain. */
static inline bool plan_terrain_errs(const struct plan *p)
{
    return p->keys.terrain_error_m > 0 || plan_given(p, TERRAIN_ERROR);
}

/* The number of a key's line; 0: the key is not given. */
static inline int plan_line(const struct plan *p, const char *key)
{
    return settings_line(&p->settings, key);
}

/* Name of column i in the table of members. Before column 0 the table has the columns number and weight. */
const char *plan_column(const struct plan *p, int i);

/* Reads a plan and makes every member once. Refuses the plan if any member is invalid. */
int plan_load(struct plan **p, const char *path, struct error *e);
/* Reads a plan as plan_load() does, but members begin with `state` and have the draws *draws. *draws has to outlive
 * the plan. state NULL: the plan names the state. draws NULL: the plan has its own sample. known: the outlook of an
 * earlier load, without its `cost`; NULL: none. If *known is of this plan, the load makes no members and reads no
 * terrain. */
int plan_load_from(struct plan **p, const char *path, const char *state,
                   const struct plan_draws *draws, const struct plan_outlook *known,
                   struct error *e);

/* What a calibration adds to a plan. `keys`: the keys of the calibration, and where their values are stored. */
struct plan_more {
    struct schema_values keys;
    /* fitted[variable]: whether the calibration fits a variable. The values are known once the keys are read. NULL:
     * the calibration fits none. */
    const bool *fitted;
    /* Number of members if the plan gives none; 0: the calibration fills the member table. */
    int64_t members;
};

/* Reads a plan without making members. `calibration` NULL: the plan belongs to no calibration. */
int plan_read(struct plan **p, const char *path, const struct plan_more *calibration,
              struct file_progress *progress, struct error *e);

void plan_free(struct plan *p);                  /* NULL is fine */
static inline void plan_free_at(struct plan **p) /* for FREED_BY */
{
    plan_free(*p);
}

/* Checks that elevations with the terrain's error remain valid in a window. */
int plan_check_ground(const struct plan *p, struct window w, struct error *e);

/* Finds the kind of DEM, such as "tinitaly", in a text on the source of a terrain. NULL: the text names no kind, or
 * several kinds. */
const char *plan_dem_called(const char *source);

/* ---- steps of loading ------------------------------------------------------------------------ */

/* Sets *path to the path of a file that a key names, and notes the file as read. The caller frees *path. If `name` is
 * NULL, *path does not change. */
int plan_find_file(struct plan *p, char **path, const char *name, struct error *e);

/* plan_check.c: writes which of "rate, duration, vents, lava, terrain" all members have in common; "": none. */
enum { PLAN_KNOWN = 40 };
void plan_known(const struct plan *p, char text[PLAN_KNOWN]);
/* Warns if the terrain is from a file, but no member has an error of the terrain. */
void plan_warn_of_terrain(struct plan *p);

/* plan_check.c: plan_check_keys() checks keys against each other before files are read. plan_check_tables() checks
 * that members have an eruption and an end. */
bool plan_has_members(const struct plan *p); /* whether the keys give a number of members */
int plan_check_keys(const struct plan *p, struct error *e);
int plan_check_tables(const struct plan *p, struct error *e);

/* Refuses a plan with members that cannot be drawn anew, such as a list of members. */
int plan_check_draws(const struct plan *p, struct error *e);

/* Makes every member once, in parallel. If members are invalid, returns the error of the first invalid member. */
int plan_look_ahead(struct plan_outlook *o, const struct plan *p, struct error *e);

/* plan_draws.c: writes the normal numbers of a member to out[dimensions + rates], as in struct plan_draws. */
void draws_read(double *out, const struct plan *p, int64_t number, int rates);
/* Sets p->digest. */
int plan_compute_digest(struct plan *p, struct error *e);
/* The digest of the inputs that all members share: grid, terrain, sea level, changes of the terrain, initial state,
 * outline, and whether the plan has `thickness_of medians`. */
int plan_compute_ground(const struct plan *p, uint64_t *digest, struct error *e);
