#include "gdal_library.h"

#include "base/loaded.h"

#include <stdio.h>

/* libgdal.so.26 is GDAL 3.0; .38 is 3.12, and each release has a number of its own */
enum { OLDEST = 26, NEWEST = 60 };

static bool load(struct gdal *g, char name[32])
{
    g->library = loaded_newest("libgdal", NEWEST, OLDEST, name);
    bool all = g->library != NULL;
#define FIND(type, call, parameters) all = all && loaded_find(g->library, #call, &g->call);
    GDAL_CALLS(FIND)
#undef FIND
    return all;
}

bool gdal_load(struct gdal *g)
{
    char name[32];
    return load(g, name);
}

bool gdal_version(char out[64])
{
    struct gdal g;
    char name[32];
    if (!load(&g, name)) return false;
    snprintf(out, 64, "%s (GDAL %.24s)", name, g.GDALVersionInfo("RELEASE_NAME"));
    return true;
}
