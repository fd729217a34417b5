/* colours.h — colours for data.
 *
 * The lava scale is a path through OKLCh (B. Ottosson's OKLab in polar form), from a dark red that
 * is nearly black over red and orange to a pale yellow: lightness rises all the way, and equal
 * steps of the value are equal distances in OKLab, so that equal differences look equal, also in
 * grey. */
#ifndef SCIARA_COLOURS_H
#define SCIARA_COLOURS_H

#include "canvas.h"

enum { COLOUR_STEPS = 256 };

struct colour_scale {
    struct rgb step[COLOUR_STEPS];
};

void colours_lava(struct colour_scale *s);
/* The same for times, in other hues: early is dark. */
void colours_time(struct colour_scale *s);

/* t in 0..1; outside, the nearest end. */
static inline struct rgb colours_at(const struct colour_scale *s, double t)
{
    double i = t * (COLOUR_STEPS - 1) + 0.5;
    return s->step[i > 0 ? (i < COLOUR_STEPS - 1 ? (int)i : COLOUR_STEPS - 1) : 0];
}

/* Colours that are easy to tell from each other, also by most people who see red and green alike.
 */
enum { COLOURS_DISTINCT = 6 };
struct rgb colours_distinct(int i); /* i >= 0; repeats after COLOURS_DISTINCT */

/* Lightness of an sRGB colour in OKLab, 0..1. */
double colours_lightness(struct rgb c);

#endif
