/* memory.h — how much memory there is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes that can be had without swapping: what the kernel says, else all that there are; at most
 * what this process is allowed. */
double memory_available(void);

/* Whether `ulimit -v` limits what this process may reserve, too. */
bool memory_is_limited(void);

/* Libraries that end the process where they get no memory are called between these two: where
 * addresses are limited, one thread at a time, and whoever would take many of them waits: large
 * arrays, threads, pictures. Returns whether they are limited; not to be nested. */
bool memory_enter(void);
void memory_leave(bool limited);

/* Where addresses are limited, threads that begin from here on share theirs: glibc would give each
 * 64 MiB. */
void memory_share(void);

/* Bytes that this process may still reserve; infinite where nothing limits them. */
double memory_room(void);

/* `bytes` of zeros of which only pages that are written take memory; NULL: out of memory. */
void *memory_reserve(size_t bytes);
void memory_release(void *at, size_t bytes); /* NULL is fine */

/* Zeros for arrays of cells, at a multiple of 64 bytes. Only pages that are written take memory,
 * but for a small array, which may come and go often: it is all there. */
void *memory_zeros(size_t bytes);
void memory_free_zeros(void *at, size_t bytes); /* NULL is fine */
