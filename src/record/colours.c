/* build: optimized */
#include "colours.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* OKLab <-> linear sRGB as published by its author (bottosson.github.io/posts/oklab). */
struct lab {
    double L, a, b;
};

static void to_linear(struct lab c, double rgb[3])
{
    double l = c.L + 0.3963377774 * c.a + 0.2158037573 * c.b;
    double m = c.L - 0.1055613458 * c.a - 0.0638541728 * c.b;
    double s = c.L - 0.0894841775 * c.a - 1.2914855480 * c.b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool displayable(struct lab c)
{
    double rgb[3];
    to_linear(c, rgb);
    for (int i = 0; i < 3; i++)
        if (!(rgb[i] >= 0 && rgb[i] <= 1)) return false;
    return true;
}

/* The colour of this lightness and hue with the largest chroma that a screen can show, at most `chroma`. */
static struct lab colourful(double L, double chroma, double hue_degrees)
{
    double c = cos(hue_degrees * acos(-1.0) / 180), s = sin(hue_degrees * acos(-1.0) / 180);
    double lo = 0, hi = chroma;
    for (int i = 0; i < 40 && !displayable((struct lab){L, hi * c, hi * s}); i++) {
        double middle = (lo + hi) / 2;
        if (displayable((struct lab){L, middle * c, middle * s})) lo = middle;
        else hi = middle;
        if (hi - lo < 1e-9) hi = lo;
    }
    return (struct lab){L, hi * c, hi * s};
}

/* Returns the colour of COLOURS_HEAT at t, from 0 to 1. The hue changes slowly in the reds and faster towards yellow,
 * like the glow of hot bodies. Chroma is greatest in the middle. The palest yellow has enough chroma to differ from
 * grey relief. */
static struct lab heat_path(double t)
{
    double L = 0.27 + 0.66 * t, hue = 26 + 4 * t + 70 * t * t * t;
    double chroma = 0.12 + 0.12 * sin(acos(-1.0) * pow(t, 0.9)) + 0.01 * t;
    return colourful(L, 0.94 * chroma, hue);
}

static struct lab lava_path(double t)
{
    return heat_path(1 - t);
}

static unsigned char byte(double linear)
{
    const double v = fmin(1, fmax(0, linear));
    return (unsigned char)(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055) +
                           0.5);
}

static struct lab time_path(double t)
{
    return colourful(0.30 + 0.60 * t, 0.10 + 0.05 * t, 305 - 200 * t);
}

void colours_fill(struct colour_scale *scale, enum colours which)
{
    static struct lab (*const paths[COLOURS_SCALES])(double) = {
        [COLOURS_LAVA] = lava_path, [COLOURS_HEAT] = heat_path, [COLOURS_TIME] = time_path};
    enum { FINE = 1024 };
    struct lab path[FINE + 1];
    double along[FINE + 1] = {0};
    for (int i = 0; i <= FINE; i++) {
        path[i] = paths[which]((double)i / FINE);
        if (!i) continue;
        double dL = path[i].L - path[i - 1].L, da = path[i].a - path[i - 1].a,
               db = path[i].b - path[i - 1].b;
        along[i] = along[i - 1] + sqrt(dL * dL + da * da + db * db);
    }
    for (int k = 0, i = 0; k < COLOUR_STEPS; k++) {
        double rgb[3], distance = along[FINE] * k / (COLOUR_STEPS - 1);
        while (i < FINE && along[i] < distance) i++;
        to_linear(path[i], rgb);
        scale->step[k] = (struct rgb){byte(rgb[0]), byte(rgb[1]), byte(rgb[2])};
    }
}

struct rgb colours_distinct(int i)
{
    static const struct rgb set[COLOURS_DISTINCT] = {
        {42, 83, 153},  {204, 106, 16}, {52, 147, 117}, {155, 35, 106}, {126, 98, 190},
        {97, 191, 248}, {226, 157, 56}, {133, 82, 3},   {163, 163, 163}};
    return set[i % COLOURS_DISTINCT];
}

char *colours_text(char out[8], struct rgb c)
{
    snprintf(out, 8, "#%02x%02x%02x", c.r, c.g, c.b);
    return out;
}
