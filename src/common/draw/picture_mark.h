/* picture_mark.h — the mark of the pictures that sciara draws: a keyword in a PNG, a comment in the
 * others. */
#ifndef SCIARA_PICTURE_MARK_H
#define SCIARA_PICTURE_MARK_H

#include <stdbool.h>

#define PICTURE_MARK_SVG "<!-- Software: sciara -->\n"
#define PICTURE_MARK_PDF "% Software: sciara\n"

/* Whether a file is a picture that says that sciara wrote it. */
bool picture_is_ours(const char *path);

#endif
