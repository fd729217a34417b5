/* build.h — making `struct vectors`, feature by feature, by the reader of each format; internal. */
#pragma once

#include "vectors.h"

enum { VECTOR_POSITIONS_MAX = 50000000, VECTOR_FEATURES_MAX = 2000000, VECTOR_WANTED_MAX = 8 };

/* The CRS that a file names, as PROJ takes it: a code, or WKT. */
struct vector_crs {
    char *definition; /* malloc'ed; NULL: none named */
    char name[128];   /* for people */
};

struct build {
    struct vectors *v;
    const char *path;          /* for messages */
    const char *file, *layer;  /* the path without its layer, and the layer, "": none is named */
    struct where *where;       /* which features are meant; NULL: all */
    enum vector_format format; /* of the file; NONE: a CSV */
    char *entry; /* of an archive, which has the format; malloc'ed; NULL: it is none */
    const char *const *wanted; /* may be NULL */
    int take;                  /* VECTORS_TAKE_... */
    int number;                /* of the feature that is being made */
    int polygons;              /* so far, in all features */
    struct vector_crs crs;
    char target[16];                   /* the terrain's CRS, "EPSG:32633"; "": it has no code */
    char doubt[VECTOR_WANTED_MAX][48]; /* what each wanted one is probably called by mistake */
    struct error *e;
};

/* The layer that is read as a word of a command, behind a blank; "" where none has to be named. malloc'ed; NULL: out
 * of memory. */
char *build_layer_word(const struct build *b);

/* ERROR_INPUT: `PATH: feature N what`. */
int build_refuse(struct build *b, const char *what);

/* A feature: begin, its parts, its attributes, end. One without parts is taken away at its end. */
int build_begin(struct build *b);
int build_end(struct build *b);

/* A part of that kind; all of a feature have the same. A ring belongs to the polygon that
 * b->polygons counted last. */
int build_part(struct build *b, enum vector_kind kind);
int build_position(struct build *b, double x, double y);
int build_part_end(struct build *b); /* a ring has to be closed, a line has two positions */

/* Keeps a copy of the text if the attribute is wanted and has no value yet. */
int build_value(struct build *b, const char *name, const char *text);
bool build_wants(struct build *b, const char *name);

/* Behind the attributes: whether the feature is meant; it is taken away if not. */
int build_holds(struct build *b, bool *holds);

/* At the end: brings all positions to the CRS of the grid, measures them, and refuses what is nowhere near it. */
int build_place(struct build *b, const struct vector_grid *g);

/* At the end: of those that no feature has, the first that is probably there by another name. */
void build_doubt(struct build *b);

/* ---- where.c: a condition in SQL on the attributes of features -------------------------------- */

/* `sql`: "kind = 'lava' AND area > 100", is copied. */
int where_open(struct where **w, const char *sql, struct build *b);
void where_close(struct where *w); /* NULL is fine */

/* where_column() is called for each attribute before the first feature, then where_prepare() once.
 * Both do nothing where b->where is NULL. */
int where_column(struct build *b, const char *name);
int where_prepare(struct build *b);

/* where_uses() and where_value() take the values of a feature; where_holds() says whether it
 * fulfils the condition. */
bool where_uses(struct where *w, const char *name);
void where_value(struct where *w, const char *name, const char *text);
int where_holds(struct build *b, bool *holds);
int where_refuse_all(
    struct build *b); /* ERROR_INPUT: none fulfils it; says how a value is written */

/* ---- the readers of formats: each adds all features, and the CRS that the file names --------- */

/* A GeoJSON text (RFC 7946, and its predecessor, which may name a CRS). A geometry without a
 * feature is one. */
int geojson_read(struct build *b, const char *text);

/* A layer of a Shapefile, a GeoPackage or KML, through the GDAL of the machine (gdal_library.h).
 * The file is a regular one of b->format; without a name of a layer its only one is read. The name
 * of the layer goes to about.layer. GDAL gets to see one driver, no network and no other name than
 * the name of the file; its message becomes the error. */
int ogr_read(struct build *b);
