#include "ground.h"

#include "model/lattice.h"

#include <math.h>
#include <string.h>

static size_t domain_index(const struct fields *f, const struct problem *p, size_t cell)
{
    const size_t cols = (size_t)f->window.cols;
    return ((size_t)f->window.row0 + cell / cols) * (size_t)p->cols + (size_t)f->window.col0 +
           cell % cols;
}

/* What has solidified in a cell of the window since the beginning. */
static double gained(const struct fields *f, const struct problem *p, size_t cell, size_t place)
{
    return f->solid_m[cell] - (p->solid_m ? p->solid_m[place] : 0.0);
}

static quanta quanta_of(double length_m)
{
    return (quanta)(length_m * LATTICE_PER_M);
}

static int check_range(const struct fields *f, const struct problem *p, const double *ground,
                       struct error *e)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    for (size_t i = 0; i < n; i++) {
        const size_t place = domain_index(f, p, i);
        if (isnan(f->elevation_m[i]) ||
            (f->elevation_m[i] >= ELEVATION_MIN_M && ground[place] <= ELEVATION_MAX_M))
            continue;
        return error_input(e,
                           "the ground would be at %g m at row %d, column %d; give elevations from "
                           "%g to %g m",
                           f->elevation_m[i], (int)(place / (size_t)p->cols),
                           (int)(place % (size_t)p->cols), ELEVATION_MIN_M, ELEVATION_MAX_M);
    }
    return 0;
}

/* The cell gets another elevation. */
static void set(struct fields *f, const struct problem *p, size_t cell, double z, double *ground)
{
    const size_t place = domain_index(f, p, cell);
    const double rise_m = z - f->elevation_m[cell];
    if (rise_m > 0) f->ground.raised += quanta_of(rise_m);
    if (rise_m < 0) f->ground.lowered -= quanta_of(rise_m);
    f->elevation_m[cell] = z;
    ground[place] = z - gained(f, p, cell, place);
}

/* Beyond the window nothing has solidified. */
static void outside(const struct problem *p, const double *elevation_m, double *ground)
{
    const size_t n = (size_t)p->rows * (size_t)p->cols;
    for (size_t i = 0; i < n; i++)
        ground[i] =
            isnan(p->elevation_m[i]) || isnan(elevation_m[i]) ? p->elevation_m[i] : elevation_m[i];
}

int ground_survey(struct fields *f, const struct problem *p, const double *elevation_m,
                  bool with_lava, double *ground, struct error *e)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    outside(p, elevation_m, ground);
    for (size_t i = 0; i < n; i++) {
        const size_t place = domain_index(f, p, i);
        const double surveyed = elevation_m[place], set_m = gained(f, p, i, place);
        if (isnan(surveyed)) set(f, p, i, f->elevation_m[i], ground);
        else if (isnan(f->elevation_m[i])) ground[place] = NAN;
        else set(f, p, i, with_lava ? surveyed : surveyed + set_m, ground);
    }
    return check_range(f, p, ground, e);
}

double ground_by_rule(const struct ground_rule *r, double elevation_m)
{
    if (isnan(elevation_m)) return elevation_m;
    const double top = fmax(elevation_m + r->height_m, r->crest_m);
    if (r->height_m > 0 || r->crest_m > -INFINITY) return top > elevation_m ? top : elevation_m;
    return elevation_m - r->depth_m;
}

/* The cell of the window at a place of the domain; false: it is beyond. */
static bool find(const struct fields *f, const struct problem *p, size_t place, size_t *cell)
{
    const int row = (int)(place / (size_t)p->cols) - f->window.row0,
              col = (int)(place % (size_t)p->cols) - f->window.col0;
    if (row < 0 || col < 0 || row >= f->window.rows || col >= f->window.cols) return false;
    *cell = (size_t)row * (size_t)f->window.cols + (size_t)col;
    return true;
}

int ground_reshape(struct fields *f, const struct problem *p, const struct ground_rule *rule,
                   size_t rules, double *ground, struct error *e)
{
    ground_of(f, p, ground);
    for (size_t i = 0; i < rules; i++) {
        const size_t place = rule[i].place;
        size_t cell;
        if (!find(f, p, place, &cell)) ground[place] = ground_by_rule(&rule[i], ground[place]);
        else if (!isnan(f->elevation_m[cell]))
            set(f, p, cell, ground_by_rule(&rule[i], f->elevation_m[cell]), ground);
    }
    return check_range(f, p, ground, e);
}

bool ground_of(const struct fields *f, const struct problem *p, double *ground)
{
    const size_t n = (size_t)f->window.rows * (size_t)f->window.cols;
    bool other = false;
    memcpy(ground, p->elevation_m, (size_t)p->rows * (size_t)p->cols * sizeof *ground);
    for (size_t i = 0; i < n; i++) {
        const size_t place = domain_index(f, p, i);
        ground[place] = f->elevation_m[i] - gained(f, p, i, place);
        other = other || (ground[place] != p->elevation_m[place] &&
                          !(isnan(ground[place]) && isnan(p->elevation_m[place])));
    }
    return other;
}
