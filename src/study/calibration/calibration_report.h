/* calibration_report.h — the files of a calibration: the best as a case, all evaluations, diagrams,
 * the ensemble of the best with noise that the search has not seen, and the summary. */
#ifndef SCIARA_CALIBRATION_REPORT_H
#define SCIARA_CALIBRATION_REPORT_H

#include "calibration.h"
#include "ensemble/report.h"
#include "products/picture.h"

#include <stdio.h>

struct calibration_report {
    const struct calibration *c;
    struct report ensemble; /* of the best; .s NULL: it was not run, or not to its end */
    const struct output_info *info;
    bool interrupted;
    int threads, devices;
    double search_s, total_s;
};

/* Whether a name in the folder is that of a file of a calibration. */
bool calibration_is_file(const char *name);

/* All files, the summary last. There is an evaluation at least. */
int calibration_report_write(const struct calibration_report *r, struct error *e);

/* summary.json as text, malloc'ed; NULL: out of memory. */
char *calibration_summary_text(const struct calibration_report *r);

/* ---- the parts ------------------------------------------------------------------------------- */

int calibration_plots(const struct calibration_report *r, struct error *e);
/* Of each eruption: best.cfg, and best_NAME.cfg of those that the plan names. */
int calibration_best_cases(const struct calibration_report *r, struct error *e);

/* A name as a part of a file's: "Phc(Tsol)" becomes "Phc_Tsol". */
void calibration_file_word(const char *name, char out[FIT_NAME]);

/* case_lines.c: a line of a case; one of a plan, in which a file is named from the folder. */
struct keyvalue;
void case_line_put(FILE *f, const char *key, const char *value);
int case_line_copy(FILE *f, const struct calibration_report *r, const struct plan *p,
                   const struct keyvalue *line, struct error *e);

/* A picture in all formats; none of its files is an input of an eruption. */
int calibration_picture(const struct calibration_report *r, const char *name, output_draw *draw,
                        const void *of, struct error *e);
/* FOLDER/NAME, checked to be no input; *path is the caller's. */
struct atomic_file;
int calibration_file_open(const struct calibration_report *r, const char *name,
                          struct atomic_file *w, char **path, struct error *e);
/* Gives it its name and notes it; frees path. */
int calibration_file_close(const struct calibration_report *r, struct atomic_file *w, char *path,
                           struct error *e);

#endif
