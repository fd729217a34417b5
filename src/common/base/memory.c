#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "memory.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

double memory_available(void)
{
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE), kib;
    struct rlimit limit;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1) bytes = 1024 * kib;
    if (f) fclose(f);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur < bytes)
        bytes = (double)limit.rlim_cur;
    return bytes;
}

void *memory_reserve(size_t bytes)
{
    void *at = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void memory_release(void *at, size_t bytes)
{
    if (at) munmap(at, bytes ? bytes : 1);
}
