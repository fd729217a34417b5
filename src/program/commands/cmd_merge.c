/* cmd_merge.c — `sciara merge PARTS...`: combines the shards of an ensemble, or libraries. */
#include "study_command.h"

#include "ask/ask.h"
#include "case/case_notes.h"
#include "ensemble/ensemble_study.h"
#include "members/library.h"
#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct request {
    struct option_words shards;
    struct study_request of;
    bool own;   /* the part is the library of the output folder, which stays as it is */
    bool aside; /* the part is the output folder's library of another plan: it is renamed */
};

#define AT(member) offsetof(struct request, member)
static const struct option words[] = {
    OPERAND("PART", option_words, shards,
            "a folder of `sciara ensemble PLAN --shard I/N`, or a library.gpkg", .repeated = true,
            .completes = COMPLETE_FILE),
    RUN_OPTION_OUTPUT(of.output, "output/NAME-OF-PLAN"),
    OPTION("--plan", "PLAN", option_text, of.plan, "the plan", .completes = COMPLETE_CASE,
           .usual = "the plan of the first part"),
    STUDY_OPTION_REPLACE(of.replace),
    STUDY_OPTIONS_OF_FILES(STUDY_OPTION_FORMAT),
    {0},
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

static int add_shard(struct ensemble_study *x, const char *folder, struct error *e)
{
    FREED_BY(ensemble_free) struct ensemble part = {0};
    const struct shard whole = {1, 1};
    FREED char *path = state_of(folder, e);
    if (!path) return (int)e->code;
    int status = ensemble_create(&part, x->s.source, whole, SIZE_MAX, e);
    if (!status) status = state_read(&ensemble_state, &part, path, e);
    return status ? status : ensemble_merge(&x->s, &part, path, e);
}

/* Finds the plan that the first shard was computed from; *plan is malloc'ed. */
static int find_plan(const struct request *q, char **plan, struct error *e)
{
    FREED char *path = state_of(q->shards.word[0], e);
    struct shard shard;
    return path ? ensemble_state_head(plan, &shard, path, e) : (int)e->code;
}

/* Joins the libraries of the shards, if there are any. Fails if only some of the shards have a library. */
static int join_libraries(const struct option_words *shards, struct study_job *j, struct error *e)
{
    FREED char **path = calloc((size_t)shards->count, sizeof *path);
    int there = 0, missing = 0, status = path ? 0 : error_memory(e);
    for (int i = 0; !status && i < shards->count; i++)
        if (!(path[i] = text_format("%s/" LIBRARY_NAME, shards->word[i]))) status = error_memory(e);
        else if (access(path[i], F_OK) == 0) there++;
        else missing = i;
    if (!status && there && there < shards->count)
        status = error_input(e,
                             "%s: is missing, and another shard has a library; name only "
                             "shards with a library, or only shards without",
                             path[missing]);
    if (!status && there) status = ensemble_study_keep(j, path, there, e);
    if (!status) status = ensemble_study_kept(j, e);
    for (int i = 0; path && i < shards->count; i++) free(path[i]);
    return status;
}

static int merge_shards(const struct request *q, struct study_job *j, struct error *e)
{
    int status = study_open(j, e);
    struct ensemble_study *x = j->self;
    for (int i = 0; !status && i < q->shards.count; i++) {
        status = add_shard(x, q->shards.word[i], e);
        FREED char *library = text_format("%s/" LIBRARY_NAME, q->shards.word[i]);
        if (!status && library) case_note_input(&x->plan->base, library);
    }
    if (!status && !x->s.done)
        status = error_input(e, "%s: no shard has a completed member", q->shards.word[0]);
    if (!status) status = study_command_folder(j, &q->of, e);
    if (!status) status = join_libraries(&q->shards, j, e);
    return status;
}

/* ---- libraries ------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* The path of a part's library, malloc'ed: the part itself, or a file in the part's folder. */
static char *library_of(const char *part)
{
    return text_format(is_file(part) ? "%s" : "%s/" LIBRARY_NAME, part);
}

/* Whether a part is a library or a folder with one. */
static bool has_library(const char *part)
{
    FREED char *path = library_of(part);
    return path && is_file(path);
}

static int find_library_plan(const struct request *q, char **plan, struct error *e)
{
    FREED_BY(library_shut) struct sqlite3 *db = NULL;
    FREED char *path = library_of(q->shards.word[0]);
    return path ? library_open(&db, plan, path, e) : error_memory(e);
}

/* The present path of a part's library, malloc'ed. The output folder's library may have moved. */
static char *moved_library(const struct study_job *j, const char *part)
{
    char *path = library_of(part);
    for (int i = 0; path && i < j->files.aside.count; i += 2) {
        FREED char *was = text_format("%s/%s", j->folder, j->files.aside.name[i]);
        if (!was || strcmp(was, path) != 0) continue;
        free(path);
        path = text_format("%s/%s", j->folder, j->files.aside.name[i + 1]);
    }
    return path;
}

static int join_all(const struct request *q, struct study_job *j, const char *whole,
                    struct error *e)
{
    struct ensemble_study *x = j->self;
    const bool there = access(whole, F_OK) == 0; /* an existing library keeps its members */
    int status = library_create(&x->s.library, &x->s, whole, j->info.version, e);
    for (int i = 0; !status && i < q->shards.count; i++) {
        FREED char *path = moved_library(j, q->shards.word[i]);
        status = path ? library_join(x->s.library, path, e) : error_memory(e);
    }
    status = library_close(x->s.library, status, e);
    x->s.library = NULL;
    if (status && !there) unlink(whole);
    return status;
}

/* Writes the statistics of all members into the library. */
static int put_sums(const struct study_job *j, const char *whole, struct error *e)
{
    struct ensemble_study *x = j->self;
    struct library *l;
    int status = library_create(&l, &x->s, whole, j->info.version, e);
    if (!status) status = ensemble_study_put(x, l, e);
    return library_close(l, status, e);
}

static int merge_libraries(const struct request *q, struct study_job *j, struct error *e)
{
    int status = study_open(j, e);
    struct ensemble_study *x = j->self;
    for (int i = 0; !status && i < q->shards.count; i++) {
        FREED char *path = library_of(q->shards.word[i]);
        if (!path) status = error_memory(e);
        else if (!is_file(path))
            status =
                error_input(e, "%s: is not there; name libraries, or shards that have one", path);
        else if (!q->own && !q->aside) case_note_input(&x->plan->base, path);
    }
    if (!status) status = study_command_folder(j, &q->of, e);
    FREED char *whole = status ? NULL : text_format("%s/" LIBRARY_NAME, j->folder);
    if (!status && !whole) status = error_memory(e);
    if (!status) status = output_make_way(&j->files, e);
    if (!status && !q->own) status = join_all(q, j, whole, e);
    if (!status) x->keep = true;
    if (!status) status = ask_all(x, whole, j, e);
    return status || q->own ? status : put_sums(j, whole, e);
}

/* The command line that computes the members that all parts lack, malloc'ed. */
static char *ensemble_again(const struct study_job *j)
{
    const struct ensemble_study *x = j->self;
    FREED char *plan = text_shell_word(j->plan), *folder = text_shell_word(j->folder);
    return plan && folder ? text_format("sciara ensemble %s --output %s%s --resume", plan, folder,
                                        x->keep ? " --keep" : "")
                          : NULL;
}

static int finish_merge(const struct request *q, struct study_job *j, struct error *e)
{
    struct ensemble_study *x = j->self;
    int status = output_make_way(&j->files, e);
    if (!status) status = state_write(j->study->state, x, j->state, e);
    if (status) return status;
    x->end = x->s.done == x->s.source->count ? ENGINE_COMPLETE : ENGINE_STOPPED;
    struct study_request of = q->of;
    FREED char *again = x->end == ENGINE_STOPPED ? ensemble_again(j) : NULL;
    of.again = again;
    return study_command_finish(j, &of, e);
}

static int merge(void *request, struct error *e)
{
    const struct request *q = request;
    const struct ensemble_options whole = {.until_error = 0, .bulletin = q->of.bulletin};
    /* Shards of another plan cannot be added up. Libraries of another plan can: they may have members of this plan. */
    int files = 0, kept = 0, states = 0;
    for (int i = 0; i < q->shards.count; i++) {
        if (access(q->shards.word[i], F_OK) != 0)
            return error_input(e, "%s: cannot be opened: %s; check the name", q->shards.word[i],
                               strerror(errno));
        files += is_file(q->shards.word[i]);
        kept += has_library(q->shards.word[i]);
        states += rank_states_there(q->shards.word[i]);
    }
    const bool libraries = files || (kept == q->shards.count && (q->of.plan || !states));
    FREED char *plan = NULL;
    int status = q->of.plan ? 0 : (libraries ? find_library_plan : find_plan)(q, &plan, e);
    struct study_job j = {.study = &study_ensemble,
                          .plan = plan ? plan : q->of.plan,
                          .options = &whole,
                          .replace = q->of.replace,
                          .as = "merge",
                          .covers = libraries, /* the library has the members of a replaced state */
                          .threads = 1};
    if (!status) status = (libraries ? merge_libraries : merge_shards)(q, &j, e);
    if (!status) status = finish_merge(q, &j, e);
    if (!status || j.self) status = study_command_end(&j, status);
    return status;
}

/* The output folder, malloc'ed; NULL: the folder has no library. Then merge_library() does not read the plan. */
static char *folder_of(const struct study_request *of)
{
    const char *name = path_name(of->plan);
    const int length = (int)(strlen(name) - (text_ends(name, ".cfg") ? strlen(".cfg") : 0));
    char *folder =
        of->output ? text_format("%s", of->output) : text_format("output/%.*s", length, name);
    DIR *d = folder ? opendir(folder) : NULL;
    bool any = false;
    for (const struct dirent *entry; d && !any && (entry = readdir(d));)
        any = !strncmp(entry->d_name, "library", strlen("library"));
    if (d) closedir(d);
    if (any) return folder;
    free(folder);
    return NULL;
}

/* Finds a library that has all members of the plan: library.gpkg of the folder, or a library that was set aside there.
 * Returns the path, malloc'ed; NULL: there is no such library. *own: the library is library.gpkg. */
static char *find_library(const struct plan *p, const char *folder, bool *own)
{
    char *path = text_format("%s/" LIBRARY_NAME, folder);
    if (p->keys.statistics.until_error > 0)
        *own = false; /* the ensemble may have ended early, so members may be missing */
    else if ((*own = path && library_count(path, p->digest) == p->count)) {
        if (!output_unfinished(folder)) return path; /* an unfinished ensemble resumes instead */
    } else {
        free(path);
        return library_set_aside(folder, p->digest, p->count);
    }
    free(path);
    return NULL;
}

int merge_library(const struct study_request *of, bool *taken, struct error *e)
{
    FREED_BY(plan_free_at) struct plan *p = NULL;
    FREED char *folder = folder_of(of);
    *taken = false;
    int status = folder ? plan_read(&p, of->plan, NULL, NULL, e) : 0;
    bool own = false;
    FREED char *path = p ? find_library(p, folder, &own) : NULL;
    *taken = path != NULL;
    if (!path) return status;
    struct request q = {.shards = {.count = 1, .word = &path}, .of = *of, .own = own};
    if (!of->quiet)
        fprintf(stderr,
                "sciara: %s: has all members of this plan, so none is computed; --replace computes "
                "them\n",
                path);
    status = merge(&q, e);
    if (!status && !own) unlink(path); /* library.gpkg has all members now */
    return status;
}

int merge_other_plan(const struct study_request *of, const char *library, struct error *e)
{
    char *word = (char *)library;
    struct request q = {.shards = {.count = 1, .word = &word}, .of = *of, .aside = true};
    return merge(&q, e);
}

const struct command command_merge = {
    .name = "merge",
    .summary = "combine the shards of an ensemble, or libraries",
    .about = "Adds the counts of the shards and writes the files of the whole ensemble, equal bit "
             "for bit to an ensemble computed in one piece. Incomplete shards can be merged too; "
             "the report gives the number of members.\n\n"
             "Libraries become the library of the plan, which may have other members now (more, or "
             "of more vents). Members that a library has are taken from there; `sciara ensemble "
             "PLAN --output DIR --resume` computes the members that no library has.",
    .examples = "sciara merge part1 part2 --output output/whole\n"
                "sciara merge old/library.gpkg --plan more-members.cfg --output output/more\n",
    .missing = "name the folders of the shards, or libraries",
    COMMAND_OF(struct request, merge),
};
