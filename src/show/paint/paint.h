/* paint.h — what libsciara_show.so consists of; record/painters.h says what it offers. A painter is a file in this room, or
 * a room below, and is named by a row of PAINTED_LIST. */
#pragma once

#include "record/painters.h"

/* A painter handles those of `formats` that its rows have. If it paints, it calls paint_file() for each file; else it
 * refuses what it cannot paint, and calls paint_count() for each file in the same order. */
typedef int paint_each(struct paint_run *r, unsigned formats, bool paints, struct error *e);
#define DECLARE(NAME, word, needs, about, painter, ...) extern paint_each paint_##painter;
PAINTED_LIST(DECLARE)

/* The note of a page of text that is in another language than the one asked for. */
const char *paint_text_note(const struct painting *p, const struct text_page *page);
int animate_frames(const struct frames *f, const char *path, struct error *e); /* writes a WebP */
int text_page_write(const char *path, const struct text_page *p, struct error *e);
