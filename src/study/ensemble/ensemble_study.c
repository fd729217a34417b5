#include "ensemble_study.h"

#include "members/library.h"
#include "text/textfile.h"
#include "text/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bulletin_more plain_bulletin = {0};

static int check_options(struct ensemble_study *x, const struct ensemble_options *w,
                         struct error *e)
{
    const struct ensemble_source *source = x->s.source;
    const struct shard shard = x->s.shard;
    x->until_error = w->until_error >= 0 ? w->until_error : x->plan->keys.statistics.until_error;
    /* until_error needs the sums of all processes while they compute. */
    const char *const wrong =
        !(x->until_error > 0) ? NULL
        : w->processes ? "is not for several ranks, since no rank has all sums; set it to 0 to "
                         "compute all members, or use one process"
        : source->listed
            ? "needs members that are drawn: here they are a list, and its first "
              "members are not a sample; give 'members N' instead, or remove until_error"
        : shard.count > 1 && w->until_error > 0
            ? "needs all members, and a shard has only some; remove one of the two"
            : NULL;
    if (wrong) return error_input(e, "%s: until_error %s", source->path, wrong);
    if (shard.count > 1) x->until_error = 0; /* a shard ignores the until_error of its plan */
    if (shard.count > source->count)
        return error_input(e, "%s: shard %d/%d: the plan has only %" PRId64 " members",
                           source->path, shard.index, shard.count, source->count);
    x->s.until_error = x->until_error;
    /* A shard or a library is recognised by its plan. So the plan, not an option, has to name the initial state. */
    if (w->from && (shard.count > 1 || w->keep || x->plan->keys.keep))
        return error_input(
            e,
            "%s: the plan of an ensemble that is kept or sharded has to name its state; add "
            "the line 'from_state %s'",
            source->path, w->from);
    return 0;
}

/* The shard that the options name, or the whole plan; w may be NULL. */
static struct shard shard_of(const struct ensemble_options *w)
{
    return w && w->shard.count ? w->shard : (struct shard){1, 1};
}

static int open_study(struct study_job *j, struct error *e)
{
    static const struct ensemble_options as_planned = {.until_error = -1};
    const struct ensemble_options *w = j->options ? j->options : &as_planned;
    struct ensemble_study *x = j->self;
    size_t bytes;
    int status = plan_load_from(&x->plan, j->plan, w->from, w->draws, w->known, e);
    if (!status) status = plan_supply_create(&x->supply, x->plan, e);
    if (!status && w->assets) x->supply.source.assets = w->assets;
    if (!status)
        status = engine_plan_memory(&x->supply.source, w->processes ? w->processes : 1, &j->threads,
                                    &bytes, e);
    if (!status) status = ensemble_create(&x->s, &x->supply.source, shard_of(w), bytes, e);
    if (!status) j->c = &x->plan->base;
    x->s.first = w->first;
    x->brief = w->brief;
    x->bulletin = w->bulletin ? &plain_bulletin : NULL;
    return status ? status : check_options(x, w, e);
}

static void close_study(void *self)
{
    struct ensemble_study *x = self;
    null_model_close(&x->null);
    library_abandon(x->s.library);
    free(x->question);
    free(x->asked);
    ensemble_free(&x->s);
    plan_supply_free(&x->supply);
    plan_free(x->plan);
    if (x->ranks) free(x->share);
}

/* Checks that the state is of this shard. Adds the states that other processes have left in the folder. */
static int gather_shards(struct study_job *j, struct error *e)
{
    struct ensemble_study *x = j->self;
    const struct shard has = x->s.shard, asked = shard_of(j->options);
    x->s.until_error = x->until_error;
    if (has.index != asked.index || has.count != asked.count)
        return error_input(e, "%s: belongs to shard %d/%d, not to %d/%d; choose another folder",
                           j->state, has.index, has.count, asked.index, asked.count);
    int found, status = rank_files_visit(j->folder, STATE_NAME, rank_state_add, &x->s, &found, e);
    if (status || !found) return status;
    status = state_write(&ensemble_state, &x->s, j->state, e);
    return status ? status : rank_files_remove(j->folder, STATE_NAME, e);
}

/* Refuses a shard that would replace the state of all members or of another shard: those members would be lost. */
static int spare_others(const struct study_job *j, struct error *e)
{
    const struct shard asked = shard_of(j->options);
    struct shard has;
    uint64_t plan;
    if (asked.count == 1 || j->replace || !j->state || !output_state_plan(&plan, j->state) ||
        plan != j->info.plan_digest)
        return 0;
    FREED char *named = NULL;
    const int status = ensemble_state_head(&named, &has, j->state, e);
    if (status || (has.index == asked.index && has.count == asked.count)) return status;
    char part[32] = "all members";
    if (has.count > 1) snprintf(part, sizeof part, "shard %d/%d", has.index, has.count);
    return error_input(e,
                       "%s: belongs to %s of this plan, and shard %d/%d would replace it; choose "
                       "another folder, or give option 'replace'",
                       j->state, part, asked.index, asked.count);
}

/* The path of a library in the folder, malloc'ed. `first`: the library of the first process. Otherwise the library of
 * this process, which has the same ending as its state, such as ".3". */
static char *library_path(const struct study_job *j, bool first)
{
    const char *name = strstr(j->state + strlen(j->folder), STATE_NAME);
    return text_format("%s/" LIBRARY_NAME "%s", j->folder, first ? "" : name + strlen(STATE_NAME));
}

static int join_one(void *library, const char *path, struct error *e)
{
    return library_join(library, path, e);
}

/* Adds the libraries of all processes to the library of the first. Other processes than the first do nothing here. */
static int join_ranks(struct study_job *j, struct library *l, bool first, struct error *e)
{
    int found = 0,
        status = first ? rank_files_visit(j->folder, LIBRARY_NAME, join_one, l, &found, e) : 0;
    if (!status && found) status = library_commit(l, e);
    return status || !found ? status : rank_files_remove(j->folder, LIBRARY_NAME, e);
}

static bool is_first(const struct study_job *j)
{
    const size_t length = strlen(j->state), name = strlen(STATE_NAME);
    return length >= name && !strcmp(j->state + length - name, STATE_NAME);
}

int ensemble_study_keep(struct study_job *j, char *const *part, int parts, struct error *e)
{
    const struct ensemble_options *w = j->options;
    struct ensemble_study *x = j->self;
    struct library **l = &x->s.library;
    if (!j->state) return 0;
    FREED char *path = library_path(j, false), *whole = library_path(j, true);
    if (!path || !whole) return error_memory(e);
    const int64_t there = library_count(whole, x->s.source->digest);
    x->keep = x->plan->keys.keep || (w && w->keep) || parts || there >= 0;
    if (!x->keep || (there == x->s.source->count && !parts && !j->resume)) return 0;
    int status = output_make_way(&j->files, e);
    if (!status) status = library_create(l, &x->s, path, j->info.version, e);
    for (int i = 0; !status && i < parts; i++) status = library_join(*l, part[i], e);
    if (!status) status = join_ranks(j, *l, is_first(j), e);
    return status ? status : library_match(*l, e);
}

/* The null model of an ensemble; NULL: the ensemble is a shard or has no outline, or its members have no vents. */
static const struct null_model *null_of(struct ensemble_study *x)
{
    struct null_model *n = &x->null;
    if (!x->s.outline || x->s.shard.count > 1) return NULL;
    if (!n->s.done &&
        (null_model_open(n, &x->supply.source, NULL_FITTED, NULL) || null_model_compute(n, NULL)))
        null_model_close(n);
    return n->s.done ? n : NULL;
}

int ensemble_study_put(struct ensemble_study *x, struct library *l, struct error *e)
{
    const struct null_model *n = x->s.done ? null_of(x) : NULL;
    const int status = library_put_sums(l, e);
    return status || !n ? status : null_model_keep(n, l, e);
}

int ensemble_study_kept(struct study_job *j, struct error *e)
{
    struct ensemble_study *x = j->self;
    struct library *l = x->s.library;
    x->s.library = NULL;
    int status = l ? join_ranks(j, l, is_first(j), e) : 0;
    if (!status && l && is_first(j)) status = ensemble_study_put(x, l, e);
    return library_close(l, status, e);
}

int64_t ensemble_study_runs(const void *self)
{
    return ((const struct ensemble_study *)self)->s.done;
}

bool ensemble_study_unfinished(void *self)
{
    return !((const struct ensemble_study *)self)->computed;
}

static bool show_ensemble(const struct study_progress *now, void *job)
{
    struct study_progress mine = *now;
    return study_show(job, &mine);
}

/* Computes all members in one round. The engine writes the state every job->checkpoint_s and at the end. */
static int compute_ensemble(struct study_job *j, struct error *e)
{
    struct ensemble_study *x = j->self;
    struct engine_options o = engine_options_of(j);
    o.tell = j->tell ? show_ensemble : NULL;
    o.user = j;
    o.counts = &x->counts;
    o.folder = &j->files;
    int status = ensemble_study_keep(j, NULL, 0, e);
    if (!status) status = engine_run(&x->s, &o, &x->end, e);
    j->stopped = x->end == ENGINE_STOPPED;
    if (!status) status = ensemble_study_kept(j, e);
    x->computed = !j->stopped;
    x->share = x->counts.of;
    x->shares = x->gpus = j->device_count;
    return status;
}

/* Warns that the requested error is not reached, and names the number of members that would reach it. The number of
 * members is in proportion to 1 / error^2. */
static void warn_of_error(const struct ensemble *s, struct warnings *w)
{
    const double worst = ensemble_worst_error(s), ratio = worst / s->until_error;
    char text[160], remedy[80];
    if (s->done < s->source->count || !(worst > s->until_error)) return;
    words_pack(text, sizeof text, "the standard error %.4g that was requested is not reached",
               s->until_error);
    snprintf(remedy, sizeof remedy, "it needs about %.0f members",
             ceil(ratio * ratio * (double)s->done));
    warnings_add(w, WARNING_RESULT, text, remedy);
}

/* Warns that only the first members are computed so far. They are a sample of the plan. */
static void warn_of_first(const struct ensemble *s, struct warnings *w)
{
    char text[160];
    words_pack(text, sizeof text,
               "preliminary: %lld of %lld {simulated eruption|simulated eruptions}, the others are "
               "still to be computed",
               (long long)s->done, (long long)s->source->count);
    warnings_add(w, WARNING_RESULT, text, NULL);
}

/* Warns that the members of a shard, which are chosen by number, may not be a random sample of the plan. */
static void warn_of_shard(struct shard shard, struct warnings *w)
{
    char text[160];
    words_pack(text, sizeof text,
               "shard %d/%d is a part of the members: all of them may have other "
               "probabilities and errors",
               shard.index, shard.count);
    warnings_add(w, WARNING_RESULT, text, "join all shards with `sciara merge`");
}

void ensemble_study_warn(const struct study_job *j, struct warnings *w)
{
    const struct ensemble_study *x = j->self;
    if (x->end == ENGINE_STOPPED && x->s.done == x->s.first) warn_of_first(&x->s, w);
    else if (x->end == ENGINE_STOPPED) products_warn_incomplete(w, x->s.done, x->s.source->count);
    if (x->s.shard.count > 1) warn_of_shard(x->s.shard, w);
    report_warn(&x->s, w);
    if (x->s.until_error > 0 && x->end != ENGINE_SURE) warn_of_error(&x->s, w);
}

uint64_t ensemble_study_digest(const void *self)
{
    return ((const struct ensemble_study *)self)->digest;
}

static struct report report_of(const struct study_job *j)
{
    static const char *const ends[] = {[ENGINE_COMPLETE] = "complete",
                                       [ENGINE_SURE] = "until_error",
                                       [ENGINE_STOPPED] = "interrupted",
                                       [ENGINE_ASKED] = "asked"};
    struct ensemble_study *x = j->self;
    return (struct report){.s = &x->s,
                           .plan = x->plan,
                           .null = null_of(x),
                           .digest = x->digest,
                           .question = x->question,
                           .asked = x->asked,
                           .asked_of = x->asked_of,
                           .also = x->also,
                           .also_of = x,
                           .also_reached = x->also_reached,
                           .bulletin = x->bulletin,
                           .brief = x->brief,
                           .job = j,
                           .end = ends[x->end],
                           .threads = x->gpus ? 0 : j->threads,
                           .devices = x->gpus,
                           .ranks = x->ranks,
                           .share = x->share,
                           .shares = x->shares,
                           .counts = &x->counts};
}

int ensemble_study_write(const struct study_job *j, struct error *e)
{
    struct ensemble_study *x = j->self;
    if (!x->s.cells.added_up) x->digest = ensemble_digest(&x->s);
    statistics_add_up(&x->s.cells);
    const struct report r = report_of(j);
    FREED char *path = x->keep ? library_path(j, true) : NULL;
    const int status = path ? output_wrote(&j->info, path, e) : 0;
    return status ? status : report_products(&r, e);
}

char *ensemble_study_summary(const struct study_job *j)
{
    const struct report r = report_of(j);
    return report_summary_text(&r);
}

const struct study study_ensemble = {.name = "ensemble",
                                     .size = sizeof(struct ensemble_study),
                                     .file = STATE_NAME,
                                     .ending = "",
                                     .state = &ensemble_state,
                                     .files = &report_files,
                                     .open = open_study,
                                     .close = close_study,
                                     .join = gather_shards,
                                     .left = rank_states_there,
                                     .spare = spare_others,
                                     .round = compute_ensemble,
                                     .warn = ensemble_study_warn,
                                     ENSEMBLE_STUDY};
