/* output_search.c — finds the files that earlier runs of sciara wrote to a folder, by the lists of these runs and by
 * marks in the files. Only these files are replaced. */
#include "output_search.h"

#include "base/order.h"
#include "record/picture_mark.h"
#include "record/record.h"
#include "export/export.h"
#include "raster/geotiff.h"
#include "record/json_number.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- one file ---------------------------------------------------------------------------------- */

const struct product *output_search_row(const struct output_search *l, const char *name)
{
    return products_find(l->info->files ? l->info->files : &output_files, l->c, name);
}

/* Whether the coming run may write a file that `row` describes. formats: the formats that need the
 * file; 0: all. */
static bool is_wanted_row(const struct output_search *l, const struct product *row,
                          unsigned formats)
{
    const struct output_pictures *p = &l->info->pictures;
    const bool wanted[] = {[PRODUCT_ALWAYS] = true,
                           [PRODUCT_OF_ASSETS] = l->c->assets,
                           [PRODUCT_OF_FRAMES] = p->frame_every,
                           [PRODUCT_OF_STATES] = l->info->saving};
    return (!formats || formats & l->info->formats) && wanted[row->wanted];
}

/* Whether the coming run may write a file of this name. */
static bool is_wanted(const struct output_search *l, const char *name)
{
    const struct product *row = output_search_row(l, name);
    const char *dot = strrchr(name, '.');
    FREED char *stem = text_format("%.*s", dot ? (int)(dot - name) : 0, name);
    return strcmp(name, "summary.json") == 0 ||
           (strcmp(name, RECORD_FILE) == 0 && l->info->formats & OUTPUT_RECORDED) ||
           (row && is_wanted_row(l, row, product_formats(row, name)) &&
            (!stem || product_asked(l->info, row, stem)));
}

/* Whether files of a row have no mark: tables, pages and files of the original format. */
static bool is_unmarked(const struct product *row)
{
    const bool text = row->kind == PRODUCT_TABLE || row->kind == PRODUCT_FILE;
    return text && !row->head && !(row->formats & OUTPUT_EXPORTS) &&
           row->wanted != PRODUCT_OF_STATES;
}

/* The pattern of a row's names, malloc'ed. A name in the original format begins with the name of the case; the pattern
 * quotes its special characters. */
static char *pattern_of(const struct output_search *l, const struct product *row)
{
    char *text = NULL;
    size_t size;
    if (!row->is) return text_format("%s", row->name);
    FILE *f = open_memstream(&text, &size);
    for (const char *s = l->c->name; f && *s; s++)
        fprintf(f, strchr("*?[\\", *s) ? "\\%c" : "%c", *s);
    if (f) fputs("_[0-9]*", f);
    return text_of_stream(f, &text);
}

static int list_unmarked(struct output_search *l, struct error *e)
{
    const struct product_table *t = l->info->files ? l->info->files : &output_files;
    int status = 0;
    for (; t; t = t->next)
        for (int i = 0; i < t->count && !status; i++)
            if (is_unmarked(&t->row[i]) && is_wanted_row(l, &t->row[i], t->row[i].formats))
                status = output_names_add(&l->f->unmarked, pattern_of(l, &t->row[i]), e);
    return status;
}

/* Whether a file has the mark of sciara, and a name that sciara uses. */
static bool is_marked(const struct output_search *l, const char *name, const char *path)
{
    const struct product *row = output_search_row(l, name);
    if (!row) row = products_find(&output_files, l->c, name);
    if (strcmp(name, SHOWN_FILE) == 0) return true; /* shown_read() has checked the file */
    if (strcmp(name, RECORD_FILE) == 0) return picture_is_marked(path);
    if (strcmp(name, REPORT_FILE) == 0) return picture_is_ours(path);
    if (!row) return false;
    return picture_is_ours(path) || geotiff_is_ours(path) ||
           (row->head && textfile_begins(path, row->head)) ||
           ((painted_as(name) || product_formats(row, name) & OUTPUT_EXPORTS) &&
            picture_is_marked(path));
}

/* Whether a name matches a pattern that a killed command left in writing.json. The folder had no such files when that
 * command began, so the command wrote them. */
static bool is_being_written(const struct output_search *l, const char *name)
{
    const cJSON *pattern, *list = cJSON_GetObjectItemCaseSensitive(l->writing, "writing");
    cJSON_ArrayForEach (pattern, list)
        if (cJSON_IsString(pattern) && !fnmatch(pattern->valuestring, name, 0)) return true;
    return false;
}

/* Whether a picture was drawn later from the results of the folder, for example by `sciara fit`. */
static bool is_derived(const struct output_search *l, const char *name, const char *path)
{
    return painted_as(name) & PAINTED_PICTURES &&
           picture_is_of(path, summary_text(l->summary, NULL, "digest"));
}

/* Whether an earlier run wrote a file: the file has the mark, or a list names it. */
static bool is_ours(const struct output_search *l, const char *name, const char *path)
{
    const struct product *row = output_search_row(l, name);
    if (strcmp(name, "summary.json") == 0)
        return !strcmp(summary_text(l->summary, NULL, "software"), "sciara");
    const cJSON *entry = runfiles_find(&l->files, name);
    /* A run that resumes has already checked its states. */
    const bool damaged = l->info->resumed && runfolder_is_state(name, NULL);
    return damaged || is_marked(l, name, path) || is_being_written(l, name) ||
           (l->rejoined && row && is_unmarked(row)) ||
           (entry && (runfiles_same(entry, path) || (painted_as(name) && picture_is_ours(path))));
}

int output_search_old(struct output_search *l, const char *name, const char *ending,
                      struct error *e)
{
    return output_names_add(&l->f->old, text_format("%s%s", name, ending), e);
}

/* Adds NAME.aux.xml of a layer to the files that will be replaced. GDAL and QGIS keep statistics there, which would be
 * wrong for a new layer. */
static int mark_notes(struct output_search *l, const char *name, const char *path, struct error *e)
{
    static const char ending[] = ".aux.xml";
    struct stat s;
    FREED char *notes = text_format("%s%s", path, ending);
    if (!notes) return error_memory(e);
    const bool there = lstat(notes, &s) == 0 && S_ISREG(s.st_mode);
    return there ? output_search_old(l, name, ending, e) : 0;
}

static int mark_with_notes(struct output_search *l, const char *name, const char *path,
                           struct error *e)
{
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    const int status = output_search_old(l, name, "", e);
    return status ? status : mark_notes(l, name, path, e);
}

/* Checks the date in the name of a layer or map that stays. Its date and the dates of the coming files must count from
 * the same start. */
static int check_date(const struct output_search *l, const char *name, const char *path,
                      struct error *e)
{
    char *right = export_layer_name(l->c, "", runfolder_step(name), ".");
    const bool same = right && strstr(name, right);
    free(right);
    if (same) return 0;
    return error_input(e,
                       "%s: has another date than this case, since start_time was changed; restore "
                       "start_time, or resume in another folder",
                       path);
}

/* Judges a file in the folder of a run that resumes from a state there. A file with a name that sciara writes is from
 * the interrupted run: when that run began, the folder had no foreign file of such a name. States stay, and so do files
 * of snapshots up to the state. All other files of the run are replaced: the resumed run writes them again, or they are
 * of the step at which the run was interrupted. */
static int judge_resumed(struct output_search *l, const char *name, const char *path,
                         struct error *e)
{
    const bool known = is_wanted(l, name) || is_marked(l, name, path);
    if (runfolder_is_state(name, NULL) || !known) return 0;
    const struct product *row = output_search_row(l, name);
    const int64_t every = l->c->snapshot_every, step = runfolder_step(name);
    const bool due = row && row->of_steps && every && step % every == 0;
    if (!due || step > l->info->from_step) return mark_with_notes(l, name, path, e);
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    if (!row->is && check_date(l, name, path, e)) return ERROR_INPUT;
    return output_names_add(&l->kept, text_format("%s", name), e);
}

static int refuse_foreign(const char *path, struct error *e)
{
    return error_input(e,
                       "%s: would be overwritten, but was not written by an earlier run; move it, "
                       "or choose another folder",
                       path);
}

/* ---- all files --------------------------------------------------------------------------------- */

/* Whether results are from an interrupted computation, or lack files. */
static bool is_partial(const cJSON *summary)
{
    return summary_item(summary, NULL, "not_written") || output_study_interrupted(summary) ||
           cJSON_IsTrue(summary_item(summary, "run", "interrupted"));
}

/* Judges a picture that a user has changed. The picture must not be replaced. */
static int judge_changed(const struct output_search *l, const char *name, const char *path,
                         struct error *e)
{
    const bool stays =
        l->info->resumed && runfolder_step(name) >= 0 && runfolder_step(name) <= l->info->from_step;
    return stays || !is_wanted(l, name) ? 0 : refuse_foreign(path, e);
}

static int judge_entry(struct output_search *l, const char *name, const char *path, struct error *e)
{
    struct stat s;
    bool judged = false;
    /* another process has removed the file, or it belongs to SQLite */
    if (lstat(path, &s) != 0 || text_ends(name, "-journal")) return 0;
    const bool file = S_ISREG(s.st_mode);
    if (file && shown_is_changed(&l->shown, path)) return judge_changed(l, name, path, e);
    const int status = file ? output_judge_work(l, name, path, &judged, e) : 0;
    if (status || judged) return status;
    if (file && is_derived(l, name, path)) return mark_with_notes(l, name, path, e);
    if (l->info->resumed && l->info->from_step >= 0)
        return file ? judge_resumed(l, name, path, e) : 0;
    const bool ours = file && is_ours(l, name, path), wanted = is_wanted(l, name);
    if (!ours && !wanted) return 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    return ours ? mark_with_notes(l, name, path, e) : refuse_foreign(path, e);
}

static int judge_all(struct output_search *l, struct error *e)
{
    DIR *d = opendir(l->path);
    int status = 0;
    if (!d)
        return error_input(e, "%s: the output folder cannot be read: %s; choose another folder",
                           l->path, strerror(errno));
    for (struct dirent *entry; !status && (entry = readdir(d));) {
        FREED char *path = text_format("%s/%s", l->path, entry->d_name);
        status = path ? judge_entry(l, entry->d_name, path, e) : error_memory(e);
    }
    closedir(d);
    return status;
}

/* Lists the files in previous/ that writing.json names. If earlier results will move to previous/, checks that previous/
 * has no other files. */
static int judge_previous(struct output_search *l, struct error *e)
{
    const cJSON *entry, *list = cJSON_GetObjectItemCaseSensitive(l->writing, "files");
    struct output_folder *f = l->f;
    struct stat s;
    int status = 0;
    cJSON_ArrayForEach (entry, list) {
        const char *name = summary_text(entry, NULL, "name");
        if (!status && *name && !strchr(name, '/'))
            status = output_names_add(&f->previous, text_format("%s", name), e);
    }
    f->replaced =
        l->summary && (!is_partial(l->summary) || summary_item(l->writing, NULL, "whole"));
    FREED char *folder = text_format("%s/" OUTPUT_PREVIOUS, l->path);
    if (!folder) status = error_memory(e);
    if (!status && f->old.count && lstat(folder, &s) == 0 && !S_ISDIR(s.st_mode))
        return refuse_foreign(folder, e);
    for (int i = 0; i < f->old.count && !status; i++) {
        FREED char *path = text_format("%s/%s", folder, f->old.name[i]);
        if (!path) status = error_memory(e);
        else if (!output_names_has(&f->previous, f->old.name[i]) && !lstat(path, &s) &&
                 (!f->previous.count || f->replaced))
            status = refuse_foreign(path, e);
    }
    return status;
}

/* Lists the files that stay. They are safely on the disk, because they were brought there before the state was
 * written. */
static int list_kept(const struct output_search *l, struct error *e)
{
    struct output_folder *f = l->info->folder;
    int status = 0;
    if (l->kept.count)
        qsort(l->kept.name, (size_t)l->kept.count, sizeof *l->kept.name, order_names);
    for (int i = 0; i < l->kept.count && !status; i++) {
        FREED char *path = text_format("%s/%s", l->path, l->kept.name[i]);
        status = path ? output_wrote(l->info, path, e) : error_memory(e);
    }
    if (f) f->on_disk = f->count;
    return status;
}

/* Writes "output/p: holds members of another plan (members 200, now 300), which stay as
 * library-0123456789abcdef.gpkg" for the files that are set aside. */
static int note_aside(const struct output_search *l, struct error *e)
{
    static const struct made_by none;
    const struct output_names *aside = &l->f->aside;
    char *text = NULL;
    size_t size;
    if (!aside->count) return 0;
    FREED char *differs = made_by_difference(&l->was, l->info->by ? l->info->by : &none);
    FILE *f = open_memstream(&text, &size);
    if (f && differs && l->other_study)
        fprintf(f, "%s: holds results of another study, which stay as ", l->path);
    else if (f && differs)
        fprintf(f, "%s: holds members of another plan (%s), which stay as ", l->path, differs);
    for (int i = 1; f && i < aside->count; i += 2)
        fprintf(f, i > 1 ? ", %s" : "%s", aside->name[i]);
    l->f->places_alone =
        l->was.text && l->info->by && made_by_differs_in(&l->was, l->info->by, "assets");
    l->f->notice = text_of_stream(f, &text);
    return l->f->notice && differs ? 0 : error_memory(e);
}

int output_look(const char *path, const struct output_info *info, const struct sim_case *c,
                bool rejoined, struct output_folder *f, struct error *e)
{
    struct output_search l = {.path = path, .info = info, .c = c, .rejoined = rejoined, .f = f};
    int status = runfolder_summary(&l.summary, path, NULL);
    if (status)
        status = error_input(e,
                             "%s/summary.json: is not a summary written by sciara; move it, or "
                             "choose another folder",
                             path);
    l.files = runfiles_of(l.summary);
    if (!status) status = output_writing(&l.writing, path, e);
    if (!status) status = shown_read(&l.shown, path, e);
    if (!status) status = judge_all(&l, e);
    if (!status) status = judge_previous(&l, e);
    if (!status) status = list_unmarked(&l, e);
    if (!status) status = list_kept(&l, e);
    if (!status) status = note_aside(&l, e);
    f->study = info->study;
    f->by = info->by;
    output_names_free(&l.kept);
    runfiles_free(&l.files);
    shown_free(&l.shown);
    made_by_free(&l.was);
    cJSON_Delete(l.summary);
    cJSON_Delete(l.writing);
    return status;
}

bool output_unfinished(const char *folder)
{
    FREED_BY(json_free_at) cJSON *summary = NULL, *writing = NULL;
    const bool left = output_writing(&writing, folder, NULL) || writing;
    return runfolder_summary(&summary, folder, NULL) || left || is_partial(summary);
}

int output_made_by(struct made_by *by, const char *folder, struct error *e)
{
    FREED_BY(json_free_at) cJSON *summary = NULL, *writing = NULL;
    output_writing(&writing, folder, NULL);
    runfolder_summary(&summary, folder, NULL);
    return made_by_get(by, writing ? writing : summary, e);
}
