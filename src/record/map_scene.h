/* map_scene.h — what a map shows: terrain, a coloured layer, lines and points with labels, the classes or the scale of its
 * legend, texts. show/map draws it. */
#pragma once

#include "base/error.h"
#include "colours.h"
#include "raster/georef.h"
#include "sim/window.h"

#include <stdbool.h>
#include <stddef.h>

enum map_kind {
    MAP_SEQUENTIAL, /* a scale of colours from scale_low to scale_high (struct map) */
    MAP_CLASSES,    /* the values 1, 2, 3, ... are classes, each with a colour and a label */
};

struct map_class {
    struct rgb rgb;
    const char *label;
    /* The largest value of the class. The class begins above the `upper` of the previous class, or above 0 if it is
     * the first class. On a map in hours `upper` is in hours, else it is a probability. If `upper` does not increase
     * from class to class, the classes are not ranges of values. */
    double upper;
};

/* Nine classes for the change of a probability. The caller gives three labels and two ends for the classes of small
 * changes. */
/* clang-format off */
#define MAP_CHANGE_CLASSES(less, less_to, none, none_to, more) \
    {{8, 48, 107}, "more than 40 points less", -0.4}, \
    {{33, 113, 181}, "15 to 40 less", -0.15}, \
    {{88, 160, 206}, "5 to 15 less", -0.05}, \
    {{150, 198, 224}, less, less_to}, \
    {{222, 222, 218}, none, none_to}, \
    {{253, 212, 158}, more, 0.05}, \
    {{252, 141, 89}, "5 to 15 more", 0.15}, \
    {{215, 48, 31}, "15 to 40 more", 0.4}, \
    {{127, 0, 0}, "more than 40 more", 1}
/* clang-format on */

/* A point, line or area: a place of interest, a barrier, or a feature of the background. */
struct map_place {
    enum { MAP_POINT, MAP_LINE, MAP_AREA } kind;
    const char *label;
    int parts; /* points, lines or rings */
    const int *part_size;
    const double (*xy)[2]; /* all positions, one part after the other, map coordinates */
};

enum { MAP_WORD = 300 };

/* The size of the page; all-zero: as large as the map needs, at 200 dpi. */
struct map_paper {
    double width_in, height_in, dpi;
};
/* ERROR_INPUT: the page has too few pixels for the text of a map, or too many for a picture. */
int map_paper_check(const struct map_paper *p, struct error *e);

/* The cells of the locator, a small map of the whole domain on a map that shows a part of it. The locator has
 * rows and columns 0, every, 2 * every, ... of the domain. */
struct map_around {
    int domain_rows, domain_cols;
    int row0, col0; /* position of the map's first cell in the domain */
    int every, rows, cols;
    double *elevation_m, *value; /* rows*cols; NaN: elevation not known, or no lava */
    const unsigned char *sea;    /* rows*cols, nonzero: sea; NULL: there is no sea */
};

/* Fills a row of a map; `of` is the map's row_of. */
typedef void map_row(const void *of, int row, double *elevation_m, double *value);

struct isochrones;
struct map_background; /* map_background.h */

struct map {
    int rows, cols;
    struct georef geo;
    const double *elevation_m; /* rows*cols, NaN: no data */
    const double *ground_m;    /* terrain before lava, only for a record; NULL: elevation_m */
    const double *value;       /* rows*cols, NaN: no value */
    map_row *row; /* fills a row of a map without arrays; NULL: the map has elevation_m and value */
    const void *row_of;
    enum map_kind kind;
    enum colours colours; /* scale of MAP_SEQUENTIAL */
    int class_count;
    const struct map_class *classes;
    const char *title;    /* "Etna 2006" */
    const char *subtitle; /* "22 days 5 h 20 min since start, 2006-..., step 16000" */
    const char *quantity; /* "total lava thickness" */
    const char *unit;     /* "m" */
    const char *note;     /* small print below, e.g. the source of the terrain; may be NULL */
    const char *alert;    /* text in red below, e.g. what the map does not show; may be NULL */
    const char *of;       /* digest of the results, written into the file; may be NULL */
    const char *stamp;    /* text in red above, e.g. "Unverified - exercise"; may be NULL */
    /* Texts of another map. The page has room for these texts, too, so that both maps have the same size. NULL: none */
    const char *room_subtitle, *room_alert;
    const char *warning; /* large letters on the map, e.g. "SYNTHETIC TERRAIN"; or NULL */
    /* rows*cols, nonzero: a vent; neighbours with the same number are one fissure; may be NULL */
    const unsigned char *mark;
    const char *mark_name; /* "possible vent"; NULL: "vent" */
    bool mark_small;       /* vents are dots, not symbols, because there are many */
    /* rows*cols, nonzero inside the observed outline, which is drawn as a line; may be NULL */
    const unsigned char *outline;
    const unsigned char *sea; /* rows*cols, nonzero: sea if elevation_m is NaN; may be NULL */
    int place_count;
    const struct map_place *places;
    const struct map_background *background; /* NULL: none */
    int barrier_count; /* walls and channels: lines and areas without a name */
    const struct map_place *barriers;
    /* lines between classes; the last line, the edge of all lava, is not drawn; may be NULL */
    const struct isochrones *fronts;
    double scale_low, scale_high;    /* ends of the colour bar; equal: found from the values */
    const unsigned char *reached;    /* rows*cols; where it is nonzero, contours get no numbers */
    const struct map_around *around; /* NULL: the map shows the whole domain */
    struct window crop;              /* the map shows at least these cells; rows 0: all */
    struct map_paper paper;
    /* language of the map's own words, of classes, quantity and packed labels (text/words.h); NULL: English */
    const char *language;
};

static inline void map_set_classes(struct map *m, const struct map_class *classes, int count)
{
    m->kind = MAP_CLASSES;
    m->classes = classes;
    m->class_count = count;
}

/* The value that stands in map.mark for the vent with number `id`. */
static inline unsigned char map_mark(int id)
{
    return (unsigned char)(1 + id % 255);
}

/* A row of a map: a part of the map's arrays or, if the map has no arrays, numbers in `room`. `room` has space for
 * 2 * cols numbers. */
struct map_cells {
    const double *elevation_m, *value;
};
struct map_cells map_cells(const struct map *m, int row, double *room);

/* Whether a picture can show this number. Other numbers count as missing. */
static inline bool map_usable(double v)
{
    return v > -1e30 && v < 1e30;
}

/* The range of the usable values of a map. */
struct map_range {
    size_t count;
    double least, most; /* 0 if count == 0 */
    double usual_most;  /* about 99.8 % of the values are not larger */
};
struct map_range map_range_of(const struct map *m, double *room); /* room: for 2 * cols values */
/* Sets *low and *high to round ends of a scale for the range. If the range has no values, *low and *high are equal. */
void map_range_ends(const struct map_range *r, double *low, double *high);
/* Sets *low and *high to round ends of a scale for an array. If the array has no usable values, *low and *high are
 * equal. */
void map_range(const double *value, size_t count, double *low, double *high);

/* Makes the map show only this extent: west, south, east, north. ERROR_INPUT: the extent is outside the map's terrain. */
int map_crop_extent(struct map *m, const double extent[4], struct error *e);

/* Crops a map to its content: values, marks, outline, places of interest and barriers. */
void map_crop_content(struct map *m);
/* Adds a margin to the window. If a side is then longer than 80 % of the domain's side, it becomes as long as the
 * domain's side. rows 0 stays, because it means the whole domain. */
void map_crop_finish(struct window *crop, int rows, int cols);

/* Receives a map, which exists only during the call. */
typedef int map_use(const struct map *m, void *to, struct error *e);
