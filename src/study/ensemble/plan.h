/* plan.h — what an ensemble is to compute: a case file with more keys (docs/formats.md), which say
 * how many members there are, what each of them draws, and what is counted.
 *
 * Loading refuses bad input with ERROR_INPUT and one line. A plan is const afterwards, and any
 * number of threads can make members of it. */
#ifndef SCIARA_PLAN_H
#define SCIARA_PLAN_H

#include "base/error.h"
#include "case/case.h"

#include <stdbool.h>
#include <stdint.h>

struct plan;
struct schema;

/* The keys of a plan (case/schema.h). */
extern const struct schema plan_schema;

/* Whether a file has keys of a plan; false where it cannot be read. */
bool plan_is(const char *path);

enum { PLAN_LIST_MAX = 16, PLAN_MEMBERS_MAX = 10000000 };

/* Everything that a plan file says, every member looked at: whatever any of them would be refused
 * for is refused here. */
int plan_load(struct plan **p, const char *path, struct error *e);

/* The same without looking at the members, for who wants one of them. */
int plan_read(struct plan **p, const char *path, struct file_progress *progress, struct error *e);

void plan_free(struct plan *p); /* NULL is fine */

int64_t plan_count(const struct plan *p); /* members, numbered from 0 */

/* Of all that decides members and statistics, what the files hold included; not where these are,
 * nor titles, nor when to stop. */
uint64_t plan_digest(const struct plan *p);

/* The case that all members begin with: grid, CRS, outline, title. It may have no vents. */
const struct sim_case *plan_case(const struct plan *p);

/* ---- what is counted ------------------------------------------------------------------------- */

struct plan_statistics {
    int threshold_count;
    double threshold_m[PLAN_LIST_MAX]; /* exceed_m: increasing, above 0 */
    int time_count;
    double time_s[PLAN_LIST_MAX]; /* arrive_within_h: increasing, above 0 */
    double bin_m, bin_s;          /* resolution of thickness and arrival: thickness_bin_m 0.1, */
                                  /* arrival_bin_h 1 */
    const char *assets;           /* path, or NULL */
    double until_error;           /* 0: all members */
};
const struct plan_statistics *plan_statistics(const struct plan *p);

/* ---- what is drawn, as a table --------------------------------------------------------------- */

int plan_columns(const struct plan *p); /* besides number and weight */
const char *plan_column(const struct plan *p, int i);

#endif
