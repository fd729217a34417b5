/* opening.h — where the next vent opens: a kernel density of past vents and fissures, for each zone, on the
 * cells where a vent may open.
 *
 * The share of a cell is the sum of w K over the vents of its zone, divided by that sum over all cells, so that
 * all shares of a zone add up to 1. K is the mean over the points of a vent (of a fissure the middles of equal
 * parts) of the kernel
 *
 *     epanechnikov   2 / (pi h^2) (1 - r^2), r < 1
 *     gaussian       1 / (2 pi h^2) exp(-r^2 / 2), r < 4
 *
 * r is the distance divided by the bandwidth h; along the axis of an anisotropic kernel by h sqrt(ratio), across it by
 * h / sqrt(ratio). All of it is the same to the bit on every machine: members are drawn from it. */
#pragma once

#include "base/error.h"
#include "eruption/vents.h"

enum opening_kernel { KERNEL_EPANECHNIKOV, KERNEL_GAUSSIAN };
enum {
    OPENING_ZONES_MAX = 16,
    OPENING_ZONE = 40,          /* bytes of a name */
    OPENING_PARTS = 16,         /* parts of a fissure, at most */
    OPENING_CELLS_MAX = 250000, /* if the plan gives no side of a cell */
};

struct past_vent {
    int zone, first, count; /* its points, in opening.xy */
    double weight, age_y;   /* age_y NaN: not known */
};

struct opening_shape {
    double h_m, ratio, east, north; /* east, north: the axis, a unit vector */
    double score; /* mean log density of a vent by the others; NaN: the bandwidth is given */
};

/* What a plan says of where vents open; files are paths, NULL: none. */
struct opening_request {
    enum opening_kernel kernel;
    const char *vents, *raster;              /* past vents; or a raster of probabilities */
    const char *within, *never;              /* polygons */
    double bandwidth_m, cell_m, age_scale_y; /* if 0: fitted; from the bandwidth; ages alike */
};

struct opening {
    enum opening_kernel kernel;
    int zones;
    char zone[OPENING_ZONES_MAX][OPENING_ZONE]; /* its name; "": of vents without a zone */
    int vents, points;
    struct past_vent *vent;
    double (*xy)[2];
    struct opening_shape shape[OPENING_ZONES_MAX];
    int tries[OPENING_ZONES_MAX];
    double least_m, most_m; /* range of bandwidths to try; 0: the bandwidth is given */
    double *mass;           /* for each vent the sum of K over allowed cells */
    int rows, cols;
    struct georef geo; /* of the cells, which begin in the south-western corner of the terrain */
    unsigned char *allowed; /* rows * cols from the north-west: a vent may open there */
    double *share;          /* of each cell, from a raster of probabilities; else NULL */
    struct vectors_about about;
};

/* Reads what a plan says. ERROR_INPUT: no vent, or one outside the terrain; a zone of one vent without a bandwidth; no
 * allowed cell within reach. On an error *o is all zero. */
int opening_read(struct opening *o, const struct opening_request *w,
                 const struct vent_ground *ground, struct error *e);
void opening_free(struct opening *o); /* all-zero is fine */

/* K of a vent at a place; opening_middle() gives the middle of a cell. */
double opening_kernel(const struct opening *o, int vent, double x, double y);
void opening_middle(const struct opening *o, size_t cell, double *x, double *y);

/* Sets share[zones] for a cell of the size of opening.geo with its middle at that place. */
void opening_shares(double *share, const struct opening *o, double x, double y);

/* opening_fit.c: the mean log density, weighted, of a zone's vents by the others; -INFINITY: one has none. */
double opening_score(const struct opening *o, int zone, const struct opening_shape *s);
/* Tries kernels, round and along the axis, with bandwidths of 2^(k/4) times o->least_m up to o->most_m. Sets o->tries[zone] to
 * how many of them gave each vent a density, and o->shape[zone] to the best. */
void opening_fit(struct opening *o, int zone);
/* Makes the opening without the vents of the last age_y years; vents of unknown age stay. *to is made as opening_draw() makes
 * it. */
bool opening_before(struct opening *to, const struct opening *o, double age_y);
/* Moves vents so that their density is as wide as the vents of *o are spread, not wider by the kernel. Each moves half of the
 * way to the mean of its zone, weighted by the kernel around the vent: this removes the density's bias of order h^2 (data
 * sharpening: Choi and Hall 1999). *to is made as opening_draw() makes it. */
bool opening_sharpen(struct opening *to, const struct opening *o);
/* Makes an opening of as many vents drawn from *o (smoothed bootstrap): each is a vent of its zone, with that vent's weight, moved
 * at random by the kernel. The shape is fitted anew if that of *o was fitted. u[3 * vents]: from 0 to 1. *to borrows all but
 * vents, points and masses from *o; opening_free_draw() frees these. False: no memory. */
bool opening_draw(struct opening *to, const struct opening *o, const double *u);
static inline void opening_free_draw(struct opening *to)
{
    FREE_ALL(to->mass, to->xy, to->vent);
}
/* opening.c: sets o->mass[vents]. */
void opening_weigh(struct opening *o);

/* K of a shape at an offset from a point. */
double opening_kernel_of(enum opening_kernel kernel, const struct opening_shape *s, double dx,
                         double dy);
