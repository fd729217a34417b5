/* case_terrain.h — the terrain of a case and its initial lava, from files (case_file.c) or arrays (library/case.c). The
 * text of an ERROR_INPUT names the file or array. */
#pragma once

#include "case.h"
#include "case_tiles.h"
#include "settings.h"

#include <stdbool.h>
#include <stddef.h>

/* The files of a case, as paths that can be opened, malloc'ed; NULL: the case names none. */
struct case_files {
    char *dem, *thickness, *temperature, *solidified, *vents, *rates, *outline;
};
void case_files_free(struct case_files *f); /* all-zero is fine */

/* Reads the DEM and the initial rasters into the case, checks their numbers, and rounds them to the lattice. Makes the
 * sea. `s` has the temperature of initial lava, the sea level and a declared CRS. */
int case_terrain_read(struct sim_case *c, const struct case_files *f, const struct settings *s,
                      bool rounded, struct file_progress *progress, struct error *e);

/* Checks the number of cells. In this file `name` is the name of the terrain in messages. */
int case_terrain_check_count(int rows, int cols, const char *name, struct error *e);
/* Checks the number of cells, and whether they fit the memory of this machine. */
int case_terrain_check_size(int rows, int cols, const char *name, struct error *e);
/* Checks the coordinates of the grid. */
int case_terrain_check_place(const struct georef *geo, int rows, int cols, const char *name,
                             struct error *e);

/* Checks the elevations of the case, and rounds them to the lattice. */
int case_terrain_accept_elevation(struct sim_case *c, const char *name, struct error *e);

/* Names of the layers of initial lava in messages: paths, or members of a structure. */
struct case_lava_names {
    const char *thickness, *solidified, *temperature; /* temperature NULL: there is none */
};

/* Checks the initial lava of a window, sets cells without data to 0, and rounds thicknesses to the lattice if
 * `rounded` is set. Without a layer of temperatures, lava gets temp_K. */
int case_lava_accept(const struct sim_case *c, const struct case_lava_names *l, struct window w,
                     bool rounded, double temp_K, struct error *e);

/* Reads the later survey at x->path, on the grid of the DEM: elevations on the lattice, NaN without data. */
int case_terrain_read_survey(struct change *x, const struct sim_case *c, const char *dem_path,
                             struct file_progress *progress, struct error *e);

/* Turns the cells of a window at or below the sea level of the case into sea, which has no data. Returns the number of
 * cells that are sea, and in *land the number of cells that are not. */
size_t case_sea_in(const struct sim_case *c, struct window w, size_t *land);

/* Sets the source of the terrain: the source that the case declares or, if NULL, the source in the DEM. A DEM that is
 * marked as synthetic stays synthetic, whatever the case declares. */
void case_terrain_set_source(struct sim_case *c, const char *of_dem, const char *declared);
/* Writes the source of the terrain for pictures: packed (text/words.h) if `sciara terrain` made the terrain, else
 * unchanged. Returns out. */
enum { TERRAIN_SOURCE = 300 };
char *case_terrain_pack_source(char out[TERRAIN_SOURCE], const struct sim_case *c);

/* Gives the DEM's georeference the CRS with the code `epsg` (0: none is declared). Checks that the CRS is in metres,
 * and that they are nearly as long as metres on the ground. The case already has its grid and, unless terrain is read
 * in tiles, its elevations. `declared_at`: file and line, for messages. */
int crs_declare(struct sim_case *c, int epsg, const char *dem_path, const char *declared_at,
                struct error *e);

/* ---- doubts ---------------------------------------------------------------------------------- */

/* Warns if the numbers of a DEM in that window are probably not heights of the ground. `bytes`: the file has 8 bits
 * for each number. Call this function before case_sea_in(), which removes the heights of the sea. */
void case_doubt_terrain(struct sim_case *c, struct window w, bool bytes, const char *path);

/* Warns of cells of that window at 0 m that are probably without data. */
void case_warn_zeros(struct sim_case *c, const double *elevation_m, struct window w,
                     const char *path);
