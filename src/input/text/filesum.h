/* filesum.h — the size of a file and the CRC-32 of its bytes: enough to distinguish the written
 * file from another one of its name. */
#ifndef SCIARA_FILESUM_H
#define SCIARA_FILESUM_H

#include <stdbool.h>
#include <stdint.h>

struct filesum {
    int64_t bytes;
    uint32_t crc32; /* as in zlib, gzip and PNG */
};

/* False: the file cannot be read, or is not a regular file; errno has the reason. */
bool filesum_of(struct filesum *sum, const char *path);

#endif
