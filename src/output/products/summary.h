/* summary.h — parts of summary.json that runs and studies share. */
#pragma once

#include "files.h"
#include "sim/fields.h"

/* Each of these functions adds an object or a list to *root. */
struct cJSON;
/* The plan of a study. known: the inputs that are exactly known; assets: the file of places of interest; NULL: none. */
void output_list_plan(struct cJSON *root, const struct sim_case *base, const char *known,
                      const char *assets, uint64_t digest);
/* The grid and, if layers in the folder *f show only a part of the grid, their extent. f NULL: no folder. */
void output_list_grid(struct cJSON *root, const struct sim_case *c, const struct output_folder *f);
/* Changes of the terrain after the start. end_step: the last step of a run; -1: there is no run. If
 * there is a run, each entry tells whether the run made the change. */
void output_list_changes(struct cJSON *root, const struct sim_case *c, int64_t end_step);
/* The barriers, and the volumes that the initial barriers fill and excavate. The size of each barrier is computed as if
 * it were alone on the terrain. */
void output_list_barriers(struct cJSON *root, const struct sim_case *c);
/* The sea of a case, if it has one. */
void output_list_sea(struct cJSON *root, const struct sim_case *c);
/* The source of the parameters, the size of cells for which they hold, and their scaled values. */
void output_list_resolution(struct cJSON *root, const struct sim_case *c);
/* All warnings. A warning has a kind, a text and, if there is one, a remedy. */
struct warnings;
void output_list_warnings(struct cJSON *root, const struct warnings *w);
/* Parameters of the model by their names, in the order of their table. */
void output_list_parameters(struct cJSON *root, const char *name, const struct params *p);
/* An amount of lava: quanta, metres and cubic metres on cells of area_m2. */
void output_list_amount(struct cJSON *o, const char *name, quanta q, double area_m2);
/* Adds the files, frees *root, and returns its text, malloc'ed; NULL: out of memory. */
char *output_finish_summary(struct cJSON *root, const struct output_info *info);
