/* case_sea.c — the sea of a case: cells at or below its sea_level have no data and a name. */
#include "case_parts.h"

#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A case in which lava or a vent would stand in it says so as for any cell without data. */
int case_sea_fill(struct sim_case *c, double level_m, const char *said_at, struct error *e)
{
    const size_t n = (size_t)c->problem.rows * (size_t)c->problem.cols;
    const double most_m = level_m + number_tolerance(level_m);
    size_t land = 0, cells = 0;
    if (!(c->sea = calloc(n, 1))) return error_memory(e);
    for (size_t i = 0; i < n; i++) {
        if (isnan(c->elevation_m[i])) continue;
        c->sea[i] = c->elevation_m[i] <= most_m;
        cells += c->sea[i];
        land += !c->sea[i];
        if (c->sea[i]) c->elevation_m[i] = NAN;
    }
    c->sea_level_m = level_m;
    c->sea_cells = cells;
    if (!land)
        return error_input(e, "%s: the whole terrain is at or below %g m; give a lower level",
                           said_at, level_m);
    if (!cells) case_note(c, "no cell is at or below sea_level");
    return 0;
}
