/* bulletin.h — one page for decision makers: the probability and time of arrival of lava at each place, the reliability of
 * the forecast, and the effect of more or less lava. The page is written as HTML, with all places, and as a picture or PDF. */
#pragma once

#include "products/products.h"
#include "record/map_scene.h"

struct report;
struct bulletin;

/* What a bulletin adds if members are weighted by observations (nowcast/). `of` is report->also_of. Any function may be
 * NULL. */
struct bulletin_more {
    /* now_s(): the time of the forecast. last_s(): the time of the last observation. */
    double (*now_s)(const void *of), (*last_s)(const void *of);
    double (*lava_s)(const void *of); /* when lava was last seen; -INFINITY: never */
    /* The column of changes compares this forecast with an earlier one. before_s(): the time of the earlier forecast;
     * -INFINITY: it had no observations. before(): the probability of a place in the earlier forecast; NaN: none. */
    double (*before_s)(const void *of);
    double (*before)(const void *of, int place);
    /* Adds sections on the scores of earlier forecasts and on the observations. */
    void (*sections)(struct bulletin *b, const void *of);
};

/* Writes bulletin.html, and the page in all formats; at->of is a struct report. */
int bulletin_paint(const struct product_at *at, struct error *e);
/* The map of the page. bulletin_class(): the class of a cell with probability p. A class stands for a word such as
 * "likely". With few members there are fewer classes. Cells with observed lava are "virtually certain" or, if there is
 * no such class, have a class of their own. */
double bulletin_class(const struct report *r, size_t cell, double p);
bool bulletin_map(const struct product_at *at, struct product_map *m);
void bulletin_place(const struct product_at *at, int place, char *text, size_t size);

/* ---- for sections ------------------------------------------------------------------------------ */

enum { BULLETIN_CELLS = 6, BULLETIN_TEXT = 400 };

/* Writes a text in the language of the bulletin. The text is packed (text/words.h) or has no values. Returns out. */
const char *bulletin_fill(const struct bulletin *b, const char *packed, char out[BULLETIN_TEXT]);
/* bulletin_say() adds a paragraph whose English text is in words.tsv; kind: enum text_page_kind. bulletin_row() adds
 * a row of a table. A cell extends to the next cell that is not empty. The first cell of a row below the head is
 * written as it is; all other cells are packed texts (text/words.h). */
__attribute__((format(printf, 3, 4))) void bulletin_say(struct bulletin *b, int kind,
                                                        const char *format, ...);
void bulletin_row(struct bulletin *b, int kind, const char cell[BULLETIN_CELLS][BULLETIN_TEXT]);
/* Sets the part of the page for the lines that are added next: enum text_page_where. */
void bulletin_where(struct bulletin *b, int where);
/* Writes a time as a packed text (text/words.h): "2026-11-25 06:00" in the time zone of start_time, or "30 h after
 * the start" if the case has no start_time. Returns out. */
char *bulletin_date(const struct bulletin *b, double time_s, char out[64]);
/* Writes a date as bulletin_date() does, with its zone: "2026-11-25 06:00 UTC+01:00". Returns out. */
char *bulletin_moment(const struct bulletin *b, double time_s, char out[64]);
/* Writes the time zone of dates, such as "UTC+01:00"; "": the case has no start_time. Returns out. */
const char *bulletin_zone(const struct bulletin *b, char out[16]);
