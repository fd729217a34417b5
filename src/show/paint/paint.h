/* paint.h — the painters of libsciara_show.so; record/painters.h has its interface. A painter is a file in this folder or
 * in another folder of src/show. A row of PAINTED_LIST names the painter. */
#pragma once

#include "record/painters.h"

/* A painter handles only the formats of its own rows. paints: the painter calls paint_file() for each file. Otherwise it
 * refuses files that it cannot paint, and calls paint_count() for each file in the same order. */
typedef int paint_each(struct paint_run *r, unsigned formats, bool paints, struct error *e);
#define DECLARE(NAME, word, needs, about, painter, ...) extern paint_each paint_##painter;
PAINTED_LIST(DECLARE)

/* The note for a page of text in another language than the requested language. */
const char *paint_text_note(const struct painting *p, const struct text_page *page);
int animate_frames(const struct frames *f, const char *path, struct error *e); /* writes a WebP */
int text_page_write(const char *path, const struct text_page *p, struct error *e);
