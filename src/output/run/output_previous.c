/* output_previous.c — keeps earlier results while new results are written.
 *
 * Before the first new file, writing.json names what is being written, and earlier results are moved to previous/. The
 * summary moves first, because a folder without a summary has no complete results. When the new results are complete,
 * previous/ and writing.json are removed. So if the command is killed, the results in the folder or in previous/ are
 * complete. writing.json then names the files that the command may have written. The next command replaces these files;
 * previous/ stays until the results of that command are complete. */
#include "output_inside.h"

#include "record/runfolder.h"
#include "products/made_by.h"
#include "record/record.h"
#include "record/json_number.h"
#include "text/atomic_file.h"
#include "text/grow.h"
#include "text/textfile.h"

#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ------------------------------------------------------------------------------------- */

int output_names_add(struct output_names *n, char *name, struct error *e)
{
    if (name && APPEND(n->name, n->count, name)) return 0;
    free(name);
    return error_memory(e);
}

bool output_names_has(const struct output_names *n, const char *name)
{
    for (int i = 0; i < n->count; i++)
        if (!strcmp(n->name[i], name)) return true;
    return false;
}

void output_names_free(struct output_names *n)
{
    for (int i = 0; i < n->count; i++) free(n->name[i]);
    RELEASE(n, n->name);
}

/* ---- the list ---------------------------------------------------------------------------------- */

/* Writes writing.json. whole: the new results are complete, and earlier results are being removed. */
static int write_list(const struct output_folder *f, bool whole, struct error *e)
{
    cJSON *root = cJSON_CreateObject(), *files;
    json_add_texts(root, {"software", "sciara"}, {"study", f->study ? f->study : "run"});
    json_add_words(root, "writing", f->unmarked.name, f->unmarked.count);
    if (whole) cJSON_AddTrueToObject(root, "whole");
    if (f->by) made_by_put(root, f->by);
    files = cJSON_AddArrayToObject(root, "files"); /* in the form of the list in a summary */
    for (int i = 0; i < f->previous.count; i++)
        cJSON_AddStringToObject(json_add_object(files), "name", f->previous.name[i]);
    FREED char *text = json_printed(root), *path = text_format("%s/" RUNFOLDER_WRITING, f->path);
    return text && path ? atomic_file_text(path, text, e) : error_memory(e);
}

int output_writing(cJSON **list, const char *folder, struct error *e)
{
    FREED char *path = text_format("%s/" RUNFOLDER_WRITING, folder);
    *list = NULL;
    return path ? runfolder_list(list, path, e) : error_memory(e);
}

/* ---- moving ------------------------------------------------------------------------------------ */

static int count_entries(const char *folder)
{
    DIR *d = opendir(folder);
    int count = 0;
    if (!d) return -1;
    while (readdir(d)) count++;
    closedir(d);
    return count;
}

static int move_file(const char *from, const char *to, struct error *e)
{
    if (rename(from, to) == 0 || errno == ENOENT) return 0;
    return error_failed(e, "%s: cannot be renamed to %s: %s; choose another folder", from, to,
                        strerror(errno));
}

/* Moves an earlier result to previous/. A file of a killed command is removed instead, because previous/ already has the
 * earlier file of this name. */
static int move_old(const struct output_folder *f, bool first, const char *name, struct error *e)
{
    FREED char *from = text_format("%s/%s", f->path, name),
               *to = text_format("%s/" OUTPUT_PREVIOUS "/%s", f->path, name);
    if (!from || !to) return error_memory(e);
    if (first || (output_names_has(&f->previous, name) && access(to, F_OK)))
        return move_file(from, to, e);
    if (unlink(from) == 0 || errno == ENOENT) return 0;
    return error_failed(e, "%s: cannot be removed: %s; choose another folder", from,
                        strerror(errno));
}

static int move_all(struct output_folder *f, bool first, struct error *e)
{
    FREED char *previous = text_format("%s/" OUTPUT_PREVIOUS, f->path);
    int status = previous ? 0 : error_memory(e);
    if (!status && f->old.count && mkdir(previous, 0777) && errno != EEXIST)
        status = error_failed(e, "%s: cannot be made: %s; choose another folder", previous,
                              strerror(errno));
    for (int rest = 0; rest < 2; rest++)
        for (int i = 0; i < f->old.count && !status; i++)
            if ((strcmp(f->old.name[i], "summary.json") != 0) == (rest == 1))
                status = move_old(f, first, f->old.name[i], e);
    return status;
}

static int set_aside(const struct output_folder *f, struct error *e)
{
    int status = 0;
    for (int i = 0; i < f->aside.count && !status; i += 2) {
        FREED char *from = text_format("%s/%s", f->path, f->aside.name[i]),
                   *to = text_format("%s/%s", f->path, f->aside.name[i + 1]);
        status = from && to ? move_file(from, to, e) : error_memory(e);
    }
    return status;
}

static void remove_previous(struct output_folder *f)
{
    for (int i = 0; i < f->previous.count; i++) {
        FREED char *path = text_format("%s/" OUTPUT_PREVIOUS "/%s", f->path, f->previous.name[i]);
        if (path) unlink(path);
    }
    FREED char *previous = text_format("%s/" OUTPUT_PREVIOUS, f->path);
    if (previous && f->previous.count) rmdir(previous); /* fails if it has files of the user */
    output_names_free(&f->previous);
}

int output_make_way(struct output_folder *f, struct error *e)
{
    if (!f || !f->path || f->under_way) return 0;
    if (f->replaced) remove_previous(f);
    const bool first = !f->previous.count;
    FREED char *list = text_format("%s/" RUNFOLDER_WRITING, f->path);
    int status = list ? 0 : error_memory(e);
    f->left = list && access(list, F_OK) == 0;
    for (int i = 0; first && i < f->old.count && !status; i++)
        status = output_names_add(&f->previous, text_format("%s", f->old.name[i]), e);
    if (!status && !f->record) status = record_create(&f->record, f->path, e);
    if (!status) status = write_list(f, false, e);
    if (!status) status = set_aside(f, e);
    if (!status) status = move_all(f, first, e);
    f->under_way = true;
    f->first = first;
    f->entries = count_entries(f->path);
    return status;
}

static void remove_list(const struct output_folder *f)
{
    FREED char *path = text_format("%s/" RUNFOLDER_WRITING, f->path);
    if (path) unlink(path);
}

void output_settle(struct output_folder *f)
{
    FREED char *summary = f && f->under_way ? text_format("%s/summary.json", f->path) : NULL;
    if (!summary || access(summary, F_OK)) return;
    if (f->previous.count && (f->partial || f->failures || write_list(f, true, NULL))) return;
    remove_previous(f);
    remove_list(f);
}

/* Whether the results in previous/ have the digest and the plan of the new results. The plan is compared, too, because
 * files show places and dates, which are not in the digest. */
static bool has_same(const struct output_folder *f)
{
    FREED_BY(json_free_at) cJSON *summary = NULL;
    FREED_BY(made_by_free) struct made_by was = {0};
    FREED char *previous = text_format("%s/" OUTPUT_PREVIOUS, f->path);
    if (!*f->digest || !f->by || !f->by->text || !previous ||
        runfolder_summary(&summary, previous, NULL) || made_by_get(&was, summary, NULL) ||
        !was.text || strcmp(summary_text(summary, NULL, "digest"), f->digest) != 0)
        return false;
    was.every = true;
    return !made_by_differs(&was, f->by);
}

int output_keep_same(const struct output_info *info, struct error *e)
{
    static const char *const pages[] = {REPORT_FILE, "bulletin.*", "map_bulletin.*"};
    const struct output_folder *f = info->folder;
    int status = 0;
    if (!f->previous.count || f->partial || f->failures || !has_same(f)) return 0;
    for (int i = 0; i < f->previous.count && !status; i++) {
        const char *name = f->previous.name[i];
        bool page = false;
        for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
            page = page || !fnmatch(pages[k], name, 0);
        if (!page) continue;
        FREED char *to = text_format("%s/%s", f->path, name),
                   *from = text_format("%s/" OUTPUT_PREVIOUS "/%s", f->path, name);
        if (!to || !from) return error_memory(e);
        /* Makes a link, because previous/ has to stay complete until the summary is written. On a file system without
         * links the page is removed with previous/. */
        const bool there = !link(from, to);
        /* the report is in no list, because it is made from the summary */
        if (there && strcmp(name, REPORT_FILE) != 0) status = output_wrote(info, to, e);
    }
    return status;
}

void output_restore(struct output_folder *f)
{
    if (!f->under_way || !f->first || count_entries(f->path) != f->entries) return;
    for (int i = 0; i < f->old.count; i++) {
        FREED char *to = text_format("%s/%s", f->path, f->old.name[i]),
                   *from = text_format("%s/" OUTPUT_PREVIOUS "/%s", f->path, f->old.name[i]);
        if (to && from && access(to, F_OK)) rename(from, to);
    }
    for (int i = 0; i < f->aside.count; i += 2) {
        FREED char *to = text_format("%s/%s", f->path, f->aside.name[i]),
                   *from = text_format("%s/%s", f->path, f->aside.name[i + 1]);
        if (to && from) rename(from, to);
    }
    FREED char *previous = text_format("%s/" OUTPUT_PREVIOUS, f->path);
    if (previous) rmdir(previous);
    if (!f->left) remove_list(f);
    f->under_way = false;
}
