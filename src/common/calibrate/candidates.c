/* candidates.c — candidates become members of an ensemble: a row of the plan's member table for
 * each candidate and each number of noise. */
#include "calibration.h"

#include "ensemble/member.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the ensemble shows goes to where its member's agreement stands. */
struct judge {
    const struct observations *observed;
    struct agreement **of; /* of each member */
};

static int look(void *of, const struct contribution *c, struct error *e)
{
    struct judge *j = of;
    (void)e;
    observations_judge(j->observed, c, j->of[c->number]);
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static struct table_row row_of(const struct calibration *c, const double *value, int64_t noise)
{
    return point_row(c->fit, c->fits, value, noise);
}

/* Which of them can be run. */
static int look_ahead(struct calibration *c, struct batch_of_runs *b, int64_t *count,
                      struct error *e)
{
    *count = 0;
    int status = points_make_room(c->plan, b->candidates, e);
    if (status) return status;
    for (int i = 0; i < b->candidates; i++) c->plan->table.row[i] = row_of(c, b->value[i], 0);
    for (int i = 0; i < b->candidates; i++) {
        struct member m;
        b->possible[i] = !member_create_flat(&m, c->plan, i, NULL);
        if (b->possible[i]) member_free(&m);
        *count += b->possible[i] * b->members;
    }
    return 0;
}

static int fill_table(struct calibration *c, struct batch_of_runs *b, struct judge *j,
                      int64_t count, struct error *e)
{
    int status = points_make_room(c->plan, count, e);
    int64_t k = 0;
    if (status) return status;
    j->of = malloc((size_t)count * sizeof(struct agreement *));
    if (!j->of) return error_failed(e, "out of memory");
    for (int i = 0; i < b->candidates; i++)
        for (int64_t m = 0; m < b->members && b->possible[i]; m++) {
            const int64_t noise = m + (b->own_noise ? i * b->members : 0);
            c->plan->table.row[k] = row_of(c, b->value[i], b->first_noise + noise);
            j->of[k++] = &b->agreement[i * b->members + m];
        }
    return 0;
}

/* ---- the ensemble -----------------------------------------------------------------------------
 */

/* Times that classes of arrival have to end at: those of the plan too where cells are counted. */
struct times {
    int count;
    double time_s[OBSERVATIONS_MAX + PLAN_LIST_MAX];
};

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct times times_of(const struct calibration *c, const struct ensemble_wishes *w,
                             bool counted)
{
    struct times t = {0};
    t.count = observations_times(&c->observed, t.time_s);
    for (int i = 0; i < w->time_count && counted; i++) {
        bool there = false;
        for (int k = 0; k < t.count; k++) there = there || t.time_s[k] == w->time_s[i];
        if (!there) t.time_s[t.count++] = w->time_s[i];
    }
    qsort(t.time_s, (size_t)t.count, sizeof *t.time_s, by_time);
    return t;
}

static void take_wishes(struct calibration *c, struct ensemble_source *source, struct times *t,
                        bool counted)
{
    *t = times_of(c, &source->wishes, counted);
    source->wishes.time_count = t->count;
    source->wishes.time_s = t->time_s;
    if (counted) return;
    source->base = &c->bare;
    source->assets = NULL;
    source->wishes.threshold_count = 0;
    source->wishes.thickness_steps = source->wishes.arrival_steps = 1;
}

struct telling {
    const struct calibration_engine *how;
    struct calibration_progress now;
    bool stopped;
};

static bool tell(const struct engine_progress *now, void *user)
{
    struct telling *t = user;
    t->now.runs = now->done;
    t->now.runs_all = now->all;
    t->stopped = t->how->tell(&t->now, t->how->user);
    return t->stopped;
}

static double tolerance_of(const struct calibration *c)
{
    int count = 0;
    const struct smc_generation *g = c->posterior ? smc_generations(c->posterior, &count) : NULL;
    return count ? g[count - 1].tolerance : (double)NAN;
}

static int compute(struct calibration *c, const struct calibration_engine *how,
                   const struct batch_of_runs *b, struct ensemble *s, int threads, bool *stopped,
                   struct error *e)
{
    struct telling t = {.how = how,
                        .now = {.evaluations = c->count,
                                .budget = c->budget,
                                .generation = calibration_generation(c),
                                .restart = c->search.restart,
                                .best = c->best < 0 ? (double)NAN : c->evaluation[c->best].score,
                                .tolerance = tolerance_of(c),
                                .stage = b->check       ? "unseen noise"
                                         : c->posterior ? "posterior"
                                                        : "searching"}};
    const struct engine_options o = {.threads = threads,
                                     .device = how->device,
                                     .device_count = how->device_count,
                                     .batch = 1,
                                     .tell = how->tell ? tell : NULL,
                                     .user = &t,
                                     .counts = &c->counts};
    enum engine_end end;
    int status = engine_run(s, &o, &end, e);
    *stopped = end == ENGINE_STOPPED || t.stopped;
    return status;
}

static int run_ensemble(struct calibration *c, const struct calibration_engine *how,
                        const struct batch_of_runs *b, struct judge *j, struct plan_supply *supply,
                        struct ensemble *s, bool *stopped, struct error *e)
{
    struct times times;
    size_t bytes;
    int threads = how->threads;
    int status = plan_supply_create(supply, c->plan, c->plan->base.path, e);
    if (status) return status;
    take_wishes(c, &supply->source, &times, b->counted);
    status = engine_plan_memory(&supply->source, 1, &threads, &bytes, e);
    if (!status) status = ensemble_create(s, &supply->source, (struct shard){1, 1}, bytes, e);
    if (status) return status;
    s->look = look;
    s->look_of = j;
    s->uncounted = !b->counted;
    observations_use_axis(&c->observed, &s->arrival_s);
    status = compute(c, how, b, s, threads, stopped, e);
    s->look = NULL;
    /* What the plan counts is what is reported. */
    supply->source.wishes.time_count = plan_statistics(c->plan)->time_count;
    supply->source.wishes.time_s = plan_statistics(c->plan)->time_s;
    return status;
}

int candidates_run(struct calibration *c, const struct calibration_engine *how,
                   struct batch_of_runs *b, struct plan_supply *supply, struct ensemble *s,
                   bool *stopped, struct error *e)
{
    struct plan_supply own_supply = {0};
    struct ensemble own = {0};
    struct judge j = {.observed = &c->observed};
    int64_t count;
    *stopped = false;
    for (int64_t i = 0; i < b->candidates * b->members; i++)
        for (int p = 0; p < PARTS; p++) {
            b->agreement[i].all[p] = NAN;
            for (int k = 0; k < OBSERVATIONS_MAX; k++) b->agreement[i].of[k][p] = NAN;
        }
    int status = look_ahead(c, b, &count, e);
    if (status || !count) return status;
    status = fill_table(c, b, &j, count, e);
    if (!status)
        status =
            run_ensemble(c, how, b, &j, supply ? supply : &own_supply, s ? s : &own, stopped, e);
    ensemble_free(&own);
    plan_supply_free(&own_supply);
    free(j.of);
    return status;
}
