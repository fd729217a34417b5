/* plot.h — draws diagrams (record/diagram.h) as PNG, SVG or PDF, by the ending of the path, in a language of text/words.h;
 * NULL: English. Errors as of map_write(). */
#pragma once

#include "base/error.h"
#include "record/diagram.h"

/* One is square; several are flat and of the same width, each without what its struct lacks: usually the first has the
 * title and the last the title of the axis that all share, and the note. */
int plots_write(const char *path, const struct plot *p, int count, const char *language,
                struct error *e);
/* Bars stand in the given order from the top. */
int chart_bars(const char *path, const struct chart *c, const char *language, struct error *e);
int corner_write(const char *path, const struct corner *q, const char *language, struct error *e);
