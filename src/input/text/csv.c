#include "csv.h"

#include "scan.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\f\r";

/* Takes one cell from *at and moves *at after its comma, NULL at the end of the line. Returns false
 * for a quote that is not closed, or text after it. */
bool csv_take_cell(char **at, char **cell)
{
    char *s = *at + strspn(*at, blanks), *end;
    *cell = s;
    if (*s == '"') {
        char *out = s;
        for (s++; *s && !(s[0] == '"' && s[1] != '"'); s++) {
            if (*s == '"') s++;
            *out++ = *s;
        }
        if (!*s) return false;
        *out = '\0'; /* out is behind s, so the rest of the line is untouched */
        end = s + 1 + strspn(s + 1, blanks);
        if (*end && *end != ',') return false;
        *at = *end ? end + 1 : NULL;
        return true;
    }
    end = s + strcspn(s, ",");
    *at = *end ? end + 1 : NULL;
    while (end > s && strchr(blanks, end[-1])) end--;
    *end = '\0';
    return true;
}

static int split(const struct csv *t, char *line, char *cell[CSV_MAX_COLUMNS], int *count,
                 struct error *e)
{
    *count = 0;
    for (char *at = line; at;) {
        if (*count == CSV_MAX_COLUMNS)
            return csv_refuse(t, e, "more than %d columns; remove those not needed",
                              CSV_MAX_COLUMNS);
        if (!csv_take_cell(&at, &cell[(*count)++]))
            return csv_refuse(t, e, "a quote is not closed at the end of its cell; close it");
    }
    return 0;
}

/* Of two columns of a name one would be passed over without a word. */
static int check_names(const struct csv *t, struct error *e)
{
    char excerpt[48];
    for (int i = 1; i < t->columns; i++)
        if (*t->name[i] && csv_column(t, t->name[i]) < i)
            return csv_refuse(t, e, "column %s occurs twice; remove one",
                              scan_excerpt(excerpt, t->name[i]));
    return 0;
}

int csv_open(struct csv *t, const char *path, struct error *e)
{
    *t = (struct csv){0};
    int status = textfile_open(&t->file, path, e);
    if (status) return status;
    char *line = textfile_content(&t->file);
    if (!line)
        status = error_input(e, "%s: is empty; give a header line and at least one row", path);
    else if (!strchr(line, ',') && strpbrk(line, ";\t"))
        status = error_line(e, path, t->file.line,
                            "its cells are separated by %s; write commas between them%s",
                            strchr(line, ';') ? "semicolons" : "tabs",
                            strchr(line, ';') ? " and points in numbers" : "");
    else status = split(t, line, t->name, &t->columns, e);
    if (!status && line) status = check_names(t, e);
    if (status) csv_close(t);
    return status;
}

void csv_close(struct csv *t)
{
    textfile_close(&t->file);
    *t = (struct csv){0};
}

int csv_column(const struct csv *t, const char *name)
{
    for (int i = 0; i < t->columns; i++)
        if (!strcasecmp(t->name[i], name)) return i;
    return -1;
}

static bool is_among(const char *name, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (!strcasecmp(name, names[i])) return true;
    return false;
}

void csv_doubt(const struct csv *t, const char *const *names, char sentence[160])
{
    char excerpt[48];
    *sentence = '\0';
    for (int i = 0; i < t->columns && !*sentence; i++)
        for (int k = 0; names[k] && !*sentence; k++)
            if (csv_column(t, names[k]) < 0 && scan_misspelt(t->name[i], names[k]) &&
                !is_among(t->name[i], names))
                snprintf(sentence, 160, "column '%s' is not read; did you mean %.40s?",
                         scan_excerpt(excerpt, t->name[i]), names[k]);
}

int csv_row(struct csv *t, bool *more, struct error *e)
{
    int count, status;
    char *line = textfile_content(&t->file);
    *more = line != NULL;
    if (!line) return 0;
    if ((status = split(t, line, t->cell, &count, e))) return status;
    if (count != t->columns)
        return csv_refuse(t, e, "has %d cells, but the header has %d; give one for each column%s",
                          count, t->columns,
                          count > t->columns ? ", and numbers with a point" : "");
    return 0;
}

int csv_real(const struct csv *t, int column, double *value, struct error *e)
{
    char excerpt[48], name[48];
    if (scan_real(t->cell[column], value)) return 0;
    return csv_refuse(t, e, "%s is '%s'; give one finite number%s",
                      scan_excerpt(name, t->name[column]), scan_excerpt(excerpt, t->cell[column]),
                      strchr(t->cell[column], ',') ? ", with a point in place of the comma" : "");
}

int csv_time(const struct csv *t, int column, enum times_plain plain, const char *start_time,
             double *time_s, struct error *e)
{
    char excerpt[48], name[48];
    struct error why;
    const char *cell = t->cell[column];
    if (!times_moment(time_s, cell, plain, start_time, &why)) return 0;
    return csv_refuse(t, e, "%s is '%s'; %s", scan_excerpt(name, t->name[column]),
                      scan_excerpt(excerpt, cell), why.text);
}

int csv_integer(const struct csv *t, int column, int64_t min, int64_t max, int64_t *value,
                struct error *e)
{
    char excerpt[48], name[48];
    if (scan_integer(t->cell[column], value) && *value >= min && *value <= max) return 0;
    return csv_refuse(t, e, "%s is '%s'; give a whole number from %" PRId64 " to %" PRId64,
                      scan_excerpt(name, t->name[column]), scan_excerpt(excerpt, t->cell[column]),
                      min, max);
}

void csv_put_text(FILE *f, const char *text)
{
    const char *at = text ? text : "";
    if (!strpbrk(at, ",\"\n")) {
        fputs(at, f);
        return;
    }
    putc('"', f);
    for (; *at; at++) {
        if (*at == '"') putc('"', f);
        putc(*at == '\n' ? ' ' : *at, f);
    }
    putc('"', f);
}
