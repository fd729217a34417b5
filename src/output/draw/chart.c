#include "chart.h"

#include "canvas.h"
#include "colours.h"
#include "font.h"
#include "roundnum.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const struct font title_font = {32, FONT_BOLD, 0, 0}, text_font = {19, FONT_REGULAR, 0, 0},
                         text_right = {19, FONT_REGULAR, 0, 1},
                         text_centre = {17, FONT_REGULAR, 0, 0.5},
                         bold_font = {19, FONT_BOLD, 0, 0}, note_font = {14, FONT_REGULAR, 0, 0};

static const struct rgb black = {25, 25, 28}, grey = {95, 95, 100}, pale = {224, 225, 229};

enum { MARGIN = 48, WIDTH = 1500, PITCH = 50, BAR = 30, AXIS = 84, LABEL_MOST = 480 };

struct plot {
    const struct chart *chart;
    struct canvas canvas;
    int x0, x1, y0, y1; /* where the bars are */
    double step, per_unit;
};

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static const char *number_of(char text[32], double v)
{
    roundnum_brief(text, v);
    return roundnum_grouped(text);
}

static double at(const double *v, int i)
{
    return v ? v[i] : (double)NAN;
}

/* Everything that stands above the bars; returns the y below. */
static int draw_head(struct plot *p)
{
    const struct chart *c = p->chart;
    struct canvas *to = &p->canvas;
    double wide = WIDTH - 2 * MARGIN, x = MARGIN;
    int y = MARGIN;
    y += 46 * font_paragraph(to, &title_font, MARGIN, y + title_font.size, wide, 46, 3, black,
                             or_empty(c->title));
    y += 30 * font_paragraph(to, &text_font, MARGIN, y + 4 + text_font.size, wide, 30, 4, grey,
                             or_empty(c->subtitle));
    if (!c->group_label || c->group_count < 1) return y + 18;
    y += 22;
    for (int k = 0; k < c->group_count; k++) {
        double width = 42 + font_width(to, &text_font, or_empty(c->group_label[k])) + 34;
        if (x > MARGIN && x + width > WIDTH - MARGIN) x = MARGIN, y += 34;
        canvas_rectangle(to, x, y, x + 28, y + 20);
        canvas_ink(to, colours_distinct(k), 1);
        font_write(to, &text_font, x + 42, y + 19, black, or_empty(c->group_label[k]));
        x += width;
    }
    return y + 46;
}

static void draw_axis(struct plot *p)
{
    char text[32];
    struct canvas *c = &p->canvas;
    for (int k = 0;; k++) {
        double x = p->x0 + k * p->step * p->per_unit;
        if (x > p->x1 + 0.5) break;
        canvas_rectangle(c, x - 0.5, p->y0, x + 0.5, p->y1);
        canvas_ink(c, pale, 1);
        roundnum_text(text, k * p->step, p->step);
        font_write(c, &text_centre, x, p->y1 + 14 + text_centre.size, black,
                   roundnum_grouped(text));
    }
    font_write(c, &text_centre, (p->x0 + p->x1) / 2.0, p->y1 + 70, grey, or_empty(p->chart->unit));
}

static void draw_whisker(struct canvas *c, double x0, double x1, double y)
{
    canvas_segment(c, x0, y, x1, y);
    canvas_segment(c, x0, y - 7, x0, y + 7);
    canvas_segment(c, x1, y - 7, x1, y + 7);
    canvas_stroke(c, 2, black, 1);
}

static void draw_label(struct plot *p, const char *label, double y)
{
    struct font f = text_right;
    double room = p->x0 - 14 - MARGIN, width = font_width(&p->canvas, &f, label);
    if (width > room) f.size *= room / width;
    font_write(&p->canvas, &f, p->x0 - 14, y + f.size / 2, black, label);
}

static void draw_bar(struct plot *p, int i)
{
    const struct chart *c = p->chart;
    double y = p->y0 + PITCH * (i + 0.5), v = c->value[i], lo = at(c->lo, i), hi = at(c->hi, i);
    double end = p->x0 + v * p->per_unit;
    char text[32];
    draw_label(p, or_empty(c->label[i]), y);
    if (!(v >= 0 && isfinite(v))) {
        font_write(&p->canvas, &text_font, p->x0 + 12, y + text_font.size / 2, grey,
                   "not measured");
        return;
    }
    canvas_rectangle(&p->canvas, p->x0, y - BAR / 2.0, end, y + BAR / 2.0);
    canvas_ink(&p->canvas, colours_distinct(c->group && c->group[i] > 0 ? c->group[i] : 0), 1);
    if (isfinite(lo) && isfinite(hi) && hi > lo) {
        draw_whisker(&p->canvas, p->x0 + lo * p->per_unit, p->x0 + hi * p->per_unit, y);
        end = fmax(end, p->x0 + hi * p->per_unit);
    }
    font_write(&p->canvas, &bold_font, end + 14, y + bold_font.size / 2, black, number_of(text, v));
}

/* Labels as wide as they need, up to a limit; the axis reaches over bars and whiskers. */
static void plan(struct plot *p)
{
    const struct chart *c = p->chart;
    double most = 0, widest = 0, number = 0;
    char text[32];
    for (int i = 0; i < c->count; i++) {
        if (isfinite(c->value[i])) most = fmax(most, c->value[i]);
        number = fmax(number, font_width(&p->canvas, &bold_font, number_of(text, c->value[i])));
        if (isfinite(at(c->hi, i))) most = fmax(most, c->hi[i]);
        widest = fmax(widest, font_width(&p->canvas, &text_right, or_empty(c->label[i])));
    }
    if (!(most > 0)) most = 1;
    p->x0 = MARGIN + (int)fmin(LABEL_MOST, widest) + 14;
    p->x1 = WIDTH - MARGIN - (int)fmax(110, 14 + number); /* room behind the longest bar */
    p->step = roundnum_above(most / 8);
    p->per_unit = (p->x1 - p->x0) / most;
    p->y0 = draw_head(p);
    p->y1 = p->y0 + PITCH * c->count;
}

int chart_bars(const char *path, const struct chart *c, struct error *e)
{
    enum { MOST = 500 };
    struct plot p = {.chart = c};
    if (c->count < 1 || c->count > MOST)
        return error_failed(e, "%s: a chart of %d bars cannot be drawn (1 to %d can)", path,
                            c->count, MOST);
    int status = canvas_create(&p.canvas, path, 0, 1, e);
    if (status) return status;
    plan(&p);
    double wide = WIDTH - 2 * MARGIN;
    int note_y = p.y1 + AXIS + 14;
    int lines = font_paragraph(&p.canvas, &note_font, 0, 0, wide, 25, 4, grey, or_empty(c->note));
    status = canvas_page(&p.canvas, WIDTH, note_y + 25 * lines + MARGIN - 12, e);
    if (!status) {
        draw_head(&p);
        draw_axis(&p);
        for (int i = 0; i < c->count; i++) draw_bar(&p, i);
        canvas_rectangle(&p.canvas, p.x0 - 1, p.y0, p.x0 + 1, p.y1);
        canvas_ink(&p.canvas, black, 1);
        font_paragraph(&p.canvas, &note_font, MARGIN, note_y + note_font.size, wide, 25, 4, grey,
                       or_empty(c->note));
        status = canvas_write(&p.canvas, path, or_empty(c->title), e);
    }
    canvas_free(&p.canvas);
    return status;
}
