/* build.h — how the reader of a format fills `struct vectors`, feature by feature; internal. */
#pragma once

#include "vectors.h"

enum { VECTOR_POSITIONS_MAX = 50000000, VECTOR_FEATURES_MAX = 2000000, VECTOR_WANTED_MAX = 8 };

/* The CRS that a file names, for PROJ: a code, or WKT. */
struct vector_crs {
    char *definition; /* malloc'ed; NULL: none named */
    char name[128];   /* name for people */
};

struct build {
    struct vectors *v;
    const char *path;          /* path for messages */
    const char *file, *layer;  /* `path` without the layer; the layer ("": the path names none) */
    struct where *where;       /* which features are wanted; NULL: all */
    enum vector_format format; /* format of the file; NONE: a CSV */
    char *entry;               /* name of the entry in an archive, malloc'ed; NULL: no archive */
    /* names of the wanted attributes, NULL after the last; may be NULL */
    const char *const *wanted;
    int take;     /* VECTORS_TAKE_... */
    int number;   /* number of the present feature, from 1 */
    int polygons; /* number of polygons so far, in all features */
    struct vector_crs crs;
    char target[16]; /* the terrain's CRS, "EPSG:32633"; "": it has no code */
    /* for each wanted attribute: a name in the file that probably means this attribute */
    char doubt[VECTOR_WANTED_MAX][48];
    struct error *e;
};

/* Returns the name of the layer, quoted for a shell, after a blank; "" if b->layer is empty. malloc'ed; NULL: out of
 * memory. */
char *build_layer_word(const struct build *b);

/* Returns ERROR_INPUT with the message `PATH: feature N what`. */
int build_refuse(struct build *b, const char *what);

/* The order of calls for a feature: begin, parts, attributes, end. A feature without parts is removed at its end. */
int build_begin(struct build *b);
int build_end(struct build *b);

/* Begins a part; all parts of a feature have one kind. A ring gets the polygon number b->polygons,
 * so the reader of a format increments b->polygons before the first ring of a polygon. */
int build_part(struct build *b, enum vector_kind kind);
int build_position(struct build *b, double x, double y);
/* Ends a part. Refuses a ring that is not closed, and a part without a position. */
int build_part_end(struct build *b);

/* Keeps a copy of the text if the attribute is wanted and has no value yet. */
int build_value(struct build *b, const char *name, const char *text);
bool build_wants(struct build *b, const char *name);

/* Called after the attributes of a feature. Sets *holds to whether the feature fulfils the condition. If it does not,
 * the feature is removed. */
int build_holds(struct build *b, bool *holds);

/* At the end: transforms all positions to the CRS of the grid, measures the features, and refuses a file outside the
 * grid. */
int build_place(struct build *b, const struct vector_grid *g);

/* At the end: warns of the first wanted attribute that is missing and probably has another name. */
void build_doubt(struct build *b);

/* ---- where.c: a condition in SQL on the attributes of features -------------------------------- */

/* Opens a condition. `sql`: "kind = 'lava' AND area > 100"; the text is copied. */
int where_open(struct where **w, const char *sql, struct build *b);
void where_close(struct where *w); /* NULL is fine */

/* The reader calls where_column() for each attribute before the first feature, then where_prepare() once. Both do
 * nothing if b->where is NULL. */
int where_column(struct build *b, const char *name);
int where_prepare(struct build *b);

/* where_uses(): whether the condition names an attribute. where_value() stores the value that an attribute has in the
 * present feature. Then where_holds() sets *holds to whether this feature fulfils the condition. */
bool where_uses(struct where *w, const char *name);
void where_value(struct where *w, const char *name, const char *text);
int where_holds(struct build *b, bool *holds);
int where_refuse_all(struct build *b); /* ERROR_INPUT: no feature fulfils the condition */

/* ---- the readers of formats: each adds all features, and the CRS that the file names --------- */

/* Reads a GeoJSON text (RFC 7946, or its predecessor, in which a file may name a CRS). A text that is only a geometry
 * counts as one feature. */
int geojson_read(struct build *b, const char *text);

/* Reads a layer of a Shapefile, a GeoPackage or KML, through the GDAL of the machine (gdal_library.h). The caller has
 * checked that the file is regular and of format b->format. If the path names no layer, the file may have only one.
 * GDAL may use only the drivers of this format, and no network. */
int ogr_read(struct build *b);
