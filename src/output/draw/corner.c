#include "corner.h"

#include "canvas.h"
#include "colours.h"
#include "font.h"

#include <math.h>

static const struct font title_font = {30, FONT_BOLD, 0, 0}, text_font = {19, FONT_REGULAR, 0, 0},
                         head_font = {15, FONT_BOLD, 0, 0.5},
                         value_font = {13, FONT_REGULAR, 0, 0.5},
                         axis_font = {16, FONT_REGULAR, 0, 0.5},
                         upright = {16, FONT_REGULAR, 1.5707963267948966, 0.5},
                         note_font = {14, FONT_REGULAR, 0, 0};
static const struct rgb black = {25, 25, 28}, grey = {95, 95, 100}, pale = {224, 225, 229};

enum { MARGIN = 48, LEFT = 130, GAP = 26, BELOW = 96, HEAD = 56, WIDTH_LEAST = 860, BINS = 24 };
enum { SIDE_MOST = 330, SIDE_LEAST = 120, SIDES = 1300 };

struct page {
    const struct corner *q;
    struct canvas canvas;
    int x0, y0, side; /* upper left corner of the first panel; side of each */
};

struct panel {
    double x, y;
};

static struct panel panel_at(const struct page *g, int row, int col)
{
    return (struct panel){g->x0 + col * (g->side + GAP), g->y0 + row * (g->side + GAP)};
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static void put_frame(struct page *g, struct panel p)
{
    canvas_frame(&g->canvas, p.x - 1, p.y - 1, p.x + g->side + 1, p.y + g->side + 1, 1.5, black);
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

static void draw_histogram(struct page *g, int k)
{
    const struct corner_axis *a = &g->q->axis[k];
    const struct panel p = panel_at(g, k, k);
    struct canvas *c = &g->canvas;
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
    canvas_stroke(c, 1.5, grey, 1); /* the prior */
    for (int i = 0; i < 3; i++) {
        const double x = p.x + g->side * a->mark[i];
        canvas_segment(c, x, p.y, x, bottom);
        canvas_stroke(c, i == 1 ? 3 : 1.5, colours_distinct(1), 1);
    }
    put_frame(g, p);
    font_write(c, &head_font, p.x + g->side / 2.0, p.y - 32, black, or_empty(a->title));
    font_write(c, &value_font, p.x + g->side / 2.0, p.y - 10, black, or_empty(a->head));
}

/* ---- below ----------------------------------------------------------------------------------- */

static void draw_pair(struct page *g, int row, int col)
{
    const struct corner *q = g->q;
    const struct panel p = panel_at(g, row, col);
    struct canvas *c = &g->canvas;
    for (int i = 1; i < 4; i++) {
        const double d = g->side * i / 4.0;
        canvas_segment(c, p.x + d, p.y, p.x + d, p.y + g->side);
        canvas_segment(c, p.x, p.y + d, p.x + g->side, p.y + d);
    }
    canvas_stroke(c, 1, pale, 1);
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

static void label_column(struct page *g, int col)
{
    const struct corner_axis *a = &g->q->axis[col];
    const struct panel p = panel_at(g, g->q->count - 1, col);
    for (int i = 0; i < CORNER_TICKS; i++) {
        struct font f = value_font;
        f.anchor = i / (CORNER_TICKS - 1.0);
        font_write(&g->canvas, &f, p.x + g->side * f.anchor, p.y + g->side + 26, black,
                   or_empty(a->tick[i]));
    }
    font_write(&g->canvas, &axis_font, p.x + g->side / 2.0, p.y + g->side + 62, black,
               or_empty(a->title));
}

static void label_row(struct page *g, int row)
{
    const struct corner_axis *a = &g->q->axis[row];
    const struct panel p = panel_at(g, row, 0);
    for (int i = 0; i < CORNER_TICKS; i++) {
        struct font f = value_font;
        f.anchor = 1;
        const double down = 1 - i / (CORNER_TICKS - 1.0);
        font_write(&g->canvas, &f, p.x - 10, p.y + g->side * down + f.size * (1 - down), black,
                   or_empty(a->tick[i]));
    }
    font_write(&g->canvas, &upright, p.x - 92, p.y + g->side / 2.0, black, or_empty(a->title));
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Returns the y below. */
static int draw_head(struct page *g, int width)
{
    struct canvas *c = &g->canvas;
    int y = MARGIN;
    y += 44 * font_paragraph(c, &title_font, MARGIN, y + title_font.size, width, 44, 3, black,
                             or_empty(g->q->title));
    y += 30 * font_paragraph(c, &text_font, MARGIN, y + 4 + text_font.size, width, 30, 5, grey,
                             or_empty(g->q->subtitle));
    return y + 20;
}

static void draw_panels(struct page *g)
{
    for (int row = 0; row < g->q->count; row++) {
        for (int col = 0; col < row; col++) draw_pair(g, row, col);
        draw_histogram(g, row);
        label_column(g, row);
        if (row) label_row(g, row);
    }
}

int corner_write(const char *path, const struct corner *q, struct error *e)
{
    struct page g = {.q = q, .x0 = LEFT};
    if (q->count < 1 || q->count > CORNER_AXES_MAX)
        return error_failed(e, "%s: such a diagram cannot be drawn", path);
    g.side = SIDES / q->count;
    if (g.side > SIDE_MOST) g.side = SIDE_MOST;
    if (g.side < SIDE_LEAST) g.side = SIDE_LEAST;
    const int panels = q->count * (g.side + GAP) - GAP;
    int width = LEFT + panels - MARGIN;
    if (width < WIDTH_LEAST) width = WIDTH_LEAST;
    int status = canvas_create(&g.canvas, path, 0, 1, e);
    if (status) return status;
    g.y0 = draw_head(&g, width) + HEAD;
    const int note_y = g.y0 + panels + BELOW;
    const int lines =
        font_paragraph(&g.canvas, &note_font, 0, 0, width, 25, 6, grey, or_empty(q->note));
    status = canvas_page(&g.canvas, width + 2 * MARGIN, note_y + 25 * lines + MARGIN - 12, e);
    if (!status) {
        draw_head(&g, width);
        draw_panels(&g);
        font_paragraph(&g.canvas, &note_font, MARGIN, note_y + note_font.size, width, 25, 6, grey,
                       or_empty(q->note));
        status = canvas_write(&g.canvas, path, or_empty(q->title), e);
    }
    canvas_free(&g.canvas);
    return status;
}
