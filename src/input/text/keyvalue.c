#include "keyvalue.h"

#include "grow.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

/* Removes the comment and the blanks before it from a value. */
static void cut_comment(char *value)
{
    char *end = value;
    while (*end && !(*end == '#' && (end == value || strchr(" \t", end[-1])))) end++;
    while (end > value && strchr(" \t", end[-1])) end--;
    *end = '\0';
}

/* Removes the quotes of a value: returns its text, NULL if there is no closing quote, which is the
 * first one that nothing but a comment follows: names of files can have quotes. */
static char *unquote(char *value)
{
    for (char *end = value; (end = strchr(end + 1, '"'));) {
        const char *rest = end + 1 + strspn(end + 1, " \t");
        if (*rest && *rest != '#') continue;
        *end = '\0';
        return value + 1;
    }
    return NULL;
}

static int split(struct keyvalue *item, char *line, const struct textfile *file, struct error *e)
{
    char excerpt[48];
    char *value = line + strcspn(line, " \t\f\r");
    if (*value) *value++ = '\0';
    value += strspn(value, " \t\f\r");
    *item = (struct keyvalue){.key = line, .value = value, .line = file->line};
    if (*value == '"') {
        item->value = value = unquote(value);
        if (!value)
            return error_line(
                e, file->path, file->line,
                "the value of %s is not closed by a quote at its end; write %s \"text\"",
                scan_excerpt(excerpt, line), excerpt);
    } else {
        cut_comment(value);
        if (*value ? *value == '=' && strchr(" \t", value[1]) : strchr(line, '=') != NULL)
            return error_line(e, file->path, file->line,
                              "%s: write a blank in place of =", scan_excerpt(excerpt, line));
    }
    if (!*value)
        return error_line(e, file->path, file->line,
                          "key %s has no value; write it after the key, or remove the line",
                          scan_excerpt(excerpt, line));
    return 0;
}

static int append(struct keyvalues *k, char *line, struct error *e)
{
    struct keyvalue *item = grow(k->item, k->count, sizeof *item);
    if (!item) return error_memory(e);
    k->item = item;
    int status = split(&k->item[k->count], line, &k->file, e);
    if (!status) k->count++;
    return status;
}

static int read_lines(struct keyvalues *k, struct error *e)
{
    int status = 0;
    char *line;
    while (!status && (line = textfile_content(&k->file))) status = append(k, line, e);
    if (status) keyvalues_free(k);
    return status;
}

int keyvalues_read(struct keyvalues *k, const char *path, struct error *e)
{
    *k = (struct keyvalues){0};
    int status = textfile_open(&k->file, path, e);
    return status ? status : read_lines(k, e);
}

int keyvalues_of_text(struct keyvalues *k, const char *name, const char *text, struct error *e)
{
    *k = (struct keyvalues){0};
    int status = textfile_of_text(&k->file, name, text, e);
    return status ? status : read_lines(k, e);
}

int keyvalues_line(const struct keyvalues *k, const char *key)
{
    for (int i = 0; i < k->count; i++)
        if (!strcmp(k->item[i].key, key)) return k->item[i].line;
    return 0;
}

void keyvalues_free(struct keyvalues *k)
{
    free(k->item);
    textfile_close(&k->file);
    *k = (struct keyvalues){0};
}
