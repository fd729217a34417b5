/* dem_error.h — published vertical errors of digital elevation models; docs/formats.md has the sources.
 *
 * They include offsets and long waves, which do not lead lava elsewhere. No correlation length is
 * published for them all: it is chosen, four postings of the model. */
#ifndef SCIARA_DEM_ERROR_H
#define SCIARA_DEM_ERROR_H

struct dem_error {
    const char *name;
    double sd_m, length_m;
};

/* The kind of that name; NULL: none. */
const struct dem_error *dem_error_find(const char *name);

#define DEM_ERROR_REMEDY                                                                           \
    "give from_dem and lidar, tinitaly, copernicus30, aw3d30, srtm or aster, or terrain_error_m "  \
    "and terrain_error_length_m"

#endif
