#include "keyvalue.h"

#include "grow.h"
#include "scan.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

/* Returns the length of a word. A word that begins with a quote ends with the next quote of the same kind that
 * stands directly before a blank or the end of the text. */
static size_t length_of_word(const char *p)
{
    const size_t bare = strcspn(p, " \t");
    for (const char *end = p; strchr("'\"", *p) && (end = strchr(end + 1, *p));)
        if (strchr(" \t", end[1])) return (size_t)(end + 1 - p);
    return bare;
}

static bool is_quoted(const char *word, size_t length)
{
    return length > 1 && strchr("'\"", *word) && word[length - 1] == *word;
}

/* Removes the quotes of a value, and returns its text; NULL: there is no closing quote. Names of files can have
 * quotes, so a quote closes only if nothing or a comment follows. */
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

static int split_line(struct keyvalue *item, char *line, const struct textfile *file,
                      struct error *e)
{
    char excerpt[48];
    char *value = line + strcspn(line, " \t\f\r");
    if (*value) *value++ = '\0';
    value += strspn(value, " \t\f\r");
    *item = (struct keyvalue){.key = line, .value = value, .line = file->line};
    char *whole = *value == '"' ? unquote(value) : NULL;
    if (whole) {
        item->value = value = whole;
    } else if (*value == '"' && !is_quoted(value, length_of_word(value))) {
        return error_line(e, file->path, file->line,
                          "the value of %s is not closed by a quote at its end; write %s \"text\"",
                          scan_excerpt(excerpt, line), excerpt);
    } else {
        /* Removes the comment and the blanks before it from a value. */
        char *end = value;
        while (*end && !(*end == '#' && (end == value || strchr(" \t", end[-1])))) end++;
        while (end > value && strchr(" \t", end[-1])) end--;
        *end = '\0';
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

void keyvalue_put(FILE *out, int width, const char *key, const char *value)
{
    const bool quoted = strchr(value, '#') || strchr(value, '"');
    fprintf(out, quoted ? "%-*s \"%s\"\n" : "%-*s %s\n", width, key, value);
}

static int append_line(struct keyvalues *k, char *line, struct error *e)
{
    if (!GROW(k->item, k->count)) return error_memory(e);
    int status = split_line(&k->item[k->count], line, &k->file, e);
    if (!status) k->count++;
    return status;
}

static int read_lines(struct keyvalues *k, struct error *e)
{
    int status = 0;
    char *line;
    while (!status && (line = textfile_content(&k->file))) status = append_line(k, line, e);
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
    textfile_close(&k->file);
    RELEASE(k, k->item);
}

/* ---- a line, and what its value has to be ---------------------------------------------------- */

int entry_refuse(const struct entry *at, const char *remedy, struct error *e)
{
    char excerpt[48];
    return error_line(e, at->path, at->line->line, "%s is '%s'; %s", at->line->key,
                      scan_excerpt(excerpt, at->line->value), remedy);
}

int entry_refuse_range(const struct entry *at, struct error *e)
{
    char excerpt[48], min[32], max[32];
    return error_line(e, at->path, at->line->line, "%s is %s; give a value from %s to %s%s%s",
                      at->line->key, scan_excerpt(excerpt, at->line->value),
                      number_text(at->min, min), number_text(at->max, max), *at->unit ? " " : "",
                      at->unit);
}

int entry_real(const struct entry *at, struct error *e)
{
    double value;
    if (!scan_real(at->line->value, &value))
        return entry_refuse(at,
                            strchr(at->line->value, ',')
                                ? "give one finite number, with a point in place of the comma"
                                : "give one finite number and nothing after it",
                            e);
    if (!(value >= at->min && value <= at->max)) return entry_refuse_range(at, e);
    *(double *)at->target = value;
    return 0;
}

int entry_count(const struct entry *at, struct error *e)
{
    int64_t value;
    if (!scan_integer(at->line->value, &value))
        return entry_refuse(at, "give one whole number and nothing after it", e);
    if ((double)value < at->min || (double)value > at->max) return entry_refuse_range(at, e);
    *(int64_t *)at->target = value;
    return 0;
}

int entry_time(const struct entry *at, const char *start_time, struct error *e)
{
    const double unit_s = times_unit_s(TIMES_HOURS);
    struct error why;
    double time_s;
    if (times_moment(&time_s, at->line->value, TIMES_HOURS, start_time, &why))
        return entry_refuse(at, why.text, e);
    if (!(time_s >= at->min * unit_s && time_s <= at->max * unit_s))
        return entry_refuse_range(at, e);
    *(double *)at->target = time_s;
    return 0;
}

int entry_text(const struct entry *at, struct error *e)
{
    if (!scan_utf8(at->line->value)) return entry_refuse(at, "write the file in UTF-8", e);
    /* Quotes have to enclose the whole text, not only its first word. */
    if (*at->line->value == '"' && is_quoted(at->line->value, length_of_word(at->line->value)))
        return entry_refuse(at, "close its quote at its end, \"text\", or omit its quotes", e);
    if (strlen(at->line->value) > (size_t)at->max) return entry_refuse(at, "shorten it", e);
    *(const char **)at->target = at->line->value;
    return 0;
}

/* Appends `layer NAME` and `where SQL` to the file before them if this file follows `within`, else to word 0. */
static bool join_words(struct entry_words *w)
{
    for (int i = 1; i + 1 < w->count; i++) {
        const int of = i > 2 && !strcmp(w->word[i - 2], "within") ? i - 1 : 0;
        if (strcmp(w->word[i], "layer") && strcmp(w->word[i], "where")) continue;
        FREED char *all = text_format("%s %s %s", w->word[of], w->word[i], w->word[i + 1]);
        if (!all || strlen(all) >= ENTRY_WORD) return false;
        strcpy(w->word[of], all);
        w->count -= 2;
        memmove(w->word[i], w->word[i + 2], (size_t)(w->count - i) * sizeof w->word[0]);
        i--;
    }
    return true;
}

bool entry_words(struct entry_words *w, const struct entry *at)
{
    w->count = 0;
    for (const char *p = at->line->value; *(p += strspn(p, " \t"));) {
        size_t length = length_of_word(p);
        const char *end = p + length, *before = w->count ? w->word[w->count - 1] : "";
        /* The quotes around a layer's name or a condition stay, since vectors_read() needs them. */
        if (is_quoted(p, length) && strcmp(before, "layer") && strcmp(before, "where"))
            p++, length -= 2;
        if (w->count == ENTRY_WORDS || length >= ENTRY_WORD || !length) return false;
        memcpy(w->word[w->count], p, length);
        w->word[w->count++][length] = '\0';
        p = end;
    }
    return w->count > 0 && join_words(w);
}
