#include "posterior_report.h"

#include "products/summary.h"
#include "text/number.h"
#include "text/textfile.h"
#include "text/atomic_file.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

/* BEGIN, or BEGIN and _ and the name of an eruption, and END. */
static bool is_name(const char *name, const char *begin, const char *end)
{
    const size_t all = strlen(name), first = strlen(begin), last = strlen(end);
    if (all < first + last || strncmp(name, begin, first) || strcmp(name + all - last, end))
        return false;
    return all == first + last || (name[first] == '_' && all > first + last + 1);
}

bool calibration_is_file(const char *name)
{
    static const char *const names[] = {RECORD_NAME, "evaluations.csv", "forecast.cfg"};
    static const char *const pictures[] = {"trace", "posterior", "tolerance"};
    const unsigned format = output_picture_format(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (output_picture_is(name, pictures[i])) return true;
    for (int i = 0; i < VARIABLES && format; i++) {
        char word[FIT_NAME], begin[FIT_NAME + 16];
        calibration_file_word(variable_row(i).name, word);
        snprintf(begin, sizeof begin, "score_%s", word);
        if (is_name(name, begin, strrchr(name, '.'))) return true;
    }
    return is_name(name, "best", ".cfg") || is_name(name, "best_vents", ".csv") ||
           is_name(name, "best_rates", ".csv") || report_is_file(name);
}

void calibration_file_word(const char *name, char out[FIT_NAME])
{
    int n = 0;
    for (; *name && n < FIT_NAME - 1; name++)
        if (*name == '(') out[n++] = '_';
        else if (*name != ')') out[n++] = *name;
    out[n] = '\0';
}

static int spare_inputs(const struct calibration_report *r, const char *path, struct error *e)
{
    int status = 0;
    for (int k = 0; k < r->c->eruptions && !status; k++)
        status = output_spare(&r->c->eruption[k].plan->base, path, e);
    return status;
}

struct picture {
    const struct calibration_report *r;
    output_draw *draw;
    const void *of;
};

static int draw_picture(const char *path, const void *of, struct error *e)
{
    const struct picture *p = of;
    int status = spare_inputs(p->r, path, e);
    return status ? status : p->draw(path, p->of, e);
}

int calibration_picture(const struct calibration_report *r, const char *name, output_draw *draw,
                        const void *of, struct error *e)
{
    const struct picture p = {r, draw, of};
    return output_picture(r->info, &r->c->plan->base, name, draw_picture, &p, e);
}

int calibration_file_open(const struct calibration_report *r, const char *name,
                          struct atomic_file *w, char **path, struct error *e)
{
    *path = text_format("%s/%s", r->info->directory, name);
    int status = *path ? spare_inputs(r, *path, e) : error_memory(e);
    if (!status) status = atomic_file_open(w, *path, e);
    if (status) free(*path);
    return status;
}

int calibration_file_close(const struct calibration_report *r, struct atomic_file *w, char *path,
                           struct error *e)
{
    int status = atomic_file_finish(w, e);
    status = output_done(r->info, path, status, e);
    free(path);
    return status;
}

/* ---- evaluations.csv ------------------------------------------------------------------------- */

static void put_number(FILE *f, double x)
{
    char text[32];
    fprintf(f, ",%s", isfinite(x) ? number_text(x, text) : "");
}

/* Members of a posterior are in order of their evaluations. */
static void put_weight(FILE *f, const struct posterior_sample *s, int evaluation, int *next)
{
    const bool is_member = *next < s->count && s->member[*next].evaluation == evaluation;
    fprintf(f, ",%" PRId64, is_member ? s->member[(*next)++].weight : 0);
}

/* What is reported of each observation that the search sees, and of each eruption: heads, or the
 * numbers of an evaluation. */
static void put_heads(FILE *f, const struct calibration *c)
{
    char name[OBSERVED_NAME];
    for (int k = 0; k < c->eruptions && c->eruptions > 1; k++)
        if (c->eruption[k].observed.any[PART_SEEN])
            fprintf(f, ",score_%s,score_error_%s", eruption_name(c, k), eruption_name(c, k));
    for (int k = 0; k < c->eruptions; k++)
        for (int i = 0; i < c->eruption[k].observed.count; i++) {
            const struct observation *x = &c->eruption[k].observed.item[i];
            if (!x->counts[PART_SEEN]) continue;
            fprintf(f, ",score_%s", observed_name(c, k, i, name));
            if (x->unit) fprintf(f, ",error_%s_%s", name, x->unit);
        }
}

static void put_details(FILE *f, const struct calibration *c, int evaluation)
{
    const double *detail = evaluation_detail(c, evaluation);
    for (int k = 0; k < c->eruptions && c->eruptions > 1; k++) {
        if (!c->eruption[k].observed.any[PART_SEEN]) continue;
        put_number(f, detail[detail_eruption(&c->details, k)]);
        put_number(f, detail[detail_eruption_error(&c->details, k)]);
    }
    for (int k = 0; k < c->eruptions; k++)
        for (int i = 0; i < c->eruption[k].observed.count; i++) {
            const struct observation *x = &c->eruption[k].observed.item[i];
            if (!x->counts[PART_SEEN]) continue;
            put_number(f, detail[c->eruption[k].first + i]);
            if (x->unit) put_number(f, detail[detail_error(&c->details, c->eruption[k].first + i)]);
        }
}

static void put_evaluations(FILE *f, const struct calibration *c, const struct posterior_sample *s)
{
    char name[FIT_NAME];
    fputs("evaluation,generation,restart,score,score_error", f);
    for (int i = 0; i < c->fits; i++) fprintf(f, ",%s", fit_name(c, i, name));
    put_heads(f, c);
    if (c->posterior) fputs(",weight", f);
    putc('\n', f);
    int next = 0;
    for (int k = 0; k < c->count; k++) {
        const struct evaluation *x = &c->evaluation[k];
        fprintf(f, "%d,%" PRId64 ",%d", k, x->generation, x->restart);
        put_number(f, x->score);
        put_number(f, x->error);
        for (int i = 0; i < c->fits; i++) put_number(f, x->value[i]);
        put_details(f, c, k);
        if (c->posterior) put_weight(f, s, k, &next);
        putc('\n', f);
    }
}

static int write_evaluations(const struct calibration_report *r, struct error *e)
{
    struct posterior_sample s = {0};
    struct atomic_file w;
    char *path;
    int status = r->c->posterior ? posterior_sample_create(&s, r->c, e) : 0;
    if (!status) status = calibration_file_open(r, "evaluations.csv", &w, &path, e);
    if (!status) put_evaluations(w.stream, r->c, &s);
    posterior_sample_free(&s);
    return status ? status : calibration_file_close(r, &w, path, e);
}

/* ---- summary.json ---------------------------------------------------------------------------- */

static void add_search(cJSON *root, const struct calibration_report *r)
{
    const struct calibration *c = r->c;
    const int population =
        c->keys.population ? (int)c->keys.population : cmaes_default_population(c->fits);
    cJSON *o = cJSON_AddObjectToObject(root, "search");
    cJSON_AddStringToObject(o, "method",
                            c->posterior
                                ? "approximate Bayesian computation, sequential Monte Carlo"
                                : "CMA-ES, restarts with twice the population");
    cJSON_AddStringToObject(o, "end",
                            c->posterior     ? posterior_end(c, r->interrupted)
                            : r->interrupted ? "interrupted"
                                             : "complete");
    cJSON_AddNumberToObject(o, "budget", (double)c->budget);
    cJSON_AddNumberToObject(o, "evaluations", c->count);
    cJSON_AddNumberToObject(o, "cannot_be_run", c->impossible);
    cJSON_AddNumberToObject(o, "noise_members", (double)c->keys.noise_members);
    cJSON_AddNumberToObject(o, "terrain_error_m", c->plan->keys.terrain_error_m);
    cJSON_AddNumberToObject(o, "terrain_error_length_m", c->plan->keys.terrain_error_length_m);
    if (c->posterior) {
        posterior_add_search(o, c);
    } else {
        cJSON_AddNumberToObject(o, "population", population);
        cJSON_AddNumberToObject(o, "generations", (double)c->search.generation);
        cJSON_AddNumberToObject(o, "restarts", c->search.restart);
    }
    cJSON_AddNumberToObject(o, "seed", (double)c->seed);
}

static void add_fitted(cJSON *root, const struct calibration *c)
{
    const struct evaluation *own = &c->evaluation[0],
                            *best = c->best < 0 ? NULL : &c->evaluation[c->best];
    char name[FIT_NAME];
    cJSON_AddNumberToObject(root, "fitted_parameters", c->fits);
    cJSON *list = cJSON_AddArrayToObject(root, "fitted");
    for (int i = 0; i < c->fits; i++) {
        const struct fit *f = &c->fit[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddStringToObject(o, "name", fit_name(c, i, name));
        cJSON_AddNumberToObject(o, "low", f->low);
        cJSON_AddNumberToObject(o, "high", f->high);
        cJSON_AddStringToObject(o, "scale", f->log ? "log" : "linear");
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
    const struct unseen *u = &c->finalist;
    const char *best = c->posterior ? "posterior" : "best";
    cJSON *o = cJSON_CreateObject();
    char key[64];
    cJSON_AddItemToArray(list, o);
    cJSON_AddStringToObject(o, "name", x->name);
    if (c->eruptions > 1) cJSON_AddStringToObject(o, "eruption", eruption_name(c, eruption));
    if (x->inside) cJSON_AddStringToObject(o, "score", score_names[x->score]);
    cJSON_AddNumberToObject(o, "weight", x->key.weight);
    if (!x->inside && !x->value) cJSON_AddNumberToObject(o, "value", x->key.value);
    if (x->unit) cJSON_AddStringToObject(o, "error_unit", x->unit);
    if (x->unit) cJSON_AddNumberToObject(o, "error_scale", x->scale);
    cJSON_AddBoolToObject(o, "seen", x->counts[PART_SEEN]);
    cJSON_AddBoolToObject(o, "held_out", x->counts[PART_HELD]);
    for (int p = 0; p < PARTS && u->members; p++) {
        const char *part = p == PART_SEEN ? "seen" : "held_out";
        snprintf(key, sizeof key, "%s_%s", best, part);
        cJSON_AddNumberToObject(o, key, u->of[of->first + number][p]);
        snprintf(key, sizeof key, "%s_error_%s", best, part);
        if (x->unit) cJSON_AddNumberToObject(o, key, u->error_of[of->first + number][p]);
    }
}

static void add_observed(cJSON *root, const struct calibration *c)
{
    cJSON_AddStringToObject(root, "score", score_names[c->keys.score]);
    cJSON *list = cJSON_AddArrayToObject(root, "observed");
    for (int k = 0; k < c->eruptions; k++)
        for (int i = 0; i < c->eruption[k].observed.count; i++) add_observation(list, c, k, i);
}

/* NaN becomes null. */
static cJSON *add_score(cJSON *o, const char *name, double mean, double error)
{
    cJSON *s = cJSON_AddObjectToObject(o, name);
    cJSON_AddNumberToObject(s, "mean", mean);
    cJSON_AddNumberToObject(s, "error", error);
    return s;
}

static void add_unseen_of(cJSON *o, const char *name, const struct unseen *u, int eruption)
{
    if (!u->members) return;
    cJSON *s = cJSON_AddObjectToObject(o, name);
    add_score(s, "in_sample", u->eruption[eruption][PART_SEEN],
              u->eruption_error[eruption][PART_SEEN]);
    add_score(s, "held_out", u->eruption[eruption][PART_HELD],
              u->eruption_error[eruption][PART_HELD]);
}

static void add_eruptions(cJSON *root, const struct calibration *c)
{
    if (c->eruptions == 1) return;
    cJSON *list = cJSON_AddArrayToObject(root, "eruptions");
    for (int k = 0; k < c->eruptions; k++) {
        const struct eruption *x = &c->eruption[k];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddStringToObject(o, "name", eruption_name(c, k));
        cJSON_AddNumberToObject(o, "weight", x->weight);
        cJSON_AddNumberToObject(o, "cell_m", x->plan->base.geo.cell_m);
        cJSON_AddBoolToObject(o, "seen", x->observed.any[PART_SEEN]);
        cJSON_AddBoolToObject(o, "held_out", x->observed.any[PART_HELD]);
        if (c->best >= 0 && !c->posterior) {
            const double *detail = evaluation_detail(c, c->best);
            add_score(o, "best_noise_of_the_search", detail[detail_eruption(&c->details, k)],
                      detail[detail_eruption_error(&c->details, k)]);
        }
        add_unseen_of(o, c->posterior ? "posterior" : "best", &c->finalist, k);
        add_unseen_of(o, "as_it_stands", &c->as_it_stands, k);
    }
}

static void add_scores(cJSON *o, const char *name, const struct unseen *u, int part)
{
    cJSON *s = add_score(o, name, u->mean[part], u->error[part]);
    cJSON_AddNumberToObject(s, "least", u->least[part]);
    cJSON_AddNumberToObject(s, "most", u->most[part]);
}

/* in_sample: the observations are those that were fitted, though the noise is not. */
static cJSON *add_unseen(cJSON *root, const char *name, const struct calibration *c,
                         const struct unseen *u, int evaluation)
{
    cJSON *o = cJSON_AddObjectToObject(root, name);
    if (evaluation >= 0) {
        const struct evaluation *x = &c->evaluation[evaluation];
        cJSON_AddNumberToObject(o, "evaluation", evaluation);
        add_score(o, "noise_of_the_search", x->score, x->error);
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
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddNumberToObject(o, "evaluation", c->among[i].evaluation);
        cJSON_AddNumberToObject(o, "mean", c->among[i].mean);
        cJSON_AddNumberToObject(o, "error", c->among[i].error);
    }
}

char *calibration_summary_text(const struct calibration_report *r)
{
    const struct calibration *c = r->c;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "software", "sciara");
    cJSON_AddStringToObject(root, "version", r->info->version);
    cJSON_AddStringToObject(root, "kind", c->posterior ? "posterior" : "calibration");
    output_list_plan(root, &c->plan->base, c->digest);
    output_list_grid(root, &c->plan->base);
    add_search(root, r);
    add_fitted(root, c);
    add_eruptions(root, c);
    add_observed(root, c);
    add_hold_out(root, c);
    bool whole = true;
    if (c->posterior) {
        whole = !posterior_add(add_unseen(root, "posterior", c, &c->finalist, -1), c, NULL);
    } else {
        add_finalists(root, c);
        add_unseen(root, "best", c, &c->finalist, c->best);
    }
    add_unseen(root, "as_it_stands", c, &c->as_it_stands, 0);
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    cJSON_AddNumberToObject(o, "search_s", r->search_s);
    cJSON_AddNumberToObject(o, "total_s", r->total_s);
    cJSON_AddNumberToObject(o, "threads", r->threads);
    cJSON_AddNumberToObject(o, "devices", r->devices);
    char *text = output_finish_summary(root, r->info);
    if (whole) return text;
    free(text);
    return NULL;
}

/* ---- all ------------------------------------------------------------------------------------- */

int calibration_report_write(const struct calibration_report *r, struct error *e)
{
    output_go_on(r->info);
    int status = write_evaluations(r, e);
    const bool best = r->c->best >= 0 && !r->c->posterior;
    if (!status && r->c->posterior) status = posterior_write(r, e);
    if (!status && best) status = calibration_best_cases(r, e);
    if (!status && best) status = calibration_plots(r, e);
    if (!status && r->ensemble.s) status = report_products(&r->ensemble, e);
    return status ? status : output_end(r->info, &r->c->plan->base, calibration_summary_text(r), e);
}
