/* ensemble_run.c — `sciara ensemble PLAN` on its way: the line on the terminal, and Ctrl-C. */
#include "ensemble.h"

#include "run.h"

#include "base/loops.h"
#include "base/processors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ensemble_line_show(struct ensemble_line *l, const struct engine_progress *now)
{
    const double done = (double)(now->done - now->begun_with), per_s = done / now->elapsed_s;
    const double time_s = clock_now_s();
    char left[32] = "?", error[48] = "";
    if (!l->on || time_s - l->shown_s < 0.2) return;
    l->shown_s = time_s;
    if (done > 0) progress_left(left, (double)(now->all - now->done) / per_s);
    if (now->error > 0) snprintf(error, sizeof error, "  error %.4f", now->error);
    fprintf(stderr, "\rmembers %" PRId64 "/%" PRId64 "  %.3g/s  left %s%s\033[K", now->done,
            now->all, per_s, left, error);
    fflush(stderr);
}

void ensemble_line_clear(struct ensemble_line *l)
{
    if (l->shown_s > 0) fputs("\r\033[K", stderr);
    l->shown_s = 0;
}

static bool tell(const struct engine_progress *now, void *user)
{
    ensemble_line_show(user, now);
    return interrupts_seen() > 0;
}

static int parse_shard(struct shard *s, const char *text, struct error *e)
{
    char rest;
    *s = (struct shard){1, 1};
    if (!text) return 0;
    if (strspn(text, "0123456789/") == strlen(text) &&
        sscanf(text, "%6d/%6d%c", &s->index, &s->count, &rest) == 2 && s->index >= 1 &&
        s->index <= s->count)
        return 0;
    return error_input(e, "ensemble: --shard %.40s: give one of how many, as in 3/16", text);
}

static int check(struct ensemble_job *j, const struct ensemble_request *q, struct error *e)
{
    struct ensemble *s = &j->s;
    s->until_error = q->until_error >= 0 ? q->until_error : plan_statistics(j->plan)->until_error;
    if (s->until_error > 0 && s->source->listed)
        return error_input(
            e,
            "%s: --until-error (until_error) needs members that are drawn: here they "
            "are a list, of which the first ones are no sample; give 'members N' "
            "instead, or leave it out",
            s->source->path);
    if (s->until_error > 0 && s->shard.count > 1) {
        if (q->until_error > 0)
            return error_input(e, "ensemble: --until-error needs all members, and --shard has but "
                                  "some; leave one of them out");
        s->until_error = 0; /* of the plan: a shard cannot know */
    }
    if (s->shard.count > s->source->count)
        return error_input(e, "ensemble: --shard %d/%d: the plan has only %" PRId64 " members",
                           s->shard.index, s->shard.count, s->source->count);
    return 0;
}

/* Of GPUs. */
static int list_shares(struct ensemble_job *j, struct error *e)
{
    j->gpus = j->devices.count;
    if (!j->gpus) return 0;
    if (!(j->share = calloc((size_t)j->gpus, sizeof *j->share))) return error_memory(e);
    for (j->shares = 0; j->shares < j->gpus; j->shares++)
        j->share[j->shares] =
            (struct report_share){j->counts.members[j->shares], j->counts.idle_s[j->shares]};
    return 0;
}

static int compute(struct ensemble_job *j, const struct ensemble_request *q, struct error *e)
{
    struct ensemble_line line = {.on = !q->quiet && isatty(STDERR_FILENO)};
    const struct engine_options o = {.threads = j->threads,
                                     .device = j->devices.number,
                                     .device_count = j->devices.count,
                                     .batch = j->devices.count ? ENGINE_DEVICE_BATCH : 1,
                                     .state = j->state,
                                     .checkpoint_s = q->checkpoint_s,
                                     .tell = tell,
                                     .user = &line,
                                     .counts = &j->counts};
    const double began_s = clock_now_s();
    interrupt_watch(NULL);
    int status = engine_run(&j->s, &o, &j->end, e);
    j->compute_s = clock_now_s() - began_s;
    ensemble_line_clear(&line);
    return status ? status : list_shares(j, e);
}

int ensemble_run(const struct ensemble_request *q, struct error *e)
{
    struct ensemble_job j = {0};
    struct shard shard;
    struct ensemble_devices devices;
    struct devices_warming warming;
    int status = parse_shard(&shard, q->shard_text, e);
    if (!status) status = ensemble_devices(&devices, q, e);
    if (status) return status;
    devices_warm(&warming, &devices);
    status =
        ensemble_job_open(&j, q->plan, 1, q->threads ? q->threads : processors_granted(), shard, e);
    devices_ready(&warming);
    j.devices = devices;
    j.formats = q->formats;
    j.map = q->map;
    if (!status) status = check(&j, q, e);
    const double until_error = j.s.until_error;
    if (!status) status = ensemble_job_take_folder(&j, q->output, q->resume, e);
    j.s.until_error = until_error; /* what is asked for now */
    if (!status && !q->quiet) progress_warn(plan_case(j.plan)->warning);
    if (!status && !q->quiet) progress_warn_letters(plan_case(j.plan)->title);
    if (!status) status = compute(&j, q, e);
    if (!status && j.s.done) status = ensemble_job_finish(&j, q->quiet, q->json, e);
    interrupt_watch(NULL);
    if (!j.s.done) output_folder_unmake(&j.files); /* it has come to nothing */
    if (status == ERROR_CANCELLED || (!status && j.end == ENGINE_STOPPED))
        status = EXIT_INTERRUPTED;
    ensemble_job_free(&j);
    return status;
}
