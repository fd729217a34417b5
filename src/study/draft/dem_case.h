/* dem_case.h — writes a case for a terrain of `sciara dem`: one vent with one rate, to be edited. */
#pragma once

#include "dem/dem.h"
#include "text/file_group.h"

struct dem_case_words {
    double vent[2]; /* degrees (latitude first) or metres; NaN: that of --around, or the middle */
    double rate_m3_s, hours;
    const char *parameters; /* name of a parameter set */
};

/* A case in the making. Its files get their names once the case has been read as a run reads it. */
struct dem_case {
    const struct dem_case_words *q;
    const struct dem_request *of;
    const struct dem_result *r;
    char *head, *stem; /* path of its file; that without folder and ending */
    struct file_group files;
};

/* Opens the case of d->q before anything is computed, with a temporary name for each file; sets of->written to the terrain's
 * temporary name. */
int dem_case_open(struct dem_case *d, struct dem_request *of, struct error *e);
/* Writes the case once the terrain is written. */
int dem_case_write(struct dem_case *d, const struct dem_result *r, struct file_progress *progress,
                   struct error *e);
void dem_case_close(struct dem_case *d); /* all-zero but q is fine */
