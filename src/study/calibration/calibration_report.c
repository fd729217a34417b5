#include "calibration_report.h"

#include "record/roundnum.h"
#include "products/summary.h"
#include "record/json_number.h"
#include "text/table.h"
#include "text/words.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>

/* ---- diagrams -------------------------------------------------------------------------------- */

/* An axis for all scores; its ends are multiples of 0.05. */
static struct plot_axis score_axis(const struct calibration *c, const char *title)
{
    double low = 1, high = 0;
    for (int i = 0; i < c->count; i++) {
        if (isnan(c->evaluation[i].score)) continue;
        low = fmin(low, c->evaluation[i].score);
        high = fmax(high, c->evaluation[i].score);
    }
    low = floor(low * 20) / 20;
    high = ceil(high * 20) / 20;
    return (struct plot_axis){title, low, high > low ? high : low + 0.05};
}

static const char *score_title(const struct calibration *c, char out[64])
{
    if (c->observations != 1) return words_pack(out, 64, "mean score");
    return words_pack(out, 64, "mean score (%s)", score_names[c->eruption[0].observed.score]);
}

char *fit_axis_pack(char out[FIT_AXIS], const struct fit *f, bool log)
{
    char unit[40];
    snprintf(unit, sizeof unit, "%s" WORDS_NEXT, variable_row(f->variable).unit);
    if (*unit == *WORDS_NEXT) return words_pack(out, FIT_AXIS, log ? "log10 of %s" : "%s", f->name);
    return words_pack(out, FIT_AXIS, log ? "log10 of %s (%s)" : "%s (%s)", f->name, unit);
}

/* The scores of all evaluations, in an array with room for `more` further numbers for each; NULL: out of memory. */
static double *scores_of(const struct calibration *c, int more)
{
    double *y = malloc((size_t)(1 + more) * (size_t)c->count * sizeof *y);
    for (int i = 0; y && i < c->count; i++) y[i] = c->evaluation[i].score;
    return y;
}

static double axis_value(const struct fit *f, double value)
{
    return f->log ? (value > 0 ? log10(value) : (double)NAN) : value;
}

/* The place of a value on its axis; NaN: the value is outside the bounds. A value of the case may be outside. */
static double axis_place(const struct fit *f, double value)
{
    return value >= f->low && value <= f->high ? axis_value(f, value) : (double)NAN;
}

static int calibration_draw_parameter(const struct product_at *at, struct error *e)
{
    const int k = at->i;
    const struct calibration *c = at->of;
    const struct fit *f = &c->fit[k];
    char title[FIT_AXIS], subtitle[FIT_NAME + 128], y_title[64], evaluations[32];
    FREED double *y = scores_of(c, 1);
    if (!y) return error_memory(e);
    double *x = y + c->count;
    for (int i = 0; i < c->count; i++) x[i] = axis_place(f, c->evaluation[i].value[k]);
    fit_axis_pack(title, f, f->log);
    words_pack(subtitle, sizeof subtitle, "%s {evaluation|evaluations}; the best at %s = %.4g",
               roundnum_brief(evaluations, c->count), f->name, c->evaluation[c->best].value[k]);
    const char *const words[] = {NULL};
    const struct plot_series series[] = {
        {.label = "evaluations", .count = c->count, .x = x, .y = y, .kind = PLOT_DOTS},
        {.label = "case as it stands", .count = 1, .x = x, .y = y, .point = words},
        {.label = "best", .count = 1, .x = x + c->best, .y = y + c->best, .point = words}};
    struct plot p = {.subtitle = subtitle,
                     .x = {title, axis_value(f, f->low), axis_value(f, f->high)},
                     .y = score_axis(c, score_title(c, y_title))};
    return product_paint_plot(at, &p, series, 3, e);
}

static int calibration_draw_trace(const struct product_at *at, struct error *e)
{
    const struct calibration *c = at->of;
    char subtitle[160], y_title[64], evaluations[32];
    FREED double *y = scores_of(c, 2);
    if (!y) return error_memory(e);
    double *x = y + c->count, *best = x + c->count;
    for (int i = 0; i < c->count; i++) {
        x[i] = i;
        best[i] = i ? fmax(best[i - 1], y[i]) : y[i];
    }
    words_pack(subtitle, sizeof subtitle, "%s {evaluation|evaluations} of %d {run|runs}; best %.4f",
               roundnum_brief(evaluations, c->count), (int)c->keys.noise_members,
               c->evaluation[c->best].score);
    const struct plot_series series[] = {
        {.label = "evaluations", .count = c->count, .x = x, .y = y, .kind = PLOT_DOTS},
        {.label = "best so far", .count = c->count, .x = x, .y = best}};
    struct plot p = {.subtitle = subtitle,
                     .note = "The best of many scores is biased upwards: summary.json has its "
                             "score with noise that the search has not used.",
                     .x = {"evaluation", 0, c->count > 1 ? c->count - 1 : 1},
                     .y = score_axis(c, score_title(c, y_title))};
    return product_paint_plot(at, &p, series, 2, e);
}

void calibration_file_word(const char *name, char out[FIT_NAME])
{
    int n = 0;
    for (; *name && n < FIT_NAME - 1; name++)
        if (*name == '(') out[n++] = '_';
        else if (*name != ')') out[n++] = *name;
    out[n] = '\0';
}

/* ---- evaluations.csv ------------------------------------------------------------------------- */

/* The weight of an evaluation in a posterior. *next: index of the next member, in the order of evaluations. */
static int64_t weight_of(const struct posterior_sample *s, int64_t evaluation, int *next)
{
    const bool is_member = *next < s->count && s->member[*next].evaluation == evaluation;
    return is_member ? s->member[(*next)++].weight : 0;
}

/* Writes the scores and errors of each eruption and each observation that the search sees. */
static void put_details(struct table *t, const struct calibration *c, const struct details *d)
{
    char name[OBSERVED_NAME];
    for (int k = 0; k < c->eruptions && c->eruptions > 1; k++) {
        if (!c->eruption[k].observed.any[PART_SEEN]) continue;
        TABLE_REAL_OF(t, "score_*", eruption_name(c, k), "", 0, d->eruption[k]);
        TABLE_REAL_OF(t, "score_error_*", eruption_name(c, k), "", 0, d->eruption_error[k]);
    }
    for (int k = 0; k < c->eruptions; k++)
        for (int i = 0; i < c->eruption[k].observed.count; i++) {
            const struct observation *x = &c->eruption[k].observed.item[i];
            const int number = c->eruption[k].first + i;
            if (!x->counts[PART_SEEN]) continue;
            observed_name(c, k, i, name);
            TABLE_REAL_OF(t, "score_*", name, "", 0, d->score[number]);
            if (x->unit) TABLE_REAL_OF(t, "error_*", name, x->unit, 0, d->error[number]);
        }
}

static void put_evaluations(struct table *t, const struct product_at *at)
{
    const struct calibration *c = at->of;
    int next = 0;
    TABLE_ROWS (*t, k, c->count) {
        const struct evaluation *x = &c->evaluation[k];
        const struct details d = t->head ? (struct details){0} : details_at(c, (int)k);
        TABLE_COUNT(t, "evaluation", k);
        TABLE_COUNT(t, "generation", x->generation);
        TABLE_COUNT(t, "restart", x->restart);
        TABLE_REAL(t, "score", "", 0, x->score);
        TABLE_REAL(t, "score_error", "", 0, x->error);
        for (int i = 0; i < c->fits; i++) TABLE_REAL(t, c->fit[i].name, "", 0, x->value[i]);
        put_details(t, c, &d);
        if (c->posterior) TABLE_COUNT(t, "weight", weight_of(&c->sample, k, &next));
    }
}

/* ---- summary.json ---------------------------------------------------------------------------- */

static void add_search(cJSON *root, const struct calibration *c, bool interrupted)
{
    const int population =
        c->keys.population ? (int)c->keys.population : cmaes_default_population(c->fits);
    cJSON *o = cJSON_AddObjectToObject(root, "search");
    json_add_texts(o,
                   {"method", c->posterior
                                  ? "approximate Bayesian computation, sequential Monte Carlo"
                                  : "CMA-ES, restarts with twice the population"},
                   {"end", c->posterior  ? posterior_end(c, interrupted)
                           : interrupted ? "interrupted"
                                         : "complete"});
    json_add_numbers(o, {"budget", c->budget}, {"evaluations", c->count},
                     {"cannot_be_run", c->impossible}, {"noise_members", c->keys.noise_members},
                     {"terrain_error_m", c->plan->keys.terrain_error_m},
                     {"terrain_error_length_m", c->plan->keys.terrain_error_length_m});
    if (c->posterior) {
        posterior_add_search(o, c);
    } else {
        json_add_numbers(o, {"population", population}, {"generations", c->search.generation},
                         {"restarts", c->search.restart});
    }
    cJSON_AddNumberToObject(o, "seed", (double)c->seed);
}

cJSON *calibration_add_fit(cJSON *list, const struct fit *f)
{
    cJSON *o = json_add_object(list);
    cJSON_AddStringToObject(o, "name", f->name);
    json_add_numbers(o, {"low", f->low}, {"high", f->high});
    cJSON_AddStringToObject(o, "scale", f->log ? "log" : "linear");
    return o;
}

static void add_fitted(cJSON *root, const struct calibration *c)
{
    const struct evaluation *own = &c->evaluation[0],
                            *best = c->best < 0 ? NULL : &c->evaluation[c->best];
    cJSON_AddNumberToObject(root, "fitted_parameters", c->fits);
    cJSON *list = cJSON_AddArrayToObject(root, "fitted");
    for (int i = 0; i < c->fits; i++) {
        cJSON *o = calibration_add_fit(list, &c->fit[i]);
        cJSON_AddNumberToObject(o, "as_it_stands", own->value[i]);
        if (best) cJSON_AddNumberToObject(o, "best", best->value[i]);
    }
}

static void add_hold_out(cJSON *root, const struct calibration *c)
{
    if (!c->hold_out) {
        cJSON_AddNullToObject(root, "hold_out");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, "hold_out"), *names = NULL;
    for (int k = 0; k < c->eruptions; k++) {
        const struct hold_out_key *h = &c->eruption[k].keys->hold_out;
        cJSON *of = o;
        if (k && (h->kind == HOLD_OUT_AFTER || h->kind == HOLD_OUT_LEFT_OF))
            of = cJSON_AddObjectToObject(o, eruption_name(c, k));
        if (h->kind == HOLD_OUT_AFTER) cJSON_AddNumberToObject(of, "after_h", h->time_s / 3600);
        if (h->kind == HOLD_OUT_LEFT_OF)
            cJSON_AddItemToObject(of, "left_of", cJSON_CreateDoubleArray(h->at, 4));
        if (!eruption_is_held(c, k)) continue;
        if (!names) names = cJSON_AddArrayToObject(o, "eruptions");
        cJSON_AddItemToArray(names, cJSON_CreateString(eruption_name(c, k)));
    }
}

static void add_observation(cJSON *list, const struct calibration *c, int eruption, int number)
{
    const struct eruption *of = &c->eruption[eruption];
    const struct observation *x = &of->observed.item[number];
    const struct scores *u = &c->finalist;
    const char *best = c->posterior ? "posterior" : "best";
    cJSON *o = json_add_object(list);
    char key[64];
    cJSON_AddStringToObject(o, "name", x->name);
    if (c->eruptions > 1) cJSON_AddStringToObject(o, "eruption", eruption_name(c, eruption));
    if (x->inside) cJSON_AddStringToObject(o, "score", score_names[x->score]);
    cJSON_AddNumberToObject(o, "weight", x->key.weight);
    if (!x->inside && !x->value) cJSON_AddNumberToObject(o, "value", x->key.value);
    if (x->unit) cJSON_AddStringToObject(o, "error_unit", x->unit);
    if (x->unit) cJSON_AddNumberToObject(o, "error_scale", x->scale);
    json_add_bools(o, {"seen", x->counts[PART_SEEN]}, {"held_out", x->counts[PART_HELD]});
    for (int p = 0; p < PARTS && u->members; p++) {
        const char *part = p == PART_SEEN ? "seen" : "held_out";
        snprintf(key, sizeof key, "%s_%s", best, part);
        cJSON_AddNumberToObject(o, key, u->of[of->first + number][p]);
        snprintf(key, sizeof key, "%s_error_%s", best, part);
        if (x->unit) cJSON_AddNumberToObject(o, key, u->error_of[of->first + number][p]);
    }
}

static cJSON *add_score(cJSON *o, const char *name, struct mean score)
{
    cJSON *s = cJSON_AddObjectToObject(o, name);
    json_add_numbers(s, {"mean", score.mean}, {"error", score.error});
    return s;
}

static void add_unseen_of(cJSON *o, const char *name, const struct scores *u, int eruption)
{
    if (!u->members) return;
    cJSON *s = cJSON_AddObjectToObject(o, name);
    add_score(s, "in_sample", u->eruption[eruption][PART_SEEN]);
    add_score(s, "held_out", u->eruption[eruption][PART_HELD]);
}

static void add_eruptions(cJSON *root, const struct calibration *c)
{
    if (c->eruptions == 1) return;
    cJSON *list = cJSON_AddArrayToObject(root, "eruptions");
    for (int k = 0; k < c->eruptions; k++) {
        const struct eruption *x = &c->eruption[k];
        cJSON *o = json_add_object(list);
        cJSON_AddStringToObject(o, "name", eruption_name(c, k));
        json_add_numbers(o, {"weight", x->weight}, {"cell_m", x->plan->base.geo.cell_m});
        json_add_bools(o, {"seen", x->observed.any[PART_SEEN]},
                       {"held_out", x->observed.any[PART_HELD]});
        if (c->best >= 0 && !c->posterior) {
            const struct details d = details_at(c, c->best);
            add_score(o, "best_noise_of_the_search",
                      (struct mean){.mean = d.eruption[k], .error = d.eruption_error[k]});
        }
        add_unseen_of(o, c->posterior ? "posterior" : "best", &c->finalist, k);
        add_unseen_of(o, "as_it_stands", &c->as_it_stands, k);
    }
}

static void add_scores(cJSON *o, const char *name, const struct scores *u, int part)
{
    cJSON *s = add_score(o, name, u->all[part]);
    json_add_numbers(s, {"least", u->all[part].least}, {"most", u->all[part].most});
}

/* Adds the scores *u with terrain errors that the search has not used. Also adds the score that `evaluation` had in the
 * search; -1: adds no such score. */
static cJSON *add_unseen(cJSON *root, const char *name, const struct calibration *c,
                         const struct scores *u, int evaluation)
{
    cJSON *o = cJSON_AddObjectToObject(root, name);
    if (evaluation >= 0) {
        const struct evaluation *x = &c->evaluation[evaluation];
        cJSON_AddNumberToObject(o, "evaluation", evaluation);
        add_score(o, "noise_of_the_search", (struct mean){.mean = x->score, .error = x->error});
    }
    if (!u->members) return o;
    cJSON *s = cJSON_AddObjectToObject(o, "unseen_noise");
    cJSON_AddNumberToObject(s, "members", (double)u->members);
    add_scores(s, "in_sample", u, PART_SEEN);
    if (c->hold_out) add_scores(s, "held_out", u, PART_HELD);
    else cJSON_AddNullToObject(s, "held_out");
    return o;
}

static void add_finalists(cJSON *root, const struct calibration *c)
{
    cJSON *list = cJSON_AddArrayToObject(root, "finalists");
    for (int i = 0; i < c->finalists; i++) {
        cJSON *o = json_add_object(list);
        json_add_numbers(o, {"evaluation", c->among[i].evaluation}, {"mean", c->among[i].mean},
                         {"error", c->among[i].error});
    }
}

/* The null model of a plan with an outline. It is fitted to the whole outline, even if a part is held out. The plan is
 * read again, because the search uses the table of members of c->plan. */
static const struct null_model *null_of(struct calibration *c, const char *path)
{
    struct null_plan *n = &c->null;
    struct calibration_keys k;
    if (!c->plan->base.outline_path || c->null_tried) return n->model.s.done ? &n->model : NULL;
    c->null_tried = true;
    if (!null_plan_open(n, path, calibration_keys_default(&k), NULL_FITTED, NULL) &&
        !null_model_compute(&n->model, NULL))
        return &n->model;
    null_plan_close(n);
    return NULL;
}

/* The first observed volume, thickness and arrivals of the plan's own eruption. */
static struct report_observed observed_besides(const struct calibration *c)
{
    const struct observations *o = &c->eruption[0].observed;
    struct report_observed of = {0};
    for (int i = o->count - 1; i >= 0; i--) {
        const struct observation *x = &o->item[i];
        if (x->key.kind == OBSERVED_VOLUME) of.volume_m3 = x->key.value;
        if (x->key.kind == OBSERVED_THICKNESS) of.thickness_q = x->value;
        if (x->key.kind == OBSERVED_ARRIVALS) of.arrival_ms = x->value;
    }
    return of;
}

/* The report of the ensemble of the best candidate; .s NULL: the ensemble was not run to its end. */
static struct report best_report(const struct study_job *j)
{
    const struct calibration *c = j->self;
    const struct ensemble *best = c->finalist.members && !c->posterior ? &c->ensemble : NULL;
    return (struct report){.s = best,
                           .digest = best ? ensemble_digest(best) : 0,
                           .job = j,
                           .end = "complete",
                           .observed = observed_besides(c)};
}

void calibration_warn(const struct study_job *j, struct warnings *w)
{
    const struct calibration *c = j->self;
    for (int k = 1; k < c->eruptions; k++) warnings_add_all(w, &c->eruption[k].plan->base.told);
    if (!c->posterior && c->best >= 0 && !(c->evaluation[c->best].score > 0))
        warnings_add(w, WARNING_INPUT,
                     "no run agrees at all with the observations; check their place and CRS", NULL);
    if (c->finalist.members && !c->posterior) report_warn(&c->ensemble, w);
}

char *calibration_summary(const struct study_job *j)
{
    const struct calibration *c = j->self;
    const struct report best = best_report(j);
    const struct null_model *null = null_of(j->self, j->plan);
    cJSON *root = study_summary(j, c->digest);
    add_search(root, c, j->stopped);
    add_fitted(root, c);
    add_eruptions(root, c);
    cJSON_AddStringToObject(root, "score", score_names[c->keys.score]);
    cJSON *list = cJSON_AddArrayToObject(root, "observed");
    for (int k = 0; k < c->eruptions; k++)
        for (int i = 0; i < c->eruption[k].observed.count; i++) add_observation(list, c, k, i);
    add_hold_out(root, c);
    if (c->posterior) {
        posterior_add(add_unseen(root, "posterior", c, &c->finalist, -1), c);
    } else {
        add_finalists(root, c);
        add_unseen(root, "best", c, &c->finalist, c->best);
    }
    add_unseen(root, "as_it_stands", c, &c->as_it_stands, 0);
    if (best.s) report_add_forecast(root, &best);
    if (null) report_add_null(cJSON_AddObjectToObject(root, "null"), null);
    return study_summary_text(j, root, "search_s");
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool name_parameter(const void *of, int i, char *name, char *about)
{
    calibration_file_word(((const struct calibration *)of)->fit[i].name, name);
    return true;
}

#define COUNT(member) PRODUCT_COUNT(struct calibration, files.member)
static const struct product rows[] = {
    {PRODUCT_TABLE, "evaluations.csv", .rows = put_evaluations, .further = true},
    {PRODUCT_TABLE, "members.csv", COUNT(members), .rows = posterior_put_members},
    {PRODUCT_TABLE, "forecast.cfg", COUNT(members), .put = posterior_put_forecast},
    {PRODUCT_DIAGRAM, "posterior", COUNT(members), .draw = posterior_draw_corner},
    {PRODUCT_DIAGRAM, "tolerance", COUNT(members), .draw = posterior_draw_trace, .further = true},
    {PRODUCT_TABLE, "best_vents*.csv", COUNT(eruptions), .word = best_has_vents,
     .rows = best_put_vents},
    {PRODUCT_TABLE, "best_rates*.csv", COUNT(eruptions), .word = best_has_rates,
     .put = best_put_rates},
    {PRODUCT_TABLE, "best*.cfg", COUNT(eruptions), .word = best_name, .put = best_put_case},
    {PRODUCT_DIAGRAM, "score_*", COUNT(parameters), .word = name_parameter,
     .draw = calibration_draw_parameter, .further = true},
    {PRODUCT_DIAGRAM, "trace", COUNT(best), .draw = calibration_draw_trace, .further = true},
    {.kind = PRODUCT_FILE, .name = RECORD_NAME},
};

/* .next: the files of the ensemble of the best candidate. */
const struct product_table calibration_files = {PRODUCT_TABLE_OF(rows), .next = &report_files};

/* Refuses to overwrite a file that the plan of any eruption reads. */
static int spare_inputs(const void *of, const char *path, struct error *e)
{
    const struct calibration *c = of;
    int status = 0;
    for (int k = 0; k < c->eruptions && !status; k++)
        status = output_spare(&c->eruption[k].plan->base, path, e);
    return status;
}

static bool no_lava(const void *unused, size_t cell)
{
    return false;
}

/* Writes the HTML page of a calibration that ran no members with the best parameters. The page shows the vents and the
 * observed outline. */
static int describe_site(const struct study_job *j, const struct calibration *c, struct error *e)
{
    const struct plan *plan = c->plan;
    const struct problem *q = &plan->base.problem;
    FREED_BY(plan_supply_free) struct plan_supply supply = {0};
    FREED_BY(product_cut_free) struct product_cut cut = {0};
    FREED_BY(assets_free) struct assets places = {0};
    int status = plan_supply_create(&supply, plan, e);
    if (!status && plan->assets)
        status = assets_read(&places, plan->assets, q->rows, q->cols, &plan->base.geo, e);
    if (status) return status;
    const struct ensemble_source *from = &supply.source;
    struct products p = {.info = &j->info,
                         .c = &plan->base,
                         .assets = &places,
                         .vent = from->vent,
                         .vents = from->vents,
                         .outline = observations_outline(&c->eruption[0].observed),
                         .reached = no_lava};
    status = products_cut(&p, &cut, e);
    return status ? status
                  : products_page(&p, from->vent, from->vents, from->chosen,
                                  from->request.arrival_step_s / 3600, e);
}

int calibration_write(const struct study_job *j, struct error *e)
{
    struct calibration *c = j->self;
    const struct report report = best_report(j);
    const struct products p = {.info = &j->info,
                               .c = j->c,
                               .of = c,
                               .table = &calibration_files,
                               .kind = j->study->name,
                               .digest = c->digest,
                               .spare = spare_inputs};
    const int best = c->best >= 0 && !c->posterior;
    int status = c->posterior ? posterior_sample(c, e) : 0;
    c->job = j;
    c->files.members = c->sample.count > 0;
    c->files.best = best;
    c->files.eruptions = best * c->eruptions;
    c->files.parameters = best * c->fits;
    if (!status && !report.s) status = describe_site(j, c, e);
    if (!status) status = products_files(&p, e);
    if (!status) status = report.s ? report_products(&report, e) : products_record(&p, e);
    return status;
}
