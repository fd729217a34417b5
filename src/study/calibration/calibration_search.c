/* calibration_search.c — populations one after the other, and a search in a file (study/state.h): what
 * every evaluation has found. A search that resumes is led to where it was by the same scores. */
#include "calibration.h"

#include "text/grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_PER_THREAD = 32 };

int64_t calibration_generation(const struct calibration *cal)
{
    int count = 0;
    if (!cal->posterior) return cal->search.generation;
    smc_generations(cal->posterior, &count);
    return count;
}

static int keep_evaluation(struct calibration *cal, const struct evaluation *x,
                           const double *detail, struct error *e)
{
    const size_t details = (size_t)details_count(&cal->details);
    if (!GROW(cal->evaluation, cal->count)) return error_memory(e);
    if (!grow(&cal->detail, (size_t)cal->count, details * sizeof *detail)) return error_memory(e);
    memcpy(cal->detail + (size_t)cal->count * details, detail, details * sizeof *detail);
    cal->evaluation[cal->count] = *x;
    cal->impossible += !x->possible;
    if (x->possible && (cal->best < 0 || x->score > cal->evaluation[cal->best].score))
        cal->best = cal->count;
    cal->count++;
    return 0;
}

static void set_details(const struct calibration *cal, const struct agreement *a, int64_t stride,
                        double *detail)
{
    for (int k = 0; k < cal->eruptions; k++, a += stride) {
        const struct eruption *x = &cal->eruption[k];
        const struct eruption_means m =
            eruption_means(x, a, cal->keys.noise_members, PART_SEEN, NULL);
        detail[detail_eruption(&cal->details, k)] = m.all.mean;
        detail[detail_eruption_error(&cal->details, k)] = m.all.error;
        for (int i = 0; i < x->observed.count; i++) {
            detail[x->first + i] = m.of[i];
            detail[detail_error(&cal->details, x->first + i)] = m.error[i];
        }
    }
}

/* One candidate of a population; its agreements for the next eruption are `stride` further on. */
static struct evaluation evaluation_of(const struct calibration *cal, const double *value,
                                       bool possible, const struct agreement *a, int64_t stride,
                                       double *detail)
{
    struct evaluation x = {.generation = cal->count ? calibration_generation(cal) + 1 : 0,
                           .restart = cal->search.restart,
                           .possible = possible,
                           .score = NAN,
                           .error = NAN};
    for (int i = 0; i < cal->fits; i++) x.value[i] = value ? value[i] : (double)NAN;
    for (int i = 0; i < details_count(&cal->details); i++) detail[i] = NAN;
    if (!possible) return x;
    const struct mean m = score_mean(cal, a, stride, cal->keys.noise_members, PART_SEEN, NULL);
    x.score = m.mean;
    x.error = m.error;
    set_details(cal, a, stride, detail);
    return x;
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

static int population_create(struct population *p, struct calibration *cal, struct error *e)
{
    const double *unit = NULL;
    *p = (struct population){.count = 1, .done = cal->count - cal->told};
    if (cal->told && cal->posterior) {
        p->count = smc_population(cal->posterior);
        unit = smc_ask(cal->posterior);
    } else if (cal->told) {
        unit = search_ask(&cal->search, &p->count);
    }
    const size_t count = (size_t)p->count, fits = (size_t)cal->fits;
    p->value = malloc(count * fits * sizeof *p->value);
    p->of = malloc(count * sizeof *p->of);
    p->possible = calloc(count, sizeof *p->possible);
    p->score = malloc(count * sizeof *p->score);
    p->agreement =
        malloc(count * (size_t)(cal->keys.noise_members * cal->eruptions) * sizeof *p->agreement);
    p->detail = malloc((size_t)details_count(&cal->details) * sizeof *p->detail);
    if (!p->value || !p->of || !p->possible || !p->score || !p->agreement || !p->detail)
        return error_memory(e);
    for (size_t i = 0; i < count; i++) {
        double *value = p->value + i * fits;
        for (size_t k = 0; k < fits; k++)
            value[k] =
                unit ? fit_value(&cal->fit[k], unit[i * fits + k]) : fit_as_it_stands(cal, (int)k);
        p->of[i] = unit ? value : NULL;
    }
    return 0;
}

/* A posterior begins with points anywhere between the bounds; if none of these can be run, it cannot
 * continue. */
static bool is_hopeless(const struct calibration *cal, const struct population *p)
{
    bool any = !cal->posterior || cal->told != 1;
    for (int i = 0; i < p->count && !any; i++) any = cal->evaluation[cal->told + i].possible;
    return !any;
}

/* All of it is done. */
static int report_population(struct calibration *cal, struct population *p, struct error *e)
{
    const bool base = cal->told == 0;
    for (int i = 0; i < p->count; i++) p->score[i] = cal->evaluation[cal->told + i].score;
    cal->told += p->count;
    if (base) return 0; /* the case as it stands */
    if (!cal->posterior) return search_tell(&cal->search, p->score, e);
    for (int i = 0; i < p->count; i++) p->score[i] = 1 - p->score[i];
    return smc_tell(cal->posterior, p->score, e);
}

/* A part of the population, so that an interruption loses little. A device gets all of it. */
static int run_some(struct study_job *j, struct population *p, struct error *e)
{
    struct calibration *cal = j->self;
    const int64_t noise = cal->keys.noise_members;
    int64_t most = j->device_count ? p->count : RUNS_PER_THREAD * j->threads / noise;
    if (most < 1) most = 1;
    const int from = p->done, count = (int)(most < p->count - from ? most : p->count - from);
    struct batch_of_runs b = {.candidates = count,
                              .value = p->of + from,
                              .members = noise,
                              .agreement = p->agreement,
                              .possible = p->possible};
    int status = candidates_run(cal, j, &b, e);
    if (status || j->stopped) return status;
    for (int i = 0; i < count && !status; i++) {
        const struct evaluation x =
            evaluation_of(cal, p->value + (size_t)(from + i) * (size_t)cal->fits, p->possible[i],
                          p->agreement + i * noise, count * noise, p->detail);
        status = keep_evaluation(cal, &x, p->detail, e);
    }
    p->done += count;
    if (status || p->done < p->count) return status;
    if (!is_hopeless(cal, p)) return report_population(cal, p, e);
    if (j->state) remove(j->state); /* the next plan for this folder is another one */
    return candidates_refuse(cal, p->value, p->count, e);
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

static bool is_same(const struct calibration *cal, const struct population *p, int i,
                    const struct evaluation *x)
{
    return !memcmp(x->value, p->value + (size_t)i * (size_t)cal->fits,
                   (size_t)cal->fits * sizeof *x->value);
}

/* Gives the search the evaluations of *list again, from the file at `path`. ERROR_INPUT where it asks for
 * other points. */
static int replay(struct calibration *cal, const struct calibration *list, const char *path,
                  struct error *e)
{
    int status = 0;
    while (cal->count < list->count && !status) {
        struct population p;
        status = population_create(&p, cal, e);
        for (; p.done < p.count && cal->count < list->count && !status; p.done++) {
            const struct evaluation *x = &list->evaluation[cal->count];
            if (is_same(cal, &p, p.done, x))
                status = keep_evaluation(cal, x, evaluation_detail(list, cal->count), e);
            else
                status = error_input(e,
                                     "%s: evaluation %d differs from the one that this program "
                                     "computes; start again in another folder",
                                     path, cal->count);
        }
        if (!status && p.done == p.count) status = report_population(cal, &p, e);
        population_free(&p);
    }
    return status;
}

bool calibration_unfinished(void *self)
{
    struct calibration *cal = self;
    int count = 1;
    if (cal->told && cal->posterior && smc_stop(cal->posterior)) return false;
    if (cal->told)
        count = cal->posterior ? smc_population(cal->posterior) : cmaes_population(cal->search.now);
    return cal->told + count <= cal->budget;
}

/* ---- the state ------------------------------------------------------------------------------- */

static uint64_t digest(const void *of)
{
    return ((const struct calibration *)of)->digest;
}

static void put(const void *of, struct packed_out *o)
{
    const struct calibration *cal = of;
    packed_put(o, (uint64_t)cal->count);
    for (int i = 0; i < cal->count; i++) {
        const struct evaluation *x = &cal->evaluation[i];
        packed_put(o, (uint64_t)x->generation);
        packed_put(o, (uint64_t)x->restart << 1 | (uint64_t)x->possible);
        packed_put_real(o, x->score);
        packed_put_real(o, x->error);
        for (int k = 0; k < cal->fits; k++) packed_put_real(o, x->value[k]);
        for (int k = 0; k < details_count(&cal->details); k++)
            packed_put_real(o, evaluation_detail(cal, i)[k]);
    }
}

static void get_evaluation(struct packed_in *i, const struct calibration *cal, struct evaluation *x,
                           double *detail)
{
    x->generation = (int64_t)packed_get(i, INT64_MAX);
    const uint64_t flags = packed_get(i, INT32_MAX);
    x->restart = (int)(flags >> 1);
    x->possible = flags & 1;
    x->score = packed_get_real(i);
    x->error = packed_get_real(i);
    for (int k = 0; k < cal->fits; k++) x->value[k] = packed_get_real(i);
    for (int k = 0; k < details_count(&cal->details); k++) detail[k] = packed_get_real(i);
}

/* Evaluations one by one: a file that claims too many ends before there is memory for them. */
static int get_list(struct packed_in *i, struct calibration *list, int count, struct error *e)
{
    double detail[2 * (OBSERVED_ALL_MAX + ERUPTIONS_MAX)];
    int status = 0;
    while (list->count < count && !i->bad && !status) {
        struct evaluation x;
        get_evaluation(i, list, &x, detail);
        status = keep_evaluation(list, &x, detail, e);
    }
    return status || packed_get_sum(i) ? status : STATE_DAMAGED;
}

static int get(void *of, struct packed_in *i, struct error *e)
{
    struct calibration *cal = of;
    struct calibration list = {.fits = cal->fits, .details = cal->details, .best = -1};
    const int count = (int)packed_get(i, INT32_MAX);
    int status = get_list(i, &list, count, e);
    if (!status) status = replay(cal, &list, i->path, e);
    free(list.evaluation);
    free(list.detail);
    return status;
}

const struct state_kind calibration_state = {.magic = "sciara calibration 3\n",
                                             .what = "a calibration",
                                             .digest = digest,
                                             .put = put,
                                             .get = get};
