/* colours.h — the colours of data, everywhere: maps, globes, QGIS, diagrams and the page.
 *
 * Each scale is a path through OKLCh (B. Ottosson's OKLab in polar form). Lightness falls or rises
 * all along it, and equal steps of the value are equal distances in OKLab: equal differences look
 * equal, in grey too. tests/output/test_draw.c computes contrasts and what the colour-blind see. */
#pragma once

struct rgb {
    unsigned char r, g, b;
};

enum { COLOUR_STEPS = 256 };

struct colour_scale {
    struct rgb step[COLOUR_STEPS];
};

enum colours {
    COLOURS_LAVA, /* thickness: pale yellow for thin over orange to a dark red for thick lava */
    COLOURS_HEAT, /* temperature: the same colours, and hot is pale */
    COLOURS_TIME, /* from violet over blue and green to yellow: early is dark */
    COLOURS_SCALES
};
void colours_fill(struct colour_scale *s, enum colours which);

/* t in 0..1; beyond that, the colour of the nearest end. */
static inline struct rgb colours_at(const struct colour_scale *s, double t)
{
    double i = t * (COLOUR_STEPS - 1) + 0.5;
    return s->step[i > 0 ? (i < COLOUR_STEPS - 1 ? (int)i : COLOUR_STEPS - 1) : 0];
}

/* Colours of kinds, which the colour-blind distinguish too; the last is grey. */
enum { COLOURS_DISTINCT = 9 };
struct rgb colours_distinct(int i); /* i >= 0; repeats after COLOURS_DISTINCT */

/* The observed outline: a line in this colour on a white, wider one. One of the two has a contrast
 * of at least 3 : 1 on every colour of lava. */
static const struct rgb colours_outline = {0, 60, 168};

/* The colours of sea, and of cells without known terrain. */
static const struct rgb colours_sea = {211, 227, 238}, colours_missing = {226, 228, 232};

/* Places of interest, which may lie on lava. */
static const struct rgb colours_place = {0, 122, 110};

/* Writes a colour as the web does, "#003ca8". Returns out. */
char *colours_text(char out[8], struct rgb c);
