/* glyphs.h — the shapes of the letters; glyphs.c says how a path is written. */
#ifndef SCIARA_GLYPHS_H
#define SCIARA_GLYPHS_H

#include <stdint.h>

struct glyph {
    const char *path;
    double left, width, right; /* air, ink, air; in units */
    char accent;               /* 0: none */
    double accent_y;
};

/* Of a code point of Unicode; what the font does not have is an empty box. */
struct glyph glyph_of(uint32_t code);

/* The path of an accent, around x = 0 over a letter of height 0. */
const char *glyph_accent(char accent);

#endif
