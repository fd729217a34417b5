/* fuzz_study.h — what the fuzzers of plans and of states of studies share: a folder of files that
 * are right, the bytes in a file of it, and a state around them. */
#ifndef TESTS_FUZZ_STUDY_H
#define TESTS_FUZZ_STUDY_H

#include "plan_files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct scratch scratch;

static inline void clean(void)
{
    scratch_remove(&scratch);
}

/* Whether the folder is new, and has the files of write_plan() alone. */
static inline bool fuzz_begin(void)
{
    if (scratch.path[0]) return false;
    scratch_create(&scratch);
    atexit(clean);
    write_plan(&scratch);
    return true;
}

static inline void put_bytes(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) abort();
}

static inline void check_refusal(int status, const struct error *e)
{
    if (status && (e->code != ERROR_INPUT || strchr(e->text, '\n'))) abort();
}

/* A state with the digest and the sum put right, so that what lies between them is read. */
static inline void put_state(const char *path, const char *magic, uint64_t digest,
                             const uint8_t *data, size_t size)
{
    unsigned char head[16];
    size_t n = 0;
    for (; digest >= 128; digest >>= 7) head[n++] = (unsigned char)((digest & 127) | 128);
    head[n++] = (unsigned char)digest;
    uLong crc = crc32(crc32(0, NULL, 0), head, (uInt)n);
    crc = crc32(crc, data, (uInt)size);
    FILE *f = fopen(path, "wb");
    if (!f || fputs(magic, f) < 0 || fwrite(head, 1, n, f) != n || fwrite(data, 1, size, f) != size)
        abort();
    for (int i = 0; i < 4; i++) putc((int)(crc >> 8 * i & 255), f);
    if (fclose(f)) abort();
}

#endif
