/* output_folder.c — the folder of a run: made, locked, cleared of the files of an earlier run of
 * sciara, and of no others. */
#include "output.h"

#include "base/order.h"
#include "compare/runfolder.h"
#include "draw/png_file.h"
#include "export/export.h"
#include "raster/geotiff.h"
#include "text/grow.h"
#include "text/textfile.h"
#include "text/atomic_file.h"

#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
    cJSON *summary; /* of an earlier run; NULL: none, or rejoined */
    struct runfiles files;
    char **old; /* names to be removed */
    int old_count;
    char **kept; /* names of files that stay, and are the run's */
    int kept_count;
};

/* The row of a file that this computation writes; NULL: it is not one of its files. */
static const struct product *row_of(const struct search *l, const char *name)
{
    return products_find(l->info->files ? l->info->files : &output_files, l->c, name);
}

/* Whether it may write a file of that name. */
static bool is_wanted(const struct search *l, const char *name)
{
    const struct output_pictures *p = &l->info->pictures;
    const bool wanted[] = {[PRODUCT_ALWAYS] = true,
                           [PRODUCT_OF_ASSETS] = l->c->assets,
                           [PRODUCT_OF_FRAMES] = p->frame_every,
                           [PRODUCT_OF_FILM] = p->film,
                           [PRODUCT_OF_STATES] = l->info->saving};
    const struct product *row = row_of(l, name);
    if (strcmp(name, "summary.json") == 0) return true;
    const unsigned formats = row ? product_formats(row, name) : 0;
    return row && (!formats || formats & l->info->formats) && wanted[row->wanted];
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

/* Whether an earlier run wrote it: it bears the mark, or the list has its checksum. */
static bool is_ours(const struct search *l, const char *name, const char *path)
{
    if (strcmp(name, "summary.json") == 0)
        return !strcmp(summary_text(l->summary, NULL, "software"), "sciara");
    const cJSON *entry = runfiles_find(&l->files, name);
    const bool damaged =
        l->info->resumed && restart_is_name(name, NULL); /* it has been looked at */
    return damaged || is_marked(l, name, path) || (entry && runfiles_same(entry, path));
}

static int add_name(char ***list, int *count, const char *name, const char *ending, struct error *e)
{
    char *whole = text_format("%s%s", name, ending);
    if (whole && APPEND(*list, *count, whole)) return 0;
    free(whole);
    return error_memory(e);
}

static int mark_old(struct search *l, const char *name, const char *ending, struct error *e)
{
    return add_name(&l->old, &l->old_count, name, ending, e);
}

/* GDAL and QGIS write statistics of a layer to a file next to it, which is removed with the layer:
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
 * such names were left. Files of later steps are written again. */
static int judge_resumed(struct search *l, const char *name, const char *path, struct error *e)
{
    const bool known = is_wanted(l, name) || is_marked(l, name, path);
    if (restart_is_name(name, NULL) || !known) return 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    const struct product *row = row_of(l, name);
    const bool of_step = row && row->of_steps;
    if (of_step && runfolder_step(name) <= l->info->from_step) {
        if (!row->is && check_date(l, name, path, e)) return ERROR_INPUT;
        return add_name(&l->kept, &l->kept_count, name, "", e);
    }
    int status = mark_old(l, name, "", e);
    return status ? status : mark_notes(l, name, path, e);
}

static int refuse_foreign(const char *path, struct error *e)
{
    return error_input(
        e,
        "%s: would be overwritten, but was not written by an earlier run; move it, or "
        "choose another folder",
        path);
}

/* In the folder of a study that resumes: the old page, and pictures and exports that are not made
 * again, would show fewer members. Everything else is written again. */
static int judge_rejoined(struct search *l, const char *name, const char *path, bool file,
                          struct error *e)
{
    const struct product *row = row_of(l, name);
    const bool picture = row && product_formats(row, name), wanted = picture && is_wanted(l, name);
    if (!picture && strcmp(name, OUTPUT_REPORT) != 0) return 0;
    if (!file || !is_marked(l, name, path)) return wanted ? refuse_foreign(path, e) : 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    return wanted ? 0 : mark_old(l, name, "", e);
}

/* The state of a study (study/state.h), also of a process (NAME.state.N), without a summary or with
 * the summary of an interrupted study. Only its own study removes it, when it is resumed. */
static bool is_unfinished(const struct search *l, const char *name, const char *path)
{
    const char *ending = strstr(name, ".state");
    if (!ending || ending[6 + strspn(ending + 6, ".0123456789")]) return false;
    if (!textfile_begins(path, "sciara ")) return false;
    const cJSON *listed = runfiles_find(&l->files, name), *part;
    cJSON_ArrayForEach(
        part, l->summary) if (!strcmp(summary_text(part, NULL, "end"), "interrupted")) return true;
    return !listed || !runfiles_same(listed, path);
}

static int refuse_unfinished(const char *path, struct error *e)
{
    return error_input(
        e,
        "%s: state of an unfinished study; resume it, choose another folder, or remove this file",
        path);
}

static int judge(struct search *l, const char *name, const char *path, struct error *e)
{
    struct stat s;
    if (lstat(path, &s) != 0) return 0; /* gone meanwhile */
    if (l->rejoined) return judge_rejoined(l, name, path, S_ISREG(s.st_mode), e);
    if (S_ISREG(s.st_mode) && is_unfinished(l, name, path)) return refuse_unfinished(path, e);
    if (l->info->resumed && l->info->from_step >= 0)
        return S_ISREG(s.st_mode) ? judge_resumed(l, name, path, e) : 0;
    const bool ours = S_ISREG(s.st_mode) && is_ours(l, name, path), wanted = is_wanted(l, name);
    if (!ours && !wanted) return 0;
    if (output_spare(l->c, path, e)) return ERROR_INPUT;
    if (!ours) return refuse_foreign(path, e);
    int status = mark_old(l, name, "", e);
    return status ? status : mark_notes(l, name, path, e);
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

/* The summary is removed last: as long as it exists, it names the origin of the other files. */
static int remove_old(const struct search *l, struct error *e)
{
    for (int last = 0; last < 2; last++)
        for (int i = 0; i < l->old_count; i++) {
            if ((strcmp(l->old[i], "summary.json") == 0) != (last == 1)) continue;
            FREED char *path = text_format("%s/%s", l->path, l->old[i]);
            const bool failed = !path || (unlink(path) != 0 && errno != ENOENT);
            int status = failed
                             ? error_input(e, "%s/%s: cannot be removed: %s; choose another folder",
                                           l->path, l->old[i], strerror(errno))
                             : 0;
            if (status) return status;
        }
    return 0;
}

/* These files are on the disk, since the state that was written after them is. */
static int list_kept(const struct search *l, struct error *e)
{
    struct output_folder *f = l->info->folder;
    int status = 0;
    if (l->kept_count) qsort(l->kept, (size_t)l->kept_count, sizeof *l->kept, order_names);
    for (int i = 0; i < l->kept_count && !status; i++) {
        FREED char *path = text_format("%s/%s", l->path, l->kept[i]);
        status = path ? output_wrote(l->info, path, e) : error_memory(e);
    }
    if (f) f->on_disk = f->count;
    return status;
}

static int clear(const char *path, const struct output_info *info, const struct sim_case *c,
                 bool rejoined, struct error *e)
{
    struct search l = {.path = path, .info = info, .c = c, .rejoined = rejoined};
    int status = rejoined ? 0 : runfolder_summary(&l.summary, path, NULL);
    if (status)
        status = error_input(e,
                             "%s/summary.json: is not a summary written by sciara; move it, or "
                             "choose another folder",
                             path);
    l.files = runfiles_of(l.summary);
    if (!status) status = judge_all(&l, e);
    if (!status) status = remove_old(&l, e);
    if (!status) status = list_kept(&l, e);
    for (int i = 0; i < l.old_count; i++) free(l.old[i]);
    for (int i = 0; i < l.kept_count; i++) free(l.kept[i]);
    free(l.old);
    free(l.kept);
    runfiles_free(&l.files);
    cJSON_Delete(l.summary);
    return status;
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
        if (!status) status = clear(path, info, c, rejoined, e);
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
    *f = (struct output_folder){0};
}
