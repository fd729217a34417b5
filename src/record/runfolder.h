/* runfolder.h — reading back the folder that a run left (output.h). */
#pragma once

#include "base/error.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

/* A folder may hold rasters that are not listed in the summary of the run: these are skipped. (Old
 * summaries have no list: then rasters of steps beyond the last one are skipped.) */
struct runfolder {
    char *path;
    int64_t step;          /* the last one, by the summary; -1: unknown */
    int count;             /* of rasters: *.tif, *.asc, *.stt */
    char **name;           /* file names, sorted */
    int other_count;       /* rasters that are not of this run, skipped */
    char **other;          /* their names, sorted */
    struct cJSON *summary; /* summary.json, NULL: none there */
};

bool runfolder_is(const char *path); /* is it a folder at all? */

/* ERROR_INPUT if the folder cannot be read, has neither rasters nor a summary, a broken summary, or
 * a raster under a name of the run that is not the file that it wrote; *r is all zero then.
 * `sums`: compares contents with checksums; false: the run has just written them. */
int runfolder_open(struct runfolder *r, const char *path, bool sums, struct error *e);
/* runfolder_open() with the summary that the folder is going to have, which belongs to *r from then
 * on; NULL: none. */
int runfolder_open_as(struct runfolder *r, const char *path, struct cJSON *summary, bool sums,
                      struct error *e);
void runfolder_close(struct runfolder *r); /* all-zero is fine */

/* summary.json of a folder, *summary NULL: there is none. ERROR_INPUT: it is not JSON. The caller
 * frees with cJSON_Delete(). */
int runfolder_summary(struct cJSON **summary, const char *folder, struct error *e);

/* ERROR_INPUT: one of the files with that ending that the summary lists is there, and is another. */
int runfolder_check(const struct cJSON *summary, const char *folder, const char *ending,
                    struct error *e);

/* A list in JSON that sciara keeps in a folder, *list NULL: there is no such file. ERROR_INPUT: it is another's. */
int runfolder_list(struct cJSON **list, const char *path, struct error *e);

/* summary[group][key], or summary[key] where group is NULL; NULL: there is none. The text "" and the
 * number NaN where it is missing or of another type. */
const struct cJSON *summary_item(const struct cJSON *summary, const char *group, const char *key);
const char *summary_text(const struct cJSON *summary, const char *group, const char *key);
double summary_number(const struct cJSON *summary, const char *group, const char *key);

/* The grid of a run's whole domain, without its CRS; rows 0: not known. Layers may show a part. */
struct raster runfolder_domain(const struct cJSON *summary);

/* The files that a summary lists, by name. Entries belong to the summary. */
struct runfiles {
    bool listed; /* summaries of old have no list */
    struct _GHashTable *entry;
};
struct runfiles runfiles_of(const struct cJSON *summary); /* NULL is fine */
void runfiles_free(struct runfiles *f);                   /* all-zero is fine */

/* The entry of the file of that name; NULL: none. */
const struct cJSON *runfiles_find(const struct runfiles *f, const char *name);

/* A new one; sum NULL: another list has it (shown.h). */
struct filesum;
struct cJSON *runfiles_entry(const char *name, const struct filesum *sum);

/* Whether the file at that path has the size and checksum of the entry. */
bool runfiles_same(const struct cJSON *entry, const char *path);

/* The step in "thickness_m_016000.tif" or "2006_000000016000_Thickness.stt": the last number of six
 * digits or more between an underscore and the next or the ending; -1: none. */
int64_t runfolder_step(const char *name);

/* The step of a file "PREFIX_016000.tif" with that ending, or one that bears its date, too,
 * "PREFIX_016000_20060724T0000Z.tif"; -1: another file. */
int64_t runfolder_layer_step(const char *name, const char *prefix, const char *ending);

/* Whether a file of that name is a state (restart/restart.h), "state_016000.tif", and of which step. */
#define RUNFOLDER_STATE "state_"
bool runfolder_is_state(const char *name, int64_t *step);

/* The raster of that name, but for a date in either; NULL: none. */
const char *runfolder_same(const struct runfolder *r, const char *name);

/* Path of the layer PREFIX of the last step (of the latest there is, where no summary
 * names the last one), malloc'ed, and the step; NULL: none. */
char *runfolder_latest(const struct runfolder *r, const char *prefix, int64_t *step);
bool runfolder_has(const struct runfolder *r, const char *prefix); /* such a layer */
