/* output_assets.c — assets.csv: what lava did at the places of interest of a run. */
#include "output.h"

#include "case/assets.h"
#include "map/map.h"
#include "text/csv.h"
#include "text/times.h"
#include "text/atomic_file.h"

#include <math.h>
#include <stdlib.h>

const char output_assets_head[] =
    "name,kind,cells,cells_with_lava,arrival_h,arrival_date,max_thickness_m,end_thickness_m\n";

/* Of all cells of a place that lava came to: the first time, the largest values. */
struct covering {
    uint32_t cells;
    int32_t arrival;
    double max_thickness_m, end_thickness_m;
};

static struct covering covering_of(const struct asset *a, const struct fields *f, int cols)
{
    struct covering s = {.arrival = INT32_MAX};
    for (uint32_t k = 0; k < a->cells; k++) {
        const uint32_t row = a->cell[k] / (uint32_t)cols, col = a->cell[k] % (uint32_t)cols;
        size_t i;
        if (!fields_find(f, (int)row, (int)col, &i) || f->arrival[i] == ARRIVAL_NEVER) continue;
        s.cells++;
        if (f->arrival[i] < s.arrival) s.arrival = f->arrival[i];
        s.max_thickness_m = fmax(s.max_thickness_m, f->max_thickness_m[i]);
        s.end_thickness_m = fmax(s.end_thickness_m, f->thickness_m[i] + f->solid_m[i]);
    }
    return s;
}

static void put_row(FILE *out, const struct asset *a, const struct sim_case *c,
                    const struct fields *f)
{
    const struct covering s = covering_of(a, f, c->problem.cols);
    const double time_s = s.cells ? (double)s.arrival * c->problem.params.clock_s : 0;
    char date[TIMES_TEXT];
    csv_put_text(out, a->name);
    fprintf(out, ",%s,%u,%u,", asset_kinds[a->kind], (unsigned)a->cells, (unsigned)s.cells);
    if (s.cells)
        fprintf(out, "%.12g,%s,%.9g,%.9g\n", time_s / 3600,
                times_date(date, c->start_time, time_s, TIMES_ISO), s.max_thickness_m,
                s.end_thickness_m);
    else fputs(",,,\n", out);
}

struct map_place *output_places(const struct assets *a)
{
    struct map_place *list = calloc((size_t)a->count + 1, sizeof *list);
    for (int i = 0; list && i < a->count; i++)
        list[i] = map_place_of(&a->asset[i], a->asset[i].name);
    return list;
}

int output_assets(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                  struct error *e)
{
    struct atomic_file w;
    if (!c->assets) return 0;
    char *path = output_file_path(info, c, OUTPUT_ASSETS, e);
    if (!path) return e->code;
    int status = atomic_file_open(&w, path, e);
    if (!status) {
        fputs(output_assets_head, w.stream);
        for (int i = 0; i < c->assets->count; i++) put_row(w.stream, &c->assets->asset[i], c, f);
        status = atomic_file_finish(&w, e);
    }
    status = output_done(info, path, status, e);
    free(path);
    return status;
}
