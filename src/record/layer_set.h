/* layer_set.h — the layers of a folder for a globe or a GIS: their files, times and colours, the vents and the observed
 * outline. The values stay in the files. */
#pragma once

#include "bands.h"
#include "map_scene.h"
#include "raster/raster.h"

/* A legend has classes or, if count is 0, a scale of colours from `low` to `high`. A class has values up to its
 * `upper`; the last class also has all larger values. Values up to `low` are transparent. A reader sees the number
 * `value - zero`, in `unit`. */
struct legend {
    int count;
    const struct map_class *classes;
    enum colours colours;
    double low, high, zero;
    const char *unit;
};

/* A quantity with a file for each time. The name of a file is `name`, the stamp of the time, and ".tif". */
struct layer_quantity {
    const char *name;  /* "total_thickness_m" */
    const char *about; /* a description for readers, with gaps to fill (text/words.h) */
    enum layer_use {
        LAYER_LAST,    /* a project of QGIS shows the layer at the last time */
        LAYER_TIMES,   /* a project and a globe have a layer for each time */
        LAYER_ARRIVAL, /* at the last time, a project shows the layer in bands, a globe as polygons */
        LAYER_RELIEF, /* a project shows the layer as terrain, at the last time */
        LAYER_CHOICE, /* a globe shows one of these layers at a time */
        /* neither a project nor a globe shows the layer, but the folder has a QGIS style for it */
        LAYER_STYLED
    } use;
    struct legend legend;
    /* The values of the layer with this name, of all times, decide legend.high; NULL: legend.high is given. */
    const char *scale_of;
};

enum { LAYER_STAMP = 48 };
struct layer_time {
    char stamp[LAYER_STAMP]; /* "_000900_20060716T0400Z", or "" */
    double time_s;           /* since the start of the run */
};

struct layer_vent {
    double x, y; /* middle of a cell, in the CRS of the layers */
    int id;      /* 0: the vent has no number */
    int cells;   /* number of cells of the fissure */
};

struct layer_set {
    const char *folder;                /* folder of the layers; a record does not store it */
    const char *title, *software, *of; /* of: the digest of the results */
    const char *terrain;               /* source of the terrain; NULL: not known */
    const char *start_time;            /* NULL: none */
    const char *language;              /* NULL: English */
    double least; /* least value that layers of LAYER_TIMES show; 0 is never shown */
    double step_h;
    /* lengths of the arrays below; there is at least one time, and times increase */
    int kinds, times, vents;
    struct layer_quantity *kind;
    const struct layer_time *time;
    const struct layer_vent *vent;
    const char *vent_name;                   /* "Vent" */
    const struct map_background *background; /* NULL: none */
    int rows, cols;                          /* the grid of the last time */
    const unsigned char *outline;            /* rows*cols, nonzero inside; NULL: none */
    /* Set by layer_set_complete(): */
    struct georef geo;
    struct bands bands; /* bands of LAYER_ARRIVAL; owned */
};

/* Whether the layers are of one run, not of many runs. A project of QGIS shows only a single run. */
bool layer_set_is_run(const struct layer_set *s);
/* The first quantity with this use; NULL: there is none. */
const struct layer_quantity *layer_set_find(const struct layer_set *s, enum layer_use use);
/* Whether lava of this thickness is shown. */
static inline bool layer_set_shows(const struct layer_set *s, double thickness_m)
{
    return thickness_m > 0 && thickness_m >= s->least;
}
/* The name of a layer's file: "total_thickness_m_000900.tif" for the ending ".tif". Malloc'ed; NULL: out of memory. */
char *layer_set_file(const struct layer_set *s, const struct layer_quantity *k, int time,
                     const char *ending);

/* The vector files (export/export.h) that the folder of the layers may have. The array has their names in this order. */
enum layer_vectors { LAYER_VENTS, LAYER_OUTLINE, LAYER_LINES, LAYER_BANDS, LAYER_VECTORS };
extern const char *const layer_vectors[LAYER_VECTORS]; /* "vents", without ending */
bool layer_set_has(const struct layer_set *s, enum layer_vectors what);

/* Reads a layer on the grid of the last time. The caller frees *r. */
int layer_set_read(struct raster *r, const struct layer_set *s, const struct layer_quantity *k,
                   int time, struct error *e);
/* Reads a layer as maps show it: in a layer of LAYER_TIMES, lava thinner than `least` is NaN. */
int layer_set_read_shown(struct raster *r, const struct layer_set *s,
                         const struct layer_quantity *k, int time, struct error *e);
/* Reads from the layers what every format needs: the grid, the bands, the ends of scales. */
int layer_set_complete(struct layer_set *s, struct error *e);
/* Finds the polygons of the outline. *out has one level or, without an outline, no level. The caller frees *out. */
int layer_set_outline(struct isochrones *out, const struct layer_set *s, struct error *e);
void layer_set_free(struct layer_set *s); /* undoes layer_set_complete(); all-zero is fine */
