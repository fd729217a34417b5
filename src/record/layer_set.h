/* layer_set.h — the layers of a folder, as a globe or a GIS shows them: which files, of which times, in which colours, with
 * vents and the observed outline. The values stay in the files. */
#pragma once

#include "bands.h"
#include "map_scene.h"
#include "raster/raster.h"

/* Classes, each up to its `upper`, the last beyond, and what is not above `low` is clear; without classes a scale of
 * these colours from `low` to `high`. People read value - zero, in that unit. */
struct legend {
    int count;
    const struct map_class *classes;
    enum colours colours;
    double low, high, zero;
    const char *unit;
};

/* A quantity, of which there is a file for each time: NAME, the stamp of the time, ".tif". */
struct layer_quantity {
    const char *name;  /* "total_thickness_m" */
    const char *about; /* for people, to be filled (text/words.h) */
    enum layer_use {
        LAYER_LAST,    /* in a project, of the last time */
        LAYER_TIMES,   /* at all times, in a project and on a globe */
        LAYER_ARRIVAL, /* of the last time, in bands, which are polygons on a globe */
        LAYER_RELIEF,  /* the terrain, of the last time */
        LAYER_CHOICE,  /* on a globe, one of them at a time */
        LAYER_STYLED   /* a style alone */
    } use;
    struct legend legend;
    const char *
        scale_of; /* the kind of which the values, at all times, are the ends of the scale; NULL: it has them */
};

enum { LAYER_STAMP = 48 };
struct layer_time {
    char stamp[LAYER_STAMP]; /* "_000900_20060716T0400Z"; "" */
    double time_s;           /* since the start */
};

struct layer_vent {
    double x, y; /* in the CRS of the layers: the middle of a cell */
    int id;      /* 0: without a number */
    int cells;   /* of a fissure */
};

struct layer_set {
    const char *folder;                /* in which the files are; not in a record */
    const char *title, *software, *of; /* of: the digest of the results */
    const char *terrain;               /* its source; NULL: not known */
    const char *start_time;            /* NULL: none */
    const char *language;              /* NULL: English */
    double least; /* of LAYER_TIMES smaller values are not shown, and those that are not above 0 */
    double step_h;
    int kinds, times, vents; /* times: increasing, at least one */
    struct layer_quantity *kind;
    const struct layer_time *time;
    const struct layer_vent *vent;
    const char *vent_name;                   /* "Vent" */
    const struct map_background *background; /* NULL: none */
    int rows, cols;                          /* of the layers of the last time */
    const unsigned char *outline;            /* rows*cols, nonzero inside; NULL: none */
    /* Set by layer_set_complete(): */
    struct georef geo;
    struct bands bands; /* of LAYER_ARRIVAL; owned */
};

/* Whether it is of one run, which has a project, and not of many. */
bool layer_set_is_run(const struct layer_set *s);
/* The kind of that use; NULL: none. */
const struct layer_quantity *layer_set_find(const struct layer_set *s, enum layer_use use);
/* Whether lava of that thickness is shown. */
static inline bool layer_set_shows(const struct layer_set *s, double thickness_m)
{
    return thickness_m > 0 && thickness_m >= s->least;
}
/* "total_thickness_m_000900.tif" for an ending ".tif", malloc'ed; NULL: out of memory. */
char *layer_set_file(const struct layer_set *s, const struct layer_quantity *k, int time,
                     const char *ending);

/* The vector files (export/export.h) that it may have beside the layers, in the order of enum layer_vectors. */
enum layer_vectors { LAYER_VENTS, LAYER_OUTLINE, LAYER_LINES, LAYER_BANDS, LAYER_VECTORS };
extern const char *const layer_vectors[LAYER_VECTORS]; /* "vents", without ending */
bool layer_set_has(const struct layer_set *s, enum layer_vectors what);

/* A layer on the grid of the last time; to be freed. */
int layer_set_read(struct raster *r, const struct layer_set *s, const struct layer_quantity *k,
                   int time, struct error *e);
/* Its values that maps show: a layer of LAYER_TIMES is NaN where lava is thinner than is shown. */
int layer_set_read_shown(struct raster *r, const struct layer_set *s,
                         const struct layer_quantity *k, int time, struct error *e);
/* Reads from the layers what all that show them need: grid, bands, the ends of scales. */
int layer_set_complete(struct layer_set *s, struct error *e);
/* The polygons of the outline, at most one level of them; to be freed. */
int layer_set_outline(struct isochrones *out, const struct layer_set *s, struct error *e);
void layer_set_free(struct layer_set *s); /* of what complete() made; all-zero is fine */
