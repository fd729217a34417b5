#include "made_by.h"

#include "case/schema.h"
#include "text/keyvalue.h"
#include "text/scan.h"
#include "text/textfile.h"
#include "vector/vectors.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- reading ----------------------------------------------------------------------------------- */

/* Whether made_by.files has the files that a key names. made_by.files lacks the observations of a
 * nowcast, because observations change no result of a member. */
static bool has_files_that_count(const char *key)
{
    struct key k;
    for (int i = 0; schemas[i]; i++)
        if (schema_find(schemas[i], key, &k)) return k.counts != COUNTS_NOT || k.type != KEY_OWN;
    return false;
}

/* Writes a line for a file that a key names, if the file exists. A relative name is relative to the plan. */
static bool put_file(FILE *f, const char *plan, const char *key, const char *name)
{
    struct stat s;
    struct filesum sum;
    FREED char *alone = vectors_file_of(name), *path = alone ? path_beside(plan, alone) : NULL;
    const bool there = path && stat(path, &s) == 0 && S_ISREG(s.st_mode) && filesum_of(&sum, path);
    if (there)
        fprintf(f, "%s \"%08" PRIx32 " %lld %s\"\n", key, sum.crc32, (long long)sum.bytes, name);
    return there;
}

static void put_line(FILE *text, FILE *files, const char *plan, const struct keyvalue *line)
{
    struct entry_words words = {0};
    const struct entry whole = {.line = line};
    fprintf(text, "%s \"%s\"\n", line->key, line->value);
    if (!has_files_that_count(line->key) || put_file(files, plan, line->key, line->value)) return;
    if (entry_words(&words, &whole) && words.count > 1)
        for (int i = 0; i < words.count; i++) put_file(files, plan, line->key, words.word[i]);
}

int made_by_read(struct made_by *m, const char *path, struct error *e)
{
    FREED_BY(keyvalues_free) struct keyvalues k = {.count = 0};
    size_t size[2];
    *m = (struct made_by){0};
    FILE *text = open_memstream(&m->text, &size[0]), *files = open_memstream(&m->files, &size[1]);
    if (text && files && !keyvalues_read(&k, path, NULL))
        for (int i = 0; i < k.count; i++) put_line(text, files, path, &k.item[i]);
    m->text = text_of_stream(text, &m->text);
    m->files = text_of_stream(files, &m->files);
    if (m->text && m->files) return 0;
    made_by_free(m);
    return error_memory(e);
}

int made_by_add(struct made_by *m, const char *key, int64_t value, struct error *e)
{
    char *more = text_format("%s%s \"%" PRId64 "\"\n", m->text, key, value);
    if (!more) return error_memory(e);
    free(m->text);
    m->text = more;
    return 0;
}

void made_by_free(struct made_by *m)
{
    RELEASE(m, m->text, m->files);
}

/* ---- in a summary ------------------------------------------------------------------------------ */

static void put_lines(cJSON *o, const char *name, const char *lines)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (const char *at = lines, *end; at && (end = strchr(at, '\n')); at = end + 1) {
        FREED char *line = text_format("%.*s", (int)(end - at), at);
        cJSON_AddItemToArray(list, cJSON_CreateString(line ? line : ""));
    }
}

void made_by_put(cJSON *o, const struct made_by *m)
{
    if (!m->text) return;
    cJSON *made = cJSON_AddObjectToObject(o, "made_by");
    put_lines(made, "lines", m->text);
    put_lines(made, "files", m->files);
}

static char *get_lines(const cJSON *made, const char *name)
{
    char *lines = NULL;
    size_t size;
    const cJSON *line;
    FILE *f = open_memstream(&lines, &size);
    cJSON_ArrayForEach (line, cJSON_GetObjectItemCaseSensitive(made, name))
        if (f && cJSON_IsString(line)) fprintf(f, "%s\n", line->valuestring);
    return text_of_stream(f, &lines);
}

int made_by_get(struct made_by *m, const cJSON *o, struct error *e)
{
    const cJSON *made = cJSON_GetObjectItemCaseSensitive(o, "made_by");
    *m = (struct made_by){0};
    if (!made) return 0;
    *m = (struct made_by){.text = get_lines(made, "lines"), .files = get_lines(made, "files")};
    if (m->text && m->files) return 0;
    made_by_free(m);
    return error_memory(e);
}

/* ---- in what two differ ------------------------------------------------------------------------ */

enum { SHOWN = 3 };

struct difference {
    FILE *f; /* NULL: lines are only counted */
    int count;
    const char *but; /* a key that is not compared; NULL: none */
    bool every;      /* whether keys that change no result count, too */
};

__attribute__((format(printf, 2, 3))) static void add_difference(struct difference *d,
                                                                 const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (d->f && d->count && d->count < SHOWN) fputs("; ", d->f);
    if (d->count++ < SHOWN && d->f) vfprintf(d->f, format, list);
    va_end(list);
}

/* Whether a new value of this key is a difference. A new file name is not, because the content of the file is
 * compared. A key that changes no result counts only if `every` is true. */
static bool counts(const char *key, bool every)
{
    struct key k;
    for (int i = 0; schemas[i]; i++)
        if (schema_find(schemas[i], key, &k) && k.counts != COUNTS_LINE)
            return (every || k.counts != COUNTS_NOT) && k.type != KEY_FILE;
    return true;
}

static bool is_asked(const struct difference *d, const char *key, bool files)
{
    return (files || counts(key, d->every)) && !(d->but && !strcmp(d->but, key));
}

/* If line i of the list `from` is the n-th line with its key, returns the value of the n-th line
 * with this key in the list `of`. NULL: `of` has no such line. */
static const char *value_in(const struct keyvalues *of, const struct keyvalues *from, int i)
{
    int number = 0;
    for (int k = 0; k < i; k++) number += !strcmp(from->item[k].key, from->item[i].key);
    for (int k = 0; k < of->count; k++)
        if (!strcmp(of->item[k].key, from->item[i].key) && !number--) return of->item[k].value;
    return NULL;
}

/* The part of a value that is shown: the name in the "CRC32 BYTES NAME" of a file, else the whole value. */
static const char *shown_of(const char *value, bool files)
{
    const char *blank = files && value ? strchr(value, ' ') : NULL;
    blank = blank ? strchr(blank + 1, ' ') : NULL;
    return blank ? blank + 1 : value;
}

/* Whether two values give the same results. The name of a file does not matter. */
static bool is_same(const char *then, const char *now, bool files)
{
    const size_t before = (size_t)(shown_of(then, files) - then);
    return before ? !strncmp(then, now, before) : !strcmp(then, now);
}

static void compare_lists(struct difference *d, const struct keyvalues *was,
                          const struct keyvalues *is, bool files)
{
    char old[48], new[48];
    for (int i = 0; i < was->count; i++) {
        const struct keyvalue *x = &was->item[i];
        const char *now = value_in(is, was, i), *name = shown_of(now, files);
        if (!is_asked(d, x->key, files) || (now && is_same(x->value, now, files))) continue;
        scan_excerpt(old, shown_of(x->value, files));
        if (files && now && !strcmp(name, shown_of(x->value, files)))
            add_difference(d, "%s has changed", old);
        else
            add_difference(d, "%.60s %s, now %s", x->key, old,
                           now ? scan_excerpt(new, name) : "none");
    }
    for (int i = 0; i < is->count; i++)
        if (is_asked(d, is->item[i].key, files) && !value_in(was, is, i))
            add_difference(d, "%.60s none, now %s", is->item[i].key,
                           scan_excerpt(new, shown_of(is->item[i].value, files)));
}

static void compare_texts(struct difference *d, const char *was, const char *is, bool files)
{
    FREED_BY(keyvalues_free) struct keyvalues old = {.count = 0}, new = {.count = 0};
    if (was && is && !keyvalues_of_text(&old, "", was, NULL) &&
        !keyvalues_of_text(&new, "", is, NULL))
        compare_lists(d, &old, &new, files);
}

static void compare_both(struct difference *d, const struct made_by *was, const struct made_by *is)
{
    d->every = was->every;
    compare_texts(d, was->text, is->text, false);
    compare_texts(d, was->files, is->files, true);
}

bool made_by_differs(const struct made_by *was, const struct made_by *is)
{
    struct difference all = {0};
    compare_both(&all, was, is);
    return all.count;
}

bool made_by_differs_in(const struct made_by *was, const struct made_by *is, const char *key)
{
    struct difference others = {.but = key};
    compare_both(&others, was, is);
    return made_by_differs(was, is) && !others.count;
}

char *made_by_difference(const struct made_by *was, const struct made_by *is)
{
    char *text = NULL;
    size_t size;
    struct difference d = {.f = open_memstream(&text, &size)};
    if (!d.f) return NULL;
    compare_both(&d, was, is);
    if (d.count > SHOWN) fprintf(d.f, "; %d more", d.count - SHOWN);
    if (!d.count) fputs("a file that it names has changed, or the version of sciara", d.f);
    return text_of_stream(d.f, &text);
}
