/* map_page.h — declarations that map*.c share for drawing a map. */
#pragma once

#include "draw/canvas.h"
#include "record/colours.h"
#include "plain/map_grid.h"
#include "draw/font.h"
#include "map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- map_lines.c: lines of equal value through a grid, by marching squares -------------------- */

/* A grid of values on the canvas: cell (row, col) is the square of `zoom` pixels at (x + col*zoom, y + row*zoom), and its
 * value is at the centre. There are no lines next to NaN. */
struct isolines {
    const float *value;
    int rows, cols;
    double x, y, zoom;
};

/* Adds the lines with values base + k * step to the path of the canvas, for each whole k.
 * every > 0: only if k is a multiple of `every`; every < 0: only if k is not a multiple. Pieces
 * that meet are joined. Lines extend to the edges of the grid. ERROR_FAILED: no memory. */
int isolines_draw(struct canvas *c, const struct isolines *g, double base, double step, int every,
                  struct error *e);

/* Counts the squares that lines at multiples of `step` cross. If lines cross most squares, they would merge into grey. */
size_t isolines_count(const struct isolines *g, double base, double step);

/* ---- a map while it is drawn ----------------------------------------------------------------- */

static const struct rgb map_contour = {84, 62, 40}, map_paper = {255, 254, 250},
                        map_barrier = {120, 0, 150};

struct map_box {
    double x0, y0, x1, y1;
};

struct map_page {
    const struct map *m;
    struct map_grid grid;
    struct colour_scale scale;
    struct canvas canvas;
    struct map_box map; /* box on the page for the shown part of the domain */
    double node;        /* units per node of the grid */
    double metres_per_unit, scale_denominator;
    double west_m, north_m; /* coordinates of the upper left corner of the box */
    double north_rad;       /* direction of true north, clockwise from the top */
    double contour_m;       /* interval of the contours; 0: none */
    bool open_top;          /* some values are above grid.hi */
    bool fissures, vents;   /* some vents form a fissure; some vents are single */
    int marks;
    double vents_x, vents_y; /* mean place of the vents on the page */
    struct {
        int wide, high;
        unsigned char *square;
        /* squares of the map, each with bits of enum map_taken_by; only while lines are drawn */
    } taken;
    bool numbered; /* places have numbers, because there was no room for names */
};

/* Writes a subtitle, alert, note or label in the language of the map. Copies a text that is not
 * packed (text/words.h). Returns out. */
enum { MAP_TEXT = 2000 };
char *map_text(const struct map *m, const char *text, char out[MAP_TEXT]);

/* map.c: draws the legend of the colours, right of x: a bar of this height with numbers, or classes. Returns the y below
 * the legend. */
enum { MAP_SIDE_WIDTH = 340 };
double map_key(struct map_page *page, double x, double y, double bar_height);

/* map_raster.c: paints relief, watermark and the coloured layer with its rim as a picture inside page->map. */
int map_raster(struct map_page *page, struct error *e);
/* Samples for the legend: nodes without terrain, and sea. */
void map_missing_sample(struct map_page *page, double x0, double y0, double x1, double y1);
void map_sea_sample(struct map_page *page, double x0, double y0, double x1, double y1);

/* map_lines.c: draws contours, outline, vents and places on top of the relief. */
int map_lines(struct map_page *page, struct error *e);

void map_find_vents(struct map_page *page);
void map_vent_symbol(struct map_page *page, double x, double y); /* a dot if mark_small is set */
void map_fissure_sample(struct map_page *page, double x, double y, double width);

/* map_background.c. map_background() draws the background on the relief, in SVG and PDF as vectors; the map's background
 * must not be NULL. map_background_key() draws its legend; `text` writes words next to a sample. */
void map_background(struct map_page *page);
double map_background_key(struct map_page *page, double x, double y, double wide,
                          double text(struct map_page *, double x, double y, const char *));

/* Draws coast and water on the locator. The locator has its upper left corner at (x, y), and cells that are `unit`
 * units wide. */
void map_locator_coast(const struct map_page *page, double x, double y, double unit);
uint32_t map_pixel(struct rgb c); /* opaque */

/* map_at() converts a position to units on the page. map_path() adds a shape to the path. */
void map_at(const struct map_page *page, const double xy[2], double *x, double *y);
void map_path(struct map_page *page, const struct map_place *t);

/* map_places.c: draws places of interest and isochrones. */
void map_places(struct map_page *page);
void map_fronts(struct map_page *page);
void map_place_sample(struct map_page *page, double x, double y);

/* Kinds of objects on the map that labels must not hide. map_taken_create(): ERROR_FAILED: no memory; the caller frees
 * page->taken.square. */
enum map_taken_by {
    MAP_DOT = 1 /* a dot, one of many possible vents */,
    MAP_NAME = 2,
    MAP_TAKEN = 4,
    MAP_ANY = 7,
    MAP_LAYER = 8 /* the coloured layer, while names of the background get their places */
};
int map_taken_create(struct map_page *page, struct error *e);
void map_take(struct map_page *page, const struct map_box *b, enum map_taken_by by);
/* Whether a box is inside the map and overlaps no object of the kinds `by`. */
bool map_is_free(const struct map_page *page, const struct map_box *b, unsigned by);

/* Write as many labels as have room: names or numbers of places, times of isochrones, names of the background. The caller
 * calls them in this order, because labels avoid earlier labels. */
void map_names(struct map_page *page);
void map_front_labels(struct map_page *page);
void map_background_names(struct map_page *page);

/* Chooses the interval of contour lines, page->contour_m; 0 if contours would not help. */
void map_choose_contours(struct map_page *page);
