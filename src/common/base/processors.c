/* processors.c — processors granted by the system and the container. */
#include "processors.h"

#include <math.h>
#if defined(_OPENMP)
#include <omp.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number from a file of a control group; place: 0 for the first number, 1 for the second. Returns 0 if there
 * is no number. cpu.max has quota and period: "200000 100000" is two processors, "max 100000" is no limit. */
static double number_of(const char *root, const char *group, const char *file, int place)
{
    char path[1200];
    double number[2] = {0};
    snprintf(path, sizeof path, "%s%s/%s", root, group, file);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%lf %lf", &number[0], &number[1]) < 1) number[0] = 0;
    if (f) fclose(f);
    return number[place];
}

/* The least quota of a control group and its parents, in processors; at most `least`. Shortens
 * `group`. */
static double least_quota(const char *root, char *group, double least)
{
    for (;;) {
        double quota = number_of(root, group, "cpu.max", 0),
               period = number_of(root, group, "cpu.max", 1);
        if (!(quota > 0 && period > 0)) {
            quota = number_of(root, group, "cpu.cfs_quota_us", 0);
            period = number_of(root, group, "cpu.cfs_period_us", 0);
        }
        if (quota > 0 && period > 0) least = fmin(least, quota / period);
        char *slash = strrchr(group, '/');
        if (!slash) return least;
        *slash = '\0';
    }
}

/* A line of /proc/self/cgroup is "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1). */
static double group_quota(void)
{
    char line[1100];
    double least = 1e9;
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group) continue;
        *group++ = '\0';
        if (!strcmp(names, ":")) least = least_quota("/sys/fs/cgroup", group, least);
        else if (strstr(names, "cpu")) least = least_quota("/sys/fs/cgroup/cpu", group, least);
    }
    if (f) fclose(f);
    return least;
}

int processors_granted(void)
{
    const char *asked = getenv("OMP_NUM_THREADS");
    const bool asks = asked && strspn(asked, "0123456789, ") == strlen(asked) && atoi(asked) > 0;
#if defined(_OPENMP)
    const int wanted = omp_get_max_threads(), processors = omp_get_num_procs();
#else
    const int wanted = 1, processors = 1;
#endif
    const double granted = fmax(floor(fmin(processors, group_quota() + 0.5)), 1);
    const double most = asks ? THREADS_PER_PROCESSOR * granted : granted;
    const double n = fmin(fmin(wanted, most), PROCESSORS_MAX);
    return n < 1 ? 1 : (int)n;
}
