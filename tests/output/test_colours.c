/* Colours of data: order, contrast, and what people see who do not see red and green apart. */
/* tests: record */
#include "record/bands.h"
#include "record/colours.h"
#include "record/legends.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double linear(int v)
{
    return v <= 10 ? v / 255.0 / 12.92 : pow((v / 255.0 + 0.055) / 1.055, 2.4);
}

struct point {
    double v[3];
};

static struct point times(const double m[3][3], struct point p)
{
    struct point q;
    for (int i = 0; i < 3; i++) q.v[i] = m[i][0] * p.v[0] + m[i][1] * p.v[1] + m[i][2] * p.v[2];
    return q;
}

static struct point light(struct rgb c)
{
    return (struct point){{linear(c.r), linear(c.g), linear(c.b)}};
}

/* B. Ottosson, bottosson.github.io/posts/oklab */
static struct point oklab(struct point p)
{
    static const double cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                       {0.2119034982, 0.6806995451, 0.1073969566},
                                       {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                     {1.9779984951, -2.4285922050, 0.4505937099},
                                     {0.0259040371, 0.7827717662, -0.8086757660}};
    struct point q = times(cones, p);
    for (int i = 0; i < 3; i++) q.v[i] = cbrt(fmax(0, q.v[i]));
    return times(lab, q);
}

/* Machado, Oliveira and Fernandes 2009, severity 1 */
static const double deuteranope[3][3] = {{0.367322, 0.860646, -0.227968},
                                         {0.280085, 0.672501, 0.047413},
                                         {-0.011820, 0.042940, 0.968881}};
static const double protanope[3][3] = {{0.152286, 1.052583, -0.204868},
                                       {0.114503, 0.786281, 0.099216},
                                       {-0.003882, -0.048116, 1.051998}};

static double lightness(struct rgb c)
{
    return oklab(light(c)).v[0];
}

/* WCAG 2.1 */
static double luminance(struct rgb c)
{
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

static double contrast(double a, double b)
{
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static double apart(struct rgb a, struct rgb b, const double seen[3][3])
{
    struct point p = light(a), q = light(b);
    if (seen) p = times(seen, p), q = times(seen, q);
    p = oklab(p), q = oklab(q);
    return hypot(hypot(p.v[0] - q.v[0], p.v[1] - q.v[1]), p.v[2] - q.v[2]);
}

static void scales_are_even(void **state)
{
    struct colour_scale s;
    for (int k = 0; k < COLOURS_SCALES; k++) {
        colours_fill(&s, (enum colours)k);
        const double up = k == COLOURS_LAVA ? -1 : 1;
        for (int i = 1; i < COLOUR_STEPS; i++)
            assert_true(up * (lightness(s.step[i]) - lightness(s.step[i - 1])) > -1e-3);
        for (int i = 16; i < COLOUR_STEPS && k != COLOURS_TIME; i += 16) {
            const double rise = up * (lightness(s.step[i]) - lightness(s.step[i - 16]));
            assert_true(rise > 0.02 && rise < 0.08);
        }
        const double low[] = {(double)NAN, -1, -1e300}, high[] = {1, 2, 1e300};
        for (int i = 0; i < 3; i++) {
            const struct rgb a = colours_at(&s, low[i]), b = colours_at(&s, high[i]);
            assert_memory_equal(&a, &s.step[0], 3);
            assert_memory_equal(&b, &s.step[COLOUR_STEPS - 1], 3);
        }
    }
}

/* Hot lava glows as thin lava does: the same colours, the other way round. */
static void thin_lava_is_pale_and_thick_is_dark(void **state)
{
    struct colour_scale lava, heat;
    colours_fill(&lava, COLOURS_LAVA);
    colours_fill(&heat, COLOURS_HEAT);
    assert_true(lightness(lava.step[0]) > 0.9 && lightness(lava.step[COLOUR_STEPS - 1]) < 0.3);
    for (int i = 0; i < COLOUR_STEPS; i++)
        assert_true(apart(lava.step[i], heat.step[COLOUR_STEPS - 1 - i], NULL) < 0.01);
    assert_memory_equal(&lava.step[0], &heat.step[COLOUR_STEPS - 1], 3); /* to both ends */
    assert_memory_equal(&lava.step[COLOUR_STEPS - 1], &heat.step[0], 3);
    /* even the palest has colour, which the grey relief below it does not have */
    const struct point pale = oklab(light(lava.step[0]));
    assert_true(hypot(pale.v[1], pale.v[2]) > 0.08);
}

/* Bands of arrival, however many: equally far apart in lightness from the first colour to the last. */
static void bands_are_even(void **state)
{
    struct colour_scale s;
    float h[24];
    int most = 0;
    colours_fill(&s, COLOURS_TIME);
    const double rise = lightness(s.step[COLOUR_STEPS - 1]) - lightness(s.step[0]);
    for (int bands = 2; bands <= 8; bands++) {
        struct error e = {0};
        struct bands b;
        for (int i = 0; i < 24; i++) h[i] = (float)(1 + i % bands);
        const struct isochrones_input in = {
            .arrival_h = h, .rows = 4, .cols = 6, .geo.cell_m = 10, .step_h = 1};
        assert_int_equal(bands_create(&b, &in, "", &e), 0);
        const int count = b.lines.count;
        assert_memory_equal(&b.class[0].rgb, &s.step[0], 3);
        assert_memory_equal(&b.class[count - 1].rgb, &s.step[COLOUR_STEPS - 1], 3);
        for (int i = 1; i < count; i++) {
            const double step = lightness(b.class[i].rgb) - lightness(b.class[i - 1].rgb);
            assert_true(step > 0.7 * rise / (count - 1) && step < 1.4 * rise / (count - 1));
        }
        most = count > most ? count : most;
        bands_free(&b);
    }
    assert_true(most > 3);
}

static void outline_is_seen_on_everything(void **state)
{
    const double line = luminance(colours_outline), white = 1;
    struct colour_scale s;
    double least = 99;
    assert_true(contrast(line, white) > 3);
    for (int k = 0; k < COLOURS_SCALES; k++) {
        colours_fill(&s, (enum colours)k);
        for (int i = 0; i < COLOUR_STEPS; i++) {
            const double lava = luminance(s.step[i]);
            least = fmin(least, fmax(contrast(line, lava), contrast(white, lava)));
        }
    }
    for (int grey = 0; grey < 256; grey++) /* and on relief in light and shadow */
        least = fmin(least, fmax(contrast(line, linear(grey)), contrast(white, linear(grey))));
    assert_true(least >= 3);
}

static void kinds_are_apart_for_the_colour_blind(void **state)
{
    for (int i = 0; i < COLOURS_DISTINCT; i++)
        for (int k = 0; k < i; k++) {
            const struct rgb a = colours_distinct(i), b = colours_distinct(k);
            assert_true(apart(a, b, NULL) >= 0.1);
            assert_true(apart(a, b, deuteranope) >= 0.1);
            assert_true(apart(a, b, protanope) >= 0.08);
        }
    const struct rgb red = {200, 90, 60}, green = {122, 127, 55}; /* which are alike to them */
    assert_true(apart(red, green, NULL) > 0.15 && apart(red, green, deuteranope) < 0.1);
}

/* Those of one list in the source of the page, from its name to its end. */
static void list_is_apart(const char *source, const char *name)
{
    struct rgb of[16];
    int count = 0;
    const char *at = strstr(source, name), *end = at ? strstr(at, "];") : NULL;
    while (end && (at = strchr(at, '#')) && at < end && count < 16) {
        unsigned r, g, b;
        assert_int_equal(sscanf(at++, "#%2x%2x%2x", &r, &g, &b), 3);
        of[count++] = (struct rgb){(uint8_t)r, (uint8_t)g, (uint8_t)b};
    }
    assert_int_equal(count, 5);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            assert_true(apart(of[i], of[k], NULL) >= 0.1);
            assert_true(apart(of[i], of[k], deuteranope) >= 0.1);
            assert_true(apart(of[i], of[k], protanope) >= 0.08);
        }
}

static void differences_are_apart_for_the_colour_blind(void **state)
{
    char source[8192] = "";
    FILE *f = fopen("src/show/page/serve_compare.js", "r");
    assert_non_null(f);
    source[fread(source, 1, sizeof source - 1, f)] = '\0';
    fclose(f);
    list_is_apart(source, "CHANGE = ");
}

/* The smallest distance of two colours, as seen with both kinds of colour blindness and with neither. */
static double least_apart(struct rgb a, struct rgb b)
{
    return fmin(apart(a, b, NULL), fmin(apart(a, b, deuteranope), apart(a, b, protanope)));
}

/* A class of a legend is told from each other by its colour, and darker is more. */
static void classes_are_apart_for_the_colour_blind(void **state)
{
    const struct {
        const struct map_class *of;
        int count, palest;
        double least;
    } legend[] = {{legend_probability, LEGEND_PROBABILITY, 0, 0.045},
                  {legend_hazard, LEGEND_HAZARD, 0, 0.08},
                  {legend_change, LEGEND_CHANGE, LEGEND_CHANGE / 2, 0.07}};
    for (size_t l = 0; l < sizeof legend / sizeof *legend; l++)
        for (int i = 1; i < legend[l].count; i++) {
            const struct map_class *c = legend[l].of;
            const double rise = lightness(c[i].rgb) - lightness(c[i - 1].rgb);
            assert_true(i <= legend[l].palest ? rise > 0 : rise < 0);
            for (int k = 0; k < i; k++)
                assert_true(least_apart(c[i].rgb, c[k].rgb) >= legend[l].least);
        }
    for (int less = 0; less < LEGEND_CHANGE / 2; less++)
        for (int more = LEGEND_CHANGE / 2 + 1; more < LEGEND_CHANGE; more++)
            assert_true(least_apart(legend_change[less].rgb, legend_change[more].rgb) >= 0.1);
}

static void colours_have_names_of_the_web(void **state)
{
    char text[8];
    assert_string_equal(colours_text(text, (struct rgb){0, 60, 168}), "#003ca8");
}

int main(void)
{
    return UNIT_RUN(scales_are_even, thin_lava_is_pale_and_thick_is_dark, bands_are_even,
                    outline_is_seen_on_everything, kinds_are_apart_for_the_colour_blind,
                    differences_are_apart_for_the_colour_blind,
                    classes_are_apart_for_the_colour_blind, colours_have_names_of_the_web);
}
