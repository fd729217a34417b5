/* memory.h — free memory, and arrays of zeros. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes available without swapping, as the kernel estimates them, or all of the machine's memory if there is no
 * estimate. Never more than the limit of this process. */
double memory_available(void);

/* Whether `ulimit -v` limits the addresses that this process may reserve. */
bool memory_is_limited(void);

/* memory_enter() and memory_leave() enclose large allocations (arrays, threads, pictures), and calls of libraries that
 * end the process if they get no memory. If addresses are limited, only one thread at a time is between the two calls.
 * memory_enter() returns whether addresses are limited, for memory_leave(). Calls must not be nested. */
bool memory_enter(void);
void memory_leave(bool limited);

/* If addresses are limited, all threads that begin after this call share one heap. Otherwise glibc would reserve 64 MiB
 * for each thread. */
void memory_share(void);

/* Bytes that this process may still reserve; infinite where nothing limits them. */
double memory_room(void);

/* Reserves zeros. Only pages that are written take memory. NULL: out of memory. */
void *memory_reserve(size_t bytes);
void memory_release(void *at, size_t bytes); /* NULL is fine */

/* Zeros for arrays of cells, at a multiple of 64 bytes. Only pages that are written take memory. But an array of up to
 * 4 MiB takes all its memory at once, which is cheaper if it is allocated often. memory_free_zeros() needs the same
 * number of bytes. */
void *memory_zeros(size_t bytes);
void memory_free_zeros(void *at, size_t bytes); /* NULL is fine */
