/* csv.h — a table of comma-separated values with a header line, read row by row.
 *
 * If the header has semicolons and no comma, semicolons separate cells, and numbers have a decimal comma, as
 * spreadsheets write them in much of Europe. Such a table is refused if a comma might also group digits, or if some
 * numbers have points.
 *
 * Columns are found by their names in the header, in any order and case; other columns are ignored. Cells may be in
 * double quotes ("" inside is a quote), but not span lines. Empty lines and lines that start with '#' are ignored. */
#pragma once

#include "textfile.h"
#include "times.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CSV_MAX_COLUMNS = 64 };

struct csv {
    struct textfile file;
    char separator;              /* a comma or a semicolon */
    bool decimal_comma;          /* numbers have commas, which become points in `cell` */
    int columns;                 /* number of columns in the header */
    char *name[CSV_MAX_COLUMNS]; /* names of columns in the header */
    char *cell[CSV_MAX_COLUMNS]; /* cells of the present row, without blanks around */
};

/* Writes the text of a cell, in quotes where it needs them; a line's end becomes a blank. NULL: as empty. */
void csv_put_text(FILE *f, const char *text);

/* Takes the next cell of a line, and changes the line. *at moves to the cell after it; NULL: it was the last one.
 * False: a quote is not closed, or text follows it. */
bool csv_take_cell(char **at, char **cell, char separator);

/* Reads the header. On an error *t is all zero. */
int csv_open(struct csv *t, const char *path, struct error *e);
void csv_close(struct csv *t); /* all-zero is fine */

/* Number of the column of that name, -1: none. */
int csv_column(const struct csv *t, const char *name);

/* A sentence about the first column that is not among `names` (NULL behind the last) and is
 * probably a misspelt one of them; "": there is none. */
void csv_doubt(const struct csv *t, const char *const *names, char sentence[160]);

/* Reads the next row; *more: there was one. Refuses rows of another length than the
 * header.  */
int csv_row(struct csv *t, bool *more, struct error *e);
/* A loop over the rows of a table. It ends as soon as `status` is not 0, and has no rows if it is not 0 before. */
#define CSV_EACH(t, status, e)                                                                     \
    for (bool csv_more; !(status) && !((status) = csv_row(t, &csv_more, e)) && csv_more;)

/* Refuses the present line with ERROR_INPUT. */
#define csv_refuse(t, e, ...) error_line(e, (t)->file.path, (t)->file.line, __VA_ARGS__)

/* Cells of the present row as numbers. */
int csv_real(const struct csv *t, int column, double *value, struct error *e);
/* A time in seconds; start_time as in times_moment(). */
int csv_time(const struct csv *t, int column, enum times_plain plain, const char *start_time,
             double *time_s, struct error *e);
int csv_integer(const struct csv *t, int column, int64_t min, int64_t max, int64_t *value,
                struct error *e);
