/* vectors.h — points, lines and polygons of a vector file, in the CRS of the terrain.
 *
 * GeoJSON is always read; Shapefile, GeoPackage and KML through the libgdal of the machine, if
 * there is one (ogr.h). A layer of a file with several is named behind a colon, or as a word, and
 * features may have to fulfil a condition: `hazard.gpkg:vents`, `hazard.gpkg layer vents where
 * 'year > 2000'`. Coordinates come to the terrain's CRS with PROJ, vertex by vertex, as
 * ogr2ogr -t_srs brings them there; heights and measures (Z, M) are dropped. docs/formats/vectors.md has
 * the rules for files that name no CRS. */
#pragma once

#include "base/error.h"
#include "raster/georef.h"
#include "text/textfile.h"

#include <stdbool.h>
#include <stddef.h>

enum vector_kind { VECTOR_POINT, VECTOR_LINE, VECTOR_AREA, VECTOR_KINDS };
enum {
    VECTORS_TAKE_POINTS = 1 << VECTOR_POINT,
    VECTORS_TAKE_LINES = 1 << VECTOR_LINE,
    VECTORS_TAKE_AREAS = 1 << VECTOR_AREA,
    VECTORS_TAKE_ROWS = 1 << VECTOR_KINDS, /* alone: of a table or layer the attributes */
    VECTORS_TAKE_ALL = VECTORS_TAKE_POINTS | VECTORS_TAKE_LINES | VECTORS_TAKE_AREAS,
};

/* Positions that belong together: a point (one), a line, or a ring, which ends where it began. */
struct vector_part {
    int first, count; /* in vectors.xy */
    int polygon;      /* rings with the same number are of one polygon, by the even-odd rule */
};

/* A geometry with at least one part; a multi-geometry has several parts. */
struct vector_feature {
    enum vector_kind kind;
    int number; /* in the file, from 1 */
    int first, count;
};

/* What was understood, for `sciara info` and messages. */
struct vectors_about {
    struct file_stamp stamp;     /* of the file when it was read, also where it is no vector file */
    int features, outside;       /* with a geometry; of those, with none of it on the terrain */
    int empty;                   /* without a geometry, which are skipped */
    int count[VECTOR_KINDS];     /* points, lines, polygons */
    double size[VECTOR_KINDS];   /* of all: their number, metres, square metres */
    double inside[VECTOR_KINDS]; /* that on the rectangle of the terrain */
    bool placed;                 /* on one; else `inside` and `outside` say nothing */
    double west, south, east, north; /* what they reach, in the terrain's CRS */
    char layer[128];                 /* "": the format has none */
    char crs[128];                   /* as the file names it; "not named" */
    char projected_to[128];          /* "": its coordinates were taken as they stand */
    char assumed[256];               /* a sentence on what was assumed; "": nothing */
    char doubt[160]; /* a sentence on a name that is probably a mistake, also of a CSV */
};

struct vectors {
    int features, parts, positions;
    struct vector_feature *feature;
    struct vector_part *part;
    double (*xy)[2]; /* finite, below 1e9 */
    int wanted;      /* attributes of each feature, in the order in which they were asked for */
    char **value;    /* features * wanted texts, NULL: not there */
    struct vectors_about about;
};

/* The grid that they are brought to; NULL where a function takes one: they stay as they are. */
struct vector_grid {
    int rows, cols;
    const struct georef *geo;
};

/* The format by the first bytes of the file, whose path has no layer. */
enum vector_format {
    VECTOR_FORMAT_NONE, /* none of these */
    VECTOR_FORMAT_GEOJSON,
    VECTOR_FORMAT_SHAPEFILE,
    VECTOR_FORMAT_GEOPACKAGE,
    VECTOR_FORMAT_KML,
};
bool vectors_are_in(const char *path); /* any of them, or a name that can only be one */

/* Reads all features, of the kinds in `take`. `wanted`: names of attributes, NULL behind the last,
 * or NULL; their case does not matter. ERROR_INPUT names the file and the feature; also where no
 * feature has a geometry, and where none comes near the grid. On an error *v is all zero. */
int vectors_read(struct vectors *v, const char *path, const struct vector_grid *grid, int take,
                 const char *const *wanted, struct error *e);
void vectors_free(struct vectors *v); /* all-zero is fine */

/* Reads a CSV in the CRS of the terrain: rows with the same `id`, x and y in columns of their own, are a line, or an area where a
 * column `kind` is "area". `wanted` are columns, too. Where points are taken, a row alone is one, `id` may be missing, and columns
 * lon and lat may stand for x and y; or these may be degrees, as in vectors_read(). */
int vectors_read_csv(struct vectors *v, const char *path, const char *id,
                     const struct vector_grid *grid, int take, const char *const *wanted,
                     struct error *e);

/* When the event of a package of the Copernicus Emergency Management Service, a ZIP, was seen, by its table of sources.
 * ERROR_INPUT: it has none, or several times. */
int vectors_package_time(const char *path, int64_t *unix_s, struct error *e);

/* The value of the wanted attribute of that index as text, NULL: the feature has none. */
const char *vectors_value(const struct vectors *v, int feature, int wanted);

/* What to call a feature: the first of the wanted attributes first..last that shows something, printable and at most 60
 * bytes; else its number. */
void vectors_name(char *out, size_t size, const struct vectors *v, int feature, int first,
                  int last);

bool vectors_any_has(const struct vectors *v, int wanted); /* any feature does */

/* The value as a number; *value stays as it is where there is none. */
int vectors_real(const struct vectors *v, int feature, int wanted, const char *path,
                 const char *name, double *value, struct error *e);

/* How much of it lies outside the terrain, of the kind of the most dimensions: 0 to 1. */
double vectors_lost_share(const struct vectors_about *a);

/* Writes "flow.shp: 12.3 % of its area is outside the terrain and skipped"; "": nothing is. */
void vectors_lost(const struct vectors_about *a, const char *path, char *sentence, size_t size);

/* ---- names ----------------------------------------------------------------------------------- */

/* The path without a layer and a condition, malloc'ed; NULL: out of memory. A file with the colon, or
 * one of the words, in its own name is itself. */
char *vectors_file_of(const char *path);

/* The files that a path stands for: without its layer, and of a Shapefile all that belong to it.
 * Calls `each` for those that there are. False: out of memory. */
bool vectors_each_file(const char *path, void (*each)(void *self, const char *file), void *self);

/* The formats that this program reads, for people. */
void vectors_formats(char out[160]);

/* ---- from the CRS of a file to the CRS of the terrain, with PROJ ----------------------------- */

struct transform;

#define CRS_DEGREES    "OGC:CRS84"          /* longitude and latitude, WGS 84 */
#define CRS_OF_THE_DEM "the CRS of the DEM" /* as of crs_text() */

/* `from`: a code ("EPSG:3004"), or WKT; `name`: of the file or its column, for messages.
 * ERROR_INPUT where PROJ does not know one of them, or no transformation. *w is NULL where both
 * are the same CRS. */
int transform_open(struct transform **w, const char *from, const struct crs *to, const char *name,
                   struct error *e);
/* The way from that grid to longitude and latitude, WGS 84: transform_back(). ERROR_INPUT where they cannot be had: it has no
 * CRS, PROJ does not know it, or the grid lies across the antimeridian. `name` and `what`, a format, are for the message. */
int transform_degrees(struct transform **w, const struct georef *geo, int rows, int cols,
                      const char *name, const char *what, struct error *e);
void transform_close(struct transform *w); /* NULL is fine */

/* Transforms a position. False: it has no place in the CRS of the terrain, as near a pole or far
 * outside a projection; *why completes a sentence. */
bool transform_apply(const struct transform *w, double xy[2], const char **why);

/* Back from the CRS of the terrain, of a position on it. False: there is none. */
bool transform_back(const struct transform *w, double xy[2]);
