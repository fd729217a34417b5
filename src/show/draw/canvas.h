/* canvas.h — a page that is drawn once and becomes a PNG, an SVG or a PDF, by cairo.
 *
 * Lengths are units of 1/200 inch with the origin in the upper left corner of the page, so that a
 * page looks the same at any resolution. Shapes add to the current path of c->cr, which is cairo's
 * and can be drawn to directly; canvas_ink and canvas_stroke then lay one colour on all of it.
 *
 * A canvas without a page shows nothing: functions that draw on it measure what they would draw. One thread at a time may use
 * a canvas; several canvases are independent. */
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
    double dpi;           /* of a PNG, and of pictures inside an SVG or PDF */
    double zoom;          /* a unit is zoom / 200 inch */
    double scale;         /* pixels per unit */
    struct letters *letters;
    const char *of; /* digest of what the page shows, which the file keeps; NULL: none */
    char *bytes;    /* the SVG or PDF written so far */
    size_t size;
    FILE *stream; /* writes to `bytes` */
};

/* The ending of the path decides the format; dpi <= 0: CANVAS_DPI. zoom magnifies all that is drawn. ERROR_FAILED: no
 * memory, or no threads for text; *c is all zero. */
int canvas_create(struct canvas *c, const char *path, double dpi, double zoom, struct error *e);
/* Begins the only page, white; all later drawing shows on it. */
int canvas_page(struct canvas *c, double width, double height, struct error *e);
/* Ends the page and writes the file, whole or not at all; errors as in png_file_write(). Equal pages give equal bytes, but
 * for the names inside an SVG. */
int canvas_write(struct canvas *c, const char *path, const char *title, struct error *e);
void canvas_free(struct canvas *c); /* all-zero is fine */

/* v in units, moved to the nearest edge of a pixel. */
double canvas_snap(const struct canvas *c, double v);

void canvas_clip(struct canvas *c, double x0, double y0, double x1, double y1);
void canvas_unclip(struct canvas *c);

/* Add to the path. */
void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1);
void canvas_disc(struct canvas *c, double x, double y, double radius);
void canvas_polygon(struct canvas *c, const double (*corner)[2], int n);
void canvas_rectangle(struct canvas *c, double x0, double y0, double x1, double y1);

/* canvas_ink() fills the path, canvas_stroke() draws along it with a round pen; alpha in 0..1. Both empty the path. */
void canvas_ink(struct canvas *c, struct rgb colour, double alpha);
void canvas_stroke(struct canvas *c, double width, struct rgb colour, double alpha);
/* Draws along the path twice: a casing, and on it a narrower line. */
void canvas_stroke_cased(struct canvas *c, double casing, struct rgb casing_colour, double alpha,
                         double width, struct rgb colour);
/* Draws the edge of a rectangle with square corners; the line lies inside. */
void canvas_frame(struct canvas *c, double x0, double y0, double x1, double y1, double width,
                  struct rgb colour);
/* Shows a picture with `unit` units per pixel and its corner at (x, y). It is sharp if its pixels are as large as those of
 * the page. */
void canvas_picture(struct canvas *c, cairo_surface_t *picture, double x, double y, double unit);

/* The pixels of a picture in memory, valid as long as it lives and nothing is drawn on it. */
struct png_pixels canvas_pixels(cairo_surface_t *picture);

/* A new picture: all black in CAIRO_FORMAT_RGB24, all transparent in CAIRO_FORMAT_ARGB32. NULL: no memory, and *e is set. */
cairo_surface_t *canvas_picture_create(cairo_format_t format, int width, int height,
                                       struct error *e);
