/* fit.h — the parts of sciara_fit(); internal to this room. */
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
    struct runfolder folder;  /* of the run; all zero: a raster */
    struct record *record;    /* of the run; NULL: none */
    struct record_scene page; /* of its report, with the background of maps; .scene.of NULL: none */
    struct sim_case c;        /* of case_path; all zero: none */
    struct raster thickness, terrain;
    struct raster domain; /* of the run: a grid; rows 0: not known */
    struct window known;  /* of the terrain; rows 0: all */
    struct fit_cell *vents;
    unsigned char *mark; /* of each, on a map; 0: none */
    int vent_count;
    unsigned char *observed;
    double beyond_m2;           /* of the outline, outside the grid */
    double left_m3, left_share; /* of the lava; NaN: not known */
    const char *title, *outline;
    char of[20];       /* the digest of the run, of a layer, too; "": not known */
    const char *stamp; /* the note of the case, which is on all maps; or NULL */
    char source[400];  /* of terrain and lava, for the small print; "": not known */
    char when[200];    /* "22 days since start, step 16000: "; "": not known */
    bool synthetic;
};

/* *s has s->run and is zero else; it is to be freed after an error, too. Lava thinner than the threshold is none. */
int fit_flow_read(struct fit_flow *s, const struct sciara_fit_options *o, struct error *e);
void fit_flow_free(struct fit_flow *s);

/* The map of hits, misses and false alarms; *w: what the numbers exclude. */
int fit_flow_draw(const char *path, const struct fit_flow *s, const struct sciara_overlap *f,
                  const struct warnings *w, struct error *e);

/* A layer may show a part of the domain alone: it is extended to all of the outline and to where
 * forecasts are verified, where there is no lava. *grid: the larger one; rows 0: the layer is enough. */
int fit_grid(struct raster *grid, const struct raster *layer, struct raster domain,
             const char *outline, const char *within, struct error *e);
int fit_read_heights(struct raster *r, const char *path, struct error *e);

/* ---- fit_forecast.c: the forecast that many runs left in their folder ------------------------ */

struct fit_forecast {
    struct raster probability; /* NaN: 0 */
    struct raster
        domain; /* the grid of the plan, of which layers may show a part; rows 0: not known */
    struct cJSON *summary;
    const char *outline; /* of the plan, ""; none */
    uint64_t weight;     /* of all members */
    double members;      /* their effective number */
    /* What fit_forecast_read() adds */
    struct raster terrain;
    unsigned char *observed;
};

/* Whether it is the folder of many runs. */
bool fit_forecast_is(const char *path);

/* Its probabilities, terrain and the outline on one grid. *f is to be freed after an error, too. */
int fit_forecast_read(struct fit_forecast *f, const char *run, const struct sciara_fit_options *o,
                      struct error *e);
void fit_forecast_free(struct fit_forecast *f); /* all-zero is fine */

int fit_folder_read(struct fit_forecast *f, const char *folder,
                    struct error *e); /* without these */

/* On that domain, NULL: it follows; *f stays the caller's. */
struct forecast fit_forecast_on(const struct fit_forecast *f, const struct domain *domain);
