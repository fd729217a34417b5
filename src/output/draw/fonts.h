/* fonts.h — where the letters are. */
#ifndef SCIARA_FONTS_H
#define SCIARA_FONTS_H

#include <pango/pango.h>

/* The fonts of this machine, and those in ../share/sciara/fonts beside the program or the library;
 * the caller's. NULL: there is none. */
PangoFontMap *fonts_map(void);

#endif
