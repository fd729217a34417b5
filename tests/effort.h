/* effort.h — how much a test does where sanitizers slow every access down: they look at each line
 * and each kind of case, and how many numbers come by is left to the same test without them. */
#ifndef TESTS_EFFORT_H
#define TESTS_EFFORT_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED(fewer, all) (fewer)
#else
#define SANITIZED(fewer, all) (all)
#endif

#endif
