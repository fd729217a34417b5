/* map_page.h — what the parts of a map share while it is drawn; only map*.c read this. */
#ifndef SCIARA_MAP_PAGE_H
#define SCIARA_MAP_PAGE_H

#include "draw/canvas.h"
#include "draw/colours.h"
#include "draw/font.h"
#include "isolines.h"
#include "map.h"
#include "map_grid.h"

static const struct rgb map_black = {25, 25, 28}, map_grey = {95, 95, 100},
                        map_white = {255, 255, 255}, map_alarm = {190, 0, 24},
                        map_contour = {84, 62, 40}, map_paper = {255, 254, 250};

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
    double metres_per_unit;
    double west_m, north_m; /* of that box */
    double north_rad;       /* true north, clockwise from the top */
    double contour_m;       /* interval; 0: no contours */
    double lo, hi;          /* ends of the colour bar */
    bool open_top;          /* some values lie above hi */
    bool fissures, vents;   /* marks side by side are a fissure */
    int marks;
    double vents_x, vents_y; /* where they are drawn, in the mean */
};

/* map_raster.c: relief, watermark and the coloured layer with a rim, as a picture inside
 * page->map. */
int map_raster(struct map_page *page, struct error *e);
/* Relief-free colour of nodes without terrain, for the legend. */
void map_missing_sample(struct map_page *page, double x0, double y0, double x1, double y1);
void map_sea_sample(struct map_page *page, double x0, double y0, double x1, double y1);

/* map_lines.c: contours, outline, vents and places on top of it. */
int map_lines(struct map_page *page, struct error *e);
void map_outline_sample(struct map_page *page, double x, double y, double width);

/* map_vents.c */
void map_find_vents(struct map_page *page);
void map_place_vents(struct map_page *page); /* once page->map is known */
void map_vents(struct map_page *page);
void map_vent_symbol(struct map_page *page, double x, double y); /* or a dot */
void map_fissure_sample(struct map_page *page, double x, double y, double width);

/* map_places.c: places, and a sample for the legend. */
void map_places(struct map_page *page);
void map_names(struct map_page *page); /* of these, beside them */
void map_class_lines(struct map_page *page);
void map_class_labels(struct map_page *page);
void map_barrier_sample(struct map_page *page, double x, double y, double width);
void map_place_sample(struct map_page *page, double x, double y);

/* map_contours.c: the interval (0 where lines would not help), and the lines with their numbers. */
void map_choose_contours(struct map_page *page);
int map_contours(struct map_page *page, const float *elevation_m, struct error *e);
void map_contour_sample(struct map_page *page, double x, double y, double width);

/* map_locator.c: where in the domain the map is; nothing of a map that shows it all. */
double map_locator_height(const struct map_page *page);
int map_locator(struct map_page *page, double x, double y, struct error *e);

/* map_side.c: colour bar or classes, symbols, scale bar and north arrow. Each draws below y inside
 * [x, x + MAP_SIDE_WIDTH); the first two return the y where they end. */
enum { MAP_SIDE_WIDTH = 340 };
double map_key(struct map_page *page, double x, double y, double bar_height);
double map_symbols(struct map_page *page, double x, double y);
void map_scale_and_north(struct map_page *page, double x, double y);
enum { MAP_SCALE_AND_NORTH_HIGH = 178 };

/* A grid of the same nodes as the map's, for lines on it. */
struct isolines map_isolines(const struct map_page *page, const float *value);

/* Whether anything has this in the given mask of the domain. */
bool map_any(const struct map *m, const unsigned char *mask);

#endif
