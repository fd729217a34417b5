/* output_folder.c — the folder of a run: made, locked, and searched for what an earlier run of
 * sciara wrote, which the new run replaces (output_previous.c), and nothing else. */
#include "output_inside.h"

#include "base/order.h"
#include "compare/runfolder.h"
#include "draw/png_file.h"
#include "export/export.h"
#include "products/made_by.h"
#include "raster/geotiff.h"
#include "restart/json_number.h"
#include "text/atomic_file.h"
#include "text/packed.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- making it ------------------------------------------------------------------------------- */

/* mkdir -p. *made: how long the path is down to the first folder that was not there; 0: all were.
 */
static int make_folder(char *path, size_t *made)
{
    *made = 0;
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash) *slash = '\0';
        const int failed = mkdir(path, 0777);
        const int why = errno;
        if (!failed && !*made) *made = strlen(path);
        if (slash) *slash = '/';
        errno = why;
        if (failed && why != EEXIST && why != EISDIR) return -1;
        if (!slash) return 0;
    }
}

/* Removes what make_folder() made, the innermost first; what is not empty stays. */
static void unmake_folder(char *path, size_t made)
{
    while (made && strlen(path) >= made) {
        rmdir(path);
        char *slash = strrchr(path, '/');
        if (!slash) return;
        *slash = '\0';
    }
}

/* With *path, the folder's name, and *made for unmake_folder(). */
static int prepare(char **path, size_t *made, const char *directory, struct error *e)
{
    *made = 0;
    *path = text_format("%s", *directory ? directory : ".");
    if (!*path) return error_memory(e);
    if (make_folder(*path, made) == 0 && atomic_file_possible(*path)) return 0;
    const int why = errno;
    unmake_folder(*path, *made);
    return error_input(e, "%s: the output folder cannot be written: %s; choose another one",
                       directory, strerror(why));
}

int output_prepare(const char *directory, struct error *e)
{
    char *path;
    size_t made;
    int status = prepare(&path, &made, directory, e);
    if (!status) atomic_file_sweep(path);
    free(path);
    return status;
}

/* ---- files in the folder --------------------------------------------------------------------- */

/* The search of the folder of a run that is about to start. */
struct search {
    const char *path;
    const struct output_info *info;
    const struct sim_case *c;
    bool rejoined;
    cJSON *summary, *writing; /* of an earlier run; NULL: none */
    struct runfiles files;    /* that the summary lists */
    struct output_names kept; /* names of files that stay, and are the run's */
    struct output_folder *f;  /* its names are found */
    struct made_by was;       /* of what is set aside */
};

/* The row of a file that this computation writes; NULL: it is not one of its files. */
static const struct product *row_of(const struct search *l, const char *name)
{
    return products_find(l->info->files ? l->info->files : &output_files, l->c, name);
}

/* Whether it may write files of a row, with these formats of one of them. */
static bool is_wanted_row(const struct search *l, const struct product *row, unsigned formats)
{
    const struct output_pictures *p = &l->info->pictures;
    const bool wanted[] = {[PRODUCT_ALWAYS] = true,
                           [PRODUCT_OF_ASSETS] = l->c->assets,
                           [PRODUCT_OF_FRAMES] = p->frame_every,
                           [PRODUCT_OF_FILM] = p->film,
                           [PRODUCT_OF_STATES] = l->info->saving};
    return (!formats || formats & l->info->formats) && wanted[row->wanted];
}

/* Whether it may write a file of that name. */
static bool is_wanted(const struct search *l, const char *name)
{
    const struct product *row = row_of(l, name);
    return strcmp(name, "summary.json") == 0 ||
           (row && is_wanted_row(l, row, product_formats(row, name)));
}

/* Tables and pages bear no mark, nor do files of the original format. */
static bool is_unmarked(const struct product *row)
{
    const bool text = row->kind == PRODUCT_TABLE || row->kind == PRODUCT_FILE;
    return text && !row->head && !(row->formats & OUTPUT_EXPORTS) &&
           row->wanted != PRODUCT_OF_STATES;
}

/* Names of the original format begin with that of the case, which is no pattern. */
static char *pattern_of(const struct search *l, const struct product *row)
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

static int list_unmarked(struct search *l, struct error *e)
{
    const struct product_table *t = l->info->files ? l->info->files : &output_files;
    int status = 0;
    for (; t; t = t->next)
        for (int i = 0; i < t->count && !status; i++)
            if (is_unmarked(&t->row[i]) && is_wanted_row(l, &t->row[i], t->row[i].formats))
                status = output_names_add(&l->f->unmarked, pattern_of(l, &t->row[i]), e);
    return status;
}

/* Whether it has a name of ours and the mark of a file of sciara. */
static bool is_marked(const struct search *l, const char *name, const char *path)
{
    const struct product *row = row_of(l, name);
    if (!row) row = products_find(&output_files, l->c, name);
    if (strcmp(name, OUTPUT_REPORT) == 0) return textfile_begins(path, OUTPUT_REPORT_MARK);
    if (!row) return false;
    return picture_is_ours(path) || geotiff_is_ours(path) ||
           (row->head && textfile_begins(path, row->head)) ||
           (product_formats(row, name) & OUTPUT_EXPORTS && export_is_ours(path));
}

/* Whether a command that was killed was writing a file of that name, which no other file had then. */
static bool is_being_written(const struct search *l, const char *name)
{
    const cJSON *pattern, *list = cJSON_GetObjectItemCaseSensitive(l->writing, "writing");
    cJSON_ArrayForEach (pattern, list)
        if (cJSON_IsString(pattern) && !fnmatch(pattern->valuestring, name, 0)) return true;
    return false;
}

/* Whether it was drawn later from what the folder has: `sciara fit`. */
static bool is_derived(const struct search *l, const char *name, const char *path)
{
    return output_picture_format(name) &&
           picture_is_of(path, summary_text(l->summary, NULL, "digest"));
}

/* Whether an earlier run wrote it: it bears the mark, or a list has it. */
static bool is_ours(const struct search *l, const char *name, const char *path)
{
    const struct product *row = row_of(l, name);
    if (strcmp(name, "summary.json") == 0)
        return !strcmp(summary_text(l->summary, NULL, "software"), "sciara");
    const cJSON *entry = runfiles_find(&l->files, name);
    const bool damaged =
        l->info->resumed && restart_is_name(name, NULL); /* it has been looked at */
    return damaged || is_marked(l, name, path) || is_being_written(l, name) ||
           (l->rejoined && row && is_unmarked(row)) || (entry && runfiles_same(entry, path));
}

static int mark_old(struct search *l, const char *name, const char *ending, struct error *e)
{
    return output_names_add(&l->f->old, text_format("%s%s", name, ending), e);
}

/* GDAL and QGIS write statistics of a layer to a file next to it, which leaves with the layer:
 * they would be false for another layer of that name. */
static int mark_notes(struct search *l, const char *name, const char *path, struct error *e)
{
    static const char ending[] = ".aux.xml";
    struct stat s;
    FREED char *notes = text_format("%s%s", path, ending);
    if (!notes) return error_memory(e);
    const bool there = lstat(notes, &s) == 0 && S_ISREG(s.st_mode);
    return there ? mark_old(l, name, ending, e) : 0;
}

static int mark_with_notes(struct search *l, const char *name, const char *path, struct error *e)
{
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    const int status = mark_old(l, name, "", e);
    return status ? status : mark_notes(l, name, path, e);
}

/* Layers and maps of steps before a state stay; later ones would have dates of another start. */
static int check_date(const struct search *l, const char *name, const char *path, struct error *e)
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

/* In the folder of a run that resumes from a state in it. When that run began, no other files with
 * such names were left. Files of later steps are written again; those of a step that is no snapshot are of where the
 * run was interrupted. */
static int judge_resumed(struct search *l, const char *name, const char *path, struct error *e)
{
    const bool known = is_wanted(l, name) || is_marked(l, name, path);
    if (restart_is_name(name, NULL) || !known) return 0;
    const struct product *row = row_of(l, name);
    const int64_t every = l->c->snapshot_every, step = runfolder_step(name);
    const bool due = row && row->of_steps && every && step % every == 0;
    if (!due || step > l->info->from_step) return mark_with_notes(l, name, path, e);
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    if (!row->is && check_date(l, name, path, e)) return ERROR_INPUT;
    return output_names_add(&l->kept, text_format("%s", name), e);
}

static int refuse_foreign(const char *path, struct error *e)
{
    return error_input(
        e,
        "%s: would be overwritten, but was not written by an earlier run; move it, or "
        "choose another folder",
        path);
}

/* ---- what cost computing ----------------------------------------------------------------------- */

/* Interrupted, or without all of its files. */
static bool is_partial(const cJSON *summary)
{
    const cJSON *part;
    if (cJSON_GetObjectItemCaseSensitive(summary, "not_written")) return true;
    cJSON_ArrayForEach (part, summary)
        if (!strcmp(summary_text(part, NULL, "end"), "interrupted") ||
            cJSON_IsTrue(summary_item(part, NULL, "interrupted")))
            return true;
    return false;
}

/* The name that a file had before it was set aside, malloc'ed; NULL: it was not. */
static char *name_before(const char *name)
{
    enum { DIGITS = 16 };
    for (const char *bar = strchr(name, '-'); bar; bar = strchr(bar + 1, '-'))
        if (strspn(bar + 1, "0123456789abcdef") == DIGITS && strchr("-.", bar[1 + DIGITS]))
            return text_format("%.*s%s", (int)(bar - name), name,
                               strchr(bar, '.') ? strchr(bar, '.') : "");
    return NULL;
}

/* The state of a study (study/state.h), also of a process (NAME.state.N). */
static bool is_state(const char *name, const char *path)
{
    const char *ending = strstr(name, ".state");
    FREED char *before = name_before(name);
    if (before || !ending || ending[6 + strspn(ending + 6, ".0123456789")]) return false;
    return textfile_begins(path, "sciara ") && strncmp(name, "null.", 5) != 0; /* takes a moment */
}

/* Whether a killed command was to move it to previous/, where it is not yet. */
static bool is_on_its_way(const struct search *l, const char *name)
{
    const cJSON *entry, *list = cJSON_GetObjectItemCaseSensitive(l->writing, "files");
    FREED char *moved = text_format("%s/" OUTPUT_PREVIOUS "/%s", l->path, name);
    cJSON_ArrayForEach (entry, list)
        if (!strcmp(summary_text(entry, NULL, "name"), name)) return (moved && access(moved, F_OK));
    return false;
}

/* Without a summary, or with that of an interrupted study. */
static bool is_unfinished(const struct search *l, const char *name, const char *path)
{
    const cJSON *listed = runfiles_find(&l->files, name), *part;
    if (is_on_its_way(l, name)) return false;
    cJSON_ArrayForEach (part, l->summary)
        if (!strcmp(summary_text(part, NULL, "end"), "interrupted")) return true;
    return !listed || !runfiles_same(listed, path);
}

bool output_state_plan(uint64_t *digest, const char *path)
{
    struct packed_in i;
    char head[64];
    char *end = file_head(head, sizeof head, path) ? strchr(head, '\n') : NULL;
    if (!end || packed_open(&i, path, "a state", NULL)) return false;
    end[1] = '\0';
    const bool is = packed_is(&i, head);
    *digest = packed_get(&i, UINT64_MAX);
    const bool good = is && !i.bad;
    packed_close(&i);
    return good;
}

/* Under the name library-DIGEST.gpkg, ensemble-DIGEST.state.1: the digest of its plan before the first dot. */
static int set_aside(struct search *l, const char *name, uint64_t plan, struct error *e)
{
    const char *dot = strchr(name, '.');
    char *other = NULL;
    for (int more = 1; more; more++) {
        char number[16] = "";
        struct stat s;
        if (more > 1) snprintf(number, sizeof number, "-%d", more);
        free(other);
        other = text_format("%.*s-%016" PRIx64 "%s%s", (int)(dot - name), name, plan, number, dot);
        FREED char *path = other ? text_format("%s/%s", l->path, other) : NULL;
        if (!path || lstat(path, &s)) break;
    }
    int status = output_names_add(&l->f->aside, text_format("%s", name), e);
    if (!status) return output_names_add(&l->f->aside, other, e);
    free(other);
    return status;
}

static int judge_state(struct search *l, const char *name, const char *path, bool *judged,
                       struct error *e)
{
    const struct output_info *info = l->info;
    const bool own = info->state && !strncmp(name, info->state, strlen(info->state)),
               left =
                   info->restarts && !strcmp(summary_text(l->writing, NULL, "study"), info->study);
    uint64_t plan = info->plan_digest;
    *judged = l->rejoined; /* its study reads it */
    if (l->rejoined || info->replace || !is_unfinished(l, name, path)) return 0;
    *judged = true;
    if (!own)
        return error_input(e,
                           "%s: state of an unfinished study; resume that study, choose another "
                           "folder, or remove this file",
                           path);
    output_state_plan(&plan, path);
    if (plan != info->plan_digest) {
        if (!l->was.text) made_by_get(&l->was, l->writing ? l->writing : l->summary, NULL);
        return set_aside(l, name, plan, e);
    }
    *judged = !left && !info->covers;
    return !*judged ? 0
                    : error_input(e,
                                  "%s: state of an unfinished study of this plan; continue it with "
                                  "option 'resume', or compute it anew with option 'replace'",
                                  path);
}

/* A library of the plan stays. */
static int judge_work(struct search *l, const char *name, const char *path, bool *judged,
                      struct error *e)
{
    FREED_BY(made_by_free) struct made_by by = {0};
    const struct product *row = row_of(l, name);
    uint64_t plan;
    *judged = false;
    FREED char *before = l->info->replace ? name_before(name) : NULL;
    const struct product *was = before ? row_of(l, before) : NULL;
    if (was && (was->work ? was->work(path, &plan, &by) : is_state(before, path))) {
        *judged = true;
        return mark_old(l, name, "", e);
    }
    if (is_state(name, path)) return judge_state(l, name, path, judged, e);
    if (!row || !row->work || !row->work(path, &plan, &by)) return 0;
    *judged = plan == l->info->plan_digest || !l->info->replace;
    if (!*judged) return 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    if (plan == l->info->plan_digest) return 0;
    made_by_free(&l->was);
    l->was = by;
    by = (struct made_by){0};
    return set_aside(l, name, plan, e);
}

/* ---- all files --------------------------------------------------------------------------------- */

static int judge(struct search *l, const char *name, const char *path, struct error *e)
{
    struct stat s;
    bool judged = false;
    if (lstat(path, &s) != 0 || text_ends(name, "-journal"))
        return 0; /* gone meanwhile, or SQLite's */
    const bool file = S_ISREG(s.st_mode);
    const int status = file ? judge_work(l, name, path, &judged, e) : 0;
    if (status || judged) return status;
    if (file && is_derived(l, name, path)) return mark_with_notes(l, name, path, e);
    if (l->info->resumed && l->info->from_step >= 0)
        return file ? judge_resumed(l, name, path, e) : 0;
    const bool ours = file && is_ours(l, name, path), wanted = is_wanted(l, name);
    if (!ours && !wanted) return 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    return ours ? mark_with_notes(l, name, path, e) : refuse_foreign(path, e);
}

static int judge_all(struct search *l, struct error *e)
{
    DIR *d = opendir(l->path);
    int status = 0;
    if (!d)
        return error_input(e, "%s: the output folder cannot be read: %s; choose another one",
                           l->path, strerror(errno));
    for (struct dirent *entry; !status && (entry = readdir(d));) {
        FREED char *path = text_format("%s/%s", l->path, entry->d_name);
        status = path ? judge(l, entry->d_name, path, e) : error_memory(e);
    }
    closedir(d);
    return status;
}

/* What is in previous/ by the list. Or, where earlier results are to go there, that nothing is in the way. */
static int judge_previous(struct search *l, struct error *e)
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

/* These files are on the disk, since the state that was written after them is. */
static int list_kept(const struct search *l, struct error *e)
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

/* "output/p: holds members of another plan (members 200, now 300), which stay as library-0123456789abcdef.gpkg" */
static int note_aside(const struct search *l, struct error *e)
{
    static const struct made_by none;
    const struct output_names *aside = &l->f->aside;
    char *text = NULL;
    size_t size;
    if (!aside->count) return 0;
    FREED char *differs = made_by_difference(&l->was, l->info->by ? l->info->by : &none);
    FILE *f = open_memstream(&text, &size);
    if (f && differs)
        fprintf(f, "%s: holds members of another plan (%s), which stay as ", l->path, differs);
    for (int i = 1; f && i < aside->count; i += 2)
        fprintf(f, i > 1 ? ", %s" : "%s", aside->name[i]);
    l->f->notice = text_of_stream(f, &text);
    return l->f->notice && differs ? 0 : error_memory(e);
}

static int look(const char *path, const struct output_info *info, const struct sim_case *c,
                bool rejoined, struct output_folder *f, struct error *e)
{
    struct search l = {.path = path, .info = info, .c = c, .rejoined = rejoined, .f = f};
    int status = runfolder_summary(&l.summary, path, NULL);
    if (status)
        status = error_input(e,
                             "%s/summary.json: is not a summary written by sciara; move it, or "
                             "choose another folder",
                             path);
    l.files = runfiles_of(l.summary);
    if (!status) status = output_writing(&l.writing, path, e);
    if (!status) status = judge_all(&l, e);
    if (!status) status = judge_previous(&l, e);
    if (!status) status = list_unmarked(&l, e);
    if (!status) status = list_kept(&l, e);
    if (!status) status = note_aside(&l, e);
    f->study = info->study;
    f->by = info->by;
    output_names_free(&l.kept);
    runfiles_free(&l.files);
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

/* ---- opening it ------------------------------------------------------------------------------ */

/* Two runs at once would mix their files. A file system without locks cannot prevent that. */
static int lock(struct output_folder *f, const char *path, struct error *e)
{
    f->lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    f->open = f->lock >= 0;
    if (!f->open || flock(f->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return 0;
    return error_input(
        e, "%s: another run is writing to this folder; wait for its end, or choose another one",
        path);
}

int output_folder_take(struct output_folder *f, const struct output_info *info,
                       const struct sim_case *c, bool rejoined, struct error *e)
{
    char *path;
    size_t made;
    *f = (struct output_folder){0};
    int status = prepare(&path, &made, info->directory, e);
    if (!status) {
        status = lock(f, path, e);
        if (!status) status = look(path, info, c, rejoined, f, e);
        if (!status) atomic_file_sweep(path);
        else unmake_folder(path, made);
    }
    if (status) {
        free(path);
        output_folder_free(f);
        return status;
    }
    f->path = path;
    f->made = made;
    return 0;
}

void output_folder_unmake(struct output_folder *f)
{
    if (f->path) output_restore(f);
    if (f->path) unmake_folder(f->path, f->made);
    f->made = 0;
}

void output_folder_leave(struct output_folder *f)
{
    if (f->open) close(f->lock);
    f->open = false;
}

void output_folder_free(struct output_folder *f)
{
    output_folder_leave(f);
    for (int i = 0; i < f->count; i++) free(f->file[i].name);
    free(f->file);
    free(f->path);
    output_failures_free(f);
    output_names_free(&f->old);
    output_names_free(&f->aside);
    output_names_free(&f->unmarked);
    output_names_free(&f->previous);
    free(f->notice);
    *f = (struct output_folder){0};
}
