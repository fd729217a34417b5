/* calibration_report.h — the files of a calibration: the best as a case, all evaluations, diagrams,
 * the ensemble of the best with noise that the search has not seen, and the summary. */
#pragma once

#include "calibration.h"
#include "ensemble/report.h"

#include <stdio.h>

/* Its rows, also to know our files in a folder by their names. */
extern const struct product_table calibration_files;

/* Members and their percentiles of each parameter. */
struct marginal {
    double mean, sd, p025, p50, p975;
};
struct posterior_sample {
    int count; /* 0: no population has been computed */
    struct posterior_member *member;
    struct marginal of[FITS_MAX];
};
int posterior_sample_create(struct posterior_sample *s, const struct calibration *c,
                            struct error *e);
void posterior_sample_free(struct posterior_sample *s); /* all-zero is fine */

/* "tolerance", "acceptance", "budget", ...: why it ended. */
const char *posterior_end(const struct calibration *c, bool interrupted);

/* What the rows of calibration_files show. */
struct calibration_view {
    const struct study_job *job;
    const struct calibration *c;                        /* of the job */
    struct posterior_sample sample;                     /* of a posterior */
    int members, best, best_eruptions, best_parameters; /* numbers of files; 0: none of them */
};

/* calibration_report.c: all files but the summary, which is malloc'ed. */
int calibration_write(const struct study_job *j, struct error *e);
char *calibration_summary(const struct study_job *j);

/* posterior.c */
struct cJSON;
int posterior_put_members(FILE *f, const struct product_at *at, struct error *e);
int posterior_put_forecast(FILE *f, const struct product_at *at, struct error *e);
int posterior_draw_corner(const struct product_at *at, struct error *e);
int posterior_draw_trace(const struct product_at *at, struct error *e);
/* Of summary.json: what was requested; the results. */
void posterior_add_search(struct cJSON *o, const struct calibration *c);
void posterior_add(struct cJSON *o, const struct calibration *c, const struct posterior_sample *s);

/* best_case.c, of each eruption: best.cfg, and best_NAME.cfg of those that the plan names. Its name;
 * false: it has no such file. */
bool best_name(const void *of, int i, char *name, char *about);
bool best_has_vents(const void *of, int i, char *name, char *about);
bool best_has_rates(const void *of, int i, char *name, char *about);
int best_put_vents(FILE *f, const struct product_at *at, struct error *e);
int best_put_rates(FILE *f, const struct product_at *at, struct error *e);
int best_put_case(FILE *f, const struct product_at *at, struct error *e);

/* A name as a part of a file's: "Phc(Tsol)" becomes "Phc_Tsol". */
void calibration_file_word(const char *name, char out[FIT_NAME]);

/* best_case.c: a line of a case; one of a plan, in which a file is named from the folder. */
struct keyvalue;
void case_line_put(FILE *f, const char *key, const char *value);
int case_line_copy(FILE *f, const char *folder, const struct plan *p, const struct keyvalue *line,
                   struct error *e);
