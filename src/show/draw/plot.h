/* plot.h — draws diagrams (record/diagram.h) as PNG, SVG or PDF; the ending of the path decides. language: a language of
 * text/words.h; NULL: English. */
#pragma once

#include "base/error.h"
#include "record/diagram.h"

/* A single diagram is square. Several diagrams are low and equally wide, one below the other. Usually the first diagram
 * has the title, and the last diagram the note and the title of the common axis. */
int plots_write(const char *path, const struct plot *p, int count, const char *language,
                struct error *e);
/* Draws bars from the top in the given order. */
int chart_bars(const char *path, const struct chart *c, const char *language, struct error *e);
int corner_write(const char *path, const struct corner *q, const char *language, struct error *e);
