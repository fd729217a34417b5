/* vectors.h — points, lines and polygons of a vector file, in the CRS of the terrain.
 *
 * GeoJSON can always be read; Shapefile, GeoPackage and KML through the libgdal of the machine, if it has one. One
 * of several layers is named behind a colon, or as a word, and features may have to fulfil a condition:
 * `hazard.gpkg:vents`, `hazard.gpkg layer vents where 'year > 2000'`. PROJ transforms coordinates to the terrain's
 * CRS, vertex by vertex, as ogr2ogr -t_srs does; heights and measures (Z, M) are dropped. docs/formats/vectors.md
 * has the rules for files that name no CRS. */
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
    VECTORS_TAKE_ROWS = 1 << VECTOR_KINDS, /* not with others: attributes of a table or layer */
    VECTORS_TAKE_ALL = VECTORS_TAKE_POINTS | VECTORS_TAKE_LINES | VECTORS_TAKE_AREAS,
};

/* Positions that belong together: a point (one position), a line, or a ring, which ends where it begins. */
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

/* How a file was read, for `sciara info` and messages. */
struct vectors_about {
    struct file_stamp stamp; /* stamp of the file when it was read, also if it is no vector file */
    int features, outside;   /* features with a geometry; those of them outside the terrain */
    int empty;               /* skipped features without a geometry */
    int count[VECTOR_KINDS]; /* points, lines, polygons */
    double size[VECTOR_KINDS];   /* total number, metres, square metres */
    double inside[VECTOR_KINDS]; /* the part on the rectangle of the terrain */
    bool placed;                 /* there is a grid; else `inside` and `outside` have no meaning */
    double west, south, east, north; /* extent of the features, in the terrain's CRS */
    char layer[128];                 /* "": the format has none */
    char crs[128];                   /* as the file names it; "not named" */
    char projected_to[128];          /* "": its coordinates were not transformed */
    char assumed[256];               /* a sentence on what was assumed; "": nothing */
    char doubt[160]; /* a sentence on a name that is probably a mistake, also of a CSV */
};

struct vectors {
    int features, parts, positions;
    struct vector_feature *feature;
    struct vector_part *part;
    double (*xy)[2]; /* finite, below 1e9 */
    int wanted;      /* number of attributes of each feature */
    char **value;    /* features * wanted texts, in the order of `wanted`; NULL: not there */
    struct vectors_about about;
};

/* The grid to whose CRS positions are transformed; NULL as an argument: they stay as they are. */
struct vector_grid {
    int rows, cols;
    const struct georef *geo;
};

/* Returns the format by the first bytes of a file; its path has no layer. */
enum vector_format {
    VECTOR_FORMAT_NONE, /* none of these */
    VECTOR_FORMAT_GEOJSON,
    VECTOR_FORMAT_SHAPEFILE,
    VECTOR_FORMAT_GEOPACKAGE,
    VECTOR_FORMAT_KML,
};
/* Whether a file is of such a format, or its name implies one. */
bool vectors_are_in(const char *path);

/* Reads all features of the kinds in `take`. `wanted`: names of attributes in either case, NULL
 * behind the last, or NULL. ERROR_INPUT names the file and the feature; it is also given if no
 * feature has a geometry or comes near the grid. On an error *v is all zero. */
int vectors_read(struct vectors *v, const char *path, const struct vector_grid *grid, int take,
                 const char *const *wanted, struct error *e);
void vectors_free(struct vectors *v); /* all-zero is fine */

/* Reads a CSV in the CRS of the terrain. Rows with the same `id` have the positions, in columns x and y, of a line,
 * or of an area if the column `kind` is "area". `wanted` names columns, too. If `take` has points, a single row is a
 * point, `id` may be missing, and lon and lat may replace x and y; or x and y may be degrees, as in vectors_read(). */
int vectors_read_csv(struct vectors *v, const char *path, const char *id,
                     const struct vector_grid *grid, int take, const char *const *wanted,
                     struct error *e);

/* Finds when the event in a package (ZIP) of the Copernicus Emergency Management Service was observed, by its table
 * of images. ERROR_INPUT: the table has no time for it, or several. */
int vectors_package_time(const char *path, int64_t *unix_s, struct error *e);

/* The value of a wanted attribute, by index, as text; NULL: the feature has none. */
const char *vectors_value(const struct vectors *v, int feature, int wanted);

/* Names a feature by the first of the wanted attributes first to last that is not blank, printable and cut to 60
 * bytes; else by its number. */
void vectors_name(char *out, size_t size, const struct vectors *v, int feature, int first,
                  int last);

bool vectors_any_has(const struct vectors *v, int wanted); /* whether any feature has it */

/* The value as a number; without one *value stays as it is. */
int vectors_real(const struct vectors *v, int feature, int wanted, const char *path,
                 const char *name, double *value, struct error *e);

/* The share outside the terrain, 0 to 1, of the features with most dimensions. */
double vectors_lost_share(const struct vectors_about *a);

/* Writes "flow.shp: 12.3 % of its area is outside the terrain and skipped"; or "". */
void vectors_lost(const struct vectors_about *a, const char *path, char *sentence, size_t size);

/* ---- names ----------------------------------------------------------------------------------- */

/* The path without a layer and a condition, malloc'ed; NULL: out of memory. Names of existing files may have a colon
 * or one of the words. */
char *vectors_file_of(const char *path);

/* Calls `each` for the existing files that a path, without its layer, stands for: all files of a
 * Shapefile. False: out of memory. */
bool vectors_each_file(const char *path, void (*each)(void *self, const char *file), void *self);

/* The formats that this program reads, for people. */
void vectors_formats(char out[160]);

/* ---- from the CRS of a file to the CRS of the terrain, with PROJ ----------------------------- */

struct transform;

#define CRS_DEGREES    "OGC:CRS84"          /* longitude and latitude, WGS 84 */
#define CRS_OF_THE_DEM "the CRS of the DEM" /* as of crs_text() */

/* `from`: a code ("EPSG:3004"), or WKT; `name`: the file or its column, for messages. ERROR_INPUT: PROJ does not
 * know one of the CRSs, or no transformation. *w is NULL if both are the same CRS. */
int transform_open(struct transform **w, const char *from, const struct crs *to, const char *name,
                   struct error *e);
/* Opens the transformation from a grid to longitude and latitude, WGS 84, for transform_back(). ERROR_INPUT: the
 * grid has no CRS, PROJ does not know it, or the grid lies across the antimeridian. `name` and `what`, a format, are
 * for the message. */
int transform_degrees(struct transform **w, const struct georef *geo, int rows, int cols,
                      const char *name, const char *what, struct error *e);
void transform_close(struct transform *w); /* NULL is fine */

/* Transforms a position. False: it has no place in the CRS of the terrain, such as near a pole or
 * far outside a projection; *why ends a sentence. */
bool transform_apply(const struct transform *w, double xy[2], const char **why);

/* Transforms a position on the terrain back from its CRS. False: impossible. */
bool transform_back(const struct transform *w, double xy[2]);
