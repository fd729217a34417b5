/* legend.h — a legend alone, as a picture for a globe. */
#pragma once

#include "base/error.h"
#include "record/scene.h"

#include <stddef.h>

/* A PNG as bytes, malloc'ed. */
int legend_bytes(char **bytes, size_t *size, const struct legend_page *p, double dpi,
                 struct error *e);
