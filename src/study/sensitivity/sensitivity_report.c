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

void sensitivity_rank(const struct sensitivity *x, int stage, int quantity, int order[FITS_MAX])
{
    const double *by =
        x->stage[stage].index[quantity].of[stage == STAGE_SOBOL ? SOBOL_ST : MORRIS_MU_STAR];
    for (int i = 0; i < x->fits; i++) {
        int k = i;
        for (; k > 0 && by[i] > by[order[k - 1]]; k--) order[k] = order[k - 1];
        order[k] = i;
    }
}

/* ---- indices --------------------------------------------------------------------------------- */

/* Of whatever is done. */
static int find_indices(struct sensitivity *x, struct error *e)
{
    int status = 0;
    for (int i = 0; i < STAGES && !status; i++) {
        struct stage *s = &x->stage[i];
        free(s->index);
        s->index = NULL;
        if (!s->wanted || s->done < 2) continue;
        if (!(s->index = malloc((size_t)x->quantities * sizeof *s->index))) return error_memory(e);
        for (int q = 0; q < x->quantities && !status; q++)
            status = sensitivity_indices(&s->index[q], x, s, q, e);
    }
    x->indexed = status ? 0 : sensitivity_runs(x);
    return status;
}

static void add_parameters(cJSON *list, const struct product_at *at)
{
    const struct sensitivity *x = at->of;
    for (int i = 0; i < x->fits; i++) {
        cJSON *o = json_add_object(list);
        cJSON_AddStringToObject(o, "name", sensitivity_name(x, i));
        json_add_numbers(o, {"low", x->fit[i].low}, {"high", x->fit[i].high});
        cJSON_AddStringToObject(o, "scale", x->fit[i].log ? "log" : "linear");
    }
}

static void add_sampling(cJSON *o, const struct product_at *at)
{
    const struct sensitivity *x = at->of;
    cJSON_AddStringToObject(o, "end", study_end(x->job));
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

static void add_quantity(cJSON *to, const struct sensitivity *x, int stage, int quantity)
{
    const struct stage *s = &x->stage[stage];
    const struct indices *of = &s->index[quantity];
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
    const struct sensitivity *x = at->of;
    const int stage = at->row->number;
    const struct stage *s = &x->stage[stage];
    const bool sobol = stage == STAGE_SOBOL;
    json_add_numbers(o, {sobol ? "samples" : "trajectories", s->done},
                     {sobol ? "samples_asked_for" : "trajectories_asked_for", s->design.groups});
    if (sobol) cJSON_AddBoolToObject(o, "second_order", s->design.second_order);
    else cJSON_AddNumberToObject(o, "levels", s->design.levels);
    json_add_numbers(o, {"runs", (double)stage_runs(x, s, s->done)}, {"runs_off_terrain", s->left});
    if (!s->index) return;
    cJSON *names = cJSON_AddArrayToObject(o, "names");
    for (int i = 0; i < x->fits; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(sensitivity_name(x, i)));
    cJSON *of = cJSON_AddObjectToObject(o, "quantities");
    for (int q = 0; q < x->quantities; q++) add_quantity(of, x, stage, q);
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
    {PRODUCT_ENTRY, "morris", PRODUCT_COUNT(struct sensitivity, stage[STAGE_MORRIS].wanted),
     .entry = add_stage, .number = STAGE_MORRIS},
    {PRODUCT_ENTRY, "sobol", PRODUCT_COUNT(struct sensitivity, stage[STAGE_SOBOL].wanted),
     .entry = add_stage, .number = STAGE_SOBOL},
};

static char *summary(const struct study_job *j)
{
    static const struct product_table table = {PRODUCT_TABLE_OF(entries)};
    const struct sensitivity *x = j->self;
    const struct products p = {.info = &j->info, .of = x, .table = &table, .kind = "sensitivity"};
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

static int open_study(struct study_job *j, struct error *e)
{
    static const struct sensitivity_options as_planned = {.seed = -1};
    struct sensitivity *x = j->self;
    int status = sensitivity_open(x, j->plan, j->options ? j->options : &as_planned, e);
    if (!status) j->c = &x->plan->base;
    x->job = j;
    return status;
}

/* The indices are kept for summary() and what a command prints. */
static int write_files(const struct study_job *j, struct error *e)
{
    struct sensitivity *x = j->self;
    int status = j->info.reader && x->indexed == sensitivity_runs(x) ? 0 : find_indices(x, e);
    for (int i = 0; i < STAGES && !status; i++)
        if (x->stage[i].index) status = sensitivity_products(x, i, e);
    return status;
}

const struct study study_sensitivity = {.name = "sensitivity",
                                        .size = sizeof(struct sensitivity),
                                        .file = SENSITIVITY_STATE,
                                        .ending = "-sensitivity",
                                        .state = &sensitivity_state,
                                        .files = &sensitivity_files,
                                        .open = open_study,
                                        .close = sensitivity_close,
                                        .unfinished = sensitivity_unfinished,
                                        .runs = sensitivity_runs,
                                        .round = sensitivity_round,
                                        .digest = sensitivity_digest,
                                        .write = write_files,
                                        .summary = summary};
