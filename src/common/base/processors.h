/* processors.h — the number of threads that this process should use. */
#pragma once

enum { PROCESSORS_MAX = 1024 };

/* 1 to PROCESSORS_MAX: OMP_NUM_THREADS if it is set, else the processors that the process may run
 * on (taskset, cpuset), limited by the quota of its control groups (cpu.max of version 2,
 * cpu.cfs_quota_us of version 1), rounded to nearest. */
int processors_granted(void);
