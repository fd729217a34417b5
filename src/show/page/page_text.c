/* page_text.c — writes a page of text as HTML, with the pictures that lie beside it. */
#include "page.h"

#include "record/picture_mark.h"
#include "text/atomic_file.h"
#include "text/scan.h"

#include <string.h>

/* The look of report.html (report.css) without its other parts: light or dark as the reader prefers, one column on a phone,
 * black on paper, where it takes a page. On a phone each row of a table is a block with the name of a place on top. */
static const char style[] =
    ":root{--page:#fbfaf7;--text:#1c1c1a;--quiet:#5b5a55;--line:#dedcd4;--alert:#fff3d6;--mark:#"
    "b8860b;"
    "color-scheme:light dark;font:16px/1.5 system-ui,\"Segoe UI\",Roboto,\"Noto Sans\",sans-serif;"
    "font-variant-numeric:tabular-nums;background:var(--page);color:var(--text)}\n"
    "@media(prefers-color-scheme:dark){:root{--page:#161615;--text:#ecebe6;--quiet:#aeada6;"
    "--line:#3a3936;--alert:#3b2f14;--mark:#e2bd58}}\n"
    "body{margin:0 auto;max-width:60rem;padding:0 1rem 2rem}p{margin:.4rem 0}"
    "h1{font-size:1.7rem;line-height:1.2;margin:1.2rem 0 .6rem}h2{font-size:1.2rem;margin:1.8rem 0 "
    ".5rem}"
    "table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid "
    "var(--line)}"
    "th{color:var(--quiet);font-size:.85rem;font-weight:400}td:first-child{font-weight:650}"
    "img{display:block;width:100%;height:auto;margin-top:1rem}"
    ".alert{background:var(--alert);border-left:4px solid var(--mark);padding:.5rem .8rem}"
    "p,td{overflow-wrap:break-word}td:first-child{overflow-wrap:anywhere;min-width:9rem}\n"
    "@media(max-width:36rem){th:not(:first-child),th:only-child{font-size:.75rem}tr{display:grid;"
    "grid-template-columns:repeat(2,minmax(0,1fr));border-bottom:1px solid "
    "var(--line);padding:.3rem 0}"
    "th,td{border:0;padding:.05rem .5rem .05rem "
    "0}td:first-child,th:first-child{grid-column:1/-1}}\n"
    "@media print{:root{--page:#fff;--text:#000;--quiet:#333;--alert:#fff;--mark:#000;"
    "color-scheme:light;font-size:9pt;line-height:1.25}@page{margin:11mm}body{padding:0}h1{margin:"
    "0}"
    "h2{margin:.6rem 0 .2rem}p{margin:.1rem 0}th,td{padding:.1rem .8rem .1rem 0}"
    "main{display:flex;flex-direction:column;height:98vh}p:has(img){flex:1 1 0;min-height:25vh}"
    "img{height:100%;margin:0;object-fit:contain;object-position:left}h2,tr{break-after:avoid}}\n";

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
    fputs(style, w.stream);
    fputs("</style>\n<main>\n", w.stream);
    put_lines(w.stream, p);
    fputs("</main>\n", w.stream);
    picture_seal_text(&w, "<!-- Software: ", PICTURE_SEAL_XML);
    return atomic_file_finish(&w, e);
}
