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
    char *cell[CSV_MAX_COLUMNS]; /* cells of the present row, without blanks around them */
};

/* Writes a text as a cell, in quotes if it needs them. A line feed becomes a blank, NULL an empty cell. */
void csv_put_text(FILE *f, const char *text);

/* Cuts the next cell off a line, and changes the line. *at moves to the following cell; after the last cell it becomes
 * NULL. False: a quote is not closed, or text follows the closing quote. */
bool csv_take_cell(char **at, char **cell, char separator);

/* Reads the header. On an error *t is all zero. */
int csv_open(struct csv *t, const char *path, struct error *e);
void csv_close(struct csv *t); /* all-zero is fine */

/* Returns the index of the column called `name`; -1: there is no such column. */
int csv_column(const struct csv *t, const char *name);

/* Finds the first column with a name that is probably misspelt, and writes a sentence about it; "": there is no such
 * column. `names`: the right names, NULL after the last. */
void csv_doubt(const struct csv *t, const char *const *names, char sentence[160]);

/* Reads the next row; *more: there was a row. Refuses a row with more or fewer cells than the header. */
int csv_row(struct csv *t, bool *more, struct error *e);
/* Loops over the rows of a table as long as `status` is 0. If it is not 0 at the beginning, no row is read. */
#define CSV_EACH(t, status, e)                                                                     \
    for (bool csv_more; !(status) && !((status) = csv_row(t, &csv_more, e)) && csv_more;)

/* Refuses the present line with ERROR_INPUT. */
#define csv_refuse(t, e, ...) error_line(e, (t)->file.path, (t)->file.line, __VA_ARGS__)

/* Reads a cell of the present row as a number. */
int csv_real(const struct csv *t, int column, double *value, struct error *e);
/* Reads a cell as a time in seconds; `start_time` as in times_moment(). */
int csv_time(const struct csv *t, int column, enum times_plain plain, const char *start_time,
             double *time_s, struct error *e);
int csv_integer(const struct csv *t, int column, int64_t min, int64_t max, int64_t *value,
                struct error *e);
