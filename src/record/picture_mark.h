/* picture_mark.h — the mark by which sciara knows its own pictures. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* The mark of the pictures that sciara draws: a keyword in a PNG, a comment in the others. */
#define PICTURE_MARK_SVG "<!-- Software: sciara -->\n"
#define PICTURE_MARK_PDF "% Software: sciara\n"
#define PICTURE_MARK_XMP                                                                           \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                                                \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "       \
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n"

/* What begins or ends every other file that this program alone can have written: "Made by sciara 0.2.0". */
#define PICTURE_MADE_BY "Made by "
#define MADE_BY_SCIARA  PICTURE_MADE_BY "sciara"
/* Whether a file has that near its beginning or its end. */
bool picture_is_marked(const char *path);

/* Whether the first bytes of a file, or with a negative room its last, have these among them. */
bool picture_has(FILE *f, long room, const char *bytes, size_t length);

/* Whether a file is a picture, or a report, with the mark of sciara. */
bool picture_is_ours(const char *path);
/* Whether it is one that shows the results with that digest. */
bool picture_is_of(const char *path, const char *of);
