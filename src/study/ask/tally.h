/* tally.h — counts the results of members in cells, tile after tile, in counters of 16 bits or, if weights are large, of 32
 * bits. The counters of a tile fit into a processor's cache; the counters of members/statistics.h do not. */
#pragma once

#include "members/library_block.h"
#include "members/statistics.h"

struct tally;

/* The greatest absolute value of a weight. The sum of a hundred such weights fits into 32 bits. */
enum { TALLY_WEIGHT_MAX = 1 << 24 };

/* Creates a tally that adds to *s, which outlives it. cols: columns of the terrain; weights are from -most to
 * most. NULL: out of memory. Several threads can have tallies for the same *s, each for other tiles. */
struct tally *tally_create(struct statistics *s, int cols, int most);
/* Counts the cells of a member in a tile, sorted by place. ERROR_INPUT: as statistics_add(). */
int tally_add(struct tally *t, int weight, const struct reached *reached, int count,
              struct error *e);
/* Counts a blob that library_blocks() has checked. `place` and `floor` are as library_blocks() gives them. */
int tally_add_block(struct tally *t, int weight, uint32_t place, const struct block *b,
                    const uint32_t *floor, struct error *e);
/* Adds to *s the counts that are only in the tally. */
int tally_flush(struct tally *t, struct error *e);
void tally_free(struct tally *t); /* does not flush; NULL is fine */
