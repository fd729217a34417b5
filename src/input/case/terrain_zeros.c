/* terrain_zeros.c — where its source did not cover it, a DEM or a survey has 0 m unless whoever
 * warped it said otherwise: land at sea level, or sea, below cliffs. */
#include "case_parts.h"

#include <math.h>
#include <stdio.h>

/* A step down to 0 that no coast has on most of its length: 100 m, and twice as high as wide. */
static double cliff_m(const struct sim_case *c)
{
    return fmax(100, 2 * c->geo.cell_m);
}

struct coast {
    size_t zeros, edges, cliffs; /* cells at 0; their edges to other ones, of which cliffs */
};

static void look_at_edge(struct coast *k, double a_m, double b_m, double most_m)
{
    const double other_m = a_m == 0 ? b_m : a_m;
    if ((a_m == 0) == (b_m == 0) || isnan(other_m)) return;
    k->edges++;
    k->cliffs += fabs(other_m) > most_m;
}

void case_warn_zeros(struct sim_case *c, const double *z, const char *path)
{
    const size_t rows = (size_t)c->problem.rows, cols = (size_t)c->problem.cols;
    const double most_m = cliff_m(c);
    struct coast k = {0};
    char sentence[512];
    for (size_t i = 0; i < rows * cols; i++) {
        k.zeros += z[i] == 0;
        if ((i + 1) % cols) look_at_edge(&k, z[i], z[i + 1], most_m);
        if (i + cols < rows * cols) look_at_edge(&k, z[i], z[i + cols], most_m);
    }
    if (2 * k.cliffs <= k.edges) return;
    snprintf(sentence, sizeof sentence,
             "%.300s: %zu cell%s at 0 m, below cliffs of more than %g m; if its source does not "
             "cover them, declare 0 as no data (gdal_edit.py -a_nodata 0)",
             path, k.zeros, k.zeros == 1 ? " is" : "s are", most_m);
    case_warn(c, sentence);
}
