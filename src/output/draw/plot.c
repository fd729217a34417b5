#include "plot.h"

#include "sheet.h"

#include <assert.h>
#include <math.h>

static const struct font small_font = {15, FONT_REGULAR, 0, 0};

enum { LEFT = 140, SIDE = 820, BELOW = 96, FLAT = 300, BETWEEN = 34, LEGEND = 34, PLOTS_MOST = 8 };

struct page {
    const struct plot *plot;
    struct sheet *sheet;
    struct plot_axis x, y; /* widened; of a logarithmic axis logarithms */
    double x0, y0;         /* upper left corner of the frame */
    double top;            /* where its head begins */
    int height;            /* of the frame */
};

/* Bounds a few ulps apart have no round numbers between them: the axis gets a hundredth of them. */
static struct plot_axis widened(struct plot_axis a, bool log)
{
    if (log) return (struct plot_axis){a.title, log10(a.low), log10(a.high)};
    const double size = fmax(fabs(a.low), fabs(a.high));
    if (a.high - a.low > 1e-9 * size) return a;
    return (struct plot_axis){a.title, a.low - 0.005 * size, a.high + 0.005 * size};
}

static double to_x(const struct page *g, double x)
{
    const struct plot_axis *a = &g->x;
    if (g->plot->log_x) x = log10(x);
    return g->x0 + SIDE * (x - a->low) / (a->high - a->low);
}

static double to_y(const struct page *g, double y)
{
    const struct plot_axis *a = &g->y;
    if (g->plot->log_y) y = log10(y);
    return g->y0 + g->height - g->height * (y - a->low) / (a->high - a->low);
}

static bool is_point(const struct plot_series *s, int i)
{
    return isfinite(s->x[i]) && isfinite(s->y[i]);
}

/* Thousands have to be small, a few have to be seen. */
static double dot_radius(const struct plot_series *s)
{
    int points = 0;
    for (int i = 0; i < s->count; i++) points += is_point(s, i);
    return points > 100 ? 3 : 8;
}

/* Title and legend; returns the y below. */
static double draw_head(struct page *g)
{
    const struct plot *p = g->plot;
    struct canvas *c = &g->sheet->canvas;
    double y = sheet_head(g->sheet, p->title, p->subtitle, g->top) + 14;
    for (int i = 0; i <= p->count; i++) {
        const char *label = i < p->count ? p->series[i].label : p->diagonal;
        if (!label) continue;
        const struct rgb colour = i < p->count ? colours_distinct(i) : sheet_grey;
        if (i < p->count && (p->series[i].kind == PLOT_DOTS || p->series[i].count == 1)) {
            canvas_disc(c, LEFT + 20, y + 10, dot_radius(&p->series[i]));
            canvas_ink(c, colour, 1);
        } else {
            canvas_segment(c, LEFT, y + 10, LEFT + 40, y + 10);
            canvas_stroke(c, i < p->count ? 4 : 2, colour, 1);
        }
        font_write(c, &sheet_text, LEFT + 54, y + 10 + sheet_text.size / 2, sheet_black, label);
        y += LEGEND;
    }
    return y + 10;
}

static void draw_axes(struct page *g)
{
    const struct plot *p = g->plot;
    const struct sheet_frame f = {g->x0, g->y0, g->x0 + SIDE, g->y0 + g->height};
    struct canvas *c = &g->sheet->canvas;
    sheet_axis(g->sheet, &f, false, g->x.low, g->x.high, p->log_x ? 0 : 10, p->x.title);
    sheet_axis(g->sheet, &f, true, g->y.low, g->y.high, p->log_y ? 0 : g->height / 82.0,
               p->y.title);
    if (p->diagonal) {
        canvas_segment(c, f.x0, f.y1, f.x1, f.y0);
        canvas_stroke(c, 2, sheet_grey, 1);
    }
    canvas_frame(c, f.x0 - 1, f.y0 - 1, f.x1 + 1, f.y1 + 1, 2, sheet_black);
}

static void draw_dots(struct page *g, int which)
{
    const struct plot_series *s = &g->plot->series[which];
    const double radius = dot_radius(s);
    for (int i = 0; i < s->count; i++) {
        if (!is_point(s, i)) continue;
        canvas_disc(&g->sheet->canvas, to_x(g, s->x[i]), to_y(g, s->y[i]), radius);
        canvas_ink(&g->sheet->canvas, colours_distinct(which), 0.6);
    }
}

/* A bar with ends at each point. */
static void draw_intervals(struct page *g, int which)
{
    enum { END = 7 };
    const struct plot_series *s = &g->plot->series[which];
    struct canvas *c = &g->sheet->canvas;
    for (int i = 0; s->low && i < s->count; i++) {
        if (!is_point(s, i) || !isfinite(s->low[i]) || !isfinite(s->high[i])) continue;
        const double x = to_x(g, s->x[i]), low = to_y(g, s->low[i]), high = to_y(g, s->high[i]);
        canvas_segment(c, x, low, x, high);
        canvas_segment(c, x - END, low, x + END, low);
        canvas_segment(c, x - END, high, x + END, high);
    }
    canvas_stroke(c, 2, colours_distinct(which), 1);
}

/* The disc of a point, and its words. */
static void draw_point(struct page *g, int which, int i)
{
    const struct plot_series *s = &g->plot->series[which];
    const double x = to_x(g, s->x[i]), y = to_y(g, s->y[i]);
    canvas_disc(&g->sheet->canvas, x, y, 8);
    canvas_ink(&g->sheet->canvas, colours_distinct(which), 1);
    if (!s->point[i]) return;
    /* lines mostly rise: words stand below to the right, or above and within the frame; those of a
     * point without a line beside it */
    const bool lone = !(i > 0 && is_point(s, i - 1)) && !(i + 1 < s->count && is_point(s, i + 1));
    const bool east = x > g->x0 + 0.85 * SIDE, west = x < g->x0 + 0.1 * SIDE;
    const bool above = !lone && (east || y > g->y0 + g->height - 40);
    struct font f = small_font;
    f.anchor = east ? 1 : above && !west ? 0.5 : 0;
    const double aside = (east ? -1 : above && !west ? 0 : 1) * (lone ? 14 : 8);
    font_write_clear(&g->sheet->canvas, &f, x + aside,
                     lone    ? y + 5
                     : above ? y - 14
                             : y + 26,
                     sheet_black, s->point[i]);
}

static void draw_series(struct page *g, int which)
{
    const struct plot_series *s = &g->plot->series[which];
    struct canvas *c = &g->sheet->canvas;
    if (s->kind == PLOT_DOTS) {
        draw_dots(g, which);
        return;
    }
    draw_intervals(g, which);
    for (int i = 1; i < s->count; i++) {
        if (!is_point(s, i)) continue;
        const double before = to_x(g, s->x[i - 1]), x = to_x(g, s->x[i]), y = to_y(g, s->y[i]);
        const bool steps = s->kind == PLOT_STEPS;
        if (is_point(s, i - 1))
            canvas_segment(c, before, to_y(g, s->y[i - 1]), steps ? before : x, y);
        if (steps) canvas_segment(c, before, y, x, y);
    }
    canvas_stroke(c, 4, colours_distinct(which), 1);
    for (int i = 0; s->point && i < s->count; i++)
        if (is_point(s, i) && !(s->point[i] && !*s->point[i])) draw_point(g, which, i);
}

/* Places them and returns where the last one ends. */
static double place(struct page *g, struct sheet *sheet, const struct plot *p, int count,
                    int height)
{
    double y = SHEET_MARGIN;
    for (int i = 0; i < count; i++) {
        g[i] = (struct page){.plot = &p[i],
                             .sheet = sheet,
                             .x = widened(p[i].x, p[i].log_x),
                             .y = widened(p[i].y, p[i].log_y),
                             .x0 = LEFT,
                             .top = y,
                             .height = height};
        g[i].y0 = draw_head(&g[i]);
        y = g[i].y0 + height + (i + 1 < count ? BETWEEN : BELOW);
        if (i + 1 < count && p[i].x.title) y += BELOW;
    }
    return y;
}

static bool has_extent(const struct plot *p)
{
    return p->x.high > p->x.low && p->y.high > p->y.low && (!p->log_x || p->x.low > 0) &&
           (!p->log_y || p->y.low > 0);
}

static int write_all(const char *path, const struct plot *p, int count, int height, struct error *e)
{
    struct page page[PLOTS_MOST];
    struct sheet sheet = {.title = p->title, .note = p[count - 1].note, .x = LEFT, .width = SIDE};
    for (int i = 0; i < count; i++)
        if (!has_extent(&p[i]) || p[i].count > COLOURS_DISTINCT)
            return error_failed(
                e, "%s: a diagram without extent or of more than %d series cannot be drawn", path,
                COLOURS_DISTINCT);
    int status = canvas_create(&sheet.canvas, path, 0, 1, e);
    if (status) return status;
    const double note_y = place(page, &sheet, p, count, height);
    status = sheet_page(&sheet, LEFT + SIDE + SHEET_MARGIN, note_y, e);
    for (int i = 0; i < count && !status; i++) {
        draw_head(&page[i]);
        draw_axes(&page[i]);
        for (int k = 0; k < p[i].count; k++) draw_series(&page[i], k);
    }
    if (!status) status = sheet_write(&sheet, path, e);
    canvas_free(&sheet.canvas);
    return status;
}

int plot_write(const char *path, const struct plot *p, struct error *e)
{
    return write_all(path, p, 1, SIDE, e);
}

int plots_write(const char *path, const struct plot *p, int count, struct error *e)
{
    assert(count >= 1 && count <= PLOTS_MOST);
    return write_all(path, p, count, FLAT, e);
}
