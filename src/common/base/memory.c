#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MADV_NOHUGEPAGE */
#include "memory.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static double address_limit(void)
{
    struct rlimit limit;
    const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? (double)limit.rlim_cur : INFINITY;
}

bool memory_is_limited(void)
{
    return address_limit() < INFINITY;
}

static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;

bool memory_enter(void)
{
    const bool limited = memory_is_limited();
    if (limited) pthread_mutex_lock(&taking);
    return limited;
}

void memory_leave(bool limited)
{
    if (limited) pthread_mutex_unlock(&taking);
}

void memory_share(void)
{
#if defined(M_ARENA_MAX)
    if (memory_is_limited()) mallopt(M_ARENA_MAX, 1);
#endif
}

/* The first number of statm is the size of the address space in use, in pages. If it cannot be read, the room is 0. */
double memory_room(void)
{
    const double limit = address_limit();
    double pages = INFINITY;
    FILE *f = limit < INFINITY ? fopen("/proc/self/statm", "r") : NULL;
    if (limit == INFINITY) return limit;
    if (f && fscanf(f, "%lf", &pages) != 1) pages = INFINITY;
    if (f) fclose(f);
    return fmax(limit - pages * (double)sysconf(_SC_PAGESIZE), 0);
}

double memory_available(void)
{
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), kib;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1) bytes = 1024 * kib;
    if (f) fclose(f);
    return fmin(bytes, address_limit());
}

/* Arrays leave these bytes free for other allocations, because some libraries end the process if they get no memory. */
enum { SMALL_ROOM_BYTES = 16 << 20 };

void *memory_reserve(size_t bytes)
{
    const bool limited = memory_enter(), fits = memory_room() >= (double)bytes + SMALL_ROOM_BYTES;
    void *at = fits ? mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                    : MAP_FAILED;
    memory_leave(limited);
    if (at == MAP_FAILED) return NULL;
#if defined(MADV_NOHUGEPAGE)
    madvise(at, bytes, MADV_NOHUGEPAGE); /* with huge pages, one written cell would take the memory
                                            of many rows */
#endif
    return at;
}

void memory_release(void *at, size_t bytes)
{
    if (at) munmap(at, bytes ? bytes : 1);
}

enum { SMALL_BYTES = 1 << 22 };

void *memory_zeros(size_t bytes)
{
    if (bytes > SMALL_BYTES) return memory_reserve(bytes);
    const size_t whole = (bytes + 63) / 64 * 64;
    void *at = aligned_alloc(64, whole ? whole : 64);
    return at ? memset(at, 0, bytes) : NULL;
}

void memory_free_zeros(void *at, size_t bytes)
{
    if (bytes > SMALL_BYTES) memory_release(at, bytes);
    else free(at);
}
