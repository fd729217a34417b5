#include "calibration_report.h"

#include "case/resolution.h"
#include "terrain/noise.h"
#include "text/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static int check_calibration(const struct calibration *cal, bool posterior, struct error *e)
{
    const struct calibration_keys *k = &cal->keys;
    const char *path = cal->plan->base.path;
    bool holds = false;
    if (!cal->fits)
        return error_input(
            e, "%s: names no parameter to fit; add a line such as 'fit_Pcool 1.5 8 log'", path);
    if (calibration_keys_check(k, cal->plan, e)) return ERROR_INPUT;
    for (int i = 0; i < cal->eruptions; i++)
        holds = holds || cal->eruption[i].keys->hold_out.kind != HOLD_OUT_NONE;
    if (cal->hold_out && !holds)
        return error_input(
            e,
            "%s: validation needs observations to hold out; add a line such as 'hold_out after "
            "100', 'hold_out left_of X1 Y1 X2 Y2' or 'hold_out eruption NAME'",
            path);
    for (int i = 0; i < cal->eruptions; i++)
        if (calibration_keys_joint(cal->eruption[i].keys) && plan_terrain_errs(cal->plan) &&
            (k->noise_members < 2 || k->finalist_members < 2))
            return error_input(e,
                               "%s: 'score ensemble' compares the runs of a candidate with each "
                               "other; give noise_members and finalist_members of at least 2",
                               path);
    const int64_t population = posterior       ? 2 * k->posterior_members
                               : k->population ? k->population
                                               : cmaes_default_population(cal->fits);
    if (cal->budget < 1 + population)
        return error_input(
            e, "%s: %d evaluations, but the case and a first population need %d; allow more%s",
            path, (int)cal->budget, (int)population + 1,
            posterior ? ", or give fewer posterior_members" : "");
    return 0;
}

/* The digest of the plan, of all observations on the grid, and of the options. */
static uint64_t digest_of(const struct calibration *cal)
{
    uint64_t hash = noise_hash(cal->plan->digest, (int64_t)cal->seed, cal->hold_out, 1);
    for (int k = 0; k < cal->eruptions; k++) {
        const struct eruption *x = &cal->eruption[k];
        const struct hold_out_key *h = &x->keys->hold_out;
        const double held[] = {h->time_s, h->at[0], h->at[1], h->at[2], h->at[3]};
        if (k) hash = noise_hash(hash, (int64_t)x->plan->digest, k, 6);
        if (k) hash = observations_hash(hash, &x->weight, 1, 9); /* not in the plan's digest */
        hash = observations_digest(&x->observed, hash);
        if (cal->hold_out) hash = observations_hash(hash, held, 5, 3);
        if (eruption_is_held(cal, k)) hash = noise_hash(hash, k, 0, 7);
    }
    return cal->posterior ? noise_hash(hash, cal->keys.posterior_members, 1, 4) : hash;
}

static double fit_as_it_stands(const struct calibration *cal, int fit)
{
    const int v = cal->fit[fit].variable;
    if (v < PARAMETERS) return params_value(resolution_given(&cal->plan->base), &params_table[v]);
    if (v == TERRAIN_ERROR) return cal->plan->keys.terrain_error_m;
    if (v == TERRAIN_LENGTH) return cal->plan->keys.terrain_error_length_m;
    return v == RATE_FACTOR || v == DURATION_FACTOR ? 1 : 0;
}

/* Begins a search. A parameter begins at its value in the case, which is 1 for a factor and 0 for a shift. If this
 * value is outside the bounds, the parameter begins in their middle. */
static int begin_search(struct calibration *cal, struct error *e)
{
    /* The search ends when steps are below tol_x, a share of the width of the bounds, or when scores differ by less
     * than tol_score. Runs do not resolve smaller differences. */
    struct search_options o = {.dimensions = cal->fits,
                               .population = (int)cal->keys.population,
                               .tol_x = 1e-3,
                               .tol_score = 1e-4,
                               .seed = cal->seed};
    double start[FITS_MAX];
    for (int i = 0; i < cal->fits; i++) {
        const double value = fit_as_it_stands(cal, i);
        const bool inside = value >= cal->fit[i].low && value <= cal->fit[i].high;
        start[i] = inside ? fit_unit(&cal->fit[i], value) : 0.5;
    }
    o.start = start;
    return search_create(&cal->search, &o, e);
}

static int begin_posterior(struct calibration *cal, struct error *e)
{
    const struct smc_options o = {.dimensions = cal->fits,
                                  .members = (int)cal->keys.posterior_members,
                                  .tolerance = cal->keys.posterior_tolerance,
                                  .acceptance = cal->keys.posterior_acceptance,
                                  .seed = cal->seed};
    return smc_create(&cal->posterior, &o, e);
}

int calibration_open(struct calibration *cal, const char *path, const struct calibration_options *w,
                     struct error *e)
{
    *cal = (struct calibration){.hold_out = w->hold_out, .best = -1};
    const struct plan_more more = calibration_keys_default(&cal->keys);
    int status = plan_read(&cal->plan, path, &more, NULL, e);
    if (status) return status;
    if (w->seed >= 0) cal->plan->keys.seed = w->seed;
    cal->seed = (uint64_t)cal->plan->keys.seed;
    cal->budget = w->evaluations ? w->evaluations : cal->keys.evaluations;
    const bool posterior = w->posterior;
    status = eruptions_open(cal, e);
    if (!status) status = check_calibration(cal, posterior, e);
    if (!status) status = eruptions_observe(cal, e);
    if (!status) status = posterior ? begin_posterior(cal, e) : begin_search(cal, e);
    if (!status) cal->digest = digest_of(cal);
    if (status) calibration_close(cal);
    return status;
}

void calibration_close(void *calibration)
{
    struct calibration *cal = calibration;
    null_plan_close(&cal->null);
    ensemble_free(&cal->ensemble);
    plan_supply_free(&cal->supply);
    search_free(&cal->search);
    smc_destroy(cal->posterior);
    eruptions_close(cal);
    FREE_ALL(cal->sample.member, cal->evaluation, cal->detail);
    plan_free(cal->plan);
    *cal = (struct calibration){0};
}

/* ---- means ----------------------------------------------------------------------------------- */

/* The mean of one field over `count` successive agreements. x points to this field in the first agreement. weights:
 * weights of the agreements, as members of a posterior; NULL: equal weights. */
static struct mean mean_of(const double *x, int64_t count, const struct posterior_member *weights)
{
    enum { STRIDE = sizeof(struct agreement) / sizeof *x };
    struct mean m = {0, NAN, INFINITY, -INFINITY};
    double squares = 0;
    for (int64_t i = 0; i < count; i++) {
        const double one = x[i * STRIDE];
        m.mean += weights ? posterior_share(&weights[i]) * one : one;
        m.least = fmin(m.least, one);
        m.most = fmax(m.most, one);
    }
    if (!weights) m.mean /= (double)count;
    for (int64_t i = 0; i < count; i++) {
        const double far = x[i * STRIDE] - m.mean,
                     part = weights ? posterior_share(&weights[i]) * far : far;
        squares += part * part;
    }
    if (weights) m.error = sqrt(squares);
    else if (count > 1) m.error = sqrt(squares / (double)(count - 1) / (double)count);
    return m;
}

void scores_set(const struct calibration *cal, struct scores *s, const struct agreement *a,
                int64_t stride, int64_t members, const struct posterior_member *weights)
{
    s->members = members;
    for (int p = 0; p < PARTS; p++) {
        s->all[p] = mean_of(&a->joint[p], members, weights);
        for (int k = 0; k < cal->eruptions; k++) {
            const struct eruption *x = &cal->eruption[k];
            const struct agreement *of = a + k * stride;
            s->eruption[k][p] = mean_of(&of->all[p], members, weights);
            for (int i = 0; i < x->observed.count; i++) {
                s->of[x->first + i][p] = mean_of(&of->of[i][p], members, weights).mean;
                s->error_of[x->first + i][p] = mean_of(&of->error[i][p], members, weights).mean;
            }
        }
    }
}

/* ---- the best of a search with noise that the search has not seen ---------------------------- */

/* The best of many scores is too good by chance. So several of the best candidates are run again, as finalists, with
 * other terrain errors. Then the best finalist is run once more, again with other errors. */

/* Whether a finalist has the parameters of this evaluation. */
static bool is_listed(const struct calibration *cal, int evaluation)
{
    const struct evaluation *x = &cal->evaluation[evaluation];
    for (int i = 0; i < cal->finalists; i++) {
        const struct evaluation *other = &cal->evaluation[cal->among[i].evaluation];
        if (!memcmp(x->value, other->value, (size_t)cal->fits * sizeof *x->value)) return true;
    }
    return false;
}

/* Lists the best evaluations, each point once. Of equal scores the earlier evaluation comes first. */
static void list_finalists(struct calibration *cal)
{
    cal->finalists = 0;
    while (cal->finalists < cal->keys.finalists) {
        int best = -1;
        for (int i = 0; i < cal->count; i++) {
            const struct evaluation *x = &cal->evaluation[i];
            if (!x->possible || (best >= 0 && x->score <= cal->evaluation[best].score)) continue;
            if (!is_listed(cal, i)) best = i;
        }
        if (best < 0) return;
        cal->among[cal->finalists++] = (struct finalist){best, NAN, NAN};
    }
}

static const double *values_of(const struct calibration *cal, int evaluation)
{
    return evaluation ? cal->evaluation[evaluation].value : NULL;
}

static int choose_best(struct calibration *cal, struct study_job *j, struct error *e)
{
    const int64_t members = cal->keys.finalist_members;
    int chosen = 0;
    list_finalists(cal);
    FREED_BY(candidates_free)
    struct batch_of_runs b = {.candidates = cal->finalists,
                              .first_noise = cal->keys.noise_members,
                              .members = members,
                              .check = true};
    int status = candidates_create(&b, cal, e);
    for (int i = 0; i < cal->finalists && !status; i++)
        b.value[i] = values_of(cal, cal->among[i].evaluation);
    if (!status) status = candidates_run(cal, j, &b, e);
    for (int i = 0; i < cal->finalists && !status && !j->stopped; i++) {
        const struct mean m = mean_of(&b.agreement[i * members].joint[PART_SEEN], members, NULL);
        cal->among[i].mean = m.mean;
        cal->among[i].error = m.error;
        if (m.mean > cal->among[chosen].mean) chosen = i;
    }
    if (status || j->stopped) cal->finalists = 0;
    else cal->best = cal->among[chosen].evaluation;
    return status;
}

static int check_one(struct calibration *cal, struct study_job *j, const double *value,
                     struct scores *s, struct error *e)
{
    const bool noise = plan_terrain_errs(cal->plan);
    const int64_t members = noise ? cal->keys.finalist_members : 1,
                  seen = cal->keys.noise_members + (cal->finalists ? members : 0);
    FREED_BY(candidates_free)
    struct batch_of_runs b = {.candidates = 1,
                              .first_noise = noise ? seen : 0,
                              .members = members,
                              .check = true,
                              .counted = s == &cal->finalist};
    int status = candidates_create(&b, cal, e);
    if (status) return status;
    b.value[0] = value;
    status = candidates_run(cal, j, &b, e);
    if (!status && !j->stopped && b.possible[0])
        scores_set(cal, s, b.agreement, members, members, NULL);
    return status;
}

static int check_best(struct study_job *j, struct error *e)
{
    struct calibration *cal = j->self;
    if (cal->best < 0)
        return error_input(e, "%s: no candidate can be run; give other bounds",
                           cal->plan->base.path);
    int status = 0;
    if (cal->posterior) status = posterior_check(cal, j, e);
    else if (cal->keys.finalists > 1 && plan_terrain_errs(cal->plan))
        status = choose_best(cal, j, e);
    if (status || j->stopped) return status;
    status = check_one(cal, j, NULL, &cal->as_it_stands, e);
    if (status || j->stopped || cal->posterior) return status;
    return check_one(cal, j, values_of(cal, cal->best), &cal->finalist, e);
}

/* ---- evaluations ----------------------------------------------------------------------------- */

enum { RUNS_PER_THREAD = 32 };

int64_t calibration_generation(const struct calibration *cal)
{
    int count = 0;
    if (!cal->posterior) return cal->search.generation;
    smc_generations(cal->posterior, &count);
    return count;
}

/* Makes room for one more evaluation behind the last; false: out of memory. */
static bool make_room(struct calibration *cal)
{
    const size_t details = (size_t)details_count(cal) * sizeof *cal->detail;
    return GROW(cal->evaluation, cal->count) && grow(&cal->detail, (size_t)cal->count, details);
}

/* Counts the next evaluation, which the caller has filled in. */
static void count_evaluation(struct calibration *cal)
{
    const struct evaluation *x = &cal->evaluation[cal->count];
    cal->impossible += !x->possible;
    if (x->possible && (cal->best < 0 || x->score > cal->evaluation[cal->best].score))
        cal->best = cal->count;
    cal->count++;
}

/* Adds one candidate of a population; its agreements with eruption k begin at a + k * stride. */
static void add_evaluation(struct calibration *cal, const double *value, bool possible,
                           const struct agreement *a, int64_t stride)
{
    struct evaluation *x = &cal->evaluation[cal->count];
    const struct details d = details_at(cal, cal->count);
    struct scores s;
    scores_set(cal, &s, a, stride, cal->keys.noise_members, NULL);
    *x = (struct evaluation){.generation = cal->count ? calibration_generation(cal) + 1 : 0,
                             .restart = cal->search.restart,
                             .possible = possible,
                             .score = s.all[PART_SEEN].mean,
                             .error = s.all[PART_SEEN].error};
    memcpy(x->value, value, (size_t)cal->fits * sizeof *value);
    for (int i = 0; i < cal->observations; i++) {
        d.score[i] = s.of[i][PART_SEEN];
        d.error[i] = s.error_of[i][PART_SEEN];
    }
    for (int k = 0; k < cal->eruptions; k++) {
        d.eruption[k] = s.eruption[k][PART_SEEN].mean;
        d.eruption_error[k] = s.eruption[k][PART_SEEN].error;
    }
    count_evaluation(cal);
}

/* ---- a population ---------------------------------------------------------------------------- */

/* The candidates to evaluate now. The first population is the unchanged case alone. */
struct population {
    int count, done; /* number of candidates; number of those that are evaluated */
    bool asked_for;  /* false: the only candidate is the unchanged case */
    double *value;   /* count * fits */
};

static void population_free(struct population *p)
{
    free(p->value);
}

static const double *point_of(const struct calibration *cal, const struct population *p, int i)
{
    return p->value + (size_t)i * (size_t)cal->fits;
}

static int population_create(struct population *p, struct calibration *cal, struct error *e)
{
    const double *unit = NULL;
    *p =
        (struct population){.count = 1, .done = cal->count - cal->told, .asked_for = cal->told > 0};
    if (p->asked_for && cal->posterior) {
        p->count = smc_population(cal->posterior);
        unit = smc_ask(cal->posterior);
    } else if (p->asked_for) {
        unit = search_ask(&cal->search, &p->count);
    }
    const int values = p->count * cal->fits;
    p->value = malloc((size_t)values * sizeof *p->value);
    if (!p->value) return error_memory(e);
    for (int i = 0; i < values; i++)
        p->value[i] =
            unit ? fit_value(&cal->fit[i % cal->fits], unit[i]) : fit_as_it_stands(cal, i);
    return 0;
}

/* Whether none of the first points of a posterior can be run, so that the posterior cannot continue. */
static bool is_hopeless(const struct calibration *cal, const struct population *p)
{
    bool any = !cal->posterior || cal->told != 1;
    for (int i = 0; i < p->count && !any; i++) any = cal->evaluation[cal->told + i].possible;
    return !any;
}

/* Gives the scores of a finished population to the search or the posterior. */
static int report_population(struct calibration *cal, const struct population *p, struct error *e)
{
    const struct evaluation *x = &cal->evaluation[cal->told];
    FREED double *score = malloc((size_t)p->count * sizeof *score);
    if (!score) return error_memory(e);
    cal->told += p->count;
    if (!p->asked_for) return 0;
    for (int i = 0; i < p->count; i++) score[i] = cal->posterior ? 1 - x[i].score : x[i].score;
    return cal->posterior ? smc_tell(cal->posterior, score, e)
                          : search_tell(&cal->search, score, e);
}

/* Runs a part of the population, so that an interruption loses little; with devices, the whole population at once. */
static int run_some(struct study_job *j, struct population *p, struct error *e)
{
    struct calibration *cal = j->self;
    const int64_t noise = cal->keys.noise_members;
    int64_t most = j->device_count ? p->count : RUNS_PER_THREAD * j->threads / noise;
    if (most < 1) most = 1;
    const int from = p->done, count = (int)(most < p->count - from ? most : p->count - from);
    FREED_BY(candidates_free) struct batch_of_runs b = {.candidates = count, .members = noise};
    int status = candidates_create(&b, cal, e);
    for (int i = 0; i < count && !status && p->asked_for; i++)
        b.value[i] = point_of(cal, p, from + i);
    if (!status) status = candidates_run(cal, j, &b, e);
    if (status || j->stopped) return status;
    for (int i = 0; i < count; i++) {
        if (!make_room(cal)) return error_memory(e);
        add_evaluation(cal, point_of(cal, p, from + i), b.possible[i], b.agreement + i * noise,
                       count * noise);
    }
    p->done += count;
    if (p->done < p->count) return 0;
    if (!is_hopeless(cal, p)) return report_population(cal, p, e);
    if (j->state) remove(j->state); /* the state would not fit the corrected plan */
    return candidates_refuse(cal, p->value, p->count, e);
}

static int compute_round(struct study_job *j, struct error *e)
{
    FREED_BY(population_free) struct population p;
    int status = population_create(&p, j->self, e);
    return status ? status : run_some(j, &p, e);
}

/* ---- an earlier run -------------------------------------------------------------------------- */

/* Repeats an interrupted search: gives the evaluations of *list, read from the file `path`, to the
 * new search *cal. ERROR_INPUT: the new search asks for other points. */
static int replay(struct calibration *cal, const struct calibration *list, const char *path,
                  struct error *e)
{
    const size_t values = (size_t)cal->fits * sizeof(double),
                 details = (size_t)details_count(cal) * sizeof(double);
    int status = 0;
    while (cal->count < list->count && !status) {
        FREED_BY(population_free) struct population p;
        status = population_create(&p, cal, e);
        for (; p.done < p.count && cal->count < list->count && !status; p.done++) {
            const struct evaluation *x = &list->evaluation[cal->count];
            if (memcmp(x->value, point_of(cal, &p, p.done), values))
                return error_input(e,
                                   "%s: evaluation %d differs from the one that this program "
                                   "computes; start again in another folder",
                                   path, cal->count);
            if (!make_room(cal)) return error_memory(e);
            cal->evaluation[cal->count] = *x;
            memcpy(details_at(cal, cal->count).score, details_at(list, cal->count).score, details);
            count_evaluation(cal);
        }
        if (!status && p.done == p.count) status = report_population(cal, &p, e);
    }
    return status;
}

static bool calibration_unfinished(void *self)
{
    struct calibration *cal = self;
    int count = 1;
    if (cal->told && cal->posterior && smc_stop(cal->posterior)) return false;
    if (cal->told)
        count = cal->posterior ? smc_population(cal->posterior) : cmaes_population(cal->search.now);
    return cal->told + count <= cal->budget;
}

/* ---- the state ------------------------------------------------------------------------------- */

static int made_by(const void *of, struct made_by *by, struct error *e)
{
    const struct calibration *cal = of;
    int status = made_by_read(by, cal->plan->base.path, e);
    if (!status) status = made_by_add(by, "seed", (int64_t)cal->seed, e);
    return status ? status : made_by_add(by, "hold_out", cal->hold_out, e);
}

static void put_calibration(const void *of, struct packed_out *o)
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
        for (int k = 0; k < details_count(cal); k++)
            packed_put_real(o, details_at(cal, i).score[k]);
    }
}

/* Reads evaluations one by one, so that a wrong count in a damaged file does not allocate too much memory. */
static int get_list(struct packed_in *i, struct calibration *list, int count, struct error *e)
{
    while (list->count < count && !i->bad) {
        if (!make_room(list)) return error_memory(e);
        struct evaluation *x = &list->evaluation[list->count];
        x->generation = (int64_t)packed_get(i, INT64_MAX);
        const uint64_t flags = packed_get(i, INT32_MAX);
        x->restart = (int)(flags >> 1);
        x->possible = flags & 1;
        x->score = packed_get_real(i);
        x->error = packed_get_real(i);
        for (int k = 0; k < list->fits; k++) x->value[k] = packed_get_real(i);
        for (int k = 0; k < details_count(list); k++)
            details_at(list, list->count).score[k] = packed_get_real(i);
        count_evaluation(list);
    }
    return packed_get_sum(i) ? 0 : STATE_DAMAGED;
}

static int get_calibration(void *of, struct packed_in *i, struct error *e)
{
    struct calibration *cal = of;
    struct calibration list = {.fits = cal->fits,
                               .observations = cal->observations,
                               .eruptions = cal->eruptions,
                               .best = -1};
    const int count = (int)packed_get(i, INT32_MAX);
    int status = get_list(i, &list, count, e);
    if (!status) status = replay(cal, &list, i->path, e);
    FREE_ALL(list.evaluation, list.detail);
    return status;
}

const struct state_kind calibration_state = {.magic = "sciara calibration 3\n",
                                             .what = "a calibration",
                                             .digest_at = offsetof(struct calibration, digest),
                                             .made_by = made_by,
                                             .put = put_calibration,
                                             .get = get_calibration};

/* ---- the studies ----------------------------------------------------------------------------- */

static int open_study(struct study_job *j, struct error *e)
{
    struct calibration *c = j->self;
    struct calibration_options o = {.seed = -1};
    if (j->options) o = *(const struct calibration_options *)j->options;
    o.posterior = j->study == &study_posterior;
    int status = calibration_open(c, j->plan, &o, e);
    if (!status) j->c = &c->plan->base;
    return status;
}

static int64_t calibration_runs(const void *self)
{
    return ((const struct calibration *)self)->count;
}

#define CALIBRATION(word, end)                                                                     \
    {                                                                                              \
        .name = (word), .size = sizeof(struct calibration), .file = RECORD_NAME, .ending = (end),  \
        .state = &calibration_state, .files = &calibration_files, .open = open_study,              \
        .close = calibration_close, .unfinished = calibration_unfinished,                          \
        .runs = calibration_runs, .round = compute_round, .check = check_best,                     \
        .warn = calibration_warn, .write = calibration_write, .summary = calibration_summary       \
    }
const struct study study_calibration = CALIBRATION("calibration", "-calibration"),
                   study_posterior = CALIBRATION("posterior", "-posterior");
