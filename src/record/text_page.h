/* text_page.h — what a page of text shows: paragraphs, tables, and a map on the rest of the page. */
#pragma once

struct map;

enum { TEXT_PAGE_CELLS = 6 };

enum text_page_kind {
    TEXT_PAGE_HEAD,
    TEXT_PAGE_SECTION,
    TEXT_PAGE_PLAIN,
    TEXT_PAGE_ALERT,
    TEXT_PAGE_TABLE, /* the names of its columns; rows follow */
    TEXT_PAGE_ROW,
    TEXT_PAGE_LAST /* as PLAIN, at the lower edge of the page */
};

struct text_page_line {
    enum text_page_kind kind;
    char *cell
        [TEXT_PAGE_CELLS]; /* owned. A cell extends to the next one that is not empty; a paragraph is the first */
};

struct text_page {
    const char *title; /* of the file */
    double dpi;        /* of the page, A4; 0: 200 */
    int count;
    struct text_page_line *line;
    const struct map *map; /* between the last line but one and the last one; NULL: none */
};
