#include "corner.h"

#include "sheet.h"

#include <math.h>

static const struct font head_font = {15, FONT_BOLD, 0, 0.5},
                         value_font = {13, FONT_REGULAR, 0, 0.5},
                         axis_font = {16, FONT_REGULAR, 0, 0.5},
                         upright = {16, FONT_REGULAR, 1.5707963267948966, 0.5};

enum { LEFT = 130, GAP = 26, BELOW = 96, HEAD = 56, WIDTH_LEAST = 860, BINS = 24 };
enum { SIDE_MOST = 330, SIDE_LEAST = 120, SIDES = 1300 };

struct page {
    const struct corner *q;
    struct sheet sheet;
    double x0, y0; /* upper left corner of the first panel */
    int side;      /* of each */
};

struct panel {
    double x, y;
};

static struct panel panel_at(const struct page *g, int row, int col)
{
    return (struct panel){g->x0 + col * (g->side + GAP), g->y0 + row * (g->side + GAP)};
}

static void put_frame(struct page *g, struct panel p)
{
    canvas_frame(&g->sheet.canvas, p.x - 1, p.y - 1, p.x + g->side + 1, p.y + g->side + 1, 1.5,
                 sheet_black);
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
    canvas_stroke(c, 1.5, sheet_grey, 1); /* the prior */
    for (int i = 0; i < 3; i++) {
        const double x = p.x + g->side * a->mark[i];
        canvas_segment(c, x, p.y, x, bottom);
        canvas_stroke(c, i == 1 ? 3 : 1.5, colours_distinct(1), 1);
    }
    put_frame(g, p);
    font_write(c, &head_font, p.x + g->side / 2.0, p.y - 32, sheet_black, a->title);
    font_write(c, &value_font, p.x + g->side / 2.0, p.y - 10, sheet_black, a->head);
}

/* ---- below ----------------------------------------------------------------------------------- */

static void draw_pair(struct page *g, int row, int col)
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

static void label_column(struct page *g, int col)
{
    const struct corner_axis *a = &g->q->axis[col];
    const struct panel p = panel_at(g, g->q->count - 1, col);
    for (int i = 0; i < CORNER_TICKS; i++) {
        struct font f = value_font;
        f.anchor = i / (CORNER_TICKS - 1.0);
        font_write(&g->sheet.canvas, &f, p.x + g->side * f.anchor, p.y + g->side + 26, sheet_black,
                   a->tick[i]);
    }
    font_write(&g->sheet.canvas, &axis_font, p.x + g->side / 2.0, p.y + g->side + 62, sheet_black,
               a->title);
}

static void label_row(struct page *g, int row)
{
    const struct corner_axis *a = &g->q->axis[row];
    const struct panel p = panel_at(g, row, 0);
    for (int i = 0; i < CORNER_TICKS; i++) {
        struct font f = value_font;
        f.anchor = 1;
        const double down = 1 - i / (CORNER_TICKS - 1.0);
        font_write(&g->sheet.canvas, &f, p.x - 10, p.y + g->side * down + f.size * (1 - down),
                   sheet_black, a->tick[i]);
    }
    font_write(&g->sheet.canvas, &upright, p.x - 92, p.y + g->side / 2.0, sheet_black, a->title);
}

/* ---- all ------------------------------------------------------------------------------------- */

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
    struct canvas *canvas = &g.sheet.canvas;
    if (q->count < 1 || q->count > CORNER_AXES_MAX)
        return error_failed(e, "%s: a diagram of %d axes cannot be drawn (1 to %d can)", path,
                            q->count, CORNER_AXES_MAX);
    g.side = SIDES / q->count;
    if (g.side > SIDE_MOST) g.side = SIDE_MOST;
    if (g.side < SIDE_LEAST) g.side = SIDE_LEAST;
    const int panels = q->count * (g.side + GAP) - GAP;
    const double width = fmax(LEFT + panels - SHEET_MARGIN, WIDTH_LEAST);
    g.sheet = (struct sheet){.title = q->title, .note = q->note, .x = SHEET_MARGIN, .width = width};
    int status = canvas_create(canvas, path, 0, 1, e);
    if (status) return status;
    g.y0 = sheet_head(&g.sheet, q->title, q->subtitle, SHEET_MARGIN) + 20 + HEAD;
    status = sheet_page(&g.sheet, width + 2 * SHEET_MARGIN, g.y0 + panels + BELOW, e);
    if (!status) {
        sheet_head(&g.sheet, q->title, q->subtitle, SHEET_MARGIN);
        draw_panels(&g);
        status = sheet_write(&g.sheet, path, e);
    }
    canvas_free(canvas);
    return status;
}
