/* fuzz.h — for fuzzers: the input as a file, and a folder that exists until the fuzzer ends. */
#pragma once

#include "scratch.h"

#include <stdbool.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Declared here, because _GNU_SOURCE would have to stand before the first include of each fuzzer. */
int memfd_create(const char *name, unsigned flags);

/* A file in memory, for close(), and its path. */
enum { FUZZ_PATH = 64 };
static inline int fuzz_file(char path[FUZZ_PATH], const uint8_t *data, size_t size)
{
    const int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", file);
    return file;
}

static struct scratch scratch;

static inline void fuzz_end(void)
{
    scratch_remove(&scratch);
}

/* Whether the folder is new. */
static inline bool fuzz_begin(void)
{
    if (scratch.path[0]) return false;
    scratch_create(&scratch);
    atexit(fuzz_end);
    return true;
}
