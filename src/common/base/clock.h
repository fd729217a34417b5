/* clock.h — seconds since a fixed moment of the past, whatever happens to the clock of the day. */
#pragma once

#include <time.h>

static inline double clock_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
