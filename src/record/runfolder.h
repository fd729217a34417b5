/* runfolder.h — reading back the folder that a run left (output.h). */
#pragma once

#include "base/error.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

/* Rasters in the folder that its summary does not list are skipped. (Old summaries have no list; then
 * rasters of steps after the last one are skipped.) */
struct runfolder {
    char *path;
    int64_t step;          /* the last step, from the summary; -1: unknown */
    int count;             /* number of rasters: *.tif, *.asc, *.stt */
    char **name;           /* file names, sorted */
    int other_count;       /* rasters that are not of this run, skipped */
    char **other;          /* their names, sorted */
    struct cJSON *summary; /* summary.json; NULL: the folder has none */
};

/* The library of the members of an ensemble (members/library.h), and how the file begins. */
#define LIBRARY_NAME "library.gpkg"
#define LIBRARY_HEAD "SQLite format 3"

bool runfolder_is(const char *path); /* whether the path is that of a folder */

/* ERROR_INPUT: the folder cannot be read, has neither rasters nor a summary, has a broken summary, or a raster has been
 * replaced since the run wrote it; *r is all zero then. `sums`: contents are compared with checksums; false: the run has
 * just written them. */
int runfolder_open(struct runfolder *r, const char *path, bool sums, struct error *e);
/* runfolder_open() with a summary that the folder does not have yet and that *r owns from then on; NULL: none. */
int runfolder_open_as(struct runfolder *r, const char *path, struct cJSON *summary, bool sums,
                      struct error *e);
void runfolder_close(struct runfolder *r); /* all-zero is fine */

/* Reads summary.json of a folder; *summary is NULL if there is none. ERROR_INPUT: it is not JSON. The caller frees it with
 * cJSON_Delete(). */
int runfolder_summary(struct cJSON **summary, const char *folder, struct error *e);

/* ERROR_INPUT: a file with that ending that the summary lists is there, but differs. */
int runfolder_check(const struct cJSON *summary, const char *folder, const char *ending,
                    struct error *e);

/* Reads a list in JSON that sciara keeps in a folder; *list NULL: there is none. ERROR_INPUT: it is not by sciara. */
int runfolder_list(struct cJSON **list, const char *path, struct error *e);

/* summary[group][key], or summary[key] if group is NULL; NULL: it is missing. summary_text() is "" and summary_number() is
 * NaN if it is missing or of another type. */
const struct cJSON *summary_item(const struct cJSON *summary, const char *group, const char *key);
const char *summary_text(const struct cJSON *summary, const char *group, const char *key);
double summary_number(const struct cJSON *summary, const char *group, const char *key);

/* The grid of a run's whole domain, without CRS; rows 0: not known. Layers may show a part of it. */
struct raster runfolder_domain(const struct cJSON *summary);

/* The files that a summary lists, by name. The entries belong to the summary. */
struct runfiles {
    bool listed; /* false for summaries of earlier versions, which have no list */
    struct _GHashTable *entry;
};
struct runfiles runfiles_of(const struct cJSON *summary); /* NULL is fine */
void runfiles_free(struct runfiles *f);                   /* all-zero is fine */

/* The entry of a file; NULL: it is not listed. */
const struct cJSON *runfiles_find(const struct runfiles *f, const char *name);

/* Makes an entry; sum NULL: without a checksum, which another list has (shown.h). */
struct filesum;
struct cJSON *runfiles_entry(const char *name, const struct filesum *sum);

/* Whether the file at that path has the entry's size and checksum. */
bool runfiles_same(const struct cJSON *entry, const char *path);

/* The step in "thickness_m_016000.tif" or "2006_000000016000_Thickness.stt": the last number of six
 * digits or more between an underscore and the next or the ending; -1: none. */
int64_t runfolder_step(const char *name);

/* The step of the file "PREFIX_016000.tif", or with a date "PREFIX_016000_20060724T0000Z.tif", where ".tif" stands for
 * `ending`; -1: another file. */
int64_t runfolder_layer_step(const char *name, const char *prefix, const char *ending);

/* Whether a file is a state (restart/restart.h), "state_016000.tif", and its step. */
#define RUNFOLDER_STATE "state_"
bool runfolder_is_state(const char *name, int64_t *step);

/* The raster with this name, whether either name has a date or not; NULL: none. */
const char *runfolder_same(const struct runfolder *r, const char *name);

/* Path of the layer PREFIX of the last step, malloc'ed, and that step; NULL: none. If no summary names the last step, it is
 * the latest that the layer has. */
char *runfolder_latest(const struct runfolder *r, const char *prefix, int64_t *step);
bool runfolder_has(const struct runfolder *r, const char *prefix); /* any layer PREFIX */
