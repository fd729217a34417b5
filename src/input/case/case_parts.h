/* case_parts.h — the steps to a case, shared by both ways to make one: from a file (case_file.c)
 * and from arrays (library/case_arrays.c). */
#ifndef SCIARA_CASE_PARTS_H
#define SCIARA_CASE_PARTS_H

#include "case.h"
#include "rates.h"
#include "settings.h"
#include "vents.h"

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

/* A case file as the base of a plan: all but vents and rates, whose files *f names where the case
 * has them. Settings and files stay the caller's. On an error all three are all zero. */
int case_load_base(struct sim_case *c, struct settings *s, struct case_files *f, const char *path,
                   const struct schema_values *more, struct file_progress *progress,
                   struct error *e);

/* Reads DEM and initial rasters into the case, checks them and rounds them. `s` has the temperature
 * of initial lava and a declared CRS. */
int case_terrain_read(struct sim_case *c, const struct case_files *f, const struct settings *s,
                      bool rounded, struct file_progress *progress, struct error *e);

/* The same for grids that are in the case already: a size, a place, an elevation, what lies on it.
 * `name` says what they are in messages, `missing` how many cells are without data. */
int case_terrain_check_count(int rows, int cols, const char *name, struct error *e);
/* ... that fits the memory of this machine, too */
int case_terrain_check_size(int rows, int cols, const char *name, struct error *e);
int case_terrain_check_place(const struct georef *geo, int rows, int cols, const char *name,
                             struct error *e);
int case_terrain_check_elevation(struct sim_case *c, size_t missing, const char *name,
                                 struct error *e);
int case_terrain_check_thickness(double *value, const struct sim_case *c, const char *name,
                                 bool rounded, struct error *e);
int case_terrain_check_temperature(double *value, const struct sim_case *c, const char *name,
                                   struct error *e);

/* All lava has this temperature if no grid gives another. */
int case_terrain_set_temperature(struct sim_case *c, double temp_K, struct error *e);

/* A later survey on the grid of the DEM, at that path: elevations on the lattice, NaN where it has
 * no data; malloc'ed. */
int case_terrain_read_survey(double **elevation_m, const struct sim_case *c, const char *dem_path,
                             const char *path, struct file_progress *progress, struct error *e);

/* Warns of a DEM whose numbers are probably not the ground; `bytes`: it has 8 bits for each. Its
 * elevations are in the case, before those of the sea are taken out. */
void case_doubt_terrain(struct sim_case *c, bool bytes, const char *path);

/* Warns of cells of that grid at 0 m that are probably without data. */
void case_warn_zeros(struct sim_case *c, const double *elevation_m, const char *path);

/* Makes cells at or below that level sea, which has no data any more; `said_at`: file and line. */
int case_sea_fill(struct sim_case *c, double level_m, const char *said_at, struct error *e);

/* The source of the terrain according to the DEM and to the case; NULL: not given. A DEM that is
 * marked as synthetic stays so, whatever the case declares. */
void case_terrain_set_source(struct sim_case *c, const char *of_dem, const char *declared);

/* Gives the DEM's georeference a CRS declared by its EPSG code (0: none declared), and checks that
 * it is in metres, and that those are metres on the ground. Grid and elevations are there already.
 * `declared_at`: file and line, for messages. */
int crs_declare(struct sim_case *c, int epsg, const char *dem_path, const char *declared_at,
                struct error *e);

/* Notes that the file at that path, if there is one, is read: no run may touch it. */
void case_note_input(struct sim_case *c, const char *path);

/* Adds a sentence to the notice for the user, or to the warning. */
void case_note(struct sim_case *c, const char *sentence);
void case_warn(struct sim_case *c, const char *sentence);

/* Warns of a name in that file that is probably a mistake, "": nothing. */
void case_doubt(struct sim_case *c, const char *path, const char *doubt);

/* The same for that, and for what a vector file, if it was one, does not say, and what of it lies
 * outside. */
void case_note_vectors(struct sim_case *c, const struct vectors_about *a, const char *path);

/* Reads a vector file for that and for what was understood, *about; nothing where it is none, or
 * NULL. `take`: VECTORS_TAKE_..., all else is refused; `wanted` as of vectors_read(). */
int case_look_at_vectors(struct sim_case *c, const char *path, int take, const char *const *wanted,
                         struct vectors_about *about, struct error *e);

/* Reads the outline, if it is a vector file, so that a mistake in it does not come up after the
 * last step. */
int case_check_outline(struct sim_case *c, struct error *e);

/* Vents and rates become the emission of the case by its rule. It keeps the rates of an original
 * one and leaves none in *rates. */
int case_emission(struct sim_case *c, const struct vent_sites *sites, struct rate_lists *rates,
                  struct error *e);

/* Initial lava, mobile and solid together, has the same limit as either.  */
int case_check_depth(const struct sim_case *c, struct error *e);

/* Last of all: the problem points to what the case holds, and its window is the whole domain. */
void case_point(struct sim_case *c);

#endif
