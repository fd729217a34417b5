/* case_cut.h — makes a case of a part of the domain of a case.
 *
 * Files that show a flow and its surroundings need it. The cut has the terrain, sea, initial thickness and vents of
 * the part. It lacks the other initial rasters and the changes of the terrain, which such files do not need. It
 * borrows all else from the whole case, also barriers and places; their cells are numbered in the whole domain. */
#pragma once

#include "case.h"

struct case_cut {
    struct sim_case c;
    struct window window;        /* the part of the whole domain */
    const struct sim_case *from; /* the whole case */
    bool whole;                  /* the part is the whole domain, and everything is borrowed */
};

/* Returns the position of a window of the domain. */
struct georef case_georef(const struct sim_case *c, const struct window *w);

/* Cuts a window out of a case, after reading the terrain that has not been read yet. On an error *k is all zero. */
int case_cut(struct case_cut *k, const struct sim_case *c, struct window window, struct error *e);
/* Like case_cut(), but without elevations and initial thickness: the caller reads those of the whole case. */
int case_cut_bare(struct case_cut *k, const struct sim_case *c, struct window window,
                  struct error *e);
void case_cut_free(struct case_cut *k); /* all-zero is fine */
