#include "csv.h"

#include "archive.h"
#include "scan.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\f\r";

bool csv_take_cell(char **at, char **cell, char separator)
{
    const char ends[] = {separator, '\0'};
    char *s = *at + strspn(*at, blanks), *end;
    *cell = s;
    if (*s == '"') {
        char *out = s;
        for (s++; *s && !(s[0] == '"' && s[1] != '"'); s++) {
            if (*s == '"') s++;
            *out++ = *s;
        }
        if (!*s) return false;
        *out = '\0'; /* `out` never overtakes s, so the rest of the line is untouched */
        end = s + 1 + strspn(s + 1, blanks);
        if (*end && *end != separator) return false;
        *at = *end ? end + 1 : NULL;
        return true;
    }
    end = s + strcspn(s, ends);
    *at = *end ? end + 1 : NULL;
    while (end > s && strchr(blanks, end[-1])) end--;
    *end = '\0';
    return true;
}

static int split_line(const struct csv *t, char *line, char *cell[CSV_MAX_COLUMNS], int *count,
                      struct error *e)
{
    *count = 0;
    for (char *at = line; at;) {
        if (*count == CSV_MAX_COLUMNS)
            return csv_refuse(t, e, "more than %d columns; remove those not needed",
                              CSV_MAX_COLUMNS);
        if (!csv_take_cell(&at, &cell[(*count)++], t->separator))
            return csv_refuse(t, e, "a quote is not closed at the end of its cell; close it");
    }
    return 0;
}

/* Refuses two columns with the same name, since the second would be ignored. */
static int check_names(const struct csv *t, struct error *e)
{
    char excerpt[48];
    for (int i = 1; i < t->columns; i++)
        if (*t->name[i] && csv_column(t, t->name[i]) < i)
            return csv_refuse(t, e, "column %s occurs twice; remove one",
                              scan_excerpt(excerpt, t->name[i]));
    return 0;
}

/* ---- semicolons, and commas in numbers ------------------------------------------------------- */

/* The decimal mark that a cell shows: none, a point, a comma, or a comma that may also group digits. */
enum cell_form { CELL_OTHER, CELL_POINT, CELL_COMMA, CELL_EITHER };

/* A number is digits, a point or a comma, and digits; a unit of time or an exponent may follow. "1,500" may mean 1.5
 * or 1500. In 0,500 and 1,50 and 4170000,500 the comma can only be a decimal comma. */
static enum cell_form form_of(const char *cell)
{
    static const char digits[] = "0123456789";
    const char *s = cell + strspn(cell, "+-");
    const size_t before = strspn(s, digits);
    const char mark = s[before];
    if (!before || (mark != ',' && mark != '.')) return CELL_OTHER;
    const char *rest = s + before + 1;
    const size_t after = strspn(rest, digits);
    rest += after;
    if (!after || rest[strspn(rest, "abcdefghijklmnopqrstuvwxyzE+-0123456789")]) return CELL_OTHER;
    if (mark == '.') return CELL_POINT;
    return before <= 3 && *s != '0' && after == 3 ? CELL_EITHER : CELL_COMMA;
}

/* Finds the forms of all cells after the header: *forms gets a bit 1 << form for each form that occurs. *line becomes
 * the first line with a CELL_EITHER. */
static int find_forms(unsigned *forms, int *line, const struct csv *t, struct error *e)
{
    FREED char *copy = text_format("%s", t->file.next ? t->file.next : "");
    struct textfile rest = {.next = copy, .line = t->file.line};
    char *row;
    *forms = 0;
    if (!copy) return error_memory(e);
    while ((row = textfile_content(&rest)))
        for (char *at = row, *cell; at && csv_take_cell(&at, &cell, t->separator);) {
            const enum cell_form form = form_of(cell);
            if (form == CELL_EITHER && !(*forms >> form & 1)) *line = rest.line;
            *forms |= 1u << form;
        }
    return 0;
}

static int find_decimals(struct csv *t, struct error *e)
{
    unsigned forms;
    int line = 0;
    if (find_forms(&forms, &line, t, e)) return ERROR_FAILED;
    const bool point = forms >> CELL_POINT & 1, comma = forms >> CELL_COMMA & 1,
               either = forms >> CELL_EITHER & 1;
    t->decimal_comma = comma && !point;
    if (point && (comma || either))
        return error_input(e,
                           "%s: some numbers have a point and others a comma; write a point in all "
                           "of them, and commas between cells",
                           t->file.path);
    if (either && !comma)
        return error_line(e, t->file.path, line,
                          "a comma before three digits may be a decimal comma or group digits; "
                          "write numbers with a point, and commas between cells");
    return 0;
}

static void put_points(const struct csv *t, int count)
{
    for (int i = 0; i < count; i++)
        if (form_of(t->cell[i]) >= CELL_COMMA) *strchr(t->cell[i], ',') = '.';
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Opens a table. In an archive, opens the only table, or the table that the path names after a colon. */
static int open_file(struct textfile *f, const char *path, struct error *e)
{
    static const char *const endings[] = {".csv", NULL};
    FREED char *file = archive_file_of(path), *entry = NULL, *text = NULL;
    if (!file) return error_memory(e);
    if (!archive_is(file)) return textfile_open(f, path, e);
    const char *rest = path + strlen(file);
    int status = archive_find(&entry, file, endings, rest + (*rest == ':'), e);
    if (!status) status = archive_text(&text, file, entry, e);
    return status ? status : textfile_of_text(f, path, text, e);
}

int csv_open(struct csv *t, const char *path, struct error *e)
{
    *t = (struct csv){.separator = ','};
    int status = open_file(&t->file, path, e);
    if (status) return status;
    char *line = textfile_content(&t->file);
    if (line && strchr(line, ';') && !strchr(line, ',')) t->separator = ';';
    if (!line)
        status = error_input(e, "%s: is empty; give a header line and at least one row", path);
    else if (!strpbrk(line, ",;") && strchr(line, '\t'))
        status = error_line(e, path, t->file.line,
                            "its cells are separated by tabs; write commas between them");
    else status = split_line(t, line, t->name, &t->columns, e);
    if (!status && line) status = check_names(t, e);
    if (!status && t->separator == ';') status = find_decimals(t, e);
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

void csv_doubt(const struct csv *t, const char *const *names, char sentence[160])
{
    char excerpt[48];
    *sentence = '\0';
    for (int i = 0; i < t->columns && !*sentence; i++)
        for (int k = 0; names[k] && !*sentence; k++)
            if (csv_column(t, names[k]) < 0 && scan_misspelt(t->name[i], names[k]) &&
                !text_is_one_of(t->name[i], names))
                snprintf(sentence, 160, "column '%s' is ignored; did you mean %.40s?",
                         scan_excerpt(excerpt, t->name[i]), names[k]);
}

int csv_row(struct csv *t, bool *more, struct error *e)
{
    int count, status;
    char *line = textfile_content(&t->file);
    *more = line != NULL;
    if (!line) return 0;
    if ((status = split_line(t, line, t->cell, &count, e))) return status;
    if (count != t->columns)
        return csv_refuse(t, e, "has %d cells, but the header has %d; give one for each column%s",
                          count, t->columns,
                          count > t->columns ? ", and numbers with a point" : "");
    if (t->decimal_comma) put_points(t, count);
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
