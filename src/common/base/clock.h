/* clock.h — seconds since a fixed moment in the past; setting the system's clock does not change them. */
#pragma once

#include <time.h>

static inline double clock_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
