/* plot.h — draws diagrams (record/diagram.h) as PNG, SVG or PDF, which the ending of the path decides, in a language of
 * text/words.h; NULL: English. Errors are those of map_write(). */
#pragma once

#include "base/error.h"
#include "record/diagram.h"

/* One diagram is square. Several are flat, as wide as each other, and leave out what their structs lack: usually the first
 * has the title, and the last the note and the title of the axis that all share. */
int plots_write(const char *path, const struct plot *p, int count, const char *language,
                struct error *e);
/* Draws bars from the top in the given order. */
int chart_bars(const char *path, const struct chart *c, const char *language, struct error *e);
int corner_write(const char *path, const struct corner *q, const char *language, struct error *e);
