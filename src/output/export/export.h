/* export.h — a finished run for other programs: vector files, and packages for globes, GIS and scientific tools.
 * docs/formats/exports.md describes the files.
 *
 * Each function writes one file, whole or not at all. The content comes from the last state and from the layers in the
 * folder of the run, so a resumed run also exports the time before it resumed. */
#pragma once

#include "base/error.h"
#include "case/case.h"
#include "isochrones/isochrones.h"
#include "record/scene.h"
#include "vector/vectors.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What an export shows. All members are borrowed. */
struct export_run {
    const struct sim_case *c;
    const char *folder, *version;
    uint64_t digest; /* digest of the last state */
    int rows, cols;  /* size of the layers */
    struct georef geo;
    const struct isochrones *isochrones;
    const unsigned char *outline; /* the observed outline on the grid of the case; NULL: none */
    int step_count;
    /* steps with layers in the folder, increasing; the last is the end of the run */
    const int64_t *step;
    /* Fills a layer of the last state: rows * cols, NaN: no value. prefix: how the layer's name begins. */
    void (*last_layer)(const struct export_run *r, const char *prefix, float *out);
    const struct output_cut *last; /* for last_layer() */
    struct transform *transform;   /* from the terrain to longitude and latitude; NULL: none */
};

/* Reads a layer of a step, from the last state or from the folder of the run: rows * cols, NaN: no value, malloc'ed.
 * prefix: how the layer's name begins. */
int export_layer(float **out, const struct export_run *r, const char *prefix, int64_t step,
                 struct error *e);

/* "PREFIX_016000.ENDING" or, if the case has start_time, "PREFIX_016000_20060803T2120Z.ENDING"; malloc'ed, NULL: out of
 * memory. runfolder_layer_step() reads such names. */
char *export_layer_name(const struct sim_case *c, const char *prefix, int64_t step,
                        const char *ending);

/* Makes the transform of an export_run. ERROR_INPUT: the case has no CRS, PROJ does not know it, or the terrain lies
 * across the antimeridian. `what` names the format for the message. */
static inline int export_degrees(struct transform **w, const struct sim_case *c, const char *what,
                                 struct error *e)
{
    return transform_degrees(w, &c->geo, c->problem.rows, c->problem.cols,
                             *c->path ? c->path : c->name, what, e);
}
int export_check_degrees(const struct sim_case *c, const char *what, struct error *e);
/* ERROR_INPUT: a painted format in `formats` needs longitude and latitude, and export_degrees() refuses the case. */
int export_check_painted(const struct sim_case *c, unsigned formats, struct error *e);

/* ---- the files ------------------------------------------------------------------------------- */

enum features {
    FEATURES_BANDS,      /* areas between two isochrones */
    FEATURES_REACHED,    /* areas that lava had reached by a time */
    FEATURES_LINES,      /* lines: the fronts at a time */
    FEATURES_VENTS,      /* points: the cells of a vent or fissure */
    FEATURES_OUTLINE,    /* the observed outline */
    FEATURES_BACKGROUND, /* the background of maps (case_background.h): points, lines and areas */
    FEATURES
};
/* Whether a run has features of this kind; true for FEATURES. */
bool features_there(const struct export_run *r, enum features what);

/* X(file, FORMAT, function, what): `file` is the name of a file, SCIARA_FORMAT its format. `function` writes the file;
 * NULL: painters make it from the run's struct layer_set (record/layer_set.h). `what` names the features in the file;
 * FEATURES: the whole run. A run without these features does not get the file.
 *
 * GeoJSON files (RFC 7946) have longitude and latitude: the bands of arrival as polygons, the fronts as lines, the cells
 * of each vent, the observed outline, and the background. A GeoPackage has these features and the terrain, in the CRS of
 * the terrain; GDAL writes it. NetCDF-4 with CF conventions has the layers at all times; libnetcdf writes it. ERROR_INPUT:
 * the library is missing. */
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

/* Writes a line for users: "NetCDF through libnetcdf.so.19", or why NetCDF cannot be written. */
void export_formats(char out[96]);

/* ---- for the files of this folder ------------------------------------------------------------ */

/* Whether a vent is the first vent with its number. All cells of a fissure have the same number. */
bool export_vent_is_first(const struct problem *p, int vent);
