/* font.h — lettering by a round pen: the project's own sans-serif stroke font, at any size and
 * angle.
 *
 * Text is UTF-8: printable ASCII, Latin-1 letters, and the signs that measurements need
 * (° ² ³ µ · × ± − – — … ≤ ≥ ’). What is not in the font shows as an empty box. */
#ifndef SCIARA_FONT_H
#define SCIARA_FONT_H

#include "canvas.h"

struct font {
    double size_px; /* height of a capital letter; ascenders and accents reach 1.3 times as high,
                       descenders 0.35 times below the base line */
    double weight;  /* width of the pen over the height of a capital: 0.11 regular, 0.17 bold */
    double angle;   /* of the base line in radians, counter-clockwise */
    double anchor;  /* which part of the text's width lies left of the given point: 0, 0.5, 1 */
};

#define FONT_REGULAR 0.115
#define FONT_BOLD    0.175

/* Width of the text in pixels along its base line. */
double font_width(const struct font *f, const char *text);

/* Adds the text to the canvas's mask; (x, y) lies on the base line. canvas_ink() makes it visible.
 */
void font_draw(struct canvas *c, const struct font *f, double x, double y, const char *text);

/* The same in one move, in colour. */
void font_write(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                const char *text);

/* Text in lines of at most width_px, of which the first stands on y and the others leading_px below
 * each other; what does not fit into most_lines is cut with an ellipsis. Returns the number of
 * lines; c == NULL only counts them. */
int font_paragraph(struct canvas *c, const struct font *f, double x, double y, double width_px,
                   double leading_px, int most_lines, struct rgb colour, const char *text);

/* The first bytes of text that fit into width_px, whole words if possible, whole characters always
 * (at least one if there is any); *next is where the following line starts. */
int font_break(const struct font *f, const char *text, double width_px, const char **next);

#endif
