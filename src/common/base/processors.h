/* processors.h — how many threads this process should compute with. */
#ifndef SCIARA_PROCESSORS_H
#define SCIARA_PROCESSORS_H

enum { PROCESSORS_MAX = 1024 };

/* 1 to PROCESSORS_MAX: OMP_NUM_THREADS where it is set, else the processors that the process may
 * run on (taskset, cpuset), but no more than its control groups grant it time on (cpu.max of
 * version 2, cpu.cfs_quota_us of version 1), rounded to the nearest. */
int processors_granted(void);

#endif
