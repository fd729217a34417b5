#include "study.h"

#include "case/case_notes.h"
#include "products/products.h"
#include "products/summary.h"
#include "record/json_number.h"
#include "text/textfile.h"
#include "text/times.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

const char *study_end(const struct study_job *j)
{
    return j->stopped ? "interrupted" : "complete";
}

struct warnings study_told(const struct study_job *j)
{
    struct warnings w = j->c->told;
    case_warn_all_changed(j->c, &w);
    if (j->study->warn) j->study->warn(j, &w);
    return w;
}

cJSON *study_summary(const struct study_job *j, uint64_t plan_digest)
{
    const struct products p = {.info = &j->info, .kind = j->study->name};
    const struct warnings told = study_told(j);
    cJSON *root = products_summary(&p);
    output_list_plan(root, j->c, NULL, NULL, plan_digest);
    output_list_warnings(root, &told);
    output_list_grid(root, j->c, j->info.folder);
    return root;
}

char *study_summary_text(const struct study_job *j, cJSON *root, const char *computing)
{
    json_add_numbers(cJSON_AddObjectToObject(root, "timing"), {computing, j->compute_s},
                     {"total_s", j->total_s}, {"threads", j->device_count ? 0 : j->threads},
                     {"devices", j->device_count});
    return output_finish_summary(root, &j->info);
}

bool study_needs_processors(const struct sim_case *c)
{
    return c->change_count > 0 || c->problem.from;
}

int study_open(struct study_job *j, struct error *e)
{
    if (!(j->began_s > 0)) j->began_s = clock_now_s();
    if (!(j->self = calloc(1, j->study->size))) return error_memory(e);
    int status = j->study->open(j, e);
    if (!status && study_needs_processors(j->c)) j->device_count = 0;
    j->load_s = clock_now_s() - j->began_s;
    return status;
}

void study_close(struct study_job *j)
{
    if (j->self) j->study->close(j->self);
    free(j->self);
    output_folder_free(&j->files);
    made_by_free(&j->by);
    RELEASE(j, j->folder, j->state);
}

/* A plan with the name x-calibration writes to output/x-calibration, not to output/x-calibration-calibration. */
int study_name_folder(struct study_job *j, const char *folder, struct error *e)
{
    const struct study *s = j->study;
    const char *name = j->c->name;
    char date[TIMES_TEXT] = "";
    if (s->dated) s->dated(j->self, date);
    j->folder =
        folder ? text_format("%s", folder)
               : text_format("output/%s%s%s%s", name, text_ends(name, s->ending) ? "" : s->ending,
                             *date ? "/" : "", date);
    j->state = j->folder ? text_format("%s/%s", j->folder, s->file) : NULL;
    return j->state ? 0 : error_memory(e);
}

static int rejoin(struct study_job *j, struct error *e)
{
    const struct study *s = j->study;
    int status = output_folder_take(&j->files, &j->info, j->c, true, e);
    if (!status && !access(j->state, F_OK)) status = state_read(s->state, j->self, j->state, e);
    return status || !s->join ? status : s->join(j, e);
}

static bool is_of_other(const struct study_job *j)
{
    uint64_t plan;
    return j->or_anew && output_state_plan(&plan, j->state) && plan != j->info.plan_digest;
}

int study_take_folder(struct study_job *j, struct error *e)
{
    const struct study *s = j->study;
    j->info.directory = j->folder;
    j->info.folder = &j->files;
    j->info.progress = &j->progress;
    j->info.files = s->files;
    j->info.study = j->as ? j->as : s->name;
    j->info.state = s->state ? s->file : NULL;
    j->info.plan_digest = s->state ? state_digest(s->state, j->self) : 0;
    j->info.by = &j->by;
    j->info.replace = j->replace;
    j->info.restarts = j->as != NULL;
    j->info.covers = j->covers;
    made_by_free(&j->by);
    if (s->state && s->state->made_by && s->state->made_by(j->self, &j->by, e)) return (int)e->code;
    const bool there = s->left ? s->left(j->folder) : s->state && !access(j->state, F_OK);
    if (there && j->resume && !is_of_other(j)) return rejoin(j, e);
    j->anew = j->resume;
    if (s->spare && s->spare(j, e)) return ERROR_INPUT;
    return output_folder_take(&j->files, &j->info, j->c, false, e);
}

int64_t study_round(struct study_job *j, double runs, int64_t left)
{
    static const double ROUND_S = 20;
    enum { PER_THREAD = 4, PER_DEVICE = 1024, GROWTH = 8, LISTS_MAX = 512 << 20 };
    const double last = (double)j->round, bytes = (double)j->round_bytes / fmax(1, last);
    const int at_once = j->device_count ? PER_DEVICE * j->device_count : PER_THREAD * j->threads;
    double units = at_once / runs;
    if (last > 0) {
        units = fmin(GROWTH * last, last * ROUND_S / fmax(j->took_s, 1e-3));
        if (units * bytes > LISTS_MAX) units = LISTS_MAX / bytes;
    }
    j->round_bytes = 0;
    return j->round = units < 1 ? 1 : units < (double)left ? (int64_t)units : left;
}

bool study_show(struct study_job *j, struct study_progress *now)
{
    now->begun_with = j->begun_with;
    now->elapsed_s = clock_now_s() - j->loop_s;
    if (!j->stopped && j->tell(now, j->user)) j->stopped = true;
    return j->stopped;
}

int study_compute(struct study_job *j, struct error *e)
{
    const struct study *s = j->study;
    int status = 0;
    j->loop_s = clock_now_s();
    j->begun_with = s->runs(j->self);
    while (!status && !j->stopped && (s->unfinished ? s->unfinished(j->self) : !s->runs(j->self))) {
        const double began_s = clock_now_s();
        status = s->round(j, e);
        const bool save = !status && !j->stopped && j->state && !s->saves;
        if (save) status = output_make_way(&j->files, e);
        if (save && !status) status = state_write(s->state, j->self, j->state, e);
        j->took_s = clock_now_s() - began_s;
    }
    j->compute_s = clock_now_s() - j->loop_s;
    return status || j->stopped || !s->check ? status : s->check(j, e);
}

int study_write(struct study_job *j, struct error *e)
{
    int status = output_make_way(&j->files, e);
    if (!status && j->study->state) status = output_wrote(&j->info, j->state, e);
    j->files.partial = j->stopped;
    output_note_failures(&j->info);
    if (!status) status = j->study->write(j, e);
    if (!status) status = output_keep_same(&j->info, e);
    j->total_s = clock_now_s() - j->began_s;
    if (!status) status = output_end(&j->info, j->c, j->study->summary(j), e);
    output_settle(&j->files);
    return status;
}
