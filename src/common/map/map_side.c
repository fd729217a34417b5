/* map_side.c — what stands beside a map: colour bar or classes, symbols, scale bar, north arrow. */
#include "map_page.h"

#include "draw/roundnum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct font heading = {18, FONT_BOLD, 0, 0}, label = {17, FONT_REGULAR, 0, 0},
                         centred = {17, FONT_REGULAR, 0, 0.5};

enum { LINE = 36, SAMPLE = 46, BAR = 46 };

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static double draw_heading(struct map_page *p, double x, double y, const char *text, bool paint)
{
    int lines = font_paragraph(paint ? &p->canvas : NULL, &heading, x, y + heading.size_px,
                               MAP_SIDE_WIDTH, 28, 3, map_black, text);
    return y + 28 * lines;
}

static void draw_bar(struct map_page *p, double x, double y, double height)
{
    struct canvas *c = &p->canvas;
    int x0 = (int)x, y0 = (int)y, high = (int)height;
    for (int i = 0; i < high; i++) {
        canvas_rectangle(c, x0, y0 + i, x0 + BAR, y0 + i + 1);
        canvas_ink(c, colours_at(&p->scale, 1 - (i + 0.5) / high), 1);
    }
    canvas_frame(c, x0 - 1, y0 - 1, x0 + BAR + 1, y0 + high + 1, 1.5);
    canvas_ink(c, map_black, 1);
    if (!p->open_top) return;
    const double tip[3][2] = {{x0, y0 - 2}, {x0 + BAR / 2.0, y0 - 24}, {x0 + BAR, y0 - 2}};
    canvas_polygon(c, tip, 3);
    canvas_ink(c, p->scale.step[COLOUR_STEPS - 1], 1);
    canvas_segment(c, tip[0][0], tip[0][1], tip[1][0], tip[1][1], 1.5);
    canvas_segment(c, tip[1][0], tip[1][1], tip[2][0], tip[2][1], 1.5);
    canvas_ink(c, map_black, 1);
}

static void number_bar(struct map_page *p, double x, double y, double height)
{
    double step = roundnum_above((p->hi - p->lo) / fmin(8, height / 45)),
           per_unit = height / (p->hi - p->lo);
    char text[32];
    for (double k = ceil(p->lo / step - 1e-9); k * step <= p->hi + 1e-9 * step; k++) {
        double ty = y + height - (k * step - p->lo) * per_unit;
        canvas_segment(&p->canvas, x + BAR + 1, ty, x + BAR + 9, ty, 1.5);
        canvas_ink(&p->canvas, map_black, 1);
        font_write(&p->canvas, &label, x + BAR + 16, ty + label.size_px / 2, map_black,
                   roundnum_text(text, k * step, step));
    }
}

static double bar_key(struct map_page *p, double x, double y, double height, bool paint)
{
    char text[256], most[32];
    const char *unit = or_empty(p->m->unit), *quantity = or_empty(p->m->quantity);
    snprintf(text, sizeof text, *unit ? "%.200s (%.40s)" : "%.200s", quantity, unit);
    y = draw_heading(p, x, y, text, paint);
    if (!p->grid.count) snprintf(text, sizeof text, "none");
    else snprintf(text, sizeof text, "largest %s %.40s", roundnum_brief(most, p->grid.most), unit);
    if (paint) font_write(&p->canvas, &label, x, y + label.size_px, map_grey, text);
    y += LINE + 6;
    if (!p->grid.count) return y;
    if (p->open_top) y += 24;
    if (paint) {
        draw_bar(p, x, y, height);
        number_bar(p, x, (int)y, (int)height);
    }
    return y + height + 20;
}

static double class_key(struct map_page *p, double x, double y, bool paint)
{
    const struct map *m = p->m;
    struct canvas *c = paint ? &p->canvas : NULL;
    if (m->quantity && *m->quantity) y = draw_heading(p, x, y, m->quantity, paint) + 6;
    for (int k = 0; k < m->class_count && k < MAP_CLASSES_MOST; k++) {
        const unsigned char *v = m->classes[k].rgb;
        if (paint) {
            canvas_rectangle(c, x, (int)y, x + SAMPLE, (int)y + 24);
            canvas_ink(c, (struct rgb){v[0], v[1], v[2]}, 1);
            canvas_frame(c, x, (int)y, x + SAMPLE, (int)y + 24, 1);
            canvas_ink(c, map_black, 1);
        }
        int lines = font_paragraph(c, &label, x + SAMPLE + 14, y + 12 + label.size_px / 2,
                                   MAP_SIDE_WIDTH - SAMPLE - 14, 26, 3, map_black,
                                   or_empty(m->classes[k].label));
        y += LINE + (lines > 1 ? 26 * (lines - 1) : 0);
    }
    return y + 8;
}

double map_key(struct map_page *p, double x, double y, double bar_height, bool paint)
{
    return p->m->kind == MAP_CLASSES ? class_key(p, x, y, paint)
                                     : bar_key(p, x, y, bar_height, paint);
}

static double symbol_text(struct map_page *p, double x, double y, bool paint, const char *text)
{
    if (paint)
        font_write(&p->canvas, &label, x + SAMPLE + 14, y + 12 + label.size_px / 2, map_black,
                   text);
    return y + LINE;
}

double map_symbols(struct map_page *p, double x, double y, bool paint)
{
    char text[64], number[32];
    if (map_any(p->m, p->m->outline)) {
        if (paint) map_outline_sample(p, x, y + 12, SAMPLE);
        y = symbol_text(p, x, y, paint, "observed outline");
    }
    if (map_any(p->m, p->m->mark)) {
        if (paint) map_vent_symbol(p, x + SAMPLE / 2.0, y + 14);
        y = symbol_text(p, x, y, paint, p->m->mark_name ? p->m->mark_name : "vent");
    }
    if (p->m->thing_count) {
        if (paint) map_thing_sample(p, x + SAMPLE / 2.0, y + 12);
        y = symbol_text(p, x, y, paint, "place of interest");
    }
    if (p->m->barrier_count) {
        if (paint) map_barrier_sample(p, x, y + 12, SAMPLE);
        y = symbol_text(p, x, y, paint, "barrier");
    }
    if (p->contour_m > 0) {
        if (paint) map_contour_sample(p, x, y + 12, SAMPLE);
        snprintf(text, sizeof text, "contours every %s m",
                 roundnum_text(number, p->contour_m, p->contour_m));
        y = symbol_text(p, x, y, paint, text);
    }
    if (map_any(p->m, p->m->sea)) {
        if (paint) map_sea_sample(p, (int)x, (int)y, (int)x + SAMPLE, (int)y + 24);
        y = symbol_text(p, x, y, paint, "sea");
    }
    if (p->grid.missing) {
        if (paint) map_missing_sample(p, (int)x, (int)y, (int)x + SAMPLE, (int)y + 24);
        y = symbol_text(p, x, y, paint, "no terrain data");
    }
    return y;
}

static void draw_north(struct map_page *p, double x, double y)
{
    struct canvas *c = &p->canvas;
    const double high = 76, wide = 19;
    const struct font n = {22, FONT_BOLD, 0, 0.5};
    font_write(c, &n, x, y + 22, map_black, "N");
    y += 34;
    const double left[3][2] = {{x, y}, {x, y + high * 0.78}, {x - wide, y + high}};
    const double right[3][2] = {{x, y}, {x, y + high * 0.78}, {x + wide, y + high}};
    canvas_polygon(c, left, 3);
    for (int i = 0; i < 3; i++) {
        const double *a = left[i], *b = left[(i + 1) % 3], *d = right[i], *f = right[(i + 1) % 3];
        canvas_segment(c, a[0], a[1], b[0], b[1], 2);
        canvas_segment(c, d[0], d[1], f[0], f[1], 2);
    }
    canvas_ink(c, map_black, 1);
}

static void draw_scale_bar(struct map_page *p, double x, double y)
{
    enum { PARTS = 4, HIGH = 12 };
    struct canvas *c = &p->canvas;
    double metres = roundnum_below(302 * p->metres_per_px), length = metres / p->metres_per_px;
    double unit = metres >= 1000 ? 1000 : 1;
    char number[32], text[48];
    for (int i = 0; i < PARTS; i += 2)
        canvas_rectangle(c, x + length * i / PARTS, y, x + length * (i + 1) / PARTS, y + HIGH);
    canvas_frame(c, x - 1, y - 1, x + length + 1, y + HIGH + 1, 1.5);
    canvas_ink(c, map_black, 1);
    double base = y + HIGH + 12 + centred.size_px;
    font_write(c, &centred, x, base, map_black, "0");
    font_write(c, &centred, x + length / 2, base, map_black,
               roundnum_text(number, metres / unit / 2, metres / unit / 2));
    snprintf(text, sizeof text, "%s %s", roundnum_text(number, metres / unit, metres / unit),
             unit > 1 ? "km" : "m");
    font_write(c, &label, x + length - font_width(&label, number) / 2, base, map_black, text);
}

double map_scale_and_north(struct map_page *p, double x, double y, bool paint)
{
    if (paint) {
        draw_north(p, x + 24, y);
        draw_scale_bar(p, x + 8, y + 134);
    }
    return y + 134 + 44;
}
