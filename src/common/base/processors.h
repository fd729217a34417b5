/* processors.h — the number of threads that this process should use. */
#pragma once

enum { PROCESSORS_MAX = 1024, THREADS_PER_PROCESSOR = 8 };

/* Returns the number of processors that the process may run on (taskset, cpuset). The quota of its control groups
 * limits this number: cpu.max of version 2, cpu.cfs_quota_us of version 1, rounded to nearest. If OMP_NUM_THREADS is
 * set, returns that instead, but at most THREADS_PER_PROCESSOR for each of these processors: no run is faster with more
 * threads, and thousands take seconds to start. The result is from 1 to PROCESSORS_MAX. */
int processors_granted(void);
