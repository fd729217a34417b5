/* calibrate_run.c — `sciara calibrate PLAN` from its folder to its report. */
#include "calibrate.h"

#include "cli.h"
#include "ensemble.h"
#include "run.h"

#include "base/processors.h"
#include "calibration/calibration_report.h"
#include "compare/runfolder.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    struct calibration c;
    struct ensemble_devices devices;
    struct calibration_engine how;
    struct plan_supply supply; /* of the best */
    struct ensemble best;
    char *folder, *state;
    struct output_info info;
    struct file_progress progress;
    struct output_folder files;
    double began_s, search_s, shown_s;
    bool shows, interrupted;
};

/* ---- progress -------------------------------------------------------------------------------- */

static bool tell(const struct calibration_progress *now, void *user)
{
    struct job *j = user;
    const double time_s = clock_now_s();
    char best[32] = "", restart[32] = "";
    if (j->shows && time_s - j->shown_s >= 0.2) {
        j->shown_s = time_s;
        if (!isnan(now->tolerance))
            snprintf(best, sizeof best, "  score > %.4f", 1 - now->tolerance);
        else if (!isnan(now->best)) snprintf(best, sizeof best, "  best %.4f", now->best);
        if (now->restart) snprintf(restart, sizeof restart, ", restart %d", now->restart);
        fprintf(stderr,
                "\r%s: evaluations %" PRId64 "/%" PRId64 "  generation %" PRId64 "%s  runs %" PRId64
                "/%" PRId64 "%s\033[K",
                now->stage, now->evaluations, now->budget, now->generation, restart, now->runs,
                now->runs_all, best);
        fflush(stderr);
    }
    return interrupts_seen() > 0;
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* Whether the summary of a folder says that a search ended there as it should. */
static bool is_finished(const char *folder)
{
    cJSON *summary = NULL;
    if (runfolder_summary(&summary, folder, NULL)) return false;
    const cJSON *search = cJSON_GetObjectItemCaseSensitive(summary, "search");
    const cJSON *end = cJSON_GetObjectItemCaseSensitive(search, "end");
    const bool finished = cJSON_IsString(end) && strcmp(end->valuestring, "interrupted");
    cJSON_Delete(summary);
    return finished;
}

static int take_folder(struct job *j, const struct calibrate_request *q, struct error *e)
{
    const struct sim_case *c = &j->c.plan->base;
    j->folder = q->output ? text_format("%s", q->output)
                          : text_format("output/%s%s", c->name, q->posterior ? "-posterior" : "");
    j->state = j->folder ? text_format("%s/" RECORD_NAME, j->folder) : NULL;
    if (!j->state) return error_memory(e);
    j->info = (struct output_info){.directory = j->folder,
                                   .version = sciara_version(),
                                   .folder = &j->files,
                                   .progress = &j->progress,
                                   .also = calibration_is_file};
    const bool there = access(j->state, F_OK) == 0;
    if (ensemble_page_check(q->formats, j->folder, e)) return ERROR_INPUT;
    if (ensemble_formats_take(&j->info, q->formats, c, e)) return ERROR_INPUT;
    if (ensemble_map(&j->info, &q->map, e)) return ERROR_INPUT;
    if (there && q->resume) return output_folder_rejoin(&j->files, &j->info, c, e);
    if (there && !is_finished(j->folder))
        return error_input(e,
                           "%s: holds a calibration that is not finished; go on with --resume, or "
                           "choose another folder",
                           j->folder);
    return output_folder_take(&j->files, &j->info, c, e);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void print_unseen(const char *what, const struct unseen *u, int part)
{
    if (!u->members || isnan(u->mean[part])) return;
    printf("%-14s%.4f", what, u->mean[part]);
    printf(" %s", part == PART_SEEN ? "in sample" : "held out");
    if (u->members > 1)
        printf(", +- %.4f over %" PRId64 " runs with unseen noise", u->error[part], u->members);
    putchar('\n');
}

static void print_eruptions(const struct calibration *c)
{
    const struct unseen *u = &c->finalist;
    for (int k = 0; k < c->eruptions && c->eruptions > 1 && u->members; k++)
        for (int p = 0; p < PARTS; p++) {
            if (isnan(u->eruption[k][p])) continue;
            printf("  %-22s%.4f %s", eruption_name(c, k), u->eruption[k][p],
                   p == PART_SEEN ? "in sample" : "held out");
            if (u->members > 1) printf(", +- %.4f", u->eruption_error[k][p]);
            putchar('\n');
        }
}

static void print_posterior(const struct calibration *c)
{
    struct posterior_sample s;
    char name[FIT_NAME];
    int count;
    const struct smc_generation *g = smc_generations(c->posterior, &count);
    if (!posterior_sample_create(&s, c, NULL) && s.count) {
        printf("posterior     %d sets of parameters, effective number %.1f, all with a score of "
               "%.4f or more (%s)\n",
               s.count, g[count - 1].effective, 1 - g[count - 1].tolerance,
               posterior_end(c, false));
        for (int i = 0; i < c->fits; i++)
            printf("  %-22s%.4g, 95 %% from %.4g to %.4g\n", fit_name(c, i, name), s.of[i].p50,
                   s.of[i].p025, s.of[i].p975);
    }
    posterior_sample_free(&s);
}

static void print_report(const struct job *j)
{
    const struct calibration *c = &j->c;
    const struct sim_case *base = &c->plan->base;
    char name[FIT_NAME];
    if (base->synthetic) printf("%s\n", base->terrain_source);
    printf("plan          %s\n", base->name);
    if (*base->warning) printf("warning       %s\n", base->warning);
    for (int k = 1; k < c->eruptions; k++)
        if (*c->eruption[k].plan->base.warning)
            printf("warning       %s\n", c->eruption[k].plan->base.warning);
    printf("evaluations   %d of %" PRId64 ", %" PRId64 " runs each%s\n", c->count, c->budget,
           c->keys.noise_members, j->interrupted ? "; interrupted, go on with --resume" : "");
    if (c->impossible) printf("no score      %d of them, which cannot be run\n", c->impossible);
    if (c->posterior) {
        print_posterior(c);
    } else if (c->best >= 0) {
        const struct evaluation *x = &c->evaluation[c->best];
        printf("found         %.4f%s\n", x->score,
               c->keys.noise_members > 1 ? " with the noise of the search" : "");
        for (int i = 0; i < c->fits; i++)
            printf("  %-22s%.7g\n", fit_name(c, i, name), x->value[i]);
        if (!(x->score > 0))
            puts("warning       no run agrees at all with what was observed: is it of this place, "
                 "and in its CRS?");
    }
    for (int p = 0; p < PARTS; p++) {
        print_unseen(c->posterior ? "posterior" : "best", &c->finalist, p);
        print_unseen("as it stands", &c->as_it_stands, p);
    }
    print_eruptions(c);
    printf("time          %.3f s for the search, %.3f s in all\n", j->search_s,
           clock_now_s() - j->began_s);
    scan_make_printable(j->folder);
    printf("files         %s\n", j->folder);
}

static int finish(struct job *j, const struct calibrate_request *q, struct error *e)
{
    const int threads = j->devices.count ? 0 : j->how.threads;
    const double total_s = clock_now_s() - j->began_s;
    const struct ensemble *best = j->c.finalist.members && !j->c.posterior ? &j->best : NULL;
    const struct calibration_report r = {.c = &j->c,
                                         .ensemble = {.s = best,
                                                      .digest = best ? ensemble_digest(best) : 0,
                                                      .info = &j->info,
                                                      .end = "complete",
                                                      .threads = threads,
                                                      .devices = j->devices.count,
                                                      .counts = &j->c.counts,
                                                      .total_s = total_s},
                                         .info = &j->info,
                                         .interrupted = j->interrupted,
                                         .threads = threads,
                                         .devices = j->devices.count,
                                         .search_s = j->search_s,
                                         .total_s = total_s};
    interrupt_watch(&j->progress);
    int status = output_wrote(&j->info, j->state, e);
    if (!status) status = calibration_report_write(&r, e);
    status = ensemble_page(&j->info, q->formats, NULL, status, e);
    if ((status && !output_misses(&j->info, status)) || (q->quiet && !q->json)) return status;
    if (!q->json) {
        print_report(j);
        return status;
    }
    char *text = calibration_summary_text(&r);
    if (!text) return error_memory(e);
    fputs(text, stdout);
    free(text);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int compute(struct job *j, const struct calibrate_request *q, struct error *e)
{
    enum calibration_end end = CALIBRATION_COMPLETE;
    interrupt_watch(NULL);
    const double began_s = clock_now_s();
    int status = calibration_search(&j->c, &j->how, j->state, q->resume, &end, e);
    j->search_s = clock_now_s() - began_s;
    j->interrupted = end == CALIBRATION_STOPPED;
    if (!status && !j->interrupted)
        status = calibration_check(&j->c, &j->how, &j->supply, &j->best, &j->interrupted, e);
    if (j->shown_s > 0) fputs("\r\033[K", stderr);
    return status;
}

static void job_free(struct job *j)
{
    ensemble_free(&j->best);
    plan_supply_free(&j->supply);
    calibration_close(&j->c);
    output_folder_free(&j->files);
    free(j->folder);
    free(j->state);
}

int calibrate_run(const struct calibrate_request *q, struct error *e)
{
    struct job j = {.began_s = clock_now_s(), .shows = !q->quiet && isatty(STDERR_FILENO)};
    const struct ensemble_request devices = {.variant = q->variant, .devices = q->devices};
    const struct calibration_options options = {q->hold_out, q->posterior, q->evaluations, q->seed};
    int status = ensemble_devices(&j.devices, &devices, e);
    if (!status) status = calibration_open(&j.c, q->plan, &options, e);
    if (!status) status = take_folder(&j, q, e);
    j.how = (struct calibration_engine){.threads = q->threads ? q->threads : processors_granted(),
                                        .device = j.devices.number,
                                        .device_count = j.devices.count,
                                        .tell = tell,
                                        .user = &j};
    for (int k = 0; k < j.c.eruptions && !status && !q->quiet; k++)
        progress_warn(j.c.eruption[k].plan->base.warning);
    if (!status && !q->quiet) progress_warn_letters(j.c.eruption[0].plan->base.title);
    if (!status) status = compute(&j, q, e);
    if (!status && j.c.count) status = finish(&j, q, e);
    interrupt_watch(NULL);
    if (!j.c.count || status == ERROR_INPUT)
        output_folder_unmake(&j.files); /* it has come to nothing */
    if (status == ERROR_CANCELLED || (!status && j.interrupted)) status = EXIT_INTERRUPTED;
    job_free(&j);
    return status;
}
