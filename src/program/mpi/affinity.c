#define _GNU_SOURCE /* for sched_getaffinity(); headers of the model do not compile with it */
#include "affinity.h"

#include "base/error.h"
#include "base/processors.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

int affinity_share(MPI_Comm node)
{
    int ranks, granted = processors_granted();
    MPI_Comm_size(node, &ranks);
    FREED cpu_set_t *all = calloc((size_t)ranks, sizeof *all);
    cpu_set_t mine;
    double share = 0;
    if (!all) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    CPU_ZERO(&mine);
    const bool known = !sched_getaffinity(0, sizeof mine, &mine);
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, node);
    for (int cpu = 0; known && cpu < CPU_SETSIZE; cpu++) {
        int owners = 0;
        for (int i = 0; i < ranks; i++) owners += CPU_ISSET(cpu, &all[i]) != 0;
        if (CPU_ISSET(cpu, &mine)) share += 1.0 / owners;
    }
    /* All ranks in a container share its quota. */
    if (!known || granted < CPU_COUNT(&mine)) granted /= ranks;
    const int threads = known && share + 1e-6 < granted ? (int)(share + 1e-6) : granted;
    return threads > 1 ? threads : 1;
}
