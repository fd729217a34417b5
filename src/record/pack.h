/* pack.h — the numbers of a page in a browser: quantised to 16 bits, predicted, deflated, as base64.
 *
 * A quantity x becomes the whole number round((x - base) / unit), 0 to 65534; 65535: no value. From
 * each a prediction is subtracted (modulo 65536), made from the numbers before it, so that mostly
 * small differences remain. Differences 0, -1, 1, -2, ... become 0, 1, 2, 3, ...; all low bytes
 * come first, then all high ones. src/show/page/data.js undoes it. */
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PACK_NONE = 65535, PACK_MOST = 65534 };

/* How a quantity becomes whole numbers. */
struct pack_scale {
    double base, unit;
};

/* The scale for values from `least` to `most` (NaN: there are no values): the unit is the smallest of 1, 2 or 5 times a
 * power of ten that is at least `finest` and lets the whole range fit. */
struct pack_scale pack_scale(double least, double most, double finest);
uint16_t pack_quantum(struct pack_scale s, double value); /* NaN: PACK_NONE */

/* Bytes whose number grows; all-zero: none yet. */
struct pack_bytes {
    unsigned char *data;
    size_t size, room;
};
void pack_free(struct pack_bytes *b);

/* Packs a list. Each number is predicted by the one before it; if `before`, an earlier state of the same cells, is not
 * NULL, the change between those two numbers in `before` is added to the prediction. */
int pack_list(struct pack_bytes *b, const uint16_t *value, const uint16_t *before, size_t count,
              struct error *e);
/* Packs a grid, row by row. Each number is predicted by its neighbours in the west, north and north-west, as LOCO-I does:
 * by the greater or smaller of the first two where there seems to be an edge, else by the plane through the three. */
int pack_grid(struct pack_bytes *b, const uint16_t *value, int rows, int cols, struct error *e);
/* Packs one bit for each byte, 1 if the byte is not 0, the highest bit first. */
int pack_bits(struct pack_bytes *b, const unsigned char *set, size_t count, struct error *e);

/* The bytes, deflated (zlib), as base64: malloc'ed and ended by a NUL. NULL: out of memory. */
char *pack_text(const struct pack_bytes *b);
