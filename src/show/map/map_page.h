/* map_page.h — what the parts of a map share while it is drawn; only map*.c read this. */
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

/* A grid on the canvas: cell (row, col) is the square of `zoom` pixels at (x + col*zoom,
 * y + row*zoom), and its value stands for its centre. NaN: no line comes near. */
struct isolines {
    const float *value;
    int rows, cols;
    double x, y, zoom;
};

/* Adds the lines value == base + k * step for whole k to the canvas's path, only every `every`-th
 * or, where every < 0, all but those; each as long as it is. Out to the edges of the outer cells.
 * ERROR_FAILED: no memory. */
int isolines_draw(struct canvas *c, const struct isolines *g, double base, double step, int every,
                  struct error *e);

/* How many squares such lines cross: whether they would still be lines or rather a grey. */
size_t isolines_count(const struct isolines *g, double base, double step);

/* ---- a map while it is drawn ----------------------------------------------------------------- */

static const struct rgb map_black = {25, 25, 28}, map_grey = {95, 95, 100},
                        map_white = {255, 255, 255}, map_alarm = {190, 0, 24},
                        map_contour = {84, 62, 40}, map_paper = {255, 254, 250},
                        map_barrier = {120, 0, 150};

struct map_box {
    double x0, y0, x1, y1;
};

struct map_page {
    const struct map *m;
    struct map_grid grid;
    struct colour_scale scale;
    struct canvas canvas;
    struct map_box map; /* what is shown of the domain, inside the frame */
    double node;        /* units per node of the grid */
    double metres_per_unit, scale_denominator;
    double west_m, north_m; /* of that box */
    double north_rad;       /* true north, clockwise from the top */
    double contour_m;       /* interval; 0: no contours */
    double lo, hi;          /* ends of the colour bar */
    bool open_top;          /* some values lie above hi */
    bool fissures, vents;   /* marks side by side are a fissure */
    int marks;
    double vents_x, vents_y; /* where they are drawn, in the mean */
    struct {
        int wide, high;
        unsigned char *square;
    } taken;       /* while lines are drawn: of map_box, by enum map_taken_by */
    bool numbered; /* places have numbers, where there was no room for names */
};

/* A subtitle, an alert, a note or a label in the language of the map; one that is not packed is as it is. Returns out. */
enum { MAP_TEXT = 1200 };
char *map_text(const struct map *m, const char *text, char out[MAP_TEXT]);

/* map.c: what colours mean: a bar of this height with numbers, or classes, right of x. Returns the y below. */
enum { MAP_SIDE_WIDTH = 340 };
double map_key(struct map_page *page, double x, double y, double bar_height);

/* map_raster.c: relief, watermark and the coloured layer with a rim, as a picture inside
 * page->map. */
int map_raster(struct map_page *page, struct error *e);
/* Relief-free colour of nodes without terrain, for the legend. */
void map_missing_sample(struct map_page *page, double x0, double y0, double x1, double y1);
void map_sea_sample(struct map_page *page, double x0, double y0, double x1, double y1);

/* map_lines.c: draws contours, outline, vents and places on top of the relief. */
int map_lines(struct map_page *page, struct error *e);

void map_find_vents(struct map_page *page);
void map_vent_symbol(struct map_page *page, double x, double y); /* or a dot */
void map_fissure_sample(struct map_page *page, double x, double y, double width);

/* map_background.c: on the relief, in units, and of SVG and PDF as vectors, if the map has a background (which is not
 * NULL); in the legend, where `text` writes words beside a sample. */
void map_background(const struct map_page *page, cairo_t *cr);
double map_background_key(struct map_page *page, double x, double y, double wide,
                          double text(struct map_page *, double x, double y, const char *));

/* On the locator, which begins there and has units of that many for a cell: coast and water. */
void map_locator_coast(const struct map_page *page, double x, double y, double unit);
uint32_t map_pixel(struct rgb c); /* opaque */

/* Where a position is, and a shape as a path, in units. */
void map_at(const struct map_page *page, const double xy[2], double *x, double *y);
void map_path(const struct map_page *page, cairo_t *cr, const struct map_place *t);

/* map_places.c: places of interest and isochrones. */
void map_places(struct map_page *page);
void map_fronts(struct map_page *page);
void map_place_sample(struct map_page *page, double x, double y);

/* What no label may hide. ERROR_FAILED: no memory; the caller frees page->taken.square. */
enum map_taken_by {
    MAP_DOT = 1 /* one of many possible vents */,
    MAP_NAME = 2,
    MAP_TAKEN = 4,
    MAP_ANY = 7,
    MAP_LAYER = 8 /* while names of the background are looked for */
};
int map_taken_create(struct map_page *page, struct error *e);
void map_take(struct map_page *page, const struct map_box *b, enum map_taken_by by);
/* Whether it is inside of the map, and taken by none of these. */
bool map_is_free(const struct map_page *page, const struct map_box *b, unsigned by);

/* Writes as many names, or numbers, of all places as there is room for; then those of isochrones and of the
 * background. */
void map_names(struct map_page *page);
void map_front_labels(struct map_page *page);
void map_background_names(struct map_page *page);

/* The interval of contour lines (0 where they would not help). */
void map_choose_contours(struct map_page *page);
