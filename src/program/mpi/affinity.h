/* affinity.h — processors of a rank that shares its machine with others. */
#pragma once

#include <mpi.h>

/* Together, on one machine: of the processors that this rank may use (mpirun may have bound it to
 * some) those that are left to it when all divide them evenly; at least 1. */
int affinity_share(MPI_Comm node);
