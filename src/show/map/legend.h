/* legend.h — a legend alone, as a picture for a globe, with the colours and numbers of a map. */
#pragma once

#include "base/error.h"
#include "record/layer_set.h"

#include <stddef.h>

struct legend_page {
    const char *title; /* to be filled (text/words.h) */
    const struct legend *legend;
    const char *language; /* NULL: English */
};
/* A PNG as bytes, malloc'ed. */
int legend_bytes(char **bytes, size_t *size, const struct legend_page *p, double dpi,
                 struct error *e);
