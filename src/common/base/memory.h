/* memory.h — how much memory there is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes that can be had without swapping: as many as the kernel says, or all that the machine has
 * if it says nothing; at most what this process is allowed. */
double memory_available(void);

/* Whether `ulimit -v` limits the addresses that this process may reserve. */
bool memory_is_limited(void);

/* Some libraries end the process where they get no memory: they are called between these two. Where
 * addresses are limited, only one thread at a time is between them, and whoever would take much
 * memory waits: for large arrays, threads, pictures. Returns whether they are limited; not to be
 * nested. */
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
