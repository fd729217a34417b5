#include "filesum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { AT_ONCE = 1 << 18 };

static bool sum_all(struct filesum *sum, int file, unsigned char *bytes)
{
    uLong crc = crc32(0, NULL, 0);
    *sum = (struct filesum){0};
    for (ssize_t got; (got = read(file, bytes, AT_ONCE)) != 0;) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        crc = crc32(crc, bytes, (uInt)got);
        sum->bytes += got;
    }
    sum->crc32 = (uint32_t)crc;
    return true;
}

bool filesum_of(struct filesum *sum, const char *path)
{
    struct stat s;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO would wait */
    if (file < 0) return false;
    unsigned char *bytes = malloc(AT_ONCE);
    errno = bytes ? EINVAL : ENOMEM;
    const bool done =
        bytes && fstat(file, &s) == 0 && S_ISREG(s.st_mode) && sum_all(sum, file, bytes);
    free(bytes);
    close(file);
    return done;
}
