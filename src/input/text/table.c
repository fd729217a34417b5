#include "table.h"

#include "csv.h"
#include "number.h"

#include <math.h>
#include <string.h>

int table_end_row(struct table *t)
{
    const bool head = t->head;
    if (t->cells) putc('\n', t->f);
    t->cells = 0;
    t->head = false;
    return !head;
}

bool table_cell(struct table *t, const char *name, const char *word, const char *unit)
{
    const size_t before = word ? strcspn(name, "*") : strlen(name);
    char text[512];
    if (t->cells++) putc(',', t->f);
    if (!t->head) return true;
    snprintf(text, sizeof text, "%.*s%s%s%s%s", (int)before, name, word ? word : "",
             name[before] ? name + before + 1 : "", *unit ? "_" : "", unit);
    csv_put_text(t->f, text);
    return false;
}

void table_real(struct table *t, int digits, double x)
{
    char text[32];
    if (isnan(x)) return;
    if (digits) fprintf(t->f, "%.*g", digits, x);
    else fputs(isfinite(x) ? number_text(x, text) : "", t->f);
}

void table_text(struct table *t, const char *text)
{
    csv_put_text(t->f, text);
}

void table_cells(struct table *t, const char *names, const char *cells)
{
    if (!*names) return;
    if (t->cells++) putc(',', t->f);
    fputs(t->head ? names : cells ? cells : "", t->f);
}
