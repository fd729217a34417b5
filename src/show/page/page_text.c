/* page_text.c — writes a page of text as HTML, with the pictures next to the file. */
#include "page.h"

#include "record/picture_mark.h"
#include "text/atomic_file.h"
#include "text/scan.h"

#include <string.h>

static const char *const tags[] = {
    [TEXT_PAGE_HEAD] = "h1",  [TEXT_PAGE_SECTION] = "h2",
    [TEXT_PAGE_PLAIN] = "p",  [TEXT_PAGE_ALERT] = "p class=\"alert\"",
    [TEXT_PAGE_TABLE] = "th", [TEXT_PAGE_ROW] = "td",
    [TEXT_PAGE_LAST] = "p"};

/* Writes the cells that are not empty, each in its tag. */
static void put_cells(FILE *f, const struct text_page_line *l)
{
    for (int i = 0; i < TEXT_PAGE_CELLS; i++) {
        if (!l->cell[i]) continue;
        fprintf(f, "<%s>", tags[l->kind]);
        scan_put_xml(f, l->cell[i], "&");
        fprintf(f, "</%.*s>", (int)strcspn(tags[l->kind], " "), tags[l->kind]);
    }
}

static void put_pictures(FILE *f, const struct text_page_line *l)
{
    fputs("<p>", f);
    for (int i = 0; i + 1 < TEXT_PAGE_CELLS && l->cell[i] && l->cell[i + 1]; i += 2) {
        fputs(i ? " <img src=\"" : "<img src=\"", f);
        scan_put_xml(f, l->cell[i], "&");
        fputs("\" alt=\"", f);
        scan_put_xml(f, l->cell[i + 1], "&");
        fputs("\">", f);
    }
    fputs("</p>\n", f);
}

static void put_lines(FILE *f, const struct text_page *p)
{
    bool table = false;
    for (int i = 0; i < p->count; i++) {
        const struct text_page_line *l = &p->line[i];
        const bool row = l->kind == TEXT_PAGE_TABLE || l->kind == TEXT_PAGE_ROW;
        if (l->where == TEXT_PAGE_ON_PAPER) continue;
        if (row != table) fputs(table ? "</table>\n" : "<table>\n", f);
        table = row;
        if (row) fputs("<tr>", f);
        if (l->kind == TEXT_PAGE_PICTURES) put_pictures(f, l);
        else put_cells(f, l), fputs(row ? "</tr>\n" : "\n", f);
    }
    if (table) fputs("</table>\n", f);
}

int page_text(const char *path, const struct text_page *p, struct error *e)
{
    struct atomic_file w;
    const int status = atomic_file_open(&w, path, e);
    if (status) return status;
    fprintf(w.stream, TEXT_PAGE_MARK "<html lang=\"%s\"><meta charset=\"utf-8\"><title>",
            p->language ? p->language : "en");
    scan_put_xml(w.stream, p->title ? p->title : "", "&");
    fputs("</title>\n<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n<style>",
          w.stream);
    fputs(text_page_style_text, w.stream);
    fputs("</style>\n<main>\n", w.stream);
    put_lines(w.stream, p);
    fputs("</main>\n", w.stream);
    picture_seal_text(&w, "<!-- Software: ", PICTURE_SEAL_XML);
    return atomic_file_finish(&w, e);
}
