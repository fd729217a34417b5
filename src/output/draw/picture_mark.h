/* picture_mark.h — the mark of the pictures that sciara draws: a keyword in a PNG, a comment in the
 * others. */
#ifndef SCIARA_PICTURE_MARK_H
#define SCIARA_PICTURE_MARK_H

#include <stdbool.h>

#define PICTURE_MARK_SVG "<!-- Software: sciara -->\n"
#define PICTURE_MARK_PDF "% Software: sciara\n"
#define PICTURE_MARK_XMP                                                                           \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                                                \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "       \
    "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n"

/* Whether a file is a picture with the mark of sciara. */
bool picture_is_ours(const char *path);

#endif
