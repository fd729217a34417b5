/* case.h — a case file and all files that it names, checked and ready to compute.
 *
 * docs/formats.md describes the files. Loading refuses bad input with ERROR_INPUT and one line
 * `file:line: what is wrong; remedy`, and leaves *c all zero. */
#pragma once

#include "base/error.h"
#include "eruption/emission.h"
#include "raster/georef.h"
#include "sim/problem.h"
#include "text/warnings.h"
#include "vector/vectors.h"

#include <stdbool.h>
#include <stdint.h>

struct file_progress;   /* file_progress.h */
struct settings;        /* settings.h */
struct schema_values;   /* schema.h */
struct case_files;      /* case_terrain.h */
struct change;          /* changes.h */
struct assets;          /* assets.h */
struct case_background; /* case_background.h */
struct barriers;        /* barriers.h */
struct case_tiles;      /* case_tiles.h */

/* Values of an original case that its output files repeat. */
struct original_words {
    double nodata; /* NODATA_value of the terrain */
    int64_t max_steps, snapshot_every;
    double stop_mobile_m;
    struct rate_lists *rates; /* rates of all vents, also of vents without a cell; owned */
};

/* A file, identified by its device and inode, not by its name. */
struct case_input {
    uint64_t device, inode;
};
enum { CASE_INPUTS_MAX = 64 };

/* How maps show the case; no result depends on it. */
struct case_display {
    double visual_threshold_m; /* lava thinner than this is not drawn (case_shows()) */
    double scale_m[2];         /* ends of the scale of thickness; 0, 0: the run chooses them */
    int domain;                /* maps show the whole domain, not the flow alone */
    char note[128];            /* a line on all maps; may be empty */
};

struct sim_case {
    char name[64]; /* from the file name: etna2006 of etna2006.cfg, NAME of NAME_000000000000.cfg */
    char title[128];    /* title of maps; the name if the case has no title */
    char *path;         /* path of the case file, as given */
    char dem[256];      /* the file of the terrain, for messages; may be empty */
    char vertical[128]; /* vertical CRS of the DEM; empty: not declared */
    bool original;      /* the case is NAME_000000000000.cfg with rasters next to it */
    struct georef geo;  /* place of the DEM; its CRS is the declared CRS if the DEM has none */
    char terrain_source[256]; /* where the terrain comes from */
    bool synthetic; /* the terrain is made up: its source begins with "SYNTHETIC TERRAIN" */
    /* least and greatest length, in the CRS, of a metre on the ground; 0: the CRS is not projected */
    double crs_scale_least, crs_scale_greatest;
    char height_unit[112]; /* unit of the elevations, as text: "metre (not declared)" */
    char *vents_path;      /* file of the vents; NULL: the case is a plan, or has no file */
    char *outline_path;    /* observed outline (raster or vector file), NULL: none */
    struct vectors_about outline_about, vents_about; /* zero features: the file is no vector file */
    char start_time[32];    /* ISO 8601 start of the eruption in UTC, may be empty */
    int64_t max_steps;      /* 0: no limit; then problem.stop_when_still ends the run */
    int64_t snapshot_every; /* steps; 0: only the end */
    struct case_display display;
    struct problem problem;    /* points into the arrays below */
    double calibrated_cell_m;  /* cell size of the parameters' calibration; 0: not known */
    double calibrated_clock_s; /* Pclock for calibrated_cell_m, s; 0: equal to the Pclock in use */
    double unscaled_clock_s;   /* Pclock before scaling with the cell, s; 0: not scaled */
    const char *parameter_set; /* name of the set of parameters, a static text; NULL: none */
    /* the parameters before scaling (resolution.h); set only with calibrated_cell_m */
    struct params given;
    struct case_tiles *tiles; /* NULL: the arrays have the whole terrain */
    double *elevation_m, *thickness_m, *temp_K, *solid_m; /* rows*cols or NULL, on the lattice */
    uint8_t *sea;       /* rows*cols, nonzero: sea, which has no data; NULL: there is no sea */
    double sea_level_m; /* has a meaning only with `sea` */
    size_t sea_cells;   /* 0 if terrain is read in tiles */
    struct barriers *barriers;          /* NULL: none */
    struct case_background *background; /* NULL: none */
    struct assets *assets;              /* places of interest; NULL: none, or the case is a plan */
    char *assets_path;                  /* the vector file of the assets */
    int change_count;
    struct change *change; /* changes of the terrain after the beginning, in order of time */
    struct vent *vents;
    /* vent_spread[i]: vents[i] is one of the cells that were added when a vent was spread */
    bool *vent_spread;
    /* greatest distance over which a vent is spread (emission_spread); 0: not spread */
    double vent_radius_m;
    enum emission_rule emission;
    struct effusion *effusion; /* requested volumes */
    int effusion_count;

    /* How the case was read */
    bool unrounded;       /* for the oracle: numbers are not rounded to the lattice */
    size_t whole_cells;   /* terrain of more cells is read in tiles, each when it is needed */
    int tile_side;        /* side of a tile, in cells */
    struct warnings told; /* what the user has to know about the case */
    struct original_words words;
    int input_count;
    struct case_input input[CASE_INPUTS_MAX]; /* all input files, which no run may overwrite */
};

int case_load(struct sim_case *c, const char *path, struct error *e);
/* For tests: like case_load(), but reads terrain of more than `whole` cells in tiles of `side` cells. */
int case_load_tiled(struct sim_case *c, const char *path, size_t whole, int side, struct error *e);
/* Like case_load(), with the progress of reading rasters (NULL: none). `rounded` is false for the oracle
 * (reference/published.h). Without rounding, elevations, thicknesses and amounts may lie between numbers of the
 * lattice, and the amount that a vent emits is the double `rate / area * clock`. Also, an original case is read as the
 * published program reads it: every finite number is an elevation, also NODATA_value. */
int case_load_watched(struct sim_case *c, const char *path, bool rounded,
                      struct file_progress *progress, struct error *e);
void case_free(struct sim_case *c); /* all-zero is fine */

/* Whether lava of that thickness is drawn: it is not thinner than the visual threshold. */
bool case_shows(const struct sim_case *c, double thickness_m);

/* case_asked_m3(): the volume that the rates ask for from the beginning of step `first` to the end of step `last`
 * (INT64_MAX: to the end of the eruption). case_emitted_m3(): the volume that the vents emit in these steps. */
double case_asked_m3(const struct sim_case *c, int64_t first, int64_t last);
double case_emitted_m3(const struct sim_case *c, int64_t first, int64_t last);

/* ---- steps to a case, for files and arrays --------------------------------------------------- */

/* Loads a case file as the base of a plan, without its vents and rates: *f gets their paths. `more`: the keys of the
 * plan. The caller frees *s and *f. On an error *c, *s and *f are all zero. */
int case_load_base(struct sim_case *c, struct settings *s, struct case_files *f, const char *path,
                   const struct schema_values *more, struct file_progress *progress,
                   struct error *e);

/* Spreads vents over the cells that they need, then turns vents and rates into the emission of the case by the rule
 * c->emission. For an original case, moves the rates from *rates to c->words. */
int case_emission(struct sim_case *c, struct vent_sites *sites, struct rate_lists *rates,
                  struct error *e);

/* Checks that mobile and solidified initial lava together do not exceed the limit of thickness, in a window or in the
 * whole domain. Terrain in tiles is checked when its tiles are read. */
int case_check_depth_in(const struct sim_case *c, struct window w, struct error *e);
int case_check_depth(const struct sim_case *c, struct error *e);

/* Gives the problem pointers to the arrays of the case, and the domain as its window. */
void case_point(struct sim_case *c);
