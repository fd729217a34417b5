/* dem_case.h — writes a case for a terrain of `sciara dem`: one vent with one rate, which the user can edit. */
#pragma once

#include "dem/dem.h"
#include "text/file_group.h"

struct dem_case_words {
    /* degrees (latitude first) or metres; NaN: point of --around, or middle of the terrain */
    double vent[2];
    double rate_m3_s, hours;
    const char *parameters; /* name of a parameter set */
};

/* A case that is being written. Its files get their final names only if a run could read the case. */
struct dem_case {
    const struct dem_case_words *q;
    const struct dem_request *of;
    const struct dem_result *r;
    char *head, *stem; /* path of the case file; its name without ending */
    struct file_group files;
};

/* Opens the files of the case that d->q describes. They have temporary names until the terrain is computed and the case
 * written. Sets of->written to the temporary name of the terrain. */
int dem_case_open(struct dem_case *d, struct dem_request *of, struct error *e);
/* Writes the case, after the terrain has been written. */
int dem_case_write(struct dem_case *d, const struct dem_result *r, struct file_progress *progress,
                   struct error *e);
void dem_case_close(struct dem_case *d); /* all-zero except q is fine */
