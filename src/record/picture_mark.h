/* picture_mark.h — the mark by which sciara recognises its own pictures. */
#pragma once

#include <stdbool.h>

/* The mark of an animation: XMP that names the program. */
#define PICTURE_MARK_XMP                                                                           \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                                                \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "       \
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n"

/* The mark of all other marked files: "Made by sciara 0.2.0" near the beginning or end. */
#define PICTURE_MADE_BY "Made by "
#define MADE_BY_SCIARA  PICTURE_MADE_BY "sciara"
/* Whether a file has this mark near its beginning or end, or is a marked animation. */
bool picture_is_marked(const char *path);

/* The seal at the end of a PNG, SVG, PDF or HTML page is the CRC-32 of all bytes before it. Any edit breaks the seal. A
 * file with an unbroken seal may be overwritten, because it can be painted again. */
#define PICTURE_SEAL     "sciara, CRC-32 "
#define PICTURE_SEAL_XML " -->\n" /* follows a seal in SVG and HTML; in a PDF only "\n" does */
enum { PICTURE_SEAL_DIGITS = 8, PICTURE_SEAL_ROOM = 32 };
struct atomic_file;
/* Makes the seal of the bytes written so far. If writing fails, atomic_file_finish() reports it. */
void picture_seal(char seal[PICTURE_SEAL_ROOM], const struct atomic_file *w);
/* Writes the seal between `before` and `after`, at the end of a text. */
void picture_seal_text(const struct atomic_file *w, const char *before, const char *after);

/* Whether a file has a seal that is not broken. */
bool picture_is_ours(const char *path);
/* Whether a file has an unbroken seal and shows the results with the digest `of`. */
bool picture_is_of(const char *path, const char *of);
