/* sensitivity_report.h — the files of a sensitivity analysis: tables of indices and of all points,
 * bars, layers and maps of where which parameter matters, and the summary. */
#ifndef SCIARA_SENSITIVITY_REPORT_H
#define SCIARA_SENSITIVITY_REPORT_H

#include "products/products.h"
#include "sensitivity.h"

struct sensitivity_report {
    const struct sensitivity *x;
    const struct study_job *job;
    int wanted[STAGES];         /* by sensitivity_report_create() */
    struct indices *of[STAGES]; /* of each quantity; NULL: the stage has not two groups */
};

/* Its rows, also to know our files in a folder by their names. */
extern const struct product_table sensitivity_files;

/* r->of, of whatever is done. */
int sensitivity_report_create(struct sensitivity_report *r, struct error *e);
void sensitivity_report_free(struct sensitivity_report *r);

/* All files, the summary last. */
int sensitivity_report_write(const struct sensitivity_report *r, struct error *e);

/* summary.json as text, malloc'ed; NULL: out of memory. */
char *sensitivity_summary_text(const struct sensitivity_report *r);

/* sensitivity_products.c: the files of a stage. */
int sensitivity_products(const struct sensitivity_report *r, int stage, struct error *e);

/* Coordinates by their total index or mu_star, the largest first. */
void sensitivity_rank(const struct sensitivity_report *r, int stage, int quantity,
                      int order[FITS_MAX]);
/* "Pcool" */
const char *sensitivity_name(const struct sensitivity *x, int coordinate);
/* "2,048 samples, 28,672 runs" */
void sensitivity_effort(const struct sensitivity *x, int stage, char text[96]);

#endif
