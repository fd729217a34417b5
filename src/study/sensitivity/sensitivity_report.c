/* sensitivity_report.c — indices and summary of a sensitivity analysis, and its table of functions as a
 * study (study/study.h). */
#include "sensitivity.h"

#include "products/summary.h"
#include "restart/json_number.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *sensitivity_name(const struct sensitivity *x, int coordinate)
{
    return variable_row(x->fit[coordinate].variable).name;
}

void sensitivity_effort(const struct sensitivity *x, int stage, char text[96])
{
    const struct stage *s = &x->stage[stage];
    snprintf(text, 96, "%" PRId64 " %s, %" PRId64 " runs", s->done,
             stage == STAGE_MORRIS ? "trajectories" : "samples", stage_runs(x, s, s->done));
}

void sensitivity_rank(const struct sensitivity_report *r, int stage, int quantity,
                      int order[FITS_MAX])
{
    const double *by = r->of[stage][quantity].of[stage == STAGE_SOBOL ? SOBOL_ST : MORRIS_MU_STAR];
    for (int i = 0; i < r->x->fits; i++) {
        int k = i;
        for (; k > 0 && by[i] > by[order[k - 1]]; k--) order[k] = order[k - 1];
        order[k] = i;
    }
}

/* ---- indices --------------------------------------------------------------------------------- */

/* r->of, of whatever is done. */
static int find_indices(struct sensitivity_report *r, struct error *e)
{
    const struct sensitivity *x = r->x;
    int status = 0;
    for (int i = 0; i < STAGES && !status; i++) {
        r->wanted[i] = x->stage[i].wanted;
        if (!x->stage[i].wanted || x->stage[i].done < 2) continue;
        r->of[i] = malloc((size_t)x->quantities * sizeof *r->of[i]);
        if (!r->of[i]) status = error_memory(e);
        for (int q = 0; q < x->quantities && !status; q++)
            status = sensitivity_indices(&r->of[i][q], x, &x->stage[i], q, e);
    }
    return status;
}

static void report_free(struct sensitivity_report *r)
{
    for (int i = 0; r && i < STAGES; i++) free(r->of[i]);
    free(r);
}

static void add_parameters(cJSON *list, const struct product_at *at)
{
    const struct sensitivity *x = ((const struct sensitivity_report *)at->of)->x;
    for (int i = 0; i < x->fits; i++) {
        cJSON *o = json_add_object(list);
        cJSON_AddStringToObject(o, "name", sensitivity_name(x, i));
        json_add_numbers(o, {"low", x->fit[i].low}, {"high", x->fit[i].high});
        cJSON_AddStringToObject(o, "scale", x->fit[i].log ? "log" : "linear");
    }
}

static void add_sampling(cJSON *o, const struct product_at *at)
{
    const struct sensitivity_report *r = at->of;
    const struct sensitivity *x = r->x;
    cJSON_AddStringToObject(o, "end", study_end(r->job));
    json_add_numbers(o, {"seed", x->seed}, {"runs", sensitivity_runs(x)},
                     {"noise_members", x->keys.noise_members},
                     {"terrain_error_m", x->plan->keys.terrain_error_m},
                     {"terrain_error_length_m", x->plan->keys.terrain_error_length_m},
                     {"resamples", x->keys.resamples}, {"confidence", x->keys.confidence});
}

/* A square with the pairs above its diagonal, as SALib has it. */
static void add_pairs(cJSON *o, const char *name, int n,
                      const double of[DESIGN_DIMENSIONS_MAX][DESIGN_DIMENSIONS_MAX])
{
    cJSON *rows = cJSON_AddArrayToObject(o, name);
    for (int i = 0; i < n; i++) cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(of[i], n));
}

static void add_quantity(cJSON *to, const struct sensitivity_report *r, int stage, int quantity)
{
    const struct sensitivity *x = r->x;
    const struct stage *s = &x->stage[stage];
    const struct indices *of = &r->of[stage][quantity];
    cJSON *o = cJSON_AddObjectToObject(to, x->quantity[quantity].name);
    json_add_numbers(o, {"mean", of->mean}, {"variance", of->variance},
                     {"noise_share", sensitivity_noise_share(x, s, quantity, of)});
    for (int k = 0; k < INDEX_COLUMNS; k++)
        cJSON_AddItemToObject(o, (stage == STAGE_SOBOL ? sobol_columns : morris_columns)[k],
                              cJSON_CreateDoubleArray(of->of[k], x->fits));
    if (stage != STAGE_SOBOL || !x->keys.second_order) return;
    add_pairs(o, "S2", x->fits, of->S2);
    add_pairs(o, "S2_conf", x->fits, of->S2_conf);
}

static void add_stage(cJSON *o, const struct product_at *at)
{
    const struct sensitivity_report *r = at->of;
    const int stage = at->row->number;
    const struct sensitivity *x = r->x;
    const struct stage *s = &x->stage[stage];
    const bool sobol = stage == STAGE_SOBOL;
    json_add_numbers(o, {sobol ? "samples" : "trajectories", s->done},
                     {sobol ? "samples_asked_for" : "trajectories_asked_for", s->design.groups});
    if (sobol) cJSON_AddBoolToObject(o, "second_order", s->design.second_order);
    else cJSON_AddNumberToObject(o, "levels", s->design.levels);
    json_add_numbers(o, {"runs", (double)stage_runs(x, s, s->done)}, {"runs_off_terrain", s->left});
    if (!r->of[stage]) return;
    cJSON *names = cJSON_AddArrayToObject(o, "names");
    for (int i = 0; i < x->fits; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(sensitivity_name(x, i)));
    cJSON *of = cJSON_AddObjectToObject(o, "quantities");
    for (int q = 0; q < x->quantities; q++) add_quantity(of, r, stage, q);
    const struct cell_view v = stage_cells(x, s);
    double cells[FITS_MAX] = {0};
    for (size_t i = 0; i < s->cells.places; i++) {
        const int64_t *sum = cells_at(&s->cells, i);
        const int best = sum ? cell_dominating(&v, sum) : -1;
        if (best >= 0) cells[best]++;
    }
    cJSON_AddItemToObject(o, "cells_dominated", cJSON_CreateDoubleArray(cells, x->fits));
}

static const struct product entries[] = {
    {PRODUCT_LIST, "parameters", .entry = add_parameters},
    {PRODUCT_ENTRY, "sampling", .entry = add_sampling},
    {PRODUCT_ENTRY, "morris", PRODUCT_COUNT(struct sensitivity_report, wanted[STAGE_MORRIS]),
     .entry = add_stage, .number = STAGE_MORRIS},
    {PRODUCT_ENTRY, "sobol", PRODUCT_COUNT(struct sensitivity_report, wanted[STAGE_SOBOL]),
     .entry = add_stage, .number = STAGE_SOBOL},
};

static char *summary_text(const struct sensitivity_report *r)
{
    static const struct product_table table = {PRODUCT_TABLE_OF(entries)};
    const struct sensitivity *x = r->x;
    const struct study_job *j = r->job;
    const struct products p = {.info = &j->info, .of = r, .table = &table, .kind = "sensitivity"};
    cJSON *root = products_summary(&p);
    output_list_plan(root, &x->plan->base, x->digest);
    output_list_grid(root, &x->plan->base, j->info.folder);
    products_entries(root, &p);
    json_add_hex(root, "digest", sensitivity_digest(x));
    cJSON *o = cJSON_AddObjectToObject(root, "timing");
    json_add_numbers(o, {"compute_s", j->compute_s}, {"total_s", j->total_s},
                     {"threads", j->device_count ? 0 : j->threads}, {"devices", j->device_count});
    return output_finish_summary(root, &j->info);
}

/* ---- the study ------------------------------------------------------------------------------- */

static int write_report(const struct sensitivity_report *r, struct error *e)
{
    const struct output_info *info = &r->job->info;
    int status = 0;
    output_note_failures(info);
    for (int i = 0; i < STAGES && !status; i++)
        if (r->of[i]) status = sensitivity_products(r, i, e);
    return status ? status : output_end(info, &r->x->plan->base, summary_text(r), e);
}

static int open_study(struct study_job *j, struct error *e)
{
    static const struct sensitivity_options as_planned = {.seed = -1};
    struct sensitivity *x = j->self;
    int status = sensitivity_open(x, j->plan, j->options ? j->options : &as_planned, e);
    if (!status) j->c = &x->plan->base;
    return status;
}

static void close_study(void *self)
{
    report_free(((struct sensitivity *)self)->report);
    sensitivity_close(self);
}

/* Its indices are kept for summary() and what a command prints. */
static int write_files(const struct study_job *j, struct error *e)
{
    struct sensitivity *x = j->self;
    if (j->info.reader && x->report && x->reported == sensitivity_runs(x))
        return write_report(x->report, e);
    x->reported = sensitivity_runs(x);
    report_free(x->report);
    struct sensitivity_report *r = x->report = malloc(sizeof *r);
    if (!r) return error_memory(e);
    *r = (struct sensitivity_report){.x = x, .job = j};
    int status = find_indices(r, e);
    return status ? status : write_report(r, e);
}

static char *summary(const struct study_job *j)
{
    return summary_text(((const struct sensitivity *)j->self)->report);
}

const struct study study_sensitivity = {.name = "sensitivity",
                                        .size = sizeof(struct sensitivity),
                                        .file = SENSITIVITY_STATE,
                                        .ending = "-sensitivity",
                                        .state = &sensitivity_state,
                                        .files = &sensitivity_files,
                                        .open = open_study,
                                        .close = close_study,
                                        .unfinished = sensitivity_unfinished,
                                        .runs = sensitivity_runs,
                                        .round = sensitivity_round,
                                        .digest = sensitivity_digest,
                                        .write = write_files,
                                        .summary = summary};
