/* ensemble_mpi.h — `sciara_mpi ensemble PLAN`. */
#ifndef SCIARA_MPI_ENSEMBLE_H
#define SCIARA_MPI_ENSEMBLE_H

#include "ranks.h"

/* Together; the exit status. Rank 0 alone prints. */
int ensemble_mpi(const struct ranks *r, int argc, char **argv);

#endif
