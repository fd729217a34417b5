#include "ensemble_mpi.h"

#include "commands/cli.h"
#include "commands/options.h"
#include "commands/run.h"
#include "ensemble/rank_states.h"
#include "exchange.h"
#include "text/textfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the command line: that of `sciara ensemble`, and more ----------------------------------- */

static int parse(struct ensemble_request *q, int argc, char **argv, struct error *e)
{
    static const struct option more = {.name = "--share-devices",
                                       .at = offsetof(struct ensemble_request, share_devices),
                                       .help = "let several ranks compute on one GPU"};
    struct option options[OPTIONS_MAX] = {0};
    struct command c = command_ensemble;
    int count = 0;
    while (command_ensemble.options[count].name && count < OPTIONS_MAX - 2) {
        options[count] = command_ensemble.options[count];
        count++;
    }
    options[count] = more;
    c.options = options;
    int status = ensemble_parse(q, &c, argc, argv, e);
    if (!status && q->pairs)
        status = error_input(e, "ensemble: --with-and-without: is for one process; use sciara "
                                "ensemble, with several GPUs by --devices");
    if (!status && q->shard_text)
        status = error_input(e, "ensemble: --shard: ranks divide the members among themselves; "
                                "leave it out");
    if (!status && q->list)
        status = error_input(e, "ensemble: --list: say `sciara ensemble PLAN --list`");
    return status;
}

/* ---- before ---------------------------------------------------------------------------------- */

/* The boundaries of --until-error need the sums of all ranks while they compute. */
static int check(struct ensemble_job *j, const struct ensemble_request *q, struct error *e)
{
    j->s.until_error = 0;
    const double wanted =
        q->until_error >= 0 ? q->until_error : plan_statistics(j->plan)->until_error;
    if (!(wanted > 0)) return 0;
    return error_input(e,
                       "%s: until_error is not for several ranks, of which none has all sums; say "
                       "--until-error 0 to compute all members, or use `sciara ensemble`",
                       j->path);
}

/* Everybody has read the same. */
static int check_plan(const struct ranks *r, const struct ensemble_job *j, struct error *e)
{
    const uint64_t mine = j->supply.source.digest;
    uint64_t first = mine;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    const int status = first == mine
                           ? 0
                           : error_input(e,
                                         "%s: is another plan there than on the machine of rank 0; "
                                         "all ranks need the same files",
                                         j->path);
    return ranks_agree(r, status, e);
}

/* Rank 0 takes the folder; the others leave their states in it. */
static int take_folder(const struct ranks *r, struct ensemble_job *j,
                       const struct ensemble_request *q, struct error *e)
{
    int status = 0;
    if (!r->rank) status = ensemble_job_take_folder(j, q->output, q->resume, e);
    if ((status = ranks_agree(r, status, e))) return status;
    j->s.until_error = 0; /* that of a state before */
    if (!r->rank) return 0;
    const char *name = j->supply.source.base->name;
    j->folder = q->output ? text_format("%s", q->output) : text_format("output/%s", name);
    j->state = j->folder ? rank_state_path(j->folder, r->rank) : NULL;
    return j->state ? 0 : error_memory(e);
}

static int check_folder(const struct ranks *r, const struct ensemble_job *j, struct error *e)
{
    int status = 0;
    if (r->rank && access(j->folder, W_OK | X_OK))
        status = error_input(e,
                             "%s: cannot be written there; --output has to name a folder that all "
                             "machines share",
                             j->folder);
    return ranks_agree(r, status, e);
}

static int open_job(const struct ranks *r, struct ensemble_job *j, const struct ensemble_request *q,
                    struct error *e)
{
    const struct shard whole = {1, 1};
    struct ensemble_devices devices;
    struct devices_warming warming;
    char line[RANKS_LINE] = "";
    int threads = 1, status = ranks_place(r, q, &devices, &threads, line, e);
    status = ranks_agree(r, status, e);
    if (status) return status;
    devices_warm(&warming, &devices);
    status = ensemble_job_open(j, q->plan, r->node_size, threads, whole, e);
    devices_ready(&warming);
    j->devices = devices;
    j->formats = q->formats;
    j->map = q->map;
    if (!status) status = check(j, q, e);
    status = ranks_agree(r, status, e);
    if (!status) status = check_plan(r, j, e);
    if (!status) status = ranks_agree(r, take_folder(r, j, q, e), e);
    if (!status) status = check_folder(r, j, e);
    if (!status && !q->quiet && !q->json) ranks_print(r, line);
    if (!status && !q->quiet && !r->rank) progress_warn(plan_case(j->plan)->warning);
    return status;
}

/* ---- after ----------------------------------------------------------------------------------- */

/* Rank 0: what all of them did together. */
static int add_up(struct exchange *x, struct error *e)
{
    struct ensemble_job *j = x->job;
    double last_s = 0;
    const int ranks = x->ranks->size;
    if (!(j->share = calloc((size_t)ranks, sizeof *j->share))) return error_memory(e);
    j->ranks = j->shares = ranks;
    j->threads = 0;
    for (int r = 0; r < ranks; r++)
        if (x->ended_s[r] > last_s) last_s = x->ended_s[r];
    for (int r = 0; r < ranks; r++) {
        const struct exchange_end *end = &x->end[r];
        j->share[r] = (struct report_share){end->members, last_s - x->ended_s[r]};
        j->gpus += end->gpus;
        j->threads += end->gpus ? 0 : end->threads;
        j->counts.updates += end->counts.updates;
        j->counts.larger += end->counts.larger;
        j->counts.reference += end->counts.reference;
    }
    return 0;
}

/* The whole state first, and then the parts can go: whoever is killed in between has all of it. */
static int finish(struct exchange *x, struct error *e)
{
    struct ensemble_job *j = x->job;
    const struct ensemble_request *q = x->request;
    int status = add_up(x, e);
    j->end = j->s.done == j->s.source->count ? ENGINE_COMPLETE : ENGINE_STOPPED;
    if (!status && j->s.done) status = state_write(&ensemble_state, &j->s, j->state, e);
    if (!status) status = rank_states_remove(j->folder, e);
    if (!status && j->s.done) status = ensemble_job_finish(j, q->quiet, q->json, e);
    interrupt_watch(NULL);
    if (!j->s.done) output_folder_unmake(&j->files);
    if (status == ERROR_CANCELLED || (!status && j->end == ENGINE_STOPPED))
        status = EXIT_INTERRUPTED;
    return status;
}

static int run(const struct ranks *r, const struct ensemble_request *q, struct error *e)
{
    struct ensemble_job j = {0};
    struct exchange x = {.ranks = r, .job = &j, .request = q};
    int status = open_job(r, &j, q, e);
    if (!status) {
        const double began_s = clock_now_s();
        interrupt_watch(NULL);
        status = exchange_run(&x, e);
        if (!status) status = exchange_gather(&x, e);
        j.compute_s = clock_now_s() - began_s;
        if (!status && !r->rank) status = finish(&x, e);
        exchange_free(&x);
    }
    ensemble_job_free(&j);
    return status;
}

int ensemble_mpi(const struct ranks *r, int argc, char **argv)
{
    struct ensemble_request q;
    struct error e = {0};
    if (r->rank && !freopen("/dev/null", "w", stdout)) return EXIT_FAILURE; /* rank 0 prints */
    int status = parse(&q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = run(r, &q, &e);
    if (!status || status == EXIT_INTERRUPTED || r->rank) return status;
    return cli_fail(&e);
}
