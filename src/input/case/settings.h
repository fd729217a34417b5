/* settings.h — the content of a case file, key by key, before the files that it names are read. */
#pragma once

#include "case.h"
#include "schema.h"
#include "model/params.h"

#include <stdint.h>

struct settings {
    struct keyvalues lines;    /* owns the texts below */
    struct params params;      /* all parameters except cell_m, which the DEM gives */
    double calibrated_cell_m;  /* cell size of the parameters' calibration; 0: not given */
    double calibrated_clock_s; /* Pclock for calibrated_cell_m, s; 0: not given */
    const char *parameter_set; /* NULL: none */
    int64_t max_steps, snapshot_every, reduce_every, first_step;
    double run_s;                /* end of the run; 0: max_steps decides */
    int algorithm;               /* 0: MIN */
    int emission_published;      /* 0: a step emits the integral of the rates */
    struct case_display display; /* all members except the note */
    double stop_mobile_m;        /* 0: no stopping rule */
    double initial_temp_K;       /* temperature of initial lava, if no raster gives it */
    double vent_radius_m;        /* 0: vents are not spread over more cells */
    double sea_level_m;          /* has a meaning only if the key is given */
    int epsg;                    /* 0: none declared */
    char start_time[32];         /* "": none */
    /* NULL: the key is not given. `background` has the value of its last line; case_background.c reads all its
     * lines. */
    const char *title, *terrain_source, *map_note;
    const char *dem, *vents, *rates, *outline, *thickness, *temperature, *solidified, *barriers,
        *assets, *background;
};

/* The keys of a case; the values of its schema are a struct settings. */
extern const struct schema case_schema;

/* Reads and checks a case file. `more`: the schemas of a study with the structs that receive their values; the last has
 * no schema. If `more` is NULL, the file is a case, which needs vents and rates, or initial lava. On an error *s is all
 * zero. */
int settings_read(struct settings *s, const char *path, const struct schema_values *more,
                  struct error *e);

/* Returns the number of the line with a key; 0: the key is not given. */
static inline int settings_line(const struct settings *s, const char *key)
{
    return keyvalues_line(&s->lines, key);
}

void settings_free(struct settings *s); /* all-zero is fine */
