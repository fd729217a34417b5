#include "correlation.h"

#include "text/csv.h"
#include "text/scan.h"

#include <math.h>

struct table {
    struct csv csv;
    int name;              /* its column */
    int column[VARIABLES]; /* of each variable of the correlation */
    int line[VARIABLES];   /* where its row stands, 0: not seen */
    double value[VARIABLES][VARIABLES];
};

static int find(const struct table *t, const char *name, int *variable, struct error *e)
{
    char excerpt[48];
    const char *nearest;
    *variable = variable_of_column(name, &nearest);
    if (*variable >= 0) return 0;
    return csv_refuse(&t->csv, e, "unknown variable '%s'%s%s%s; `sciara help keys` lists them",
                      scan_excerpt(excerpt, name), nearest ? "; did you mean " : "",
                      nearest ? nearest : "", nearest ? "?" : "");
}

static int read_header(struct correlation *corr, struct table *t, struct error *e)
{
    t->name = csv_column(&t->csv, "name");
    if (t->name < 0)
        return csv_refuse(&t->csv, e, "the header has to be 'name' and the names of the variables");
    for (int i = 0; i < t->csv.columns; i++) {
        if (i == t->name) continue;
        int variable, status = find(t, t->csv.name[i], &variable, e);
        if (status) return status;
        t->column[corr->count] = i;
        corr->variable[corr->count++] = variable;
    }
    return 0;
}

static int read_row(const struct correlation *corr, struct table *t, struct error *e)
{
    int variable, row = 0, status = find(t, t->csv.cell[t->name], &variable, e);
    if (status) return status;
    while (row < corr->count && corr->variable[row] != variable) row++;
    if (row == corr->count || t->line[row])
        return csv_refuse(&t->csv, e, "%s has %s", t->csv.cell[t->name],
                          row == corr->count ? "a row but no column; give both"
                                             : "two rows; remove one");
    t->line[row] = t->csv.file.line;
    for (int i = 0; i < corr->count && !status; i++)
        status = csv_real(&t->csv, t->column[i], &t->value[row][i], e);
    return status;
}

static int check(const struct correlation *corr, const struct table *t, struct error *e)
{
    const char *path = t->csv.file.path;
    for (int i = 0; i < corr->count; i++) {
        const char *name = variable_row(corr->variable[i]).name;
        if (!t->line[i]) return error_input(e, "%s: %s has no row; add it", path, name);
        if (t->value[i][i] != 1)
            return error_line(e, path, t->line[i], "%s with itself is %g; give 1", name,
                              t->value[i][i]);
        for (int k = 0; k < i; k++)
            if (t->value[i][k] != t->value[k][i])
                return error_line(e, path, t->line[i],
                                  "%s with %s is %g here and %g in line %d; make them equal", name,
                                  variable_row(corr->variable[k]).name, t->value[i][k],
                                  t->value[k][i], t->line[k]);
    }
    return 0;
}

/* By Cholesky. */
static int factorise(struct correlation *corr, const struct table *t, struct error *e)
{
    for (int i = 0; i < corr->count; i++)
        for (int k = 0; k <= i; k++) {
            double rest = t->value[i][k];
            for (int j = 0; j < k; j++) rest -= corr->root[i][j] * corr->root[k][j];
            if (i != k) {
                corr->root[i][k] = rest / corr->root[k][k];
                continue;
            }
            if (!(rest > 1e-12))
                return error_line(
                    e, t->csv.file.path, t->line[i],
                    "%s has correlations with the variables before it that cannot all hold (the "
                    "table is not positive definite); give smaller ones",
                    variable_row(corr->variable[i]).name);
            corr->root[i][i] = sqrt(rest);
        }
    return 0;
}

int correlation_read(struct correlation *corr, const char *path, struct error *e)
{
    struct table t = {.name = -1};
    bool more;
    *corr = (struct correlation){0};
    int status = csv_open(&t.csv, path, e);
    if (!status) status = read_header(corr, &t, e);
    while (!status && !(status = csv_row(&t.csv, &more, e)) && more) status = read_row(corr, &t, e);
    if (!status && corr->count < 2)
        status = error_input(e, "%s: has %d variables; give two or more", path, corr->count);
    if (!status) status = check(corr, &t, e);
    if (!status) status = factorise(corr, &t, e);
    csv_close(&t.csv);
    if (status) *corr = (struct correlation){0};
    return status;
}

/* From the last: each needs those before it as they were. */
void correlation_apply(const struct correlation *corr, double z[])
{
    for (int i = corr->count - 1; i >= 0; i--) {
        double sum = 0;
        for (int k = 0; k <= i; k++) sum += corr->root[i][k] * z[k];
        z[i] = sum;
    }
}
