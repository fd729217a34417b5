/* race_memory.h — what race_detector.cpp keeps of each 8 bytes of device and shared memory. */
#pragma once

#include <stdint.h>

enum kind : uint8_t {
    READ = 0,
    WRITE = 1,
    ATOMIC = 2
}; /* an atomic writes as well: WRITE | ATOMIC */

/* One access, or nothing: launch 0. */
struct access {
    uint32_t launch, block, thread;
    uint32_t barriers, syncwarps, fences; /* that the thread had passed in this launch */
    uint32_t where;                       /* in the program, from race_begin() on */
    uint8_t bytes;                        /* of the eight, a bit each */
    uint8_t kind;
};

enum { KEPT = 4 };
struct word {
    struct access kept[KEPT];
    uint32_t written_launch, written_block; /* of shared memory: by whom these bytes have been */
    uint8_t written;
};

/* Of the 8 bytes around an address, and whether they are shared memory; NULL: not watched. */
struct word *race_word_at(uintptr_t at, bool *shared);
