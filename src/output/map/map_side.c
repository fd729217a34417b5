/* map_side.c — the column next to a map: colour bar or classes, symbols, scale bar, north arrow. */
#include "map_page.h"

#include "draw/roundnum.h"

#include <math.h>
#include <stdio.h>

static const struct font heading = {18, FONT_BOLD, 0, 0}, label = {17, FONT_REGULAR, 0, 0},
                         centred = {17, FONT_REGULAR, 0, 0.5};

enum { LINE = 36, SAMPLE = 46, BAR = 46 };

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static double draw_heading(struct map_page *p, double x, double y, const char *text)
{
    return y + 28 * font_paragraph(&p->canvas, &heading, x, y + heading.size, MAP_SIDE_WIDTH, 28, 3,
                                   map_black, text);
}

/* A colour per pixel or wider: cairo's gradients go straight through RGB, the scale does not. */
static void draw_bar(struct map_page *p, double x, double y, double height)
{
    struct canvas *c = &p->canvas;
    const double x0 = canvas_snap(c, x), y0 = canvas_snap(c, y), x1 = canvas_snap(c, x + BAR),
                 y1 = canvas_snap(c, y + height);
    for (int i = 0; i < COLOUR_STEPS; i++) { /* from the top, each down to the end */
        canvas_rectangle(c, x0, canvas_snap(c, y0 + (y1 - y0) * i / COLOUR_STEPS), x1, y1);
        canvas_ink(c, p->scale.step[COLOUR_STEPS - 1 - i], 1);
    }
    canvas_frame(c, x0 - 1, y0 - 1, x1 + 1, y1 + 1, 1.5, map_black);
    if (!p->open_top) return;
    const double tip[3][2] = {{x0, y0 - 2}, {(x0 + x1) / 2, y0 - 24}, {x1, y0 - 2}};
    canvas_polygon(c, tip, 3);
    canvas_ink(c, p->scale.step[COLOUR_STEPS - 1], 1);
    canvas_segment(c, tip[0][0], tip[0][1], tip[1][0], tip[1][1]);
    cairo_line_to(c->cr, tip[2][0], tip[2][1]);
    canvas_stroke(c, 1.5, map_black, 1);
}

static void number_bar(struct map_page *p, double x, double y, double height)
{
    const struct roundnum_ticks t = roundnum_ticks(p->lo, p->hi, fmin(8, height / 45));
    const double per_unit = height / (p->hi - p->lo);
    char text[32];
    for (int i = 0; i < t.count; i++) {
        const double v = (t.index + i) * t.step, ty = y + height - (v - p->lo) * per_unit;
        canvas_segment(&p->canvas, x + BAR + 1, ty, x + BAR + 9, ty);
        canvas_stroke(&p->canvas, 1.5, map_black, 1);
        font_write(&p->canvas, &label, x + BAR + 16, ty + label.size / 2, map_black,
                   roundnum_grouped(roundnum_text(text, v, t.step)));
    }
}

static double bar_key(struct map_page *p, double x, double y, double height)
{
    char text[256], most[32];
    const char *unit = or_empty(p->m->unit), *quantity = or_empty(p->m->quantity);
    snprintf(text, sizeof text, *unit ? "%.200s (%.40s)" : "%.200s", quantity, unit);
    y = draw_heading(p, x, y, text);
    if (!p->grid.count) snprintf(text, sizeof text, "none");
    else snprintf(text, sizeof text, "largest %s %.40s", roundnum_brief(most, p->grid.most), unit);
    font_write(&p->canvas, &label, x, y + label.size, map_grey, text);
    y += LINE + 6;
    if (!p->grid.count) return y;
    if (p->open_top) y += 24;
    draw_bar(p, x, y, height);
    number_bar(p, x, y, height);
    return y + height + 20;
}

static double class_key(struct map_page *p, double x, double y)
{
    const struct map *m = p->m;
    struct canvas *c = &p->canvas;
    if (m->quantity && *m->quantity) y = draw_heading(p, x, y, m->quantity) + 6;
    for (int k = 0; k < m->class_count && k < MAP_CLASSES_MOST; k++) {
        canvas_rectangle(c, x, y, x + SAMPLE, y + 24);
        canvas_ink(c, m->classes[k].rgb, 1);
        canvas_frame(c, x, y, x + SAMPLE, y + 24, 1, map_black);
        int lines = font_paragraph(c, &label, x + SAMPLE + 14, y + 12 + label.size / 2,
                                   MAP_SIDE_WIDTH - SAMPLE - 14, 26, 3, map_black,
                                   or_empty(m->classes[k].label));
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
    font_write(&p->canvas, &label, x + SAMPLE + 14, y + 12 + label.size / 2, map_black, text);
    return y + LINE;
}

double map_symbols(struct map_page *p, double x, double y)
{
    char text[64], number[32];
    if (map_any(p->m, p->m->outline)) {
        map_outline_sample(p, x, y + 12, SAMPLE);
        y = symbol_text(p, x, y, "observed outline");
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
        y = symbol_text(p, x, y, "place of interest");
    }
    if (p->m->barrier_count) {
        map_barrier_sample(p, x, y + 12, SAMPLE);
        y = symbol_text(p, x, y, "barrier");
    }
    if (p->contour_m > 0) {
        map_contour_sample(p, x, y + 12, SAMPLE);
        snprintf(text, sizeof text, "contours every %s m",
                 roundnum_text(number, p->contour_m, p->contour_m));
        y = symbol_text(p, x, y, text);
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

/* About the middle (x, y), towards true north. */
static void draw_north(struct map_page *p, double x, double y)
{
    struct canvas *c = &p->canvas;
    const struct font n = {22, FONT_BOLD, 0, 0.5};
    const double shape[4][2] = {{0, -21}, {-19, 55}, {0, 38}, {19, 55}}; /* to the north */
    const double s = sin(p->north_rad), k = cos(p->north_rad);
    double at[4][2];
    for (int i = 0; i < 4; i++) {
        at[i][0] = x + k * shape[i][0] - s * shape[i][1];
        at[i][1] = y + s * shape[i][0] + k * shape[i][1];
    }
    font_write(c, &n, x + 44 * s, y - 44 * k + n.size / 2, map_black, "N");
    const double left[3][2] = {{at[0][0], at[0][1]}, {at[2][0], at[2][1]}, {at[1][0], at[1][1]}};
    const double right[3][2] = {{at[0][0], at[0][1]}, {at[2][0], at[2][1]}, {at[3][0], at[3][1]}};
    canvas_polygon(c, left, 3);
    canvas_ink(c, map_black, 1);
    canvas_polygon(c, left, 3);
    canvas_polygon(c, right, 3);
    canvas_stroke(c, 2, map_black, 1);
}

static void draw_scale_bar(struct map_page *p, double x, double y)
{
    enum { PARTS = 4, HIGH = 12 };
    struct canvas *c = &p->canvas;
    double metres = roundnum_below(302 * p->metres_per_unit), length = metres / p->metres_per_unit;
    double unit = metres >= 1000 ? 1000 : 1;
    char number[32], text[48];
    for (int i = 0; i < PARTS; i += 2)
        canvas_rectangle(c, x + length * i / PARTS, y, x + length * (i + 1) / PARTS, y + HIGH);
    canvas_ink(c, map_black, 1);
    canvas_frame(c, x - 1, y - 1, x + length + 1, y + HIGH + 1, 1.5, map_black);
    double base = y + HIGH + 12 + centred.size;
    font_write(c, &centred, x, base, map_black, "0");
    font_write(c, &centred, x + length / 2, base, map_black,
               roundnum_text(number, metres / unit / 2, metres / unit / 2));
    snprintf(text, sizeof text, "%s %s", roundnum_text(number, metres / unit, metres / unit),
             unit > 1 ? "km" : "m");
    font_write(c, &label, x + length - font_width(c, &label, number) / 2, base, map_black, text);
}

void map_scale_and_north(struct map_page *p, double x, double y)
{
    draw_north(p, x + 24 + 40 * fabs(sin(p->north_rad)), y + 55);
    draw_scale_bar(p, x + 8, y + 134);
}
