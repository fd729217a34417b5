/* memory.h — how much memory there is. */
#ifndef SCIARA_MEMORY_H
#define SCIARA_MEMORY_H

#include <stddef.h>

/* Bytes that can be had without swapping: what the kernel says, else all that there are; at most
 * what this process is allowed. */
double memory_available(void);

/* `bytes` of zeros of which only pages that are written take memory; NULL: out of memory. */
void *memory_reserve(size_t bytes);
void memory_release(void *at, size_t bytes); /* NULL is fine */

#endif
