/* sensitivity_tables.c — indices, and all points with their values, in the order in which SALib has
 * them. */
#include "sensitivity_report.h"

#include "text/number.h"
#include "text/wholefile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void put_number(FILE *f, double x)
{
    char text[32];
    fprintf(f, ",%s", isnan(x) ? "" : number_text(x, text));
}

static void put_indices(FILE *f, const struct sensitivity_report *r, int stage)
{
    const struct sensitivity *x = r->x;
    const char *const *columns = stage == STAGE_SOBOL ? sobol_columns : morris_columns;
    fputs("quantity,parameter", f);
    for (int k = 0; k < INDEX_COLUMNS; k++) fprintf(f, ",%s", columns[k]);
    putc('\n', f);
    for (int q = 0; q < x->quantities; q++)
        for (int i = 0; i < x->fits; i++) {
            fprintf(f, "%s,%s", x->quantity[q].name, sensitivity_name(x, i));
            for (int k = 0; k < INDEX_COLUMNS; k++) put_number(f, r->of[stage][q].of[k][i]);
            putc('\n', f);
        }
}

static void put_second_order(FILE *f, const struct sensitivity_report *r, int stage)
{
    const struct sensitivity *x = r->x;
    fputs("quantity,parameter_1,parameter_2,S2,S2_conf\n", f);
    for (int q = 0; q < x->quantities; q++)
        for (int i = 0; i < x->fits; i++)
            for (int j = i + 1; j < x->fits; j++) {
                fprintf(f, "%s,%s,%s", x->quantity[q].name, sensitivity_name(x, i),
                        sensitivity_name(x, j));
                put_number(f, r->of[stage][q].S2[i][j]);
                put_number(f, r->of[stage][q].S2_conf[i][j]);
                putc('\n', f);
            }
}

static void put_points(FILE *f, const struct sensitivity_report *r, int stage)
{
    const struct sensitivity *x = r->x;
    const struct stage *s = &x->stage[stage];
    fputs(stage == STAGE_SOBOL ? "sample" : "trajectory", f);
    for (int i = 0; i < x->fits; i++) fprintf(f, ",%s", sensitivity_name(x, i));
    for (int q = 0; q < x->quantities; q++) fprintf(f, ",%s", x->quantity[q].name);
    putc('\n', f);
    for (int64_t i = 0; i < s->done * s->design.points; i++) {
        double value[FITS_MAX];
        const int64_t group = i / s->design.points;
        sensitivity_point(x, &s->design, group, (int)(i % s->design.points), value);
        fprintf(f, "%" PRId64, group);
        for (int k = 0; k < x->fits; k++) put_number(f, value[k]);
        for (int q = 0; q < x->quantities; q++) put_number(f, s->value[i * x->quantities + q]);
        putc('\n', f);
    }
}

static int write_table(const struct sensitivity_report *r, int stage, const char *ending,
                       void (*put)(FILE *, const struct sensitivity_report *, int), struct error *e)
{
    struct wholefile w;
    char name[64];
    snprintf(name, sizeof name, "%s%s.csv", stage_names[stage], ending);
    char *path = output_file_path(r->info, &r->x->plan->base, name, e);
    if (!path) return ERROR_FAILED;
    int status = wholefile_open(&w, path, e);
    if (!status) {
        put(w.stream, r, stage);
        status = wholefile_finish(&w, e);
    }
    status = output_done(r->info, path, status, e);
    free(path);
    return status;
}

int sensitivity_tables(const struct sensitivity_report *r, int stage, struct error *e)
{
    int status = write_table(r, stage, "", put_indices, e);
    if (!status && stage == STAGE_SOBOL && r->x->keys.second_order)
        status = write_table(r, stage, "_second_order", put_second_order, e);
    return status ? status : write_table(r, stage, "_points", put_points, e);
}
