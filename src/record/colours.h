/* colours.h — the colours of data on maps, on globes, in QGIS, in diagrams and on the page.
 *
 * Each scale is a path through OKLCh (B. Ottosson's OKLab in polar form). Lightness only falls or only rises along the
 * path. Equal steps of the value are equal distances in OKLab, so equal differences look equal, also in grey.
 * tests/output/test_draw.c computes contrasts and the colours that the colour-blind see. */
#pragma once

struct rgb {
    unsigned char r, g, b;
};

enum { COLOUR_STEPS = 256 };

struct colour_scale {
    struct rgb step[COLOUR_STEPS];
};

enum colours {
    COLOURS_LAVA, /* thickness: from pale yellow (thin) through orange to dark red (thick) */
    COLOURS_HEAT, /* temperature: COLOURS_LAVA in reverse, so hot is pale */
    COLOURS_TIME, /* time: from violet (early) through blue and green to yellow */
    COLOURS_SCALES
};
void colours_fill(struct colour_scale *s, enum colours which);

/* The colour at t, from 0 to 1. A value outside this range gets the colour of the nearest end. */
static inline struct rgb colours_at(const struct colour_scale *s, double t)
{
    double i = t * (COLOUR_STEPS - 1) + 0.5;
    return s->step[i > 0 ? (i < COLOUR_STEPS - 1 ? (int)i : COLOUR_STEPS - 1) : 0];
}

/* Colours of different lines, bars or groups, which the colour-blind can distinguish, too. The last colour is grey. */
enum { COLOURS_DISTINCT = 9 };
struct rgb colours_distinct(int i); /* i >= 0; repeats after COLOURS_DISTINCT */

/* The observed outline is a line of this colour on a wider white line. On every colour of lava, one of the two lines has a
 * contrast of at least 3 : 1. */
static const struct rgb colours_outline = {0, 60, 168};

/* The colours of sea, and of cells without known terrain. */
static const struct rgb colours_sea = {211, 227, 238}, colours_missing = {226, 228, 232};

/* The colour of places of interest. */
static const struct rgb colours_place = {0, 122, 110};

/* Writes a colour as the web does, "#003ca8". Returns out. */
char *colours_text(char out[8], struct rgb c);
