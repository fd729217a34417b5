/* calibration_report.h — the files of a calibration: the best candidate as a case, all evaluations, diagrams, and
 * the summary. The best candidate also has the files of an ensemble. */
#pragma once

#include "calibration.h"
#include "ensemble/report.h"

#include <stdio.h>

/* The files of a struct calibration. Their names also identify the files of an earlier calibration in a folder. */
extern const struct product_table calibration_files;

/* Why a posterior ended: "tolerance", "acceptance", "budget", ... */
const char *posterior_end(const struct calibration *c, bool interrupted);

/* calibration_report.c: calibration_write() writes all files except the summary. calibration_summary() returns the text
 * of the summary, which the caller frees. */
int calibration_write(const struct study_job *j, struct error *e);
void calibration_warn(const struct study_job *j, struct warnings *w);
char *calibration_summary(const struct study_job *j);

/* posterior.c: sets c->sample. */
int posterior_sample(struct calibration *c, struct error *e);
struct cJSON;
void posterior_put_members(struct table *t, const struct product_at *at);
int posterior_put_forecast(FILE *f, const struct product_at *at, struct error *e);
int posterior_draw_corner(const struct product_at *at, struct error *e);
int posterior_draw_trace(const struct product_at *at, struct error *e);
/* posterior_add_search() adds the plan's keys posterior_* to summary.json. posterior_add() adds the
 * results. */
void posterior_add_search(struct cJSON *o, const struct calibration *c);
void posterior_add(struct cJSON *o, const struct calibration *c);

/* best_case.c: the files of each eruption, such as best.cfg for the plan's own eruption and best_NAME.cfg for another.
 * The first three functions set the name of a file; false: the eruption has no such file. */
bool best_name(const void *of, int i, char *name, char *about);
bool best_has_vents(const void *of, int i, char *name, char *about);
bool best_has_rates(const void *of, int i, char *name, char *about);
void best_put_vents(struct table *t, const struct product_at *at);
int best_put_rates(FILE *f, const struct product_at *at, struct error *e);
int best_put_case(FILE *f, const struct product_at *at, struct error *e);

/* Adds a fitted parameter with its bounds and scale to a list. */
struct cJSON *calibration_add_fit(struct cJSON *list, const struct fit *f);

/* Writes the title of an axis as packed words (text/words.h), such as "log10 of rate_factor". Returns out. */
enum { FIT_AXIS = FIT_NAME + 48 };
char *fit_axis_pack(char out[FIT_AXIS], const struct fit *f, bool log);

/* A name as a part of a file name: "Phc(Tsol)" becomes "Phc_Tsol". */
void calibration_file_word(const char *name, char out[FIT_NAME]);

/* best_case.c: case_line_put() writes a line of a case. case_line_copy() copies a line of a plan. If the line names a
 * file, the name becomes relative to `folder`. */
struct keyvalue;
void case_line_put(FILE *f, const char *key, const char *value);
int case_line_copy(FILE *f, const char *folder, const struct plan *p, const struct keyvalue *line,
                   struct error *e);
