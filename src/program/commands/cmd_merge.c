/* cmd_merge.c — `sciara merge SHARDS...`: the parts of an ensemble become the whole. */
#include "cli.h"
#include "ensemble.h"
#include "options.h"
#include "run.h"

#include "text/textfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct request {
    struct option_words shards;
    const char *output, *plan;
    unsigned formats;
    struct run_map map;
    bool quiet, json;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    OPERAND("SHARD", option_words, shards, "a folder of `sciara ensemble PLAN --shard I/N`",
            .repeated = true, .completes = COMPLETE_FOLDER),
    {0},
};
static const struct option options[] = {
    RUN_OPTION_OUTPUT(output, "output/NAME-OF-PLAN"),
    OPTION("--plan", "PLAN", option_text, plan, "the plan", .completes = COMPLETE_CASE,
           .usual = "the plan of the first shard"),
    ENSEMBLE_OPTION_FORMAT(formats),
    RUN_OPTION_MAP_SIZE(map.page),
    RUN_OPTION_MAP_DPI(map.dpi),
    RUN_OPTION_QUIET(quiet),
    RUN_OPTION_JSON(json),
    {0},
};

const struct command command_merge = {
    .name = "merge",
    .summary = "combine the shards of an ensemble",
    .about =
        "Adds the counts of the shards and writes the files of the whole ensemble, equal bit "
        "for bit to an ensemble computed in one piece. Incomplete shards can be merged too; the "
        "report gives the number of members.",
    .operands = operands,
    .options = options,
    .missing = "name the folders of the shards",
    .exits = command_exits,
    .run = cmd_merge,
};

static char *state_of(const char *folder, struct error *e)
{
    char *path = text_format("%s/" STATE_NAME, folder);
    if (!path) error_memory(e);
    if (!path || access(path, F_OK) == 0) return path;
    error_input(e, "%.900s: holds no " STATE_NAME "; name the folder of a shard", folder);
    free(path);
    return NULL;
}

static int add(struct ensemble_job *j, const char *folder, struct error *e)
{
    struct ensemble part = {0};
    const struct shard whole = {1, 1};
    char *path = state_of(folder, e);
    if (!path) return (int)e->code;
    int status = ensemble_create(&part, &j->supply.source, whole, SIZE_MAX, e);
    if (!status) status = state_read(&ensemble_state, &part, path, e);
    if (!status) status = ensemble_merge(&j->s, &part, path, e);
    ensemble_free(&part);
    free(path);
    return status;
}

/* The plan that the first shard was computed from. */
static int open_job(struct ensemble_job *j, const struct request *q, struct error *e)
{
    const struct shard whole = {1, 1};
    char *path = state_of(q->shards.word[0], e), *plan = NULL;
    if (!path) return (int)e->code;
    int status = q->plan ? 0 : ensemble_state_plan(&plan, path, e);
    if (!status) status = ensemble_job_open(j, q->plan ? q->plan : plan, 1, 1, whole, e);
    free(plan);
    free(path);
    return status;
}

static int merge(const struct request *q, struct ensemble_job *j, struct error *e)
{
    int status = open_job(j, q, e);
    j->formats = q->formats;
    j->map = q->map;
    for (int i = 0; !status && i < q->shards.count; i++) status = add(j, q->shards.word[i], e);
    if (!status && !j->s.done)
        status = error_input(e, "%s: no shard has a member that is done", q->shards.word[0]);
    if (!status) status = ensemble_job_take_folder(j, q->output, false, e);
    if (!status) status = state_write(&ensemble_state, &j->s, j->state, e);
    if (status) return status;
    j->end = j->s.done == j->s.source->count ? ENGINE_COMPLETE : ENGINE_STOPPED;
    return ensemble_job_finish(j, q->quiet, q->json, e);
}

int cmd_merge(int argc, char **argv)
{
    struct request q = {.plan = NULL};
    struct ensemble_job j = {0};
    struct error e = {0};
    int status = options_parse(&command_merge, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status) status = merge(&q, &j, &e);
    interrupt_watch(NULL);
    ensemble_job_free(&j);
    if (status == ERROR_CANCELLED) return EXIT_INTERRUPTED;
    return status ? cli_fail(&e) : 0;
}
