#include "filesum.h"

#include "textfile.h"

#include <stdlib.h>
#include <zlib.h>

bool filesum_of(struct filesum *sum, const char *path)
{
    enum { AT_ONCE = 1 << 18 };
    FILE *f = file_open_regular(path);
    unsigned char *bytes = f ? malloc(AT_ONCE) : NULL;
    uLong crc = crc32(0, NULL, 0);
    *sum = (struct filesum){0};
    for (size_t got; bytes && (got = fread(bytes, 1, AT_ONCE, f)) > 0; sum->bytes += (int64_t)got)
        crc = crc32(crc, bytes, (uInt)got);
    const bool whole = bytes && !ferror(f);
    sum->crc32 = (uint32_t)crc;
    free(bytes);
    if (f) fclose(f);
    return whole;
}
