#include "files.h"

#include "record/painters.h"
#include "record/runfolder.h"
#include "record/shown.h"
#include "text/grow.h"
#include "text/atomic_file.h"
#include "record/json_number.h"

#include <cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- inputs --------------------------------------------------------------------------------- */

/* Whether a path, or the target that it links to, is an input of the case. */
static bool is_input(const struct sim_case *c, const char *path)
{
    struct stat own = {0}, target = {0};
    if (lstat(path, &own) != 0) return false;
    if (stat(path, &target) != 0) target = own;
    for (int i = 0; i < c->input_count; i++) {
        const struct case_input *in = &c->input[i];
        if (in->device == own.st_dev && in->inode == own.st_ino) return true;
        if (in->device == target.st_dev && in->inode == target.st_ino) return true;
    }
    return false;
}

int output_spare(const struct sim_case *c, const char *path, struct error *e)
{
    if (!is_input(c, path)) return 0;
    return error_input(e, "%s: is an input of this run in its output folder; choose another folder",
                       path);
}

char *output_file_path(const struct output_info *info, const struct sim_case *c, const char *name,
                       struct error *e)
{
    char *path = text_format("%s/%s", info->directory, name);
    if (!path) error_memory(e);
    else if (output_spare(c, path, e)) {
        free(path);
        path = NULL;
    }
    return path;
}

/* ---- what is written --------------------------------------------------------------------------- */

/* An earlier entry of the same name is replaced, because a resumed run may write files of its first step again. */
int output_wrote(const struct output_info *info, const char *path, struct error *e)
{
    struct output_folder *f = info->folder;
    if (!f) return 0;
    const char *name = path_name(path);
    struct filesum sum;
    if (!filesum_of(&sum, path))
        return error_failed(e, "%s: cannot be read back: %s", path, strerror(errno));
    int at = 0;
    while (at < f->count && strcmp(f->file[at].name, name) != 0) at++;
    if (at == f->count) {
        char *own = GROW(f->file, f->count) ? text_format("%s", name) : NULL;
        if (!own) return error_memory(e);
        f->file[f->count++].name = own;
    }
    f->file[at].sum = sum;
    if (f->on_disk > at) f->on_disk = at;
    return 0;
}

void output_note_failures(const struct output_info *info)
{
    if (info->folder) info->folder->notes = true;
}

static int note_failure(struct output_folder *f, const char *name, const char *why)
{
    const struct output_failure x = {text_format("%s", name), text_format("%s", why)};
    if (x.name && x.why && APPEND(f->failure, f->failures, x)) return 0;
    free(x.name);
    free(x.why);
    return -1;
}

int output_missed(const struct output_info *info, const char *path, int status, struct error *e)
{
    struct output_folder *f = info->folder;
    if (!status || status == ERROR_CANCELLED || !f || !f->notes || !path || !e) return status;
    return note_failure(f, path_name(path), e->text) ? status : 0;
}

int output_done(const struct output_info *info, const char *path, int status, struct error *e)
{
    struct error mine = {0};
    if (status && e) mine = *e;
    if (status == ERROR_FAILED && path)
        unlink(path); /* an older file of that name is out of date */
    if (!status) status = output_wrote(info, path, &mine);
    status = output_missed(info, path, status, &mine);
    if (status && e) *e = mine;
    return status;
}

int output_shown(const struct output_folder *f, struct error *e)
{
    FREED_BY(shown_free) struct shown s;
    int status = shown_read(&s, f->path, e);
    for (int i = 0; i < f->count && !status; i++)
        if (painted_as(f->file[i].name))
            status = shown_add(&s, f->file[i].name, &f->file[i].sum, e);
    return status ? status : shown_write(&s, f->digest, e);
}

int output_end(const struct output_info *info, const struct sim_case *c, char *summary,
               struct error *e)
{
    struct output_folder *f = info->folder;
    const int unlisted =
        f ? output_shown(f, e) : 0; /* written before the summary, which completes the folder */
    FREED char *path = summary ? output_file_path(info, c, "summary.json", e) : NULL;
    int status = path      ? atomic_file_text(path, summary, e)
                 : summary ? ERROR_FAILED
                           : error_memory(e);
    if (path && status) unlink(path);
    free(summary);
    if (status) return status;
    if (f) {
        record_discard(f->record);
        f->record = NULL;
    }
    const int more = f ? f->failures - 1 : -1;
    if (more < 0) return unlisted;
    const char *why = f->failure[0].why;
    if (!more)
        return error_failed(
            e,
            "%.800s; all other layers, tables and maps are written, and summary.json names the "
            "missing one",
            why);
    return error_failed(e, "%.800s; %d more could not be written, and summary.json names them", why,
                        more);
}

bool output_misses(const struct output_info *info, int status)
{
    return status == ERROR_FAILED && info->folder && info->folder->failures;
}

void output_list_files(cJSON *root, const struct output_folder *f)
{
    cJSON *files = cJSON_AddArrayToObject(root, "files");
    for (int i = 0; i < f->count; i++)
        cJSON_AddItemToArray(
            files,
            runfiles_entry(f->file[i].name, painted_as(f->file[i].name) ? NULL : &f->file[i].sum));
    cJSON *list = f->failures ? cJSON_AddArrayToObject(root, "not_written") : NULL;
    for (int i = 0; i < f->failures; i++) {
        cJSON *o = json_add_object(list);
        json_add_texts(o, {"name", f->failure[i].name}, {"why", f->failure[i].why});
    }
}

void output_failures_free(struct output_folder *f)
{
    for (int i = 0; i < f->failures; i++) {
        free(f->failure[i].name);
        free(f->failure[i].why);
    }
    free(f->failure);
    f->failure = NULL;
    f->failures = 0;
}

void reach_add_fields(struct window *reach, const struct fields *f)
{
    *reach = window_of_both(*reach, fields_reach(f));
}

void reach_add_vents(struct window *reach, const struct problem *p)
{
    for (int v = 0; v < p->vent_count; v++) window_add(reach, p->vents[v].row, p->vents[v].col);
}

/* ---- extent ---------------------------------------------------------------------------------- */

bool extent_is_full(enum output_extent rule, const struct problem *p)
{
    return rule == OUTPUT_EXTENT_FULL ||
           (rule == OUTPUT_EXTENT_BY_SIZE && (double)p->rows * p->cols <= EXTENT_FULL_MOST);
}

/* Widens a range of cells by a margin on either side, and then to whole blocks, but not beyond `cells`. */
static void widen_range(int *first, int *count, int margin, int cells)
{
    const int end = (*first + *count + margin + EXTENT_BLOCK - 1) / EXTENT_BLOCK * EXTENT_BLOCK;
    *first = int_most(0, *first - margin) / EXTENT_BLOCK * EXTENT_BLOCK;
    *count = int_least(cells, end) - *first;
}

struct window extent_around(struct window reach, enum output_extent rule, const struct problem *p)
{
    if (extent_is_full(rule, p)) return (struct window){0, 0, p->rows, p->cols};
    if (!reach.rows) window_add(&reach, p->rows / 2, p->cols / 2);
    const int margin = int_most(EXTENT_MARGIN, int_most(reach.rows, reach.cols) / 10);
    widen_range(&reach.row0, &reach.rows, margin, p->rows);
    widen_range(&reach.col0, &reach.cols, margin, p->cols);
    return reach;
}
