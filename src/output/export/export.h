/* export.h — a finished run for other programs: vector files, and packages for globes, GIS and
 * scientific tools. docs/formats/exports.md describes the files.
 *
 * Each function writes one file, whole or not at all. What they show comes from the last state and
 * from the layers that the run has left in its folder, so that a resumed run has all of it. */
#pragma once

#include "base/error.h"
#include "case/case.h"
#include "isochrones/isochrones.h"
#include "record/scene.h"
#include "vector/vectors.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What an export shows; all of it is borrowed. */
struct export_run {
    const struct sim_case *c;
    const char *folder, *version;
    uint64_t digest; /* of the last state */
    int rows, cols;  /* size of the layers */
    struct georef geo;
    const struct isochrones *isochrones;
    const unsigned char *outline; /* the observed one on the grid of the case; NULL: none */
    int step_count;
    const int64_t *step; /* steps of which layers are in the folder, increasing; the last is the
                          * end */
    /* A layer of the last state, by the beginning of its name: rows * cols, NaN where it has no
     * value. */
    void (*last_layer)(const struct export_run *r, const char *prefix, float *out);
    const struct output_cut *last; /* is passed to last_layer */
    struct transform *transform;   /* from the terrain to longitude and latitude; NULL: none */
};

/* A layer of a step, by the beginning of its name: of the last state, or as the run left it in its
 * folder; rows * cols, NaN where it has no value, malloc'ed. */
int export_layer(float **out, const struct export_run *r, const char *prefix, int64_t step,
                 struct error *e);

/* "PREFIX_016000.ENDING", or with its date, where the case has start_time,
 * "PREFIX_016000_20060803T2120Z.ENDING" (runfolder_layer_step() reads it), malloc'ed; NULL: out of
 * memory. */
char *export_layer_name(const struct sim_case *c, const char *prefix, int64_t step,
                        const char *ending);

/* The transform of an export_run. ERROR_INPUT: the case has no CRS, PROJ does not know it, or the terrain lies across the
 * antimeridian. `what` names the format for the message. */
static inline int export_degrees(struct transform **w, const struct sim_case *c, const char *what,
                                 struct error *e)
{
    return transform_degrees(w, &c->geo, c->problem.rows, c->problem.cols,
                             *c->path ? c->path : c->name, what, e);
}
int export_check_degrees(const struct sim_case *c, const char *what, struct error *e);
/* Checks that a study of this case can have the painted formats among these. */
int export_check_painted(const struct sim_case *c, unsigned formats, struct error *e);

/* ---- the files ------------------------------------------------------------------------------- */

enum features {
    FEATURES_BANDS,      /* between two isochrones */
    FEATURES_REACHED,    /* all cells that lava had reached by a time */
    FEATURES_LINES,      /* the fronts at a time */
    FEATURES_VENTS,      /* the cells of a vent or fissure */
    FEATURES_OUTLINE,    /* the observed outline */
    FEATURES_BACKGROUND, /* of maps (case_background.h), of points, lines and areas */
    FEATURES
};
/* Whether a run has such features; true for FEATURES. */
bool features_there(const struct export_run *r, enum features what);

/* X(file, FORMAT, function, what): the name of a file; its format, SCIARA_FORMAT; the function that writes it (NULL: it is
 * painted from the run's struct layer_set, record/layer_set.h); the features that it shows (FEATURES: the whole run). A run
 * without such features has no such file.
 *
 * GeoJSON by RFC 7946, longitude and latitude: the bands of arrival as polygons; the fronts as
 * lines; the cells of each vent; the observed outline; the background. A GeoPackage with the
 * terrain and these, in the CRS of the terrain, through GDAL; NetCDF-4 by the CF
 * conventions, the layers at all times, through libnetcdf: ERROR_INPUT where that library is
 * missing. */
#define EXPORT_FILES(X)                                                                            \
    X("isochrones.geojson", GEOJSON, export_geojson, FEATURES_BANDS)                               \
    X("isochrone_lines.geojson", GEOJSON, export_geojson, FEATURES_LINES)                          \
    X("vents.geojson", GEOJSON, export_geojson, FEATURES_VENTS)                                    \
    X("outline.geojson", GEOJSON, export_geojson, FEATURES_OUTLINE)                                \
    X("background.geojson", GEOJSON, export_geojson, FEATURES_BACKGROUND)                          \
    X("isochrones.gpkg", GEOPACKAGE, export_geopackage, FEATURES)                                  \
    X("run.nc", NETCDF, export_netcdf, FEATURES)                                                   \
    X("isochrones.qml", QGIS, NULL, FEATURES_BANDS)                                                \
    X("isochrone_lines.qml", QGIS, NULL, FEATURES_LINES)                                           \
    X("vents.qml", QGIS, NULL, FEATURES_VENTS)                                                     \
    X("outline.qml", QGIS, NULL, FEATURES_OUTLINE)

typedef int export_file(const struct export_run *r, enum features what, const char *path,
                        struct error *e);
export_file export_geojson, export_geopackage, export_netcdf;

int export_check_geopackage(const struct sim_case *c, const char *what, struct error *e);
int export_check_netcdf(const struct sim_case *c, const char *what, struct error *e);

/* "NetCDF through libnetcdf.so.19", for people. */
void export_formats(char out[96]);

/* ---- for the files of this folder ------------------------------------------------------------ */

/* Whether a vent is the first of those with its number: the cells of a fissure share one. */
bool export_vent_is_first(const struct problem *p, int vent);
