/* map.c — the layout of the page. */
#include "map.h"

#include "map_page.h"
#include "draw/png_file.h"
#include "draw/roundnum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct font title_font = {34, FONT_BOLD, 0, 0},
                         subtitle_font = {20, FONT_REGULAR, 0, 0},
                         tick_font = {17, FONT_REGULAR, 0, 0}, note_font = {14, FONT_REGULAR, 0, 0},
                         alert_font = {18, FONT_BOLD, 0, 0};

enum {
    MARGIN = 48,
    TITLE_LEAD = 50,
    SUBTITLE_LEAD = 32,
    NOTE_LEAD = 25,
    ALERT_LEAD = 34,
    BAND = 62,       /* height of the warning */
    AXIS_TITLE = 34, /* room for "Northing (km)" on its side */
    TICK = 9,
    AXIS_BELOW = 88,  /* tick labels and "Easting (km)" */
    GAP = 46,         /* between the map and what stands beside it */
    NARROWEST = 1100, /* page */
};

/* Where things are that are neither in the map nor beside it. */
struct layout {
    int width, height; /* of the page */
    double text_width; /* of title, subtitle and notes */
    int band_y, note_y;
    double side_x, side_y, side_bottom, bar_height;
    bool side_below;       /* of a wide map: under it, in columns */
    double step_x, step_y; /* of the ticks, in metres */
    char notes[1200];
};

bool map_any(const struct map *m, const unsigned char *mask)
{
    for (size_t i = 0; mask && i < (size_t)m->rows * m->cols; i++)
        if (mask[i]) return true;
    return false;
}

/* From 0 where the values reach down to less than half of the largest, as thicknesses do; up to the
 * largest, unless a few far out ones would make everything else one colour. */
static void choose_range(struct map_page *p)
{
    const struct map_grid *g = &p->grid;
    double span = g->most - g->least, low_step = roundnum_above(fmax(span, 1e-30) / 8);
    p->hi = g->most;
    if (g->least >= 0 && (g->least <= 0.5 * g->most || span == 0)) p->lo = 0;
    else p->lo = floor(g->least / low_step) * low_step;
    double usual = g->usual_most - p->lo;
    if (usual > 0 && usual < 0.6 * (p->hi - p->lo)) {
        double step = roundnum_above(usual / 8);
        p->hi = p->lo + step * ceil(usual / step);
        p->open_top = true;
    }
    if (!(p->hi > p->lo)) p->hi = p->lo + 1;
}

/* Ticks as near as looks well, yet at least two on an axis if numbers have room for that. */
static double tick_step(double extent_px, double metres_per_px, double apart_px)
{
    double near = fmax(70, fmin(apart_px, extent_px / 3));
    return roundnum_above(near * metres_per_px);
}

static const char *tick_text(char text[32], double metres, double step)
{
    return step >= 100 ? roundnum_text(text, metres / 1000, step / 1000)
                       : roundnum_text(text, metres, step);
}

static double tick_label_width(const struct map_page *p, double step)
{
    char text[32];
    double south = p->m->geo.south_m, north = south + p->m->geo.cell_m * p->m->rows;
    return fmax(font_width(&tick_font, tick_text(text, floor(south / step) * step, step)),
                font_width(&tick_font, tick_text(text, floor(north / step) * step, step)));
}

static void write_notes(char *out, size_t size, const struct map *m)
{
    const struct crs *crs = &m->geo.crs;
    char number[32], code[32] = "";
    if (crs->epsg) snprintf(code, sizeof code, *crs->name ? " (EPSG:%d)" : "EPSG:%d", crs->epsg);
    const char *name = *crs->name || *code ? crs->name
                       : crs->key_count    ? "User-defined coordinate system"
                                           : "Coordinate system not known";
    snprintf(out, size, "%s%s. Cells of %s m, %d \xC3\x97 %d.%s%s", name, code,
             roundnum_text(number, m->geo.cell_m, m->geo.cell_m), m->cols, m->rows,
             m->note && *m->note ? "\n" : "", m->note ? m->note : "");
}

/* The alert and the notes, line for line; returns the y below. Only measured if !paint. */
static int draw_notes(struct map_page *p, const struct layout *l, bool paint)
{
    char line[sizeof l->notes];
    int y = l->note_y;
    if (p->m->alert && *p->m->alert)
        y += ALERT_LEAD * font_paragraph(paint ? &p->canvas : NULL, &alert_font, p->map.x0,
                                         y + alert_font.size_px, l->text_width, ALERT_LEAD, 3,
                                         map_alarm, p->m->alert);
    for (const char *s = l->notes; *s;) {
        size_t length = strcspn(s, "\n");
        memcpy(line, s, length);
        line[length] = '\0';
        y += NOTE_LEAD * font_paragraph(paint ? &p->canvas : NULL, &note_font, p->map.x0,
                                        y + note_font.size_px, l->text_width, NOTE_LEAD, 3,
                                        map_grey, line);
        s += length + (s[length] == '\n');
    }
    return y;
}

/* Title and subtitle; returns the y below. */
static int draw_titles(struct map_page *p, double width, bool paint)
{
    struct canvas *c = paint ? &p->canvas : NULL;
    const char *title = p->m->title ? p->m->title : "", *sub = p->m->subtitle ? p->m->subtitle : "";
    int y = MARGIN;
    y += TITLE_LEAD * font_paragraph(c, &title_font, p->map.x0, y + title_font.size_px, width,
                                     TITLE_LEAD, 3, map_black, title);
    y += SUBTITLE_LEAD * font_paragraph(c, &subtitle_font, p->map.x0, y + 4 + subtitle_font.size_px,
                                        width, SUBTITLE_LEAD, 4, map_grey, sub);
    return y + 14;
}

/* Beside the map or, where the map is wide and low, under it. */
static void place_side(struct map_page *p, struct layout *l, int map_wide, int map_high)
{
    l->bar_height = fmax(260, fmin(560, 0.45 * map_high));
    double key = map_key(p, 0, 0, l->bar_height, false), symbols = map_symbols(p, 0, 0, false);
    double scale = map_scale_and_north(p, 0, 0, false);
    double stacked = key + symbols + scale + 60;
    l->side_below = map_high < 0.8 * stacked && map_wide >= 3 * (MAP_SIDE_WIDTH + GAP);
    if (l->side_below) {
        l->side_x = p->map.x0;
        l->side_y = p->map.y0 + map_high + AXIS_BELOW + 24;
        l->side_bottom = l->side_y + fmax(key, fmax(symbols, scale));
    } else {
        l->side_x = p->map.x0 + map_wide + GAP;
        l->side_y = p->map.y0;
        l->side_bottom = l->side_y + fmax(stacked, map_high);
    }
}

static void plan(struct map_page *p, struct layout *l)
{
    const struct map *m = p->m;
    int wide = p->grid.cols * p->grid.enlarge, high = p->grid.rows * p->grid.enlarge;
    p->metres_per_px = m->geo.cell_m * p->grid.block / p->grid.enlarge;
    l->step_x = tick_step(wide, p->metres_per_px, 200);
    l->step_y = tick_step(high, p->metres_per_px, 150);
    p->map.x0 = MARGIN + AXIS_TITLE + (int)ceil(tick_label_width(p, l->step_y)) + TICK + 8;
    place_side(p, l, wide, high);
    l->width = (int)(l->side_below ? p->map.x0 + wide : l->side_x + MAP_SIDE_WIDTH) + MARGIN;
    if (l->width < NARROWEST) l->width = NARROWEST;
    l->text_width = l->width - MARGIN - p->map.x0;

    p->map.y0 = draw_titles(p, l->text_width, false) + 4;
    l->band_y = p->map.y0;
    if (m->warning && *m->warning) p->map.y0 += BAND + 10;
    p->map.x1 = p->map.x0 + wide;
    p->map.y1 = p->map.y0 + high;
    place_side(p, l, wide, high);
    write_notes(l->notes, sizeof l->notes, m);
    l->note_y = (int)fmax(p->map.y1 + AXIS_BELOW, l->side_bottom) + 16;
    l->height = draw_notes(p, l, false) + MARGIN - 14;
}

static void draw_side(struct map_page *p, const struct layout *l)
{
    double x = l->side_x, y = l->side_y;
    if (l->side_below) {
        double apart = fmin(2 * MAP_SIDE_WIDTH, (p->map.x1 - p->map.x0 - MAP_SIDE_WIDTH) / 2.0);
        map_key(p, x, y, l->bar_height, true);
        map_symbols(p, x + apart, y, true);
        map_scale_and_north(p, x + 2 * apart, y, true);
        return;
    }
    y = map_key(p, x, y, l->bar_height, true) + 14;
    map_symbols(p, x, y, true);
    double high = map_scale_and_north(p, 0, 0, false);
    map_scale_and_north(p, x, l->side_bottom - high, true);
}

static void draw_ticks_x(struct map_page *p, double step)
{
    struct canvas *c = &p->canvas;
    const struct font f = {tick_font.size_px, tick_font.weight, 0, 0.5};
    double west = p->m->geo.west_m, y = p->map.y1 + 2;
    char text[32];
    for (double k = ceil(west / step - 1e-6);; k++) {
        double x = p->map.x0 + (k * step - west) / p->metres_per_px;
        if (!(x <= p->map.x1 + 0.01)) break;
        canvas_rectangle(c, x - 0.8, y, x + 0.8, y + TICK);
        canvas_ink(c, map_black, 1);
        font_write(c, &f, x, y + TICK + 9 + f.size_px, map_black, tick_text(text, k * step, step));
    }
    font_write(c, &f, (p->map.x0 + p->map.x1) / 2.0, y + 76, map_grey,
               step >= 100 ? "Easting (km)" : "Easting (m)");
}

static void draw_ticks_y(struct map_page *p, double step)
{
    struct canvas *c = &p->canvas;
    struct font f = {tick_font.size_px, tick_font.weight, 0, 1};
    double north = p->m->geo.south_m + p->m->geo.cell_m * p->m->rows, x = p->map.x0 - 2;
    char text[32];
    for (double k = floor(north / step + 1e-6);; k--) {
        double y = p->map.y0 + (north - k * step) / p->metres_per_px;
        if (!(y <= p->map.y1 + 0.01)) break;
        canvas_rectangle(c, x - TICK, y - 0.8, x, y + 0.8);
        canvas_ink(c, map_black, 1);
        font_write(c, &f, x - TICK - 6, y + f.size_px / 2, map_black,
                   tick_text(text, k * step, step));
    }
    f.anchor = 0.5;
    f.angle = acos(0.0);
    font_write(c, &f, MARGIN + f.size_px, (p->map.y0 + p->map.y1) / 2.0, map_grey,
               step >= 100 ? "Northing (km)" : "Northing (m)");
}

/* The band above a map of synthetic terrain. */
static void draw_warning(struct map_page *p, const struct layout *l)
{
    const char *text = p->m->warning;
    double band = fmax(p->map.x1 - p->map.x0, fmin(l->text_width, 600));
    struct font f = {28, FONT_BOLD, 0, 0.5};
    f.size_px *= fmin(1, 0.94 * band / font_width(&f, text));
    canvas_rectangle(&p->canvas, p->map.x0 - 2, l->band_y, p->map.x0 + band + 2, l->band_y + BAND);
    canvas_ink(&p->canvas, map_alarm, 1);
    font_write(&p->canvas, &f, p->map.x0 + band / 2, l->band_y + BAND / 2.0 + f.size_px / 2,
               map_white, text);
}

static int draw(struct map_page *p, const struct layout *l, struct error *e)
{
    int status = map_terrain(p, e);
    if (status) return status;
    if (p->m->warning && *p->m->warning) draw_warning(p, l);
    canvas_frame(&p->canvas, p->map.x0 - 2, p->map.y0 - 2, p->map.x1 + 2, p->map.y1 + 2, 2);
    canvas_ink(&p->canvas, map_black, 1);
    draw_titles(p, l->text_width, true);
    draw_ticks_x(p, l->step_x);
    draw_ticks_y(p, l->step_y);
    draw_side(p, l);
    draw_notes(p, l, true);
    return 0;
}

int map_write(const char *path, const struct map *m, struct error *e)
{
    struct map_page page = {.m = m};
    struct layout layout = {0};
    /* such coordinates still leave the numbers of ticks exact */
    if (m->rows < 1 || m->cols < 1 || !(m->geo.cell_m >= 1e-4 && m->geo.cell_m < 1e9) ||
        !(fabs(m->geo.west_m) < 1e10 && fabs(m->geo.south_m) < 1e10))
        return error_failed(e, "%s: a map of %d x %d cells of %g m cannot be drawn", path, m->rows,
                            m->cols, m->geo.cell_m);
    int status = map_grid_create(&page.grid, m, e);
    if (status) return status;
    colours_lava(&page.scale);
    choose_range(&page);
    map_choose_contours(&page);
    plan(&page, &layout);
    status = canvas_create(&page.canvas, layout.width, layout.height, e);
    if (!status) status = draw(&page, &layout, e);
    if (!status) status = png_file_write(path, &page.canvas, m->title ? m->title : "", e);
    canvas_free(&page.canvas);
    map_grid_free(&page.grid);
    return status;
}
