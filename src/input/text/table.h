/* table.h — writes a CSV table cell by cell. Each cell is written with the name and the unit of its column, so that
 * name, unit and value stand in one place. In the first row, names are written and values are not computed:
 *
 *     struct table t = table_to(f);
 *     TABLE_ROWS (t, i, count) {
 *         TABLE_TEXT(&t, "name", place[i].name);
 *         TABLE_REAL(&t, "arrival", "h", 9, place[i].arrival_s / 3600);
 *     }
 *
 * This writes "name,arrival_h" and `count` rows. A row without a cell is not written. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct table {
    FILE *f;
    bool head;
    int cells; /* cells of the present row so far */
};

static inline struct table table_to(FILE *f)
{
    return (struct table){.f = f, .head = true};
}

/* Runs its block once for the header, with i = 0, and then for each i < count. */
#define TABLE_ROWS(t, i, count)                                                                    \
    for (int64_t i = 0; (t).head || i < (count); i += table_end_row(&(t)))
int table_end_row(struct table *t); /* returns 0 after the header, else 1 */

/* Begins a cell. In the header, writes the name and the unit, and returns false. In another row returns true: the
 * caller writes a value. '*' in the name becomes `word`. */
bool table_cell(struct table *t, const char *name, const char *word, const char *unit);

/* Writes a number with that many digits; 0: the shortest text. NaN becomes an empty cell. */
void table_real(struct table *t, int digits, double x);
void table_text(struct table *t, const char *text); /* NULL: empty */

#define TABLE_REAL_OF(t, name, word, unit, digits, x)                                              \
    (table_cell(t, name, word, unit) ? table_real(t, digits, x) : (void)0)
#define TABLE_REAL(t, name, unit, digits, x) TABLE_REAL_OF(t, name, NULL, unit, digits, x)
#define TABLE_TEXT(t, name, x)               (table_cell(t, name, NULL, "") ? table_text(t, x) : (void)0)
#define TABLE_COUNT(t, name, x)                                                                    \
    (table_cell(t, name, NULL, "") ? (void)fprintf((t)->f, "%lld", (long long)(x)) : (void)0)
/* Writes a digest of 64 bits as a cell. */
#define TABLE_HEX_OF(t, name, word, x)                                                             \
    (table_cell(t, name, word, "") ? (void)fprintf((t)->f, "%016llx", (unsigned long long)(x))     \
                                   : (void)0)
#define TABLE_HEX(t, name, x) TABLE_HEX_OF(t, name, NULL, x)
/* Writes several cells. `names` and `cells` are texts with commas between cells. If `names` is "", writes nothing. */
void table_cells(struct table *t, const char *names, const char *cells);
