#include "runfolder.h"

#include "base/order.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <math.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a summary ------------------------------------------------------------------------------- */

const cJSON *summary_item(const cJSON *summary, const char *group, const char *key)
{
    const cJSON *o = group ? cJSON_GetObjectItemCaseSensitive(summary, group) : summary;
    return cJSON_GetObjectItemCaseSensitive(o, key);
}

const char *summary_text(const cJSON *summary, const char *group, const char *key)
{
    const cJSON *item = summary_item(summary, group, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

double summary_number(const cJSON *summary, const char *group, const char *key)
{
    const cJSON *item = summary_item(summary, group, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

struct raster runfolder_domain(const cJSON *summary)
{
    const double rows = summary_number(summary, "grid", "rows"),
                 cols = summary_number(summary, "grid", "cols");
    if (!(rows > 0 && rows < 1e9 && cols > 0 && cols < 1e9)) return (struct raster){0};
    return (struct raster){.rows = (int)rows,
                           .cols = (int)cols,
                           .geo = {.west_m = summary_number(summary, "grid", "west_m"),
                                   .south_m = summary_number(summary, "grid", "south_m"),
                                   .cell_m = summary_number(summary, "grid", "cell_m")}};
}

/* ---- the files that a summary lists ---------------------------------------------------------- */

/* Whether an entry names a file in the folder itself. No list may lead to another folder. */
static bool is_usable(const cJSON *entry)
{
    const char *name = summary_text(entry, NULL, "name");
    return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

struct runfiles runfiles_of(const cJSON *summary)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(summary, "files");
    const struct runfiles f = {cJSON_IsArray(list), g_hash_table_new(g_str_hash, g_str_equal)};
    cJSON *entry;
    cJSON_ArrayForEach (entry, list)
        if (is_usable(entry))
            g_hash_table_insert(
                f.entry, cJSON_GetObjectItemCaseSensitive(entry, "name")->valuestring, entry);
    return f;
}

void runfiles_free(struct runfiles *f)
{
    if (f->entry) g_hash_table_destroy(f->entry);
    *f = (struct runfiles){0};
}

const cJSON *runfiles_find(const struct runfiles *f, const char *name)
{
    return g_hash_table_lookup(f->entry, name);
}

cJSON *runfiles_entry(const char *name, const struct filesum *sum)
{
    cJSON *o = cJSON_CreateObject();
    char digits[9];
    cJSON_AddStringToObject(o, "name", name);
    if (!sum) return o;
    snprintf(digits, sizeof digits, "%08" PRIx32, sum->crc32);
    cJSON_AddNumberToObject(o, "bytes", (double)sum->bytes);
    cJSON_AddStringToObject(o, "crc32", digits);
    return o;
}

bool runfiles_same(const cJSON *entry, const char *path)
{
    struct filesum sum;
    char digits[9];
    if (!filesum_of(&sum, path)) return false;
    snprintf(digits, sizeof digits, "%08" PRIx32, sum.crc32);
    return summary_number(entry, NULL, "bytes") == (double)sum.bytes &&
           !strcmp(summary_text(entry, NULL, "crc32"), digits);
}

/* ---- the folder ------------------------------------------------------------------------------ */

bool runfolder_is(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool runfolder_is_state(const char *name, int64_t *step)
{
    if (strncmp(name, RUNFOLDER_STATE, strlen(RUNFOLDER_STATE)) != 0) return false;
    const char *digits = name + strlen(RUNFOLDER_STATE);
    const size_t count = strspn(digits, "0123456789");
    if (count < 6 || count > 18 || strcmp(digits + count, ".tif") != 0) return false;
    if (step) *step = strtoll(digits, NULL, 10);
    return true;
}

/* Whether a name is the name of a raster. A state does not count, because it is not a layer. */
static bool is_raster_name(const char *name)
{
    if (runfolder_is_state(name, NULL)) return false;
    const char *dot = strrchr(name, '.');
    return dot && dot != name &&
           (strcmp(dot, ".tif") == 0 || strcmp(dot, ".asc") == 0 || strcmp(dot, ".stt") == 0);
}

static int add_name(char ***list, int *count, const char *name)
{
    char *own = text_format("%s", name);
    if (own && APPEND(*list, *count, own)) return 0;
    free(own);
    return -1;
}

static int list_rasters(struct runfolder *r, struct error *e)
{
    DIR *folder = opendir(r->path);
    if (!folder)
        return error_input(e, "%s: cannot be read: %s; name the folder of a run", r->path,
                           strerror(errno));
    int failed = 0;
    for (struct dirent *entry; !failed && (entry = readdir(folder));)
        if (is_raster_name(entry->d_name)) failed = add_name(&r->name, &r->count, entry->d_name);
    closedir(folder);
    if (failed) return error_memory(e);
    if (r->count) qsort(r->name, (size_t)r->count, sizeof *r->name, order_names);
    return 0;
}

int runfolder_summary(struct cJSON **summary, const char *folder, struct error *e)
{
    FREED_BY(textfile_close) struct textfile t = {0};
    struct stat s;
    FREED char *path = text_format("%s/summary.json", folder);
    int status = 0;
    *summary = NULL;
    if (!path) status = error_memory(e);
    else if (stat(path, &s) == 0 && !(status = textfile_open(&t, path, e)) &&
             !(*summary = cJSON_Parse(t.next)))
        status = error_input(e, "%s: is not JSON; remove it, and compute the folder again", path);
    return status;
}

int runfolder_check_written(const char *folder, struct error *e)
{
    FREED char *writing = text_format("%s/" RUNFOLDER_WRITING, folder);
    FREED char *summary = text_format("%s/summary.json", folder);
    if (!writing || !summary) return error_memory(e);
    if (access(writing, F_OK) != 0 || access(summary, F_OK) == 0) return 0;
    return error_input(e,
                       "%s: is unfinished; wait for the command that writes it, or repeat it, with "
                       "--resume if it has this option",
                       folder);
}

int runfolder_list(cJSON **list, const char *path, struct error *e)
{
    FREED_BY(textfile_close) struct textfile t = {0};
    *list = NULL;
    if (access(path, F_OK)) return 0;
    int status = textfile_open(&t, path, e);
    if (!status) *list = cJSON_Parse(t.next);
    if (status || !strcmp(summary_text(*list, NULL, "software"), "sciara")) return status;
    cJSON_Delete(*list);
    *list = NULL;
    return error_input(
        e, "%s: would be overwritten, but was not written by an earlier run; move it", path);
}

static int check_sum(const char *folder, const char *name, const cJSON *entry, struct error *e)
{
    FREED char *path = text_format("%s/%s", folder, name);
    int status = 0;
    if (!path) status = error_memory(e);
    else if (!runfiles_same(entry, path))
        status = error_input(e,
                             "%s: was not written by the run of %s/summary.json, or was changed "
                             "later; run the case again",
                             path, folder);
    return status;
}

int runfolder_check(const cJSON *summary, const char *folder, const char *ending, struct error *e)
{
    const cJSON *entry;
    int status = 0;
    cJSON_ArrayForEach (entry, cJSON_GetObjectItemCaseSensitive(summary, "files")) {
        const char *name = summary_text(entry, NULL, "name");
        if (status || !is_usable(entry) || !text_ends(name, ending)) continue;
        FREED char *path = text_format("%s/%s", folder, name);
        if (!path) return error_memory(e);
        if (access(path, F_OK) == 0) status = check_sum(folder, name, entry, e);
    }
    return status;
}

int64_t runfolder_step(const char *name)
{
    int64_t step = -1;
    for (const char *bar = strchr(name, '_'); bar; bar = strchr(bar + 1, '_')) {
        const size_t count = strspn(bar + 1, "0123456789");
        if (count >= 6 && count <= 18 && strchr("_.", bar[1 + count]))
            step = strtoll(bar + 1, NULL, 10);
    }
    return step;
}

/* Moves names from r->name to r->other: the names of rasters that the run did not write. */
static int sort_out(struct runfolder *r, const struct runfiles *files, bool sums, struct error *e)
{
    int status = 0, kept = 0, i;
    for (i = 0; i < r->count && !status; i++) {
        const cJSON *entry = runfiles_find(files, r->name[i]);
        const bool beyond = r->step >= 0 && runfolder_step(r->name[i]) > r->step;
        if (entry && sums) status = check_sum(r->path, r->name[i], entry, e);
        if (entry || (!files->listed && !beyond)) {
            char *name = r->name[i];
            r->name[i] = r->name[kept];
            r->name[kept++] = name;
        } else if (add_name(&r->other, &r->other_count, r->name[i])) {
            status = error_memory(e);
        }
    }
    if (status) return status;
    for (i = kept; i < r->count; i++) free(r->name[i]);
    r->count = kept;
    return 0;
}

static int set_others_aside(struct runfolder *r, bool sums, struct error *e)
{
    const double step = summary_number(r->summary, "run", "step");
    FREED_BY(runfiles_free) struct runfiles files = runfiles_of(r->summary);
    if (step >= 0 && step < 1e18) r->step = (int64_t)step;
    return sort_out(r, &files, sums, e);
}

int runfolder_open(struct runfolder *r, const char *path, bool sums, struct error *e)
{
    cJSON *summary;
    *r = (struct runfolder){0};
    int status = runfolder_summary(&summary, path, e);
    return status ? status : runfolder_open_as(r, path, summary, sums, e);
}

int runfolder_open_as(struct runfolder *r, const char *path, cJSON *summary, bool sums,
                      struct error *e)
{
    *r = (struct runfolder){.path = text_format("%s", path), .summary = summary, .step = -1};
    int status = r->path ? list_rasters(r, e) : error_memory(e);
    if (!status) status = set_others_aside(r, sums, e);
    if (!status && r->count == 0 && !r->summary && !(status = runfolder_check_written(path, e)))
        status = error_input(
            e, "%s: holds neither layers nor summary.json; name the folder of a run", path);
    if (status) runfolder_close(r);
    return status;
}

void runfolder_close(struct runfolder *r)
{
    for (int i = 0; i < r->count; i++) free(r->name[i]);
    for (int i = 0; i < r->other_count; i++) free(r->other[i]);
    cJSON_Delete(r->summary);
    RELEASE(r, r->name, r->other, r->path);
}

/* Where the date begins in "thickness_m_016000_20060724T0000Z.tif"; NULL: the name has no date. */
static const char *date_in(const char *name)
{
    static const char shape[] = "_ddddddddTddddZ.";
    const char *dot = strrchr(name, '.');
    const size_t length = sizeof shape - 1;
    if (!dot || (size_t)(dot + 1 - name) < length) return NULL;
    const char *date = dot + 1 - length;
    for (size_t i = 0; i < length; i++)
        if (shape[i] == 'd' ? !isdigit((unsigned char)date[i]) : date[i] != shape[i]) return NULL;
    return date;
}

enum { NAME_ROOM = 256 };

/* Splits "thickness_m_016000_DATE.tif" or "thickness_m_016000.tif" into "thickness_m_016000" and
 * "thickness_m_016000.tif". */
static void split_name(char base[NAME_ROOM], char plain[NAME_ROOM], const char *name)
{
    const char *date = date_in(name), *dot = strrchr(name, '.');
    const char *end = date ? date : dot ? dot : name + strlen(name);
    snprintf(base, NAME_ROOM, "%.*s", (int)(end - name), name);
    snprintf(plain, NAME_ROOM, "%.*s%s", (int)(end - name), name, dot ? dot : "");
}

/* Names are sorted, so names with the same beginning are neighbours. There are only a few such names, so a linear
 * search is enough. */
const char *runfolder_same(const struct runfolder *r, const char *name)
{
    char base[NAME_ROOM], plain[NAME_ROOM], other_base[NAME_ROOM], other[NAME_ROOM];
    int low = 0, high = r->count;
    split_name(base, plain, name);
    ORDER_HALVE(i, low, high, strcmp(r->name[i], base) < 0);
    for (; low < r->count && !strncmp(r->name[low], base, strlen(base)); low++) {
        split_name(other_base, other, r->name[low]);
        if (!strcmp(plain, other)) return r->name[low];
    }
    return NULL;
}

int64_t runfolder_layer_step(const char *name, const char *prefix, const char *ending)
{
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 || name[length] != '_') return -1;
    const char *digits = name + length + 1, *date = date_in(name);
    const size_t count = strspn(digits, "0123456789");
    if (count < 6 || count > 18) return -1;
    const char *after = date == digits + count ? strrchr(name, '.') : digits + count;
    return strcmp(after, ending) ? -1 : strtoll(digits, NULL, 10);
}

bool runfolder_has(const struct runfolder *r, const char *prefix)
{
    FREED char *path = runfolder_latest(r, prefix, NULL);
    return path != NULL;
}

char *runfolder_latest(const struct runfolder *r, const char *prefix, int64_t *step)
{
    const char *latest = NULL;
    int64_t last = -1;
    for (int i = 0; i < r->count; i++) {
        const int64_t there = runfolder_layer_step(r->name[i], prefix, ".tif");
        if (there > last && (r->step < 0 || there == r->step)) {
            last = there;
            latest = r->name[i];
        }
    }
    if (step) *step = last;
    return latest ? text_format("%s/%s", r->path, latest) : NULL;
}
