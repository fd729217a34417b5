/* posterior.c — the members of a posterior: their weights, means and percentiles, and their scores with terrain errors
 * that the search has not used. Also writes the files: the members, a plan that runs them, and diagrams. */
#include "calibration_report.h"

#include "base/order.h"
#include "record/roundnum.h"
#include "record/json_number.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets weights, whole numbers of at least 1, that sum up to POSTERIOR_UNITS. Rounds them down. If
 * their sum is then too small, the members with the largest remainders get one more unit each. If
 * too many tiny weights become 1, the largest weight loses the surplus. */
static int set_weights(struct posterior_member *list, const struct smc_member *m, int count,
                       struct error *e)
{
    FREED struct ranked *share = malloc((size_t)count * sizeof *share);
    int64_t left = POSTERIOR_UNITS;
    double sum = 0;
    int largest = 0;
    if (!share) return error_memory(e);
    for (int i = 0; i < count; i++) sum += m[i].weight;
    for (int i = 0; i < count; i++) {
        const double units = m[i].weight / sum * POSTERIOR_UNITS;
        list[i].evaluation = (int)m[i].number + 1; /* evaluation 0 is the case as it stands */
        list[i].weight = units < 1 ? 1 : (int64_t)units;
        share[i] = (struct ranked){units < 1 ? 0 : units - floor(units), i};
        left -= list[i].weight;
        if (list[i].weight > list[largest].weight) largest = i;
    }
    qsort(share, (size_t)count, sizeof *share, order_ranks);
    for (int i = 0; i < count && left > 0; i++, left--) list[share[i].number].weight++;
    list[largest].weight += left;
    return 0;
}

/* ---- means and percentiles ------------------------------------------------------------------- */

struct weighed {
    double value;
    int64_t weight;
};

/* The least value with a cumulative weight of at least `units`. */
static double value_at(const struct weighed *w, int count, int64_t units)
{
    int i = 0;
    for (int64_t sum = w[0].weight; sum < units && i < count - 1; sum += w[i].weight) i++;
    return w[i].value;
}

static int marginal_of(struct marginal *m, const struct posterior_member *list, const double *value,
                       int count, struct error *e)
{
    FREED struct weighed *w = malloc((size_t)count * sizeof *w);
    double squares = 0;
    *m = (struct marginal){0};
    if (!w) return error_memory(e);
    for (int i = 0; i < count; i++) {
        w[i] = (struct weighed){value[i], list[i].weight};
        m->mean += posterior_share(&list[i]) * value[i];
    }
    for (int i = 0; i < count; i++)
        squares += posterior_share(&list[i]) * (value[i] - m->mean) * (value[i] - m->mean);
    m->sd = sqrt(squares);
    qsort(w, (size_t)count, sizeof *w, order_reals);
    m->p025 = value_at(w, count, POSTERIOR_UNITS / 1000 * 25);
    m->p50 = value_at(w, count, POSTERIOR_UNITS / 2);
    m->p975 = value_at(w, count, POSTERIOR_UNITS / 1000 * 975);
    return 0;
}

/* The seed of terrain errors that the search has not used. forecast.cfg has this seed, too. */
static int64_t posterior_seed(const struct calibration *cal)
{
    return (int64_t)((cal->seed + 1) % ((uint64_t)1 << 53));
}

int posterior_check(struct calibration *cal, struct study_job *j, struct error *e)
{
    const int64_t seed = cal->plan->keys.seed;
    const struct posterior_sample *s = &cal->sample;
    int status = posterior_sample(cal, e);
    FREED_BY(candidates_free)
    struct batch_of_runs b = {.candidates = s->count,
                              .members = 1,
                              .own_noise = true,
                              .check = true,
                              .weights = s->member};
    cal->discrepancy = (struct discrepancy){0};
    if (!status) status = candidates_create(&b, cal, e);
    for (int i = 0; i < s->count && !status; i++)
        b.value[i] = cal->evaluation[s->member[i].evaluation].value;
    for (int k = 0; k < cal->eruptions; k++) cal->eruption[k].plan->keys.seed = posterior_seed(cal);
    if (!status) status = candidates_run(cal, j, &b, e);
    for (int k = 0; k < cal->eruptions; k++) cal->eruption[k].plan->keys.seed = seed;
    if (!status && !j->stopped)
        scores_set(cal, &cal->finalist, b.agreement, s->count, s->count, s->member);
    return status;
}

/* ---- what is reported ------------------------------------------------------------------------ */

const char *posterior_end(const struct calibration *c, bool interrupted)
{
    static const char *const ends[] = {[SMC_CONTINUES] = "budget",
                                       [SMC_TOLERANCE] = "tolerance",
                                       [SMC_ACCEPTANCE] = "acceptance",
                                       [SMC_COLLAPSED] = "collapsed"};
    return interrupted ? "interrupted" : ends[smc_stop(c->posterior)];
}

int posterior_sample(struct calibration *c, struct error *e)
{
    struct posterior_sample *s = &c->sample;
    const struct smc_member *m = smc_members(c->posterior, &s->count);
    free(s->member);
    s->member = calloc((size_t)s->count + 1, sizeof *s->member);
    if (!s->member) return error_memory(e);
    if (!s->count) return 0;
    int status = set_weights(s->member, m, s->count, e);
    qsort(s->member, (size_t)s->count, sizeof *s->member, order_places);
    FREED double *value = malloc((size_t)s->count * sizeof *value);
    if (!value) return error_memory(e);
    for (int k = 0; k < c->fits && !status; k++) {
        for (int i = 0; i < s->count; i++)
            value[i] = c->evaluation[s->member[i].evaluation].value[k];
        status = marginal_of(&s->of[k], s->member, value, s->count, e);
    }
    return status;
}

void posterior_put_members(struct table *t, const struct product_at *at)
{
    const struct calibration *c = at->of;
    const struct posterior_sample *s = &c->sample;
    TABLE_ROWS (*t, i, s->count) {
        const struct evaluation *x = t->head ? NULL : &c->evaluation[s->member[i].evaluation];
        TABLE_COUNT(t, "weight", s->member[i].weight);
        for (int k = 0; k < c->fits; k++)
            if (fit_is_of(&c->fit[k], 0))
                TABLE_REAL(t, variable_row(c->fit[k].variable).name, "", 0, x->value[k]);
    }
}

/* Whether a line of the plan is copied to forecast.cfg, a plan for another eruption. Keys of the calibration and of
 * observations are not copied. */
static bool is_of_forecast(const char *key)
{
    struct key k;
    for (int i = 0; i < SEEN_KINDS; i++)
        if (!strcmp(key, seen_names[i])) return false;
    return !schema_find(&calibration_schema, key, &k) && strcmp(key, "seed") &&
           strcmp(key, "until_error") && strcmp(key, "discrepancy_m");
}

int posterior_put_forecast(FILE *f, const struct product_at *at, struct error *e)
{
    const struct calibration *c = at->of;
    const struct plan *plan = c->plan;
    const struct keyvalues *lines = &plan->settings.lines;
    const struct discrepancy *d = &c->discrepancy;
    int status = 0;
    fprintf(f,
            "# A plan for sciara ensemble: the posterior of %s, %d sets of parameters with their "
            "weights, each with its\n# own error of the terrain. Give other vents and rates "
            "for another eruption.\n",
            plan->base.name, c->sample.count);
    for (int i = 0; i < lines->count && !status; i++)
        if (is_of_forecast(lines->item[i].key))
            status = case_line_copy(f, c->job->info.directory, plan, &lines->item[i], e);
    case_line_put(f, "member_table", "members.csv");
    fprintf(f, "%-24s%" PRId64 "\n", "seed", posterior_seed(c));
    if (d->eruptions)
        fprintf(f, "%-24s%g\n", "discrepancy_m", discrepancy_list_m[discrepancy_best(d)]);
    return status;
}

static void add_generations(cJSON *o, const struct calibration *c)
{
    int count;
    const struct smc_generation *g = smc_generations(c->posterior, &count);
    cJSON *list = cJSON_AddArrayToObject(o, "generations");
    for (int i = 0; i < count; i++) {
        cJSON *x = json_add_object(list);
        json_add_numbers(x, {"evaluations", g[i].asked}, {"accepted", g[i].accepted},
                         {"members", g[i].members}, {"effective_members", g[i].effective},
                         {"least_distance", g[i].least}, {"tolerance", g[i].tolerance});
    }
}

/* The correlation of two parameters, from -1 to 1. If the `log` of a parameter is set, its
 * logarithm is correlated. */
static double correlation(const struct calibration *c, int i, int k)
{
    const struct posterior_sample *s = &c->sample;
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int m = 0; m < s->count; m++) {
            const double *value = c->evaluation[s->member[m].evaluation].value;
            const double w = posterior_share(&s->member[m]);
            const double a = fit_unit(&c->fit[i], value[i]), b = fit_unit(&c->fit[k], value[k]);
            if (pass) {
                xx += w * (a - x) * (a - x);
                yy += w * (b - y) * (b - y);
                xy += w * (a - x) * (b - y);
            } else {
                x += w * a;
                y += w * b;
            }
        }
    return i == k ? 1 : xy / sqrt(xx * yy); /* NaN becomes null */
}

static void add_marginals(cJSON *o, const struct calibration *c)
{
    const struct posterior_sample *s = &c->sample;
    cJSON *list = cJSON_AddArrayToObject(o, "parameters");
    for (int k = 0; k < c->fits; k++) {
        cJSON *x = json_add_object(list), *row;
        cJSON_AddStringToObject(x, "name", c->fit[k].name);
        json_add_numbers(x, {"mean", s->of[k].mean}, {"sd", s->of[k].sd}, {"p025", s->of[k].p025},
                         {"p50", s->of[k].p50}, {"p975", s->of[k].p975});
        row = cJSON_AddArrayToObject(x, "correlations");
        for (int i = 0; i < c->fits; i++)
            cJSON_AddItemToArray(row, cJSON_CreateNumber(correlation(c, k, i)));
    }
}

void posterior_add_search(cJSON *o, const struct calibration *c)
{
    json_add_numbers(o, {"members_wished", c->keys.posterior_members},
                     {"tolerance_wished", c->keys.posterior_tolerance},
                     {"acceptance_wished", c->keys.posterior_acceptance});
}

/* Adds the distance of the discrepancy, the number of eruptions from which it was estimated, and
 * two mean log scores of these eruptions: with distance 0, and with this distance. */
static void add_discrepancy(cJSON *o, const struct discrepancy *d)
{
    const int best = discrepancy_best(d);
    if (!d->eruptions) return;
    json_add_numbers(cJSON_AddObjectToObject(o, "discrepancy"),
                     {"distance_m", discrepancy_list_m[best]}, {"eruptions", d->eruptions},
                     {"log_score_without", d->log_score[0] / d->eruptions},
                     {"log_score", d->log_score[best] / d->eruptions});
}

void posterior_add(cJSON *o, const struct calibration *c)
{
    int generations;
    const struct smc_generation *g = smc_generations(c->posterior, &generations);
    if (c->sample.count) {
        json_add_numbers(o, {"members", c->sample.count},
                         {"effective_members", g[generations - 1].effective},
                         {"tolerance", g[generations - 1].tolerance});
        add_marginals(o, c);
        add_discrepancy(o, &c->discrepancy);
    }
    add_generations(o, c);
}

enum { WORD = 32 };

/* The texts of an axis. */
struct label {
    char title[FIT_AXIS], head[80], tick[CORNER_TICKS][WORD];
};

static void label_axis(struct corner_axis *a, struct label *l, const struct calibration *c, int fit,
                       const struct marginal *m)
{
    const struct fit *f = &c->fit[fit];
    const double mark[] = {m->p025, m->p50, m->p975};
    words_pack(l->head, sizeof l->head, "%.3g (%.3g to %.3g)", m->p50, m->p025, m->p975);
    *a = (struct corner_axis){.title = fit_axis_pack(l->title, f, false), .head = l->head};
    for (int i = 0; i < CORNER_TICKS; i++) {
        words_pack(l->tick[i], WORD, "%.3g", fit_value(f, i / (CORNER_TICKS - 1.0)));
        a->tick[i] = l->tick[i];
    }
    for (int i = 0; i < 3; i++) a->mark[i] = fit_unit(f, mark[i]);
}

int posterior_draw_corner(const struct product_at *to, struct error *e)
{
    const struct calibration *c = to->of;
    const struct posterior_sample *s = &c->sample;
    struct corner_axis axis[FITS_MAX];
    struct label label[FITS_MAX];
    char subtitle[240], sets[32], effective[32], evaluations[32], by[PRODUCT_BY];
    int generations;
    const struct smc_generation *g = smc_generations(c->posterior, &generations);
    FREED double *weight = malloc((size_t)s->count * (size_t)(1 + c->fits) * sizeof *weight);
    if (!weight) return error_memory(e);
    double *at = weight + s->count;
    for (int k = 0; k < c->fits; k++) label_axis(&axis[k], &label[k], c, k, &s->of[k]);
    for (int i = 0; i < s->count; i++) {
        const double *value = c->evaluation[s->member[i].evaluation].value;
        weight[i] = posterior_share(&s->member[i]);
        for (int k = 0; k < c->fits; k++)
            at[(size_t)i * (size_t)c->fits + (size_t)k] = fit_unit(&c->fit[k], value[k]);
    }
    words_pack(subtitle, sizeof subtitle,
               "%s {set|sets} of parameters (effective number %s) with a mean score of at least "
               "%.4f; %s {evaluation|evaluations}",
               roundnum_brief(sets, s->count),
               roundnum_brief(effective, g[generations - 1].effective),
               1 - g[generations - 1].tolerance, roundnum_brief(evaluations, c->count));
    const struct corner q = {
        .title = c->plan->base.title,
        .subtitle = subtitle,
        .note = "Titles and orange lines: median (2.5 to 97.5 %). Grey line: the prior, uniform "
                "between the bounds. Axes are linear or logarithmic as in the plan; the number in "
                "the middle is the value there. The area of a dot is its weight. The widths depend "
                "on the requested score.",
        .by = product_by(by, to),
        .warning = product_warning(to->all->c),
        .count = c->fits,
        .axis = axis,
        .points = s->count,
        .at = at,
        .weight = weight};
    const struct scene scene = scene_of_corner(&q);
    return product_paint(to, &scene, e);
}

int posterior_draw_trace(const struct product_at *at, struct error *e)
{
    const struct calibration *c = at->of;
    int count, done = 1;
    const struct smc_generation *g = smc_generations(c->posterior, &count);
    FREED double *x = malloc(4 * (size_t)count * sizeof *x);
    if (!x) return error_memory(e);
    double *tolerance = x + count, *least = tolerance + count, *accepted = least + count, most = 0;
    for (int i = 0; i < count; i++) {
        x[i] = done += g[i].asked;
        tolerance[i] = g[i].tolerance;
        least[i] = g[i].least;
        accepted[i] = i ? (double)g[i].accepted / g[i].asked : (double)NAN;
        most = fmax(most, g[i].tolerance);
        if (i) most = fmax(most, accepted[i]);
    }
    const struct plot_series series[] = {
        {.label = "tolerance: 1 - score of the worst remaining set",
         .count = count,
         .x = x,
         .y = tolerance},
        {.label = "1 - score of the best", .count = count, .x = x, .y = least},
        {.label = "share of a generation within the previous tolerance",
         .count = count,
         .x = x,
         .y = accepted}};
    struct plot p = {.x = {"evaluations", 0, done},
                     .y = {"1 - mean score; share", 0, ceil(most * 20) / 20 + 0.05}};
    return product_paint_plot(at, &p, series, 3, e);
}
