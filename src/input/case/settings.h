/* settings.h — the content of a case file, key by key, before the files that it names are read.
 *
 * One table (settings.c) holds every key with its type, range and remedy; docs/formats.md lists
 * them. */
#ifndef SCIARA_SETTINGS_H
#define SCIARA_SETTINGS_H

#include "base/error.h"
#include "text/keyvalue.h"
#include "model/params.h"

#include <stdbool.h>
#include <stdint.h>

struct settings {
    struct keyvalues lines;    /* holds all text */
    struct params params;      /* but for cell_m, which is the DEM's */
    double calibrated_cell_m;  /* side of the cells that they are for; 0: not given */
    double calibrated_clock_s; /* and the length of a step; 0: not given */
    const char *parameter_set; /* that they come from, but for those given after it; NULL: none */
    int64_t max_steps, snapshot_every, reduce_every, first_step;
    bool first_step_given;
    bool emission_published; /* else the integral of the rates */
    double visual_threshold_m;
    double map_scale_m[2];              /* 0, 0: none given */
    bool map_domain;                    /* maps show all of it, not the flow alone */
    const char *map_note;               /* NULL if not given */
    double stop_mobile_m;               /* 0: no stopping rule */
    double initial_temp_K;              /* of initial lava without a raster */
    double sea_level_m;                 /* counts where sea_level_line is not 0 */
    int epsg;                           /* 0: none declared */
    char start_time[32];                /* "": none */
    const char *title, *terrain_source; /* NULL if not given; the members below too */
    const char *dem, *vents, *rates, *outline, *thickness, *temperature, *solidified, *barriers,
        *assets;
    int dem_line, vents_line, rates_line, outline_line, crs_line; /* where each stands */
    int thickness_line, temperature_line, solidified_line, emission_line;
    int sea_level_line; /* 0: no sea */
    int barriers_line;
};

/* Reads and checks a case file. On an error *s is all zero. The keys of a plan are refused, with
 * what to do. */
int settings_read(struct settings *s, const char *path, struct error *e);

/* The same of a plan: a case with more keys (ensemble/plan.h), each at most once, which `take`
 * gets with start_time ("": none), wherever that stands; with `calibrate` those of a calibration
 * (calibrate/keys.h), too. */
struct settings_more {
    int (*take)(void *self, const char *path, const char *start_time, const struct keyvalue *line,
                struct error *e);
    void *self;
    bool calibrate;
};
int settings_read_plan(struct settings *s, const char *path, const struct settings_more *more,
                       struct error *e);

/* Whether a file is the plan of an ensemble, by its keys; false where it cannot be read. */
bool settings_are_of_plan(const char *path);

/* Whether a key is one of a calibration. Of a key that a case may have by itself, the name (it may
 * be called as original cases do), NULL: of no other; and whether its value is the name of a file.
 */
bool settings_calibrates(const char *key);
const char *settings_name(const char *key);
bool settings_names_file(const char *key);

/* Whether a value is in the range of that key; `called`: its name in the message. */
int settings_check_number(const char *key, const char *called, double value, struct error *e);

void settings_free(struct settings *s); /* all-zero is fine */

#endif
