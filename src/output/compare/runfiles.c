/* runfiles.c — the list of files in a summary.json: which of those in a folder a run wrote. */
#include "runfolder.h"

#include "text/filesum.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *runfiles_name(const cJSON *entry)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(entry, "name");
    return cJSON_IsString(name) ? name->valuestring : NULL;
}

/* A list leads to no other folder. */
static bool is_usable(const cJSON *entry)
{
    const char *name = runfiles_name(entry);
    return name && *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(runfiles_name(*(const cJSON *const *)a), runfiles_name(*(const cJSON *const *)b));
}

int runfiles_create(struct runfiles *f, const cJSON *summary, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(summary, "files"), *entry;
    *f = (struct runfiles){.listed = cJSON_IsArray(list)};
    if (!f->listed) return 0;
    f->entry = malloc(((size_t)cJSON_GetArraySize(list) + 1) * sizeof(const cJSON *));
    if (!f->entry) return error_memory(e);
    cJSON_ArrayForEach(entry, list) if (is_usable(entry)) f->entry[f->count++] = entry;
    if (f->count) qsort(f->entry, (size_t)f->count, sizeof *f->entry, by_name);
    return 0;
}

void runfiles_free(struct runfiles *f)
{
    free(f->entry);
    *f = (struct runfiles){0};
}

const cJSON *runfiles_find(const struct runfiles *f, const char *name)
{
    int low = 0, high = f->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = strcmp(runfiles_name(f->entry[middle]), name);
        if (order == 0) return f->entry[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

bool runfiles_same(const cJSON *entry, const char *path)
{
    const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(entry, "bytes");
    const cJSON *crc = cJSON_GetObjectItemCaseSensitive(entry, "crc32");
    struct filesum sum;
    char digits[9];
    if (!cJSON_IsNumber(bytes) || !cJSON_IsString(crc) || !filesum_of(&sum, path)) return false;
    snprintf(digits, sizeof digits, "%08" PRIx32, sum.crc32);
    return bytes->valuedouble == (double)sum.bytes && strcmp(crc->valuestring, digits) == 0;
}
