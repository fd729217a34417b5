/* font.h — text on a canvas, by pango: UTF-8 in any language for which this machine has letters.
 *
 * Text is as it may come from a file: what is not UTF-8, and characters that control a terminal or
 * a page, are replaced, and no character means anything but itself. */
#ifndef SCIARA_FONT_H
#define SCIARA_FONT_H

#include "canvas.h"

enum { FONT_REGULAR, FONT_BOLD };

struct font {
    double size;   /* height of a capital letter, in units */
    int weight;    /* FONT_REGULAR, FONT_BOLD */
    double angle;  /* of the base line in radians, counter-clockwise */
    double anchor; /* which part of the text's width lies left of the given point: 0, 0.5, 1 */
};

/* Width of the text along its base line. */
double font_width(const struct canvas *c, const struct font *f, const char *text);

/* Writes the text; (x, y) lies on the base line. */
void font_write(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                const char *text);
/* The same with an edge of white around the letters, which keeps them legible on any ground. */
void font_write_clear(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                      const char *text);

/* The same as a shape on a picture of its own, whose units are those of cr. */
void font_picture(const struct canvas *c, cairo_t *cr, const struct font *f, double x, double y,
                  struct rgb colour, double alpha, const char *text);

/* Text in lines of at most `width`, of which the first stands on y and the others `leading` below
 * each other; what does not fit into most_lines is cut with an ellipsis. Returns the number of
 * lines, 0 for an empty text. */
int font_paragraph(struct canvas *c, const struct font *f, double x, double y, double width,
                   double leading, int most_lines, struct rgb colour, const char *text);

/* Whether pictures can show a text: if not, the reason and a remedy, malloc'ed; NULL: they can.
 * Where a machine has no font at all, pictures have no text. */
char *font_complaint(const char *text);

#endif
