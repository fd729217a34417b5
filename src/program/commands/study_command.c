/* study_command.c — what the commands that compute many runs do between options and exit status. study/study.h computes; this
 * file adds the line on the terminal, Ctrl-C, messages and the choice of devices. */
#include "study_command.h"

#include "ask/ask.h"
#include "base/loops.h"
#include "base/processors.h"
#include "calibration/calibration.h"
#include "record/runfolder.h"
#include "ensemble/batch.h"
#include "ensemble/ensemble_study.h"
#include "export/export.h"
#include "members/library.h"
#include "products/picture.h"
#include "record/painters.h"
#include "record/json_number.h"
#include "text/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const study_formats[] = {PAINTED_STUDY_LIST(FORMAT_WORD) NULL};
const char *const study_pictures[] = {PAINTED_PICTURE_LIST(FORMAT_WORD) NULL};
const unsigned study_format_bits[] = {PAINTED_STUDY_LIST(FORMAT_BIT)};

#define EXITS(how)                                                                                 \
    {                                                                                              \
        {0, "done"}, {1, "failed: full disk or out of memory" how},                                \
            {2, "invalid input or command line"},                                                  \
            {3, "the GPU that was requested is not available"},                                    \
            {130, "interrupted; the state is saved" how}, {0, NULL},                               \
    }
const struct option_exit study_exits[] = EXITS(": continue with --resume"),
                         study_exits_again[] = EXITS(": the same command continues");

/* ---- the line on a terminal ------------------------------------------------------------------ */

static void show_search(const struct study_progress *now)
{
    char best[32] = "", restart[32] = "";
    if (!isnan(now->tolerance)) snprintf(best, sizeof best, "  score > %.4f", 1 - now->tolerance);
    else if (!isnan(now->best)) snprintf(best, sizeof best, "  best %.4f", now->best);
    if (now->restart) snprintf(restart, sizeof restart, ", restart %d", now->restart);
    fprintf(stderr,
            "\r%s: evaluations %" PRId64 "/%" PRId64 "  generation %" PRId64 "%s  runs %" PRId64
            "/%" PRId64 "%s\033[K",
            now->stage, now->evaluations, now->budget, now->generation, restart, now->done,
            now->all, best);
}

static void show_runs(const struct study_progress *now)
{
    const double done = (double)(now->done - now->begun_with), per_s = done / now->elapsed_s;
    char left[32] = "?", error[48] = "";
    if (done > 0) progress_left(left, (double)(now->all - now->done) / per_s);
    if (now->error > 0) snprintf(error, sizeof error, "  error %.4f", now->error);
    fprintf(stderr, "\r%s %" PRId64 "/%" PRId64 "  %.3g/s  left %s%s\033[K", now->stage, now->done,
            now->all, per_s, left, error);
}

void study_line_show(struct progress *line, const struct study_progress *now)
{
    const double time_s = clock_now_s();
    if (!line->on || time_s - line->shown_s < 0.2) return;
    line->shown_s = time_s;
    if (now->budget) show_search(now);
    else show_runs(now);
    fflush(stderr);
}

static bool tell_progress(const struct study_progress *now, void *user)
{
    study_line_show(user, now);
    return interrupts_seen() > 0;
}

/* Prints what was set aside. If a library was set aside only because its places differ from the plan's places,
 * also prints how to get results from the library without computing. */
static void say_aside(const struct study_job *j, const struct study_request *q)
{
    const struct output_folder *f = &j->files;
    FREED char *file = text_format("%s/%s", j->folder, f->aside.name[1]);
    FREED char *from = file ? text_shell_word(file) : NULL, *plan = text_shell_word(j->plan);
    fprintf(stderr, "sciara: %s", f->notice);
    if (f->places_alone && !j->as && from && plan && text_ends(file, ".gpkg"))
        fprintf(stderr,
                "; only the places differ: `sciara merge %s --plan %s` makes the results without "
                "computing",
                from, plan);
    fputs(q->keeps ? "\n" : "; --replace removes them\n", stderr);
}

/* Prints that a finished study is computed again: a user who only wants one more format may not expect that. */
static void say_finished(const struct study_job *j, const struct study_request *q)
{
    const struct state_kind *s = j->study->state;
    uint64_t plan;
    if (!s || j->resume || j->or_anew || j->replace || j->as || q->quiet ||
        access(j->state, F_OK) || output_unfinished(j->folder) ||
        !output_state_plan(&plan, j->state) || plan != state_digest(s, j->self))
        return;
    FREED char *folder = text_shell_word(j->folder);
    fprintf(stderr,
            "sciara: %s: is computed again; --resume writes its files without computing, and "
            "`sciara report %s` writes report.html alone\n",
            j->folder, folder ? folder : "FOLDER");
}

int study_command_folder(struct study_job *j, const struct study_request *q, struct error *e)
{
    double width_in, height_in;
    run_map_inches(&q->map, &width_in, &height_in);
    j->info.formats = OUTPUT_PNG | q->formats;
    j->info.extent = (enum output_extent)q->extent;
    j->info.layers = q->layers;
    j->info.version = sciara_version();
    j->info.pictures.language = q->language;
    int status = painters_have(OUTPUT_PNG | q->formats, e);
    if (!status) status = products_check_asked(&j->info, j->study->files, e);
    if (!status) status = study_name_folder(j, q->output, e);
    if (!status && q->formats & OUTPUT_HTML) status = output_report_check(j->folder, e);
    if (!status) status = export_check_painted(j->c, q->formats, e);
    if (!status)
        status = output_picture_page(&j->info.pictures, width_in, height_in, q->map.dpi, e);
    if (!status) status = study_take_folder(j, e);
    if (!status) say_finished(j, q);
    if (!status && j->files.notice && !q->quiet) say_aside(j, q);
    if (!status && j->anew && !q->quiet && !j->or_anew)
        fprintf(stderr, "sciara: %s: has no %s to resume; starting anew\n", j->folder,
                j->study->file);
    return status;
}

/* Prints the warnings about the input, before anything is computed. */
static void warn_of_inputs(const struct study_job *j, struct warnings *said)
{
    const struct calibration *c = j->self;
    const bool fits = j->study == &study_calibration || j->study == &study_posterior;
    progress_tell_all(&j->c->told, said);
    for (int k = 1; fits && k < c->eruptions; k++)
        progress_tell_all(&c->eruption[k].plan->base.told, said);
    FREED char *letters = progress_letters(j->c->title);
    if (letters) progress_warn(letters);
}

/* Writes report.html, even if other files could not be written and info notes them. Returns the first error. */
static int write_page(const struct study_job *j, const struct study_request *q, int status,
                      struct error *e)
{
    const bool misses = output_misses(&j->info, status);
    struct error other;
    if ((status && !misses) || !(q->formats & OUTPUT_HTML)) return status;
    if (file_progress_cancelled(j->info.progress)) return status ? status : error_cancelled(e);
    const int page = output_report(j->folder, sciara_version(), misses ? &other : e);
    return misses ? status : page;
}

/* Prints how to get the missing files: q->again, or the same command line. Neither repeats runs that are in the state or the
 * library. */
static void warn_unwritten(const struct study_request *q)
{
    fprintf(stderr,
            "sciara: warning: interrupted while files were written: some are missing; %s%s\n",
            q->again ? "continue with " : "run it again", q->again ? q->again : "");
}

int study_command_finish(struct study_job *j, const struct study_request *q, struct error *e)
{
    struct warnings nothing = {0};
    interrupt_watch(&j->progress);
    if (interrupts_seen() && !j->stopped)
        file_progress_cancel(&j->progress); /* a signal came after the last run */
    int status = write_page(j, q, study_write(j, e), e);
    if (status == ERROR_CANCELLED && !q->quiet) warn_unwritten(q);
    if (status && !output_misses(&j->info, status)) return status;
    if (q->untold && j->stopped && interrupts_seen() && !q->quiet && q->again)
        fprintf(stderr, "sciara: interrupted; continue with %s\n", q->again);
    if (q->untold) return status;
    if (!q->json) {
        const char *again = j->stopped || j->as ? q->again : NULL;
        if (!q->quiet) study_print(j, again, q->said ? q->said : &nothing);
        return status;
    }
    FREED char *text = j->study->summary(j);
    if (!text) return error_memory(e);
    fputs(text, stdout);
    return status;
}

int study_command_end(struct study_job *j, int status)
{
    interrupt_watch(NULL);
    if (status || !j->study->runs(j->self)) output_folder_unmake(&j->files);
    if (status == ERROR_CANCELLED || (!status && (j->stopped || interrupts_seen())))
        status = EXIT_INTERRUPTED;
    study_close(j);
    return status;
}

/* The question of the earlier answer in the folder, malloc'ed. NULL: the folder has no answer, or
 * the question of *j is the same. */
static char *question_before(const struct study_job *j)
{
    FREED_BY(json_free_at) struct cJSON *was = NULL;
    if (j->study != &study_ask || runfolder_summary(&was, j->folder, NULL) || !was) return NULL;
    const char *now = ((const struct ask *)j->self)->of.question,
               *then = summary_text(was, "members", "question");
    return strcmp(now ? now : "", then) != 0 ? text_format("%s", *then ? then : "all members")
                                             : NULL;
}

int study_command(const struct study *s, const struct study_request *given, const void *options,
                  struct error *e)
{
    struct warnings said = {0};
    struct study_request with = *given;
    const struct study_request *q = &with;
    if (!with.said) with.said = &said;
    struct progress line = {.on = progress_wanted(q->quiet)};
    struct study_devices devices;
    struct devices_warming warming;
    int status = study_devices(&devices, q, e);
    if (status) return status;
    struct study_job j = {.study = s,
                          .plan = q->plan,
                          .options = options,
                          .resume = q->resume,
                          .or_anew = q->or_anew,
                          .replace = q->replace,
                          .threads = q->threads ? q->threads : processors_granted(),
                          .device = devices.number,
                          .device_count = devices.count,
                          .checkpoint_s = q->checkpoint_s,
                          .tell = tell_progress,
                          .user = &line};
    devices_warm(&warming, &devices);
    interrupt_ends(true);
    status = study_open(&j, e);
    interrupt_ends(false);
    devices_ready(&warming);
    if (!status) status = study_command_folder(&j, q, e);
    FREED char *before = status ? NULL : question_before(&j);
    if (!status && !q->quiet) warn_of_inputs(&j, q->said);
    if (!status) {
        interrupt_watch(NULL);
        status = study_compute(&j, e);
        progress_clear(&line);
    }
    if (!status && s->runs(j.self)) status = study_command_finish(&j, q, e);
    if (!status && before && !q->quiet)
        fprintf(stderr, "sciara: %s: replaces the answer of %.200s; --output FOLDER keeps it\n",
                j.folder, before);
    return study_command_end(&j, status);
}

/* ---- which devices compute: --variant and --devices ------------------------------------------ */

const char *const study_variants[] = {"auto", "reference", "batch", NULL};

static int add_device(struct study_devices *d, int number, struct error *e)
{
    char what[128];
    for (int i = 0; i < d->count; i++)
        if (d->number[i] == number)
            return error_input(e, "ensemble: --devices: %d is named twice", number);
    if (d->count == ENGINE_DEVICES_MAX)
        return error_input(e, "ensemble: --devices: more than %d", ENGINE_DEVICES_MAX);
    int status = batch_available(number, what, e);
    if (!status) d->number[d->count++] = number;
    return status;
}

/* Reads a list of devices such as "0,1,2". */
static int parse_devices(struct study_devices *d, const char *text, struct error *e)
{
    int status = 0;
    for (const char *at = text; !status; at++) {
        const size_t digits = strspn(at, "0123456789");
        if (digits < 1 || digits > 4 || !strchr(",", at[digits]))
            return error_input(e, "ensemble: --devices %.40s: give numbers, as in 0,1", text);
        status = add_device(d, atoi(at), e);
        at += digits;
        if (!*at) break;
    }
    return status;
}

int study_devices(struct study_devices *d, const struct study_request *q, struct error *e)
{
    *d = (struct study_devices){0};
    if (q->variant == STUDY_REFERENCE) return 0;
    if (q->devices) return parse_devices(d, q->devices, e);
    int status = add_device(d, 0, e);
    return q->variant == STUDY_AUTO ? 0 : status;
}

static void *warm(void *device)
{
    batch_warm(*(const int *)device);
    return NULL;
}

void devices_warm(struct devices_warming *w, struct study_devices *d)
{
    w->count = 0;
    for (int i = 0; i < d->count; i++)
        w->count += loops_start_thread(&w->thread[w->count], NULL, warm, &d->number[i]);
}

void devices_ready(struct devices_warming *w)
{
    while (w->count) pthread_join(w->thread[--w->count], NULL);
}

/* ---- a library of members ---------------------------------------------------------------------- */

static char *folder_of(const char *library)
{
    return text_format("%.*s", (int)(strlen(library) - strlen("/" LIBRARY_NAME)), library);
}

bool study_library_left(const char *library)
{
    FREED char *folder = folder_of(library);
    return folder && output_unfinished(folder);
}

bool study_library_resumes(const char *library)
{
    return access(library, F_OK) == 0 || study_library_left(library);
}

int study_keep_members(const struct study_request *q, const char *library,
                       const struct plan_draws *draws, struct error *e)
{
    struct study_request of = *q;
    const struct ensemble_options keep = {
        .until_error = draws ? 0 : -1, .keep = true, .brief = q->keeps_brief, .draws = draws};
    FREED char *folder = folder_of(library);
    if (!folder) return error_memory(e);
    of.output = folder;
    of.or_anew = true;
    of.resume = study_library_resumes(library);
    of.formats = 0;
    of.layers = NULL;
    of.untold = q->json; /* standard output has only the JSON of the command */
    bool taken = false;
    const int status = draws || of.replace ? 0 : merge_library(&of, &taken, e);
    if (status || taken) return status;
    if (!of.quiet) fprintf(stderr, "sciara: computing the members first: %s\n", library);
    return study_command(&study_ensemble, &of, &keep, e);
}
