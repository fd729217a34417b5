#include "plot.h"

#include "canvas.h"
#include "font.h"
#include "record/roundnum.h"
#include "text/words.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- what all diagrams share ----------------------------------------------------------------- */

static const struct rgb sheet_pale = {224, 225, 229};
static const struct font sheet_text = {19, FONT_REGULAR, 0, 0};

enum { SHEET_MARGIN = 48 };

struct sheet {
    const char *title, *note, *by, *warning; /* may be NULL */
    double x, width;                         /* left end and width of the column of these texts */
    double note_y;                           /* upper end of the note */
    const char *language;
    struct canvas canvas;
};

/* The frame of a diagram. */
struct sheet_frame {
    double x0, y0, x1, y1;
};

/* A text in the language of the diagram, in memory that lasts to the end of the block. */
#define SAID(sheet, text) say_text(sheet, text, (char[WORDS_TEXT]){0})

static const char *say_text(const struct sheet *s, const char *text, char room[WORDS_TEXT])
{
    if (!text || !strpbrk(text, WORDS_NEXT WORDS_PART))
        return text ? words_of(text, s->language) : NULL;
    return words_fill(room, WORDS_TEXT, text, s->language);
}

enum { BAND = 46, TITLE_LEAD = 44, SUBTITLE_LEAD = 30, NOTE_LEAD = 25, LINES_MOST = 6 };

static const struct font band_font = {22, FONT_BOLD, 0, 0.5};
static const struct font title_font = {30, FONT_BOLD, 0, 0}, note_font = {14, FONT_REGULAR, 0, 0};

static double sheet_head(struct sheet *s, const char *title, const char *subtitle, double y)
{
    struct canvas *c = &s->canvas;
    if (s->warning && y <= SHEET_MARGIN) { /* only the first of several diagrams has a warning */
        canvas_rectangle(c, s->x, y, s->x + s->width, y + BAND);
        canvas_ink(c, canvas_alarm, 1);
        font_write(c, &band_font, s->x + s->width / 2, y + (BAND + band_font.size) / 2,
                   canvas_white, SAID(s, s->warning));
        y += BAND + 18;
    }
    y += TITLE_LEAD * font_paragraph(c, &title_font, s->x, y + title_font.size, s->width,
                                     TITLE_LEAD, 3, canvas_black, title);
    return y + SUBTITLE_LEAD * font_paragraph(c, &sheet_text, s->x, y + 4 + sheet_text.size,
                                              s->width, SUBTITLE_LEAD, 5, canvas_grey,
                                              SAID(s, subtitle));
}

static int draw_note(struct sheet *s)
{
    int lines = 0;
    for (int i = 0; i < 2; i++)
        lines += font_paragraph(&s->canvas, &note_font, s->x,
                                s->note_y + NOTE_LEAD * lines + note_font.size, s->width, NOTE_LEAD,
                                LINES_MOST, canvas_grey, SAID(s, i ? s->by : s->note));
    return lines;
}

/* Draws the title of an axis, round numbers along the frame, and a pale line across the frame at each number.
 * upright: the axis is left of the frame, else below it. parts: about how many numbers; 0: the bounds are
 * logarithms, and the numbers are powers of ten. */
static void sheet_axis(struct sheet *s, const struct sheet_frame *f, bool upright, double low,
                       double high, double parts, const char *title)
{
    const bool powers = !(parts > 0);
    const struct roundnum_ticks t = roundnum_ticks(low, high, powers ? high - low : parts);
    struct canvas *c = &s->canvas;
    struct font number = {17, FONT_REGULAR, 0, upright ? 1 : 0.5},
                name = {19, FONT_REGULAR, upright ? acos(0.0) : 0, 0.5};
    char text[32];
    double widest = 0;
    for (int i = 0; i < t.count; i++) {
        const double v = (t.index + i) * t.step, share = (v - low) / (high - low);
        const double x = f->x0 + (f->x1 - f->x0) * share, y = f->y1 - (f->y1 - f->y0) * share;
        if (upright) canvas_rectangle(c, f->x0, y - 0.5, f->x1, y + 0.5);
        else canvas_rectangle(c, x - 0.5, f->y0, x + 0.5, f->y1);
        canvas_ink(c, sheet_pale, 1);
        if (powers) roundnum_brief(text, pow(10, v));
        else roundnum_text(text, v, t.step);
        if (!powers) roundnum_grouped(text);
        words_number(text, sizeof text, s->language);
        widest = fmax(widest, font_width(c, &number, text));
        font_write(c, &number, upright ? f->x0 - 14 : x,
                   upright ? y + number.size / 2 : f->y1 + 14 + number.size, canvas_black, text);
    }
    font_write(c, &name, upright ? f->x0 - fmax(74, 14 + widest + 14) : (f->x0 + f->x1) / 2,
               upright ? (f->y0 + f->y1) / 2 : f->y1 + 74, canvas_black, SAID(s, title));
}

static int sheet_page(struct sheet *s, double width, double note_y, struct error *e)
{
    s->note_y = note_y;
    return canvas_page(&s->canvas, width, note_y + NOTE_LEAD * draw_note(s) + SHEET_MARGIN - 12, e);
}

static int sheet_write(struct sheet *s, const char *path, struct error *e)
{
    draw_note(s);
    return canvas_write(&s->canvas, path, s->title, e);
}

/* ---- bars ------------------------------------------------------------------------------------ */

static const struct font text_right = {19, FONT_REGULAR, 0, 1}, bold_font = {19, FONT_BOLD, 0, 0};

enum { WIDTH = 1500, PITCH = 50, BAR = 30, AXIS = 84, LABEL_MOST = 480 };

struct bars {
    const struct chart *chart;
    struct sheet sheet;
    int x0, x1, y0, y1; /* the frame around the bars */
    double per_unit;
};

static double value_at(const double *v, int i)
{
    return v ? v[i] : (double)NAN;
}

/* Draws texts and legend above the bars. Returns the y below texts and legend. */
static double draw_bars_head(struct bars *p)
{
    const struct chart *c = p->chart;
    struct canvas *to = &p->sheet.canvas;
    double x = SHEET_MARGIN, y = sheet_head(&p->sheet, c->title, c->subtitle, SHEET_MARGIN);
    if (!c->group_label || c->group_count < 1) return y + 18;
    y += 22;
    for (int k = 0; k < c->group_count; k++) {
        const char *label = SAID(&p->sheet, c->group_label[k]);
        double width = 42 + font_width(to, &sheet_text, label) + 34;
        if (x > SHEET_MARGIN && x + width > WIDTH - SHEET_MARGIN) x = SHEET_MARGIN, y += 34;
        canvas_rectangle(to, x, y, x + 28, y + 20);
        canvas_ink(to, colours_distinct(k), 1);
        font_write(to, &sheet_text, x + 42, y + 19, canvas_black, label);
        x += width;
    }
    return y + 46;
}

static void draw_whisker(struct canvas *c, double x0, double x1, double y)
{
    canvas_segment(c, x0, y, x1, y);
    canvas_segment(c, x0, y - 7, x0, y + 7);
    canvas_segment(c, x1, y - 7, x1, y + 7);
    canvas_stroke(c, 2, canvas_black, 1);
}

static void draw_label(struct bars *p, const char *label, double y)
{
    struct font f = text_right;
    double room = p->x0 - 14 - SHEET_MARGIN, width = font_width(&p->sheet.canvas, &f, label);
    if (width > room) f.size *= room / width;
    font_write(&p->sheet.canvas, &f, p->x0 - 14, y + f.size / 2, canvas_black, label);
}

/* Writes a number. A number with whiskers, from lo to hi, is rounded to a multiple of the largest power of ten that is
 * at most half the length of the whiskers. With whiskers from 11.9 to 12.7, 12.34 becomes 12.3. */
static char *number_of(const struct sheet *s, char text[32], double v, double lo, double hi)
{
    if (!(hi > lo)) return words_number(roundnum_brief(text, v), 32, s->language);
    const double step = pow(10, floor(log10((hi - lo) / 2)));
    roundnum_grouped(roundnum_text(text, step > 1 ? round(v / step) * step : v, step));
    return words_number(text, 32, s->language);
}

static void draw_bar(struct bars *p, int i)
{
    const struct chart *c = p->chart;
    double y = p->y0 + PITCH * (i + 0.5), v = c->value[i], lo = value_at(c->lo, i),
           hi = value_at(c->hi, i);
    double end = p->x0 + fmax(0, v) * p->per_unit;
    char text[32];
    draw_label(p, c->label[i], y);
    if (!isfinite(v)) {
        font_write(&p->sheet.canvas, &sheet_text, p->x0 + 12, y + sheet_text.size / 2, canvas_grey,
                   SAID(&p->sheet, "not measured"));
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
    font_write(&p->sheet.canvas, &bold_font, end + 14, y + bold_font.size / 2, canvas_black,
               number_of(&p->sheet, text, v, lo, hi));
}

/* Plans labels and axis. Labels are as wide as needed, up to a limit. The axis has room for bars and whiskers. */
static void plan_bars(struct bars *p)
{
    const struct chart *c = p->chart;
    double most = 0, widest = 0, number = 0;
    char text[32];
    for (int i = 0; i < c->count; i++) {
        if (isfinite(c->value[i])) most = fmax(most, c->value[i]);
        number = fmax(number, font_width(&p->sheet.canvas, &bold_font,
                                         number_of(&p->sheet, text, c->value[i], value_at(c->lo, i),
                                                   value_at(c->hi, i))));
        if (isfinite(value_at(c->hi, i))) most = fmax(most, c->hi[i]);
        widest = fmax(widest, font_width(&p->sheet.canvas, &text_right, c->label[i]));
    }
    if (!(most > 0)) most = 1;
    p->x0 = SHEET_MARGIN + (int)fmin(LABEL_MOST, widest) + 14;
    p->x1 = WIDTH - SHEET_MARGIN - (int)fmax(110, 14 + number); /* room right of the longest bar */
    p->per_unit = (p->x1 - p->x0) / most;
    p->y0 = (int)draw_bars_head(p);
    p->y1 = p->y0 + PITCH * c->count;
}

int chart_bars(const char *path, const struct chart *c, const char *language, struct error *e)
{
    enum { MOST = 500 };
    struct bars p = {.chart = c,
                     .sheet = {.title = c->title,
                               .note = c->note,
                               .by = c->by,
                               .warning = c->warning,
                               .x = SHEET_MARGIN,
                               .width = WIDTH - 2 * SHEET_MARGIN,
                               .language = language}};
    struct canvas *canvas = &p.sheet.canvas;
    if (c->count < 1 || c->count > MOST)
        return error_failed(e, "%s: a chart of %d bars cannot be drawn (1 to %d can)", path,
                            c->count, MOST);
    int status = canvas_create(canvas, path, 0, 1, e);
    if (status) return status;
    plan_bars(&p);
    status = sheet_page(&p.sheet, WIDTH, p.y1 + AXIS + 14, e);
    if (!status) {
        draw_bars_head(&p);
        const struct sheet_frame f = {p.x0, p.y0, p.x1, p.y1};
        sheet_axis(&p.sheet, &f, false, 0, (p.x1 - p.x0) / p.per_unit, 8, c->unit);
        for (int i = 0; i < c->count; i++) draw_bar(&p, i);
        canvas_rectangle(canvas, p.x0 - 1, p.y0, p.x0 + 1, p.y1);
        canvas_ink(canvas, canvas_black, 1);
        status = sheet_write(&p.sheet, path, e);
    }
    canvas_free(canvas);
    return status;
}

/* ---- a sample of several numbers ------------------------------------------------------------- */

static const struct font head_font = {15, FONT_BOLD, 0, 0.5},
                         value_font = {13, FONT_REGULAR, 0, 0.5},
                         axis_font = {16, FONT_REGULAR, 0, 0.5},
                         upright = {16, FONT_REGULAR, 1.5707963267948966, 0.5};

enum { LEFT = 130, GAP = 26, BELOW = 96, HEAD = 56, WIDTH_LEAST = 860, BINS = 24 };
enum { SIDE_MOST = 330, SIDE_LEAST = 120, SIDES = 1300 };

struct corner_page {
    const struct corner *q;
    struct sheet sheet;
    double x0, y0; /* upper left corner of the first panel */
    int side;      /* side of each panel */
};

struct panel {
    double x, y;
};

static struct panel panel_at(const struct corner_page *g, int row, int col)
{
    return (struct panel){g->x0 + col * (g->side + GAP), g->y0 + row * (g->side + GAP)};
}

static void put_frame(struct corner_page *g, struct panel p)
{
    canvas_frame(&g->sheet.canvas, p.x - 1, p.y - 1, p.x + g->side + 1, p.y + g->side + 1, 1.5,
                 canvas_black);
}

/* ---- the diagonal ---------------------------------------------------------------------------- */

static void count_bins(const struct corner *q, int k, double bin[BINS])
{
    for (int b = 0; b < BINS; b++) bin[b] = 0;
    for (int i = 0; i < q->points; i++) {
        const int b = (int)(q->at[(size_t)i * (size_t)q->count + (size_t)k] * BINS);
        bin[b < 0 ? 0 : b < BINS ? b : BINS - 1] += q->weight[i];
    }
}

static void draw_histogram(struct corner_page *g, int k)
{
    const struct corner_axis *a = &g->q->axis[k];
    const struct panel p = panel_at(g, k, k);
    struct canvas *c = &g->sheet.canvas;
    const double bottom = p.y + g->side, width = (double)g->side / BINS;
    double bin[BINS], most = 1.0 / BINS;
    count_bins(g->q, k, bin);
    for (int b = 0; b < BINS; b++) most = fmax(most, bin[b]);
    const double scale = 0.92 * g->side / most;
    for (int b = 0; b < BINS; b++)
        canvas_rectangle(c, p.x + b * width, bottom - scale * bin[b], p.x + (b + 1) * width,
                         bottom);
    canvas_ink(c, colours_distinct(0), 0.55);
    canvas_segment(c, p.x, bottom - scale / BINS, p.x + g->side, bottom - scale / BINS);
    canvas_stroke(c, 1.5, canvas_grey, 1); /* this line has the height of a uniform prior */
    for (int i = 0; i < 3; i++) {
        const double x = p.x + g->side * a->mark[i];
        canvas_segment(c, x, p.y, x, bottom);
        canvas_stroke(c, i == 1 ? 3 : 1.5, colours_distinct(1), 1);
    }
    put_frame(g, p);
    font_write(c, &head_font, p.x + g->side / 2.0, p.y - 32, canvas_black,
               SAID(&g->sheet, a->title));
    font_write(c, &value_font, p.x + g->side / 2.0, p.y - 10, canvas_black,
               SAID(&g->sheet, a->head));
}

/* ---- below the diagonal ------------------------------------------------------------------------ */

static void draw_pair(struct corner_page *g, int row, int col)
{
    const struct corner *q = g->q;
    const struct panel p = panel_at(g, row, col);
    struct canvas *c = &g->sheet.canvas;
    for (int i = 1; i < 4; i++) {
        const double d = g->side * i / 4.0;
        canvas_segment(c, p.x + d, p.y, p.x + d, p.y + g->side);
        canvas_segment(c, p.x, p.y + d, p.x + g->side, p.y + d);
    }
    canvas_stroke(c, 1, sheet_pale, 1);
    canvas_clip(c, p.x, p.y, p.x + g->side, p.y + g->side);
    for (int i = 0; i < q->points; i++) {
        const double *at = q->at + (size_t)i * (size_t)q->count;
        const double radius = 2.6 * sqrt(q->weight[i] * q->points);
        canvas_disc(c, p.x + g->side * at[col], p.y + g->side * (1 - at[row]),
                    radius < 0.8 ? 0.8
                    : radius > 9 ? 9
                                 : radius);
        canvas_ink(c, colours_distinct(0), 0.55);
    }
    canvas_unclip(c);
    put_frame(g, p);
}

static void label_column(struct corner_page *g, int col)
{
    const struct corner_axis *a = &g->q->axis[col];
    const struct panel p = panel_at(g, g->q->count - 1, col);
    for (int i = 0; i < CORNER_TICKS; i++) {
        struct font f = value_font;
        f.anchor = i / (CORNER_TICKS - 1.0);
        font_write(&g->sheet.canvas, &f, p.x + g->side * f.anchor, p.y + g->side + 26, canvas_black,
                   SAID(&g->sheet, a->tick[i]));
    }
    font_write(&g->sheet.canvas, &axis_font, p.x + g->side / 2.0, p.y + g->side + 62, canvas_black,
               SAID(&g->sheet, a->title));
}

static void label_row(struct corner_page *g, int row)
{
    const struct corner_axis *a = &g->q->axis[row];
    const struct panel p = panel_at(g, row, 0);
    for (int i = 0; i < CORNER_TICKS; i++) {
        struct font f = value_font;
        f.anchor = 1;
        const double down = 1 - i / (CORNER_TICKS - 1.0);
        font_write(&g->sheet.canvas, &f, p.x - 10, p.y + g->side * down + f.size * (1 - down),
                   canvas_black, SAID(&g->sheet, a->tick[i]));
    }
    font_write(&g->sheet.canvas, &upright, p.x - 92, p.y + g->side / 2.0, canvas_black,
               SAID(&g->sheet, a->title));
}

/* ---- all ------------------------------------------------------------------------------------- */

int corner_write(const char *path, const struct corner *q, const char *language, struct error *e)
{
    struct corner_page g = {.q = q, .x0 = LEFT};
    struct canvas *canvas = &g.sheet.canvas;
    if (q->count < 1 || q->count > CORNER_AXES_MAX)
        return error_failed(e, "%s: a diagram of %d axes cannot be drawn (1 to %d can)", path,
                            q->count, CORNER_AXES_MAX);
    g.side = SIDES / q->count;
    if (g.side > SIDE_MOST) g.side = SIDE_MOST;
    if (g.side < SIDE_LEAST) g.side = SIDE_LEAST;
    const int panels = q->count * (g.side + GAP) - GAP;
    const double width = fmax(LEFT + panels - SHEET_MARGIN, WIDTH_LEAST);
    g.sheet = (struct sheet){.title = q->title,
                             .note = q->note,
                             .by = q->by,
                             .warning = q->warning,
                             .x = SHEET_MARGIN,
                             .width = width,
                             .language = language};
    int status = canvas_create(canvas, path, 0, 1, e);
    if (status) return status;
    g.y0 = sheet_head(&g.sheet, q->title, q->subtitle, SHEET_MARGIN) + 20 + HEAD;
    status = sheet_page(&g.sheet, width + 2 * SHEET_MARGIN, g.y0 + panels + BELOW, e);
    if (!status) {
        sheet_head(&g.sheet, q->title, q->subtitle, SHEET_MARGIN);
        for (int row = 0; row < g.q->count; row++) {
            for (int col = 0; col < row; col++) draw_pair(&g, row, col);
            draw_histogram(&g, row);
            label_column(&g, row);
            if (row) label_row(&g, row);
        }
        status = sheet_write(&g.sheet, path, e);
    }
    canvas_free(canvas);
    return status;
}

/* ---- lines and points ------------------------------------------------------------------------ */

static const struct font small_font = {15, FONT_REGULAR, 0, 0};

enum { PLOT_LEFT = 140, PLOT_SIDE = 820, PLOT_BELOW = 96, FLAT = 300, BETWEEN = 34, LEGEND = 34 };

struct page {
    const struct plot *plot;
    struct sheet *sheet;
    struct plot_axis x, y; /* the axes as drawn (widened()) */
    double x0, y0;         /* upper left corner of the frame */
    double top;            /* upper end of the title */
    int height;            /* height of the frame */
};

/* Returns an axis with the bounds that are drawn. A logarithmic axis has the logarithms of its bounds. If bounds are
 * too near to each other for round numbers between them, the bounds are moved apart by a hundredth of their size. */
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
    return g->x0 + PLOT_SIDE * (x - a->low) / (a->high - a->low);
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

/* The radius of the dots of a series, in units; less if there are many dots. */
static double dot_radius(const struct plot_series *s)
{
    int points = 0;
    for (int i = 0; i < s->count; i++) points += is_point(s, i);
    return points > 100 ? 3 : 8;
}

/* Draws title and legend. Returns the y below title and legend. */
static double draw_head(struct page *g)
{
    const struct plot *p = g->plot;
    struct canvas *c = &g->sheet->canvas;
    double y = sheet_head(g->sheet, p->title, p->subtitle, g->top) + 14;
    for (int i = 0; i <= p->count; i++) {
        const char *label = i < p->count ? p->series[i].label : p->diagonal;
        if (!label) continue;
        const struct rgb colour = i < p->count ? colours_distinct(i) : canvas_grey;
        if (i < p->count && (p->series[i].kind == PLOT_DOTS || p->series[i].count == 1)) {
            canvas_disc(c, PLOT_LEFT + 20, y + 10, dot_radius(&p->series[i]));
            canvas_ink(c, colour, 1);
        } else {
            canvas_segment(c, PLOT_LEFT, y + 10, PLOT_LEFT + 40, y + 10);
            canvas_stroke(c, i < p->count ? 4 : 2, colour, 1);
        }
        font_write(c, &sheet_text, PLOT_LEFT + 54, y + 10 + sheet_text.size / 2, canvas_black,
                   SAID(g->sheet, label));
        y += LEGEND;
    }
    return y + 10;
}

static void draw_axes(struct page *g)
{
    const struct plot *p = g->plot;
    const struct sheet_frame f = {g->x0, g->y0, g->x0 + PLOT_SIDE, g->y0 + g->height};
    struct canvas *c = &g->sheet->canvas;
    sheet_axis(g->sheet, &f, false, g->x.low, g->x.high, p->log_x ? 0 : 10, p->x.title);
    sheet_axis(g->sheet, &f, true, g->y.low, g->y.high, p->log_y ? 0 : g->height / 82.0,
               p->y.title);
    if (p->diagonal) {
        canvas_segment(c, f.x0, f.y1, f.x1, f.y0);
        canvas_stroke(c, 2, canvas_grey, 1);
    }
    canvas_frame(c, f.x0 - 1, f.y0 - 1, f.x1 + 1, f.y1 + 1, 2, canvas_black);
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

/* Draws the interval at each point as a line with two short ends. */
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

/* Draws the disc of a point, and the words next to it. */
static void draw_point(struct page *g, int which, int i)
{
    const struct plot_series *s = &g->plot->series[which];
    const double x = to_x(g, s->x[i]), y = to_y(g, s->y[i]);
    canvas_disc(&g->sheet->canvas, x, y, 8);
    canvas_ink(&g->sheet->canvas, colours_distinct(which), 1);
    if (!s->point[i]) return;
    /* Lines mostly rise, so words are to the lower right of a point, or above it if there is no room. Next to a
     * point without a line, words are at the height of the point. */
    const bool lone = !(i > 0 && is_point(s, i - 1)) && !(i + 1 < s->count && is_point(s, i + 1));
    const bool east = x > g->x0 + 0.85 * PLOT_SIDE, west = x < g->x0 + 0.1 * PLOT_SIDE;
    const bool above = !lone && (east || y > g->y0 + g->height - 40);
    struct font f = small_font;
    f.anchor = east ? 1 : above && !west ? 0.5 : 0;
    const double aside = (east ? -1 : above && !west ? 0 : 1) * (lone ? 14 : 8);
    font_write_clear(&g->sheet->canvas, &f, x + aside,
                     lone    ? y + 5
                     : above ? y - 14
                             : y + 26,
                     canvas_black, SAID(g->sheet, s->point[i]));
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

/* Places the diagrams of a picture. Returns the y below the last diagram. */
static double place_plots(struct page *g, struct sheet *sheet, const struct plot *p, int count,
                          int height)
{
    double y = SHEET_MARGIN;
    for (int i = 0; i < count; i++) {
        g[i] = (struct page){.plot = &p[i],
                             .sheet = sheet,
                             .x = widened(p[i].x, p[i].log_x),
                             .y = widened(p[i].y, p[i].log_y),
                             .x0 = PLOT_LEFT,
                             .top = y,
                             .height = height};
        g[i].y0 = draw_head(&g[i]);
        y = g[i].y0 + height + (i + 1 < count ? BETWEEN : PLOT_BELOW);
        if (i + 1 < count && p[i].x.title) y += PLOT_BELOW;
    }
    return y;
}

static bool has_extent(const struct plot *p)
{
    return p->x.high > p->x.low && p->y.high > p->y.low && (!p->log_x || p->x.low > 0) &&
           (!p->log_y || p->y.low > 0);
}

int plots_write(const char *path, const struct plot *p, int count, const char *language,
                struct error *e)
{
    assert(count >= 1 && count <= PLOTS_MOST);
    struct page page[PLOTS_MOST];
    struct sheet sheet = {.title = p->title,
                          .note = p[count - 1].note,
                          .by = p[count - 1].by,
                          .warning = p[0].warning,
                          .x = PLOT_LEFT,
                          .width = PLOT_SIDE,
                          .language = language};
    for (int i = 0; i < count; i++)
        if (!has_extent(&p[i]) || p[i].count > COLOURS_DISTINCT)
            return error_failed(
                e, "%s: a diagram without extent or of more than %d series cannot be drawn", path,
                COLOURS_DISTINCT);
    int status = canvas_create(&sheet.canvas, path, 0, 1, e);
    if (status) return status;
    const double note_y = place_plots(page, &sheet, p, count, count == 1 ? PLOT_SIDE : FLAT);
    status = sheet_page(&sheet, PLOT_LEFT + PLOT_SIDE + SHEET_MARGIN, note_y, e);
    for (int i = 0; i < count && !status; i++) {
        draw_head(&page[i]);
        draw_axes(&page[i]);
        for (int k = 0; k < p[i].count; k++) draw_series(&page[i], k);
    }
    if (!status) status = sheet_write(&sheet, path, e);
    canvas_free(&sheet.canvas);
    return status;
}
