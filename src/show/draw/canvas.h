/* canvas.h — a page that is drawn once and becomes a PNG, an SVG or a PDF, by cairo.
 *
 * Lengths are in units of 1/200 inch, so a page looks the same at any resolution. The origin is the upper left corner of
 * the page. Shapes add to the current path of c->cr; canvas_ink() and canvas_stroke() then give the whole path one
 * colour. The caller may also draw to c->cr by functions of cairo.
 *
 * A canvas without a page shows nothing, but its functions measure. One thread at a time may use a canvas; several
 * canvases are independent. */
#pragma once

#include "base/error.h"
#include "record/colours.h"
#include "plain/png_file.h"

#include <cairo.h>
#include <stddef.h>
#include <stdio.h>

enum canvas_format { CANVAS_PNG, CANVAS_SVG, CANVAS_PDF };

enum { CANVAS_DPI = 200 }; /* the resolution at which a unit is a pixel */

/* The colours of words and frames. */
static const struct rgb canvas_black = {25, 25, 28}, canvas_grey = {95, 95, 100},
                        canvas_white = {255, 255, 255}, canvas_alarm = {190, 0, 24};

struct letters; /* font.c */

struct canvas {
    cairo_t *cr;
    enum canvas_format format;
    double width, height; /* size of the page in units; 0: no page yet */
    double dpi;           /* resolution of a PNG, and of pictures inside an SVG or PDF */
    double zoom;          /* magnification: a unit becomes zoom / 200 inch */
    double scale;         /* pixels per unit */
    struct letters *letters;
    const char *of; /* digest of the shown results, written into the file; NULL: none */
    char *bytes;    /* the SVG or PDF written so far */
    size_t size;
    FILE *stream; /* writes to `bytes` */
};

/* The ending of the path decides the format; dpi <= 0: CANVAS_DPI. zoom magnifies all that is drawn. ERROR_FAILED: no
 * memory, or no threads for text; then *c is all zero. */
int canvas_create(struct canvas *c, const char *path, double dpi, double zoom, struct error *e);
/* Begins the page, which is white. A canvas has only one page. */
int canvas_page(struct canvas *c, double width, double height, struct error *e);
/* Ends the page and writes the file, whole or not at all. ERROR_FAILED or ERROR_INPUT: the file cannot be written.
 * Equal pages give equal bytes, except for the ids inside an SVG. */
int canvas_write(struct canvas *c, const char *path, const char *title, struct error *e);
void canvas_free(struct canvas *c); /* all-zero is fine */

/* Returns v, in units, moved to the nearest edge of a pixel. */
double canvas_snap(const struct canvas *c, double v);

void canvas_clip(struct canvas *c, double x0, double y0, double x1, double y1);
void canvas_unclip(struct canvas *c);

/* Add shapes to the path. */
void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1);
void canvas_disc(struct canvas *c, double x, double y, double radius);
void canvas_polygon(struct canvas *c, const double (*corner)[2], int n);
void canvas_rectangle(struct canvas *c, double x0, double y0, double x1, double y1);

/* canvas_ink() fills the path, canvas_stroke() draws along it with a round pen. alpha: 0 to 1. Both functions empty the
 * path. */
void canvas_ink(struct canvas *c, struct rgb colour, double alpha);
void canvas_stroke(struct canvas *c, double width, struct rgb colour, double alpha);
/* Draws along the path twice: a casing, and on it a narrower line. */
void canvas_stroke_cased(struct canvas *c, double casing, struct rgb casing_colour, double alpha,
                         double width, struct rgb colour);
/* Draws the edge of a rectangle with square corners. The line is inside the rectangle. */
void canvas_frame(struct canvas *c, double x0, double y0, double x1, double y1, double width,
                  struct rgb colour);
/* Shows a picture with `unit` units per pixel and its upper left corner at (x, y). The picture is sharp if its pixels are
 * as large as the pixels of the page. */
void canvas_picture(struct canvas *c, cairo_surface_t *picture, double x, double y, double unit);

/* The pixels of a picture in memory. The result is valid until the picture is freed or changed. */
struct png_pixels canvas_pixels(cairo_surface_t *picture);

/* A new picture: all black in CAIRO_FORMAT_RGB24, all transparent in CAIRO_FORMAT_ARGB32. On an error returns NULL and
 * sets *e. */
cairo_surface_t *canvas_picture_create(cairo_format_t format, int width, int height,
                                       struct error *e);
