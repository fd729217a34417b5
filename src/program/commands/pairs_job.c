/* pairs_job.c — `sciara ensemble PLAN --with-and-without barriers` from its folder to its report.
 */
#include "cli.h"
#include "ensemble.h"
#include "run.h"

#include "base/processors.h"
#include "compare/runfolder.h"
#include "pairs/pairs_report.h"
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
    struct pairs x;
    struct ensemble_devices devices;
    struct pairs_engine how;
    char *folder, *state;
    struct output_info info;
    struct file_progress progress;
    struct output_folder files;
    struct ensemble_line line;
    double began_s, compute_s;
    bool interrupted;
};

static bool tell(const struct engine_progress *now, void *user)
{
    ensemble_line_show(&((struct job *)user)->line, now);
    return interrupts_seen() > 0;
}

static bool is_finished(const char *folder)
{
    cJSON *summary = NULL;
    if (runfolder_summary(&summary, folder, NULL)) return false;
    const cJSON *pairs = cJSON_GetObjectItemCaseSensitive(summary, "pairs");
    const cJSON *end = cJSON_GetObjectItemCaseSensitive(pairs, "end");
    const bool finished = cJSON_IsString(end) && strcmp(end->valuestring, "interrupted") != 0;
    cJSON_Delete(summary);
    return finished;
}

static int take_folder(struct job *j, const struct ensemble_request *q, struct error *e)
{
    const struct sim_case *c = plan_case(j->x.plan);
    j->folder = q->output ? text_format("%s", q->output) : text_format("output/%s-pairs", c->name);
    j->state = j->folder ? text_format("%s/" PAIRS_STATE, j->folder) : NULL;
    if (!j->state) return error_memory(e);
    j->info = (struct output_info){.directory = j->folder,
                                   .formats = OUTPUT_PNG | q->formats,
                                   .version = sciara_version(),
                                   .folder = &j->files,
                                   .progress = &j->progress,
                                   .also = pairs_is_file};
    if (ensemble_map(&j->info, &q->map, e)) return ERROR_INPUT;
    const bool there = access(j->state, F_OK) == 0;
    if (there && q->resume) return output_folder_rejoin(&j->files, &j->info, c, e);
    if (there && !is_finished(j->folder))
        return error_input(e,
                           "%s: holds pairs that are not finished; go on with --resume, or choose "
                           "another folder",
                           j->folder);
    return output_folder_take(&j->files, &j->info, c, e);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void print_assets(const struct pairs *x)
{
    for (int i = 0; i < x->assets.count; i++) {
        const struct pair_estimates s =
            pair_sums_estimate(&x->things, pair_sums_at(&x->things, (size_t)i), x->class_h);
        printf("  %-22s %.3g %% with, %.3g %% without: %+.3g +- %.2g points",
               x->assets.asset[i].name, 100 * s.with, 100 * s.without, 100 * s.difference,
               100 * s.error);
        if (isfinite(s.later_h)) printf("; %+.3g h", s.later_h);
        if (isfinite(s.later_error_h)) printf(" +- %.2g", s.later_error_h);
        putchar('\n');
    }
}

static void print_report(const struct job *j)
{
    const struct pairs *x = &j->x;
    const struct sim_case *c = plan_case(x->plan);
    const struct pairs_found f = pairs_find(x);
    if (c->synthetic) printf("%s\n", c->terrain_source);
    printf("plan          %s\n", c->name);
    printf("pairs         %" PRId64 " of %" PRId64 ", with barriers and without%s\n", x->done,
           x->count, j->interrupted ? "; interrupted, go on with --resume" : "");
    printf("mean area     %.4f km2 with, %.4f km2 without: %+.4f +- %.2g km2\n",
           f.area_m2[PAIR_WITH] * 1e-6, f.area_m2[PAIR_WITHOUT] * 1e-6, f.area_difference_m2 * 1e-6,
           f.area_difference_error_m2 * 1e-6);
    printf("lava is       less probable on %.4f km2, more on %.4f km2, beyond twice the standard "
           "error\n",
           f.less_likely_m2 * 1e-6, f.more_likely_m2 * 1e-6);
    if (x->assets.count) puts("places        probability, and by how much lava comes later with:");
    print_assets(x);
    printf("digest        %016" PRIx64 "\n", pairs_digest(x));
    printf("time          %.3f s for the runs, %.3f s in all\n", j->compute_s,
           clock_now_s() - j->began_s);
    scan_make_printable(j->folder);
    printf("files         %s\n", j->folder);
}

static int finish(struct job *j, const struct ensemble_request *q, struct error *e)
{
    const struct pairs_report r = {.x = &j->x,
                                   .info = &j->info,
                                   .end = j->interrupted ? "interrupted" : "complete",
                                   .threads = j->how.threads,
                                   .devices = j->devices.count,
                                   .compute_s = j->compute_s,
                                   .total_s = clock_now_s() - j->began_s};
    interrupt_watch(&j->progress);
    int status = output_wrote(&j->info, j->state, e);
    if (!status) status = pairs_report_write(&r, e);
    if (status && !output_misses(&j->info, status)) return status;
    if (!q->json) {
        if (!q->quiet) print_report(j);
        return status;
    }
    char *text = pairs_summary_text(&r);
    if (!text) return error_memory(e);
    fputs(text, stdout);
    free(text);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int compute(struct job *j, const struct ensemble_request *q, struct error *e)
{
    const double began_s = clock_now_s();
    interrupt_watch(NULL);
    int status = pairs_compute(&j->x, &j->how, j->state, q->resume, &j->interrupted, e);
    j->compute_s = clock_now_s() - began_s;
    ensemble_line_clear(&j->line);
    return status;
}

int pairs_job(const struct ensemble_request *q, struct error *e)
{
    struct job j = {.began_s = clock_now_s(), .line.on = !q->quiet && isatty(STDERR_FILENO)};
    int status = ensemble_devices(&j.devices, q, e);
    if (!status) status = pairs_open(&j.x, q->plan, e);
    if (!status) status = take_folder(&j, q, e);
    j.how = (struct pairs_engine){.threads = q->threads ? q->threads : processors_granted(),
                                  .device = j.devices.number,
                                  .device_count = j.devices.count,
                                  .tell = tell,
                                  .user = &j};
    if (!status && !q->quiet) progress_warn(plan_case(j.x.plan)->warning);
    if (!status) status = compute(&j, q, e);
    if (!status && j.x.done) status = finish(&j, q, e);
    interrupt_watch(NULL);
    if (!j.x.done) output_folder_unmake(&j.files); /* it has come to nothing */
    if (status == ERROR_CANCELLED || (!status && j.interrupted)) status = EXIT_INTERRUPTED;
    pairs_close(&j.x);
    output_folder_free(&j.files);
    free(j.folder);
    free(j.state);
    return status;
}
