/* font.h — text on a canvas, by pango: UTF-8 in any language for which this machine has letters.
 *
 * Text may come from a file: what is not UTF-8, and characters that control a terminal or a page,
 * are replaced, and no character has a special meaning. NULL is an empty text. */
#pragma once

#include "canvas.h"

#include <stdbool.h>

enum { FONT_REGULAR, FONT_BOLD };

struct font {
    double size;   /* height of a capital letter, in units */
    int weight;    /* FONT_REGULAR, FONT_BOLD */
    double angle;  /* angle of the base line in radians, counter-clockwise */
    double anchor; /* which part of the text's width lies left of the given point: 0, 0.5, 1 */
};

/* Looks for the fonts of this machine, which takes longest for the first text of a process. */
void font_prepare(void);
/* Looks for the letters of several fonts at once, which is faster than when each text looks for its own. */
void font_find(struct canvas *c, const struct font *f, int count);

/* Width of the text along its base line. */
double font_width(const struct canvas *c, const struct font *f, const char *text);

/* Writes the text; (x, y) lies on the base line. */
void font_write(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                const char *text);
/* font_write() with an edge of white around the letters, which keeps them legible on any ground. */
void font_write_clear(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                      const char *text);

/* Writes the text as a shape on another picture; x and y are in the units of cr. */
void font_picture(const struct canvas *c, cairo_t *cr, const struct font *f, double x, double y,
                  struct rgb colour, double alpha, const char *text);

/* Writes text in lines of at most `width`. The first stands on y, each further one `leading` below; what does not fit into
 * most_lines is replaced by an ellipsis. Returns the number of lines, 0 for an empty text. */
int font_paragraph(struct canvas *c, const struct font *f, double x, double y, double width,
                   double leading, int most_lines, struct rgb colour, const char *text);

/* Why pictures cannot show a text, and a remedy, malloc'ed; NULL: they can. On a machine without any font pictures have no
 * text. */
char *font_complaint(const char *text);

/* ---- for canvas.c ---------------------------------------------------------------------------- */

/* apart: text is not drawn, but collected for letters_put(). ERROR_FAILED: no memory, or the system refuses the threads that
 * pango needs; *l is NULL. */
int letters_create(struct letters **l, bool apart, struct error *e);
/* ERROR_FAILED: some text is missing, because threads were refused later. */
int letters_complete(const struct letters *l, struct error *e);
void letters_free(struct letters *l); /* NULL is fine */

/* Drops all text collected so far, because a page begins. */
void letters_begin(struct letters *l);
/* Writes all text collected as text elements of SVG. */
void letters_put(struct letters *l, FILE *out, double points_per_unit);

/* A copy of a text that anything can show: UTF-8 without control characters, no longer than a title may be; malloc'ed.
 * NULL: no memory. */
char *letters_clean(const char *text);
