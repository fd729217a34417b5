#include "memory.h"

#include <stdio.h>
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
