/* case_parts.h — the steps of loading a case; internal to case.c. */
#ifndef SCIARA_CASE_PARTS_H
#define SCIARA_CASE_PARTS_H

#include "case.h"
#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

/* The files of a case, as paths that can be opened; NULL: not there. All are malloc'ed. */
struct case_files {
    char *dem, *thickness, *temperature, *solidified, *vents, *rates, *outline;
};
void case_files_free(struct case_files *f); /* all-zero is fine */

/* Whether a path is that of an original case: it ends in _ and 12 digits and .cfg. Then *step is
 * that number, and *name and *length say where NAME stands. */
bool original_case(const char *path, int64_t *step, const char **name, int *length);

/* The files beside an original case. */
int original_case_files(struct case_files *f, const char *path, struct error *e);

/* What the cells of a raster of an original case hold. As the published program reads it: the
 * number that is written there. Else NaN where that is NODATA_value, as in any raster, or -9999;
 * returns how many cells hold -9999 though another value was declared. */
struct raster;
size_t original_values(struct raster *r, bool as_published);

/* The published program takes the cells of a raster by row and column where its corner is at most a
 * cell away from the terrain's: puts *r there. */
void original_place(struct raster *r, const struct raster *dem);

/* Reads DEM and initial rasters into the case, checks them and rounds them. `s` has the temperature
 * of initial lava and a declared CRS. */
int ground_read(struct sim_case *c, const struct case_files *f, const struct settings *s,
                bool rounded, struct watch *watch, struct error *e);

/* Gives the DEM's georeference a CRS declared by its EPSG code (0: none declared), checks that
 * it is in metres. `declared_at`: file and line, for messages. */
int crs_declare(struct georef *geo, int rows, int cols, int epsg, const char *dem_path,
                const char *declared_at, struct error *e);

#endif
