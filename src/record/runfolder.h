/* runfolder.h — reads the folder that a run has written (output.h). */
#pragma once

#include "base/error.h"
#include "raster/raster.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

/* Rasters that the summary of the folder does not list are skipped. Old summaries have no list. Then rasters of steps
 * after the last step are skipped. */
struct runfolder {
    char *path;
    int64_t step;          /* the last step, from the summary; -1: unknown */
    int count;             /* number of rasters: *.tif, *.asc, *.stt */
    char **name;           /* file names, sorted */
    int other_count;       /* rasters that are not of this run, skipped */
    char **other;          /* their names, sorted */
    struct cJSON *summary; /* summary.json; NULL: the folder has none */
};

/* The file with the members of an ensemble (members/library.h), and its first bytes. */
#define LIBRARY_NAME "library.gpkg"
#define LIBRARY_HEAD "SQLite format 3"

/* The list of the files that a command writes. It remains if the command is killed. */
#define RUNFOLDER_WRITING "writing.json"

bool runfolder_is(const char *path); /* whether the path is the path of a folder */

/* ERROR_INPUT: the folder cannot be read, it has neither rasters nor a summary, its summary is broken, or a raster
 * has been replaced since the run wrote it. Then *r is all zero. sums: whether to compare the rasters with their
 * checksums; false if the run has just written them. */
int runfolder_open(struct runfolder *r, const char *path, bool sums, struct error *e);
/* Opens a folder as runfolder_open() does, but takes `summary` in place of the folder's summary.json. summary NULL:
 * there is no summary. *r becomes the owner of the summary. */
int runfolder_open_as(struct runfolder *r, const char *path, struct cJSON *summary, bool sums,
                      struct error *e);
void runfolder_close(struct runfolder *r); /* all-zero is fine */

/* Reads summary.json of a folder; *summary is NULL if the file is missing. ERROR_INPUT: the file is not JSON. The caller
 * frees *summary with cJSON_Delete(). */
int runfolder_summary(struct cJSON **summary, const char *folder, struct error *e);

/* ERROR_INPUT: a command is writing to the folder or was killed, and there is no summary.json. */
int runfolder_check_written(const char *folder, struct error *e);

/* Compares the files with this ending to the list of the summary. ERROR_INPUT: a listed file is in the folder, but
 * differs. */
int runfolder_check(const struct cJSON *summary, const char *folder, const char *ending,
                    struct error *e);

/* Reads a JSON list that sciara keeps in a folder; *list is NULL if the file is missing. ERROR_INPUT: sciara did not write
 * the file. */
int runfolder_list(struct cJSON **list, const char *path, struct error *e);

/* summary[group][key], or summary[key] if group is NULL; NULL: the item is missing. If the item is missing or of another
 * type, summary_text() returns "" and summary_number() NaN. */
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

/* Makes an entry. sum NULL: the entry gets no checksum, because shown.json has the checksum of a painted file. */
struct filesum;
struct cJSON *runfiles_entry(const char *name, const struct filesum *sum);

/* Whether the file at that path has the entry's size and checksum. */
bool runfiles_same(const struct cJSON *entry, const char *path);

/* The step in "thickness_m_016000.tif" or "2006_000000016000_Thickness.stt"; -1: none. The step is the last number
 * of at least six digits that follows an underscore and precedes an underscore or the ending. */
int64_t runfolder_step(const char *name);

/* The step of the file "PREFIX_016000.tif", or with a date "PREFIX_016000_20060724T0000Z.tif", where ".tif" stands for
 * `ending`; -1: the file has another name. */
int64_t runfolder_layer_step(const char *name, const char *prefix, const char *ending);

/* Whether a name is the name of a state (restart/restart.h), "state_016000.tif". Sets *step, unless step is NULL. */
#define RUNFOLDER_STATE "state_"
bool runfolder_is_state(const char *name, int64_t *step);

/* The raster with this name, without regard to dates in names. NULL: none. */
const char *runfolder_same(const struct runfolder *r, const char *name);

/* The path of the layer PREFIX at the last step, malloc'ed; NULL: none. *step becomes this step. If the last step is not
 * known, the latest step of the layer is used. */
char *runfolder_latest(const struct runfolder *r, const char *prefix, int64_t *step);
/* Whether there is a layer PREFIX of any step. */
bool runfolder_has(const struct runfolder *r, const char *prefix);
