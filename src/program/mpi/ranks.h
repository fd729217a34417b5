/* ranks.h — the processes of sciara_mpi: who they are, what each computes with, and how they agree on an error. The main
 * thread makes all calls of MPI (MPI_THREAD_FUNNELED) and never passes it a pointer to device memory. */
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

/* To be called after MPI_Init_thread(). */
void ranks_create(struct ranks *r);
void ranks_free(struct ranks *r);

/* Called by all ranks together: each gets the status and the error of the first rank that has one. The error names that
 * rank unless it is 0. */
int ranks_agree(const struct ranks *r, int status, struct error *e);

/* Called by all ranks together: finds the device of this rank, or none and its threads, and describes it in `line`. */
int ranks_place(const struct ranks *r, const struct ensemble_request *q, struct study_devices *d,
                int *threads, char line[RANKS_LINE], struct error *e);

/* Called by all ranks together: rank 0 prints the line of each. */
void ranks_print(const struct ranks *r, const char line[RANKS_LINE]);

/* Waits until all ranks have called it, without keeping a processor busy. */
void ranks_wait(void);

/* device_id.c: an identity that a device has for every process; false: it cannot be told. */
bool device_id(int device, char id[40]);
