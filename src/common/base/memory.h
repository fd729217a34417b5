/* memory.h — how much memory there is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Bytes that can be had without swapping: what the kernel says, else all that there are; at most
 * what this process is allowed. */
double memory_available(void);

/* Whether `ulimit -v` limits what this process may reserve, too. */
bool memory_is_limited(void);

/* `bytes` of zeros of which only pages that are written take memory; NULL: out of memory. */
void *memory_reserve(size_t bytes);
void memory_release(void *at, size_t bytes); /* NULL is fine */

/* The same at a multiple of 64 bytes, but a small array, which may come and go often, is all there.
 * For arrays of cells. */
void *memory_zeros(size_t bytes);
void memory_free_zeros(void *at, size_t bytes); /* NULL is fine */
