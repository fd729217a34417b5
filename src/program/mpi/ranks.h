/* ranks.h — the processes of sciara_mpi: their numbers, the devices on which they compute, and the error that they return
 * together. Only the main thread calls MPI (MPI_THREAD_FUNNELED), and never with a pointer to device memory. */
#pragma once

#include "commands/study_command.h"
#include "ensemble/handout.h"

#include <mpi.h>

enum { RANKS_HOST = 64, RANKS_LINE = 256 };

struct ranks {
    int rank, size;
    MPI_Comm node; /* the ranks of this machine */
    int node_rank, node_size;
    char host[RANKS_HOST];
};

/* Call this after MPI_Init_thread(). */
void ranks_create(struct ranks *r);
void ranks_free(struct ranks *r);

/* Called by all ranks together: returns the status and the error of the first rank with an error, to all ranks. The text
 * names this rank unless it is rank 0. */
int ranks_agree(const struct ranks *r, int status, struct error *e);

/* Called by all ranks together: chooses the GPU of this rank, or no GPU and a number of threads. Describes the
 * choice in `line`. */
int ranks_place(const struct ranks *r, const struct ensemble_request *q, struct study_devices *d,
                int *threads, char line[RANKS_LINE], struct error *e);

/* Called by all ranks together: rank 0 prints the lines of all ranks. */
void ranks_print(const struct ranks *r, const char line[RANKS_LINE]);

/* Waits, without keeping a processor busy, until all ranks have called this function. */
void ranks_wait(void);

/* device_id.c: the UUID of a device, which is the same for every process; false: the device does not report it. */
bool device_id(int device, char id[40]);
