/* summary.h — parts of summary.json that runs and studies share. */
#ifndef SCIARA_OUTPUT_SUMMARY_H
#define SCIARA_OUTPUT_SUMMARY_H

#include "files.h"
#include "sim/fields.h"

/* Parts of summary.json that all kinds of runs have: where the grid lies, with the
 * cells that the parameters are for, and the end. */
struct cJSON;
void output_list_plan(struct cJSON *root, const struct sim_case *base, uint64_t digest);
void output_list_grid(struct cJSON *root, const struct sim_case *c);
/* What changes its terrain after the beginning; of a run that ended with that step, and -1: of
 * none, whether it was made. */
void output_list_changes(struct cJSON *root, const struct sim_case *c, int64_t end_step);
/* Its barriers, each by itself on its terrain, and how much those of the beginning change that. */
void output_list_barriers(struct cJSON *root, const struct sim_case *c);
/* The sea of a case, if it has one. */
void output_list_sea(struct cJSON *root, const struct sim_case *c);
/* Where the parameters come from, for which cells they are, and what that changes: part of the
 * grid's. */
void output_list_resolution(struct cJSON *root, const struct sim_case *c);
/* An amount of lava: quanta, metres and cubic metres on cells of area_m2. */
void output_list_amount(struct cJSON *o, const char *name, quanta q, double area_m2);
/* Adds the files and frees *root; its text, malloc'ed, NULL: out of memory. */
char *output_finish_summary(struct cJSON *root, const struct output_info *info);

#endif
