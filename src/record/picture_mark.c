#include "picture_mark.h"

#include "base/error.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool picture_has(FILE *f, long room, const char *bytes, size_t length)
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

/* ---- seals ----------------------------------------------------------------------------------- */

void picture_seal(char seal[PICTURE_SEAL_ROOM], const struct atomic_file *w)
{
    struct filesum sum = {0};
    fflush(w->stream); /* atomic_file_finish() reports errors */
    filesum_of(&sum, w->temp);
    snprintf(seal, PICTURE_SEAL_ROOM, PICTURE_SEAL "%08" PRIx32, sum.crc32);
}

void picture_seal_text(const struct atomic_file *w, const char *before, const char *after)
{
    char seal[PICTURE_SEAL_ROOM];
    fputs(before, w->stream);
    picture_seal(seal, w);
    fprintf(w->stream, "%s%s", seal, after);
}

/* Whether the file ends with a valid seal, then `checksum` further bytes, then the `length` bytes of `after`. In a
 * PNG the further bytes are the checksum of the chunk with the seal. Other files have none. */
static bool is_sealed(FILE *f, const char *after, long length, long checksum)
{
    char end[64];
    struct filesum sum;
    const long size = (long)strlen(PICTURE_SEAL) + PICTURE_SEAL_DIGITS + checksum + length;
    if (fseek(f, -size, SEEK_END)) return false;
    const long sealed = ftell(f);
    if (fread(end, 1, (size_t)size, f) != (size_t)size ||
        memcmp(end + size - length, after, (size_t)length))
        return false;
    rewind(f);
    char seal[PICTURE_SEAL_ROOM];
    if (!filesum_read(&sum, f, sealed)) return false;
    snprintf(seal, sizeof seal, PICTURE_SEAL "%08" PRIx32, sum.crc32);
    return !memcmp(end, seal, strlen(seal));
}

bool picture_is_ours(const char *path)
{
    static const struct {
        const char *after;
        long length, checksum;
    } ends[] = {{PICTURE_SEAL_XML, sizeof PICTURE_SEAL_XML - 1, 0},
                {"\n", 1, 0},
                {"\0\0\0\0IEND\xae\x42\x60\x82", 12, 4}};
    FILE *f = file_open_regular(path);
    bool found = false;
    for (size_t i = 0; f && i < sizeof ends / sizeof *ends && !found; i++)
        found = is_sealed(f, ends[i].after, ends[i].length, ends[i].checksum);
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
                       picture_has(f, -4096, MADE_BY_SCIARA, length) ||
                       picture_has(f, -(long)sizeof PICTURE_MARK_XMP, PICTURE_MARK_XMP,
                                   sizeof PICTURE_MARK_XMP - 1);
    fclose(f);
    return found;
}
