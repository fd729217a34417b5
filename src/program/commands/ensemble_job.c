/* ensemble_job.c — what `sciara ensemble` and `sciara merge` have in common: plan, folder, files.
 */
#include "ensemble.h"

#include "cli.h"
#include "run.h"

#include "case/resolution.h"
#include "compare/runfolder.h"
#include "ensemble/rank_states.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ensemble_job_open(struct ensemble_job *j, const char *plan, int processes, int threads,
                      struct shard shard, struct error *e)
{
    size_t bytes;
    *j = (struct ensemble_job){.began_s = clock_now_s(), .threads = threads};
    if (!(j->path = text_format("%s", plan))) return error_memory(e);
    int status = plan_load(&j->plan, plan, e);
    if (!status) status = plan_supply_create(&j->supply, j->plan, j->path, e);
    if (!status) status = engine_plan_memory(&j->supply.source, processes, &j->threads, &bytes, e);
    if (!status) status = ensemble_create(&j->s, &j->supply.source, shard, bytes, e);
    j->load_s = clock_now_s() - j->began_s;
    return status;
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* Whether the summary of a folder says that an ensemble ended there as it should. */
static bool is_finished(const char *folder)
{
    cJSON *summary = NULL;
    if (runfolder_summary(&summary, folder, NULL)) return false;
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(summary, "members");
    const cJSON *end = cJSON_GetObjectItemCaseSensitive(members, "end");
    const bool finished = cJSON_IsString(end) && strcmp(end->valuestring, "interrupted");
    cJSON_Delete(summary);
    return finished;
}

/* What other processes have left there becomes part of the state. */
static int gather(struct ensemble_job *j, struct error *e)
{
    int found, status = rank_states_add(&j->s, j->folder, &found, e);
    if (status || !found) return status;
    status = state_write(&ensemble_state, &j->s, j->state, e);
    return status ? status : rank_states_remove(j->folder, e);
}

static int resume(struct ensemble_job *j, struct error *e)
{
    const struct shard shard = j->s.shard;
    int status = output_folder_rejoin(&j->files, &j->info, j->supply.source.base, e);
    if (!status && access(j->state, F_OK) == 0)
        status = state_read(&ensemble_state, &j->s, j->state, e);
    if (!status) status = gather(j, e);
    if (status) return status;
    if (j->s.shard.index == shard.index && j->s.shard.count == shard.count) return 0;
    return error_input(e, "%s: is of shard %d/%d, not of %d/%d; choose another folder", j->state,
                       j->s.shard.index, j->s.shard.count, shard.index, shard.count);
}

int ensemble_job_take_folder(struct ensemble_job *j, const char *folder, bool resumed,
                             struct error *e)
{
    const struct sim_case *c = j->supply.source.base;
    j->folder = folder ? text_format("%s", folder) : text_format("output/%s", c->name);
    j->state = j->folder ? rank_state_path(j->folder, 0) : NULL;
    if (!j->state) return error_memory(e);
    if (ensemble_page_check(j->formats, j->folder, e)) return ERROR_INPUT;
    j->info = (struct output_info){.directory = j->folder,
                                   .version = sciara_version(),
                                   .folder = &j->files,
                                   .progress = &j->progress,
                                   .also = report_is_file};
    if (ensemble_formats_take(&j->info, j->formats, c, e)) return ERROR_INPUT;
    if (ensemble_map(&j->info, &j->map, e)) return ERROR_INPUT;
    const bool there = rank_states_there(j->folder);
    if (there && resumed) return resume(j, e);
    if (there && !is_finished(j->folder))
        return error_input(e,
                           "%s: holds an ensemble that is not finished; go on with --resume, or "
                           "choose another folder",
                           j->folder);
    return output_folder_take(&j->files, &j->info, c, e);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void print_report(const struct ensemble_job *j, uint64_t digest)
{
    const struct ensemble *s = &j->s;
    const struct sim_case *c = s->source->base;
    if (c->synthetic) printf("%s\n", c->terrain_source);
    printf("plan          %s\n", c->name);
    char text[256];
    if (*c->notice) printf("notice        %s\n", c->notice);
    if (*c->warning) printf("warning       %s\n", c->warning);
    if (*resolution_text(c, text)) printf("resolution    %s\n", text);
    printf("grid          %d x %d cells of %.10g m\n", c->problem.rows, c->problem.cols,
           c->geo.cell_m);
    printf("members       %" PRId64 " of %" PRId64 ", effective number %.6g%s", s->done,
           s->source->count, statistics_effective(&s->cells),
           j->end == ENGINE_SURE ? "; the standard error is reached"
           : j->end == ENGINE_STOPPED
               ? "; incomplete: no sample of the plan (long ones begin first), "
                 "sciara ensemble PLAN --resume goes on"
               : "");
    if (s->shard.count > 1) printf("; shard %d/%d", s->shard.index, s->shard.count);
    const int at_work = j->gpus ? j->gpus : j->threads;
    printf("\ntime          %.3f s for the members on %d %s%s, %.3f s in all\n", j->compute_s,
           at_work, j->gpus ? "GPU" : "thread", at_work == 1 ? "" : "s",
           clock_now_s() - j->began_s);
    for (int i = 0; j->shares > 1 && i < j->shares; i++)
        printf("%-4s %-8d %" PRId64 " members, at the end %.3f s idle\n", j->ranks ? "rank" : "GPU",
               j->ranks ? i : j->devices.number[i], j->share[i].members, j->share[i].idle_s);
    printf("error         at most %.4g %s\n", ensemble_worst_error(s),
           s->assets.count ? "at the places of interest" : "in any cell");
    printf("digest        %016" PRIx64 "\n", digest);
    scan_make_printable(j->folder); /* nothing is opened any more */
    printf("files         %s\n", j->folder);
}

int ensemble_job_finish(struct ensemble_job *j, bool quiet, bool json, struct error *e)
{
    static const char *const ends[] = {[ENGINE_COMPLETE] = "complete",
                                       [ENGINE_SURE] = "until_error",
                                       [ENGINE_STOPPED] = "interrupted"};
    const struct report r = {.s = &j->s,
                             .digest = ensemble_digest(&j->s),
                             .info = &j->info,
                             .end = ends[j->end],
                             .threads = j->gpus ? 0 : j->threads,
                             .devices = j->gpus,
                             .ranks = j->ranks,
                             .share = j->share,
                             .shares = j->shares,
                             .counts = &j->counts,
                             .load_s = j->load_s,
                             .compute_s = j->compute_s,
                             .total_s = clock_now_s() - j->began_s};
    interrupt_watch(&j->progress);
    int status = output_wrote(&j->info, j->state, e);
    if (!status) status = report_write(&r, e);
    status = ensemble_page(&j->info, j->formats, j->path, status, e);
    if (status && !output_misses(&j->info, status)) return status;
    if (!json) {
        if (!quiet) print_report(j, r.digest);
        return status;
    }
    char *text = report_summary_text(&r);
    if (!text) return error_memory(e);
    fputs(text, stdout);
    free(text);
    return status;
}

void ensemble_job_free(struct ensemble_job *j)
{
    ensemble_free(&j->s);
    plan_supply_free(&j->supply);
    plan_free(j->plan);
    output_folder_free(&j->files);
    free(j->path);
    free(j->folder);
    free(j->state);
    free(j->share);
    *j = (struct ensemble_job){0};
}
