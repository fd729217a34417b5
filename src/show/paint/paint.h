/* paint.h — what libsciara_show.so consists of; record/painters.h is what it offers. To add a painter: a file here, or a room
 * below, and a row of `painters` in paint.c. */
#pragma once

#include "record/painters.h"

/* One or several formats of a record. */
struct painter {
    unsigned formats; /* of struct painting */
    /* Calls paint_file() for each file, or else refuses what it cannot paint, and calls paint_count()
     * for each in the same order. */
    int (*each)(struct paint_run *r, bool paints, struct error *e);
};

extern const struct painter paint_pictures, paint_layers;
extern const struct painter paint_report; /* show/page: of the folder */

/* Of a page of text in another language than that which is asked for. */
const char *paint_text_note(const struct painting *p, const struct text_page *page);
int animate_frames(const struct frames *f, const char *path, struct error *e); /* as a WebP */
int text_page_write(const char *path, const struct text_page *p, struct error *e);
