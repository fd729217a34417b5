#include "archive.h"

#include "grow.h"
#include "scan.h"
#include "textfile.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

bool archive_is(const char *path)
{
    char head[8];
    return (text_has_extension(path, ".zip") || text_has_extension(path, ".kmz")) &&
           file_head(head, sizeof head, path) >= 4 && !memcmp(head, "PK\x03\x04", 4);
}

/* Returns the name of an entry without its folders; "" for the entries that macOS adds for each file. */
static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    return strncmp(base, "._", 2) ? base : "";
}

char *archive_file_of(const char *path)
{
    const char *colon = access(path, F_OK) ? strrchr(path, ':') : NULL;
    char *file = colon ? text_format("%.*s", (int)(colon - path), path) : NULL;
    if (file && archive_is(file)) return file;
    free(file);
    return text_format("%s", path);
}

static bool is_wanted(const char *name, const char *wanted)
{
    const char *base = base_of(name);
    FREED char *stem = text_format("%.*s", (int)strcspn(base, "."), base);
    return *base && (!*wanted || !strcmp(name, wanted) || !strcmp(base, wanted) ||
                     (stem && (!strcmp(wanted, stem) || !fnmatch(wanted, stem, 0))));
}

/* A search among the entries of an archive: what it looks for, then what it has found. */
struct search {
    const char *path, *const *endings, *wanted;
    struct error *e;
    int found, ending; /* number of entries that fit; index of the ending of `entry` */
    char *entry;       /* name of the first entry that fits */
    char names[256];   /* names of all that fit, for messages */
    double bytes;
    char ***list; /* receives "archive:entry" of each entry that fits; may be NULL */
    int *count;
};

static int look_at(struct search *s, const zip_stat_t *entry)
{
    static const char *const followed[] = {".vrt", ".msk", ".ovr", ".aux", NULL};
    const char *name = entry->name;
    s->bytes += (double)entry->size;
    if (text_find_extension(name, followed) >= 0)
        return error_input(s->e,
                           "%s: has %.100s, which cannot be read in an archive; unpack the archive "
                           "(unzip), and name a file in it",
                           s->path, name);
    const int ending = text_find_extension(name, s->endings);
    if (ending < 0 || !is_wanted(name, s->wanted)) return 0;
    /* Entries that differ only in their ending count as one. s->entry has the ending that is first in s->endings. */
    const size_t stem = s->entry ? (size_t)path_stem(s->entry) : 0, used = strlen(s->names);
    const bool again =
        s->entry && stem == (size_t)path_stem(name) && !strncmp(name, s->entry, stem);
    snprintf(s->names + used, sizeof s->names - used, "%s%.60s", used ? ", " : "", base_of(name));
    char *both = s->list && !again ? text_format("%s:%s", s->path, name) : NULL;
    if (s->list && !again && !(both && APPEND(*s->list, *s->count, both)))
        return error_memory(s->e);
    if (again && ending >= s->ending) return 0;
    if (!again && s->found++) return 0;
    free(s->entry);
    s->ending = ending;
    return (s->entry = text_format("%s", name)) ? 0 : error_memory(s->e);
}

/* Looks at all entries, and sets *count to their number. */
static int look_at_all(struct search *s, zip_int64_t *count)
{
    zip_t *zip = zip_open(s->path, ZIP_RDONLY, NULL);
    if (!zip) return error_input(s->e, "%s: is a damaged archive; fetch or pack it again", s->path);
    *count = zip_get_num_entries(zip, 0);
    int status = 0;
    for (zip_int64_t i = 0; i < *count && i < ARCHIVE_ENTRIES && !status; i++) {
        zip_stat_t one = {0};
        if (!zip_stat_index(zip, (zip_uint64_t)i, 0, &one) && one.name) status = look_at(s, &one);
    }
    zip_discard(zip);
    return status;
}

int archive_list(char ***list, int *count, const char *path, const char *const *endings,
                 struct error *e)
{
    zip_int64_t entries;
    struct search s = {
        .path = path, .endings = endings, .wanted = "", .e = e, .list = list, .count = count};
    const int status = look_at_all(&s, &entries);
    free(s.entry);
    return status;
}

int archive_count(const char *path, const char *const *endings, const char *wanted)
{
    zip_int64_t count;
    struct search s = {.path = path, .endings = endings, .wanted = wanted};
    look_at_all(&s, &count);
    free(s.entry);
    return s.found;
}

int archive_find(char **entry, const char *path, const char *const *endings, const char *wanted,
                 struct error *e)
{
    zip_int64_t count = 0;
    struct search s = {.path = path, .endings = endings, .wanted = wanted, .e = e};
    int status = look_at_all(&s, &count);
    scan_cut(s.names);
    scan_make_printable(s.names);
    if (!status && count > ARCHIVE_ENTRIES)
        status = error_input(e, "%s: has more than %d files; unpack it (unzip)", path,
                             (int)ARCHIVE_ENTRIES);
    else if (!status && s.bytes > ARCHIVE_GIB * 1073741824.0)
        status = error_input(
            e, "%s: unpacks to %.1f GiB, more than %d; unpack it (unzip), and name the file in it",
            path, s.bytes / 1073741824.0, (int)ARCHIVE_GIB);
    else if (!status && !s.found)
        status = error_input(e,
                             "%s: this archive has no file%s%.60s that can be read here; unpack it "
                             "(unzip), and name a file in it",
                             path, *wanted ? " called " : "", wanted);
    else if (!status && s.found > 1)
        status = error_input(
            e,
            "%s: is an archive of several files: %s; name one behind a colon, or unpack it (unzip)",
            path, s.names);
    if (status) free(s.entry);
    *entry = status ? NULL : s.entry;
    return status;
}

int archive_text(char **text, const char *path, const char *entry, struct error *e)
{
    enum { MOST_BYTES = 64 << 20 };
    zip_stat_t s;
    zip_t *zip = zip_open(path, ZIP_RDONLY, NULL);
    zip_file_t *file = NULL;
    if (zip && !zip_stat(zip, entry, 0, &s) && s.size <= MOST_BYTES)
        file = zip_fopen(zip, entry, 0);
    *text = file ? malloc((size_t)s.size + 1) : NULL;
    const bool whole = *text && zip_fread(file, *text, s.size) == (zip_int64_t)s.size;
    if (whole) (*text)[s.size] = '\0';
    if (file) zip_fclose(file);
    if (zip) zip_discard(zip);
    if (whole) return 0;
    free(*text);
    *text = NULL;
    return error_input(e, "%s: %.100s in it cannot be read; unpack it (unzip), and name that file",
                       path, entry);
}
