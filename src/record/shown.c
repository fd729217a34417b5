#include "shown.h"

#include "json_number.h"
#include "picture_mark.h"
#include "record.h"
#include "runfolder.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static cJSON *files_of(const struct shown *s)
{
    return cJSON_GetObjectItemCaseSensitive(s->root, "files");
}

int shown_read(struct shown *s, const char *folder, struct error *e)
{
    *s = (struct shown){.path = text_format("%s/" SHOWN_FILE, folder)};
    const int status = s->path ? runfolder_list(&s->root, s->path, e) : error_memory(e);
    if (status) return status;
    s->there = s->root;
    if (s->there && cJSON_IsArray(files_of(s))) return 0;
    cJSON_Delete(s->root);
    s->root = cJSON_CreateObject();
    cJSON_AddStringToObject(s->root, "software", "sciara");
    cJSON_AddNumberToObject(s->root, "record", RECORD_VERSION);
    return cJSON_AddArrayToObject(s->root, "files") ? 0 : error_memory(e);
}

/* Reads shown.json in the folder of a file. */
static int read_beside(struct shown *s, const char *path, struct error *e)
{
    FREED char *folder = path_beside(path, ".");
    *s = (struct shown){0};
    return folder ? shown_read(s, folder, e) : error_memory(e);
}

void shown_free(struct shown *s)
{
    free(s->path);
    cJSON_Delete(s->root);
    *s = (struct shown){0};
}

static cJSON *find_entry(const struct shown *s, const char *path)
{
    cJSON *entry;
    cJSON_ArrayForEach (entry, files_of(s))
        if (!strcmp(summary_text(entry, NULL, "name"), path_name(path))) return entry;
    return NULL;
}

const char *shown_digest(const struct shown *s)
{
    return summary_text(s->root, NULL, "digest");
}

bool shown_is_changed(const struct shown *s, const char *path)
{
    const cJSON *entry = find_entry(s, path);
    return entry && !runfiles_same(entry, path);
}

/* Whether a file is unchanged since it was painted. The list of its folder decides. If the list lacks the file, its
 * seal decides. A list that sciara did not write is ignored. */
static bool is_as_painted(const char *path)
{
    FREED_BY(shown_free) struct shown s;
    const cJSON *entry = read_beside(&s, path, NULL) ? NULL : find_entry(&s, path);
    return entry ? runfiles_same(entry, path) : picture_is_ours(path);
}

int shown_spare(const char *path, const char *begins, struct error *e)
{
    struct stat s;
    if (lstat(path, &s)) return 0; /* no file; if the path is unusable, writing reports it */
    if (S_ISREG(s.st_mode) && textfile_begins(path, begins) && is_as_painted(path)) return 0;
    return error_input(e,
                       "%s: would be overwritten, but was not written by sciara, or was changed "
                       "later; move it, or choose another output",
                       path);
}

bool shown_forget(struct shown *s, const char *path)
{
    cJSON *entry = find_entry(s, path);
    if (!entry) return false;
    cJSON_Delete(cJSON_DetachItemViaPointer(files_of(s), entry));
    return true;
}

int shown_add(struct shown *s, const char *path, const struct filesum *sum, struct error *e)
{
    struct filesum own;
    if (!sum && !filesum_of(&own, path))
        return error_failed(e, "%s: cannot be read back: %s", path, strerror(errno));
    shown_forget(s, path);
    cJSON *entry = runfiles_entry(path_name(path), sum ? sum : &own);
    return cJSON_AddItemToArray(files_of(s), entry) ? 0 : error_memory(e);
}

int shown_write(const struct shown *s, const char *digest, struct error *e)
{
    if (!s->there && !cJSON_GetArraySize(files_of(s))) return 0;
    cJSON *root = cJSON_Duplicate(s->root, true);
    json_sort_by_name(cJSON_GetObjectItemCaseSensitive(root, "files"));
    if (*digest) {
        cJSON_DeleteItemFromObjectCaseSensitive(root, "digest");
        cJSON_AddStringToObject(root, "digest", digest);
    }
    FREED char *text = json_printed(root);
    return text ? atomic_file_text(s->path, text, e) : error_memory(e);
}

int shown_note(const char *path, struct error *e)
{
    FREED_BY(shown_free) struct shown s;
    int status = read_beside(&s, path, e);
    if (status || !s.there) return status;
    status = shown_add(&s, path, NULL, e);
    return status ? status : shown_write(&s, "", e);
}
