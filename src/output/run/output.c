/* output.c — writes one state. */
#include "output_map.h"

#include "export/export.h"
#include "text/textfile.h"
#include "base/file_progress.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the files of a run ---------------------------------------------------------------------- */

static bool is_state(const struct sim_case *c, const char *name)
{
    (void)c;
    return restart_is_name(name, NULL);
}

static const struct product rows[] = {
    {.kind = PRODUCT_TABLE, .name = "timeline.csv", .head = output_timeline_head},
    {.kind = PRODUCT_DIAGRAM, .name = "timeline"},
    {.kind = PRODUCT_TABLE,
     .name = OUTPUT_ASSETS,
     .wanted = PRODUCT_OF_ASSETS,
     .head = output_assets_head},
    {.kind = PRODUCT_FILE, .name = "animation.webp", .wanted = PRODUCT_OF_FRAMES},
    {.kind = PRODUCT_FILE, .name = "animation.mp4", .wanted = PRODUCT_OF_FILM},
    {.kind = PRODUCT_FILE,
     .name = "state",
     .wanted = PRODUCT_OF_STATES,
     .is = is_state,
     .of_steps = true},
    {.kind = PRODUCT_FILE,
     .name = "original",
     .formats = OUTPUT_ORIGINAL,
     .is = output_is_original,
     .of_steps = true},
};
const struct product_table output_other_files = {PRODUCT_TABLE_OF(rows)};

/* ---- a state --------------------------------------------------------------------------------- */

int output_state_files(const struct output_info *info, const struct sim_case *c,
                       const struct fields *f, const struct output_cut *x, struct error *e)
{
    int status = 0;
    file_progress_begin(info->progress);
    if (info->formats & OUTPUT_GEOTIFF) status = output_layers(info, x, e);
    if (!status && file_progress_cancelled(info->progress)) status = error_cancelled(e);
    if (!status && (info->formats & OUTPUT_ORIGINAL)) {
        file_progress_begin_file(info->progress, 0);
        status = output_original(info, c, f, e);
    }
    return status;
}

int output_state(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                 struct error *e)
{
    struct output_outline outline = {0};
    struct output_cut x = {0};
    const bool drawn = info->formats & OUTPUT_PICTURES;
    int status = drawn ? output_outline_read(&outline, info, c, e) : 0;
    if (!status) status = output_cut(&x, info, c, f, &outline, e);
    if (!status) status = output_state_files(info, c, f, &x, e);
    if (!status && file_progress_cancelled(info->progress)) status = error_cancelled(e);
    if (!status && drawn) status = output_maps_of_state(info, &x, e);
    output_cut_free(&x);
    output_outline_free(&outline);
    return status;
}

/* ---- states in the folder: the latest two ---------------------------------------------------- */

/* A run that resumes from a state relies on the files written before it. */
static void settle_files(struct output_folder *f)
{
    for (; f && f->on_disk < f->count; f->on_disk++) {
        char *path = text_format("%s/%s", f->path, f->file[f->on_disk].name);
        const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (file >= 0) {
            fsync(file);
            close(file);
        }
        free(path);
    }
}

static void remove_others(const struct output_saving *s, const char *folder)
{
    DIR *d = opendir(folder);
    int64_t step;
    if (!d) return;
    for (struct dirent *entry; (entry = readdir(d));)
        if (restart_is_name(entry->d_name, &step) && step != s->latest && step != s->before)
            unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
}

int output_save(const struct output_info *info, const struct sim_case *c, const struct fields *f,
                struct error *e)
{
    struct output_saving *s = info->saving;
    char *path = restart_path(info->directory, f->step);
    int status = path ? output_spare(c, path, e) : error_memory(e);
    settle_files(info->folder);
    if (info->samples) s->about.samples = *info->samples; /* borrowed, as the chain */
    if (!status) status = restart_write(path, &s->about, c, f, e);
    free(path);
    if (status) return status;
    if (f->step != s->latest) s->before = s->latest;
    s->latest = f->step;
    s->written = true;
    remove_others(s, info->directory);
    return 0;
}
