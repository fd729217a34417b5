/* text_page.h — what a page of text shows: paragraphs, tables, and a map in the remaining space. A page on a screen can be
 * longer than paper, so it can show more lines. */
#pragma once

struct map;

#define TEXT_PAGE_MARK "<!doctype html>\n<!-- sciara text -->\n" /* how the HTML file begins */

enum { TEXT_PAGE_CELLS = 6 };

enum text_page_kind {
    TEXT_PAGE_HEAD,
    TEXT_PAGE_SECTION,
    TEXT_PAGE_PLAIN,
    TEXT_PAGE_ALERT,
    TEXT_PAGE_TABLE, /* the names of the columns; rows follow */
    TEXT_PAGE_ROW,
    TEXT_PAGE_LAST, /* as TEXT_PAGE_PLAIN, but at the lower edge of the page */
    /* only on a screen; cells: name of a picture's file, text about it, name of the next file, ... */
    TEXT_PAGE_PICTURES
};

enum text_page_where { TEXT_PAGE_EVERYWHERE, TEXT_PAGE_ON_PAPER, TEXT_PAGE_ON_SCREEN };

struct text_page_line {
    enum text_page_kind kind;
    enum text_page_where where;
    /* owned. A cell extends to the next cell that is not empty. A paragraph has only cell 0. */
    char *cell[TEXT_PAGE_CELLS];
};

struct text_page {
    const char *title;    /* title of the file */
    const char *language; /* language of the text; NULL: English */
    double dpi;           /* resolution of the page, A4; 0: 200 */
    int count;
    struct text_page_line *line;
    const struct map *map; /* a map above the last line; NULL: none */
};
