/* map.c — the page of a map: lays out the page, and draws everything on it except the map itself. */
/* build: optimized */
#include "map.h"
#include "map_page.h"

#include "record/roundnum.h"
#include "raster/projection.h"
#include "text/words.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a small map of the whole domain, with a frame where the map is -------------------------- */

enum { LOCATOR_WIDE = 230, LOCATOR_HIGH = 190, HEAD = 34, BELOW = 40 };

/* Whether the mask has a nonzero cell in the domain. */
static bool map_any(const struct map *m, const unsigned char *mask)
{
    for (size_t i = 0; mask && i < (size_t)m->rows * m->cols; i++)
        if (mask[i]) return true;
    return false;
}

static int domain_rows(const struct map *m)
{
    return m->around ? m->around->domain_rows : m->rows;
}

static int domain_cols(const struct map *m)
{
    return m->around ? m->around->domain_cols : m->cols;
}

static bool is_part(const struct map_page *p)
{
    const struct window *k = &p->grid.crop;
    return k->rows < 0.8 * domain_rows(p->m) || k->cols < 0.8 * domain_cols(p->m);
}

static double map_locator_height(const struct map_page *p)
{
    if (!is_part(p)) return 0;
    return HEAD + fmin(LOCATOR_HIGH, (double)LOCATOR_WIDE * domain_rows(p->m) / domain_cols(p->m)) +
           BELOW;
}

static struct map domain_of(const struct map *m)
{
    struct map whole = *m;
    const struct map_around *a = m->around;
    whole.crop = (struct window){0};
    whole.outline = NULL;
    if (!a) return whole;
    whole.sea = a->sea;
    whole.rows = a->rows;
    whole.cols = a->cols;
    whole.geo.cell_m *= a->every;
    whole.elevation_m = a->elevation_m;
    whole.value = a->value;
    whole.row = NULL;
    whole.kind = MAP_SEQUENTIAL;
    return whole;
}

static void paint_grid(cairo_surface_t *picture, const struct map_grid *g, const float *shade)
{
    const int stride = cairo_image_surface_get_stride(picture), n = g->enlarge;
    unsigned char *data = cairo_image_surface_get_data(picture);
    for (int y = 0; y < g->rows * n; y++)
        for (int x = 0; x < g->cols * n; x++) {
            const size_t i = (size_t)(y / n) * g->cols + (size_t)(x / n);
            const uint32_t grey =
                isnan(shade[i]) ? 235 : (uint32_t)(255 * (0.5f + 0.5f * shade[i]));
            const bool sea = g->sea && g->sea[i] && isnan(g->elevation_m[i]);
            *(uint32_t *)(void *)(data + (size_t)y * (size_t)stride + 4 * (size_t)x) =
                g->cover[i] ? 0xA01420
                : sea       ? map_pixel(colours_sea)
                            : grey << 16 | grey << 8 | grey;
        }
}

static int draw_locator(struct map_page *p, const struct map_grid *g, double cell_m, double x,
                        double y, struct error *e)
{
    static const struct map_around none = {.every = 1};
    const struct map_around *a = p->m->around ? p->m->around : &none;
    const struct window *k = &p->grid.crop;
    FREED float *shade = malloc((size_t)g->rows * g->cols * sizeof *shade);
    cairo_surface_t *picture =
        canvas_picture_create(CAIRO_FORMAT_RGB24, g->cols * g->enlarge, g->rows * g->enlarge, e);
    int status = ERROR_FAILED;
    if (picture && !shade) error_memory(e);
    if (picture && shade)
        status = hillshade(shade, g->elevation_m, g->rows, g->cols, cell_m * g->block, e);
    if (!status) {
        const double unit = g->pixels / p->canvas.scale / g->block / a->every; /* units per cell */
        const double x1 = x + unit * domain_cols(p->m), y1 = y + unit * domain_rows(p->m);
        const int row0 = a->row0 + k->row0, col0 = a->col0 + k->col0;
        paint_grid(picture, g, shade);
        canvas_clip(&p->canvas, x, y, x1, y1);
        canvas_picture(&p->canvas, picture, x, y, g->pixels / g->enlarge / p->canvas.scale);
        map_locator_coast(p, x, y, unit);
        canvas_unclip(&p->canvas);
        canvas_frame(&p->canvas, x - 1, y - 1, x1 + 1, y1 + 1, 1.5, canvas_black);
        canvas_frame(&p->canvas, x + unit * col0 - 1, y + unit * row0 - 1,
                     x + unit * (col0 + k->cols) + 1, y + unit * (row0 + k->rows) + 1, 3,
                     canvas_alarm);
    }
    if (picture) cairo_surface_destroy(picture);
    return status;
}

static const char *word_text(const struct map *m, const char *packed, char out[MAP_WORD])
{
    return words_fill(out, MAP_WORD, packed, m->language);
}

char *map_text(const struct map *m, const char *text, char out[MAP_TEXT])
{
    const bool packed = text && strpbrk(text, WORDS_NEXT WORDS_PART);
    if (packed) return words_fill(out, MAP_TEXT, text, m->language);
    snprintf(out, MAP_TEXT, "%s", text ? text : "");
    return out;
}

static const char *number_said(const struct map *m, double v, double step, char text[32])
{
    return words_number(roundnum_text(text, v, step), 32, m->language);
}

/* Draws the locator, which shows where in the domain the map is. If the map shows the whole domain, draws nothing. */
static int map_locator(struct map_page *p, double x, double y, struct error *e)
{
    static const struct font heading = {18, FONT_BOLD, 0, 0};
    const struct map whole = domain_of(p->m);
    struct map_grid g;
    const double scale = p->canvas.scale;
    char room[MAP_WORD];
    if (!is_part(p)) return 0;
    int status = map_grid_create(
        &g, &whole,
        (struct map_room){(int)(LOCATOR_WIDE * scale), (int)(LOCATOR_HIGH * scale), true}, e);
    if (status) return status;
    font_write(&p->canvas, &heading, x, y + heading.size, canvas_black,
               word_text(p->m, "Location", room));
    status = draw_locator(p, &g, whole.geo.cell_m, canvas_snap(&p->canvas, x),
                          canvas_snap(&p->canvas, y + HEAD), e);
    map_grid_free(&g);
    return status;
}

/* ---- the column beside a map: colour bar or classes, symbols, scale bar, north arrow --------------- */

static const struct font heading = {18, FONT_BOLD, 0, 0}, label = {17, FONT_REGULAR, 0, 0},
                         centred = {17, FONT_REGULAR, 0, 0.5};

/* The parts of the column next to the map. Each is drawn below y and right of x, at most MAP_SIDE_WIDTH wide. */
enum { MAP_SCALE_AND_NORTH_HIGH = 178 };
enum { LINE = 36, SAMPLE = 46, BAR = 46 };

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

/* Whether the map has values. The map of a legend alone has none. */
static bool has_values(const struct map *m)
{
    return m->value || m->row;
}

static double draw_heading(struct map_page *p, double x, double y, const char *text)
{
    char room[MAP_WORD];
    const int lines = has_values(p->m) ? 3 : 6;
    return y + 28 * font_paragraph(&p->canvas, &heading, x, y + heading.size, MAP_SIDE_WIDTH, 28,
                                   lines, canvas_black, word_text(p->m, text, room));
}

/* Draws a rectangle for each colour, at least a pixel high. A gradient of cairo would interpolate in RGB, unlike the
 * scale. */
static void draw_bar(struct map_page *p, double x, double y, double height)
{
    struct canvas *c = &p->canvas;
    const double x0 = canvas_snap(c, x), y0 = canvas_snap(c, y), x1 = canvas_snap(c, x + BAR),
                 y1 = canvas_snap(c, y + height);
    /* Each rectangle reaches the lower end of the bar. The next rectangle covers a part of it. */
    for (int i = 0; i < COLOUR_STEPS; i++) {
        canvas_rectangle(c, x0, canvas_snap(c, y0 + (y1 - y0) * i / COLOUR_STEPS), x1, y1);
        canvas_ink(c, p->scale.step[COLOUR_STEPS - 1 - i], 1);
    }
    canvas_frame(c, x0 - 1, y0 - 1, x1 + 1, y1 + 1, 1.5, canvas_black);
    if (!p->open_top) return;
    const double tip[3][2] = {{x0, y0 - 2}, {(x0 + x1) / 2, y0 - 24}, {x1, y0 - 2}};
    canvas_polygon(c, tip, 3);
    canvas_ink(c, p->scale.step[COLOUR_STEPS - 1], 1);
    canvas_segment(c, tip[0][0], tip[0][1], tip[1][0], tip[1][1]);
    cairo_line_to(c->cr, tip[2][0], tip[2][1]);
    canvas_stroke(c, 1.5, canvas_black, 1);
}

static void number_bar(struct map_page *p, double x, double y, double height)
{
    const struct roundnum_ticks t = roundnum_ticks(p->grid.lo, p->grid.hi, fmin(8, height / 45));
    const double per_unit = height / (p->grid.hi - p->grid.lo);
    char text[32];
    for (int i = 0; i < t.count; i++) {
        const double v = (t.index + i) * t.step, ty = y + height - (v - p->grid.lo) * per_unit;
        canvas_segment(&p->canvas, x + BAR + 1, ty, x + BAR + 9, ty);
        canvas_stroke(&p->canvas, 1.5, canvas_black, 1);
        font_write(&p->canvas, &label, x + BAR + 16, ty + label.size / 2, canvas_black,
                   words_number(roundnum_grouped(roundnum_text(text, v, t.step)), sizeof text,
                                p->m->language));
    }
}

static double largest_value(struct map_page *p, double x, double y, const char *unit)
{
    char text[256], room[MAP_WORD], most[32];
    if (!p->grid.range.count) snprintf(text, sizeof text, "none");
    else
        words_pack(text, sizeof text, "largest %s %.40s", roundnum_brief(most, p->grid.range.most),
                   unit);
    font_write(&p->canvas, &label, x, y + label.size, canvas_grey, word_text(p->m, text, room));
    return y + LINE + 6;
}

static double bar_key(struct map_page *p, double x, double y, double height)
{
    char text[256], room[MAP_WORD];
    const char *unit = or_empty(p->m->unit), *quantity = or_empty(p->m->quantity);
    snprintf(text, sizeof text, *unit && has_values(p->m) ? "%.200s (%.40s)" : "%.200s",
             word_text(p->m, quantity, room), unit);
    y = draw_heading(p, x, y, text);
    if (has_values(p->m)) y = largest_value(p, x, y, unit);
    else {
        font_write(&p->canvas, &label, x, y + label.size, canvas_grey, unit);
        y += LINE + 6;
    }
    if (has_values(p->m) && !p->grid.range.count) return y;
    if (p->open_top) y += 24;
    draw_bar(p, x, y, height);
    number_bar(p, x, y, height);
    return y + height + 20;
}

static double class_key(struct map_page *p, double x, double y)
{
    const struct map *m = p->m;
    struct canvas *c = &p->canvas;
    char room[MAP_WORD];
    if (m->quantity && *m->quantity) y = draw_heading(p, x, y, m->quantity) + 6;
    for (int k = 0; k < m->class_count && k < MAP_CLASSES_MOST; k++) {
        canvas_rectangle(c, x, y, x + SAMPLE, y + 24);
        canvas_ink(c, m->classes[k].rgb, 1);
        canvas_frame(c, x, y, x + SAMPLE, y + 24, 1, canvas_black);
        int lines = font_paragraph(c, &label, x + SAMPLE + 14, y + 12 + label.size / 2,
                                   MAP_SIDE_WIDTH - SAMPLE - 14, 26, 3, canvas_black,
                                   word_text(m, or_empty(m->classes[k].label), room));
        y += LINE + (lines > 1 ? 26 * (lines - 1) : 0);
    }
    return y + 8;
}

double map_key(struct map_page *p, double x, double y, double bar_height)
{
    return p->m->kind == MAP_CLASSES ? class_key(p, x, y) : bar_key(p, x, y, bar_height);
}

static double symbol_text(struct map_page *p, double x, double y, const char *text)
{
    char room[MAP_WORD];
    font_write(&p->canvas, &label, x + SAMPLE + 14, y + 12 + label.size / 2, canvas_black,
               word_text(p->m, text, room));
    return y + LINE;
}

static double line_symbol(struct map_page *p, double x, double y, double width, struct rgb colour,
                          double alpha, const char *text)
{
    canvas_segment(&p->canvas, x, y + 12, x + SAMPLE, y + 12);
    canvas_stroke(&p->canvas, width, colour, alpha);
    return symbol_text(p, x, y, text);
}

static double map_symbols(struct map_page *p, double x, double y)
{
    char text[64], number[32];
    if (map_any(p->m, p->m->outline)) {
        y = line_symbol(p, x, y, 2.8, colours_outline, 1, "observed outline");
    }
    if (p->fissures) {
        map_fissure_sample(p, x, y + 12, SAMPLE);
        y = symbol_text(p, x, y, "fissure");
    }
    if (p->vents) {
        map_vent_symbol(p, x + SAMPLE / 2.0, y + 14);
        y = symbol_text(p, x, y, p->m->mark_name ? p->m->mark_name : "vent");
    }
    if (p->m->place_count) {
        map_place_sample(p, x + SAMPLE / 2.0, y + 12);
        y = symbol_text(p, x, y, p->numbered ? "place, row of its table" : "place of interest");
    }
    if (p->m->barrier_count) {
        y = line_symbol(p, x, y, 2.8, map_barrier, 1, "barrier");
    }
    y = map_background_key(p, x, y, SAMPLE, symbol_text);
    if (p->contour_m > 0) {
        words_pack(text, sizeof text, "contours every %s m",
                   roundnum_text(number, p->contour_m, p->contour_m));
        y = line_symbol(p, x, y, 1.8, map_contour, 0.7, text);
    }
    if (map_any(p->m, p->m->sea)) {
        map_sea_sample(p, x, y, x + SAMPLE, y + 24);
        y = symbol_text(p, x, y, "sea");
    }
    if (p->grid.missing) {
        map_missing_sample(p, x, y, x + SAMPLE, y + 24);
        y = symbol_text(p, x, y, "no terrain data");
    }
    return y;
}

/* Draws the arrow about (x, y), towards true north. */
static void draw_north(struct map_page *p, double x, double y)
{
    struct canvas *c = &p->canvas;
    const struct font n = {22, FONT_BOLD, 0, 0.5};
    const double shape[4][2] = {{0, -21}, {-19, 55}, {0, 38}, {19, 55}}; /* pointing to the north */
    const double s = sin(p->north_rad), k = cos(p->north_rad);
    double at[4][2];
    for (int i = 0; i < 4; i++) {
        at[i][0] = x + k * shape[i][0] - s * shape[i][1];
        at[i][1] = y + s * shape[i][0] + k * shape[i][1];
    }
    font_write(c, &n, x + 44 * s, y - 44 * k + n.size / 2, canvas_black, "N");
    const double left[3][2] = {{at[0][0], at[0][1]}, {at[2][0], at[2][1]}, {at[1][0], at[1][1]}};
    const double right[3][2] = {{at[0][0], at[0][1]}, {at[2][0], at[2][1]}, {at[3][0], at[3][1]}};
    canvas_polygon(c, left, 3);
    canvas_ink(c, canvas_black, 1);
    canvas_polygon(c, left, 3);
    canvas_polygon(c, right, 3);
    canvas_stroke(c, 2, canvas_black, 1);
}

static void draw_scale_bar(struct map_page *p, double x, double y)
{
    enum { PARTS = 4, HIGH = 12 };
    struct canvas *c = &p->canvas;
    double metres = roundnum_below(302 * p->metres_per_unit), length = metres / p->metres_per_unit;
    double unit = metres >= 1000 ? 1000 : 1;
    char half[32], whole[32], text[48];
    for (int i = 0; i < PARTS; i += 2)
        canvas_rectangle(c, x + length * i / PARTS, y, x + length * (i + 1) / PARTS, y + HIGH);
    canvas_ink(c, canvas_black, 1);
    canvas_frame(c, x - 1, y - 1, x + length + 1, y + HIGH + 1, 1.5, canvas_black);
    double base = y + HIGH + 12 + centred.size;
    font_write(c, &centred, x, base, canvas_black, "0");
    font_write(c, &centred, x + length / 2, base, canvas_black,
               number_said(p->m, metres / unit / 2, metres / unit / 2, half));
    snprintf(text, sizeof text, "%s %s", number_said(p->m, metres / unit, metres / unit, whole),
             unit > 1 ? "km" : "m");
    font_write(c, &label, x + length - font_width(c, &label, whole) / 2, base, canvas_black, text);
}

static void map_scale_and_north(struct map_page *p, double x, double y)
{
    draw_north(p, x + 24 + 40 * fabs(sin(p->north_rad)), y + 55);
    draw_scale_bar(p, x + 8, y + 134);
}

/* ---- the page -------------------------------------------------------------------------------- */

static const struct font title_font = {34, FONT_BOLD, 0, 0},
                         subtitle_font = {20, FONT_REGULAR, 0, 0},
                         tick_font = {17, FONT_REGULAR, 0, 0}, note_font = {14, FONT_REGULAR, 0, 0},
                         alert_font = {18, FONT_BOLD, 0, 0}, stamp_font = {22, FONT_BOLD, 0, 0};

/* All fonts of a map, also for headings, the north arrow and contours. */
static const struct font fonts[] = {{34, FONT_BOLD, 0, 0},    {20, FONT_REGULAR, 0, 0},
                                    {17, FONT_REGULAR, 0, 0}, {14, FONT_REGULAR, 0, 0},
                                    {18, FONT_BOLD, 0, 0},    {22, FONT_BOLD, 0, 0},
                                    {12, FONT_REGULAR, 0, 0}, {13, FONT_REGULAR, 0, 0}};

enum {
    MARGIN = 48,
    TITLE_LEAD = 50,
    SUBTITLE_LEAD = 32,
    NOTE_LEAD = 25,
    NOTE_LINES = 5,
    ALERT_LEAD = 34,
    ALERT_LINES = 8,
    STAMP_LEAD = 40,
    SIDE_HIGH = 460, /* height of the column if it is below the map */
    BAND = 62,       /* height of the warning */
    AXIS_TITLE = 34, /* room at the left for "Northing (km)" */
    TICK = 9,
    AXIS_BELOW = 88,  /* room for tick labels and "Easting (km)" */
    GAP = 46,         /* room between the map and the column next to it */
    NARROWEST = 1100, /* least width of the page */
};

/* The positions of all parts of the page, except the map itself. */
struct layout {
    double width, height; /* size of the page: as given, or as the map needs */
    bool given;
    double text_width; /* width of title, subtitle and notes */
    double band_y, note_y;
    double side_x, side_y, side_bottom, bar_height;
    bool side_below;       /* the map is wide, so the column is below it */
    double step_x, step_y; /* distance of the ticks, in metres */
    bool km;               /* the ticks are numbered in kilometres */
    char notes[MAP_TEXT + 400];
};

/* Chooses the distance of ticks, in metres: a round number. On the page the distance is at least `apart` units or, on a
 * short axis, at least a third of the axis. It is never less than 70 units, so numbers have room between ticks. */
static double tick_step(double extent, double metres_per_unit, double apart)
{
    return roundnum_above(fmax(70, fmin(apart, extent / 3)) * metres_per_unit);
}

/* Writes the number at a tick; km: in kilometres. */
static char *tick_text(char text[32], double metres, double step, bool km)
{
    return km ? roundnum_text(text, metres / 1000, step / 1000) : roundnum_text(text, metres, step);
}

/* Returns the greatest width that a number at a tick may have. The grid is not yet chosen, but the part of the domain to
 * show is known. */
static double tick_label_width(const struct map_page *p)
{
    char text[32];
    const struct window *k = &p->m->crop;
    const double cell = p->m->geo.cell_m, south = p->m->geo.south_m,
                 north = south + cell * p->m->rows;
    const double most = cell * (k->rows ? fmax(k->rows, k->cols) : fmax(p->m->rows, p->m->cols));
    const bool km = most >= 3000;
    const double step = km ? 500 : fmin(10, roundnum_below(most / 8));
    return fmax(
        font_width(&p->canvas, &tick_font, tick_text(text, floor(south / step) * step, step, km)),
        font_width(&p->canvas, &tick_font, tick_text(text, floor(north / step) * step, step, km)));
}

static void write_notes(char *out, size_t size, const struct map *m)
{
    const struct crs *crs = &m->geo.crs;
    char number[32], code[32] = "", cells[100], room[MAP_WORD], note[MAP_TEXT];
    if (crs->epsg) snprintf(code, sizeof code, *crs->name ? " (EPSG:%d)" : "EPSG:%d", crs->epsg);
    const char *name = *crs->name || *code ? crs->name
                       : crs->key_count    ? "User-defined coordinate system"
                                           : "Coordinate system not known";
    words_pack(cells, sizeof cells, "Cells of %s m, %d \xC3\x97 %d.",
               roundnum_text(number, m->geo.cell_m, m->geo.cell_m), domain_cols(m), domain_rows(m));
    snprintf(out, size, "%s%s. %s%s%s", words_of(name, m->language), code,
             word_text(m, cells, room), m->note && *m->note ? "\n" : "",
             map_text(m, m->note, note));
}

/* Draws the alert and the notes, each on its own lines. Returns the y below alert and notes. */
static double draw_notes(struct map_page *p, const struct layout *l, double y)
{
    char line[sizeof l->notes], alert[MAP_TEXT];
    if (p->m->alert && *p->m->alert)
        y += ALERT_LEAD * font_paragraph(&p->canvas, &alert_font, p->map.x0, y + alert_font.size,
                                         l->text_width, ALERT_LEAD, ALERT_LINES, canvas_alarm,
                                         map_text(p->m, p->m->alert, alert));
    for (const char *s = l->notes; *s;) {
        const size_t length = strcspn(s, "\n");
        memcpy(line, s, length);
        line[length] = '\0';
        y += NOTE_LEAD * font_paragraph(&p->canvas, &note_font, p->map.x0, y + note_font.size,
                                        l->text_width, NOTE_LEAD, NOTE_LINES, canvas_grey, line);
        s += length + (s[length] == '\n');
    }
    return y;
}

/* Draws title, subtitle and stamp. Returns the y below these texts. */
static double draw_titles(struct map_page *p, double width)
{
    struct canvas *c = &p->canvas;
    char subtitle[MAP_TEXT];
    double y = MARGIN;
    y += TITLE_LEAD * font_paragraph(c, &title_font, p->map.x0, y + title_font.size, width,
                                     TITLE_LEAD, 3, canvas_black, p->m->title);
    y += SUBTITLE_LEAD * font_paragraph(c, &subtitle_font, p->map.x0, y + 4 + subtitle_font.size,
                                        width, SUBTITLE_LEAD, 4, canvas_grey,
                                        map_text(p->m, p->m->subtitle, subtitle));
    y += STAMP_LEAD * font_paragraph(c, &stamp_font, p->map.x0, y + 8 + stamp_font.size, width,
                                     STAMP_LEAD, 2, canvas_alarm, p->m->stamp);
    return y + 14;
}

/* Measures text before the page exists. Returns the y below the notes, which begin at notes_y; if notes_y < 0, the y
 * below the titles. Leaves room for the longer texts of another map (room_subtitle, room_alert). */
static double end_of_text(struct map_page *p, const struct layout *l, double notes_y)
{
    const struct map *own = p->m;
    struct map other = *own;
    double end = notes_y < 0 ? draw_titles(p, l->text_width) : draw_notes(p, l, notes_y);
    other.subtitle = own->room_subtitle ? own->room_subtitle : own->subtitle;
    other.alert = own->room_alert ? own->room_alert : own->alert;
    p->m = &other;
    end = fmax(end, notes_y < 0 ? draw_titles(p, l->text_width) : draw_notes(p, l, notes_y));
    p->m = own;
    return end;
}

/* ---- where everything is --------------------------------------------------------------------- */

/* Returns the magnification of a page: about 1 for A4, less for a smaller page. On a larger page the magnification grows
 * only with the square root of the sides, so the map gets a larger share of the page. */
static double zoom_of(double width_in, double height_in)
{
    enum { LONG = 2200, SHORT = 1560 };
    const double w = width_in * CANVAS_DPI, h = height_in * CANVAS_DPI;
    const double fits = w >= h ? fmin(w / LONG, h / SHORT) : fmin(w / SHORT, h / LONG);
    return fits > 1 ? sqrt(fits) : fits;
}

/* Plans the text, which does not depend on the grid. Returns the room that is left for the grid. */
static struct map_room plan_text(struct map_page *p, struct layout *l)
{
    enum { WIDE = 1650, HIGH = 1250 };
    const struct map *m = p->m;
    struct canvas *c = &p->canvas;
    p->map.x0 = canvas_snap(c, MARGIN + AXIS_TITLE + ceil(tick_label_width(p)) + TICK + 8);
    write_notes(l->notes, sizeof l->notes, m);
    if (!l->given) return (struct map_room){(int)(WIDE * c->scale), (int)(HIGH * c->scale), false};
    l->text_width = l->width - MARGIN - p->map.x0;
    l->side_below = l->width < l->height;
    double wide = l->width - p->map.x0 - MARGIN, high = l->height - end_of_text(p, l, -1) - 4;
    if (m->warning && *m->warning) high -= BAND + 10;
    high -= end_of_text(p, l, 0) + AXIS_BELOW + 16 + MARGIN - 14;
    if (l->side_below) high -= 24 + SIDE_HIGH;
    else wide -= MAP_SIDE_WIDTH + GAP;
    return (struct map_room){(int)(fmax(wide, 100) * c->scale), (int)(fmax(high, 100) * c->scale),
                             true};
}

/* Places the column next to the map, or below it if the map is wide and low. */
static void place_side(struct map_page *p, struct layout *l, double map_wide, double map_high)
{
    l->bar_height =
        l->given && l->side_below ? SIDE_HIGH - 130 : fmax(260, fmin(560, 0.45 * map_high));
    const double symbols = map_symbols(p, 0, 0), scale = MAP_SCALE_AND_NORTH_HIGH;
    const double locator = map_locator_height(p);
    double key = map_key(p, 0, 0, l->bar_height), stacked = key + symbols + scale + locator + 60;
    if ((!l->given || !l->side_below) && stacked > map_high) {
        l->bar_height = fmax(140, l->bar_height - (stacked - map_high));
        key = map_key(p, 0, 0, l->bar_height);
        stacked = key + symbols + scale + locator + 60;
    }
    if (!l->given)
        l->side_below = map_high < 0.8 * stacked && map_wide >= 3 * (MAP_SIDE_WIDTH + GAP);
    if (l->side_below) {
        l->side_x = p->map.x0;
        l->side_y = p->map.y0 + map_high + AXIS_BELOW + 24;
        l->side_bottom = l->side_y + fmax(key, fmax(symbols, scale + locator));
    } else {
        l->side_x = p->map.x0 + map_wide + GAP;
        l->side_y = p->map.y0;
        l->side_bottom = l->side_y + fmax(stacked, map_high);
    }
}

static void plan_page(struct map_page *p, struct layout *l)
{
    const struct map *m = p->m;
    struct canvas *c = &p->canvas;
    const struct window *k = &p->grid.crop;
    const double wide = p->grid.cols * p->node, high = p->grid.rows * p->node;
    p->north_rad = proj_torad(projection_north(&m->geo, m->rows, m->cols));
    p->metres_per_unit = m->geo.cell_m * p->grid.block / p->node;
    p->west_m = m->geo.west_m + m->geo.cell_m * k->col0;
    p->north_m = m->geo.south_m + m->geo.cell_m * (m->rows - k->row0);
    l->step_x = tick_step(wide, p->metres_per_unit, 200);
    l->step_y = tick_step(high, p->metres_per_unit, 150);
    l->km = fmin(l->step_x, l->step_y) >= 100;
    place_side(p, l, wide, high);
    if (!l->given) {
        l->width = (l->side_below ? p->map.x0 + wide : l->side_x + MAP_SIDE_WIDTH) + MARGIN;
        if (l->width < NARROWEST) l->width = NARROWEST;
    }
    l->text_width = l->width - MARGIN - p->map.x0;
    p->map.y0 = end_of_text(p, l, -1) + 4;
    l->band_y = p->map.y0;
    if (m->warning && *m->warning) p->map.y0 += BAND + 10;
    p->map.y0 = canvas_snap(c, ceil(p->map.y0));
    p->map.x1 = p->map.x0 + wide;
    p->map.y1 = p->map.y0 + high;
    place_side(p, l, wide, high);
    l->note_y = fmax(p->map.y1 + AXIS_BELOW, l->side_bottom) + 16;
    const double end = end_of_text(p, l, l->note_y) + MARGIN - 14;
    if (!l->given) l->height = ceil(end);
}

static int draw_side(struct map_page *p, const struct layout *l, struct error *e)
{
    double x = l->side_x, y = l->side_y;
    const double locator = map_locator_height(p);
    if (l->side_below) {
        const double apart = fmin(2 * MAP_SIDE_WIDTH, (l->width - MARGIN - x - MAP_SIDE_WIDTH) / 2);
        map_key(p, x, y, l->bar_height);
        map_symbols(p, x + apart, y);
        map_scale_and_north(p, x + 2 * apart, y + locator);
        return map_locator(p, x + 2 * apart, y, e);
    }
    y = map_key(p, x, y, l->bar_height) + 14;
    map_symbols(p, x, y);
    const double high = MAP_SCALE_AND_NORTH_HIGH;
    map_scale_and_north(p, x, l->side_bottom - high);
    return map_locator(p, x, l->side_bottom - high - locator, e);
}

static void draw_ticks_x(struct map_page *p, const struct layout *l)
{
    const double step = l->step_x;
    struct canvas *c = &p->canvas;
    const struct font f = {tick_font.size, tick_font.weight, 0, 0.5};
    const double west = p->west_m, y = p->map.y1 + 2;
    char text[32], room[MAP_WORD];
    for (double k = ceil(west / step - 1e-6);; k++) {
        double x = p->map.x0 + (k * step - west) / p->metres_per_unit;
        if (!(x <= p->map.x1 + 0.01)) break;
        canvas_rectangle(c, x - 0.8, y, x + 0.8, y + TICK);
        canvas_ink(c, canvas_black, 1);
        words_number(tick_text(text, k * step, step, l->km), sizeof text, p->m->language);
        font_write(c, &f, fmin(x, l->width - 8 - font_width(c, &f, text) / 2),
                   y + TICK + 9 + f.size, canvas_black, text);
    }
    font_write(c, &f, (p->map.x0 + p->map.x1) / 2.0, y + 76, canvas_grey,
               word_text(p->m, l->km ? "Easting (km)" : "Easting (m)", room));
}

static void draw_ticks_y(struct map_page *p, const struct layout *l)
{
    const double step = l->step_y;
    struct canvas *c = &p->canvas;
    struct font f = {tick_font.size, tick_font.weight, 0, 1};
    const double north = p->north_m, x = p->map.x0 - 2;
    char text[32], room[MAP_WORD];
    for (double k = floor(north / step + 1e-6);; k--) {
        double y = p->map.y0 + (north - k * step) / p->metres_per_unit;
        if (!(y <= p->map.y1 + 0.01)) break;
        canvas_rectangle(c, x - TICK, y - 0.8, x, y + 0.8);
        canvas_ink(c, canvas_black, 1);
        font_write(
            c, &f, x - TICK - 6, y + f.size / 2, canvas_black,
            words_number(tick_text(text, k * step, step, l->km), sizeof text, p->m->language));
    }
    f.anchor = 0.5;
    f.angle = acos(0.0);
    font_write(c, &f, MARGIN + f.size, (p->map.y0 + p->map.y1) / 2.0, canvas_grey,
               word_text(p->m, l->km ? "Northing (km)" : "Northing (m)", room));
}

/* Draws the band above a map of synthetic terrain. */
static void draw_warning(struct map_page *p, const struct layout *l)
{
    const char *text = words_of(p->m->warning, p->m->language);
    const double band = fmax(p->map.x1 - p->map.x0, fmin(l->text_width, 600));
    struct font f = {28, FONT_BOLD, 0, 0.5};
    f.size *= fmin(1, 0.94 * band / fmax(1, font_width(&p->canvas, &f, text)));
    canvas_rectangle(&p->canvas, p->map.x0 - 2, l->band_y, p->map.x0 + band + 2, l->band_y + BAND);
    canvas_ink(&p->canvas, canvas_alarm, 1);
    font_write(&p->canvas, &f, p->map.x0 + band / 2, l->band_y + BAND / 2.0 + f.size / 2,
               canvas_white, text);
}

static int draw_map_page(struct map_page *p, const struct layout *l, struct error *e)
{
    int status = map_raster(p, e);
    if (!status) status = map_lines(p, e);
    if (status) return status;
    if (p->m->warning && *p->m->warning) draw_warning(p, l);
    canvas_frame(&p->canvas, p->map.x0 - 2, p->map.y0 - 2, p->map.x1 + 2, p->map.y1 + 2, 2,
                 canvas_black);
    draw_titles(p, l->text_width);
    draw_ticks_x(p, l);
    draw_ticks_y(p, l);
    draw_notes(p, l, l->note_y);
    return draw_side(p, l, e);
}

static int draw_page(struct map_page *p, struct layout *l, struct error *e)
{
    int status = map_grid_create(&p->grid, p->m, plan_text(p, l), e);
    if (status) return status;
    colours_fill(&p->scale, p->m->colours);
    p->open_top = p->grid.range.most > p->grid.hi;
    map_find_vents(p);
    p->node = p->grid.pixels / p->canvas.scale;
    map_choose_contours(p);
    plan_page(p, l);
    status = canvas_page(&p->canvas, l->width, l->height, e);
    if (!status) status = draw_map_page(p, l, e);
    map_grid_free(&p->grid);
    return status;
}

/* Draws *m on page->canvas. The caller frees the canvas, except after an error. The ending of `path` decides the format;
 * messages name `path`. */
static int draw_map(struct map_page *page, const char *path, const struct map *m, struct error *e)
{
    const struct map_paper *paper = &m->paper;
    struct layout layout = {.given = paper->width_in > 0};
    *page = (struct map_page){.m = m};
    /* with these limits the numbers at ticks are exact */
    if (m->rows < 1 || m->cols < 1 || !(m->geo.cell_m >= 1e-4 && m->geo.cell_m < 1e9) ||
        !(fabs(m->geo.west_m) < 1e10 && fabs(m->geo.south_m) < 1e10))
        return error_failed(e, "%s: a map of %d x %d cells of %g m cannot be drawn", path, m->rows,
                            m->cols, m->geo.cell_m);
    const double zoom = layout.given ? zoom_of(paper->width_in, paper->height_in) : 1;
    int status = canvas_create(&page->canvas, path, paper->dpi, zoom, e);
    if (status) return status;
    font_find(&page->canvas, fonts, sizeof fonts / sizeof *fonts);
    layout.width = paper->width_in * CANVAS_DPI / zoom;
    layout.height = paper->height_in * CANVAS_DPI / zoom;
    status = draw_page(page, &layout, e);
    page->scale_denominator = page->metres_per_unit * CANVAS_DPI / (zoom * 0.0254);
    if (status) canvas_free(&page->canvas);
    return status;
}

int map_write(const char *path, const struct map *m, double *scale_denominator, struct error *e)
{
    struct map_page page;
    int status = draw_map(&page, path, m, e);
    if (status) return status;
    if (scale_denominator) *scale_denominator = page.scale_denominator;
    page.canvas.of = m->of;
    status = canvas_write(&page.canvas, path, m->title ? m->title : "", e);
    canvas_free(&page.canvas);
    return status;
}

int map_picture(cairo_surface_t **picture, const struct map *m, struct error *e)
{
    struct map_page page;
    int status = draw_map(&page, "a map", m, e);
    if (status) return status;
    *picture = cairo_surface_reference(cairo_get_target(page.canvas.cr));
    cairo_surface_flush(*picture);
    canvas_free(&page.canvas);
    return 0;
}
