/* glyphs.c — the letters of font.c, as ways of a pen. */
#include "glyphs.h"

#include <stdlib.h>

/* A glyph is a text: two letters for its sides (s: straight stem, r: round, d: diagonal or open),
 * which decide how much air is left there; its width; then the way of the pen. Capitals are 14
 * units high, small letters 10, the base line is 0, y goes up.
 *
 *     M x y    lift the pen and go there        L x y    line
 *     H x      horizontal line                  V y      vertical line
 *     a x y    quarter of an ellipse that leaves horizontally and arrives vertically
 *     b x y    quarter of an ellipse that leaves vertically and arrives horizontally
 *     C x1 y1 x2 y2 x y   cubic Bezier          * x y    dot
 *     O x y rx ry         whole ellipse
 *
 * Nearly all curves of such letters are quarters of ellipses between straight parts. */
static const char *const ascii[] = {
    /*   */ "dd3.2",
    /* ! */ "ss0 M0 14 V4.6 *0 0.3",
    /* " */ "ss3.4 M0 14.4 V10 M3.4 14.4 V10",
    /* # */ "dd10.4 M2.2 0 L4.4 14 M6.4 0 L8.6 14 M0.4 4.4 H9.8 M0.9 9.6 H10.3",
    /* $ */
    "rr8.6 M8.2 10.9 C7.7 13 6.4 14 4.4 14 a0.4 10.6 C0.4 6.2 8.6 8.4 8.6 3.7 b4.4 0"
    " C2 0 0.5 1.2 0 3.3 M4.3 16.2 V-2.2",
    /* % */ "rr13 M10.9 14 L2.1 0 O2.8 10.9 2.8 3.1 O10.2 3.1 2.8 3.1",
    /* & */
    "rd10.6 M10.6 0 L2.7 9 C1 11.2 1.9 14 4.7 14 C8 14 8.2 10.4 5.8 9 L3 7.2"
    " C-1.2 4.6 -0.2 0 4.1 0 C7.6 0 9.7 2.6 10.2 6.4",
    /* ' */ "ss0 M0 14.4 V10",
    /* ( */ "rd3 M3 16 C-1 11.6 -1 2.4 3 -2",
    /* ) */ "dr3 M0 16 C4 11.6 4 2.4 0 -2",
    /* * */ "dd5.6 M2.8 14.2 V7.8 M0 12.6 L5.6 9.4 M0 9.4 L5.6 12.6",
    /* + */ "rr8 M4 10.2 V2.2 M0 6.2 H8",
    /* , */ "dd0.8 *0.6 0.3 M0.6 0.3 L-0.4 -2.8",
    /* - */ "rr4.2 M0 5.6 H4.2",
    /* . */ "ss0 *0 0.3",
    /* / */ "dd5.6 M0 -1.6 L5.6 15.2",
    /* 0 */ "rr8 M0 9.4 b4 14 a8 9.4 V4.6 b4 0 a0 4.6 V9.4",
    /* 1 */ "rr8 M1.4 10.8 L5 14 V0",
    /* 2 */ "rr8 M0.3 10.2 b4 14 a7.7 10.2 C7.7 7.2 4.2 4.8 0 0 H8",
    /* 3 */
    "rr8 M0.4 11.2 C0.9 13 2.2 14 4 14 a7.5 10.7 b3.8 7.5 H2.8 M3.8 7.5 a8 3.75 b4 0"
    " C1.9 0 0.5 1.1 0 3",
    /* 4 */ "rr8 M6.2 0 V14 L0 3.8 H8.2",
    /* 5 */ "rr8 M7.2 14 H1.3 L0.7 7.5 C1.5 8.5 2.6 9 4 9 a8 4.5 b4 0 C2 0 0.6 1 0 2.8",
    /* 6 */ "rr8 M5.8 14 L1 7 C0.3 6 0 5.3 0 4.4 b4 0 a8 4.4 b4 8.7 C2.6 8.7 1.6 8.2 0.9 7",
    /* 7 */ "rr8 M0 14 H8 L2.8 0",
    /* 8 */ "rr8 O4 10.8 3.5 3.2 O4 3.8 4 3.8",
    /* 9 */ "rr8 M2.2 0 L7 7 C7.7 8 8 8.7 8 9.6 b4 14 a0 9.6 b4 5.3 C5.4 5.3 6.4 5.8 7.1 7",
    /* : */ "ss0 *0 0.3 *0 8.4",
    /* ; */ "dd0.8 *0.6 8.4 *0.6 0.3 M0.6 0.3 L-0.4 -2.8",
    /* < */ "rr8 M8 10.6 L0 6.2 L8 1.8",
    /* = */ "rr8 M0 8.3 H8 M0 4.1 H8",
    /* > */ "rr8 M0 10.6 L8 6.2 L0 1.8",
    /* ? */ "rr7 M0 11 C0.4 13 1.7 14 3.5 14 a7 10.8 C7 8 3.4 7.8 3.4 4.6 *3.4 0.3",
    /* @ */
    "rr13 O6.4 5.6 2.8 3 M9.2 8.6 V4.4 C9.2 1.6 13 2 13 6.8 b6.6 13.4 a0 5.6 b6.8 -2.6"
    " C8.4 -2.6 9.6 -2.2 10.6 -1.6",
    /* A */ "dd10.6 M0 0 L5.3 14 L10.6 0 M1.8 4.6 H8.8",
    /* B */ "sr8.8 M0 0 V14 H4.7 a8.1 10.8 b4.7 7.6 H0 M4.7 7.6 a8.8 3.8 b4.7 0 H0",
    /* C */ "rd9.4 M9.4 10.6 C8.8 12.8 7.3 14 5 14 a0 9 V5 b5 0 C7.3 0 8.8 1.2 9.4 3.4",
    /* D */ "sr9.6 M0 0 V14 H4.5 a9.6 9 V5 b4.5 0 H0",
    /* E */ "sd7.6 M7.6 14 H0 V0 H7.6 M0 7.3 H6.6",
    /* F */ "sd7.4 M7.4 14 H0 V0 M0 7.1 H6.4",
    /* G */ "rr9.6 M9.4 10.8 C8.8 12.8 7.3 14 5 14 a0 9 V5 b5 0 a9.6 5 V6.6 H5.6",
    /* H */ "ss9.6 M0 0 V14 M9.6 0 V14 M0 7.2 H9.6",
    /* I */ "ss0 M0 0 V14",
    /* J */ "ds6.4 M6.4 14 V4 b3.4 0 C1.6 0 0.4 1 0 2.8",
    /* K */ "sd8.8 M0 0 V14 M8.4 14 L0 5 M3.1 8.3 L8.8 0",
    /* L */ "sd7.2 M0 14 V0 H7.2",
    /* M */ "ss11.6 M0 0 V14 L5.8 4.6 L11.6 14 V0",
    /* N */ "ss9.8 M0 0 V14 L9.8 0 V14",
    /* O */ "rr10.2 M0 9 b5.1 14 a10.2 9 V5 b5.1 0 a0 5 V9",
    /* P */ "sr8.4 M0 0 V14 H4.6 a8.4 10.3 b4.6 6.6 H0",
    /* Q */ "rr10.2 M0 9 b5.1 14 a10.2 9 V5 b5.1 0 a0 5 V9 M6.4 3.6 L10.4 -0.8",
    /* R */ "sd9 M0 0 V14 H4.6 a8.5 10.3 b4.6 6.6 H0 M4.8 6.6 L9 0",
    /* S */
    "rr8.6 M8.2 10.9 C7.7 13 6.4 14 4.4 14 a0.4 10.6 C0.4 6.2 8.6 8.4 8.6 3.7 b4.4 0"
    " C2 0 0.5 1.2 0 3.3",
    /* T */ "dd9.4 M0 14 H9.4 M4.7 14 V0",
    /* U */ "ss9.4 M0 14 V4.8 b4.7 0 a9.4 4.8 V14",
    /* V */ "dd10.2 M0 14 L5.1 0 L10.2 14",
    /* W */ "dd14.4 M0 14 L3.6 0 L7.2 12.6 L10.8 0 L14.4 14",
    /* X */ "dd9.4 M0 14 L9.4 0 M9.4 14 L0 0",
    /* Y */ "dd9.6 M0 14 L4.8 6.6 L9.6 14 M4.8 6.6 V0",
    /* Z */ "dd8.6 M0 14 H8.6 L0 0 H8.6",
    /* [ */ "sd2.8 M2.8 16 H0 V-2 H2.8",
    /* \ */ "dd5.6 M0 15.2 L5.6 -1.6",
    /* ] */ "ds2.8 M0 16 H2.8 V-2 H0",
    /* ^ */ "rr7 M0.4 9.4 L3.5 14 L6.6 9.4",
    /* _ */ "dd8 M0 -2.6 H8",
    /* ` */ "dd2 M0 14.4 L2 12",
    /* a */
    "rs7 M0.5 8.3 C1.2 9.4 2.3 10 3.7 10 a7 6.7 V0 M7 5.8 H3.3 a0 2.9 b3.1 0"
    " C4.8 0 6.4 1.1 7 2.6",
    /* b */ "sr7.8 M0 14 V0 M0 6 b3.9 10 a7.8 6 V4 b3.9 0 a0 4",
    /* c */ "rd7 M7 7.5 C6.5 9.1 5.4 10 3.8 10 a0 6 V4 b3.8 0 C5.4 0 6.5 0.9 7 2.5",
    /* d */ "rs7.8 M7.8 14 V0 M7.8 6 b3.9 10 a0 6 V4 b3.9 0 a7.8 4",
    /* e */ "rr7.6 M0 5.1 H7.6 V6 b3.8 10 a0 6 V4 b3.9 0 C5.4 0 6.6 0.8 7.2 2.2",
    /* f */ "dd4.8 M4.8 14 H4.4 a1.7 11.4 V0 M0 9.7 H4.5",
    /* g */
    "rs7.8 M7.8 10 V-0.4 b4 -4 C2.4 -4 1 -3.4 0.4 -2.2 M7.8 6 b3.9 10 a0 6 V4 b3.9 0 a7.8 4",
    /* h */ "ss7.2 M0 0 V14 M0 6.2 b3.7 10 a7.2 6.4 V0",
    /* i */ "ss0 M0 0 V10 *0 13.7",
    /* j */ "ds1.8 M1.8 10 V-1.6 b-0.2 -4 H-0.8 *1.8 13.7",
    /* k */ "sd6.8 M0 0 V14 M6.4 10 L0 3.8 M2.5 6.2 L6.8 0",
    /* l */ "sd1.8 M0 14 V2 b1.8 0",
    /* m */ "ss12 M0 0 V10 M0 6.4 b3.2 10 a6 6.8 V0 M6 6.4 b9.2 10 a12 6.8 V0",
    /* n */ "ss7.2 M0 0 V10 M0 6.2 b3.7 10 a7.2 6.4 V0",
    /* o */ "rr7.8 M0 6 b3.9 10 a7.8 6 V4 b3.9 0 a0 4 V6",
    /* p */ "sr7.8 M0 10 V-4 M0 6 b3.9 10 a7.8 6 V4 b3.9 0 a0 4",
    /* q */ "rs7.8 M7.8 10 V-4 M7.8 6 b3.9 10 a0 6 V4 b3.9 0 a7.8 4",
    /* r */ "sd4.4 M0 0 V10 M0 6.2 C0.3 8.8 1.8 10.2 4.4 9.8",
    /* s */
    "rr6.6 M6.2 7.9 C5.8 9.3 4.8 10 3.3 10 a0.4 7.5 C0.4 4.2 6.6 6.2 6.6 2.7 b3.3 0"
    " C1.6 0 0.4 0.8 0 2.3",
    /* t */ "dd4.9 M1.9 13 V2.4 b4.1 0 H4.7 M0 9.7 H4.7",
    /* u */ "ss7.2 M0 10 V3.7 b3.5 0 a7.2 3.9 M7.2 10 V0",
    /* v */ "dd7.6 M0 10 L3.8 0 L7.6 10",
    /* w */ "dd11.6 M0 10 L2.9 0 L5.8 9.2 L8.7 0 L11.6 10",
    /* x */ "dd7.2 M0 10 L7.2 0 M7.2 10 L0 0",
    /* y */ "dd7.6 M0 10 L3.9 0 M7.6 10 L3 -2.4 C2.6 -3.5 1.9 -4 0.6 -4",
    /* z */ "dd6.6 M0 10 H6.6 L0 0 H6.6",
    /* { */
    "dd3.8 M3.8 16 C1.4 16 2 14 2 11.5 C2 8.6 2 7.4 0 7 C2 6.6 2 5.4 2 2.5 C2 0 1.4 -2 3.8 -2",
    /* | */ "ss0 M0 16 V-3",
    /* } */
    "dd3.8 M0 16 C2.4 16 1.8 14 1.8 11.5 C1.8 8.6 1.8 7.4 3.8 7"
    " C1.8 6.6 1.8 5.4 1.8 2.5 C1.8 0 2.4 -2 0 -2",
    /* ~ */ "rr8.4 M0 5.4 C1.4 8 2.8 7.6 4.2 6.4 C5.6 5.2 7 4.8 8.4 7.4",
};

struct sign {
    uint32_t code;
    const char *form;
};

static const struct sign signs[] = {
    {0xA0, "dd3.2"},
    {0xB0, "rr4.4 O2.2 11.8 2.2 2.2"},
    {0xB1, "rr8 M4 11 V4 M0 7.5 H8 M0 1.2 H8"},
    {0xB2, "dd4.4 M0.2 12.3 b2.2 14.4 a4.2 12.3 C4.2 10.8 2.2 9.6 0 7.2 H4.4"},
    {0xB3, "dd4.4 M0.2 13 C0.5 13.9 1.2 14.4 2.1 14.4 a4.2 12.7 b2.1 11.1 H1.6"
           " M2.1 11.1 a4.4 9.1 b2.1 7.2 C1 7.2 0.2 7.8 0 8.8"},
    {0xB5, "ss7.2 M0 10 V-4 M0 3.7 b3.5 0 a7.2 3.9 M7.2 10 V0"},
    {0xB7, "ss0 *0 6"},
    {0xC6, "dd14 M14 14 H6.6 L0 0 M7 14 V0 H14 M2.2 4.6 H7 M7 7.3 H13"},
    {0xD0, "dr10.6 M1 0 V14 H5.5 a10.6 9 V5 b5.5 0 H1 M-0.6 7.2 H5"},
    {0xD7, "rr8 M0.7 9.5 L7.3 2.9 M0.7 2.9 L7.3 9.5"},
    {0xDE, "sr8.4 M0 0 V14 M0 11 H4.6 a8.4 7.2 b4.6 3.4 H0"},
    {0xDF, "sr7.4 M0 0 V10.2 b3.5 14 a6.7 11 C6.7 9 4.8 8.7 4.8 7.4 C4.8 5.8 7.4 5.2 7.4 2.6 b4.8 0"
           " H3.4"},
    {0xE6, "rr12.6 M0.4 8.3 C1.2 9.4 2.1 10 3.3 10 a6.4 6.7 V3 b3.1 0 a0 2.9 b3.2 5.6 H12.6 V6"
           " b9.5 10 a6.4 6.7 M6.4 3.6 b9.6 0 C10.9 0 11.8 0.8 12.3 2.2"},
    {0xF0, "rr7.8 M7.8 4 V5.6 C7.8 9.6 5.6 12.6 1.8 14.4 M7.8 5.6 b3.9 9.4 a0 5.6 V4 b3.9 0 a7.8 4"
           " M2 11.2 L6.4 14.2"},
    {0xF7, "rr8 M0 6.2 H8 *4 10 *4 2.4"},
    {0xFE, "sr7.8 M0 14 V-4 M0 6 b3.9 10 a7.8 6 V4 b3.9 0 a0 4"},
    {0x3BC, "ss7.2 M0 10 V-4 M0 3.7 b3.5 0 a7.2 3.9 M7.2 10 V0"},
    {0x2013, "rr7.2 M0 5.8 H7.2"},
    {0x2014, "rr12 M0 5.8 H12"},
    {0x2018, "dd1 M1 14.4 C0.2 13.6 0 12.6 0.2 11"},
    {0x2019, "dd1 M0.8 14.4 C1 12.8 0.8 11.8 0 11"},
    {0x2026, "rr8 *0 0.3 *4 0.3 *8 0.3"},
    {0x2212, "rr8 M0 6.2 H8"},
    {0x2264, "rr8 M8 11.6 L0 7.6 L8 3.6 M0 0.6 H8"},
    {0x2265, "rr8 M0 11.6 L8 7.6 L0 3.6 M0 0.6 H8"},
};

static const char unknown[] = "ss7 M0 0 V14 H7 V0 H0";

/* Latin-1 letters from U+00C0 on: the letter below and the accent above ('.': not composed). */
static const char accented[] = "AAAAAA.CEEEEIIII.NOOOOO.OUUUUY..aaaaaa.ceeeeiiii.nooooo.ouuuuy.y";
static const char accent_of[] = "`'^~:o.,`'^:`'^:.~`'^~:./`'^:'..`'^~:o.,`'^:`'^:.~`'^~:./`'^:'.:";

const char *glyph_accent(char accent)
{
    switch (accent) { /* around x = 0, over a letter of height 0 */
    case '`':
        return "M-1.5 4.4 L0.7 2";
    case '\'':
        return "M1.5 4.4 L-0.7 2";
    case '^':
        return "M-2.2 2 L0 4.4 L2.2 2";
    case '~':
        return "M-2.6 2.4 C-1.6 4.2 -0.8 4 0 3.2 C0.8 2.4 1.6 2.2 2.6 4";
    case ':':
        return "*-1.9 3.2 *1.9 3.2";
    case 'o':
        return "O0 3.4 1.5 1.5";
    default:
        return "";
    }
}

static const char *form_of(uint32_t code)
{
    if (code >= ' ' && code <= '~') return ascii[code - ' '];
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].code == code) return signs[i].form;
    return unknown;
}

static double air(char side)
{
    return side == 's' ? 1.9 : side == 'r' ? 1.4 : 0.8;
}

struct glyph glyph_of(uint32_t code)
{
    struct glyph g = {0};
    if (code >= 0xC0 && code <= 0xFF && accented[code - 0xC0] != '.') {
        g.accent = accent_of[code - 0xC0];
        code = (unsigned char)accented[code - 0xC0];
        g.accent_y = code < 'a' ? 14 : 10;
        /* the accent takes the place of the dot: a stem alone */
        if (code == 'i') g.path = " M0 0 V10", g.left = g.right = 2.4;
    }
    const char *form = form_of(code);
    char *end;
    g.width = strtod(form + 2, &end);
    if (!g.path) g.path = end, g.left = air(form[0]), g.right = air(form[1]);
    return g;
}
