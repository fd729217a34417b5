/* plain_png.c — the painter of a program that was built without libsciara_show.so (`make SHOW=`). It paints only maps as
 * PNG, and needs only libpng. Cells have exactly the colours of their legend. The legend has numbers with units, but no
 * words. */
#include "map_grid.h"
#include "png_file.h"

#include "isochrones/isochrones.h"
#include "record/painters.h"
#include "record/roundnum.h"
#include "text/textfile.h"
#include "text/words.h"

#include "sciara.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 1000, HIGH = 900, MARGIN = 20, KEY = 400, SWATCH = 40, LINE = 28, BAR_MOST = 420 };
enum { GLYPH_WIDE = 5, GLYPH_HIGH = 7, ZOOM = 2 }; /* size of a glyph and of its pixels */

static const struct rgb black = {25, 25, 28}, white = {255, 255, 255}, alarm = {190, 0, 24},
                        barrier = {120, 0, 150};

/* A white page in memory. */
struct sheet {
    const struct map *m;
    struct map_grid grid;
    struct colour_scale scale;
    uint32_t *pixel;
    int width, height;
};

static void put_box(struct sheet *s, int x, int y, int width, int height, struct rgb c)
{
    for (int v = int_most(y, 0); v < y + height && v < s->height; v++)
        for (int u = int_most(x, 0); u < x + width && u < s->width; u++)
            s->pixel[(size_t)v * (size_t)s->width + (size_t)u] =
                (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

static void put_frame(struct sheet *s, int x, int y, int width, int height, int line, struct rgb c)
{
    put_box(s, x - line, y - line, width + 2 * line, line, c);
    put_box(s, x - line, y + height, width + 2 * line, line, c);
    put_box(s, x - line, y, line, height, c);
    put_box(s, x + width, y, line, height, c);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The pixels of each glyph, in columns from the left. The lowest bit of a column is the top. */
static const struct glyph {
    char letter;
    unsigned char column[GLYPH_WIDE];
} glyphs[] = {
    {'0', {0x3e, 0x51, 0x49, 0x45, 0x3e}}, {'1', {0x00, 0x42, 0x7f, 0x40, 0x00}},
    {'2', {0x62, 0x51, 0x49, 0x49, 0x46}}, {'3', {0x22, 0x41, 0x49, 0x49, 0x36}},
    {'4', {0x18, 0x14, 0x12, 0x7f, 0x10}}, {'5', {0x27, 0x45, 0x45, 0x45, 0x39}},
    {'6', {0x3e, 0x49, 0x49, 0x49, 0x32}}, {'7', {0x01, 0x71, 0x09, 0x05, 0x03}},
    {'8', {0x36, 0x49, 0x49, 0x49, 0x36}}, {'9', {0x26, 0x49, 0x49, 0x49, 0x3e}},
    {'.', {0x00, 0x60, 0x60, 0x00, 0x00}}, {',', {0x00, 0x50, 0x30, 0x00, 0x00}},
    {'-', {0x08, 0x08, 0x08, 0x08, 0x08}}, {':', {0x00, 0x36, 0x36, 0x00, 0x00}},
    {'%', {0x23, 0x13, 0x08, 0x64, 0x62}}, {'m', {0x7c, 0x04, 0x18, 0x04, 0x78}},
    {'i', {0x00, 0x44, 0x7d, 0x40, 0x00}}, {'n', {0x7c, 0x08, 0x04, 0x04, 0x78}},
    {'h', {0x7f, 0x08, 0x04, 0x04, 0x78}}, {'d', {0x38, 0x44, 0x44, 0x48, 0x7f}},
    {'k', {0x7f, 0x10, 0x28, 0x44, 0x00}}, {'K', {0x7f, 0x08, 0x14, 0x22, 0x41}},
};

static const struct glyph *glyph_of(char letter)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].letter == letter) return &glyphs[i];
    return NULL;
}

/* Writes a text at (x, middle). Characters without a glyph are omitted. */
static void put_text(struct sheet *s, int x, int middle, const char *text)
{
    static const char minus[] = "\xe2\x88\x92", fixed[] = "\xc2\xa0";
    const int top = middle - GLYPH_HIGH * ZOOM / 2;
    for (const char *at = text; *at; at++) {
        const bool stroke = !strncmp(at, minus, 3), blank = *at == ' ' || !strncmp(at, fixed, 2);
        const struct glyph *g = glyph_of(stroke ? '-' : *at);
        at += stroke ? 2 : blank && *at != ' ';
        for (int i = 0; g && i < GLYPH_WIDE * GLYPH_HIGH; i++)
            if (g->column[i / GLYPH_HIGH] >> i % GLYPH_HIGH & 1)
                put_box(s, x + i / GLYPH_HIGH * ZOOM, top + i % GLYPH_HIGH * ZOOM, ZOOM, ZOOM,
                        black);
        if (g || blank) x += (GLYPH_WIDE + 1) * ZOOM;
    }
}

static void put_value(struct sheet *s, int x, int middle, double value, double step,
                      const char *unit)
{
    char number[32], text[80];
    snprintf(text, sizeof text, "%s %.40s", roundnum_text(number, value, step), unit ? unit : "");
    put_text(s, x, middle, text);
}

/* ---- the map --------------------------------------------------------------------------------- */

static struct rgb cell_colour(const struct sheet *s, size_t i, float shade)
{
    const struct map_grid *g = &s->grid;
    if (g->cover[i] && s->m->kind == MAP_CLASSES) return s->m->classes[(int)g->value[i] - 1].rgb;
    if (g->cover[i])
        return colours_at(&s->scale, (g->value[i] - s->grid.lo) / (s->grid.hi - s->grid.lo));
    if (isnan(shade)) return g->sea && g->sea[i] ? colours_sea : colours_missing;
    const unsigned char grey = (unsigned char)(255 * (0.34f + 0.66f * shade));
    return (struct rgb){grey, grey, grey};
}

static bool is_inside(const struct map_grid *g, int row, int col)
{
    return row >= 0 && col >= 0 && row < g->rows && col < g->cols &&
           g->inside[(size_t)row * (size_t)g->cols + (size_t)col] >= 0.5f;
}

/* Draws the outline along the edges of the nodes inside it. */
static void put_edges(struct sheet *s, int row, int col)
{
    const struct map_grid *g = &s->grid;
    const int n = g->enlarge, x = MARGIN + col * n, y = MARGIN + row * n;
    if (!g->inside || !is_inside(g, row, col)) return;
    if (!is_inside(g, row - 1, col)) put_box(s, x, y, n, 2, colours_outline);
    if (!is_inside(g, row + 1, col)) put_box(s, x, y + n - 2, n, 2, colours_outline);
    if (!is_inside(g, row, col - 1)) put_box(s, x, y, 2, n, colours_outline);
    if (!is_inside(g, row, col + 1)) put_box(s, x + n - 2, y, 2, n, colours_outline);
}

/* The pixel of a position in cells from the upper left corner, along one axis. */
static double pixel_of(const struct map_grid *g, double cells)
{
    return MARGIN + cells * g->enlarge / g->block;
}

static void put_dot(struct sheet *s, double x, double y, int size, struct rgb c)
{
    const int x1 = MARGIN + s->grid.cols * s->grid.enlarge, half = size / 2;
    const int y1 = MARGIN + s->grid.rows * s->grid.enlarge;
    if (!(x >= MARGIN + half && x < x1 - half && y >= MARGIN + half && y < y1 - half)) return;
    put_box(s, (int)x - half, (int)y - half, size, size, c);
}

static void put_vents(struct sheet *s)
{
    const struct map *m = s->m;
    const struct window *k = &s->grid.crop;
    for (int row = 0; m->mark && row < m->rows; row++)
        for (int col = 0; col < m->cols; col++) {
            if (!m->mark[(size_t)row * (size_t)m->cols + (size_t)col]) continue;
            const double x = pixel_of(&s->grid, col - k->col0 + 0.5),
                         y = pixel_of(&s->grid, row - k->row0 + 0.5);
            put_dot(s, x, y, m->mark_small ? 5 : 9, white);
            put_dot(s, x, y, m->mark_small ? 3 : 5, black);
        }
}

static void put_place(struct sheet *s, const struct map_place *p, struct rgb c)
{
    const struct map *m = s->m;
    const struct window *k = &s->grid.crop;
    const double(*xy)[2] = p->xy, cell_m = m->geo.cell_m;
    for (int part = 0; part < p->parts; xy += p->part_size[part++])
        for (int i = 0; i < p->part_size[part]; i++) {
            const int to = p->kind == MAP_POINT || i + 1 == p->part_size[part] ? i : i + 1;
            const double x0 = pixel_of(&s->grid, (xy[i][0] - m->geo.west_m) / cell_m - k->col0),
                         y0 = pixel_of(&s->grid,
                                       m->rows - (xy[i][1] - m->geo.south_m) / cell_m - k->row0),
                         x = (xy[to][0] - xy[i][0]) / cell_m * s->grid.enlarge / s->grid.block,
                         y = (xy[i][1] - xy[to][1]) / cell_m * s->grid.enlarge / s->grid.block;
            const double steps = fmin(ceil(hypot(x, y)), 1e6) + 1;
            for (double t = 0; t < steps; t++)
                put_dot(s, x0 + x * t / steps, y0 + y * t / steps, p->kind == MAP_POINT ? 9 : 3, c);
        }
}

static int put_map(struct sheet *s, struct error *e)
{
    const struct map *m = s->m;
    const struct map_grid *g = &s->grid;
    const int n = g->enlarge;
    FREED float *shade = malloc((size_t)g->rows * (size_t)g->cols * sizeof *shade);
    if (!shade) return error_memory(e);
    const int status =
        hillshade(shade, g->elevation_m, g->rows, g->cols, m->geo.cell_m * g->block, e);
    for (int row = 0; row < g->rows && !status; row++)
        for (int col = 0; col < g->cols; col++) {
            const size_t i = (size_t)row * (size_t)g->cols + (size_t)col;
            put_box(s, MARGIN + col * n, MARGIN + row * n, n, n, cell_colour(s, i, shade[i]));
            put_edges(s, row, col);
        }
    for (int i = 0; i < m->barrier_count; i++) put_place(s, &m->barriers[i], barrier);
    for (int i = 0; i < m->place_count; i++) put_place(s, &m->places[i], colours_place);
    put_vents(s);
    put_frame(s, MARGIN, MARGIN, g->cols * n, g->rows * n, 2, black);
    return status;
}

/* ---- the legend ------------------------------------------------------------------------------ */

static int class_count(const struct map *m)
{
    return m->kind == MAP_CLASSES ? int_least(m->class_count, MAP_CLASSES_MOST) : 0;
}

/* Writes the end of a class: a time of arrival, or a probability. */
static const char *end_text(char text[32], const struct map *m, double end)
{
    if (m->unit && *m->unit == 'h') return isochrones_time_text(text, end);
    snprintf(text, 32, "%.6g %%", 100 * end);
    return text;
}

/* Writes the two ends of class i. A class begins at the end of the previous class. The first class begins at 0 or,
 * if it is a class of decreases, at -100 %. If the ends do not increase, the classes are not intervals, and no
 * numbers are written. */
static void put_ends(struct sheet *s, int x, int middle, int i)
{
    const struct map_class *c = &s->m->classes[i];
    const double begin = i ? c[-1].upper : c->upper < 0 ? -1 : 0;
    char from[32], to[32], text[80];
    if (!(c->upper > begin)) return;
    snprintf(text, sizeof text, "%s - %s", end_text(from, s->m, begin),
             end_text(to, s->m, c->upper));
    put_text(s, x, middle, text);
}

static void put_classes(struct sheet *s, int x)
{
    for (int i = 0; i < class_count(s->m); i++) {
        const int y = MARGIN + i * LINE;
        put_box(s, x, y, SWATCH, LINE - 8, s->m->classes[i].rgb);
        put_frame(s, x, y, SWATCH, LINE - 8, 1, black);
        put_ends(s, x + SWATCH + 12, y + (LINE - 8) / 2, i);
    }
}

static void put_scale(struct sheet *s, int x)
{
    const int high = int_least(BAR_MOST, s->height - 2 * MARGIN - 3 * LINE);
    const struct roundnum_ticks t = roundnum_ticks(s->grid.lo, s->grid.hi, high / 45.0);
    for (int y = 0; y < high; y++)
        put_box(s, x, MARGIN + y, SWATCH, 1, colours_at(&s->scale, 1 - (y + 0.5) / high));
    put_frame(s, x, MARGIN, SWATCH, high, 1, black);
    for (int i = 0; i < t.count; i++) {
        const double v = (t.index + i) * t.step;
        const int y = MARGIN + (int)(high * (s->grid.hi - v) / (s->grid.hi - s->grid.lo));
        put_box(s, x + SWATCH, y - 1, 6, 2, black);
        put_value(s, x + SWATCH + 12, y, v, t.step, s->m->unit);
    }
}

/* Draws a scale bar below the legend. */
static void put_length(struct sheet *s, int x)
{
    const double cell_m = s->m->geo.cell_m * s->grid.block / s->grid.enlarge;
    const double metres = roundnum_below(160 * cell_m);
    const int y = s->height - MARGIN - LINE;
    put_box(s, x, y, (int)(metres / cell_m), 6, black);
    put_value(s, x, y + LINE - 6, metres, metres, "m");
}

/* ---- a picture ------------------------------------------------------------------------------- */

/* All words of a map, for readers of the file's properties. */
static char *texts_of(const struct map *m)
{
    const char *all[] = {m->title, m->subtitle, m->quantity, m->unit,
                         m->stamp, m->warning,  m->alert,    m->note};
    char *texts = NULL;
    size_t size;
    FILE *out = open_memstream(&texts, &size);
    for (size_t i = 0; out && i < sizeof all / sizeof *all; i++)
        if (all[i] && *all[i])
            fprintf(out, "%s%s", ftell(out) > 0 ? "; " : "", WORDS_ENGLISH(all[i]));
    return text_of_stream(out, &texts);
}

static int write_sheet(struct sheet *s, const char *path, struct error *e)
{
    const struct map *m = s->m;
    const struct map_grid *g = &s->grid;
    const int x = 2 * MARGIN + g->cols * g->enlarge;
    const int lines = int_most(class_count(m), 4) + 3;
    s->width = x + KEY;
    s->height = 2 * MARGIN + int_most(g->rows * g->enlarge, lines * LINE);
    const size_t count = (size_t)s->width * (size_t)s->height;
    FREED char *texts = texts_of(m);
    FREED uint32_t *pixel = s->pixel = malloc(count * sizeof *pixel);
    if (!texts || !pixel) return error_memory(e);
    put_box(s, 0, 0, s->width, s->height, white);
    const int status = put_map(s, e);
    if (status) return status;
    if (m->kind == MAP_CLASSES) put_classes(s, x);
    else if (g->range.count) put_scale(s, x);
    put_length(s, x);
    if ((m->stamp && *m->stamp) || (m->warning && *m->warning) || (m->alert && *m->alert))
        put_frame(s, 6, 6, s->width - 12, s->height - 12, 6, alarm);
    const struct png_pixels all = {(const unsigned char *)pixel, s->width, s->height,
                                   (size_t)s->width * sizeof *pixel};
    return png_file_write(path, &all, texts, m->of, m->paper.dpi > 0 ? m->paper.dpi : 200, e);
}

/* Writes a map with whole pixels per cell, or whole cells per pixel. If the page has a fixed size, the map is as near to
 * this size as possible. */
static int write_map(void *map, const char *path, double *scale_denominator, struct error *e)
{
    const struct map *m = map;
    struct sheet s = {.m = m};
    const struct map_paper *p = &m->paper;
    const int wide = p->width_in > 0 ? (int)(p->width_in * p->dpi) - KEY - 2 * MARGIN : WIDE;
    const int high = p->width_in > 0 ? (int)(p->height_in * p->dpi) - 2 * MARGIN : HIGH;
    const struct map_room room = {int_most(wide, 100), int_most(high, 100), false};
    int status = map_grid_create(&s.grid, m, room, e);
    if (status) return status;
    colours_fill(&s.scale, m->colours);
    status = write_sheet(&s, path, e);
    map_grid_free(&s.grid);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

#define OMITTED                                                                                    \
    "this sciara was built without painters: maps have no words, diagrams and pages are "          \
    "omitted; `sciara show` of one with painters shows all of record.zip"

static int paint_map(struct paint_run *r, int i, const char *path, struct error *e)
{
    FREED_BY(record_release) struct record_scene scene = {0};
    int status = record_scene(&scene, r->of->record, i, e);
    if (!status) status = paint_as_asked(scene.map, r->of, e);
    const char *note = r->done || !r->of->folder ? "" : OMITTED; /* once */
    return status ? status : paint_file(r, path, note, write_map, scene.map, e);
}

static int each(struct paint_run *r, bool paints, struct error *e)
{
    const struct record *from = r->of->record;
    int status = 0;
    for (int i = 0; from && r->of->formats & SCIARA_PNG && i < record_count(from) && !status; i++) {
        if (!paint_asks(r, i) || !record_is(from, i, SCENE_MAP)) continue;
        FREED char *path = paint_path(r, i, ".png", e);
        status = !path ? ERROR_FAILED : paints ? paint_map(r, i, path, e) : paint_count(r, path, e);
    }
    return status;
}

static int check_painting(const struct painting *p, struct error *e)
{
    struct paint_run r = {p, 0, 0};
    if (p->title) *p->complaint = text_format("%s", OMITTED);
    int status = painters_have(p->formats, e);
    if (!status) status = each(&r, false, e);
    return status || r.all || !p->record ? status
                                         : error_input(e, "there is no map to show: " OMITTED);
}

/* Paints maps only; bulletins and diagrams are omitted. */
static int paint_maps(const struct painting *p, struct error *e)
{
    struct painting quiet = *p;
    struct paint_run count = {&quiet, 0, 0};
    quiet.before = NULL;
    int status = each(&count, false, e);
    if (!status && p->path && !count.all)
        status = error_input(e, "%s: is not a map: " OMITTED, p->path);
    struct paint_run r = {p, 0, count.all};
    return status ? status : each(&r, true, e);
}

const unsigned painters_lack = PAINTED & ~SCIARA_PNG;
const char painters_about[] = "maps as PNG without words; all else: built without painters";

const struct painters *painters_load(struct error *e)
{
    static const struct painters plain = {PAINTERS_ABI, SCIARA_VERSION, check_painting, paint_maps};
    return &plain;
}
