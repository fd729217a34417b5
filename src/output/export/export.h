/* export.h — a finished run for other programs: vector files, and packages for globes, GIS and
 * scientific tools. docs/formats.md describes the files.
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

/* All is borrowed. */
struct export_run {
    const struct sim_case *c;
    const char *folder, *version;
    uint64_t digest; /* of the last state */
    int rows, cols;  /* of the layers */
    struct georef geo;
    const struct isochrones *isochrones;
    const unsigned char *outline; /* the observed one on the grid of the case; NULL: none */
    int step_count;
    const int64_t *step;              /* of layers in the folder, increasing; the last is the end */
    double scale_low_m, scale_high_m; /* ends of the scale of thicknesses */
    const struct colour_scale *scale; /* COLOURS_SCALES of them, by enum colours */
    /* A layer of the last state, by the beginning of its name: rows * cols, NaN where it has no
     * value. */
    void (*last_layer)(const struct export_run *r, const char *prefix, float *out);
    const struct output_cut *last; /* for last_layer */
    struct transform
        *transform; /* from the terrain to longitude and latitude; NULL: there is none */
};

/* What begins every file that this program alone can have written: "Made by sciara 0.2.0". */
#define EXPORT_MARK "Made by sciara"
/* Whether a file has that near its beginning or its end. */
bool export_is_ours(const char *path);

/* A layer of a step, by the beginning of its name: of the last state, or as the run left it in its
 * folder; rows * cols, NaN where it has no value, malloc'ed. */
int export_layer(float **out, const struct export_run *r, const char *prefix, int64_t step,
                 struct error *e);

/* Seconds since the beginning of step `step`; the date of that as ISO 8601, "" where the case has
 * no start. */
double export_time_s(const struct export_run *r, int64_t step);
char *export_date(char out[32], const struct export_run *r, double time_s);

/* "PREFIX_016000.ENDING", or with its date, where the case has start_time,
 * "PREFIX_016000_20060803T2120Z.ENDING" (runfolder_layer_step() reads it), malloc'ed; NULL: out of
 * memory. */
char *export_layer_name(const struct sim_case *c, const char *prefix, int64_t step,
                        const char *ending);

/* The transformation for an export_run; NULL where export_check_degrees() would refuse. transform_close() ends it.
 */
struct transform *export_transform(const struct sim_case *c);

/* ERROR_INPUT where longitude and latitude cannot be had: the case has no CRS, PROJ does not know
 * it, or the terrain lies across the antimeridian. `what` names the format for the message. */
int export_check_degrees(const struct sim_case *c, const char *what, struct error *e);

/* ---- the files ------------------------------------------------------------------------------- */

enum features {
    FEATURES_BANDS,   /* between two isochrones */
    FEATURES_REACHED, /* all cells that lava had reached by a time */
    FEATURES_LINES,   /* the fronts at a time */
    FEATURES_VENTS,   /* the cells of a vent or fissure */
    FEATURES_OUTLINE, /* the observed outline */
    FEATURES
};
bool features_there(const struct export_run *r, enum features what); /* FEATURES: yes */

/* X(file, FORMAT, function, what): a file of enum sciara_format SCIARA_FORMAT, the function that
 * writes it, and the features that it is of (FEATURES: of the whole run); without them there is none.
 *
 * GeoJSON by RFC 7946, longitude and latitude: the bands of arrival as polygons; the fronts as
 * lines; the cells of each vent; the observed outline. A KMZ for globes, with the layers
 * total_thickness_m of all steps, bands of arrival, vents and the outline. A GeoPackage with the
 * terrain and these, in the CRS of the terrain, through GDAL; NetCDF-4 by the CF
 * conventions, the layers at all times, through libnetcdf: ERROR_INPUT where that library is
 * missing. A project of QGIS with all layers and vector files of the run, by relative paths, and
 * styles (.qml), which QGIS reads with the file of the same name. */
#define EXPORT_FILES(X)                                                                            \
    X("isochrones.geojson", GEOJSON, export_geojson, FEATURES_BANDS)                               \
    X("isochrone_lines.geojson", GEOJSON, export_geojson, FEATURES_LINES)                          \
    X("vents.geojson", GEOJSON, export_geojson, FEATURES_VENTS)                                    \
    X("outline.geojson", GEOJSON, export_geojson, FEATURES_OUTLINE)                                \
    X("run.kmz", KMZ, export_kmz, FEATURES)                                                        \
    X("isochrones.gpkg", GEOPACKAGE, export_geopackage, FEATURES)                                  \
    X("run.nc", NETCDF, export_netcdf, FEATURES)                                                   \
    X("isochrones.qml", QGIS, export_style, FEATURES_BANDS)                                        \
    X("isochrone_lines.qml", QGIS, export_style, FEATURES_LINES)                                   \
    X("vents.qml", QGIS, export_style, FEATURES_VENTS)                                             \
    X("outline.qml", QGIS, export_style, FEATURES_OUTLINE)                                         \
    X("run.qgz", QGIS, export_project, FEATURES)

typedef int export_file(const struct export_run *r, enum features what, const char *path,
                        struct error *e);
export_file export_geojson, export_kmz, export_geopackage, export_netcdf, export_style,
    export_project;

int export_check_geopackage(const struct sim_case *c, const char *what, struct error *e);
int export_check_netcdf(const struct sim_case *c, const char *what, struct error *e);

/* The style of the layer with that prefix. */
int export_raster_style(const struct export_run *r, const char *prefix, const char *path,
                        struct error *e);

/* ---- layers of many runs --------------------------------------------------------------------- */

/* A style (.qml) of a layer with these colours. */
int export_layer_style(const struct legend *c, const char *version, const char *path,
                       struct error *e);

/* A KMZ of such layers, of which one is shown at a time, the observed outline, and pins on these
 * cells (row * cols + col). Of *r counts the case, its place, version, digest, outline and transform;
 * these and the cells outlive it. The first layer has a value wherever another has. name: of the
 * picture in it, without an ending. */
struct globe;
struct globe_vents {
    const char *name; /* of each */
    const uint32_t *cell;
    int count;
};
int globe_open(struct globe **g, const struct export_run *r, const struct globe_vents *vents,
               struct error *e);
int globe_add(struct globe *g, const char *name, const char *about, const struct legend *c,
              const float *value, struct error *e); /* rows * cols, NaN: nothing there */
int globe_finish(struct globe *g, const char *path, struct error *e);
void globe_free(struct globe *g); /* NULL is fine */

/* "NetCDF through libnetcdf.so.19", for people. */
void export_formats(char out[96]);

/* The polygons of the observed outline, smoothed as isochrones are: one level of them. */
int export_outline_area(struct isochrones *out, const struct export_run *r, struct error *e);

/* ---- for the files of this folder ------------------------------------------------------------ */

/* The colour of a band of arrival. */
struct rgb export_band_colour(const struct export_run *r, int band);

/* All bytes of a file, whole or not at all. */
int export_bytes(const char *path, const void *data, size_t size, struct error *e);

/* A text for XML, between tags or in double quotes; and for XML that holds HTML. */
void export_xml(FILE *f, const char *text);
void export_html(FILE *f, const char *text);

/* Whether a vent is the first of those with its number: a fissure's cells have one. */
bool export_vent_is_first(const struct problem *p, int vent);

/* The definition of the CRS in WKT, malloc'ed; NULL: it has none that PROJ knows. */
enum export_wkt { EXPORT_WKT1, EXPORT_WKT2 };
char *export_crs_wkt(const struct crs *crs, enum export_wkt form);

/* The lava of the isochrones with a cell around it, map coordinates; x0 > x1 where there is none. */
struct overlay_box {
    double x0, y0, x1, y1;
};
struct overlay_box overlay_around_lava(const struct export_run *r);
