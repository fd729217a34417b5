/* pairs_tables.c — what each pair did, and what is gained and lost at places of interest. */
#include "pairs_report.h"

#include "text/csv.h"
#include "text/wholefile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Empty where there is none. */
static void put_number(FILE *f, double x)
{
    if (isnan(x)) putc(',', f);
    else fprintf(f, ",%.6g", x);
}

static int write(const struct pairs_report *r, const char *name,
                 void (*put)(FILE *f, const struct pairs *x), struct error *e)
{
    struct wholefile w;
    char *path = output_file_path(r->info, plan_case(r->x->plan), name, e);
    if (!path) return ERROR_FAILED;
    int status = wholefile_open(&w, path, e);
    if (!status) {
        put(w.stream, r->x);
        status = wholefile_finish(&w, e);
    }
    status = output_done(r->info, path, status, e);
    free(path);
    return status;
}

static void put_pairs(FILE *f, const struct pairs *x)
{
    const char *columns = x->supply[PAIR_WITH].source.columns;
    const double area_m2 = plan_case(x->plan)->geo.cell_m * plan_case(x->plan)->geo.cell_m;
    fprintf(f, "member,weight%s%s", *columns ? "," : "", columns);
    for (int side = 0; side < PAIR_SIDES; side++)
        fprintf(f, ",area_m2_%s,runout_m_%s,max_thickness_m_%s,digest_%s", pair_sides[side],
                pair_sides[side], pair_sides[side], pair_sides[side]);
    putc('\n', f);
    for (int64_t i = 0; i < x->done; i++) {
        const struct pair_result *p = &x->result[i];
        fprintf(f, "%" PRId64 ",%" PRIu64, i, p->weight);
        if (*columns) fprintf(f, ",%s", p->drawn ? p->drawn : "");
        for (int side = 0; side < PAIR_SIDES; side++) {
            put_number(f, (double)p->of[side].cells * area_m2);
            put_number(f, p->of[side].runout_m);
            put_number(f, p->of[side].max_thickness_m);
            fprintf(f, ",%016" PRIx64, p->of[side].digest);
        }
        putc('\n', f);
    }
}

static void put_assets(FILE *f, const struct pairs *x)
{
    static const char *const kinds[] = {"point", "line", "area"};
    fputs("name,kind,cells,probability_with,probability_without,difference,difference_error,spared,"
          "struck,arrival_difference_h,arrival_difference_error_h\n",
          f);
    for (int i = 0; i < x->assets.count; i++) {
        const struct asset *a = &x->assets.asset[i];
        const struct pair_said s =
            pair_sums_say(&x->things, pair_sums_at(&x->things, (size_t)i), x->class_h);
        const double number[] = {s.with,   s.without, s.difference, s.error,
                                 s.spared, s.struck,  s.later_h,    s.later_error_h};
        csv_put_text(f, a->name);
        fprintf(f, ",%s,%" PRIu32, kinds[a->kind], a->cells);
        for (size_t k = 0; k < sizeof number / sizeof *number; k++) put_number(f, number[k]);
        putc('\n', f);
    }
}

int pairs_tables(const struct pairs_report *r, struct error *e)
{
    int status = write(r, "pairs.csv", put_pairs, e);
    if (!status && r->x->assets.count) status = write(r, "assets_difference.csv", put_assets, e);
    return status;
}
