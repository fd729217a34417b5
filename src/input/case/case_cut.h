/* case_cut.h — a part of the domain of a case, as a case with that domain.
 *
 * For files that show a flow and its surroundings. Terrain, sea, initial thickness and vents are cut and get the
 * place in the part. The cut lacks what such files do not need: the other initial rasters, changes of the terrain,
 * cells of places. It borrows all else from the whole case, also barriers and places as lines in the CRS. */
#pragma once

#include "case.h"

struct case_cut {
    struct sim_case c;
    struct window window;        /* the part of the whole domain */
    const struct sim_case *from; /* the whole case */
    bool whole;                  /* the part is all of it, and everything is borrowed */
};

/* Position of a window of the domain. */
struct georef case_georef(const struct sim_case *c, const struct window *w);

/* Reads the terrain of the window where it is not there yet. On an error *k is all zero. */
int case_cut(struct case_cut *k, const struct sim_case *c, struct window window, struct error *e);
/* case_cut() without elevations and initial thickness, which are read in the whole. */
int case_cut_bare(struct case_cut *k, const struct sim_case *c, struct window window,
                  struct error *e);
void case_cut_free(struct case_cut *k); /* all-zero is fine */
