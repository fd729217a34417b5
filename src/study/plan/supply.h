/* supply.h — where an ensemble gets its members from: a plan, or members that a test makes. */
#pragma once

#include "base/error.h"
#include "case/case.h"
#include "random/terrain_error.h"
#include "null_numbers.h"
#include "verify/domain.h"

/* Requested results of an ensemble, in addition to the probability of lava. */
struct statistics_request {
    int threshold_count, time_count;
    const double *threshold_m, *time_s;      /* increasing lists, all above 0 */
    double thickness_step_m, arrival_step_s; /* resolution of percentiles */
    int thickness_steps, arrival_steps;      /* values beyond the last step are one class */
    /* The thickness of a cell is the median over the cell and its 8 neighbours; a dry cell has 0. */
    bool medians;
};

/* One eruption, ready to run. */
struct ensemble_member {
    uint64_t weight; /* > 0; the sum over all members is less than 2^53 */
    const struct sim_case *c;
    /* Draws of the member as cells of a CSV row; may be NULL if there are no columns. */
    char *drawn;
    struct terrain_error error; /* terrain error that create_flat() has not added to *c */
    const struct terrain_spectrum *spectrum; /* the error that create() has added; NULL: none */
    void *own;                               /* belongs to the source */
};

struct plan_outlook;

struct ensemble_source {
    const void *of;              /* argument of the functions below */
    int64_t count;               /* number of members, which are numbered from 0 */
    int64_t first;               /* added to member numbers for create(), cost() and eruption() */
    uint64_t digest;             /* digest of everything that decides members and statistics */
    uint64_t unscaled_digest;    /* digest in versions of sciara that did not scale Pclock */
    const char *path;            /* path of the plan */
    const struct sim_case *base; /* grid, CRS, outline, title */
    struct domain_within within; /* region in which forecasts are verified */
    double discrepancy_m;        /* key discrepancy_m; 0: none */
    struct null_numbers carried; /* null model of another eruption; length_m 0: none */
    const char *known;           /* what members have in common: "rate, lava"; NULL: nothing */
    const char *assets;          /* path of the places of interest; NULL: none */
    int vents;
    const uint32_t *vent; /* cells of the plan's vents, for maps; members may move vents */
    bool chosen;          /* a member erupts from one of the vents, not from all */
    bool listed;          /* members are a list, so the first members are not a random sample */
    struct statistics_request request;
    const char *columns;                /* header of `drawn`: "rate_factor,vent"; "": no columns */
    const struct plan_outlook *outlook; /* outlook of the plan; NULL: none */
    /* Makes member `number`, as a function of the number alone. Called on several threads at once. */
    int (*create)(const void *of, int64_t number, struct ensemble_member *m, struct error *e);
    /* Makes a member as create() does, but leaves the error of the terrain to the caller, and computes no array of
     * the size of the grid. Rasters that are equal to rasters of `base` share their memory. NULL: the caller uses
     * create(). */
    int (*create_flat)(const void *of, int64_t number, struct ensemble_member *m, struct error *e);
    void (*release)(const void *of, struct ensemble_member *m);
    /* The duration of computing a member, in any unit, so that long members can begin first. NULL: not known. */
    double (*cost)(const void *of, int64_t number);
    /* The end of a member's eruption, and the volume of its lava; both 0: the member has no vents. NULL: not known. */
    int (*eruption)(const void *of, int64_t number, double *end_s, double *volume_m3,
                    struct error *e);
    /* The digest of everything that all members share. If two sources have the same digest, members with equal cases
     * are equal. NULL: not known. */
    int (*ground)(const void *of, uint64_t *digest, struct error *e);
};

/* Makes member `number` of a source. `flat`: create_flat() makes it, if the source has this function. source->release()
 * frees the member. */
static inline int ensemble_member_create(const struct ensemble_source *source, int64_t number,
                                         bool flat, struct ensemble_member *m, struct error *e)
{
    return (flat && source->create_flat ? source->create_flat
                                        : source->create)(source->of, source->first + number, m, e);
}
