/* case_parts.h — the steps of loading a case; internal to case.c. */
#ifndef SCIARA_CASE_PARTS_H
#define SCIARA_CASE_PARTS_H

#include "case.h"
#include "settings.h"

#include <stdbool.h>

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

/* Reads DEM and initial rasters into the case, checks them and rounds them. `s` has the temperature
 * of initial lava and a declared CRS. */
int ground_read(struct sim_case *c, const struct case_files *f, const struct settings *s,
                bool rounded, struct watch *watch, struct error *e);

/* Gives the DEM's georeference a CRS declared by its EPSG code (0: none declared), and checks that
 * it is in metres, and that those are metres on the ground. Grid and elevations are there already.
 * `declared_at`: file and line, for messages. */
int crs_declare(struct sim_case *c, int epsg, const char *dem_path, const char *declared_at,
                struct error *e);

#endif
