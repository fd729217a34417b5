/* Tables as spreadsheets write them: cells between semicolons, decimal commas, a byte order mark; those that can be
 * read in two ways; and tables that are written. */
/* tests: input/text */
#include "text/csv.h"
#include "text/table.h"

#include <math.h>
#include <string.h>

#include "case_files.h"
#include "folder.h"
#include "unit.h"

/* The cells of all rows, | between cells and a / behind each row; or the refusal without its path. */
static const char *read_table(const char *text)
{
    static char out[1024];
    FREED_BY(csv_close) struct csv t;
    struct error e = {0};
    bool more = false;
    put_text(&dir, "t.csv", text);
    const char *path = scratch_file(&dir, "t.csv");
    *out = '\0';
    int status = csv_open(&t, path, &e);
    while (!status && !(status = csv_row(&t, &more, &e)) && more) {
        for (int i = 0; i < t.columns; i++) {
            strcat(out, i ? "|" : "");
            strcat(out, t.cell[i]);
        }
        strcat(out, "/");
    }
    if (status) snprintf(out, sizeof out, "%s", e.text + strlen(path));
    return out;
}

static void tables_of_spreadsheets(void **state)
{
    static const struct {
        const char *text, *rows;
    } cases[] = {
        {"a,b\n1.5,x\n", "1.5|x/"},
        {"\xef\xbb\xbf"
         "a;b;c\r\n1,5;0,500;x\r\n\"2,25\";3;\"y; z\"\r\n",
         "1.5|0.500|x/2.25|3|y; z/"},
        {"a;b\n4170000,500;-1,2e3\n1,500;6,5h\n", "4170000.500|-1.2e3/1.500|6.5h/"},
        {"a;b\n-0,500;+0,125\n", "-0.500|+0.125/"},
        {"a;b\n1.5;2\n", "1.5|2/"},
        {"a;b\n10;20\n", "10|20/"},
        {"name;t\nVia Roma, 12;1,25\n2,5,7;1\n", "Via Roma, 12|1.25/2,5,7|1/"},
        {"t;d\n2024-03-01T06:00;12.05.2024\n", "2024-03-01T06:00|12.05.2024/"},
        {"a,b;c\n1,2\n", "1|2/"}, /* a comma in the header: between cells */
        {"a;b\n# 1.5;\n1,5;2\n", "1.5|2/"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(read_table(cases[i].text), cases[i].rows);
}

static void two_readings_are_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"a;b\n1;2\n1,500;2\n", ":3: a comma before three digits may be a decimal comma or group"},
        {"a;b\n1,500;12,000\n", ":2: a comma before three digits"},
        {"a;b\n2;-1,500\n", ":2: a comma before three digits"},
        {"a;b\n1.5;2,5\n", ": some numbers have a point and others a comma"},
        {"a;b\n1.5;2,500\n", ": some numbers have a point and others a comma"},
        {"a;b\n1,5;2;3\n", ":2: has 3 cells, but the header has 2"},
        {"a;b\n1,5\n", ":2: has 1 cells, but the header has 2"},
        {"a\tb\n1\t2\n", ":1: its cells are separated by tabs"},
        {"a,b\n1,5,2\n", ":2: has 3 cells, but the header has 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *said = read_table(cases[i].text);
        if (strncmp(said, cases[i].says, strlen(cases[i].says)) != 0) fail_msg("%zu: %s", i, said);
    }
}

/* ---- written ----------------------------------------------------------------------------------- */

/* A row of each number; every second one is passed over. Values are computed for rows alone. */
static char *write_table(const double *x, int count, const char *more, int *computed)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct table t = table_to(f);
    *computed = 0;
    TABLE_ROWS (t, i, count) {
        if (!t.head && i % 2) continue;
        TABLE_COUNT(&t, "number", i);
        TABLE_TEXT(&t, "a name, quoted", i ? NULL : "say \"a, b\"\nc");
        TABLE_REAL(&t, "length", "m", 3, (++*computed, x[i]));
        TABLE_REAL_OF(&t, "p*_error", "05", "h", 0, x[i] / 2);
        TABLE_HEX(&t, "digest", UINT64_C(0xfedcba9876543210));
        table_cells(&t, more, i ? "," : "7,8");
    }
    fclose(f);
    return text;
}

static void columns_stand_in_one_place(void **state)
{
    static const double x[] = {1.23456, 2, NAN};
    int computed;
    char *none = write_table(x, 0, "", &computed), *some;
    assert_string_equal(none, "number,\"a name, quoted\",length_m,p05_error_h,digest\n");
    assert_int_equal(computed, 0);
    some = write_table(x, 3, "u,v", &computed);
    assert_string_equal(some, "number,\"a name, quoted\",length_m,p05_error_h,digest,u,v\n"
                              "0,\"say \"\"a, b\"\" c\",1.23,0.61728,fedcba9876543210,7,8\n"
                              "2,,,,fedcba9876543210,,\n");
    assert_int_equal(computed, 2);
    free(none);
    free(some);
}

int main(void)
{
    return UNIT_RUN_IN(folder_create, folder_remove, NULL, NULL, tables_of_spreadsheets,
                       two_readings_are_refused, columns_stand_in_one_place);
}
