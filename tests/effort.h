/* effort.h — how much a test does. Sanitizers make each access slow, so with sanitizers a test uses fewer numbers,
 * but still every kind of case. The same test without sanitizers uses all numbers. */
#pragma once

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED(fewer, all) (fewer)
#else
#define SANITIZED(fewer, all) (all)
#endif

/* Of how many random numbers: `make test` takes a sample of what THOROUGH=1 in the environment
 * takes. */
static inline int sample(int usual, int thorough)
{
    return getenv("THOROUGH") ? thorough : usual;
}
