/* pack.h — packs numbers for a page in a browser: quantises them to 16 bits, predicts, deflates, and writes base64.
 *
 * A quantity x becomes the whole number round((x - base) / unit), 0 to 65534. 65535 stands for no value. Then a
 * prediction from the previous numbers is subtracted (modulo 65536), so most differences are small. Differences 0,
 * -1, 1, -2, ... become 0, 1, 2, 3, ... Their low bytes come first, then their high bytes. src/show/page/data.js
 * decodes the bytes. */
#pragma once

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PACK_NONE = 65535, PACK_MOST = 65534 };

struct pack_scale {
    double base, unit;
};

/* The scale for values from `least` to `most`; NaN: there are no values. The unit is the first of the numbers
 * finest, 2 * finest, 5 * finest, 10 * finest, 20 * finest, ... with which all quanta fit into 16 bits. */
struct pack_scale pack_scale(double least, double most, double finest);
uint16_t pack_quantum(struct pack_scale s, double value); /* NaN: PACK_NONE */

/* A growing array of bytes; all-zero: empty. */
struct pack_bytes {
    unsigned char *data;
    size_t size, room;
};
void pack_free(struct pack_bytes *b);

/* Packs a list. The prediction of value[i] is value[i - 1]. If `before` is not NULL, it has earlier values of the same
 * cells, and the prediction is value[i - 1] + before[i] - before[i - 1]. */
int pack_list(struct pack_bytes *b, const uint16_t *value, const uint16_t *before, size_t count,
              struct error *e);
/* Packs a grid, row by row. Three neighbours predict each number, as in LOCO-I: the prediction is the median of west,
 * north, and west + north - north-west. */
int pack_grid(struct pack_bytes *b, const uint16_t *value, int rows, int cols, struct error *e);
/* Packs one bit for each byte, 1 if the byte is not 0, the highest bit first. */
int pack_bits(struct pack_bytes *b, const unsigned char *set, size_t count, struct error *e);

/* The bytes, deflated (zlib), as base64: malloc'ed and ended by a NUL. NULL: out of memory. */
char *pack_text(const struct pack_bytes *b);
