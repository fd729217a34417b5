/* Letters, colours, round numbers and charts. */
#include "draw/chart.h"
#include "draw/colours.h"
#include "draw/font.h"
#include "draw/roundnum.h"

#include <math.h>
#include <stdbool.h>

#include "picture.h"

static void lava_scale_rises_evenly(void **state)
{
    (void)state;
    struct colour_scale s;
    colours_lava(&s);
    for (int i = 1; i < COLOUR_STEPS; i++)
        assert_true(colours_lightness(s.step[i]) > colours_lightness(s.step[i - 1]) - 1e-3);
    for (int i = 16; i < COLOUR_STEPS; i += 16) {
        double rise = colours_lightness(s.step[i]) - colours_lightness(s.step[i - 16]);
        assert_true(rise > 0.02 && rise < 0.08);
    }
    assert_true(colours_lightness(s.step[0]) < 0.3);
    assert_true(colours_lightness(s.step[COLOUR_STEPS - 1]) > 0.9);
    const double low[] = {(double)NAN, -1, -1e300}, high[] = {1, 2, 1e300};
    for (int i = 0; i < 3; i++) {
        const struct rgb a = colours_at(&s, low[i]), b = colours_at(&s, high[i]);
        assert_memory_equal(&a, &s.step[0], 3);
        assert_memory_equal(&b, &s.step[COLOUR_STEPS - 1], 3);
    }
}

static void text_has_its_width(void **state)
{
    (void)state;
    const struct font f = {40, FONT_REGULAR, 0, 0}, g = {20, FONT_REGULAR, 0, 0};
    const char *next, *text = "lava flows far", *strange = "\xE4\xB8\x96\xFF\xC3 \xC3\xA9";
    struct error e = {0};
    struct canvas c;
    assert_true(fabs(font_width(&f, text) - 2 * font_width(&g, text)) < 1e-9);
    assert_true(font_width(&f, "1111") == font_width(&f, "8888")); /* columns of numbers line up */
    assert_true(font_width(&f, "") == 0);
    assert_int_equal(font_break(&f, text, font_width(&f, "lava flows f"), &next), 10);
    assert_string_equal(next, "far");
    assert_int_equal(font_break(&f, text, 1, &next), 1);
    assert_int_equal(font_break(&f, text, 1e6, &next), 14);

    assert_int_equal(canvas_create(&c, 700, 90, &e), 0);
    for (char ch = '!'; ch <= '~'; ch++) { /* every sign leaves ink, inside its height and width */
        char one[2] = {ch, 0};
        font_draw(&c, &f, 300, 60, one);
        assert_true(c.dirty.x0 < c.dirty.x1);
        int ink = 0;
        for (int i = 0; i < 700 * 90; i++) ink += c.mask[i] > 200;
        assert_true(ink > 5);
        assert_true(c.dirty.x0 > 290 && c.dirty.x1 < 310 + font_width(&f, one));
        assert_true(c.dirty.y0 > 8 && c.dirty.y1 < 78);
        canvas_ink(&c, (struct rgb){0, 0, 0}, 1);
    }
    font_write(&c, &f, 10, 60, (struct rgb){0, 0, 0}, strange); /* broken UTF-8 is drawn as boxes */
    font_write(&c, &f, -1e9, 60, (struct rgb){0, 0, 0}, text);  /* far outside is nothing */
    canvas_free(&c);
}

static void numbers_are_round(void **state)
{
    (void)state;
    char t[32];
    for (double v = 1e-6; v < 1e9; v *= 1.37) {
        double up = roundnum_above(v), down = roundnum_below(v);
        assert_true(up >= v * (1 - 1e-8) && up < 2.51 * v);
        assert_true(down <= v * (1 + 1e-8) && down > v / 2.51);
    }
    assert_true(roundnum_above(5) == 5 && roundnum_below(5) == 5 && roundnum_above(20) == 20);
    assert_string_equal(roundnum_text(t, 4178.5, 0.5), "4178.5");
    assert_string_equal(roundnum_text(t, 0.30000000000000004, 0.1), "0.3");
    assert_string_equal(roundnum_text(t, -0.0, 0.1), "0.0");
    assert_string_equal(roundnum_text(t, -5, 1), "\xE2\x88\x92"
                                                 "5");
    assert_string_equal(roundnum_brief(t, 11.4832), "11.5");
}

static void charts_are_drawn(void **state)
{
    struct scratch *dir = *state;
    const char *label[] = {"reference", "cfamo", "never run"}, *groups[] = {"CPU", "CUDA"};
    const double value[] = {40, 0.5, (double)NAN}, lo[] = {39, 0.4, (double)NAN},
                 hi[] = {45, 0.6, (double)NAN};
    const int group[] = {0, 1, 1};
    struct chart c = {.title = "Chart",
                      .unit = "s",
                      .count = 3,
                      .label = label,
                      .value = value,
                      .lo = lo,
                      .hi = hi,
                      .group = group,
                      .group_count = 2,
                      .group_label = groups};
    const struct rgb first = colours_distinct(0), second = colours_distinct(1);
    struct error e = {0};
    long pixels[2] = {0};
    const char *path = scratch_file(dir, "chart.png");
    assert_int_equal(chart_bars(path, &c, &e), 0);
    struct picture p = picture_read(path);
    for (int i = 0; i < p.width * p.height; i++) {
        pixels[0] += !memcmp(p.rgb + 3 * (size_t)i, &first, 3);
        pixels[1] += !memcmp(p.rgb + 3 * (size_t)i, &second, 3);
    }
    assert_true(pixels[1] > 0 && pixels[0] > 15 * pixels[1]); /* with the legend's swatches */
    free(p.rgb);
    unlink(path);
    c.count = 0;
    assert_int_not_equal(chart_bars(path, &c, &e), 0);
    assert_int_equal(count_files(dir->path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lava_scale_rises_evenly),
        cmocka_unit_test(text_has_its_width),
        cmocka_unit_test(numbers_are_round),
        WITH_FOLDER(charts_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
