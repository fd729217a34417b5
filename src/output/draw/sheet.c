#include "sheet.h"

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
