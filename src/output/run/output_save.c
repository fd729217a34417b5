/* output_save.c — the states of a run in its folder: the latest two. */
#include "output.h"

#include "text/textfile.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

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
