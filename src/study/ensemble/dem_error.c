#include "dem_error.h"

#include <stddef.h>
#include <string.h>

/* A linear error of 90 % is 1.645 standard deviations. */
static const double LE90 = 1.645;

const struct dem_error *dem_error_find(const char *name)
{
    static const struct dem_error kinds[] = {
        /* class QL2 of the USGS Lidar Base Specification: 0.10 m, root mean square */
        {"lidar", 0.10, 4},
        /* Tarquini et al. 2007: less than 3.5 m, root mean square, over Italy */
        {"tinitaly", 3.5, 40},
        /* Copernicus DEM Product Handbook: 4 m, LE90, relative, on slopes above 20 % */
        {"copernicus30", 4 / LE90, 120},
        /* Tadono et al. 2014: 5 m, standard deviation, specified */
        {"aw3d30", 5, 120},
        /* Rodriguez et al. 2006: 8.0 m, LE90, on islands */
        {"srtm", 8 / LE90, 120},
        /* Gesch et al. 2016, version 3: 8.52 m, root mean square */
        {"aster", 8.52, 120},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name)) return &kinds[i];
    return NULL;
}
