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
enum { PAINTERS_ABI = 6 };

/* What a format needs besides a record. */
enum painted_needs {
    NEEDS_LAYERS = 1,  /* of the folder, as GeoTIFF */
    NEEDS_TABLES = 2,  /* of the folder, as CSV */
    NEEDS_VECTORS = 4, /* of the folder, as GeoJSON, where it has them */
    NEEDS_DEGREES = 8  /* a CRS that leads to longitude and latitude */
};

/* The formats that are painted, by what a record has for them: the source of masks, --format with its help and completion,
 * messages, `sciara help formats` and the painters of libsciara_show.so. To add one: its bit in enum sciara_format (sciara.h), a
 * row here, and its painter, a file in src/show/paint, with MADE_BY_SCIARA near the beginning or end of what it writes.
 *
 * X(NAME, word, needs, about, painter, ending, other): NAME of SCIARA_NAME; what --format calls it; enum painted_needs,
 * or'ed; help; paint_PAINTER() paints it (show/paint/paint.h); the endings of its files, other NULL: one alone. */
#define PAINTED_PICTURE_LIST(X) /* maps, diagrams, pages of text */                                \
    X(PNG, "png", 0, "maps and diagrams", pictures, ".png", NULL)                                  \
    X(SVG, "svg", 0, "the same with text as text", pictures, ".svg", NULL)                         \
    X(PDF, "pdf", 0, "the same with text as text", pictures, ".pdf", NULL)
#define PAINTED_FRAMES_LIST(X) /* animations */                                                    \
    X(WEBP, "webp", 0, "animation of a run that has one", pictures, ".webp", NULL)
#define PAINTED_LAYERS_LIST(X) /* layers */                                                        \
    X(KMZ, "kmz", NEEDS_LAYERS | NEEDS_DEGREES, "layers for Google Earth, at the end", layers,     \
      ".kmz", NULL)                                                                                \
    X(QGIS, "qgis", NEEDS_LAYERS | NEEDS_VECTORS, "styles of layers, of a run also a project",     \
      layers, ".qgz", ".qml")
#define PAINTED_PAGE_LIST(X) /* pages for a browser */                                             \
    X(HTML, "html", NEEDS_LAYERS | NEEDS_TABLES, "report.html for a browser, at the end", report,  \
      ".html", NULL)
#define PAINTED_STUDY_LIST(X) PAINTED_PICTURE_LIST(X) PAINTED_LAYERS_LIST(X) PAINTED_PAGE_LIST(X)
#define PAINTED_LIST(X)       PAINTED_STUDY_LIST(X) PAINTED_FRAMES_LIST(X)

/* These make the lists here and that of products/formats.h. */
#define FORMAT_WORD(NAME, word, ...)               word,
#define FORMAT_BIT(NAME, ...)                      SCIARA_##NAME,
#define FORMAT_MASK(NAME, ...)                     | SCIARA_##NAME
#define FORMAT_HELP(NAME, word, needs, about, ...) word ": " about "; "
#define FORMAT_NAME(NAME, ...)                     "SCIARA_" #NAME ", "
#define FORMAT_COUNT(...)                          +1

/* Masks of enum sciara_format. */
enum {
    PAINTED_PICTURES = 0 PAINTED_PICTURE_LIST(FORMAT_MASK),
    PAINTED_FRAMES = 0 PAINTED_FRAMES_LIST(FORMAT_MASK),
    PAINTED_LAYERS = 0 PAINTED_LAYERS_LIST(FORMAT_MASK),
    PAINTED_PAGES = 0 PAINTED_PAGE_LIST(FORMAT_MASK),
    PAINTED = 0 PAINTED_LIST(FORMAT_MASK)
};

enum { PAINTED_FORMATS = 0 PAINTED_LIST(FORMAT_COUNT) };
extern const struct painted_format {
    unsigned format, needs;
    const char *word, *ending, *other;
} painted_formats[PAINTED_FORMATS];
/* The format of enum sciara_format that a file of that name is painted in; 0: it is not painted. */
unsigned painted_as(const char *file);
/* The first of these formats that needs this; NULL: none does. */
const struct painted_format *painted_needing(unsigned formats, enum painted_needs what);

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
    const char *language;   /* of pictures and the report; NULL: as recorded */
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
