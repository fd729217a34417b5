/* memory.h — how much memory there is. */
#ifndef SCIARA_MEMORY_H
#define SCIARA_MEMORY_H

/* Bytes that can be had without swapping: what the kernel says, else all that there are; at most
 * what this process is allowed. */
double memory_available(void);

#endif
