/* posterior_report.h — the files of a posterior, as calibration_report.h has those of a search. */
#ifndef SCIARA_POSTERIOR_REPORT_H
#define SCIARA_POSTERIOR_REPORT_H

#include "calibration_report.h"

/* Members and what they say of each parameter. */
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

/* members.csv, forecast.cfg and the diagrams. */
int posterior_write(const struct calibration_report *r, struct error *e);
int posterior_plots(const struct calibration_report *r, const struct posterior_sample *s,
                    struct error *e);

/* Of summary.json: what was wished for; what was found. */
struct cJSON;
void posterior_add_search(struct cJSON *o, const struct calibration *c);
int posterior_add(struct cJSON *o, const struct calibration *c, struct error *e);

#endif
