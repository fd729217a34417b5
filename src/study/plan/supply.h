/* supply.h — where the members of an ensemble come from: a plan, or a test's own. */
#pragma once

#include "base/error.h"
#include "case/case.h"
#include "random/terrain_error.h"
#include "null_numbers.h"
#include "verify/domain.h"

/* What an ensemble reports in addition to the probability of lava. */
struct statistics_request {
    int threshold_count, time_count;
    const double *threshold_m, *time_s;      /* lists in increasing order, all above 0 */
    double thickness_step_m, arrival_step_s; /* resolution of percentiles */
    int thickness_steps, arrival_steps;      /* how many; what lies beyond is one class */
    bool medians; /* thickness of a cell: the median of it and its 8 neighbours, 0 where dry */
};

/* One eruption, ready to run. */
struct ensemble_member {
    uint64_t weight; /* > 0; the weights of all members add up to less than 2^53 */
    const struct sim_case *c;
    char *drawn; /* what was drawn, as cells of a CSV row; without columns maybe NULL */
    struct terrain_error error; /* from create_flat(): still to be added to the elevations of *c */
    const struct terrain_spectrum *spectrum; /* the error that create() has added; NULL: none */
    void *own;                               /* belongs to the source */
};

struct plan_outlook;

struct ensemble_source {
    const void *of;           /* handed to create() and release() */
    int64_t count;            /* number of members, which are counted from 0 */
    int64_t first;            /* number of member 0 in create() and cost() */
    uint64_t digest;          /* digest of all that decides members and statistics */
    uint64_t unscaled_digest; /* the digest of versions that did not scale Pclock with the cell */
    const char *path;         /* the path of the plan */
    const struct sim_case *base; /* grid, CRS, outline, title */
    struct domain_within within; /* the region in which it is verified */
    double discrepancy_m;        /* discrepancy.h; 0: none */
    struct null_numbers carried; /* fitted to another eruption; both 0: not given */
    const char *known;           /* what all members have in common: "rate, lava"; NULL: nothing */
    const char *assets;          /* path of the places of interest, NULL: none */
    int vents;
    const uint32_t *vent; /* cells of the plan's vents, for maps; draws of members may move them */
    bool chosen;          /* a member erupts from one of them, not from all */
    bool listed;          /* members are a list; the first ones are not a random sample */
    struct statistics_request request;
    const char *columns; /* header of what was drawn: "rate_factor,vent"; "": nothing */
    const struct plan_outlook *outlook; /* outlook of the plan; NULL: none */
    /* Member `number`, a pure function of it; called on several threads at once. */
    int (*create)(const void *of, int64_t number, struct ensemble_member *m, struct error *e);
    /* Makes a member as create() does, but without the error of the terrain, for callers that add
     * it where it is needed: nothing of the size of the grid is computed. Rasters that are the
     * base's share its memory. NULL: create() does the same. */
    int (*create_flat)(const void *of, int64_t number, struct ensemble_member *m, struct error *e);
    void (*release)(const void *of, struct ensemble_member *m);
    /* How long a member takes, in any unit, so that long ones can begin first; NULL: not known. */
    double (*cost)(const void *of, int64_t number);
    /* When the eruption of a member ends, and all its lava; both 0: no vents. NULL: not known. */
    int (*eruption)(const void *of, int64_t number, double *end_s, double *volume_m3,
                    struct error *e);
    /* The digest of what all members stand on. Members of two sources with the same digest are equal if their cases
     * are equal. NULL: not known. */
    int (*ground)(const void *of, uint64_t *digest, struct error *e);
};

/* Makes member `number` of a source, with `flat` by create_flat() if there is one. source->release()
 * frees it. */
static inline int ensemble_member_create(const struct ensemble_source *source, int64_t number,
                                         bool flat, struct ensemble_member *m, struct error *e)
{
    return (flat && source->create_flat ? source->create_flat
                                        : source->create)(source->of, source->first + number, m, e);
}
