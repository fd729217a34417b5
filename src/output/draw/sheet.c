#include "sheet.h"

#include "roundnum.h"

#include <math.h>

enum { TITLE_LEAD = 44, SUBTITLE_LEAD = 30, NOTE_LEAD = 25, LINES_MOST = 6 };

static const struct font title_font = {30, FONT_BOLD, 0, 0}, note_font = {14, FONT_REGULAR, 0, 0};

double sheet_head(struct sheet *s, const char *title, const char *subtitle, double y)
{
    struct canvas *c = &s->canvas;
    y += TITLE_LEAD * font_paragraph(c, &title_font, s->x, y + title_font.size, s->width,
                                     TITLE_LEAD, 3, sheet_black, title);
    return y + SUBTITLE_LEAD * font_paragraph(c, &sheet_text, s->x, y + 4 + sheet_text.size,
                                              s->width, SUBTITLE_LEAD, 5, sheet_grey, subtitle);
}

static int draw_note(struct sheet *s)
{
    return font_paragraph(&s->canvas, &note_font, s->x, s->note_y + note_font.size, s->width,
                          NOTE_LEAD, LINES_MOST, sheet_grey, s->note);
}

void sheet_axis(struct sheet *s, const struct sheet_frame *f, bool upright, double low, double high,
                double parts, const char *title)
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
        widest = fmax(widest, font_width(c, &number, text));
        font_write(c, &number, upright ? f->x0 - 14 : x,
                   upright ? y + number.size / 2 : f->y1 + 14 + number.size, sheet_black, text);
    }
    font_write(c, &name, upright ? f->x0 - fmax(74, 14 + widest + 14) : (f->x0 + f->x1) / 2,
               upright ? (f->y0 + f->y1) / 2 : f->y1 + 74, sheet_black, title);
}

int sheet_page(struct sheet *s, double width, double note_y, struct error *e)
{
    s->note_y = note_y;
    return canvas_page(&s->canvas, width, note_y + NOTE_LEAD * draw_note(s) + SHEET_MARGIN - 12, e);
}

int sheet_write(struct sheet *s, const char *path, struct error *e)
{
    draw_note(s);
    return canvas_write(&s->canvas, path, s->title, e);
}
