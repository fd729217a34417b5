/* tally.h — counts what members did in cells, one tile after the other, in counters of 16 bits if weights are small, else
 * of 32. The counters of a tile then fit into a processor's cache, which those of members/statistics.h do not. */
#pragma once

#include "members/library_block.h"
#include "members/statistics.h"

struct tally;

/* Weights lie between this and its negative, so that the sum of a hundred fits into 32 bits. */
enum { TALLY_WEIGHT_MAX = 1 << 24 };

/* Creates a tally that adds to *s, which outlives it. cols: of the terrain; weights lie between `most` and its
 * negative. NULL: out of memory. Several threads can each have one with tiles of its own for the same *s. */
struct tally *tally_create(struct statistics *s, int cols, int most);
/* Counts what a member did in a tile, in the order of places. ERROR_INPUT: as statistics_add(). */
int tally_add(struct tally *t, int weight, const struct reached *reached, int count,
              struct error *e);
/* Counts a blob in which no value is wrong (library_blocks(), with `place` and `floor`). */
int tally_add_block(struct tally *t, int weight, uint32_t place, const struct block *b,
                    const uint32_t *floor, struct error *e);
/* Adds to *s what it does not have yet. */
int tally_flush(struct tally *t, struct error *e);
void tally_free(struct tally *t); /* without tally_flush(); NULL is fine */
