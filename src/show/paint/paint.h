/* paint.h — what libsciara_show.so consists of; record/painters.h is what it offers. A painter is
 * a file here, or a room below, which a row of PAINTED_LIST names. */
#pragma once

#include "record/painters.h"

/* Paints those of the formats of its rows that are asked for: calls paint_file() for each file, or else refuses what it
 * cannot paint, and calls paint_count() for each in the same order. */
typedef int paint_each(struct paint_run *r, unsigned formats, bool paints, struct error *e);
#define DECLARE(NAME, word, needs, about, painter, ...) extern paint_each paint_##painter;
PAINTED_LIST(DECLARE)

/* The note of a page of text in another language than that which is asked for. */
const char *paint_text_note(const struct painting *p, const struct text_page *page);
int animate_frames(const struct frames *f, const char *path, struct error *e); /* as a WebP */
int text_page_write(const char *path, const struct text_page *p, struct error *e);
