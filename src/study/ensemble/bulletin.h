/* bulletin.h — one page for who decides: how likely lava is at each place and when, how far to trust it, what more or less
 * lava would do. As HTML, with all places, and as a picture or PDF. */
#pragma once

#include "products/products.h"
#include "record/map_scene.h"

struct report;
struct bulletin;

/* Where the members are weighted by what was seen (nowcast/). `of`: report->also_of. */
struct bulletin_more {
    double (*now_s)(const void *of),
        (*last_s)(const void *of); /* last_s: of what was seen until then */
    /* When the forecast was made that a change is against: -INFINITY: by nothing that was seen. And the probability of a
     * place then; NaN: none. */
    double (*before_s)(const void *of);
    double (*before)(const void *of, int place);
    /* How earlier forecasts did, and what was seen. */
    void (*sections)(struct bulletin *b, const void *of);
};

/* A product_at of struct report: bulletin.html, and the page in all formats. */
int bulletin_paint(const struct product_at *at, struct error *e);
/* The map of the page: the class of a cell with that probability, by the word that so many members allow; lava that was seen is
 * certain. */
double bulletin_class(const struct report *r, size_t cell, double p);
bool bulletin_map(const struct product_at *at, struct product_map *m);
void bulletin_place(const struct product_at *at, int place, char *text, size_t size);

/* ---- for sections ------------------------------------------------------------------------------ */

enum { BULLETIN_CELLS = 6, BULLETIN_TEXT = 400 };

/* A text, packed or without values, in the language of the bulletin. Returns out. */
const char *bulletin_fill(const struct bulletin *b, const char *packed, char out[BULLETIN_TEXT]);
/* A paragraph by its row of words.tsv; kind: enum text_page_kind. And a row of a table, whose cells extend to the next that
 * is not empty; the first one below the head is as it is, the others packed. */
__attribute__((format(printf, 3, 4))) void bulletin_say(struct bulletin *b, int kind,
                                                        const char *format, ...);
void bulletin_row(struct bulletin *b, int kind, const char cell[BULLETIN_CELLS][BULLETIN_TEXT]);
/* Sets where the lines that follow stand: enum text_page_where. */
void bulletin_where(struct bulletin *b, int where);
/* "2026-11-25 06:00", the local time of the start's own zone; of a case without start_time "30 h after the start", packed.
 * Returns out. */
char *bulletin_date(const struct bulletin *b, double time_s, char out[64]);
