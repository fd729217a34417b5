/* main.c — sciara_mpi: `mpirun -n 4 sciara_mpi ensemble PLAN ...`, several processes that compute
 * one ensemble. What is on a GPU never goes to MPI. */
#include "commands/cli.h"
#include "ranks.h"

#include "base/loops.h"
#include "vector/vectors.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int command(const struct ranks *r, int argc, char **argv)
{
    struct error e = {0};
    const bool help = argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    if (argc == 2 && !strcmp(argv[1], "--version")) {
        char formats[160];
        vectors_formats(formats);
        if (!r->rank) printf("sciara %s\n%s\n", sciara_version(), formats);
        return 0;
    }
    if (help) argv[1] = "ensemble";
    if (argc > 1 && !strcmp(argv[1], "ensemble")) {
        static char ask[] = "--help", *asked[] = {NULL, ask, NULL};
        asked[0] = argv[1];
        return help ? ensemble_mpi(r, 2, asked) : ensemble_mpi(r, argc - 1, argv + 1);
    }
    error_input(&e, "give `mpirun -n RANKS sciara_mpi ensemble PLAN`; see sciara_mpi --help");
    return r->rank ? 0 : cli_fail("sciara_mpi", &e);
}

int main(int argc, char **argv)
{
    struct ranks r;
    int level;
    loops_limit(0);
    signal(SIGXFSZ, SIG_IGN); /* as in sciara */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    ranks_create(&r);
    int code = command(&r, argc, argv);
    fflush(stdout);
    /* mpirun ends all ranks when one ends badly, so no rank may before rank 0 has done everything;
     * and then that one alone. */
    ranks_wait();
    const int rank = r.rank;
    ranks_free(&r);
    MPI_Finalize();
    return rank ? 0 : code;
}
