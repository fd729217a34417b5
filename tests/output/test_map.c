/* Maps and charts: bytes that repeat, a readable PNG, lava where lava is, a scale that rises. */
/* tests: record, show/map, show/plain */
/* build: show */
/* run: quick */
#include "record/colours.h"
#include "record/map_background.h"
#include "draw/font.h"
#include "map/map_page.h"
#include "map/map.h"
#include "record/roundnum.h"
#include "text/words.h"
#include "picture.h"
#include "unit.h"

#include <ctype.h>
#include <glib.h>
#include <math.h>
#include <stdbool.h>

/* ---- pictures -------------------------------------------------------------------------------- */
static const unsigned char *pixel(const struct picture *p, int x, int y)
{
    return p->rgb + 3 * ((size_t)y * p->width + x);
}

static bool dark(const unsigned char *v)
{
    return v[0] < 60 && v[1] < 60 && v[2] < 60;
}

static bool coloured(const unsigned char *v)
{
    int hi = v[0] > v[1] ? v[0] : v[1], lo = v[0] < v[1] ? v[0] : v[1];
    hi = v[2] > hi ? v[2] : hi;
    lo = v[2] < lo ? v[2] : lo;
    return hi - lo > 30;
}

/* The longest dark run of a row. */
static int dark_run(const struct picture *p, int y, int *start)
{
    int best = 0;
    for (int x = 0, run = 0; x < p->width; x++) {
        run = dark(pixel(p, x, y)) ? run + 1 : 0;
        if (run > best) best = run, *start = x - run + 1;
    }
    return best;
}

/* Inside of the frame: the first and the last row with a dark line across much of the page. */
struct place {
    int x0, y0, wide, high;
};

static struct place find_frame(const struct picture *p)
{
    struct place f = {0};
    int start = 0, top = 0, bottom = p->height - 1;
    while (top < p->height && dark_run(p, top, &start) < 500) top++;
    while (bottom > top && dark_run(p, bottom, &start) < 500) bottom--;
    assert_true(bottom > top + 100);
    f.wide = dark_run(p, top, &start) - 4;
    f.x0 = start + 2;
    f.y0 = top + 2;
    f.high = bottom - top - 3;
    return f;
}

static void middle_of(const struct picture *p, struct place f, int rows, int cols, int row, int col,
                      unsigned char rgb[3])
{
    int x = f.x0 + (2 * col + 1) * f.wide / (2 * cols),
        y = f.y0 + (2 * row + 1) * f.high / (2 * rows);
    memcpy(rgb, pixel(p, x, y), 3);
}

/* ---- a small case ---------------------------------------------------------------------------- */

enum { ROWS = 30, COLS = 41, CELLS = ROWS * COLS };

struct scene {
    double elevation[CELLS], value[CELLS];
    unsigned char mark[CELLS], outline[CELLS];
    struct map map;
};

/* A flow that is not symmetric on level ground (no contours, no relief: colours are the layer's).
 */
static void scene_make(struct scene *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < CELLS; i++) {
        int row = i / COLS, col = i % COLS;
        bool wet = row > 3 && row < 24 && col > 5 && col < 6 + row && (row + col) % 7;
        s->elevation[i] = 1500;
        s->value[i] = wet ? 0.5 + 0.1 * row + 0.02 * col : (double)NAN;
    }
    s->map = (struct map){.rows = ROWS,
                          .cols = COLS,
                          .geo = {500000, 4170000, 10, {.epsg = 32633, .name = "Testing ground"}},
                          .elevation_m = s->elevation,
                          .value = s->value,
                          .title = "A title",
                          .subtitle = "and a subtitle",
                          .quantity = "thickness",
                          .unit = "m",
                          .note = "small print"};
}

static void add_relief(struct scene *s)
{
    for (int i = 0; i < CELLS; i++)
        s->elevation[i] =
            1500 - 4.0 * (i % COLS) + 25 * sin(0.3 * (i / COLS)) + (i * 7919) % 13 * 0.3;
}

static bool contains(const char *bytes, size_t size, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= size; i++)
        if (!memcmp(bytes + i, word, n)) return true;
    return false;
}

static struct picture draw(struct scratch *dir, const struct map *m)
{
    struct error e = {0};
    const char *path = scratch_file(dir, "map.png");
    assert_int_equal(map_write(path, m, NULL, &e), 0);
    assert_int_equal(count_files(dir->path), 1);
    struct picture p = picture_read(path);
    unlink(path);
    return p;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* A road along the middle of a row, and a lake of six cells by four. */
static const double road[][2] = {{499900, 4170145}, {500900, 4170145}},
                    lake[][2] = {{500250, 4170010},
                                 {500310, 4170010},
                                 {500310, 4170050},
                                 {500250, 4170050},
                                 {500250, 4170010}};
enum { ROAD_ROW = ROWS - 1 - 14 };

static void background_beneath_the_lava(void **state)
{
    static const int two[] = {2}, five[] = {5};
    static const struct background_feature feature[] = {
        {BACKGROUND_WATER, {MAP_AREA, "Lake", 1, five, lake}},
        {BACKGROUND_MAIN_ROAD, {MAP_LINE, "", 1, two, road}}};
    static const struct map_background background = {2, feature};
    static struct scene s;
    int bare = 0, wet = 0, blue = 0;
    scene_make(&s);
    s.map.crop = (struct window){0, 0, ROWS, COLS};
    const struct picture without = draw(*state, &s.map);
    s.map.background = &background;
    const struct picture with = draw(*state, &s.map);
    const struct place f = find_frame(&without), g = find_frame(&with);
    assert_memory_equal(&f, &g, sizeof f);
    for (int i = 0; i < CELLS; i++) {
        unsigned char was[3], is[3];
        const int row = i / COLS, col = i % COLS;
        const bool lava = !isnan(s.value[i]),
                   in_lake = row >= 25 && row < 29 && col >= 25 && col < 31;
        middle_of(&without, f, ROWS, COLS, row, col, was);
        middle_of(&with, f, ROWS, COLS, row, col, is);
        if (row == ROAD_ROW && !lava) {
            assert_true(is[0] > 250 && is[1] > 250 && was[0] < 240);
            bare++;
        } else if (lava) { /* no more shows through than of the relief */
            for (int k = 0; k < 3; k++) assert_true(abs(is[k] - was[k]) <= 0.08 * 255 + 1);
            wet += row == ROAD_ROW;
        } else if (in_lake) {
            blue += is[2] > is[0] + 30;
            assert_true(was[2] < was[0] + 30);
        } else if (abs(row - ROAD_ROW) > 1) {
            assert_memory_equal(is, was, 3);
        }
    }
    assert_true(bare > 10 && wet > 10); /* both are there */
    assert_true(blue > 12);             /* (its name hides some of it) */
    free(without.rgb);
    free(with.rgb);
}

/* The last picture of an SVG: the caller frees it. */
static png_image last_picture(const char *svg, unsigned char **rgba)
{
    static const char before[] = "data:image/png;base64,";
    png_image image = {.version = PNG_IMAGE_VERSION};
    const char *at = NULL;
    for (const char *next = svg; (next = strstr(next, before)); at = next) next += strlen(before);
    assert_non_null(at);
    FREED char *text = strndup(at, strcspn(at, "\""));
    size_t size;
    FREED unsigned char *bytes = g_base64_decode(text, &size);
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    image.format = PNG_FORMAT_RGBA;
    *rgba = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, *rgba, 0, NULL));
    return image;
}

/* Of lava on bright ground, too, no colour is above its opacity, which would turn around. */
static void a_layer_of_vectors_is_red(void **state)
{
    static const int two[] = {2};
    static const struct background_feature feature = {BACKGROUND_MAIN_ROAD,
                                                      {MAP_LINE, "", 1, two, road}};
    static const struct map_background background = {1, &feature};
    static struct scene s;
    struct error e = {0};
    const char *path = scratch_file(*state, "map.svg");
    int clear = 0, lava = 0;
    scene_make(&s);
    add_relief(&s);
    s.map.background = &background;
    assert_int_equal(map_write(path, &s.map, NULL, &e), 0);
    FREED char *svg = read_text(path);
    FREED unsigned char *rgba = NULL;
    const png_image layer = last_picture(svg, &rgba);
    for (size_t i = 0; i < (size_t)layer.width * layer.height; i++) {
        const unsigned char *v = rgba + 4 * i;
        clear += v[3] == 0;
        lava += v[3] > 200;
        assert_true(v[3] == 0 || v[0] + 3 >= v[1]);
    }
    assert_true(clear > 10000 && lava > 10000);
    unlink(path);
}

static void same_bytes_each_time(void **state)
{
    struct scratch *dir = *state;
    static struct scene s;
    struct error e = {0};
    size_t size[2];
    char *bytes[2];
    scene_make(&s);
    add_relief(&s);
    for (int i = 0; i < 2; i++) {
        const char *path = scratch_file(dir, i ? "b.png" : "a.png");
        assert_int_equal(map_write(path, &s.map, NULL, &e), 0);
        bytes[i] = scratch_bytes(path, &size[i]);
        unlink(path);
    }
    assert_true(size[0] > 10000);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    assert_true(contains(bytes[0], size[0], "pHYs"));
    assert_true(contains(bytes[0], size[0], "A title"));
    assert_true(contains(bytes[0], size[0], "Software"));
    free(bytes[0]);
    free(bytes[1]);
}

static void lava_is_drawn_where_it_is(void **state)
{
    static struct scene s;
    unsigned char rgb[3];
    int wet = 0;
    scene_make(&s);
    struct picture p = draw(*state, &s.map);
    assert_in_range(p.width, 1000, 2600);
    assert_in_range(p.height, 800, 2200);
    struct place f = find_frame(&p);
    assert_int_equal(f.wide % COLS, 0);
    assert_int_equal(f.wide / COLS, f.high / ROWS);
    for (int i = 0; i < CELLS; i++) {
        middle_of(&p, f, ROWS, COLS, i / COLS, i % COLS, rgb);
        assert_int_equal(coloured(rgb), !isnan(s.value[i]));
        wet += !isnan(s.value[i]);
    }
    assert_in_range(wet, 100, CELLS - 100);
    free(p.rgb);
}

static void mirrored_input_gives_a_mirrored_layer(void **state)
{
    static struct scene s, t;
    unsigned char a[3], b[3];
    int asymmetric = 0;
    scene_make(&s);
    scene_make(&t);
    for (int i = 0; i < CELLS; i++) t.value[i] = s.value[i / COLS * COLS + COLS - 1 - i % COLS];
    struct picture p = draw(*state, &s.map), q = draw(*state, &t.map);
    struct place f = find_frame(&p);
    for (int i = 0; i < CELLS; i++) {
        middle_of(&p, f, ROWS, COLS, i / COLS, i % COLS, a);
        middle_of(&q, f, ROWS, COLS, i / COLS, COLS - 1 - i % COLS, b);
        assert_memory_equal(a, b, 3);
        asymmetric += isnan(s.value[i]) != isnan(t.value[i]);
    }
    assert_true(asymmetric > 100);
    free(p.rgb);
    free(q.rgb);
}

static void classes_have_their_colours(void **state)
{
    static struct scene s;
    const struct map_class classes[] = {{{20, 160, 20}, "hit", 1}, {{30, 60, 200}, "miss", 2}};
    unsigned char rgb[3];
    scene_make(&s);
    for (int i = 0; i < CELLS; i++)
        if (!isnan(s.value[i])) s.value[i] = 1 + i % 3; /* 3 is no class: nothing is drawn */
    s.map.kind = MAP_CLASSES;
    s.map.class_count = 2;
    s.map.classes = classes;
    struct picture p = draw(*state, &s.map);
    struct place f = find_frame(&p);
    for (int i = 0; i < CELLS; i++) {
        middle_of(&p, f, ROWS, COLS, i / COLS, i % COLS, rgb);
        assert_int_equal(coloured(rgb), s.value[i] < 3);
        if (s.value[i] == 1) assert_true(rgb[1] > rgb[2]);
        if (s.value[i] == 2) assert_true(rgb[2] > rgb[1]);
    }
    free(p.rgb);
}

/* A thread of lava one cell wide survives when four cells and more become one pixel. */
static void a_large_domain_is_reduced(void **state)
{
    enum { BIG = 4003 };
    double *z = malloc((size_t)BIG * BIG * sizeof *z), *v = malloc((size_t)BIG * BIG * sizeof *v);
    assert_true(z && v);
    for (size_t i = 0; i < (size_t)BIG * BIG; i++) {
        z[i] = 100;
        v[i] = i / BIG == 2000 ? 2 : (double)NAN;
    }
    struct map m = {.rows = BIG, .cols = BIG, .geo = {.cell_m = 1}, .elevation_m = z, .value = v};
    struct picture p = draw(*state, &m);
    assert_in_range(p.width, 1000, 2600);
    struct place f = find_frame(&p);
    int seen = 0, elsewhere = 0;
    for (int y = 0; y < f.high; y++) {
        for (int x = 0; x < f.wide; x++) {
            bool near = y == 2000 / 3;
            bool c = coloured(pixel(&p, f.x0 + x, f.y0 + y));
            seen += near && c;
            elsewhere += !near && c;
        }
    }
    assert_int_equal(seen, f.wide);
    assert_int_equal(elsewhere, 0);
    free(p.rgb);
    free(z);
    free(v);
}

static void odd_cases_are_drawn(void **state)
{
    static struct scene s;
    static const int size[][2] = {{1, 1}, {3, 3}, {1, 300}, {300, 1}, {2, 615}, {20, 30}};
    scene_make(&s);
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        s.map.rows = size[k][0];
        s.map.cols = size[k][1];
        struct picture p = draw(*state, &s.map);
        assert_in_range(p.width, 1000, 2600);
        free(p.rgb);
    }
    scene_make(&s); /* nothing known anywhere, no texts; then infinite and equal values */
    for (int i = 0; i < CELLS; i++) s.elevation[i] = s.value[i] = (double)NAN;
    memset(s.outline, 1, sizeof s.outline);
    s.map.outline = s.outline;
    s.map.mark = s.mark;
    s.map.title = s.map.subtitle = s.map.quantity = s.map.unit = s.map.note = NULL;
    free(draw(*state, &s.map).rgb);
    for (int i = 0; i < CELLS; i++) s.value[i] = i % 3 ? (double)INFINITY : -5.0;
    s.mark[0] = s.mark[CELLS - 1] = 1;
    s.map.warning = "SYNTHETIC TERRAIN";
    free(draw(*state, &s.map).rgb);
    s.map.geo = (struct georef){.west_m = -9.9e9, .south_m = 9.9e9, .cell_m = 1e-4};
    for (int i = 0; i < CELLS; i++) s.elevation[i] = i % 5 ? 1e29 : i % 7 ? -1e300 : 1e7;
    for (int i = 0; i < CELLS; i++) s.value[i] = i % 2 ? 1e300 : -1e300;
    free(draw(*state, &s.map).rgb);
}

static void warning_is_unmistakable(void **state)
{
    static struct scene s;
    int red = 0, red_before = 0;
    scene_make(&s);
    for (int i = 0; i < CELLS; i++) s.value[i] = (double)NAN;
    for (int pass = 0; pass < 2; pass++) {
        s.map.warning = pass ? "SYNTHETIC TERRAIN" : NULL;
        struct picture p = draw(*state, &s.map);
        for (int i = 0; i < p.width * p.height; i++) {
            const unsigned char *v = p.rgb + 3 * (size_t)i;
            *(pass ? &red : &red_before) += v[0] > v[1] + 25 && v[0] > v[2] + 25;
        }
        free(p.rgb);
    }
    assert_int_equal(red_before, 0);
    assert_true(red > 50000);
}

/* In red, below the map, on a page that is higher for it; all above it is as it was. */
static void alert_stands_below(void **state)
{
    static struct scene s;
    scene_make(&s);
    for (int i = 0; i < CELLS; i++) s.value[i] = (double)NAN;
    struct picture plain = draw(*state, &s.map);
    s.map.alert = "97 % of the lava (2.8 million m\xC2\xB3) has left the terrain";
    struct picture p = draw(*state, &s.map);
    int red = 0, first = p.height;
    for (int i = 0; i < p.width * p.height; i++) {
        const unsigned char *v = p.rgb + 3 * (size_t)i;
        if (!(v[0] > v[1] + 60 && v[0] > v[2] + 60)) continue;
        if (!red++) first = i / p.width;
    }
    assert_true(p.width == plain.width && p.height > plain.height);
    assert_true(red > 500 && first > plain.height / 2);
    first -= 3; /* the edges of letters are paler */
    assert_memory_equal(p.rgb, plain.rgb, 3 * (size_t)p.width * (size_t)first);
    free(plain.rgb);
    free(p.rgb);
}

/* Cells that touch are a line from the first to the last, others have a triangle each. */
static void touching_vents_are_a_fissure(void **state)
{
    static struct scene s;
    int white[3] = {0};
    scene_make(&s);
    for (int i = 0; i < CELLS; i++) s.value[i] = (double)NAN;
    s.map.mark = s.mark;
    /* a diagonal of six cells, then every second of them, and six vents */
    for (int pass = 0; pass < 3; pass++) {
        memset(s.mark, 0, sizeof s.mark);
        for (int k = 0; k < 6; k += 1 + (pass == 1))
            s.mark[(12 + k) * COLS + 15 + k] = map_mark(pass == 2 ? k : 7);
        struct picture p = draw(*state, &s.map);
        const struct place f = find_frame(&p);
        const int cell = f.wide / COLS;
        for (int k = 0; k < 60; k++) { /* along it; nowhere else is paper as white */
            const int at = cell * 5 * k / 60;
            const unsigned char *v =
                pixel(&p, f.x0 + cell * 15 + cell / 2 + at, f.y0 + cell * 12 + cell / 2 + at);
            white[pass] += v[0] > 250 && v[1] > 250 && v[2] > 250;
        }
        free(p.rgb);
    }
    assert_true(white[0] >= 57);
    assert_true(white[1] > 5 && white[1] < 40);
    assert_true(white[2] > white[1] && white[2] < 57);
}

/* A crop shows its cells, larger, where they are; a locator says where that is. */
static void a_part_of_the_domain_is_shown(void **state)
{
    enum { SIDE = 300 };
    static double z[SIDE * SIDE], v[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int row = i / SIDE, col = i % SIDE;
        z[i] = 700;
        v[i] = row >= 200 && row < 230 && col >= 40 && col < 60 ? 3 : (double)NAN;
    }
    struct map m = {.rows = SIDE, .cols = SIDE, .geo = {.cell_m = 5}, .elevation_m = z, .value = v};
    map_crop_content(&m);
    assert_true(m.crop.row0 < 200 && m.crop.row0 > 150 && m.crop.col0 <= 26 && m.crop.rows < 100);
    struct picture p = draw(*state, &m);
    const struct place f = find_frame(&p);
    long lava = 0, beside = 0;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++) {
            if (!coloured(pixel(&p, x, y))) continue;
            if (x >= f.x0 && x < f.x0 + f.wide && y >= f.y0 && y < f.y0 + f.high) lava++;
            else beside++;
        }
    assert_true(lava > 20L * 30 * 15 * 15); /* each cell many pixels wide */
    assert_true(beside > 500);              /* colour bar and locator */
    m.crop = (struct window){0};
    struct picture whole = draw(*state, &m);
    const struct place g = find_frame(&whole);
    long small = 0;
    for (int i = 0; i < g.high * g.wide; i++)
        small += coloured(pixel(&whole, g.x0 + i % g.wide, g.y0 + i / g.wide));
    assert_int_equal(small, 20L * 30 * (g.wide / SIDE) * (g.wide / SIDE));
    free(whole.rgb);
    free(p.rgb);
    struct window nothing = {0}, all = {0};
    map_crop_finish(&nothing, SIDE, SIDE);
    assert_int_equal(nothing.rows, 0); /* the whole domain */
    static unsigned char mask[SIDE * SIDE];
    mask[SIDE + 1] = mask[(SIDE - 2) * SIDE + SIDE - 2] = 1;
    window_add_mask(&all, mask, SIDE, SIDE);
    assert_true(all.row0 == 1 && all.col0 == 1 && all.rows == SIDE - 2 && all.cols == SIDE - 2);
    map_crop_finish(&all, SIDE, SIDE);
    assert_int_equal(all.rows, 0);
    struct window wide = {SIDE / 2, SIDE / 10, 5, SIDE * 4 / 5};
    map_crop_finish(&wide, SIDE,
                    SIDE); /* of a side that is shown nearly whole nothing is missing */
    assert_true(wide.col0 == 0 && wide.cols == SIDE && wide.rows < SIDE / 2);
}

/* A place and a barrier widen the part as a value does in the cell where they are. */
static void a_part_has_places(void **state)
{
    enum { HIGH = 150, WIDE = 130 };
    static double v[HIGH * WIDE];
    static const int one = 1;
    for (int i = 0; i < HIGH * WIDE; i++) v[i] = (double)NAN;
    for (int row = 0; row < HIGH; row += 7) {
        const int col = (row * 37 + 11) % WIDE;
        const double at[][2] = {{1000 + 5 * (col + 0.9), 2000 + 5 * (HIGH - 1 - row + 0.1)}};
        const struct map_place place = {MAP_POINT, "hut", 1, &one, at};
        struct map m = {.rows = HIGH, .cols = WIDE, .geo = {1000, 2000, 5, {0}}, .value = v};
        v[row * WIDE + col] = 1;
        map_crop_content(&m);
        const struct window wanted = m.crop;
        assert_true(wanted.rows >= 25 && wanted.rows < HIGH / 2);
        v[row * WIDE + col] = (double)NAN;
        for (int barrier = 0; barrier < 2; barrier++) {
            m.places = m.barriers = &place;
            m.place_count = !barrier;
            m.barrier_count = barrier;
            map_crop_content(&m);
            assert_memory_equal(&m.crop, &wanted, sizeof wanted);
        }
    }
}

/* The part for an extent has the cells with which it overlaps, no others; an edge that is one of cells belongs to none
 * beyond it, even where it was rounded. */
static void a_part_is_what_overlaps(void **state)
{
    enum { HIGH = 40, WIDE = 50 };
    const double cell = 7.5, west = 1000, south = 2000, nearly = 1e-8;
    unsigned seed = 3;
    int exact = 0;
    for (int round = 0; round < 400; round++) {
        double x[2], y[2];
        for (int k = 0; k < 2; k++) {
            const double wide = (double)((seed = seed * 1103515245 + 12345) >> 16) / 65536,
                         high = (double)((seed = seed * 1103515245 + 12345) >> 16) / 65536;
            x[k] = (wide + k) / 2 * WIDE;
            y[k] = (high + k) / 2 * HIGH;
            if (round % 2) x[k] = floor(x[k]) + k, y[k] = floor(y[k]) + k;
        }
        const double off = round % 2 ? (round % 3 - 1) * nearly : 0;
        const double extent[4] = {west + cell * (x[0] + off), south + cell * (y[0] + off),
                                  west + cell * (x[1] + off), south + cell * (y[1] + off)};
        struct map m = {.rows = HIGH, .cols = WIDE, .geo = {west, south, cell, {0}}};
        struct error e = {0};
        assert_int_equal(map_crop_extent(&m, extent, &e), 0);
        for (int col = 0; col < WIDE; col++)
            assert_true((col + 1 - x[0] > 1e-7 && x[1] - col > 1e-7) ==
                        (col >= m.crop.col0 && col < m.crop.col0 + m.crop.cols));
        for (int row = 0; row < HIGH; row++) /* y up from the south, rows down from the north */
            assert_true((HIGH - row - y[0] > 1e-7 && y[1] - (HIGH - 1 - row) > 1e-7) ==
                        (row >= m.crop.row0 && row < m.crop.row0 + m.crop.rows));
        exact += round % 2;
    }
    assert_true(exact > 100);
}

/* Of 1,000 cells two that are far out do not decide where a scale ends; three do. */
static void a_few_far_out_end_no_scale(void **state)
{
    enum { COUNT = 1000 };
    double v[COUNT], low, high;
    for (int far_out = 0; far_out < 6; far_out++) {
        for (int i = 0; i < COUNT; i++) v[i] = i < far_out ? 90 + i : (i % 500 + 1) / 100.0;
        map_range(v, COUNT, &low, &high);
        if (far_out < 3) assert_true(low == 0 && high >= 5 && high <= 6);
        else assert_true(low == 0 && high == 89 + far_out);
        for (int i = 0; i < COUNT; i++) v[i] = i < far_out ? 90 + i : i < COUNT / 2 ? 1 : 60;
        map_range(v, COUNT, &low, &high); /* as many are large */
        assert_true(low == 0 && high == (far_out == 0 ? 60 : 89 + far_out));
    }
}

/* The first pixel of lava on the small map, which stands beside the map. */
static struct place find_small_lava(const struct picture *p)
{
    const struct place f = find_frame(p);
    for (int y = 0; y < p->height; y++)
        for (int x = f.x0 + f.wide + 9; x < p->width; x++)
            if (!memcmp(pixel(p, x, y), "\xA0\x14\x20", 3)) return (struct place){x, y, 0, 0};
    fail_msg("no small map");
    return f;
}

static bool is_alarm(const unsigned char *v)
{
    return v[0] > 185 && v[1] < 40 && v[2] < 60;
}

/* The small map of a part shows the domain around it as that of the domain itself does: the coast and a lake where they are,
 * whichever part is framed. */
static void a_part_alone_has_its_coast(void **state)
{
    enum { SIDE = 300, ROW0 = 160, COL0 = 20, HIGH = 90, WIDE = 100, AROUND = 100 };
    static double z[SIDE * SIDE], v[SIDE * SIDE], part_v[HIGH * WIDE];
    static const double shore[][2] = {{0, 700}, {1500, 500}},
                        pond[][2] = {{300, 900}, {500, 900}, {400, 1100}, {300, 900}};
    static const int two[] = {2}, four[] = {4};
    static const struct background_feature feature[] = {
        {BACKGROUND_WATER, {MAP_AREA, "", 1, four, pond}},
        {BACKGROUND_COAST, {MAP_LINE, "", 1, two, shore}}};
    static const struct map_background background = {2, feature};
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int row = i / SIDE, col = i % SIDE;
        z[i] = 700;
        v[i] = row >= 200 && row < 230 && col >= 40 && col < 60 ? 3 : (double)NAN;
    }
    for (int i = 0; i < HIGH * WIDE; i++) part_v[i] = v[(ROW0 + i / WIDE) * SIDE + COL0 + i % WIDE];
    struct map whole = {.rows = SIDE,
                        .cols = SIDE,
                        .geo = {.cell_m = 5},
                        .elevation_m = z,
                        .value = v,
                        .crop = {ROW0, COL0, HIGH, WIDE},
                        .background = &background};
    const struct map_around around = {SIDE, SIDE, ROW0, COL0, 1, SIDE, SIDE, z, v, NULL};
    const struct map part = {
        .rows = HIGH,
        .cols = WIDE,
        .geo = {.cell_m = 5, .west_m = 5 * COL0, .south_m = 5 * (SIDE - ROW0 - HIGH)},
        .elevation_m = z,
        .value = part_v,
        .around = &around,
        .background = &background};
    const struct picture a = draw(*state, &whole), b = draw(*state, &part);
    const struct place of_a = find_small_lava(&a), of_b = find_small_lava(&b);
    long blue = 0;
    for (int y = -AROUND; y < AROUND / 2; y++)
        for (int x = -AROUND / 4; x < AROUND; x++) {
            const unsigned char *p = pixel(&a, of_a.x0 + x, of_a.y0 + y),
                                *q = pixel(&b, of_b.x0 + x, of_b.y0 + y);
            if (p[0] > p[2] + 9 || q[0] > q[2] + 9) continue; /* lava, and the frames of parts */
            for (int k = 0; k < 3; k++) assert_true(abs(p[k] - q[k]) < 3);
            blue += p[2] > p[0] + 20;
        }
    assert_true(blue > 200);
    /* the frame is where the part is, by cells as long as those of lava */
    int wide = 0, left = 0, up = 0;
    while (of_b.x0 + wide < b.width &&
           !memcmp(pixel(&b, of_b.x0 + wide, of_b.y0), "\xA0\x14\x20", 3))
        wide++;
    while (left < of_b.x0 && !is_alarm(pixel(&b, of_b.x0 - left, of_b.y0))) left++;
    while (up < of_b.y0 && !is_alarm(pixel(&b, of_b.x0, of_b.y0 - up))) up++;
    assert_true(wide > 5 && fabs(left - wide / 20.0 * (40 - COL0)) < 4);
    assert_true(fabs(up - wide / 20.0 * (200 - ROW0)) < 4);
    free(a.rgb);
    free(b.rgb);
}

/* One scale for all: the same thickness has the same colour, whatever else is on a map. */
static void a_given_scale_holds(void **state)
{
    static struct scene s;
    unsigned char rgb[2][3];
    scene_make(&s);
    for (int i = 0; i < CELLS; i++) s.value[i] = (double)NAN;
    s.value[10 * COLS + 10] = 4;
    s.map.scale_high = 12;
    for (int pass = 0; pass < 2; pass++) {
        s.value[20 * COLS + 30] = pass ? 40 : 1; /* beyond its end */
        struct picture p = draw(*state, &s.map);
        middle_of(&p, find_frame(&p), ROWS, COLS, 10, 10, rgb[pass]);
        free(p.rgb);
    }
    assert_true(coloured(rgb[0]));
    assert_memory_equal(rgb[0], rgb[1], 3);
    s.map.scale_high = 0;
    struct picture p = draw(*state, &s.map);
    middle_of(&p, find_frame(&p), ROWS, COLS, 10, 10, rgb[1]);
    assert_memory_not_equal(rgb[0], rgb[1], 3);
    free(p.rgb);
}

/* Wherever the small print is broken, a range, a number with its error and one with its "%" are on one line. */
static void numbers_are_not_broken(void **state)
{
    static struct scene s;
    const char *path = scratch_file(*state, "map.svg");
    int lines = 0;
    scene_make(&s);
    for (int shift = 0; shift < 12; shift++) {
        struct error e = {0};
        char note[600] = "";
        for (int i = 0; i < shift; i++) strcat(note, "i");
        for (int i = 0; i < 12; i++) strcat(note, " 0.1 – −0.9, 5 ± 3 (95 %)");
        s.map.note = note;
        assert_int_equal(map_write(path, &s.map, NULL, &e), 0);
        char *svg = read_text(path);
        for (char *p = svg; (p = strstr(p, "<text")) && (p = strchr(p, '>')); lines++)
            assert_true(strncmp(p, ">%", 2) && strncmp(p, ">–", 4) && strncmp(p, ">−", 4) &&
                        strncmp(p, ">±", 3) && strncmp(p, ">3 (", 4));
        free(svg);
    }
    assert_true(lines > 100);
    unlink(path);
}

/* Of everything that a map can have, but for its title and notes, a text is in its language: none is as in English. */
static void a_map_speaks_its_language(void **state)
{
    static const struct map_class class[] = {{{250, 240, 170}, "up to 0.1 %", 0},
                                             {{250, 214, 110}, "above 99 %", 0}};
    static struct scene s;
    static unsigned char mark[CELLS], sea[CELLS], outline[CELLS];
    static const double at[][2] = {{500100, 4170100}},
                        wall[][2] = {{500050, 4170050}, {500150, 4170150}};
    static const int one = 1, two = 2;
    char *svg[2], label[80], said[80];
    int texts = 0;
    scene_make(&s);
    add_relief(&s);
    for (int i = 0; i < CELLS; i++) {
        outline[i] = !isnan(s.value[i]);
        s.value[i] = isnan(s.value[i]) ? (double)NAN : 1 + i % 2;
    }
    mark[5 * COLS + 8] = mark[5 * COLS + 9] = mark[20 * COLS + 20] = 1;
    for (int i = 0; i < COLS; i++)
        sea[i] = 1, s.elevation[i] = s.elevation[CELLS - 1 - i] = (double)NAN;
    words_pack(said, sizeof said, "none of %d (below %.1f %%)", 20, 14.5);
    words_pack(label, sizeof label, "%s: %s", "Hut", said);
    const struct map_place place = {MAP_POINT, label, 1, &one, at},
                           barrier = {MAP_LINE, NULL, 1, &two, wall};
    s.map.mark = mark;
    s.map.sea = sea;
    s.map.outline = outline;
    s.map.places = &place;
    s.map.barriers = &barrier;
    s.map.place_count = s.map.barrier_count = 1;
    s.map.warning = "SYNTHETIC TERRAIN";
    s.map.quantity = "probability that lava arrives";
    for (int classes = 0; classes < 2; classes++) {
        s.map.kind = classes ? MAP_CLASSES : MAP_SEQUENTIAL;
        s.map.classes = class;
        s.map.class_count = 2;
        s.map.mark_name = classes ? "possible vent" : NULL;
        for (int k = 0; k < 2; k++) {
            struct error e = {0};
            const char *path = scratch_file(*state, "map.svg");
            s.map.language = k ? "it" : NULL;
            assert_int_equal(map_write(path, &s.map, NULL, &e), 0);
            svg[k] = read_text(path);
            unlink(path);
        }
        for (char *p = svg[1]; (p = strstr(p, "<text")) && (p = strchr(p, '>'));) {
            char text[200];
            snprintf(text, sizeof text, "%.*s<", 1 + (int)strcspn(p + 1, "<"), p);
            if (!isalpha((unsigned char)text[1]) || !isalpha((unsigned char)text[2])) continue;
            texts++;
            if (strstr(text, "title") || strstr(text, "small print")) continue;
            if (strstr(svg[0], text)) fail_msg("in both languages: %s", text);
        }
        assert_non_null(strstr(svg[1], "Hut: nessuna su 20 (sotto 14,5 %)"));
        free(svg[0]);
        free(svg[1]);
    }
    assert_true(texts > 20);
}

/* Pages have the size that was asked for, and nothing reaches over their edges. */
static void pages_have_their_size(void **state)
{
    static struct scene s;
    static const double inch[][3] = {{11, 8, 100}, {8, 11, 100}, {3, 2, 200}, {30, 20, 60}};
    scene_make(&s);
    add_relief(&s);
    s.mark[400] = s.mark[700] = 1;
    s.map.mark = s.mark;
    s.map.stamp = "Unverified";
    s.map.alert = "an alert";
    for (int i = 0; i < 4; i++) {
        s.map.paper = (struct map_paper){inch[i][0], inch[i][1], inch[i][2]};
        struct picture p = draw(*state, &s.map);
        assert_int_equal(p.width, (int)(inch[i][0] * inch[i][2]));
        assert_int_equal(p.height, (int)(inch[i][1] * inch[i][2]));
        long edge = 0, ink = 0;
        for (int y = 0; y < p.height; y++)
            for (int x = 0; x < p.width; x++) {
                const bool white = pixel(&p, x, y)[0] > 250 && pixel(&p, x, y)[1] > 250;
                ink += !white;
                edge += !white && (x < 3 || y < 3 || x >= p.width - 3 || y >= p.height - 3);
            }
        assert_int_equal(edge, 0);
        assert_true(ink > p.width * p.height / 5);
        free(p.rgb);
    }
}

struct said {
    double x, y, wide; /* from its left end */
    char text[80];
};

/* The texts of an SVG, in their order. */
static int find_texts(struct said *to, int most, struct scratch *dir, const struct map *m)
{
    struct error e = {0};
    const char *path = scratch_file(dir, "map.svg");
    int count = 0;
    assert_int_equal(map_write(path, m, NULL, &e), 0);
    char *svg = read_text(path);
    for (char *p = svg; (p = strstr(p, "<text ")) && count < most; p++) {
        struct said *s = &to[count++];
        assert_int_equal(sscanf(p, "<text x=\"%lf\" y=\"%lf\"", &s->x, &s->y), 2);
        s->wide = strtod(strstr(p, "textLength=\"") + strlen("textLength=\""), NULL);
        snprintf(s->text, sizeof s->text, "%.*s", (int)strcspn(strchr(p, '>') + 1, "<"),
                 strchr(p, '>') + 1);
    }
    free(svg);
    unlink(path);
    return count;
}

static const struct said *find_said(const struct said *all, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(all[i].text, text)) return &all[i];
    fail_msg("the map has no text %s", text);
    return NULL;
}

static double middle_x(const struct said *s)
{
    return s->x + s->wide / 2;
}

/* The numbers below the bar are where they say, by those of the axis; the arrow turns by the convergence of meridians, of
 * a sphere, to the left where the map is east of the middle one. */
static void bar_and_arrow_are_of_the_ground(void **state)
{
    enum { MOST = 80 };
    static const struct {
        double cell_m;
        const char *half, *whole, *ticks[2];
        double half_m, tick_m;
    } bars[] = {{10, "25", "50 m", {"500100", "500200"}, 25, 100},
                {400, "1", "2 km", {"502", "510"}, 1000, 8000}};
    static struct scene s;
    static struct said all[MOST];
    double north[3];
    for (int i = 0; i < 2; i++) {
        scene_make(&s);
        s.map.geo.cell_m = bars[i].cell_m;
        const int n = find_texts(all, MOST, *state, &s.map);
        const struct said *half = find_said(all, n, bars[i].half), *zero = half - 1,
                          *whole = half + 1;
        const double per_m = (middle_x(find_said(all, n, bars[i].ticks[1])) -
                              middle_x(find_said(all, n, bars[i].ticks[0]))) /
                             bars[i].tick_m;
        assert_string_equal(zero->text, "0");
        assert_string_equal(whole->text, bars[i].whole);
        assert_true(fabs(middle_x(half) - middle_x(zero) - bars[i].half_m * per_m) < 0.1);
        const double end = middle_x(zero) + 2 * bars[i].half_m * per_m;
        assert_true(whole->x < end && middle_x(whole) > end && whole->x > end - whole->wide / 2);
    }
    for (int i = 0; i < 3; i++) {
        scene_make(&s);
        s.map.geo.west_m = 500000 + 300000 * (i - 1) - COLS * 5;
        s.map.geo.south_m = 7000000;
        const int n = find_texts(all, MOST, *state, &s.map);
        north[i] = middle_x(find_said(all, n, "N")) - middle_x(find_said(all, n, "0"));
    }
    const double latitude = 7000.0 / 6367, east = 300 / (6378 * cos(latitude));
    const double turn = atan(tan(east) * sin(latitude));
    assert_true(turn > 0.08 && fabs(north[0] - north[2] - 2 * 44 * sin(turn)) < 0.3);
    assert_true(north[0] > north[1] + 3 && north[1] > north[2] - 1);
}

/* Also where the scale ends before it. */
static void the_largest_is_said(void **state)
{
    enum { MOST = 80 };
    static struct scene s;
    static struct said all[MOST];
    scene_make(&s);
    s.value[20 * COLS + 30] = 40;
    s.map.scale_high = 12;
    const int n = find_texts(all, MOST, *state, &s.map);
    find_said(all, n, "12");
    find_said(all, n, "largest 40 m");
}

/* Of any relief at least 8 lines are drawn, and at most 20. */
static void contours_are_neither_few_nor_many(void **state)
{
    enum { MOST = 80 };
    static const double per_cell[] = {0.3, 0.61, 1.3, 2.6};
    static const char words[] = "contours every ";
    static struct scene s;
    static struct said all[MOST];
    for (size_t k = 0; k < sizeof per_cell / sizeof *per_cell; k++) {
        double step = 0;
        scene_make(&s);
        for (int i = 0; i < CELLS; i++) s.elevation[i] = 1000 + per_cell[k] * (i % COLS);
        for (int i = find_texts(all, MOST, *state, &s.map); i--;)
            if (!strncmp(all[i].text, words, strlen(words)))
                step = strtod(all[i].text + strlen(words), NULL);
        assert_true(step > 0);
        const double lines = per_cell[k] * (COLS - 1) / step;
        assert_true(lines >= 8 * (1 - 1e-9) && lines <= 20 * (1 + 1e-9));
    }
}

/* A page as it leaves the printer: cells of 10 m, measured between the lines of the frame. */
static void the_scale_is_that_of_the_page(void **state)
{
    struct scratch *dir = *state;
    static const struct map_paper papers[] = {
        {0, 0, 0}, {0, 0, 300}, {11.69, 8.27, 300}, {8, 4.5, 200}, {33.1, 23.4, 100}};
    struct scene s;
    double before = 0;
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++) {
        double n = 0;
        struct error e = {0};
        scene_make(&s);
        s.map.paper = papers[i];
        const char *path = scratch_file(dir, "scale.png");
        assert_int_equal(map_write(path, &s.map, &n, &e), 0);
        struct picture p = picture_read(path);
        const struct place f = find_frame(&p);
        const double dpi = papers[i].dpi > 0 ? papers[i].dpi : 200;
        const double wide_m = f.wide / dpi * 0.0254;
        const double pixel = 8.0 / f.wide; /* of the lines, which may be wider */
        if (!(fabs(COLS * 10 / wide_m / n - 1) < pixel))
            fail_msg("page %zu: 1 : %g, and %g m are %g m", i, n, COLS * 10.0, wide_m);
        assert_true((fabs(n / before - 1) < pixel) == (i == 1)); /* with finer pixels alone */
        before = n;
        free(p.rgb);
    }
}

static void refusals_leave_nothing(void **state)
{
    struct scratch *dir = *state;
    static struct scene s;
    struct error e = {0};
    scene_make(&s);
    assert_int_not_equal(map_write("build/tmp/no/such/folder/map.png", &s.map, NULL, &e), 0);
    assert_non_null(strstr(e.text, "no/such/folder"));
    assert_int_not_equal(map_write(dir->path, &s.map, NULL, &e), 0); /* a folder is no file */
    s.map.rows = 0;
    assert_int_not_equal(map_write(scratch_file(dir, "none.png"), &s.map, NULL, &e), 0);
    s.map.rows = ROWS;
    s.map.geo.cell_m = (double)NAN;
    assert_int_not_equal(map_write(scratch_file(dir, "none.png"), &s.map, NULL, &e), 0);
    assert_int_equal(count_files(dir->path), 0);
}

static void relief_is_lit_from_the_north_west(void **state)
{
    enum { N = 9 };
    float z[N * N], shade[N * N];
    struct error e = {0};
    for (int side = -1; side <= 1; side++) {
        for (int i = 0; i < N * N; i++) z[i] = (float)(side * 3 * (i % N + i / N));
        assert_int_equal(hillshade(shade, z, N, N, 10, &e), 0);
        for (int i = 0; i < N * N; i++) {
            if (side == 0) assert_true(fabsf(shade[i] - HILLSHADE_FLAT) < 1e-5f);
            else
                assert_true(side > 0 ? shade[i] > HILLSHADE_FLAT + 0.05f
                                     : shade[i] < HILLSHADE_FLAT - 0.05f);
            assert_true(fabsf(shade[i] - shade[0]) < 1e-5f); /* a plane has one shade, edges too */
        }
    }
    z[40] = NAN;
    assert_int_equal(hillshade(shade, z, N, N, 10, &e), 0);
    assert_true(isnan(shade[40]) && fabsf(shade[41] - shade[0]) < 1e-5f);
}

/* The line of value 5 of a cone is a circle: ink on it, none away from it. */
static void isolines_run_where_the_value_is(void **state)
{
    enum { N = 21, ZOOM = 10 };
    float z[N * N];
    struct canvas c;
    struct error e = {0};
    int on = 0, lines = 0, rings = 0;
    for (int i = 0; i < N * N; i++) z[i] = (float)hypot(i % N - 10, i / N - 10);
    assert_int_equal(canvas_create(&c, "lines.png", 0, 1, &e), 0);
    const struct isolines g = {z, N, N, 0, 0, ZOOM};
    assert_int_equal(isolines_draw(&c, &g, 5, 1000, 1, &e), 0);
    cairo_path_t *path = cairo_copy_path(c.cr);
    for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
        const cairo_path_data_t *d = &path->data[i];
        rings += d->header.type == CAIRO_PATH_CLOSE_PATH;
        if (d->header.type != CAIRO_PATH_LINE_TO) continue;
        assert_true(fabs(hypot(d[1].point.x - 105, d[1].point.y - 105) - 50) < 1);
        on++;
    }
    cairo_path_destroy(path);
    assert_true(on > 20 && rings == 1); /* joined, to one ring */
    assert_true(isolines_count(&g, 5, 1000) > 20);
    cairo_new_path(c.cr);
    assert_int_equal(isolines_draw(&c, &g, 12, 1000, 1, &e),
                     0); /* cut off by the edges: four arcs */
    path = cairo_copy_path(c.cr);
    for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
        lines += path->data[i].header.type == CAIRO_PATH_MOVE_TO;
        assert_true(path->data[i].header.type != CAIRO_PATH_CLOSE_PATH);
    }
    assert_int_equal(lines, 4);
    cairo_path_destroy(path);
    canvas_free(&c);
}

/* Between four corners of which two are high, across from each other: lines cut off the low ones where the middle is high,
 * else the high ones. */
static void isolines_part_at_saddles(void **state)
{
    static const float z[] = {1, 0, 0, 1};
    struct canvas c;
    struct error e = {0};
    int cut = 0;
    assert_int_equal(canvas_create(&c, "lines.png", 0, 1, &e), 0);
    const struct isolines g = {z, 2, 2, 0, 0, 10}; /* corners at 5 and 15 */
    for (int high = 0; high < 2; high++) {
        cairo_new_path(c.cr);
        assert_int_equal(isolines_draw(&c, &g, high ? 0.6 : 0.4, 1000, 1, &e), 0);
        cairo_path_t *path = cairo_copy_path(c.cr);
        double from[2] = {0};
        for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
            const cairo_path_data_t *d = &path->data[i];
            if (d->header.type == CAIRO_PATH_LINE_TO && hypot(from[0] - 10, from[1] - 10) < 8 &&
                hypot(d[1].point.x - 10, d[1].point.y - 10) < 8) {
                const double x = (from[0] + d[1].point.x) / 2, y = (from[1] + d[1].point.y) / 2;
                assert_true((fabs(x - y) < 2) == (high == 1)); /* high ones: at (5, 5), (15, 15) */
                cut++;
            }
            from[0] = d[1].point.x, from[1] = d[1].point.y;
        }
        cairo_path_destroy(path);
    }
    assert_int_equal(cut, 4);
    canvas_free(&c);
}

int main(void)
{
    return UNIT_RUN_IN(
        set_up, tear_down, NULL, NULL, same_bytes_each_time, lava_is_drawn_where_it_is,
        background_beneath_the_lava, a_layer_of_vectors_is_red,
        mirrored_input_gives_a_mirrored_layer, classes_have_their_colours,
        a_large_domain_is_reduced, odd_cases_are_drawn, warning_is_unmistakable, alert_stands_below,
        touching_vents_are_a_fissure, a_part_of_the_domain_is_shown, a_part_alone_has_its_coast,
        a_part_has_places, a_part_is_what_overlaps, a_few_far_out_end_no_scale,
        bar_and_arrow_are_of_the_ground, the_largest_is_said, contours_are_neither_few_nor_many,
        a_given_scale_holds, numbers_are_not_broken, a_map_speaks_its_language,
        pages_have_their_size, the_scale_is_that_of_the_page, refusals_leave_nothing,
        relief_is_lit_from_the_north_west, isolines_run_where_the_value_is,
        isolines_part_at_saddles);
}
