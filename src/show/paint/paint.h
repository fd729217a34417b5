/* paint.h — what libsciara_show.so consists of; record/painters.h is what it offers. To add a painter: a file here, or a room
 * below, and a row of `painters` in paint.c. */
#pragma once

#include "record/painters.h"

/* All that is asked for at once. */
struct paint_run {
    const struct painting *of;
    int done, all; /* files */
};

/* One or several formats of a record. */
struct painter {
    unsigned formats; /* of struct painting */
    /* Refuses what it cannot paint, and calls paint_count() for each file. */
    int (*check)(struct paint_run *r, struct error *e);
    /* Calls paint_file() for each, in the same order. */
    int (*paint)(struct paint_run *r, struct error *e);
};

extern const struct painter paint_pictures, paint_layers;
extern const struct painter paint_report; /* show/page: of the folder */

/* A file that is about to be painted: it may be refused. */
int paint_count(struct paint_run *r, const char *path, struct error *e);
/* Paints one, unless it is refused, and tells of it; what is not 0 ends all. */
typedef int paint_use(void *what, const char *path, double *scale_denominator, struct error *e);
int paint_file(struct paint_run *r, const char *path, const char *note, paint_use *paint,
               void *what, struct error *e);
/* Of a page of text. */
static inline const char *paint_text_note(const struct painting *p)
{
    return p->language ? "its text stays in the language that it was made in" : "";
}
bool paint_asks(const struct paint_run *r, int i); /* for picture i of the record */
/* "OUTPUT/NAME" and the ending, malloc'ed; NULL and the error. */
char *paint_path(const struct paint_run *r, int i, const char *ending, struct error *e);

/* Frames as a WebP and as a film; either path may be NULL. */
int animate_frames(const struct frames *f, const char *webp_path, const char *film_path,
                   struct error *e);
int text_page_write(const char *path, const struct text_page *p, struct error *e);
