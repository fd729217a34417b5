/* terrain.h — synthetic terrain, for trying the program without a real terrain, and for measuring it on grids of any
 * size.
 *
 * A landscape is a function of place alone. Every cell can be computed by itself, in any order. The only operations
 * are + - * / and square root, so that the same description gives the same bits on every machine. A finer grid shows
 * the same landscape with more detail. */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

enum terrain_kind {
    TERRAIN_VOLCANO, /* a stratovolcano with a collapse valley open to the east, gullies, roughness */
    TERRAIN_SHEET, /* nearly a plane, gently sloping, under a sheet of hot lava on nearly all cells */
    TERRAIN_CHANNEL, /* one vent in a narrow valley; cells around the vent are the same for every grid size */
    TERRAIN_PYRAMID, /* an octagonal pyramid with faces of 5 degrees and a vent on its top */
    TERRAIN_VALLEY,  /* a straight valley along the diagonal with a vent at a tenth of its length */
    TERRAIN_ETNA2006 /* the volcano, placed and scaled to replace the terrain of Etna 2006 */
};

#define PUBLISHED_CLOCK_S 120.0

enum { TERRAIN_CELLS_MIN = 3, TERRAIN_CELLS_MAX = 65536, TERRAIN_MAX_VENTS = 2 };

struct terrain {
    enum terrain_kind kind;
    int rows, cols;
    double west_m, south_m; /* lower-left corner of the lower-left cell */
    double cell_m;
    int epsg; /* a projected CRS in metres */
    /* another seed gives another landscape of the kind, except for the pyramid and the valley */
    uint64_t seed;
};

struct terrain_vent {
    int id, row, col;
};

/* Returns a description with the usual grid, cell, place and seed of a kind. */
struct terrain terrain_default(enum terrain_kind kind);
int terrain_valid(const struct terrain *t, struct error *e);

const char *terrain_kind_name(enum terrain_kind kind);

/* Writes "SYNTHETIC TERRAIN: volcano, 512 x 512 cells of 10 m, seed 1"; returns buffer. */
char *terrain_describe(const struct terrain *t, char buffer[256]);

/* Elevation (m); thickness (m) and temperature (K) of initial lava, which only the sheet has. Rows count from the
 * north. */
double terrain_elevation(const struct terrain *t, int row, int col);
double terrain_thickness(const struct terrain *t, int row, int col);
double terrain_temperature(const struct terrain *t, int row, int col);

/* Fills vents[], and returns the number of vents; the sheet has none. */
int terrain_vents(const struct terrain *t, struct terrain_vent vents[TERRAIN_MAX_VENTS]);

/* How a landscape emits lava: rates of each vent, each for a number of hours, and the parameters that differ between
 * kinds. */
struct terrain_eruption {
    double hours;      /* duration of each rate */
    double rate[6];    /* m3/s, up to the first 0 */
    double cooling;    /* Pcool */
    double critical_m; /* Phc(Tvent) */
    int max_steps;
    /* Pclock: the published duration of a step. For cells of less than 2 m it is shorter, because a vent would emit
     * too much lava into such a cell in one published step. */
    double clock_s;
};
struct terrain_eruption terrain_eruption(const struct terrain *t);

/* Finds the map coordinates of a place on the volcano. The place is given in metres east and south of the summit, on a
 * volcano of natural size. */
void terrain_place(const struct terrain *t, double east_m, double south_m, double xy[2]);
/* Writes GeoJSON of roads, houses and names on the volcano. */
void terrain_write_background(const struct terrain *t, FILE *f);

/* Writes a whole case into the folder, which is created if needed. The files are terrain.tif, vents.csv and rates.csv;
 * thickness.tif and temperature.tif (only the sheet); roads.geojson (only the volcano); and last NAME.cfg. ERROR_INPUT:
 * the function would replace files that sciara has not written, or that were edited since. */
struct file_progress;
int terrain_write_case(const struct terrain *t, const char *folder, const char *name,
                       struct file_progress *progress, struct error *e);

/* Writes one GeoTIFF with the elevation, marked as synthetic. */
int terrain_write_elevation(const struct terrain *t, const char *path,
                            struct file_progress *progress, struct error *e);
