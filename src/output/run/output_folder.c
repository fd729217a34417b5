/* output_folder.c — makes the folder of a run, and locks it while the run writes to it. */
#include "output_inside.h"

#include "raster/geotiff.h"
#include "record/record.h"
#include "record/zip_pack.h"
#include "text/atomic_file.h"
#include "text/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- making it ------------------------------------------------------------------------------- */

/* Makes a folder and its parents. *made: the length of the path of the outermost new folder; 0: all folders existed. */
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

/* Removes the folders that make_folder() made, the innermost first. A folder that is not empty stays. */
static void unmake_folder(char *path, size_t made)
{
    while (made && strlen(path) >= made) {
        rmdir(path);
        char *slash = strrchr(path, '/');
        if (!slash) return;
        *slash = '\0';
    }
}

/* Makes the folder. *path: its name, malloc'ed; *made: for unmake_folder(). */
static int prepare_folder(char **path, size_t *made, const char *directory, struct error *e)
{
    *made = 0;
    *path = text_format("%s", *directory ? directory : ".");
    if (!*path) return error_memory(e);
    if (make_folder(*path, made) == 0 && atomic_file_possible(*path)) return 0;
    const int why = errno;
    unmake_folder(*path, *made);
    return error_input(e, "%s: the output folder cannot be written: %s; choose another folder",
                       directory, strerror(why));
}

int output_prepare(const char *directory, struct error *e)
{
    FREED char *path = NULL;
    size_t made;
    int status = prepare_folder(&path, &made, directory, e);
    if (!status) atomic_file_sweep(path);
    return status;
}

/* ---- opening it ------------------------------------------------------------------------------ */

/* Locks the folder, because two runs at once would mix their files. On a file system without locks this does nothing. */
static int lock(struct output_folder *f, const char *path, struct error *e)
{
    f->lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    f->open = f->lock >= 0;
    if (!f->open || flock(f->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return 0;
    return error_input(
        e, "%s: another run is writing to this folder; wait for its end, or choose another folder",
        path);
}

int output_folder_hold(struct output_folder *f, const char *directory, struct error *e)
{
    *f = (struct output_folder){0};
    return lock(f, directory, e);
}

int output_folder_take(struct output_folder *f, const struct output_info *info,
                       const struct sim_case *c, bool rejoined, struct error *e)
{
    char *path;
    size_t made;
    *f = (struct output_folder){0};
    geotiff_prepare();
    zip_pack_prepare();
    int status = prepare_folder(&path, &made, info->directory, e);
    /* if lock() fails, another run uses the folder, so the folder stays */
    if (!status && !(status = lock(f, path, e))) {
        status = output_look(path, info, c, rejoined, f, e);
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
    if (f->under_way) output_shown(f, NULL);
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
    output_failures_free(f);
    output_names_free(&f->old);
    output_names_free(&f->aside);
    output_names_free(&f->unmarked);
    output_names_free(&f->previous);
    record_discard(f->record);
    RELEASE(f, f->file, f->path, f->notice);
}
