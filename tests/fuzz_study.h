/* fuzz_study.h — for fuzzers of studies: checks refusals, and writes the input as a valid state. */
#pragma once

#include "fuzz.h"
#include "plan_files.h"

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
