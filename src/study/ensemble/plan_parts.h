/* plan_parts.h — a plan from within, for those who read it and make members of it. */
#ifndef SCIARA_PLAN_PARTS_H
#define SCIARA_PLAN_PARTS_H

#include "case/case_notes.h"
#include "case/case_terrain.h"
#include "correlation.h"
#include "distribution.h"
#include "member_table.h"
#include "plan.h"
#include "random/sampling.h"
#include "sources.h"
#include "terrain_error.h"

/* ---- plan_keys.c: the values of its keys ----------------------------------------------------- */

struct plan_keys {
    int64_t members, repeats, seed; /* members 0: not given */
    int sampling;                   /* enum sampling_kind */
    const char *member_table, *correlation, *vent_list, *vent_raster, *classes, *shape, *assets;
    double vent_grid_m;      /* 0: none */
    double vent_grid_box[4]; /* NaN: none */
    double run_s;            /* 0: max_steps counts */
    int stop_at_rest;
    double terrain_error_m, terrain_error_length_m;
    struct plan_statistics statistics; /* without assets */
    const char *vary[VARIABLES];       /* distribution; NULL: not drawn */
    int vary_line[VARIABLES];          /* 0 likewise */
};
struct plan_keys plan_keys_default(void);

/* ---- plan_outlook.c: an estimate of all members before any is computed ----------------------- */

struct plan_outlook {
    double *cost;                 /* of each, in any unit; NULL: not estimated */
    double end_s;                 /* when the last of them ends; 0: not known */
    int64_t warned, warned_first; /* members with a warning, and the first of them */
};

/* ---- the plan -------------------------------------------------------------------------------- */

enum { PLAN_DRAWN_MAX = VARIABLES + 2 };

/* Columns of the table that are no variables count on from these. */
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

struct plan {
    struct sim_case base;
    struct settings settings;
    struct case_files files;
    struct plan_keys keys;
    struct plan_statistics statistics;
    char *assets;
    struct vectors_about assets_about;

    struct sampling sampling;
    int stream[PLAN_DRAWN_MAX]; /* of each dimension: a variable, STREAM_VENT or STREAM_CLASS */
    struct distribution *vary[VARIABLES]; /* NULL: not drawn */
    struct correlation correlation;

    struct vent_points vents; /* of the case */
    struct rate_series rates; /* of the case; count 0: none */
    struct rate_series shape; /* of volume_m3 and duration_h; count 0: none */
    struct sources sources;
    struct classes classes;
    struct member_table table;
    bool combined;   /* every vent with every class */
    bool calibrates; /* members are those that a calibration puts into the table */

    int64_t count, repeats;
    double lava_low_K, lava_high_K; /* of initial lava; 0: none */
    int column_count, column[COLUMNS];
    uint64_t digest;

    struct plan_outlook outlook; /* of plan_load(); else all-zero */
    char own_warning[1024];      /* of the base, without the warnings of members */
};

static inline struct vent_ground plan_ground(const struct plan *p)
{
    const struct problem *q = &p->base.problem;
    return (struct vent_ground){q->rows, q->cols, &p->base.geo, q->elevation_m};
}

/* Whether members differ in it. */
static inline bool plan_given(const struct plan *p, int variable)
{
    return p->keys.vary[variable] || p->table.has[variable];
}

/* The line of a key; 0: not given. */
static inline int plan_line(const struct plan *p, const char *key)
{
    return settings_line(&p->settings, key);
}

/* A plan with members that a calibration makes: the schema of its keys, the struct of their values,
 * and the variables with values of their own in each member, known once all lines are read. */
struct plan_more {
    struct schema_values keys;
    const bool *fitted; /* VARIABLES */
};
int plan_read_more(struct plan **p, const char *path, const struct plan_more *calibration,
                   struct file_progress *progress, struct error *e);

/* plan_check.c: whether what the keys say goes together, before any file is read, and whether there
 * are eruptions, and ends of them, once they are. */
int plan_check_keys(const struct plan *p, struct error *e);
int plan_check_tables(const struct plan *p, struct error *e);

/* Makes every member once, on all processors. The error is that of the first that is refused. */
int plan_look_ahead(struct plan_outlook *o, const struct plan *p, struct error *e);

/* After plan_look_ahead(): adds to the warning of the base how many members have one. */
int plan_warn_of_members(struct plan *p, struct error *e);

/* plan_digest.c */
int plan_take_digest(struct plan *p, struct error *e);

/* ---- member.c, member_eruption.c: a member --------------------------------------------------- */

struct member;

/* What member `number` counts for, without making it. */
uint64_t member_weight(const struct plan *p, int64_t number);

/* Vents and rates of a member whose values and parameters are there. */
int member_erupt(struct member *m, const struct table_row *row, struct error *e);

#endif
