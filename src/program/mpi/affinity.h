/* affinity.h — the processors of a rank whose machine has other ranks. */
#pragma once

#include <mpi.h>

/* Called by all ranks of a machine together. Returns the number of processors that this rank may use (mpirun may have bound
 * it to some) when all divide them evenly; at least 1. */
int affinity_share(MPI_Comm node);
