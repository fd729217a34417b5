/* memory.h — how much memory there is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes available without swapping, by the kernel's estimate; all of the machine's memory if it gives none. At most
 * what this process is allowed. */
double memory_available(void);

/* Whether `ulimit -v` limits the addresses that this process may reserve. */
bool memory_is_limited(void);

/* Calls of libraries that end the process if they get no memory stand between these two, and so do large
 * allocations: arrays, threads, pictures. Where addresses are limited, only one thread at a time is between them.
 * memory_enter() returns whether they are limited. Calls must not be nested. */
bool memory_enter(void);
void memory_leave(bool limited);

/* Where addresses are limited, threads that begin after this call share one heap: glibc would reserve 64 MiB for each. */
void memory_share(void);

/* Bytes that this process may still reserve; infinite where nothing limits them. */
double memory_room(void);

/* Reserves zeros. Only pages that are written take memory. NULL: out of memory. */
void *memory_reserve(size_t bytes);
void memory_release(void *at, size_t bytes); /* NULL is fine */

/* Zeros for arrays of cells, at a multiple of 64 bytes. Only pages that are written take memory. A small array takes
 * its memory at once, since it may come and go often. */
void *memory_zeros(size_t bytes);
void memory_free_zeros(void *at, size_t bytes); /* NULL is fine */
