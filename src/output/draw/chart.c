#include "chart.h"

#include "roundnum.h"
#include "sheet.h"

#include <math.h>
#include <stdbool.h>

static const struct font text_right = {19, FONT_REGULAR, 0, 1}, bold_font = {19, FONT_BOLD, 0, 0};

enum { WIDTH = 1500, PITCH = 50, BAR = 30, AXIS = 84, LABEL_MOST = 480 };

struct bars {
    const struct chart *chart;
    struct sheet sheet;
    int x0, x1, y0, y1; /* where the bars are */
    double per_unit;
};

static double at(const double *v, int i)
{
    return v ? v[i] : (double)NAN;
}

/* Everything that stands above the bars; returns the y below. */
static double draw_head(struct bars *p)
{
    const struct chart *c = p->chart;
    struct canvas *to = &p->sheet.canvas;
    double x = SHEET_MARGIN, y = sheet_head(&p->sheet, c->title, c->subtitle, SHEET_MARGIN);
    if (!c->group_label || c->group_count < 1) return y + 18;
    y += 22;
    for (int k = 0; k < c->group_count; k++) {
        double width = 42 + font_width(to, &sheet_text, c->group_label[k]) + 34;
        if (x > SHEET_MARGIN && x + width > WIDTH - SHEET_MARGIN) x = SHEET_MARGIN, y += 34;
        canvas_rectangle(to, x, y, x + 28, y + 20);
        canvas_ink(to, colours_distinct(k), 1);
        font_write(to, &sheet_text, x + 42, y + 19, sheet_black, c->group_label[k]);
        x += width;
    }
    return y + 46;
}

static void draw_whisker(struct canvas *c, double x0, double x1, double y)
{
    canvas_segment(c, x0, y, x1, y);
    canvas_segment(c, x0, y - 7, x0, y + 7);
    canvas_segment(c, x1, y - 7, x1, y + 7);
    canvas_stroke(c, 2, sheet_black, 1);
}

static void draw_label(struct bars *p, const char *label, double y)
{
    struct font f = text_right;
    double room = p->x0 - 14 - SHEET_MARGIN, width = font_width(&p->sheet.canvas, &f, label);
    if (width > room) f.size *= room / width;
    font_write(&p->sheet.canvas, &f, p->x0 - 14, y + f.size / 2, sheet_black, label);
}

/* With whiskers no digits beyond the first of half their length. */
static char *number_of(char text[32], double v, double lo, double hi)
{
    if (!(hi > lo)) return roundnum_brief(text, v);
    const double step = pow(10, floor(log10((hi - lo) / 2)));
    return roundnum_grouped(roundnum_text(text, step > 1 ? round(v / step) * step : v, step));
}

static void draw_bar(struct bars *p, int i)
{
    const struct chart *c = p->chart;
    double y = p->y0 + PITCH * (i + 0.5), v = c->value[i], lo = at(c->lo, i), hi = at(c->hi, i);
    double end = p->x0 + fmax(0, v) * p->per_unit;
    char text[32];
    draw_label(p, c->label[i], y);
    if (!isfinite(v)) {
        font_write(&p->sheet.canvas, &sheet_text, p->x0 + 12, y + sheet_text.size / 2, sheet_grey,
                   "not measured");
        return;
    }
    canvas_rectangle(&p->sheet.canvas, p->x0, y - BAR / 2.0, end, y + BAR / 2.0);
    canvas_ink(&p->sheet.canvas, colours_distinct(c->group && c->group[i] > 0 ? c->group[i] : 0),
               1);
    if (isfinite(lo) && isfinite(hi) && hi > fmax(0, lo)) {
        draw_whisker(&p->sheet.canvas, p->x0 + fmax(0, lo) * p->per_unit, p->x0 + hi * p->per_unit,
                     y);
        end = fmax(end, p->x0 + hi * p->per_unit);
    }
    font_write(&p->sheet.canvas, &bold_font, end + 14, y + bold_font.size / 2, sheet_black,
               number_of(text, v, lo, hi));
}

/* Labels as wide as they need, up to a limit; the axis reaches over bars and whiskers. */
static void plan(struct bars *p)
{
    const struct chart *c = p->chart;
    double most = 0, widest = 0, number = 0;
    char text[32];
    for (int i = 0; i < c->count; i++) {
        if (isfinite(c->value[i])) most = fmax(most, c->value[i]);
        number = fmax(number, font_width(&p->sheet.canvas, &bold_font,
                                         number_of(text, c->value[i], at(c->lo, i), at(c->hi, i))));
        if (isfinite(at(c->hi, i))) most = fmax(most, c->hi[i]);
        widest = fmax(widest, font_width(&p->sheet.canvas, &text_right, c->label[i]));
    }
    if (!(most > 0)) most = 1;
    p->x0 = SHEET_MARGIN + (int)fmin(LABEL_MOST, widest) + 14;
    p->x1 = WIDTH - SHEET_MARGIN - (int)fmax(110, 14 + number); /* room behind the longest bar */
    p->per_unit = (p->x1 - p->x0) / most;
    p->y0 = (int)draw_head(p);
    p->y1 = p->y0 + PITCH * c->count;
}

int chart_bars(const char *path, const struct chart *c, struct error *e)
{
    enum { MOST = 500 };
    struct bars p = {.chart = c,
                     .sheet = {.title = c->title,
                               .note = c->note,
                               .x = SHEET_MARGIN,
                               .width = WIDTH - 2 * SHEET_MARGIN}};
    struct canvas *canvas = &p.sheet.canvas;
    if (c->count < 1 || c->count > MOST)
        return error_failed(e, "%s: a chart of %d bars cannot be drawn (1 to %d can)", path,
                            c->count, MOST);
    int status = canvas_create(canvas, path, 0, 1, e);
    if (status) return status;
    plan(&p);
    status = sheet_page(&p.sheet, WIDTH, p.y1 + AXIS + 14, e);
    if (!status) {
        draw_head(&p);
        const struct sheet_frame f = {p.x0, p.y0, p.x1, p.y1};
        sheet_axis(&p.sheet, &f, false, 0, (p.x1 - p.x0) / p.per_unit, 8, c->unit);
        for (int i = 0; i < c->count; i++) draw_bar(&p, i);
        canvas_rectangle(canvas, p.x0 - 1, p.y0, p.x0 + 1, p.y1);
        canvas_ink(canvas, sheet_black, 1);
        status = sheet_write(&p.sheet, path, e);
    }
    canvas_free(canvas);
    return status;
}
