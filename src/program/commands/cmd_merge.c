/* cmd_merge.c — `sciara merge SHARDS...`: the parts of an ensemble become the whole. */
#include "cli.h"
#include "study_command.h"

#include "ensemble/ensemble_study.h"
#include "ensemble/library.h"
#include "text/textfile.h"

#include <stdlib.h>
#include <unistd.h>

struct request {
    struct option_words shards;
    struct study_request of;
};

#define AT(member) offsetof(struct request, member)
static const struct option operands[] = {
    OPERAND("SHARD", option_words, shards, "a folder of `sciara ensemble PLAN --shard I/N`",
            .repeated = true, .completes = COMPLETE_FOLDER),
    {0},
};
static const struct option options[] = {
    RUN_OPTION_OUTPUT(of.output, "output/NAME-OF-PLAN"),
    OPTION("--plan", "PLAN", option_text, of.plan, "the plan", .completes = COMPLETE_CASE,
           .usual = "the plan of the first shard"),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    {0},
};

const struct command command_merge = {
    .name = "merge",
    .summary = "combine the shards of an ensemble",
    .about = "Adds the counts of the shards and writes the files of the whole ensemble, equal bit "
             "for bit to an ensemble computed in one piece. Incomplete shards can be merged too; "
             "the report gives the number of members.",
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

static int add(struct ensemble_study *x, const char *folder, struct error *e)
{
    struct ensemble part = {0};
    const struct shard whole = {1, 1};
    char *path = state_of(folder, e);
    if (!path) return (int)e->code;
    int status = ensemble_create(&part, x->s.source, whole, SIZE_MAX, e);
    if (!status) status = state_read(&ensemble_state, &part, path, e);
    if (!status) status = ensemble_merge(&x->s, &part, path, e);
    ensemble_free(&part);
    free(path);
    return status;
}

/* The plan that the first shard was computed from: *plan malloc'ed. */
static int find_plan(const struct request *q, char **plan, struct error *e)
{
    char *path = state_of(q->shards.word[0], e);
    if (!path) return (int)e->code;
    int status = ensemble_state_plan(plan, path, e);
    free(path);
    return status;
}

/* Of all shards, or of none. */
static int join_libraries(const struct option_words *shards, struct study_job *j, struct error *e)
{
    char **path = calloc((size_t)shards->count, sizeof *path);
    int there = 0, missing = 0, status = path ? 0 : error_memory(e);
    for (int i = 0; !status && i < shards->count; i++)
        if (!(path[i] = text_format("%s/" LIBRARY_NAME, shards->word[i]))) status = error_memory(e);
        else if (access(path[i], F_OK) == 0) there++;
        else missing = i;
    if (!status && there && there < shards->count)
        status = error_input(e,
                             "%s: is missing, and another shard has a library; name shards that "
                             "all have one, or none",
                             path[missing]);
    if (!status && there) status = ensemble_study_keep(j, path, there, e);
    if (!status) status = ensemble_study_kept(j, e);
    for (int i = 0; path && i < shards->count; i++) free(path[i]);
    free(path);
    return status;
}

static int merge(const struct request *q, struct study_job *j, struct error *e)
{
    int status = study_open(j, e);
    struct ensemble_study *x = j->self;
    for (int i = 0; !status && i < q->shards.count; i++) status = add(x, q->shards.word[i], e);
    if (!status && !x->s.done)
        status = error_input(e, "%s: no shard has a completed member", q->shards.word[0]);
    if (!status) status = study_command_folder(j, &q->of, e);
    if (!status) status = join_libraries(&q->shards, j, e);
    if (!status) status = state_write(j->study->state, x, j->state, e);
    if (status) return status;
    x->end = x->s.done == x->s.source->count ? ENGINE_COMPLETE : ENGINE_STOPPED;
    return study_command_finish(j, &q->of, e);
}

int cmd_merge(int argc, char **argv)
{
    const struct ensemble_options whole = {.until_error = 0};
    struct request q = {.of.plan = NULL};
    struct error e = {0};
    char *plan = NULL;
    int status = options_parse(&command_merge, &q, argc, argv, &e);
    if (status == OPTIONS_HELP) return 0;
    if (!status && !q.of.plan) status = find_plan(&q, &plan, &e);
    struct study_job j = {
        .study = &study_ensemble, .plan = plan ? plan : q.of.plan, .options = &whole, .threads = 1};
    if (!status) status = merge(&q, &j, &e);
    if (!status || j.self) status = study_command_end(&j, status);
    free(plan);
    return status && status != EXIT_INTERRUPTED ? cli_fail(&e) : status;
}
