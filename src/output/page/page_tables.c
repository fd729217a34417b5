/* page_tables.c — the tables of a folder as JSON: columns, and rows of numbers, texts and nulls. */
#include "page_facts.h"

#include "text/csv.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <unistd.h>

static cJSON *cell_of(const char *text, bool numbers)
{
    double number;
    if (!*text) return cJSON_CreateNull();
    if (scan_real(text, &number)) return cJSON_CreateNumber(number);
    return numbers ? cJSON_CreateNull() : cJSON_CreateString(text);
}

static void add_row(const struct csv *t, bool numbers, cJSON *rows)
{
    cJSON *row = cJSON_CreateArray();
    for (int i = 0; i < t->columns; i++) cJSON_AddItemToArray(row, cell_of(t->cell[i], numbers));
    cJSON_AddItemToArray(rows, row);
}

static int count_rows(const char *path, int64_t *count, struct error *e)
{
    struct csv t;
    bool more = true;
    int status = csv_open(&t, path, e);
    for (*count = 0; !status && more;) {
        status = csv_row(&t, &more, e);
        *count += more;
    }
    csv_close(&t);
    return status;
}

static int add_rows(struct csv *t, int64_t count, bool numbers, cJSON *rows, struct error *e)
{
    const int64_t every = (count + PAGE_ROWS_MOST - 1) / PAGE_ROWS_MOST;
    bool more = true;
    int status = 0;
    for (int64_t i = 0; !status && i < count; i++) {
        status = csv_row(t, &more, e);
        if (!status && (i % every == 0 || i == count - 1)) add_row(t, numbers, rows);
    }
    return status;
}

int page_add_table(struct page *p, const char *name, bool numbers, struct error *e)
{
    struct csv t = {0};
    int64_t count = 0;
    char *path = text_format("%s/%s", p->folder, name);
    if (!path) return error_memory(e);
    if (access(path, F_OK)) {
        free(path);
        return 0;
    }
    int status = count_rows(path, &count, e);
    if (!status) status = csv_open(&t, path, e);
    if (!status) {
        cJSON *all = cJSON_GetObjectItemCaseSensitive(p->facts, "tables");
        if (!all) all = cJSON_AddObjectToObject(p->facts, "tables");
        cJSON *table = cJSON_AddObjectToObject(all, name);
        cJSON *columns = cJSON_AddArrayToObject(table, "columns");
        for (int i = 0; i < t.columns; i++)
            cJSON_AddItemToArray(columns, cJSON_CreateString(t.name[i]));
        cJSON_AddNumberToObject(table, "of", (double)count);
        status = add_rows(&t, count, numbers, cJSON_AddArrayToObject(table, "rows"), e);
    }
    csv_close(&t);
    free(path);
    return status;
}
