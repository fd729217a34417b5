/* effort.h — how much a test does where sanitizers slow every access down: they look at each line
 * and each kind of case, and how many numbers come by is left to the same test without them. */
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
