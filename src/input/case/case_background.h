/* case_background.h — reads the background of the maps of a case from vector files: roads, rivers, buildings, the
 * coast and names. The background is clipped to the terrain, and as detailed as the cells. No result depends on it.
 * docs/formats/vectors.md has the rules for the kind of a feature. */
#pragma once

#include "case.h"
#include "settings.h"
#include "record/map_background.h"

/* A background with more positions is made coarser, since otherwise it would be larger than the rest of a page. If
 * there are more places, only the largest are shown. */
enum { BACKGROUND_POSITIONS_MOST = 60000, BACKGROUND_PLACES_MOST = 2000 };

struct case_background_file {
    char *path;
    struct vectors_about about;
};

struct case_background {
    struct map_background shown;
    int files;
    struct case_background_file *file;
    double detail_m; /* smaller details are not shown */
};

/* Reads the background files of a case, if it names any, and warns of parts that maps do not show. */
int case_background_read(struct sim_case *c, const struct settings *s, struct error *e);
/* The background of a case; NULL: it has none. */
const struct map_background *case_background_of(const struct sim_case *c);
void case_background_free(struct case_background *b); /* NULL is fine */
