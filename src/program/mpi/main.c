/* main.c — sciara_mpi: `mpirun -n 4 sciara_mpi ensemble PLAN ...`, several processes that compute
 * one ensemble. MPI gets no pointers to GPU memory. */
#include "exchange.h"
#include "ranks.h"

#include "base/loops.h"
#include "commands/cli.h"
#include "members/ensemble_state.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the command line: that of `sciara ensemble`, and more ----------------------------------- */

static int parse_request(struct ensemble_request *q, int argc, char **argv, struct error *e)
{
    static const struct option more = {.name = "--share-devices",
                                       .at = offsetof(struct ensemble_request, share_devices),
                                       .help = "let several ranks compute on one GPU"};
    struct option words[OPTIONS_MAX] = {0};
    struct command c = command_ensemble;
    int count = 0;
    for (; c.words[count].name && count < OPTIONS_MAX - 2; count++) words[count] = c.words[count];
    words[count] = more;
    c.words = words;
    memcpy(q, c.defaults, c.size);
    int status = options_parse(&c, q, argc, argv, e);
    if (!status) status = ensemble_check(q, e);
    if (!status && q->pairs)
        status = error_input(e, "ensemble: --with-and-without: is for one process; use sciara "
                                "ensemble (for several GPUs: with --devices)");
    if (!status && q->shard_text)
        status = error_input(
            e, "ensemble: --shard: ranks divide the members among themselves; remove the option");
    if (!status && q->list)
        status = error_input(e, "ensemble: --list: use `sciara ensemble PLAN --list`");
    return status;
}

/* Fails if a rank has read another plan than rank 0. */
static int check_plan(const struct ranks *r, const struct study_job *j, struct error *e)
{
    const uint64_t mine = state_digest(j->study->state, j->self);
    uint64_t first = mine;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    const int status = first == mine
                           ? 0
                           : error_input(e,
                                         "%s: the plan on this machine differs from the plan on "
                                         "the machine of rank 0; give all ranks the same files",
                                         j->plan);
    return ranks_agree(r, status, e);
}

/* Rank 0 prepares the output folder; the other ranks write their states there. */
static int take_folder(const struct ranks *r, struct study_job *j, const struct ensemble_request *q,
                       struct error *e)
{
    int status = 0;
    if (!r->rank) status = study_command_folder(j, &q->of, e);
    if (!r->rank && !status) status = output_make_way(&j->files, e); /* before other ranks write */
    if ((status = ranks_agree(r, status, e)) || !r->rank) return status;
    status = study_name_folder(j, q->of.output, e);
    j->info.version = sciara_version();
    free(j->state);
    j->state = status ? NULL : rank_state_path(j->folder, r->rank);
    return j->state ? 0 : error_memory(e);
}

static int check_folder(const struct ranks *r, const struct study_job *j, struct error *e)
{
    int status = 0;
    if (r->rank && access(j->folder, W_OK | X_OK))
        status = error_input(e,
                             "%s: cannot be written on this machine; --output has to name a folder "
                             "that all machines share",
                             j->folder);
    return ranks_agree(r, status, e);
}

static int open_job(const struct ranks *r, struct study_job *j, struct study_devices *devices,
                    const struct ensemble_request *q, struct error *e)
{
    struct devices_warming warming;
    char line[RANKS_LINE] = "";
    int status = ranks_agree(r, ranks_place(r, q, devices, &j->threads, line, e), e);
    if (status) return status;
    devices_warm(&warming, devices);
    j->device = devices->number;
    j->device_count = devices->count;
    status = study_open(j, e);
    devices_ready(&warming);
    status = ranks_agree(r, status, e);
    if (!status) status = check_plan(r, j, e);
    if (!status) status = ranks_agree(r, take_folder(r, j, q, e), e);
    if (!status && !r->rank) status = ensemble_study_keep(j, NULL, 0, e);
    if (!(status = ranks_agree(r, status, e))) status = check_folder(r, j, e);
    if (!status && r->rank) status = ensemble_study_keep(j, NULL, 0, e);
    status = ranks_agree(r, status, e);
    if (!status && !q->of.quiet && !q->of.json) ranks_print(r, line);
    if (!status && !q->of.quiet && !r->rank) progress_tell_all(&j->c->told, q->of.said);
    return status;
}

/* On rank 0: adds up counts and idle times of all ranks for the report. */
static int add_up(struct exchange *x, struct error *e)
{
    struct ensemble_study *s = x->study;
    double last_s = 0;
    const int ranks = x->ranks->size;
    if (!(s->share = calloc((size_t)ranks, sizeof *s->share))) return error_memory(e);
    s->ranks = s->shares = ranks;
    x->job->threads = 0;
    for (int r = 0; r < ranks; r++)
        if (x->ended_s[r] > last_s) last_s = x->ended_s[r];
    for (int r = 0; r < ranks; r++) {
        const struct exchange_end *end = &x->end[r];
        s->share[r] = (struct engine_share){end->members, last_s - x->ended_s[r]};
        s->gpus += end->gpus;
        x->job->threads += end->gpus ? 0 : end->threads;
        s->counts.updates += end->counts.updates;
        s->counts.larger += end->counts.larger;
        s->counts.reference += end->counts.reference;
    }
    x->job->device_count = s->gpus;
    return 0;
}

/* Writes the complete state before it removes the states of the ranks, so that a crash between the two loses nothing. */
static int finish_ensemble(struct exchange *x, struct error *e)
{
    struct study_job *j = x->job;
    struct ensemble_study *s = x->study;
    int status = add_up(x, e);
    s->end = s->s.done == s->s.source->count ? ENGINE_COMPLETE : ENGINE_STOPPED;
    j->stopped = s->end == ENGINE_STOPPED;
    if (!status) status = ensemble_study_kept(j, e);
    if (!status && s->s.done) status = state_write(j->study->state, s, j->state, e);
    if (!status) status = rank_files_remove(j->folder, STATE_NAME, e);
    if (!status && s->s.done) status = study_command_finish(j, &x->request->of, e);
    return status;
}

static int run_ensemble(const struct ranks *r, const struct ensemble_request *q, struct error *e)
{
    const struct ensemble_options o = {
        .until_error = q->until_error, .processes = r->node_size, .keep = q->keep, .from = q->from};
    struct study_devices devices = {0};
    struct study_job j = {.study = &study_ensemble,
                          .plan = q->of.plan,
                          .options = &o,
                          .resume = q->of.resume,
                          .replace = q->of.replace,
                          .threads = 1,
                          .checkpoint_s = q->of.checkpoint_s};
    struct exchange x = {.ranks = r, .job = &j, .request = q};
    int status = open_job(r, &j, &devices, q, e);
    if (!status) {
        const double began_s = clock_now_s();
        x.study = j.self;
        interrupt_watch(NULL);
        status = exchange_run(&x, e);
        if (!status && r->rank) status = ensemble_study_kept(&j, e);
        if (!status) status = exchange_gather(&x, e);
        j.compute_s = clock_now_s() - began_s;
        if (!status && !r->rank) status = finish_ensemble(&x, e);
        exchange_free(&x);
    }
    return study_command_end(&j, status);
}

/* Called by all ranks together; only rank 0 prints. Returns the exit status. */
static int ensemble_of_ranks(const struct ranks *r, int argc, char **argv)
{
    struct ensemble_request q;
    struct warnings said = {0};
    struct error e = {0};
    char program[48];
    if (r->rank && !freopen("/dev/null", "w", stdout)) return EXIT_FAILURE; /* only rank 0 prints */
    int status = parse_request(&q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    snprintf(program, sizeof program, "mpirun -n %d sciara_mpi", r->size);
    FREED char *again = cli_again(program, &command_ensemble, argc, argv);
    q.of.said = &said;
    q.of.again = again;
    if (!status) status = run_ensemble(r, &q, &e);
    if (!status || status == EXIT_INTERRUPTED || r->rank) return status;
    return cli_fail("sciara_mpi", &e);
}

/* ---- the program ----------------------------------------------------------------------------- */

static int command(const struct ranks *r, int argc, char **argv)
{
    struct error e = {0};
    const bool help = argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
    if (argc == 2 && !strcmp(argv[1], "--version")) {
        if (!r->rank) printf("sciara %s\n", sciara_version());
        return 0;
    }
    char *ask[] = {"ensemble", "--help", NULL};
    if (help) return ensemble_of_ranks(r, 2, ask);
    if (argc > 1 && !strcmp(argv[1], "ensemble")) return ensemble_of_ranks(r, argc - 1, argv + 1);
    error_input(&e, "give `mpirun -n RANKS sciara_mpi ensemble PLAN`; see sciara_mpi --help");
    return r->rank ? 0 : cli_fail("sciara_mpi", &e);
}

int main(int argc, char **argv)
{
    struct ranks r;
    int level;
    loops_limit(0);
    setenv("OPENBLAS_NUM_THREADS", "1", 0); /* program.c gives the reason */
    signal(SIGXFSZ, SIG_IGN);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    ranks_create(&r);
    int code = command(&r, argc, argv);
    fflush(stdout);
    /* mpirun kills all ranks when one rank returns an error. So every rank waits until rank 0 has finished its command,
     * and then only rank 0 returns the error. */
    ranks_wait();
    const int rank = r.rank;
    ranks_free(&r);
    MPI_Finalize();
    return rank ? 0 : code;
}
