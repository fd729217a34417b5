/* painters.h — pictures are painted by a library of their own, libsciara_show.so, which is loaded when the first one is:
 * whoever paints nothing needs neither cairo nor pango. It offers two functions: one refuses before anything is computed
 * what cannot be painted, the other paints a record. */
#pragma once

#include "base/error.h"
#include "record.h"

#include "sciara.h"

#include <stdbool.h>
#include <stddef.h>

/* Changes with struct painting, struct painters and all that they refer to. */
enum { PAINTERS_ABI = 4 };

/* Formats of pictures. */
enum { PAINTED_FORMATS = 4 };
extern const struct painted_format {
    unsigned format;
    bool moves; /* of animations alone */
    const char *ending;
} painted_formats[PAINTED_FORMATS];
/* That of a file name; NULL: not a picture. */
const struct painted_format *painted_format_of(const char *file);
/* The format of enum sciara_format that a file of that name is painted in; 0: it is not painted. */
unsigned painted_as(const char *file);

/* A file that has been painted, or could not be. */
struct painted {
    const char *path;
    const char *note;         /* one line, if it does not show what was asked for; else "" */
    int done, all;            /* files, with this one; of these */
    double scale_denominator; /* n of 1 : n, of a map on paper; 0: no map */
    int status;
    const struct error *why; /* where status != 0 */
};

/* What is painted, how, and who is told. All-zero members ask for nothing. */
struct painting {
    const struct record *record; /* open, or in memory (record_describe()) */
    const char *folder;  /* that the record is of, with its layers and tables; NULL: of none */
    const char *version; /* of the program that paints */
    const char *output;  /* the folder of the files, which is there */
    const char *path;    /* of the file of one picture in one format, in place of output; or NULL */
    const char *report;  /* path of the report; NULL: report.html in the output */
    const char *only;    /* one picture, by its name; NULL: all */
    unsigned formats;    /* of enum sciara_format, or'ed */
    const char *language;   /* of maps and the report; NULL: as recorded */
    struct map_paper paper; /* of maps; dpi 0: as recorded */
    double extent[4];       /* west, south, east, north of maps; east 0: as recorded */
    /* Checked alone: the letters of a title; *complaint is the reason why pictures cannot show all of them with a
     * remedy, malloc'ed, or NULL. */
    const char *title;
    char **complaint;
    bool fonts; /* checking also looks for fonts, which takes longest before the first text */
    /* On the thread that called. Before a file is checked or painted: an error refuses it. */
    int (*before)(void *user, const char *path, struct error *e);
    /* After it was painted or refused: not 0 ends all. */
    int (*after)(void *user, const struct painted *now, struct error *e);
    void *user;
};

/* What libsciara_show.so exports, as sciara_painters. Several threads may call. */
struct painters {
    unsigned abi;
    const char *version; /* of the program that it belongs to */
    /* Paints nothing. ERROR_INPUT: what is asked for cannot be painted, or before() refuses a file. Without a record
     * formats and letters alone. */
    int (*check)(const struct painting *p, struct error *e);
    /* Each file appears whole or not at all. Returns what before() or after() did, or a failure of the record. */
    int (*paint)(const struct painting *p, struct error *e);
};

/* What paints what, for people: "PNG, SVG, ... by libsciara_show.so". */
extern const char painters_about[];
extern const unsigned painters_lack; /* formats that this program was built without; else 0 */
/* Before anything is computed. ERROR_INPUT: one of these is among them; ERROR_FAILED: painters_load(), which is called if one of
 * them is painted, fails. */
int painters_have(unsigned formats, struct error *e);
/* NULL and ERROR_FAILED: the library is not there, is of another version, or cannot be loaded. It stays until the end. */
const struct painters *painters_load(struct error *e);

/* Loads it, and calls it. */
int painters_check(const struct painting *p, struct error *e);
int painters_paint(const struct painting *p, struct error *e);
/* One picture, in the format that the ending of its path says, or as PNG. */
int scene_paint(const char *path, const struct scene *s, struct error *e);

/* ---- for painters ---------------------------------------------------------------------------- */

/* All that is asked for at once. */
struct paint_run {
    const struct painting *of;
    int done, all; /* files */
};

/* A file that is about to be painted: it may be refused. */
int paint_count(struct paint_run *r, const char *path, struct error *e);
/* Paints one, unless it is refused, and tells of it; what is not 0 ends all. */
typedef int paint_use(void *what, const char *path, double *scale_denominator, struct error *e);
int paint_file(struct paint_run *r, const char *path, const char *note, paint_use *paint,
               void *what, struct error *e);
bool paint_asks(const struct paint_run *r, int i); /* for picture i of the record */
/* Sets the language, page and part that are asked for; a resolution alone is that of the page that it has. */
int paint_as_asked(struct map *m, const struct painting *p, struct error *e);
/* "OUTPUT/NAME" and the ending, malloc'ed; NULL and the error. */
char *paint_path(const struct paint_run *r, int i, const char *ending, struct error *e);
