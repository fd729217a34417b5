/* font.c — text as strokes of a round pen. */
#include "font.h"

#include "glyphs.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Next code point of UTF-8; a byte that fits nowhere counts as one unknown character. */
static uint32_t next_code(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    int more = s[0] >= 0xF0 && s[0] < 0xF8 ? 3 : s[0] >= 0xE0 ? 2 : s[0] >= 0xC0 ? 1 : 0;
    uint32_t code = s[0] < 0x80 ? s[0] : s[0] & (0x3F >> more);
    (*text)++;
    if (s[0] < 0x80) return code;
    if (!more || s[0] >= 0xF8) return 0xFFFD;
    for (int i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0xFFFD;
        code = code << 6 | (s[i] & 0x3F);
    }
    *text += more;
    return code;
}

/* Where the pen is and how units become pixels. */
struct pen {
    struct canvas *canvas;
    double x0, y0;       /* origin of the glyph in pixels */
    double cosine, sine; /* of the base line's angle, times pixels per unit */
    double width_px;
    double x, y; /* in units */
};

static void line_to(struct pen *p, double x, double y)
{
    double c = p->cosine, s = p->sine;
    canvas_segment(p->canvas, p->x0 + c * p->x - s * p->y, p->y0 - s * p->x - c * p->y,
                   p->x0 + c * x - s * y, p->y0 - s * x - c * y, p->width_px);
    p->x = x;
    p->y = y;
}

/* A cubic Bezier as chords: enough of them that none is longer than about two pixels. */
static void curve_to(struct pen *p, double x1, double y1, double x2, double y2, double x3,
                     double y3)
{
    double x0 = p->x, y0 = p->y;
    double length = hypot(x1 - x0, y1 - y0) + hypot(x2 - x1, y2 - y1) + hypot(x3 - x2, y3 - y2);
    int n = 4 + (int)(length * hypot(p->cosine, p->sine) / 2);
    for (int i = 1; i <= n; i++) {
        double t = (double)i / n, r = 1 - t;
        double a = r * r * r, b = 3 * r * r * t, c = 3 * r * t * t, d = t * t * t;
        line_to(p, a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
    }
}

static void quarter_to(struct pen *p, bool horizontal_first, double x, double y)
{
    const double k = 0.5523; /* the control points that bring a Bezier closest to an ellipse */
    double dx = k * (x - p->x), dy = k * (y - p->y);
    if (horizontal_first) curve_to(p, p->x + dx, p->y, x, y - dy, x, y);
    else curve_to(p, p->x, p->y + dy, x - dx, y, x, y);
}

static void dot_at(struct pen *p, double x, double y)
{
    double c = p->cosine, s = p->sine;
    canvas_disc(p->canvas, p->x0 + c * x - s * y, p->y0 - s * x - c * y, 0.62 * p->width_px);
}

static void ellipse(struct pen *p, double x, double y, double rx, double ry)
{
    p->x = x - rx;
    p->y = y;
    quarter_to(p, false, x, y + ry);
    quarter_to(p, true, x + rx, y);
    quarter_to(p, false, x, y - ry);
    quarter_to(p, true, x - rx, y);
}

static void follow(struct pen *p, const char *path)
{
    while (*path) {
        double v[6] = {0};
        char move = *path++;
        if (move == ' ') continue;
        for (int i = 0; i < 6; i++) {
            char *end;
            v[i] = strtod(path, &end);
            if (end == path) break;
            path = end;
        }
        switch (move) {
        case 'M':
            p->x = v[0], p->y = v[1];
            break;
        case 'L':
            line_to(p, v[0], v[1]);
            break;
        case 'H':
            line_to(p, v[0], p->y);
            break;
        case 'V':
            line_to(p, p->x, v[0]);
            break;
        case 'a':
            quarter_to(p, true, v[0], v[1]);
            break;
        case 'b':
            quarter_to(p, false, v[0], v[1]);
            break;
        case 'C':
            curve_to(p, v[0], v[1], v[2], v[3], v[4], v[5]);
            break;
        case 'O':
            ellipse(p, v[0], v[1], v[2], v[3]);
            break;
        case '*':
            dot_at(p, v[0], v[1]);
            break;
        }
    }
}

static const double capital = 14; /* units */

/* Air that a heavier pen takes from both sides of a letter, given back. */
static double extra_air(const struct font *f)
{
    return 0.7 * capital * (f->weight - FONT_REGULAR);
}

double font_width(const struct font *f, const char *text)
{
    double units = 0;
    while (*text) {
        struct glyph g = glyph_of(next_code(&text));
        units += g.left + g.width + g.right + extra_air(f);
    }
    return units * f->size_px / capital;
}

static void draw_accent(struct pen p, const struct glyph *g)
{
    double x = g->width / 2, y = g->accent_y;
    if (g->accent == ',' || g->accent == '/') y = 0; /* below, or across */
    p.x0 += p.cosine * x - p.sine * y;
    p.y0 -= p.sine * x + p.cosine * y;
    if (g->accent == ',') follow(&p, "M0.2 0 L-0.6 -3.2");
    else if (g->accent == '/')
        follow(&p, g->accent_y > 10 ? "M-5 -0.8 L5 14.8" : "M-4 -0.8 L4 10.8");
    else follow(&p, glyph_accent(g->accent));
}

void font_draw(struct canvas *c, const struct font *f, double x, double y, const char *text)
{
    double unit = f->size_px / capital, before = f->anchor * font_width(f, text);
    struct pen p = {c,
                    x - before * cos(f->angle),
                    y + before * sin(f->angle),
                    unit * cos(f->angle),
                    unit * sin(f->angle),
                    f->weight * f->size_px,
                    0,
                    0};
    while (*text) {
        struct glyph g = glyph_of(next_code(&text));
        p.x0 += g.left * p.cosine;
        p.y0 -= g.left * p.sine;
        follow(&p, g.path);
        if (g.accent) draw_accent(p, &g);
        double on = g.width + g.right + extra_air(f);
        p.x0 += on * p.cosine;
        p.y0 -= on * p.sine;
    }
}

int font_break(const struct font *f, const char *text, double width_px, const char **next)
{
    const char *s = text, *fits = text, *word = NULL;
    double units = 0;
    while (*s) {
        const char *here = s;
        struct glyph g = glyph_of(next_code(&s));
        units += g.left + g.width + g.right + extra_air(f);
        if (*here == ' ') word = here;
        if (units * f->size_px / capital > width_px && here > text && *here != ' ') break;
        fits = s;
    }
    if (*fits && word && word > text) fits = word;
    for (*next = fits; **next == ' '; (*next)++) {
    }
    return (int)(fits - text);
}

void font_write(struct canvas *c, const struct font *f, double x, double y, struct rgb colour,
                const char *text)
{
    font_draw(c, f, x, y, text);
    canvas_ink(c, colour, 1);
}

int font_paragraph(struct canvas *c, const struct font *f, double x, double y, double width_px,
                   double leading_px, int most_lines, struct rgb colour, const char *text)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    char line[1024];
    int lines = 0;
    while (*text && lines < most_lines) {
        const char *next;
        bool last = lines + 1 == most_lines;
        int length = font_break(f, text, width_px, &next);
        if (last && *next) length = font_break(f, text, width_px - font_width(f, ellipsis), &next);
        if (length > (int)sizeof line - 8) length = (int)sizeof line - 8;
        snprintf(line, sizeof line, "%.*s%s", length, text, last && *next ? ellipsis : "");
        if (c) font_write(c, f, x, y + lines * leading_px, colour, line);
        text = next;
        lines++;
    }
    return lines;
}
