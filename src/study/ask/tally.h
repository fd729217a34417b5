/* tally.h — what members did in the cells of one tile after the other, counted in 16 bits where members weigh
 * little, else in 32: small enough for a processor's cache, where the counters of a tile (members/statistics.h)
 * are not. */
#pragma once

#include "members/library_block.h"
#include "members/statistics.h"

struct tally;

/* No member may weigh more, nor less than this below 0: a hundred fit into 32 bits. */
enum { TALLY_WEIGHT_MAX = 1 << 24 };

/* Into *s, which outlives it; `cols` of the terrain; `most`: no member weighs more, nor less than this below
 * 0. NULL: out of memory. Several threads can have one each with tiles of its own, and the same *s. */
struct tally *tally_create(struct statistics *s, int cols, int most);
/* What a member did in a tile, in the order of places. ERROR_INPUT: as statistics_add(). */
int tally_add(struct tally *t, int weight, const struct reached *reached, int count,
              struct error *e);
/* tally_add() of a blob in which no value is wrong (library_blocks(), with `place` and `floor`). */
int tally_add_block(struct tally *t, int weight, uint32_t place, const struct block *b,
                    const uint32_t *floor, struct error *e);
/* Adds to *s what is not there yet. */
int tally_flush(struct tally *t, struct error *e);
void tally_free(struct tally *t); /* without; NULL is fine */
