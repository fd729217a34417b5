#include "geotiff_seal.h"

#include "text/textfile.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* Of the first `size` bytes; false: there are not so many. */
static bool sum_of(FILE *f, long long size, uint32_t *sum)
{
    unsigned char part[1 << 14];
    uLong crc = crc32(0, NULL, 0);
    while (size > 0) {
        const size_t want = size < (long long)sizeof part ? (size_t)size : sizeof part;
        if (fread(part, 1, want, f) != want) return false;
        crc = crc32(crc, part, (uInt)want);
        size -= (long long)want;
    }
    *sum = (uint32_t)crc;
    return true;
}

static void seal_text(char text[SEAL_BYTES + 1], uint32_t sum)
{
    snprintf(text, SEAL_BYTES + 1, "sciara %08lx\n", (unsigned long)sum);
}

bool seal_put(FILE *stream, const char *path)
{
    FILE *f = file_open_regular(path);
    char text[SEAL_BYTES + 1];
    uint32_t sum;
    if (!f) return false;
    const bool known = fseeko(f, 0, SEEK_END) == 0 && ftello(f) > 0;
    const off_t size = known ? ftello(f) : 0;
    rewind(f);
    const bool good = known && sum_of(f, size, &sum);
    fclose(f);
    if (!good || fseeko(stream, 0, SEEK_END) != 0) return false;
    seal_text(text, sum);
    return fwrite(text, 1, SEAL_BYTES, stream) == SEAL_BYTES;
}

static enum seal check(FILE *f)
{
    char found[SEAL_BYTES], expected[SEAL_BYTES + 1];
    uint32_t sum;
    if (fseeko(f, -SEAL_BYTES, SEEK_END) != 0) return SEAL_NONE;
    const off_t size = ftello(f);
    if (fread(found, 1, SEAL_BYTES, f) != SEAL_BYTES) return SEAL_NONE;
    if (memcmp(found, "sciara ", 7) != 0) return SEAL_NONE;
    rewind(f);
    if (!sum_of(f, size, &sum)) return SEAL_BROKEN;
    seal_text(expected, sum);
    return memcmp(found, expected, SEAL_BYTES) == 0 ? SEAL_GOOD : SEAL_BROKEN;
}

enum seal seal_check(const char *path)
{
    FILE *f = file_open_regular(path);
    if (!f) return SEAL_NONE;
    const enum seal seal = check(f);
    fclose(f);
    return seal;
}
