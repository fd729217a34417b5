/* font.h — text on a canvas, by pango: UTF-8 in any language for which this machine has letters.
 *
 * Text may come from a file. Bytes that are not UTF-8, and characters that control a terminal or a page, are replaced. No
 * character has a special meaning. NULL is an empty text. */
#pragma once

#include "canvas.h"

#include <stdbool.h>

enum { FONT_REGULAR, FONT_BOLD };

struct font {
    double size;   /* height of a capital letter, in units */
    int weight;    /* FONT_REGULAR, FONT_BOLD */
    double angle;  /* angle of the base line in radians, counter-clockwise */
    double anchor; /* part of the text's width to the left of the given point: 0, 0.5 or 1 */
};

/* Looks for the fonts of this machine. Without this call the first text of a process waits for the search. */
void font_prepare(void);
/* Looks for the letters of several fonts at once. This is faster than a search for each text. */
void font_find(struct canvas *c, const struct font *f, int count);

/* Width of the text along its base line. */
double font_width(const struct canvas *c, const struct font *f, const char *text);

/* Writes the text; (x, y) is on the base line. */
void font_write(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                const char *text);
/* Writes the text as font_write() does, with a white edge around the letters, so they are legible on any ground. */
void font_write_clear(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                      const char *text);

/* Writes the text as a shape on another picture; x and y are in the units of cr. */
void font_picture(const struct canvas *c, cairo_t *cr, const struct font *f, double x, double y,
                  struct rgb colour, double alpha, const char *text);

/* Writes text in lines of at most `width`. The first base line is at y, and each line is `leading` below the previous
 * line. An ellipsis replaces text that does not fit into most_lines. Returns the number of lines, 0 for an empty text. */
int font_paragraph(struct canvas *c, const struct font *f, double x, double y, double width,
                   double leading, int most_lines, struct rgb colour, const char *text);

/* The reason why pictures cannot show a text, and a remedy, malloc'ed; NULL: they can show it. On a machine without any
 * font pictures have no text. */
char *font_complaint(const char *text);

/* ---- for canvas.c ---------------------------------------------------------------------------- */

/* apart: text is not drawn, but collected for letters_put(). ERROR_FAILED: no memory, or the system refuses the threads that
 * pango needs; *l is NULL. */
int letters_create(struct letters **l, bool apart, struct error *e);
/* Checks that all text was drawn. ERROR_FAILED: some text is missing, because the system refused threads. */
int letters_complete(const struct letters *l, struct error *e);
void letters_free(struct letters *l); /* NULL is fine */

/* Drops all text collected so far. Called when a page begins. */
void letters_begin(struct letters *l);
/* Writes all collected text as text elements of SVG. */
void letters_put(struct letters *l, FILE *out, double points_per_unit);

/* A printable copy of a text: UTF-8 without control characters, at most as long as a title; malloc'ed. NULL: out of
 * memory. */
char *letters_clean(const char *text);
