/* ranks.h — the processes of sciara_mpi: who they are, what each of them computes with, and how
 * they agree on an error. All calls of MPI are made by the main thread (MPI_THREAD_FUNNELED), and
 * no pointer to device memory is ever handed to it. */
#pragma once

#include "commands/study_command.h"
#include "ensemble/handout.h"

#include <mpi.h>

enum { RANKS_HOST = 64, RANKS_LINE = 256 };

struct ranks {
    int rank, size;
    MPI_Comm node; /* those of this machine */
    int node_rank, node_size;
    char host[RANKS_HOST];
};

/* After MPI_Init_thread(). */
void ranks_create(struct ranks *r);
void ranks_free(struct ranks *r);

/* Together: the status and the error of the first rank that has one, everywhere; it names the rank
 * unless that is 0. */
int ranks_agree(const struct ranks *r, int status, struct error *e);

/* Together: the device that this rank computes with, or none and its threads. line: what it is. */
int ranks_place(const struct ranks *r, const struct ensemble_request *q, struct study_devices *d,
                int *threads, char line[RANKS_LINE], struct error *e);

/* Together: rank 0 prints a line of each. */
void ranks_print(const struct ranks *r, const char line[RANKS_LINE]);

/* Waits until all ranks have called it, without keeping a processor busy. */
void ranks_wait(void);

/* device_id.c: the identity of a device, whoever sees it; false: it cannot be told. */
bool device_id(int device, char id[40]);
