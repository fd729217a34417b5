#include "resolution.h"

#include "text/words.h"

#include <math.h>
#include <stdio.h>

/* Sizes with at most this relative difference count as equal: a projected grid may have cells of 9.98 m. */
#define SAME 0.01

static double area_ratio(double cell_m, double calibrated_m)
{
    return (cell_m * cell_m) / (calibrated_m * calibrated_m);
}

static bool same_size(double a, double b)
{
    return fabs(a - b) <= SAME * b;
}

void resolution_scale_clock(struct sim_case *c, bool of_set)
{
    struct params *p = &c->problem.params;
    if (!of_set || !(c->calibrated_cell_m > 0) || same_size(p->cell_m, c->calibrated_cell_m))
        return;
    c->unscaled_clock_s = p->clock_s;
    p->clock_s *= p->cell_m / c->calibrated_cell_m;
}

void resolution_scale(struct sim_case *c)
{
    struct params *p = &c->problem.params;
    if (!(c->calibrated_cell_m > 0)) return;
    c->given = *p;
    p->cooling *= area_ratio(p->cell_m, c->calibrated_cell_m); /* exactly 1 for equal sizes */
}

const struct params *resolution_given(const struct sim_case *c)
{
    return c->calibrated_cell_m > 0 ? &c->given : &c->problem.params;
}

double resolution_clock_s(const struct sim_case *c)
{
    const struct params *p = &c->problem.params;
    if (!(c->calibrated_cell_m > 0)) return 0;
    const double there_s = c->calibrated_clock_s > 0 ? c->calibrated_clock_s : p->clock_s,
                 here_s = there_s * (p->cell_m / c->calibrated_cell_m);
    return same_size(p->clock_s, here_s) ? 0 : here_s;
}

void resolution_warn(struct sim_case *c)
{
    const struct params *p = &c->problem.params;
    char text[256], remedy[512];
    if (c->calibrated_cell_m > 0 || same_size(p->cell_m, PUBLISHED_CELL_M)) return;
    const double ratio = area_ratio(PUBLISHED_CELL_M, p->cell_m);
    if (!(p->cooling > 0)) return;
    words_pack(text, sizeof text,
               ratio < 1 ? "the flow may be too long: cells of %.6g m, with parameters that may be "
                           "for cells of %g m"
                         : "the flow may be too short: cells of %.6g m, with parameters that may "
                           "be for cells of %g m",
               p->cell_m, PUBLISHED_CELL_M);
    snprintf(
        remedy, sizeof remedy,
        "state the cell size of the parameters; published ones are for cells of %g m: add "
        "calibrated_cell_m %g, else lava cools %.3g times as fast here (cooling divides by the "
        "area of a cell); a Pclock of %.4g s lets a front move as fast as on cells of %g m",
        PUBLISHED_CELL_M, PUBLISHED_CELL_M, ratio, p->clock_s * (p->cell_m / PUBLISHED_CELL_M),
        PUBLISHED_CELL_M);
    warnings_add(&c->told, WARNING_RESULT, text, remedy);
}

char *resolution_text(const struct sim_case *c, char text[256])
{
    const struct params *p = &c->problem.params;
    const double clock_s = resolution_clock_s(c);
    int n = 0;
    *text = '\0';
    if (!(c->calibrated_cell_m > 0)) return text;
    if (p->cooling != c->given.cooling || clock_s > 0)
        n = snprintf(text, 256, "parameters for cells of %.6g m: Pcool %.6g is scaled to %.6g",
                     c->calibrated_cell_m, c->given.cooling, p->cooling);
    if (c->unscaled_clock_s > 0)
        n += snprintf(text + n, 256 - (size_t)n, ", Pclock %.6g to %.6g", c->unscaled_clock_s,
                      p->clock_s);
    if (clock_s > 0)
        snprintf(text + n, 256 - (size_t)n,
                 "; a Pclock of %.4g s lets a front move as fast as on those cells", clock_s);
    return text;
}
