/* tally.h — what members of equal weight did in the cells of one tile after the other, counted in 16
 * bits: small enough for a processor's cache, where the counters of a tile (ensemble/statistics.h) are
 * not. */
#pragma once

#include "ensemble/statistics.h"

struct tally;

/* Into *s, which outlives it; `cols` of the terrain. NULL: out of memory. Several threads can have one
 * each with tiles of its own, and the same *s. */
struct tally *tally_create(struct statistics *s, int cols, uint64_t weight);
/* What a member did in a tile, in the order of places. ERROR_INPUT: as statistics_add(). */
int tally_add(struct tally *t, const struct reached *reached, int count, struct error *e);
/* Adds to *s what is not there yet. */
int tally_flush(struct tally *t, struct error *e);
void tally_free(struct tally *t); /* without; NULL is fine */
