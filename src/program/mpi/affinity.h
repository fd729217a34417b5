/* affinity.h — the processors of a rank whose machine has other ranks. */
#pragma once

#include <mpi.h>

/* Called by all ranks of a machine together. Returns this rank's number of processors, at least 1. mpirun may bind ranks to
 * processors; ranks that may use the same processors divide these evenly. */
int affinity_share(MPI_Comm node);
