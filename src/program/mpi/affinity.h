/* affinity.h — the processors of a rank whose machine has other ranks. */
#pragma once

#include <mpi.h>

/* Called by all ranks of a machine together. Returns how many processors this rank gets, at least 1, if the ranks divide evenly
 * those that they may use (mpirun may have bound them to some). */
int affinity_share(MPI_Comm node);
