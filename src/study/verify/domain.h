/* domain.h — the cells on which a forecast is verified. They are chosen by the outline, never by the forecast:
 * otherwise each forecast would choose its own test. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "sim/problem.h"

/* Values of the key verify_within. All-zero: the bounding box of the outline and 500 m on each side. */
struct domain_within {
    /* > 0: all cells with a centre within this distance of the centre of a cell of the outline. */
    double distance_m;
    const char *path; /* a raster or polygons, read like an outline; NULL: none */
};
#define DOMAIN_MARGIN_M 500.0
#define DOMAIN_WITHIN_M 1e6 /* the largest distance_m */
#define DOMAIN_REMEDY                                                                              \
    "give a distance above 0 and at most 1000 km (500, 500m, 2km), or a file of polygons"

/* Whether `text` is a distance: "500" (m), "500m", "2 km". *good: whether the distance is in range. */
bool domain_is_distance(const char *text, double *distance_m, bool *good);

enum { DOMAIN_IN = 1, DOMAIN_OBSERVED = 2 };
struct domain {
    int rows, cols; /* size of the grid */
    double cell_m;
    struct window box;   /* all observed cells, and all cells of the domain, are in the box */
    unsigned char *cell; /* flags of the box's cells, row by row: DOMAIN_IN, DOMAIN_OBSERVED */
    /* number of cells of the domain; number of these with observed lava */
    uint64_t cells, observed;
    uint64_t beyond; /* number of observed cells outside the domain */
    char about[96];  /* a description for words_pack(): "the outline's box and 500 m" */
};

/* Creates the domain of an outline. outline[p->rows * p->cols]: nonzero inside the outline, which has at least one
 * cell. The domain excludes cells without terrain; if p->elevation_m is NULL, all cells have terrain. ERROR_INPUT: no
 * observed cell remains; the message begins with `name`. */
int domain_create(struct domain *d, const struct domain_within *within,
                  const unsigned char *outline, const struct problem *p, const struct georef *geo,
                  const char *name, struct error *e);

/* The window with a margin of `margin` cells on each side, cut at the border of the grid. */
struct window domain_around(struct window w, double margin, int rows, int cols);

/* Makes *d the union of two domains of the same outline on the same grid. */
int domain_union(struct domain *d, const struct domain *a, const struct domain *b, struct error *e);

void domain_free(struct domain *d); /* all-zero is fine */

/* Cell i of the box as a cell of the grid, row * cols + col. */
static inline size_t domain_place(const struct domain *d, size_t i)
{
    const size_t row = i / (size_t)d->box.cols, col = i % (size_t)d->box.cols;
    return ((size_t)d->box.row0 + row) * (size_t)d->cols + (size_t)d->box.col0 + col;
}

/* The flags of a cell of the grid; 0 outside the box. */
unsigned domain_at(const struct domain *d, int row, int col);
