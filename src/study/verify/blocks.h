/* blocks.h — errors of sums over the cells of one flow, where neighbours are wet together: the block
 * bootstrap (H. R. Kuensch: The jackknife and the bootstrap for general stationary observations. Ann.
 * Statist. 17, 1989), with blocks along the flow.
 *
 * A block is a band across the domain. Bands are perpendicular to the principal axis of the observed
 * cells and several times as long as the distance along it at which residuals are correlated. */
#pragma once

#include "domain.h"

enum {
    BLOCKS_LONGER = 6,  /* a block's length in lengths of correlation, ... */
    BLOCKS_LEAST = 8,   /* unless there were fewer blocks than that */
    BLOCKS_DRAWS = 1000 /* replicates */
};

struct blocks {
    double along[2]; /* unit vector of the axis: rows, columns */
    double first;    /* coordinate of slab 0; a slab is a cell long */
    int slabs;
    int correlation; /* slabs until the autocorrelation of residuals falls below 1/e */
    int length;      /* slabs of a block */
    int count;
};

/* The axis and the slabs of a domain with observed cells. */
void blocks_lay(struct blocks *b, const struct domain *d);

/* The slab of a cell of the domain's box. */
int blocks_slab(const struct blocks *b, int row, int col);

/* Length and number of the blocks, by the sum of the residuals in each slab. */
void blocks_choose(struct blocks *b, const double *residual);

static inline int blocks_of(const struct blocks *b, int slab)
{
    const int block = slab / b->length;
    return block < b->count ? block : b->count - 1;
}

/* Replicate number k: sum[columns] of as many blocks as there are, drawn with replacement. `block`:
 * count * columns. A pure function of k and the blocks. */
void blocks_draw(double *sum, const struct blocks *b, const double *block, int columns, int k);

/* Mean and variance of numbers as they come, NaN apart. */
struct blocks_moments {
    double mean, squares;
    int count;
};
void blocks_add(struct blocks_moments *m, double x);

/* The standard error of what the replicates are of: their standard deviation, and what a sample of so few
 * blocks lacks. NaN: fewer than two of either. */
double blocks_error(const struct blocks *b, const struct blocks_moments *m);
