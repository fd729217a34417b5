#include "ground.h"

#include "model/lattice.h"

#include <math.h>
#include <string.h>

/* The thickness that solidified in a cell of the window since the beginning. */
static double gained(const struct fields *f, const struct problem *p, size_t cell, size_t place)
{
    return f->solid_m[cell] - (p->solid_m ? p->solid_m[place] : 0.0);
}

static quanta quanta_of(double length_m)
{
    return (quanta)(length_m * LATTICE_PER_M);
}

/* Finds the cell at a place of the domain. *cell becomes its index in the arrays of *f; false: *f lacks the cell. */
static bool find_cell(const struct fields *f, const struct problem *p, size_t place, size_t *cell)
{
    return fields_find(f, (int)(place / (size_t)p->cols), (int)(place % (size_t)p->cols), cell);
}

/* Checks the elevations of the whole domain. So a run with a smaller window refuses the same input
 * as a run with the whole domain. */
static int check_range(const struct fields *f, const struct problem *p, const double *ground,
                       struct error *e)
{
    const size_t n = (size_t)p->rows * (size_t)p->cols;
    for (size_t place = 0; place < n; place++) {
        size_t cell;
        const double z = find_cell(f, p, place, &cell) ? f->elevation_m[cell] : ground[place];
        if (isnan(z) || (z >= ELEVATION_MIN_M && ground[place] <= ELEVATION_MAX_M)) continue;
        return error_input(
            e, "the ground would be at %g m at row %d, column %d; give elevations from %g to %g m",
            z, (int)(place / (size_t)p->cols), (int)(place % (size_t)p->cols), ELEVATION_MIN_M,
            ELEVATION_MAX_M);
    }
    return 0;
}

void ground_count(struct ground_sums *sums, double rise_m)
{
    if (rise_m > 0) sums->raised += quanta_of(rise_m);
    if (rise_m < 0) sums->lowered -= quanta_of(rise_m);
}

/* Gives a cell another elevation. */
static void set_elevation(struct fields *f, const struct problem *p, size_t cell, double z,
                          double *ground)
{
    const size_t place = fields_place(f, p, cell);
    ground_count(&f->ground, z - f->elevation_m[cell]);
    f->elevation_m[cell] = z;
    ground[place] = z - gained(f, p, cell, place);
}

/* Gives another elevation to a place that the state lacks. There no lava has solidified. */
static void set_beyond(struct fields *f, const struct problem *p, size_t place, double z,
                       double *ground)
{
    const double before = p->elevation_m[place];
    ground[place] = isnan(before) || isnan(z) ? before : z;
    if (!isnan(before)) ground_count(&f->ground, ground[place] - before);
}

int ground_survey(struct fields *f, const struct problem *p, const double *elevation_m,
                  bool with_lava, double *ground, struct error *e)
{
    const size_t n = (size_t)p->rows * (size_t)p->cols;
    for (size_t place = 0; place < n; place++) {
        const double surveyed = elevation_m[place];
        size_t i;
        if (!find_cell(f, p, place, &i)) {
            set_beyond(f, p, place, surveyed, ground);
            continue;
        }
        const double set_m = gained(f, p, i, place);
        if (isnan(surveyed)) set_elevation(f, p, i, f->elevation_m[i], ground);
        else if (isnan(f->elevation_m[i])) ground[place] = NAN;
        else set_elevation(f, p, i, with_lava ? surveyed : surveyed + set_m, ground);
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

int ground_reshape(struct fields *f, const struct problem *p, const struct ground_rule *rule,
                   size_t rules, double *ground, struct error *e)
{
    ground_of(f, p, ground);
    for (size_t i = 0; i < rules; i++) {
        const size_t place = rule[i].place;
        size_t cell;
        if (!find_cell(f, p, place, &cell))
            set_beyond(f, p, place, ground_by_rule(&rule[i], p->elevation_m[place]), ground);
        else if (!isnan(f->elevation_m[cell]))
            set_elevation(f, p, cell, ground_by_rule(&rule[i], f->elevation_m[cell]), ground);
    }
    return check_range(f, p, ground, e);
}

bool ground_of(const struct fields *f, const struct problem *p, double *ground)
{
    bool other = false;
    memcpy(ground, p->elevation_m, (size_t)p->rows * (size_t)p->cols * sizeof *ground);
    FIELDS_EACH (f, row, i) {
        const size_t place = fields_place(f, p, i);
        ground[place] = f->elevation_m[i] - gained(f, p, i, place);
        other = other || (ground[place] != p->elevation_m[place] &&
                          !(isnan(ground[place]) && isnan(p->elevation_m[place])));
    }
    return other;
}
