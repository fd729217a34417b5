/* painters.h — the interface of libsciara_show.so, the library that paints pictures. The library is loaded for the first
 * picture, so a command without pictures needs neither cairo nor pango. check() finds out before a run whether all
 * pictures can be painted. paint() paints a record. */
#pragma once

#include "base/error.h"
#include "record.h"

#include "sciara.h"

#include <stdbool.h>
#include <stddef.h>

/* Increase this number when struct painting, struct painters or a type in them changes. */
enum { PAINTERS_ABI = 6 };

/* What a format needs in addition to a record. */
enum painted_needs {
    NEEDS_LAYERS = 1,  /* layers of the folder, as GeoTIFF */
    NEEDS_TABLES = 2,  /* tables of the folder, as CSV */
    NEEDS_VECTORS = 4, /* vector files, as GeoJSON, if the folder has them */
    NEEDS_DEGREES = 8  /* a CRS that can be transformed to longitude and latitude */
};

/* The formats that are painted, by the kind of scene. Masks, --format with its help and completion, messages, `sciara
 * help formats` and the painters of libsciara_show.so are made from these rows. To add a format, add its bit in enum
 * sciara_format (sciara.h), a row here, and its painter, a file in src/show/paint. The painter writes MADE_BY_SCIARA near
 * the beginning or end of its files.
 *
 * X(NAME, word, needs, about, painter, ending, other): SCIARA_NAME is the bit; `word` is the name for --format; `needs`
 * has bits of enum painted_needs; `about` is the help; paint_PAINTER() paints the format (show/paint/paint.h); a file
 * ends with `ending` or `other`; `other` NULL: always with `ending`. No other file of a folder has such an ending. */
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

/* These macros make lists from the rows above, here and in products/formats.h. */
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
/* The bit of enum sciara_format for files with the ending of `file`; 0: no painter writes such files. */
unsigned painted_as(const char *file);
/* The first of the formats that needs `what`; NULL: none needs it. */
const struct painted_format *painted_needing(unsigned formats, enum painted_needs what);

/* A file that was painted, or could not be painted. */
struct painted {
    const char *path;
    const char *note;         /* one line about what the file lacks; "": nothing */
    int done, all;            /* number of files painted so far, and of all files */
    double scale_denominator; /* n of 1 : n, the scale of a map on paper; 0: not a map */
    int status;
    const struct error *why; /* the reason if status != 0 */
};

/* What is painted and how, and the functions that are called for each file. A member that is zero has no effect. */
struct painting {
    const struct record *record; /* from record_open() or record_describe() */
    const char *folder;     /* folder with the record, layers and tables; NULL: there is none */
    const char *version;    /* version of the program that paints */
    const char *output;     /* existing folder to write to */
    const char *path;       /* path of one picture in one format, in place of `output`; or NULL */
    const char *report;     /* path of the report; NULL: report.html in `output` */
    const char *only;       /* name of the only picture to paint; NULL: all */
    unsigned formats;       /* bits of enum sciara_format */
    const char *language;   /* language of pictures and report; NULL: as recorded */
    struct map_paper paper; /* page of maps; dpi 0: as recorded */
    double extent[4];       /* extent of maps: west, south, east, north; east 0: as recorded */
    /* check() also looks for the letters of this title in the fonts. If letters are missing, *complaint becomes a
     * malloc'ed message with the reason and a remedy, else NULL. */
    const char *title;
    char **complaint;
    bool fonts; /* check() also loads the fonts, so that the first text does not wait for them */
    /* Called on the thread of the caller before a file is checked or painted. An error refuses the file. */
    int (*before)(void *user, const char *path, struct error *e);
    /* Called after a file was painted or refused; a result other than 0 ends the painting. */
    int (*after)(void *user, const struct painted *now, struct error *e);
    void *user;
};

/* What libsciara_show.so exports under the name sciara_painters. Several threads may call its functions. */
struct painters {
    unsigned abi;
    const char *version; /* version of the program that the library belongs to */
    /* Checks whether all files can be painted, and paints nothing. ERROR_INPUT: a file cannot be painted, or before()
     * refuses it. Without a record, checks only formats and letters. */
    int (*check)(const struct painting *p, struct error *e);
    /* Paints files. A file gets its name only when it is complete. Returns what before() or after() returned, or an
     * error of the record. */
    int (*paint)(const struct painting *p, struct error *e);
};

/* Tells users which library paints which formats: "PNG, SVG, ... by libsciara_show.so". */
extern const char painters_about[];
extern const unsigned painters_lack; /* formats that this program was built without; 0: none */
/* Checks formats before anything is computed. Loads the painters if a format needs them. ERROR_INPUT: the program was
 * built without one of the formats; ERROR_FAILED: painters_load() failed. */
int painters_have(unsigned formats, struct error *e);
/* Loads the library, which stays loaded. Returns NULL with ERROR_FAILED in *e if the library is missing, has another
 * version, or cannot be loaded. */
const struct painters *painters_load(struct error *e);

/* Load the library and call its check() or paint(). */
int painters_check(const struct painting *p, struct error *e);
int painters_paint(const struct painting *p, struct error *e);
/* Paints one picture in the format of the path's ending, or as PNG if no format has this ending. */
int scene_paint(const char *path, const struct scene *s, struct error *e);

/* ---- for painters ---------------------------------------------------------------------------- */

/* One call of paint() or check(). */
struct paint_run {
    const struct painting *of;
    int done, all; /* files */
};

/* Counts a file that is to be painted; before() may refuse it. */
int paint_count(struct paint_run *r, const char *path, struct error *e);
/* Calls before(). Paints the file unless before() refuses it. Then calls after() in any case, and returns the result of
 * after(). If there is no after(), returns the error of before() or of painting. */
typedef int paint_use(void *what, const char *path, double *scale_denominator, struct error *e);
int paint_file(struct paint_run *r, const char *path, const char *note, paint_use *paint,
               void *what, struct error *e);
bool paint_asks(const struct paint_run *r, int i); /* whether to paint picture i */
/* Gives the map the language, page and extent that *p asks for. If *p has only a resolution, the page keeps its
 * recorded size. */
int paint_as_asked(struct map *m, const struct painting *p, struct error *e);
/* The path "OUTPUT/NAME" with the ending, malloc'ed. On an error returns NULL and sets *e. */
char *paint_path(const struct paint_run *r, int i, const char *ending, struct error *e);
