/* fit.h — functions that the files of sciara_fit() share; internal to this folder. */
#pragma once

#include "sciara.h"

#include "case/case.h"
#include "compare/fit.h"
#include "record/record.h"
#include "record/runfolder.h"
#include "verify/verify.h"

/* ---- fit_flow.c: the lava of a run or a raster, and the observed flow on its grid ------------- */

struct fit_flow {
    const char *run;
    struct runfolder folder; /* folder of the run; all zero: a raster is compared */
    struct record *record;   /* record of the run; NULL: none */
    /* The report's scene in the record. It has the background of the map. page.scene.of NULL: none. */
    struct record_scene page;
    struct sim_case c; /* the case of option case_path; all zero: none */
    struct raster thickness, terrain;
    struct raster domain; /* grid of the run's whole domain; rows 0: not known */
    struct window known;  /* the part of the domain with known terrain; rows 0: all */
    struct fit_cell *vents;
    unsigned char *mark; /* symbol of each vent on a map; 0: none */
    int vent_count;
    unsigned char *observed;
    double beyond_m2;           /* area of the outline outside the grid */
    double left_m3, left_share; /* lava that left the domain; NaN: not known */
    const char *title, *outline;
    char of[20];       /* digest of the run, also if one of its layers is compared; "": not known */
    const char *stamp; /* the note on all maps of the case; or NULL */
    char source[400];  /* source of terrain and lava, for the map; "": not known */
    char when[200];    /* "22 days since start, step 16000: "; "": not known */
    bool synthetic;
};

/* Reads the simulated and the observed flow. The caller sets s->run, sets all other members to 0, and frees *s, even
 * after an error. Lava thinner than the threshold does not count. */
int fit_flow_read(struct fit_flow *s, const struct sciara_fit_options *o, struct error *e);
void fit_flow_free(struct fit_flow *s);

/* Draws the map of hits, misses and false alarms. *w: warnings about what the fit does not count. */
int fit_flow_draw(const char *path, const struct fit_flow *s, const struct sciara_overlap *f,
                  const struct warnings *w, struct error *e);

/* Finds the grid on which a layer is compared. If the layer shows a part of the domain, the grid has the cells of the
 * layer, of the outline, and of `within` (where forecasts are verified). Otherwise grid->rows is 0: the layer keeps
 * its grid. */
int fit_grid(struct raster *grid, const struct raster *layer, struct raster domain,
             const char *outline, const char *within, struct error *e);
int fit_read_heights(struct raster *r, const char *path, struct error *e);

/* ---- fit_forecast.c: the forecast in the folder of a study ----------------------------------- */

struct fit_forecast {
    struct raster probability; /* NaN counts as 0 */
    /* Grid of the plan; layers may show a part of it. rows 0: not known. */
    struct raster domain;
    struct cJSON *summary;
    const char *outline; /* outline of the plan; "": none */
    uint64_t weight;     /* sum of the weights of all members */
    double members;      /* effective number of members */
    /* Set by fit_forecast_read(): */
    struct raster terrain;
    unsigned char *observed;
};

/* Whether a path is the folder of a study. */
bool fit_forecast_is(const char *path);

/* Reads probabilities, terrain and outline on one grid. The caller frees *f, even after an error. */
int fit_forecast_read(struct fit_forecast *f, const char *run, const struct sciara_fit_options *o,
                      struct error *e);
void fit_forecast_free(struct fit_forecast *f); /* all-zero is fine */

/* Reads the summary and the probabilities of the folder, but no terrain and no outline. The probabilities keep the
 * grid of their layer, and may be NaN. */
int fit_folder_read(struct fit_forecast *f, const char *folder, struct error *e);

/* Returns the forecast, with borrowed pointers to *f and *domain. `domain` may be NULL if the caller sets it later. */
struct forecast fit_forecast_on(const struct fit_forecast *f, const struct domain *domain);
