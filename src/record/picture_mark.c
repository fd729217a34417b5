#include "picture_mark.h"
#include "report_page.h"
#include "text_page.h"

#include "base/error.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <string.h>

bool picture_has(FILE *f, long room, const char *bytes, size_t length)
{
    const size_t size = (size_t)labs(room);
    FREED char *text = malloc(size);
    rewind(f);
    if (!text || (room < 0 && fseek(f, room, SEEK_END))) return false;
    const size_t got = fread(text, 1, size, f);
    for (size_t i = 0; i + length <= got; i++)
        if (!memcmp(text + i, bytes, length)) return true;
    return false;
}

/* In the first chunks of a PNG, in the second line of an SVG;
 * else at the end, where a WebP may have a zero to an even length. */
bool picture_is_ours(const char *path)
{
#define MARK(room, bytes)                                                                          \
    {                                                                                              \
        bytes, sizeof(bytes) - 1, room                                                             \
    }
#define MARK_AT_END(bytes)                                                                         \
    {                                                                                              \
        bytes, sizeof(bytes) - 1, -(long)sizeof(bytes)                                             \
    }
    static const struct {
        const char *bytes;
        size_t length;
        long room;
    } marks[] = {MARK(256, "tEXtSoftware\0sciara"), /* what set_text() makes of it */
                 MARK(256, PICTURE_MARK_SVG),
                 MARK(256, REPORT_MARK),
                 MARK(256, TEXT_PAGE_MARK),
                 MARK_AT_END(PICTURE_MARK_PDF),
                 MARK_AT_END("CreatorTool='sciara'/></rdf:RDF></x:xmpmeta>\n")};
    FILE *f = file_open_regular(path);
    bool found = false;
    for (size_t i = 0; f && i < sizeof marks / sizeof *marks && !found; i++)
        found = picture_has(f, marks[i].room, marks[i].bytes, marks[i].length);
    if (f) fclose(f);
    return found;
}

bool picture_is_of(const char *path, const char *of)
{
    enum { HEAD = 4096, TAIL = 256 };
    FILE *f = *of && picture_is_ours(path) ? file_open_regular(path) : NULL;
    const bool found =
        f && (picture_has(f, HEAD, of, strlen(of)) || picture_has(f, -TAIL, of, strlen(of)));
    if (f) fclose(f);
    return found;
}

bool picture_is_marked(const char *path)
{
    const size_t length = strlen(MADE_BY_SCIARA);
    FILE *f = file_open_regular(path);
    if (!f) return false;
    const bool found = picture_has(f, 1 << 16, MADE_BY_SCIARA, length) ||
                       picture_has(f, -4096, MADE_BY_SCIARA, length);
    fclose(f);
    return found;
}
