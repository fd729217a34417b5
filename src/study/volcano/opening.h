/* opening.h — the probability that the next vent opens in a cell: for each zone, a kernel density of past vents and
 * fissures, on the cells where a vent may open.
 *
 * The share of a cell in a zone is the sum of w K over the vents of the zone, divided by the sum over all cells. w is
 * the weight of a vent. K is the mean of this kernel over the points of a vent; a fissure has several points:
 *
 *     epanechnikov   2 / (pi h^2) (1 - r^2), r < 1
 *     gaussian       1 / (2 pi h^2) exp(-r^2 / 2), r < 4
 *
 * r is the distance divided by the bandwidth h. An anisotropic kernel divides by h sqrt(ratio) along its axis, and by
 * h / sqrt(ratio) across it. */
#pragma once

#include "base/error.h"
#include "eruption/vents.h"

enum opening_kernel { KERNEL_EPANECHNIKOV, KERNEL_GAUSSIAN };
enum {
    OPENING_ZONES_MAX = 16,
    OPENING_ZONE = 40,          /* bytes of a name, with the final 0 */
    OPENING_PARTS = 16,         /* largest number of parts of a fissure */
    OPENING_CELLS_MAX = 250000, /* largest number of cells if the plan gives no side of a cell */
};

struct past_vent {
    int zone, first, count; /* first, count: its points in opening.xy */
    double weight, age_y;   /* age_y: age in years; NaN: not known */
};

struct opening_shape {
    double h_m, ratio, east, north; /* h_m: bandwidth; east, north: unit vector of the axis */
    /* Mean log density at a vent due to the other vents; NaN: the bandwidth is given. */
    double score;
};

/* The keys of a plan about vents that may open. Files are paths; NULL: there is none. */
struct opening_request {
    enum opening_kernel kernel;
    /* vents: past vents. raster: a raster of probabilities instead of past vents. */
    const char *vents, *raster;
    /* within: polygons in which vents may open. never: polygons in which vents may not open. */
    const char *within, *never;
    /* bandwidth_m 0: fitted. cell_m 0: follows from the bandwidth. age_scale_y 0: vents of all ages count equally. */
    double bandwidth_m, cell_m, age_scale_y;
};

struct opening {
    enum opening_kernel kernel;
    int zones;
    /* Names of zones; "": the zone of vents for which the file names none. */
    char zone[OPENING_ZONES_MAX][OPENING_ZONE];
    int vents, points;
    struct past_vent *vent;
    double (*xy)[2];
    struct opening_shape shape[OPENING_ZONES_MAX];
    int tries[OPENING_ZONES_MAX];
    double least_m, most_m; /* range of bandwidths to try, m; 0: the bandwidth is given */
    double *mass;           /* for each vent, the sum of K over the allowed cells */
    int rows, cols;
    struct georef geo; /* the south-western corners of the grid and of the terrain are the same */
    /* rows * cols flags from the north-western corner. Nonzero: a vent may open in the cell. */
    unsigned char *allowed;
    double *share; /* share of each cell, read from a raster of probabilities; else NULL */
    struct vectors_about about;
};

/* Reads the past vents and the areas of a plan. ERROR_INPUT: there is no vent; a vent is outside the terrain; a zone
 * has one vent and no bandwidth is given; no allowed cell is in reach of a vent. On an error *o is all zero. */
int opening_read(struct opening *o, const struct opening_request *w,
                 const struct vent_ground *ground, struct error *e);
void opening_free(struct opening *o); /* all-zero is fine */

/* The kernel K of a vent at a point. opening_middle() returns the middle of a cell. */
double opening_kernel(const struct opening *o, int vent, double x, double y);
void opening_middle(const struct opening *o, size_t cell, double *x, double *y);

/* Sets share[zones] of a cell with its middle at x, y. The cell is as large as a cell of o->geo. */
void opening_shares(double *share, const struct opening *o, double x, double y);

/* opening_fit.c: the weighted mean, over the vents of a zone, of the log density at a vent due to the other vents.
 * -INFINITY: the density is 0 at some vent. */
double opening_score(const struct opening *o, int zone, const struct opening_shape *s);
/* Tries kernels that are round or stretched along the axis. Their bandwidths are 2^(k/4) times o->least_m, up to
 * o->most_m. o->tries[zone]: number of kernels with a density above 0 at every vent. o->shape[zone]: the best of these
 * kernels. */
void opening_fit(struct opening *o, int zone);
/* Makes the opening as it was known age_y years ago: vents of this age or younger get the weight 0. Vents of unknown
 * age keep their weight. opening_draw() says what *to borrows from *o. */
bool opening_before(struct opening *to, const struct opening *o, double age_y);
/* Moves the vents closer together, because the kernels spread the density farther than the vents are spread. Each vent
 * moves half of the way to a mean of the vents of its zone. The kernel around the vent weighs the others. This removes
 * the bias of order h^2 from the density (data sharpening: Choi and Hall 1999). opening_draw() says what *to borrows
 * from *o. */
bool opening_sharpen(struct opening *to, const struct opening *o);
/* Draws a new opening with the same number of vents (smoothed bootstrap). For each vent, picks a random vent of the
 * same zone, copies this vent with its weight, and moves the copy by a random offset with the density of the kernel.
 * If the shape of *o was fitted, the new shape is fitted, too. u[3 * vents]: random numbers from 0 to 1. *to owns its
 * vents, points and masses; opening_free_draw() frees these. It borrows all else from *o. False: out of memory. */
bool opening_draw(struct opening *to, const struct opening *o, const double *u);
static inline void opening_free_draw(struct opening *to)
{
    FREE_ALL(to->mass, to->xy, to->vent);
}
/* opening.c: sets o->mass[vents]. */
void opening_weigh(struct opening *o);

/* The kernel K at an offset dx, dy from a point of a vent. */
double opening_kernel_of(enum opening_kernel kernel, const struct opening_shape *s, double dx,
                         double dy);
