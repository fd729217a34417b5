#include "legend.h"

#include "canvas.h"
#include "font.h"
#include "png_file.h"
#include "record/roundnum.h"

#include <stdio.h>

enum { LEGEND_WIDE = 340, LEGEND_ROW = 34, LEGEND_PARTS = 5, LEGEND_MARGIN = 18 };
static const struct font legend_title = {17, FONT_BOLD, 0, 0},
                         legend_text = {16, FONT_REGULAR, 0, 0};

/* Rows from the top: the last class, or the high end of the scale, first. Returns the y below. */
static double draw_legend(struct canvas *c, const struct legend_page *p)
{
    const struct legend *of = p->legend;
    static const struct rgb black = {25, 25, 28};
    const int rows = of->count ? of->count : LEGEND_PARTS + 1;
    const double x0 = LEGEND_MARGIN, x1 = x0 + 48;
    double y = LEGEND_MARGIN + 26 * font_paragraph(c, &legend_title, x0, LEGEND_MARGIN + 17,
                                                   LEGEND_WIDE - 2 * x0, 26, 3, black, p->title);
    char number[32], label[64];
    for (int i = rows - 1; i >= 0; i--, y += LEGEND_ROW) {
        const double share = (double)i / LEGEND_PARTS;
        const double v = of->low + (of->high - of->low) * share;
        if (of->count) snprintf(label, sizeof label, "%.60s", of->class[i].label);
        else snprintf(label, sizeof label, "%s %.20s", roundnum_brief(number, v), of->unit);
        canvas_rectangle(c, x0, y, x1, y + LEGEND_ROW - (of->count ? 8 : 0));
        canvas_ink(c, of->count ? of->class[i].colour : colours_at(of->scale, share), 1);
        font_write(c, &legend_text, x1 + 14, y + LEGEND_ROW / 2.0 + 8, black, label);
    }
    return y + LEGEND_MARGIN - 8;
}

int legend_bytes(char **bytes, size_t *size, const struct legend_page *p, double dpi,
                 struct error *e)
{
    struct canvas c;
    int status = canvas_create(&c, "legend.png", 0, 1, e);
    if (status) return status;
    status = canvas_page(&c, LEGEND_WIDE, draw_legend(&c, p), e);
    if (!status) draw_legend(&c, p);
    *bytes = status ? NULL : png_file_bytes(cairo_get_target(c.cr), dpi, size);
    canvas_free(&c);
    return status || *bytes ? status : error_memory(e);
}
