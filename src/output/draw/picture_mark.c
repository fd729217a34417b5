#include "picture_mark.h"

#include "text/textfile.h"

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char mark[] = "Software\0sciara"; /* what set_text() makes of it */
enum { MARK = sizeof mark - 1, CHUNKS_MAX = 32 };

/* Whether the next chunk is the mark. Behind it *f stands at the one after; *end: there is none
 * that could be it. */
static bool at_mark(FILE *f, bool *end)
{
    unsigned char head[8];
    char text[MARK];
    *end = fread(head, 1, sizeof head, f) != sizeof head || !memcmp(head + 4, "IDAT", 4);
    if (*end) return false;
    const uint32_t length = png_get_uint_32(head);
    if (!memcmp(head + 4, "tEXt", 4) && length == MARK)
        return fread(text, 1, MARK, f) == MARK && !memcmp(text, mark, MARK);
    *end = length > INT32_MAX - 4 || fseek(f, (long)length + 4, SEEK_CUR) != 0;
    return false;
}

static bool is_marked_png(FILE *f)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[8];
    bool end = fread(head, 1, 8, f) != 8 || memcmp(head, signature, 8) != 0, found = false;
    for (int i = 0; i < CHUNKS_MAX && !end && !found; i++) found = at_mark(f, &end);
    return found;
}

/* In the second line, or in the last, behind which a WebP may have a zero to an even length. */
static bool has_line(FILE *f, const char *line, bool last)
{
    char text[256];
    const size_t length = strlen(line) + 1;
    if (last && fseek(f, -(long)length, SEEK_END)) return false;
    const size_t got = fread(text, 1, last ? length : sizeof text - 1, f);
    text[got] = '\0';
    return strstr(text, line) != NULL;
}

/* An MP4 that begins with its index (film.c) has the comment in it. */
static bool is_marked_film(FILE *f)
{
    static const char comment[] = "\xa9"
                                  "cmt\0\0\0\x16"
                                  "data\0\0\0\1\0\0\0\0sciara";
    char head[1 << 15];
    const size_t got = fread(head, 1, sizeof head, f);
    if (got < 8 || memcmp(head + 4, "ftyp", 4) != 0) return false;
    for (size_t i = 8; i + sizeof comment - 1 <= got; i++)
        if (!memcmp(head + i, comment, sizeof comment - 1)) return true;
    return false;
}

bool picture_is_ours(const char *path)
{
    FILE *f = file_open_regular(path);
    if (!f) return false;
    bool found = is_marked_png(f);
    rewind(f);
    if (!found) found = has_line(f, PICTURE_MARK_SVG, false);
    if (!found) found = has_line(f, PICTURE_MARK_PDF, true);
    rewind(f);
    if (!found) found = is_marked_film(f);
    rewind(f);
    if (!found) found = has_line(f, "CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n", true);
    fclose(f);
    return found;
}
