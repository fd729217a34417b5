/* canvas.h — a page that is drawn once and becomes a PNG, an SVG or a PDF, by cairo.
 *
 * Lengths are units of 1/200 inch with the origin in the upper left corner of the page, so that a
 * page looks the same at any resolution. Shapes add to the current path of c->cr, which is cairo's
 * and can be drawn to directly; canvas_ink and canvas_stroke then lay one colour on all of it.
 *
 * A canvas without a page shows nothing: functions that draw on it measure what they would draw. One thread at a time may use a canvas; several canvases are
 * independent. */
#pragma once

#include "base/error.h"
#include "record/colours.h"
#include "plain/png_file.h"

#include <cairo.h>
#include <stddef.h>
#include <stdio.h>

enum canvas_format { CANVAS_PNG, CANVAS_SVG, CANVAS_PDF };

enum { CANVAS_DPI = 200 }; /* at which a unit is a pixel */

struct letters; /* font.c */

struct canvas {
    cairo_t *cr;
    enum canvas_format format;
    double width, height; /* in units; 0: no page yet */
    double dpi;           /* of PNG, and of pictures inside the others */
    double zoom;          /* a unit is zoom / 200 inch */
    double scale;         /* pixels per unit */
    struct letters *letters;
    const char *of; /* the digest of what the page shows, in the file; NULL: none */
    char *bytes;    /* of an SVG or PDF as far as it is written */
    size_t size;
    FILE *stream; /* which leads there */
};

/* The format follows from the ending of the path; dpi <= 0: CANVAS_DPI. With a zoom other than 1
 * all that is drawn is as many times as large. ERROR_FAILED: no
 * memory, or no threads for text; *c is all zero. */
int canvas_create(struct canvas *c, const char *path, double dpi, double zoom, struct error *e);
/* Makes the page on which all later drawing shows, white at first. */
int canvas_page(struct canvas *c, double width, double height, struct error *e);
/* Ends the page and writes the file, which appears whole or not at all; errors as of
 * png_file_write. The same page gives the same bytes, but for the names that an SVG
 * gives to its parts. */
int canvas_write(struct canvas *c, const char *path, const char *title, struct error *e);
void canvas_free(struct canvas *c); /* all-zero is fine */

/* v in units, as the nearest place where pixels begin. */
double canvas_snap(const struct canvas *c, double v);

void canvas_clip(struct canvas *c, double x0, double y0, double x1, double y1);
void canvas_unclip(struct canvas *c);

/* Adding to the path. */
void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1);
void canvas_disc(struct canvas *c, double x, double y, double radius);
void canvas_polygon(struct canvas *c, const double (*corner)[2], int n);
void canvas_rectangle(struct canvas *c, double x0, double y0, double x1, double y1);

/* Fills the path, or draws along it with a round pen; alpha in 0..1. The path is empty after it. */
void canvas_ink(struct canvas *c, struct rgb colour, double alpha);
void canvas_stroke(struct canvas *c, double width, struct rgb colour, double alpha);
/* A line on a casing, which is wider. */
void canvas_stroke_cased(struct canvas *c, double casing, struct rgb casing_colour, double alpha,
                         double width, struct rgb colour);
/* A rectangle's edge with square corners; the line lies inside. */
void canvas_frame(struct canvas *c, double x0, double y0, double x1, double y1, double width,
                  struct rgb colour);
/* A picture with `unit` units per pixel and its corner at (x, y); sharp if its pixels are those of
 * the page. */
void canvas_picture(struct canvas *c, cairo_surface_t *picture, double x, double y, double unit);

/* Those of a picture in memory, as long as that lives and nothing draws on it. */
struct png_pixels canvas_pixels(cairo_surface_t *picture);

/* RGB24, cleared to black, or ARGB32, cleared: what is below shows. NULL: no memory, and the error. */
cairo_surface_t *canvas_picture_create(int width, int height, struct error *e);
cairo_surface_t *canvas_overlay_create(int width, int height, struct error *e);
