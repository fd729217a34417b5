/* sensitivity_job.c — `sciara sensitivity PLAN` from its folder to its report. */
#include "sensitivity.h"

#include "cli.h"
#include "ensemble.h"
#include "run.h"

#include "base/processors.h"
#include "compare/runfolder.h"
#include "sensitivity/sensitivity_report.h"
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
    struct sensitivity x;
    struct ensemble_devices devices;
    struct sensitivity_engine how;
    char *folder, *state;
    struct output_info info;
    struct file_progress progress;
    struct output_folder files;
    double began_s, compute_began_s, compute_s, shown_s;
    bool shows, interrupted;
};

/* ---- progress -------------------------------------------------------------------------------- */

static bool tell(const struct sensitivity_progress *now, void *user)
{
    struct job *j = user;
    const double time_s = clock_now_s();
    if (j->shows && time_s - j->shown_s >= 0.2) {
        const double per_s = (double)(now->runs - now->begun_with) / (time_s - j->compute_began_s);
        char left[32] = "";
        if (per_s > 0) progress_left(left, (double)(now->runs_all - now->runs) / per_s);
        j->shown_s = time_s;
        fprintf(stderr, "\r%s: runs %" PRId64 "/%" PRId64 "%s%s\033[K", now->stage, now->runs,
                now->runs_all, *left ? "  left " : "", left);
        fflush(stderr);
    }
    return interrupts_seen() > 0;
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* Whether the summary of a folder says that an analysis ended there as it should. */
static bool is_finished(const char *folder)
{
    cJSON *summary = NULL;
    if (runfolder_summary(&summary, folder, NULL)) return false;
    const cJSON *sampling = cJSON_GetObjectItemCaseSensitive(summary, "sampling");
    const cJSON *end = cJSON_GetObjectItemCaseSensitive(sampling, "end");
    const bool finished = cJSON_IsString(end) && strcmp(end->valuestring, "interrupted");
    cJSON_Delete(summary);
    return finished;
}

static int take_folder(struct job *j, const struct sensitivity_request *q, struct error *e)
{
    const struct sim_case *c = &j->x.plan->base;
    j->folder = q->output ? text_format("%s", q->output) : text_format("output/%s", c->name);
    j->state = j->folder ? text_format("%s/" SENSITIVITY_STATE, j->folder) : NULL;
    if (!j->state) return error_memory(e);
    j->info = (struct output_info){.directory = j->folder,
                                   .formats = OUTPUT_PNG | q->formats,
                                   .version = sciara_version(),
                                   .folder = &j->files,
                                   .progress = &j->progress,
                                   .also = sensitivity_is_file};
    if (ensemble_map(&j->info, &q->map, e)) return ERROR_INPUT;
    const bool there = access(j->state, F_OK) == 0;
    if (there && q->resume) return output_folder_rejoin(&j->files, &j->info, c, e);
    if (there && !is_finished(j->folder))
        return error_input(e,
                           "%s: holds a sensitivity analysis that is not finished; go on with "
                           "--resume, or choose another folder",
                           j->folder);
    return output_folder_take(&j->files, &j->info, c, e);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The three that matter most. */
static void print_quantity(const struct sensitivity_report *r, int stage, int quantity)
{
    const struct indices *of = &r->of[stage][quantity];
    const bool sobol = stage == STAGE_SOBOL;
    const double *value = of->of[sobol ? SOBOL_ST : MORRIS_MU_STAR],
                 *conf = of->of[sobol ? SOBOL_ST_CONF : MORRIS_MU_STAR_CONF];
    int order[FITS_MAX];
    printf("  %-22s", r->x->quantity[quantity].name);
    if (!of->varies) {
        puts("the same everywhere");
        return;
    }
    sensitivity_rank(r, stage, quantity, order);
    for (int k = 0; k < r->x->fits && k < 3; k++)
        printf("%s%s %.3g +- %.2g", k ? ", " : "", sensitivity_name(r->x, order[k]),
               value[order[k]], conf[order[k]]);
    putchar('\n');
}

static void print_report(const struct job *j, const struct sensitivity_report *r)
{
    const struct sensitivity *x = &j->x;
    const struct sim_case *base = &x->plan->base;
    char effort[96];
    if (base->synthetic) printf("%s\n", base->terrain_source);
    printf("plan          %s\n", base->name);
    for (int i = 0; i < STAGES; i++) {
        if (!x->stage[i].wanted) continue;
        sensitivity_effort(x, i, effort);
        printf("%-14s%s of %" PRId64 "%s\n", stage_names[i], effort,
               stage_runs(x, &x->stage[i], x->stage[i].design.groups),
               j->interrupted ? "; interrupted, go on with --resume" : "");
        if (!r->of[i]) continue;
        printf("%s\n", i == STAGE_SOBOL ? "  largest total indices (ST)"
                                        : "  largest mean effects (mu_star)");
        for (int q = 0; q < x->quantities; q++) print_quantity(r, i, q);
    }
    printf("digest        %016" PRIx64 "\n", sensitivity_digest(x));
    printf("time          %.3f s for the runs, %.3f s in all\n", j->compute_s,
           clock_now_s() - j->began_s);
    scan_make_printable(j->folder);
    printf("files         %s\n", j->folder);
}

static int finish(struct job *j, const struct sensitivity_request *q, struct error *e)
{
    struct sensitivity_report r = {.x = &j->x,
                                   .info = &j->info,
                                   .end = j->interrupted ? "interrupted" : "complete",
                                   .threads = j->devices.count ? 0 : j->how.threads,
                                   .devices = j->devices.count,
                                   .compute_s = j->compute_s,
                                   .total_s = clock_now_s() - j->began_s};
    char *text = NULL;
    interrupt_watch(&j->progress);
    int status = output_wrote(&j->info, j->state, e);
    if (!status) status = sensitivity_report_create(&r, e);
    if (!status) status = sensitivity_report_write(&r, e);
    const bool told = !status || output_misses(&j->info, status);
    if (told && q->json) {
        text = sensitivity_summary_text(&r);
        if (text) fputs(text, stdout);
        else status = error_memory(e);
    } else if (told && !q->quiet) {
        print_report(j, &r);
    }
    free(text);
    sensitivity_report_free(&r);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool has_begun(const struct sensitivity *x)
{
    return x->stage[STAGE_MORRIS].done || x->stage[STAGE_SOBOL].done;
}

static int compute(struct job *j, const struct sensitivity_request *q, struct error *e)
{
    interrupt_watch(NULL);
    j->compute_began_s = clock_now_s();
    int status = sensitivity_compute(&j->x, &j->how, j->state, q->resume, &j->interrupted, e);
    j->compute_s = clock_now_s() - j->compute_began_s;
    if (j->shown_s > 0) fputs("\r\033[K", stderr);
    return status;
}

int sensitivity_job(const struct sensitivity_request *q, struct error *e)
{
    struct job j = {.began_s = clock_now_s(), .shows = !q->quiet && isatty(STDERR_FILENO)};
    const struct ensemble_request devices = {.variant = q->variant, .devices = q->devices};
    const struct sensitivity_options options = {q->method + 1, q->samples, q->trajectories,
                                                q->seed};
    int status = ensemble_devices(&j.devices, &devices, e);
    if (!status) status = sensitivity_open(&j.x, q->plan, &options, e);
    if (!status) status = take_folder(&j, q, e);
    j.how = (struct sensitivity_engine){.threads = q->threads ? q->threads : processors_granted(),
                                        .device = j.devices.number,
                                        .device_count = j.devices.count,
                                        .tell = tell,
                                        .user = &j};
    if (!status && !q->quiet) progress_warn(j.x.plan->base.warning);
    if (!status) status = compute(&j, q, e);
    if (!status && has_begun(&j.x)) status = finish(&j, q, e);
    interrupt_watch(NULL);
    if (!has_begun(&j.x)) output_folder_unmake(&j.files); /* it has come to nothing */
    if (status == ERROR_CANCELLED || (!status && j.interrupted)) status = EXIT_INTERRUPTED;
    sensitivity_close(&j.x);
    output_folder_free(&j.files);
    free(j.folder);
    free(j.state);
    return status;
}
