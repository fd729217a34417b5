/* sheet.h — the page that all diagrams share: title and subtitle above, a note below. */
#pragma once

#include "canvas.h"
#include "colours.h"
#include "font.h"

#include <stdbool.h>

static const struct rgb sheet_black = {25, 25, 28}, sheet_grey = {95, 95, 100},
                        sheet_pale = {224, 225, 229};
static const struct font sheet_text = {19, FONT_REGULAR, 0, 0};

enum { SHEET_MARGIN = 48 };

struct sheet {
    const char *title, *note; /* may be NULL */
    double x, width;          /* of these texts */
    double note_y;            /* where the note begins */
    struct canvas canvas;
};

/* Draws title and subtitle below y; returns the y below them. On a canvas without a page that only
 * measures. */
double sheet_head(struct sheet *s, const char *title, const char *subtitle, double y);

/* Begins the page, which is `width` wide and ends below the note. */
int sheet_page(struct sheet *s, double width, double note_y, struct error *e);
/* Draws the note and writes the file; errors as of canvas_write. */
int sheet_write(struct sheet *s, const char *path, struct error *e);

/* A frame, and round numbers of an axis along it: below it, or left of it and upright, with pale
 * lines across and the axis's title; in about `parts` parts. 0: the bounds are logarithms, and the
 * numbers powers of ten. */
struct sheet_frame {
    double x0, y0, x1, y1;
};
void sheet_axis(struct sheet *s, const struct sheet_frame *f, bool upright, double low, double high,
                double parts, const char *title);
