/* affinity.h — the number of processors that a rank may use if its machine has other ranks. */
#pragma once

#include <mpi.h>

/* Called by all ranks of a machine together. Returns this rank's number of processors, at least 1. mpirun may bind ranks to
 * processors; ranks that may use the same processors divide these evenly. */
int affinity_share(MPI_Comm node);
