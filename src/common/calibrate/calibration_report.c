#include "posterior_report.h"

#include "ensemble/verify.h"
#include "text/number.h"
#include "text/textfile.h"
#include "text/wholefile.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------
 */

bool calibration_is_file(const char *name)
{
    static const char *const names[] = {RECORD_NAME,      "best.cfg",      "best_vents.csv",
                                        "best_rates.csv", "trace.png",     "evaluations.csv",
                                        "forecast.cfg",   "posterior.png", "tolerance.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    for (int i = 0; i < VARIABLES; i++) {
        char word[32], file[64];
        calibration_file_word(variable_row(i).name, word);
        snprintf(file, sizeof file, "score_%s.png", word);
        if (!strcmp(name, file)) return true;
    }
    return report_is_file(name);
}

void calibration_file_word(const char *name, char out[32])
{
    int n = 0;
    for (; *name && n < 31; name++)
        if (*name == '(') out[n++] = '_';
        else if (*name != ')') out[n++] = *name;
    out[n] = '\0';
}

int calibration_file_path(const struct calibration_report *r, const char *name, char **path,
                          struct error *e)
{
    *path = output_file_path(r->info, &r->c->plan->base, name, e);
    return *path ? 0 : e->code;
}

int calibration_file_done(const struct calibration_report *r, char *path, int status,
                          struct error *e)
{
    if (!status) status = output_wrote(r->info, path, e);
    free(path);
    return status;
}

int calibration_file_open(const struct calibration_report *r, const char *name, struct wholefile *w,
                          char **path, struct error *e)
{
    int status = calibration_file_path(r, name, path, e);
    if (status) return status;
    status = wholefile_open(w, *path, e);
    if (status) free(*path);
    return status;
}

int calibration_file_close(const struct calibration_report *r, struct wholefile *w, char *path,
                           struct error *e)
{
    return calibration_file_done(r, path, wholefile_finish(w, e), e);
}

/* ---- evaluations.csv --------------------------------------------------------------------------
 */

static void put_number(FILE *f, double x)
{
    char text[32];
    fprintf(f, ",%s", isnan(x) ? "" : number_text(x, text));
}

/* Members of a posterior are in order of their evaluations. */
static void put_weight(FILE *f, const struct posterior_sample *s, int evaluation, int *next)
{
    const bool is_member = *next < s->count && s->member[*next].evaluation == evaluation;
    fprintf(f, ",%" PRId64, is_member ? s->member[(*next)++].weight : 0);
}

static void put_evaluations(FILE *f, const struct calibration *c, const struct posterior_sample *s)
{
    fputs("evaluation,generation,restart,score,score_error", f);
    for (int i = 0; i < c->fits; i++) fprintf(f, ",%s", variable_row(c->fit[i].variable).name);
    for (int i = 0; i < c->observed.count; i++)
        if (c->observed.item[i].counts[PART_SEEN])
            fprintf(f, ",score_%s", c->observed.item[i].name);
    if (c->posterior) fputs(",weight", f);
    putc('\n', f);
    int next = 0;
    for (int k = 0; k < c->count; k++) {
        const struct evaluation *x = &c->evaluation[k];
        fprintf(f, "%d,%" PRId64 ",%d", k, x->generation, x->restart);
        put_number(f, x->score);
        put_number(f, x->error);
        for (int i = 0; i < c->fits; i++) put_number(f, x->value[i]);
        for (int i = 0; i < c->observed.count; i++)
            if (c->observed.item[i].counts[PART_SEEN]) put_number(f, x->of[i]);
        if (c->posterior) put_weight(f, s, k, &next);
        putc('\n', f);
    }
}

static int write_evaluations(const struct calibration_report *r, struct error *e)
{
    struct posterior_sample s = {0};
    struct wholefile w;
    char *path;
    int status = r->c->posterior ? posterior_sample_create(&s, r->c, e) : 0;
    if (!status) status = calibration_file_open(r, "evaluations.csv", &w, &path, e);
    if (!status) put_evaluations(w.stream, r->c, &s);
    posterior_sample_free(&s);
    return status ? status : calibration_file_close(r, &w, path, e);
}

/* ---- summary.json -----------------------------------------------------------------------------
 */

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
    cJSON_AddNumberToObject(root, "fitted_parameters", c->fits);
    cJSON *list = cJSON_AddArrayToObject(root, "fitted");
    for (int i = 0; i < c->fits; i++) {
        const struct fit *f = &c->fit[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddStringToObject(o, "name", variable_row(f->variable).name);
        cJSON_AddNumberToObject(o, "low", f->low);
        cJSON_AddNumberToObject(o, "high", f->high);
        cJSON_AddStringToObject(o, "scale", f->log ? "log" : "linear");
        cJSON_AddNumberToObject(o, "as_it_stands", own->value[i]);
        if (best) cJSON_AddNumberToObject(o, "best", best->value[i]);
    }
}

static void add_hold_out(cJSON *root, const struct calibration *c)
{
    const struct hold_out_key *h = &c->keys.hold_out;
    if (!c->hold_out) {
        cJSON_AddNullToObject(root, "hold_out");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, "hold_out");
    if (h->kind == HOLD_OUT_AFTER) cJSON_AddNumberToObject(o, "after_h", h->time_s / 3600);
    else cJSON_AddItemToObject(o, "left_of", cJSON_CreateDoubleArray(h->at, 4));
}

static void add_observed(cJSON *root, const struct calibration *c)
{
    cJSON_AddStringToObject(root, "score", score_names[c->observed.score]);
    cJSON *list = cJSON_AddArrayToObject(root, "observed");
    for (int i = 0; i < c->observed.count; i++) {
        const struct observation *x = &c->observed.item[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddItemToArray(list, o);
        cJSON_AddStringToObject(o, "name", x->name);
        cJSON_AddNumberToObject(o, "weight", x->key.weight);
        if (!x->inside) cJSON_AddNumberToObject(o, "value", x->key.value);
        cJSON_AddBoolToObject(o, "seen", x->counts[PART_SEEN]);
        cJSON_AddBoolToObject(o, "held_out", x->counts[PART_HELD]);
        if (!c->finalist.members) continue;
        cJSON_AddNumberToObject(o, c->posterior ? "posterior_seen" : "best_seen",
                                c->finalist.of[i][PART_SEEN]);
        cJSON_AddNumberToObject(o, c->posterior ? "posterior_held_out" : "best_held_out",
                                c->finalist.of[i][PART_HELD]);
    }
}

static void add_scores(cJSON *o, const char *name, const struct unseen *u, int part)
{
    cJSON *s = cJSON_AddObjectToObject(o, name);
    cJSON_AddNumberToObject(s, "mean", u->mean[part]); /* NaN becomes null */
    cJSON_AddNumberToObject(s, "error", u->error[part]);
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
        cJSON *s = cJSON_AddObjectToObject(o, "noise_of_the_search");
        cJSON_AddNumberToObject(s, "mean", x->score);
        cJSON_AddNumberToObject(s, "error", x->error);
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

/* ---- all --------------------------------------------------------------------------------------
 */

static int write_ensemble(const struct report *r, struct error *e)
{
    struct verification v;
    int status = report_layers(r, e);
    if (!status) status = report_tables(r, e);
    if (!status) status = report_maps(r, e);
    if (status || !r->s->outline) return status;
    verify(&v, r->s);
    return report_verification(r, &v, e);
}

int calibration_report_write(const struct calibration_report *r, struct error *e)
{
    int status = write_evaluations(r, e);
    const bool best = r->c->best >= 0 && !r->c->posterior;
    if (!status && r->c->posterior) status = posterior_write(r, e);
    if (!status && best) status = calibration_best_case(r, e);
    if (!status && best) status = calibration_plots(r, e);
    if (!status && r->ensemble.s) status = write_ensemble(&r->ensemble, e);
    if (status) return status;
    char *path = text_format("%s/summary.json", r->info->directory),
         *text = path ? calibration_summary_text(r) : NULL;
    status = text ? output_spare(&r->c->plan->base, path, e) : error_failed(e, "out of memory");
    if (!status) status = wholefile_text(path, text, e);
    free(path);
    free(text);
    return status;
}
