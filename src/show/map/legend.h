/* legend.h — a legend without a map, as a picture for a globe. */
#pragma once

#include "base/error.h"
#include "record/layer_set.h"

#include <stddef.h>

struct legend_page {
    const char *title; /* a text with gaps to fill (text/words.h) */
    const struct legend *legend;
    const char *language; /* NULL: English */
};
/* Paints the legend as a PNG in memory, malloc'ed. */
int legend_bytes(char **bytes, size_t *size, const struct legend_page *p, double dpi,
                 struct error *e);
