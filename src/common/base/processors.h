/* processors.h — the number of threads that this process should use. */
#pragma once

enum { PROCESSORS_MAX = 1024 };

/* Returns OMP_NUM_THREADS if it is set. Otherwise returns the number of processors that the process may run on
 * (taskset, cpuset). The quota of its control groups limits this number: cpu.max of version 2, cpu.cfs_quota_us of
 * version 1, rounded to nearest. The result is from 1 to PROCESSORS_MAX. */
int processors_granted(void);
