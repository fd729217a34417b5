#include "fit.h"

#include "text/textfile.h"

#include <math.h>
#include <string.h>

/* Adds the values a and b of cell `at` to the sums of *d, and |a| to *sum_a. */
static void add_numbers(struct sciara_difference *d, double *sum_a, double a, double b, size_t at)
{
    const double difference = fabs(a - b);
    *sum_a += fabs(a);
    d->l1 += difference;
    if (difference > d->largest) {
        d->largest = difference;
        d->largest_at = at;
    }
}

void compare_values(struct sciara_difference *d, const double *a, const double *b, size_t n,
                    bool absent_is_zero)
{
    double sum_a = 0;
    *d = (struct sciara_difference){.cells = n, .empty = true};
    for (size_t i = 0; i < n; i++) {
        const bool in_a = !isnan(a[i]), in_b = !isnan(b[i]);
        const bool lava_a = a[i] > 0, lava_b = b[i] > 0;
        d->differ += (in_a || in_b) && memcmp(&a[i], &b[i], sizeof *a);
        d->missing_a += in_b && !in_a;
        d->missing_b += in_a && !in_b;
        d->both += lava_a && lava_b;
        d->either += lava_a || lava_b;
        if ((in_a && a[i] != 0) || (in_b && b[i] != 0)) d->empty = false;
        if ((in_a && in_b) || absent_is_zero)
            add_numbers(d, &sum_a, in_a ? a[i] : 0.0, in_b ? b[i] : 0.0, i);
    }
    d->l1_relative = sum_a > 0 ? d->l1 / sum_a : (double)NAN;
    d->overlap = d->either ? (double)d->both / (double)d->either : (double)NAN;
}

bool compare_absent_is_zero(const char *path)
{
    const char *name = path_name(path);
    return strstr(name, "hickness") || strstr(name, "solidified");
}

static bool has_lava(const struct fit_input *in, size_t i)
{
    return in->thickness_m[i] > 0;
}

/* ---- overlap --------------------------------------------------------------------------------- */

static double ratio_of(double over, double under)
{
    return under > 0 ? over / under : (double)NAN;
}

static void measure_overlap(struct sciara_overlap *fit, const struct fit_input *in)
{
    const size_t n = (size_t)in->rows * (size_t)in->cols;
    const double area_m2 = in->cell_m * in->cell_m;
    double thickness_m = 0;
    for (size_t i = 0; i < n; i++) {
        const bool s = has_lava(in, i), r = in->observed[i] != 0;
        fit->both += s && r;
        fit->only_simulated += s && !r;
        fit->only_observed += r && !s;
        if (s) thickness_m += in->thickness_m[i];
    }
    fit->simulated = fit->both + fit->only_simulated;
    fit->observed = fit->both + fit->only_observed;
    fit->either = fit->simulated + fit->only_observed;

    const double both = (double)fit->both;
    fit->jaccard = ratio_of(both, (double)fit->either);
    fit->jaccard_root = sqrt(fit->jaccard);
    fit->precision = ratio_of(both, (double)fit->simulated);
    fit->recall = ratio_of(both, (double)fit->observed);
    fit->f1 = ratio_of(2 * both, (double)fit->simulated + (double)fit->observed);
    fit->over_m2 = (double)fit->only_simulated * area_m2;
    fit->under_m2 = (double)fit->only_observed * area_m2;
    fit->volume_m3 = thickness_m * area_m2;
}

/* ---- outside the terrain --------------------------------------------------------------------- */

/* Whether lava is in the two outermost rings of cells. The outermost ring alone does not show this, because its cells
 * lose their lava at the end of each step. */
static bool lava_at_edge(const struct fit_input *in)
{
    for (int row = 0; row < in->rows; row++)
        for (int col = 0; col < in->cols; col++) {
            const bool edge = row < 2 || col < 2 || row >= in->rows - 2 || col >= in->cols - 2;
            if (edge && has_lava(in, (size_t)row * (size_t)in->cols + (size_t)col)) return true;
        }
    return false;
}

/* Counts the cells inside the outline that have no elevation. */
static size_t count_holes(const struct fit_input *in)
{
    const struct window all = {0, 0, in->rows, in->cols}, w = in->known.rows ? in->known : all;
    size_t holes = 0;
    for (int row = w.row0; row < w.row0 + w.rows && in->elevation_m; row++)
        for (int col = w.col0; col < w.col0 + w.cols; col++) {
            const size_t i = (size_t)row * (size_t)in->cols + (size_t)col;
            holes += in->observed[i] && isnan(in->elevation_m[i]);
        }
    return holes;
}

static void measure_outside(struct sciara_overlap *fit, const struct fit_input *in)
{
    const double area_m2 = in->cell_m * in->cell_m;
    const size_t holes = count_holes(in);
    fit->outside_m2 = in->beyond_m2 + (double)holes * area_m2;
    fit->outside_share = ratio_of(fit->outside_m2, in->beyond_m2 + (double)fit->observed * area_m2);
    fit->observed_cut = fit->outside_m2 > 0;
    fit->simulated_cut = isnan(in->left_m3) ? lava_at_edge(in) : in->left_m3 > 0;
}

/* ---- run-out --------------------------------------------------------------------------------- */

/* The highest cell of the observed flow, its probable source. */
static bool highest_observed(const struct fit_input *in, struct fit_cell *source)
{
    double highest = -INFINITY;
    if (!in->elevation_m) return false;
    for (int row = 0; row < in->rows; row++)
        for (int col = 0; col < in->cols; col++) {
            const size_t i = (size_t)row * (size_t)in->cols + (size_t)col;
            if (in->observed[i] && in->elevation_m[i] > highest) {
                highest = in->elevation_m[i];
                *source = (struct fit_cell){row, col};
            }
        }
    return highest > -INFINITY;
}

/* The squared distance, in cells, to the nearest source. There are only a few sources. */
static double distance2(const struct fit_cell *sources, int count, int row, int col)
{
    double nearest = INFINITY;
    for (int v = 0; v < count; v++) {
        const double dy = row - sources[v].row, dx = col - sources[v].col;
        nearest = fmin(nearest, dx * dx + dy * dy);
    }
    return nearest;
}

static void measure_runout(struct sciara_overlap *fit, const struct fit_input *in)
{
    const struct fit_cell *sources = in->vents;
    int count = in->vent_count;
    struct fit_cell source = {0};
    fit->runout_known = count > 0 || highest_observed(in, &source);
    if (!fit->runout_known) return;
    fit->source_row = source.row;
    fit->source_col = source.col;
    if (count == 0) sources = &source, count = 1;

    double simulated = 0, observed = 0;
    for (int row = 0; row < in->rows; row++)
        for (int col = 0; col < in->cols; col++) {
            const size_t i = (size_t)row * (size_t)in->cols + (size_t)col;
            const bool s = has_lava(in, i), r = in->observed[i] != 0;
            if (!s && !r) continue;
            const double d2 = distance2(sources, count, row, col);
            if (s) simulated = fmax(simulated, d2);
            if (r) observed = fmax(observed, d2);
        }
    fit->runout_simulated_m = sqrt(simulated) * in->cell_m;
    fit->runout_observed_m = sqrt(observed) * in->cell_m;
    fit->runout_difference_m = fit->simulated_cut || fit->observed_cut
                                   ? (double)NAN
                                   : fit->runout_simulated_m - fit->runout_observed_m;
}

void fit_compute(struct sciara_overlap *fit, const struct fit_input *in)
{
    *fit = (struct sciara_overlap){0};
    measure_overlap(fit, in);
    measure_outside(fit, in);
    measure_runout(fit, in);
}
