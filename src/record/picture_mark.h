/* picture_mark.h — the mark by which sciara knows its own pictures. */
#pragma once

#include <stdbool.h>

/* The program that made an animation. */
#define PICTURE_MARK_XMP                                                                           \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                                                \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "       \
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n"

/* What begins or ends every other file that this program alone can have written: "Made by sciara 0.2.0". */
#define PICTURE_MADE_BY "Made by "
#define MADE_BY_SCIARA  PICTURE_MADE_BY "sciara"
/* Whether a file has that near its beginning or its end, or is an animation. */
bool picture_is_marked(const char *path);

/* The seal: at the end of a PNG, SVG or PDF and of a page for a browser, the CRC-32 of all bytes before it. Nobody edits such
 * a file without breaking it, and whoever overwrites files may tell by it those that can be painted again. */
#define PICTURE_SEAL     "sciara, CRC-32 "
#define PICTURE_SEAL_XML " -->\n" /* what follows it in SVG and HTML; in a PDF a line break */
enum { PICTURE_SEAL_DIGITS = 8, PICTURE_SEAL_ROOM = 32 };
struct atomic_file;
/* The seal of what was written so far, as text. Where writing fails, atomic_file_finish() says so. */
void picture_seal(char seal[PICTURE_SEAL_ROOM], const struct atomic_file *w);
/* Writes it, the end of a text. */
void picture_seal_text(const struct atomic_file *w, const char *before, const char *after);

/* Whether a file has a seal that is not broken. */
bool picture_is_ours(const char *path);
/* Whether it is one that shows the results with that digest. */
bool picture_is_of(const char *path, const char *of);
