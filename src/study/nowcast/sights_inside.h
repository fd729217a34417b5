/* sights_inside.h — for the files that make sights. */
#pragma once

#include "sights.h"

/* sights_read.c: the sights of a line of the plan are added to *x, with odds and without gains. */
int sights_read(struct sights *x, struct plan *p, const struct seen_line *line, struct error *e);

/* sights_count.c: n of all cells, and the gains. */
int sights_count(struct sights *x, struct error *e);
