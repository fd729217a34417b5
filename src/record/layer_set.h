/* layer_set.h — the layers of a folder, as a globe or a GIS shows them: which files, of which times, in which colours, with
 * vents and the observed outline. The values stay in the files. */
#pragma once

#include "bands.h"
#include "map_scene.h"
#include "raster/raster.h"

/* Classes, each with values up to its `upper`, the last with all above; or, without classes, a scale of colours from `low`
 * to `high`. Values that are not above `low` are transparent. What people read is value - zero, in `unit`. */
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
    const char *about; /* what people read, a text with gaps to fill (text/words.h) */
    enum layer_use {
        LAYER_LAST,    /* shown by a project, of the last time */
        LAYER_TIMES,   /* shown by a project and on a globe, at all times */
        LAYER_ARRIVAL, /* of the last time, in bands, which a globe has as polygons */
        LAYER_RELIEF,  /* the terrain, of the last time */
        LAYER_CHOICE,  /* shown on a globe, one such layer at a time */
        LAYER_STYLED   /* not shown: the folder has a style for it */
    } use;
    struct legend legend;
    /* the layer whose values, at all times, are the ends of this scale; NULL: the legend has the ends */
    const char *scale_of;
};

enum { LAYER_STAMP = 48 };
struct layer_time {
    char stamp[LAYER_STAMP]; /* "_000900_20060716T0400Z", or "" */
    double time_s;           /* since the start of the run */
};

struct layer_vent {
    double x, y; /* in the CRS of the layers: the middle of a cell */
    int id;      /* 0: the vent has no number */
    int cells;   /* number of cells of the fissure */
};

struct layer_set {
    const char *folder;                /* the folder of the files; not in a record */
    const char *title, *software, *of; /* of: the digest of the results */
    const char *terrain;               /* source of the terrain; NULL: not known */
    const char *start_time;            /* NULL: none */
    const char *language;              /* NULL: English */
    double least; /* layers of LAYER_TIMES do not show smaller values, nor values up to 0 */
    double step_h;
    int kinds, times, vents; /* times: increasing, at least one */
    struct layer_quantity *kind;
    const struct layer_time *time;
    const struct layer_vent *vent;
    const char *vent_name;                   /* "Vent" */
    const struct map_background *background; /* NULL: none */
    int rows, cols;                          /* the grid of the last time */
    const unsigned char *outline;            /* rows*cols, nonzero inside; NULL: none */
    /* Set by layer_set_complete(): */
    struct georef geo;
    struct bands bands; /* of LAYER_ARRIVAL; owned */
};

/* Whether the layers are of one run, which has a project, and not of many. */
bool layer_set_is_run(const struct layer_set *s);
/* The first quantity with that use; NULL: none. */
const struct layer_quantity *layer_set_find(const struct layer_set *s, enum layer_use use);
/* Whether lava of that thickness is shown. */
static inline bool layer_set_shows(const struct layer_set *s, double thickness_m)
{
    return thickness_m > 0 && thickness_m >= s->least;
}
/* The file's name, "total_thickness_m_000900.tif" for the ending ".tif", malloc'ed; NULL: out of memory. */
char *layer_set_file(const struct layer_set *s, const struct layer_quantity *k, int time,
                     const char *ending);

/* The vector files (export/export.h) that may lie beside the layers; the array has their names in this order. */
enum layer_vectors { LAYER_VENTS, LAYER_OUTLINE, LAYER_LINES, LAYER_BANDS, LAYER_VECTORS };
extern const char *const layer_vectors[LAYER_VECTORS]; /* "vents", without ending */
bool layer_set_has(const struct layer_set *s, enum layer_vectors what);

/* Reads a layer on the grid of the last time; the caller frees it. */
int layer_set_read(struct raster *r, const struct layer_set *s, const struct layer_quantity *k,
                   int time, struct error *e);
/* Reads what maps show of a layer: in a layer of LAYER_TIMES, lava thinner than `least` is NaN. */
int layer_set_read_shown(struct raster *r, const struct layer_set *s,
                         const struct layer_quantity *k, int time, struct error *e);
/* Reads from the layers what every format needs: the grid, the bands, the ends of scales. */
int layer_set_complete(struct layer_set *s, struct error *e);
/* The polygons of the outline, in at most one level; the caller frees them. */
int layer_set_outline(struct isochrones *out, const struct layer_set *s, struct error *e);
void layer_set_free(struct layer_set *s); /* undoes layer_set_complete(); all-zero is fine */
