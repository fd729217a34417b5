#include "runfolder.h"

#include "text/textfile.h"

#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool runfolder_is(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool is_raster_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name &&
           (strcmp(dot, ".tif") == 0 || strcmp(dot, ".asc") == 0 || strcmp(dot, ".stt") == 0);
}

static int add_name(struct runfolder *r, const char *name)
{
    char **grown = realloc(r->name, ((size_t)r->count + 1) * sizeof *grown);
    if (!grown) return -1;
    r->name = grown;
    if (!(r->name[r->count] = text_format("%s", name))) return -1;
    r->count++;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_rasters(struct runfolder *r, struct error *e)
{
    DIR *folder = opendir(r->path);
    if (!folder)
        return error_input(e, "%s: cannot be read: %s; name the folder of a run", r->path,
                           strerror(errno));
    int failed = 0;
    for (struct dirent *entry; !failed && (entry = readdir(folder));)
        if (is_raster_name(entry->d_name)) failed = add_name(r, entry->d_name);
    closedir(folder);
    if (failed) return error_failed(e, "%s: out of memory", r->path);
    if (r->count) qsort(r->name, (size_t)r->count, sizeof *r->name, by_name);
    return 0;
}

static int read_summary(struct runfolder *r, struct error *e)
{
    struct textfile t = {0};
    struct stat s;
    char *path = text_format("%s/summary.json", r->path);
    int status = 0;
    if (!path) status = error_failed(e, "%s: out of memory", r->path);
    else if (stat(path, &s) == 0 && !(status = textfile_open(&t, path, e)) &&
             !(r->summary = cJSON_Parse(t.next)))
        status = error_input(e, "%s: is not JSON; run the case again or remove the file", path);
    textfile_close(&t);
    free(path);
    return status;
}

/* The step in "thickness_m_016000.tif" or "2006_000000016000_Thickness.stt": the last number of six
 * digits or more between an underscore and the next or the ending; -1: none. */
static int64_t step_of_raster(const char *name)
{
    int64_t step = -1;
    for (const char *bar = strchr(name, '_'); bar; bar = strchr(bar + 1, '_')) {
        const size_t count = strspn(bar + 1, "0123456789");
        if (count >= 6 && count <= 18 && strchr("_.", bar[1 + count]))
            step = strtoll(bar + 1, NULL, 10);
    }
    return step;
}

static void leave_out_stale(struct runfolder *r)
{
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(r->summary, "run");
    const cJSON *step = cJSON_GetObjectItemCaseSensitive(run, "step");
    int kept = 0;
    if (!cJSON_IsNumber(step) || !(step->valuedouble >= 0 && step->valuedouble < 1e18)) return;
    r->step = (int64_t)step->valuedouble;
    for (int i = 0; i < r->count; i++) {
        if (step_of_raster(r->name[i]) > r->step) free(r->name[i]);
        else r->name[kept++] = r->name[i];
    }
    r->stale = r->count - kept;
    r->count = kept;
}

int runfolder_open(struct runfolder *r, const char *path, struct error *e)
{
    *r = (struct runfolder){.path = text_format("%s", path), .step = -1};
    int status = r->path ? list_rasters(r, e) : error_failed(e, "%s: out of memory", path);
    if (!status) status = read_summary(r, e);
    if (!status) leave_out_stale(r);
    if (!status && r->count == 0 && !r->summary)
        status = error_input(
            e, "%s: holds neither layers nor summary.json; name the folder of a run", path);
    if (status) runfolder_close(r);
    return status;
}

void runfolder_close(struct runfolder *r)
{
    for (int i = 0; i < r->count; i++) free(r->name[i]);
    free(r->name);
    free(r->path);
    cJSON_Delete(r->summary);
    *r = (struct runfolder){0};
}

bool runfolder_has(const struct runfolder *r, const char *name)
{
    return r->count && bsearch(&name, r->name, (size_t)r->count, sizeof *r->name, by_name);
}

/* "PREFIX_016000.tif" -> 16000; -1 where the name is another. */
static int64_t step_of(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0 || name[length] != '_') return -1;
    const char *digits = name + length + 1;
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 18 || strcmp(digits + count, ".tif") != 0) return -1;
    return strtoll(digits, NULL, 10);
}

char *runfolder_latest(const struct runfolder *r, const char *prefix, int64_t *step)
{
    const char *latest = NULL;
    int64_t last = -1;
    for (int i = 0; i < r->count; i++) {
        const int64_t there = step_of(r->name[i], prefix);
        if (there > last && (r->step < 0 || there == r->step)) {
            last = there;
            latest = r->name[i];
        }
    }
    if (step) *step = last;
    return latest ? text_format("%s/%s", r->path, latest) : NULL;
}
