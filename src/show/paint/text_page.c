/* text_page.c — draws a page of text with tables and a map, A4. */
#include "paint.h"

#include "draw/canvas.h"
#include "draw/font.h"
#include "map/map.h"
#include "text/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Lengths are in units of 1/200 inch. ROW is the height of a row. */
enum { WIDTH = 1654, HEIGHT = 2339, MARGIN = 90, ROW = 26, CELL_LINES = 2 };
/* Lines below the first table leave room for a map of the usual height. If the rows of the first table need more room,
 * the map shrinks. */
enum { MAP_USUAL = HEIGHT * 2 / 5, MAP_LEAST = HEIGHT / 4, LINES_LEAST = 2 };

static const struct style {
    struct font font;
    double lead, above;
    int lines;
    struct rgb colour;
} styles[] = {
    [TEXT_PAGE_HEAD] = {{28, FONT_BOLD, 0, 0}, 48, 0, 2, {25, 25, 28}},
    [TEXT_PAGE_SECTION] = {{18, FONT_BOLD, 0, 0}, 34, 20, 1, {25, 25, 28}},
    [TEXT_PAGE_PLAIN] = {{15, FONT_REGULAR, 0, 0}, ROW, 0, 3, {25, 25, 28}},
    [TEXT_PAGE_ALERT] = {{15, FONT_BOLD, 0, 0}, ROW, 0, 3, {176, 20, 20}},
    [TEXT_PAGE_TABLE] = {{14, FONT_BOLD, 0, 0}, ROW, 0, 3, {25, 25, 28}},
    [TEXT_PAGE_ROW] = {{14, FONT_REGULAR, 0, 0}, ROW, 0, CELL_LINES, {25, 25, 28}},
    [TEXT_PAGE_LAST] = {{15, FONT_REGULAR, 0, 0}, ROW, 0, 3, {25, 25, 28}},
};

/* Draws cells side by side. Returns the y below the highest cell. */
static double put_row(struct canvas *c, const struct text_page_line *line, double y)
{
    static const double from[TEXT_PAGE_CELLS + 1] = {
        0, 340, 550, 830, 1050, 1270, WIDTH - 2 * MARGIN + 20};
    const struct style *s = &styles[line->kind];
    int most = 1;
    for (int i = 0, next; i < TEXT_PAGE_CELLS; i = next) {
        for (next = i + 1; next < TEXT_PAGE_CELLS && !line->cell[next];) next++;
        if (!line->cell[i]) continue;
        const int lines =
            font_paragraph(c, &s->font, MARGIN + from[i], y + s->font.size,
                           from[next] - from[i] - 20, ROW, s->lines, s->colour, line->cell[i]);
        if (lines > most) most = lines;
    }
    return y + most * ROW;
}

static double put_line(struct canvas *c, const struct text_page_line *line, double y)
{
    const struct style *s = &styles[line->kind];
    if (line->kind == TEXT_PAGE_TABLE || line->kind == TEXT_PAGE_ROW) return put_row(c, line, y);
    y += s->above;
    return y + s->lead * font_paragraph(c, &s->font, MARGIN, y + s->font.size, WIDTH - 2 * MARGIN,
                                        s->lead, s->lines, s->colour, line->cell[0]);
}

/* ---- what has room ----------------------------------------------------------------------------- */

/* Finds the longest sequence of shown lines of the kind `of`, at line `from` or later. Returns the
 * last line of the sequence. *lines: the length of the sequence in lines; 0: there is none. */
static int longest(const struct text_page *p, const double *height, enum text_page_kind of,
                   int from, int *lines)
{
    int end = 0;
    *lines = 0;
    for (int i = from, count = 0; i < p->count; i++) {
        const enum text_page_kind kind = p->line[i].kind;
        if (!height[i]) continue;
        count = i > from && height[i - 1] > 0 && p->line[i - 1].kind == kind ? count + 1 : 1;
        if (kind == of && count >= *lines) *lines = count, end = i;
    }
    return end;
}

/* The first line below the first table. The rows of this table matter most. */
static int below_first(const struct text_page *p)
{
    int i = 0;
    while (i < p->count && p->line[i].kind != TEXT_PAGE_ROW) i++;
    while (i < p->count && p->line[i].kind == TEXT_PAGE_ROW) i++;
    return i;
}

/* Whether lines from this line on are omitted, so that the page has a note in their place. */
static bool is_left_out(const double *height, int i)
{
    return !height[i] && i && height[i - 1] > 0;
}

/* Finds the height of each line; the canvas has no page yet, so nothing is painted. Omits lines (height 0) until the
 * map is large enough: first rows of later tables, then paragraphs, then rows of the first table. */
static void lay_out(struct canvas *c, const struct text_page *p, double *height)
{
    const double room = HEIGHT - 2 * MARGIN - ROW;
    for (int i = 0; i < p->count; i++) height[i] = put_line(c, &p->line[i], 0);
    for (;;) {
        double all = 0;
        int lines;
        for (int i = 0; i < p->count; i++)
            if (p->line[i].kind != TEXT_PAGE_LAST) all += is_left_out(height, i) ? ROW : height[i];
        int end = longest(p, height, TEXT_PAGE_ROW, below_first(p), &lines);
        const int map = !p->map ? 0 : lines > LINES_LEAST ? MAP_USUAL : MAP_LEAST;
        if (lines <= LINES_LEAST) end = longest(p, height, TEXT_PAGE_PLAIN, 0, &lines);
        if (lines <= LINES_LEAST) end = longest(p, height, TEXT_PAGE_ROW, 0, &lines);
        if (all + map <= room || lines <= LINES_LEAST) return;
        height[end] = 0;
    }
}

/* Draws the map from y down to the last line. */
static int put_map(struct canvas *c, const struct map *map, double dpi, double y, struct error *e)
{
    struct map fitted = *map;
    cairo_surface_t *picture;
    fitted.paper = (struct map_paper){(WIDTH - 2 * MARGIN) / (double)CANVAS_DPI,
                                      (HEIGHT - MARGIN - ROW - y) / CANVAS_DPI, dpi};
    const int status = map_picture(&picture, &fitted, e);
    if (status) return status;
    canvas_picture(c, picture, MARGIN, y, CANVAS_DPI / dpi);
    cairo_surface_destroy(picture);
    return 0;
}

/* The page without the lines that are only for a screen. `room` has space for all lines. */
static struct text_page on_paper(const struct text_page *p, struct text_page_line *room)
{
    struct text_page paper = *p;
    paper.line = room;
    paper.count = 0;
    for (int i = 0; i < p->count; i++)
        if (p->line[i].where != TEXT_PAGE_ON_SCREEN) room[paper.count++] = p->line[i];
    return paper;
}

/* Writes the number of omitted lines in their place. */
static double put_more(struct canvas *c, const struct text_page *p, const double *height, int from,
                       double y)
{
    char packed[WORDS_TEXT], text[WORDS_TEXT];
    int count = 0;
    while (from + count < p->count && !height[from + count]) count++;
    words_pack(packed, sizeof packed, "and %d more {line|lines}", count);
    words_fill(text, sizeof text, packed, p->language);
    return put_line(c, &(struct text_page_line){TEXT_PAGE_ROW, TEXT_PAGE_EVERYWHERE, {text}}, y);
}

static int put_page(struct canvas *c, const struct text_page *p, const double *height, double dpi,
                    struct error *e)
{
    double y = MARGIN;
    int status = 0;
    for (int i = 0; i < p->count && !status; i++) {
        const bool last = p->line[i].kind == TEXT_PAGE_LAST;
        if (last && p->map) status = put_map(c, p->map, dpi, y, e);
        if (!status && height[i] > 0)
            y = put_line(c, &p->line[i], last ? HEIGHT - MARGIN - ROW : y);
        else if (!status && is_left_out(height, i)) y = put_more(c, p, height, i, y);
    }
    return status;
}

const char *paint_text_note(const struct painting *p, const struct text_page *page)
{
    const char *made_in = page->language ? page->language : *words_languages;
    const bool other = p->language && strcmp(p->language, made_in) != 0;
    return other ? "its text stays in the language that it was made in" : "";
}

int text_page_write(const char *path, const struct text_page *page, struct error *e)
{
    FREED_BY(canvas_free) struct canvas c;
    const double dpi = page->dpi > 0 ? page->dpi : CANVAS_DPI;
    int status = canvas_create(&c, path, dpi, 1, e);
    FREED double *height = calloc((size_t)page->count + 1, sizeof *height);
    FREED struct text_page_line *line = calloc((size_t)page->count + 1, sizeof *line);
    if (!status && (!height || !line)) status = error_memory(e);
    const struct text_page p = status ? *page : on_paper(page, line);
    if (!status) lay_out(&c, &p, height);
    if (!status) status = canvas_page(&c, WIDTH, HEIGHT, e);
    if (!status) status = put_page(&c, &p, height, dpi, e);
    if (!status) status = canvas_write(&c, path, p.title, e);
    return status;
}
