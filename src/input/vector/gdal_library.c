#include "gdal_library.h"

#include "base/loaded.h"

#include <stdio.h>

/* libgdal.so.26 is GDAL 3.0; .38 is 3.12, and each release has a number of its own */
enum { OLDEST = 26, NEWEST = 60 };

bool gdal_load(struct gdal *g)
{
    g->library = loaded_newest("libgdal", NEWEST, OLDEST, g->name);
    bool all = g->library != NULL;
#define FIND(type, call, parameters) all = all && loaded_find(g->library, #call, &g->call);
    GDAL_CALLS(FIND)
#undef FIND
    return all;
}

bool gdal_version(char out[64])
{
    struct gdal g;
    if (!gdal_load(&g)) return false;
    snprintf(out, 64, "%s (GDAL %.24s)", g.name, g.GDALVersionInfo("RELEASE_NAME"));
    return true;
}
