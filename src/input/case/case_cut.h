/* case_cut.h — cuts a part of the domain out of a case, for files that show a flow and its surroundings.
 *
 * The cut has the terrain, sea, initial thickness and vents of the part. It lacks the other initial rasters and the
 * changes of the terrain, which these files do not show. It borrows everything else from the whole case. So the cells
 * of its barriers and places are still indices in the whole domain. */
#pragma once

#include "case.h"

struct case_cut {
    struct sim_case c;
    struct window window;        /* the part of the whole domain */
    const struct sim_case *from; /* the whole case */
    bool whole;                  /* the part is the whole domain; everything is borrowed */
};

/* Returns the position of a window of the domain. */
struct georef case_georef(const struct sim_case *c, const struct window *w);

/* Reads the terrain of the window if it has not been read, and cuts the window out. On an error *k is all zero. */
int case_cut(struct case_cut *k, const struct sim_case *c, struct window window, struct error *e);
/* Like case_cut(), but without elevations and initial thickness: the caller uses those of the whole case. */
int case_cut_bare(struct case_cut *k, const struct sim_case *c, struct window window,
                  struct error *e);
void case_cut_free(struct case_cut *k); /* all-zero is fine */
