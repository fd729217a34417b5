/* vectors.h — points, lines and polygons of a vector file, in the CRS of the terrain.
 *
 * GeoJSON can always be read. Shapefile, GeoPackage and KML need the libgdal of the machine. A path may name a layer,
 * after a colon or the word `layer`. After `where` it may have a condition that features have to fulfil:
 * `hazard.gpkg:vents`, `hazard.gpkg layer vents where 'year > 2000'`. PROJ transforms coordinates to the terrain's CRS,
 * vertex by vertex, as ogr2ogr -t_srs does; heights and measures (Z, M) are dropped. docs/formats/vectors.md has the
 * rules for files that name no CRS. */
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
    /* only the attributes of a table or a layer; cannot be combined with other kinds */
    VECTORS_TAKE_ROWS = 1 << VECTOR_KINDS,
    VECTORS_TAKE_ALL = VECTORS_TAKE_POINTS | VECTORS_TAKE_LINES | VECTORS_TAKE_AREAS,
};

/* Positions that belong together: a point (one position), a line, or a ring, which ends where it begins. */
struct vector_part {
    int first, count; /* first position and number of positions in vectors.xy */
    int polygon;      /* rings with the same number form one polygon, by the even-odd rule */
};

/* A geometry with at least one part; a multi-geometry has several parts. */
struct vector_feature {
    enum vector_kind kind;
    int number; /* number in the file, from 1 */
    int first, count;
};

/* How a file was read, for `sciara info` and messages. */
struct vectors_about {
    struct file_stamp stamp;     /* stamp of the file when it was read; also set for a CSV */
    int features, outside;       /* features with a geometry; features outside the terrain */
    int empty;                   /* skipped features without a geometry */
    int count[VECTOR_KINDS];     /* points, lines, polygons */
    double size[VECTOR_KINDS];   /* number of points, metres of lines, square metres of areas */
    double inside[VECTOR_KINDS]; /* the part of `size` on the rectangle of the terrain */
    bool placed;                 /* there is a grid; else `inside` and `outside` have no meaning */
    double west, south, east, north; /* extent of the features, in the terrain's CRS */
    char layer[128];                 /* "": the format has no layers */
    char crs[128];                   /* CRS as the file names it, or "not named" */
    char projected_to[128];          /* CRS of the terrain; "": coordinates were not transformed */
    char assumed[256];               /* a sentence on what was assumed; "": nothing */
    char doubt[160]; /* a sentence on an attribute or column that is probably misspelt; "": none */
};

struct vectors {
    int features, parts, positions;
    struct vector_feature *feature;
    struct vector_part *part;
    double (*xy)[2]; /* finite, below 1e9 */
    int wanted;      /* number of attributes of each feature */
    char **value;    /* `wanted` texts of each feature, in the order of attributes; NULL: none */
    struct vectors_about about;
};

/* A grid. Positions are transformed to its CRS. If a function gets NULL as its grid, positions stay as they are. */
struct vector_grid {
    int rows, cols;
    const struct georef *geo;
};

/* The format of a file by its first bytes. */
enum vector_format {
    VECTOR_FORMAT_NONE, /* none of these */
    VECTOR_FORMAT_GEOJSON,
    VECTOR_FORMAT_SHAPEFILE,
    VECTOR_FORMAT_GEOPACKAGE,
    VECTOR_FORMAT_KML,
};
/* Whether a file has one of these formats, or its path implies a vector file. */
bool vectors_are_in(const char *path);

/* Reads all features of the kinds in `take`. `wanted`: names of attributes, ignoring case, NULL after the last; may be
 * NULL. The message of ERROR_INPUT names the file and the feature. ERROR_INPUT also: no feature has a geometry, or the
 * extent of all features is outside the grid. On an error *v is all zero. */
int vectors_read(struct vectors *v, const char *path, const struct vector_grid *grid, int take,
                 const char *const *wanted, struct error *e);
void vectors_free(struct vectors *v); /* all-zero is fine */

/* Reads a CSV in the CRS of the terrain. Consecutive rows with the same value in the column `id` are the positions, x
 * and y, of a line. They are an area if the column `kind` is "area". `wanted` names further columns. If `take` has
 * points, a value of `id` in only one row makes a point, the column `id` may be missing, columns lon and lat may
 * replace x and y, and x and y may be degrees. */
int vectors_read_csv(struct vectors *v, const char *path, const char *id,
                     const struct vector_grid *grid, int take, const char *const *wanted,
                     struct error *e);

/* Finds when the event was observed, in the table of images of a package (ZIP) of the Copernicus Emergency Management
 * Service. ERROR_INPUT: the table has no time for the event, or several times. */
int vectors_package_time(const char *path, int64_t *unix_s, struct error *e);

/* Returns the value of wanted attribute number `wanted`; NULL: the feature has no value. */
const char *vectors_value(const struct vectors *v, int feature, int wanted);

/* Writes a name for a feature: the first wanted attribute from `first` to `last` that is not blank, made printable and
 * cut to 60 bytes. If there is none, writes the number of the feature. */
void vectors_name(char *out, size_t size, const struct vectors *v, int feature, int first,
                  int last);

bool vectors_any_has(const struct vectors *v, int wanted); /* whether any feature has a value */

/* Reads a wanted attribute as a number. If the feature has no value, *value stays as it is. */
int vectors_real(const struct vectors *v, int feature, int wanted, const char *path,
                 const char *name, double *value, struct error *e);

/* Returns the share outside the terrain, 0 to 1: of the area if there are areas, else of the length, else of the
 * points. */
double vectors_lost_share(const struct vectors_about *a);

/* Writes "flow.shp: 12.3 % of its area is outside the terrain and skipped", or "" if nothing is outside. */
void vectors_lost(const struct vectors_about *a, const char *path, char *sentence, size_t size);

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the path without its layer and condition, malloc'ed; NULL: out of memory. The name of an existing file may
 * contain a colon, "layer" or "where". */
char *vectors_file_of(const char *path);

/* Calls `each` for the file of a path and, for a Shapefile, for its other existing files. False: out of memory. */
bool vectors_each_file(const char *path, void (*each)(void *self, const char *file), void *self);

/* Writes a sentence on the vector formats that this program reads. */
void vectors_formats(char out[160]);

/* ---- from the CRS of a file to the CRS of the terrain, with PROJ ----------------------------- */

struct transform;

#define CRS_DEGREES    "OGC:CRS84"          /* longitude and latitude, WGS 84 */
#define CRS_OF_THE_DEM "the CRS of the DEM" /* for crs_text() */

/* Opens the transformation from the CRS `from`, a code ("EPSG:3004") or WKT, to the CRS `to`.
 * `name`: the file, for messages. ERROR_INPUT: PROJ does not know one of the CRSs, or has no
 * transformation between them. *w becomes NULL if both are the same CRS. */
int transform_open(struct transform **w, const char *from, const struct crs *to, const char *name,
                   struct error *e);
/* Opens the transformation from a grid to longitude and latitude, WGS 84, for transform_back(). ERROR_INPUT: the grid
 * has no CRS, PROJ does not know it, or the grid lies across the antimeridian. `name` and `what` (a format) are for the
 * message. */
int transform_degrees(struct transform **w, const struct georef *geo, int rows, int cols,
                      const char *name, const char *what, struct error *e);
void transform_close(struct transform *w); /* NULL is fine */

/* Transforms a position. False: the CRS of the terrain has no coordinates for it, for example near a pole. Then *why is
 * a reason that follows "the position" in a sentence. */
bool transform_apply(const struct transform *w, double xy[2], const char **why);

/* Transforms a position from the CRS of the terrain to the CRS `from`, or to degrees. False: impossible. */
bool transform_back(const struct transform *w, double xy[2]);
