/* calibration_search.c — populations one after the other, and what remains to be done at the end.
 */
#include "calibration.h"

#include "calibration_mean.h"
#include "text/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_PER_THREAD = 32 };

int64_t calibration_generation(const struct calibration *c)
{
    int count = 0;
    if (!c->posterior) return c->search.generation;
    smc_generations(c->posterior, &count);
    return count;
}

/* ---- evaluations ----------------------------------------------------------------------------- */

int evaluation_keep(struct calibration *c, const struct evaluation *x, const double *detail,
                    struct error *e)
{
    const size_t details = (size_t)details_count(&c->details);
    struct evaluation *more = grow(c->evaluation, c->count, sizeof *more);
    if (!more) return error_memory(e);
    c->evaluation = more;
    double *more_detail = grow(c->detail, c->count, details * sizeof *more_detail);
    if (!more_detail) return error_memory(e);
    c->detail = more_detail;
    memcpy(more_detail + (size_t)c->count * details, detail, details * sizeof *detail);
    more[c->count] = *x;
    c->impossible += !x->possible;
    if (x->possible && (c->best < 0 || x->score > more[c->best].score)) c->best = c->count;
    c->count++;
    return 0;
}

static void set_details(const struct calibration *c, const struct agreement *a, int64_t stride,
                        double *detail)
{
    for (int k = 0; k < c->eruptions; k++, a += stride) {
        const struct eruption *x = &c->eruption[k];
        const struct eruption_means m = means_of(x, a, c->keys.noise_members, PART_SEEN, NULL);
        detail[detail_eruption(&c->details, k)] = m.all.mean;
        detail[detail_eruption_error(&c->details, k)] = m.all.error;
        for (int i = 0; i < x->observed.count; i++) {
            detail[x->first + i] = m.of[i];
            detail[detail_error(&c->details, x->first + i)] = m.error[i];
        }
    }
}

/* One candidate of a population; its agreements for the next eruption are `stride` further on. */
static struct evaluation evaluation_of(const struct calibration *c, const double *value,
                                       bool possible, const struct agreement *a, int64_t stride,
                                       double *detail)
{
    struct evaluation x = {.generation = c->count ? calibration_generation(c) + 1 : 0,
                           .restart = c->search.restart,
                           .possible = possible,
                           .score = NAN,
                           .error = NAN};
    for (int i = 0; i < c->fits; i++) x.value[i] = value ? value[i] : (double)NAN;
    for (int i = 0; i < details_count(&c->details); i++) detail[i] = NAN;
    if (!possible) return x;
    const struct mean_choice w = {.all = c, .stride = stride, .part = PART_SEEN};
    const struct mean m = mean_of(a, c->keys.noise_members, &w);
    x.score = m.mean;
    x.error = m.error;
    set_details(c, a, stride, detail);
    return x;
}

/* The values that the case has itself, for the table. */
static void set_own_values(const struct calibration *c, double *value)
{
    for (int i = 0; i < c->fits; i++) value[i] = fit_as_it_stands(c, i);
}

/* ---- a population ---------------------------------------------------------------------------- */

/* Points that are asked for now, as candidates. The first of all is the case as it stands. */
struct population {
    int count, done; /* done: evaluations of it at the end of the list */
    double *value;   /* count * fits */
    const double **of;
    bool *possible;
    double *score;
    struct agreement *agreement; /* of each eruption count * noise */
    double *detail;              /* of one */
};

static void population_free(struct population *p)
{
    free(p->value);
    free(p->of);
    free(p->possible);
    free(p->score);
    free(p->agreement);
    free(p->detail);
    *p = (struct population){0};
}

static int population_create(struct population *p, struct calibration *c, struct error *e)
{
    const double *unit = NULL;
    *p = (struct population){.count = 1, .done = c->count - c->told};
    if (c->told && c->posterior) {
        p->count = smc_population(c->posterior);
        unit = smc_ask(c->posterior);
    } else if (c->told) {
        unit = search_ask(&c->search, &p->count);
    }
    const size_t count = (size_t)p->count, fits = (size_t)c->fits;
    p->value = malloc(count * fits * sizeof *p->value);
    p->of = malloc(count * sizeof *p->of);
    p->possible = calloc(count, sizeof *p->possible);
    p->score = malloc(count * sizeof *p->score);
    p->agreement =
        malloc(count * (size_t)(c->keys.noise_members * c->eruptions) * sizeof *p->agreement);
    p->detail = malloc((size_t)details_count(&c->details) * sizeof *p->detail);
    if (!p->value || !p->of || !p->possible || !p->score || !p->agreement || !p->detail)
        return error_memory(e);
    for (size_t i = 0; i < count; i++) {
        double *value = p->value + i * fits;
        if (!unit) set_own_values(c, value);
        for (size_t k = 0; k < fits && unit; k++)
            value[k] = fit_value(&c->fit[k], unit[i * fits + k]);
        p->of[i] = unit ? value : NULL;
    }
    return 0;
}

/* A posterior begins with points anywhere between the bounds; if none of these can be run, it cannot
 * continue. */
static bool is_hopeless(const struct calibration *c, const struct population *p)
{
    bool any = !c->posterior || c->told != 1;
    for (int i = 0; i < p->count && !any; i++) any = c->evaluation[c->told + i].possible;
    return !any;
}

/* All of it is done. */
static int report_population(struct calibration *c, struct population *p, struct error *e)
{
    const bool base = c->told == 0;
    for (int i = 0; i < p->count; i++) p->score[i] = c->evaluation[c->told + i].score;
    c->told += p->count;
    if (base) return 0; /* the case as it stands */
    if (!c->posterior) return search_tell(&c->search, p->score, e);
    for (int i = 0; i < p->count; i++) p->score[i] = 1 - p->score[i];
    return smc_tell(c->posterior, p->score, e);
}

/* A part of the population, so that an interruption loses little. A device gets all of it. */
static int run_some(struct study_job *j, struct population *p, struct error *e)
{
    struct calibration *c = j->self;
    const int64_t noise = c->keys.noise_members;
    int64_t most = j->device_count ? p->count : RUNS_PER_THREAD * j->threads / noise;
    if (most < 1) most = 1;
    const int from = p->done, count = (int)(most < p->count - from ? most : p->count - from);
    struct batch_of_runs b = {.candidates = count,
                              .value = p->of + from,
                              .members = noise,
                              .agreement = p->agreement,
                              .possible = p->possible};
    int status = candidates_run(c, j, &b, e);
    if (status || j->stopped) return status;
    for (int i = 0; i < count && !status; i++) {
        const struct evaluation x =
            evaluation_of(c, p->value + (size_t)(from + i) * (size_t)c->fits, p->possible[i],
                          p->agreement + i * noise, count * noise, p->detail);
        status = evaluation_keep(c, &x, p->detail, e);
    }
    p->done += count;
    if (status || p->done < p->count) return status;
    if (!is_hopeless(c, p)) return report_population(c, p, e);
    if (j->state) remove(j->state); /* the next plan for this folder is another one */
    return candidates_refuse(c, p->value, p->count, e);
}

int calibration_round(struct study_job *j, struct error *e)
{
    struct population p;
    int status = population_create(&p, j->self, e);
    if (!status) status = run_some(j, &p, e);
    population_free(&p);
    return status;
}

/* ---- an earlier run -------------------------------------------------------------------------- */

static bool is_same(const struct calibration *c, const struct population *p, int i,
                    const struct evaluation *x)
{
    return !memcmp(x->value, p->value + (size_t)i * (size_t)c->fits,
                   (size_t)c->fits * sizeof *x->value);
}

int calibration_replay(struct calibration *c, const struct calibration *list, const char *path,
                       struct error *e)
{
    int status = 0;
    while (c->count < list->count && !status) {
        struct population p;
        status = population_create(&p, c, e);
        for (; p.done < p.count && c->count < list->count && !status; p.done++) {
            const struct evaluation *x = &list->evaluation[c->count];
            if (is_same(c, &p, p.done, x))
                status = evaluation_keep(c, x, evaluation_detail(list, c->count), e);
            else
                status = error_input(e,
                                     "%s: evaluation %d differs from the one that this program "
                                     "computes; start again in another folder",
                                     path, c->count);
        }
        if (!status && p.done == p.count) status = report_population(c, &p, e);
        population_free(&p);
    }
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

bool calibration_goes_on(void *self)
{
    struct calibration *c = self;
    int count = 1;
    if (c->told && c->posterior && smc_stop(c->posterior)) return false;
    if (c->told)
        count = c->posterior ? smc_population(c->posterior) : cmaes_population(c->search.now);
    return c->told + count <= c->budget;
}
