/* canvas.h — an RGB picture in memory and a pen with smooth edges.
 *
 * A shape is made in two moves: segments, discs, polygons and text add to a mask of coverage (where
 * they overlap the larger coverage counts, so that joints and crossings never show), and canvas_ink
 * then lays one colour through the mask and clears it. Coordinates are pixels with the origin in
 * the upper left corner of the picture; pixel (x, y) covers [x, x+1) by [y, y+1). Nothing is ever
 * drawn outside the clip rectangle; coordinates may lie anywhere. */
#ifndef SCIARA_CANVAS_H
#define SCIARA_CANVAS_H

#include "base/error.h"

#include <stddef.h>

struct rgb {
    unsigned char r, g, b;
};

struct box {
    int x0, y0, x1, y1; /* x1, y1 outside */
};

struct canvas {
    int width, height;
    unsigned char *pixel; /* height * width * 3 */
    unsigned char *mask;  /* height * width: coverage of the shape being drawn, 0..255 */
    struct box clip;
    struct box dirty; /* where the mask may be other than 0 */
};

/* A white picture. ERROR_FAILED if there is no memory; *c is all zero then. */
int canvas_create(struct canvas *c, int width, int height, struct error *e);
void canvas_free(struct canvas *c); /* all-zero is fine */

void canvas_clip(struct canvas *c, int x0, int y0, int x1, int y1);
void canvas_unclip(struct canvas *c);

/* Adding to the mask. Pens are round; width_px is the full width of the line. */
void canvas_segment(struct canvas *c, double x0, double y0, double x1, double y1, double width_px);
void canvas_disc(struct canvas *c, double x, double y, double radius_px);
/* Closed polygon of n corners, inside by the even-odd rule. */
void canvas_polygon(struct canvas *c, const double (*corner)[2], int n);
void canvas_rectangle(struct canvas *c, double x0, double y0, double x1, double y1);
/* The edge of a rectangle with corners that are square outside; the line lies inside. */
void canvas_frame(struct canvas *c, double x0, double y0, double x1, double y1, double width_px);

/* Lays colour through the mask with alpha in 0..1, and clears the mask. */
void canvas_ink(struct canvas *c, struct rgb colour, double alpha);

static inline unsigned char *canvas_at(const struct canvas *c, int x, int y)
{
    return c->pixel + 3 * ((size_t)y * c->width + x);
}

#endif
