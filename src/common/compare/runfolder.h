/* runfolder.h — reading back the folder that a run left (output.h). */
#ifndef SCIARA_RUNFOLDER_H
#define SCIARA_RUNFOLDER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

/* A folder may still hold layers of an older run that went further than the one its summary is
 * about: these are skipped. */
struct runfolder {
    char *path;
    int64_t step;          /* the last one, as the summary says; -1: it does not */
    int stale;             /* rasters of later steps, skipped */
    int count;             /* of rasters: *.tif, *.asc, *.stt */
    char **name;           /* file names, sorted */
    struct cJSON *summary; /* summary.json, NULL: none there */
};

bool runfolder_is(const char *path); /* is it a folder at all? */

/* ERROR_INPUT if the folder cannot be read, has neither rasters nor a summary, or a broken summary;
 * *r is all zero then. */
int runfolder_open(struct runfolder *r, const char *path, struct error *e);
void runfolder_close(struct runfolder *r); /* all-zero is fine */

bool runfolder_has(const struct runfolder *r, const char *name);

/* Path of the layer PREFIX_NNNNNN.tif of the last step (of the latest there is, where no summary
 * says which is the last), malloc'ed, and the step; NULL: none. */
char *runfolder_latest(const struct runfolder *r, const char *prefix, int64_t *step);

#endif
