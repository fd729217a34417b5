#include "file_group.h"

#include "atomic_file.h"
#include "textfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { DIGITS = 8 };

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns folder/STEM-CHECKSUM.END, malloc'ed. */
static char *named_path(const char *path, unsigned crc32)
{
    const int stem = path_stem(path);
    return text_format("%.*s-%08x%s", stem, path, crc32, path + stem);
}

static bool has_sum(const char *path, unsigned crc32)
{
    struct filesum sum;
    return filesum_of(&sum, path) && sum.crc32 == crc32;
}

bool file_group_has(const char *path, unsigned crc32)
{
    FREED char *named = named_path(path, crc32);
    return has_sum(path, crc32) || (named && has_sum(named, crc32));
}

/* ---- making ---------------------------------------------------------------------------------- */

int file_group_open(struct file_group *g, const char *head, struct error *e)
{
    return (g->head = text_format("%s", head)) ? 0 : error_memory(e);
}

/* The temporary name has the form of atomic_file.h, so that atomic_file_sweep() removes the file of a killed writer. */
int file_group_add(struct file_group *g, const char *name, const char **at, struct error *e)
{
    struct grouped *f = &g->file[g->count++];
    const int folder = (int)(path_name(g->head) - g->head);
    unsigned long long random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return error_failed(e, "the system gives no random numbers");
    f->path = text_format("%.*s%s", folder, g->head, name);
    f->temp = text_format("%.*s.sciara-%016llx", folder, g->head, random);
    f->name = text_format("%s", name);
    *at = f->temp;
    return f->path && f->temp && f->name ? 0 : error_memory(e);
}

void file_group_free(struct file_group *g)
{
    for (int i = 0; i < g->count; i++) {
        if (g->file[i].temp) unlink(g->file[i].temp);
        FREE_ALL(g->file[i].path, g->file[i].temp, g->file[i].name);
    }
    free(g->head);
    *g = (struct file_group){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool same_content(const char *a, const char *b)
{
    struct filesum sum;
    return filesum_of(&sum, a) && has_sum(b, sum.crc32);
}

const char *file_group_foreign(const struct file_group *g)
{
    for (int i = 0; i < g->count && access(g->head, F_OK); i++) {
        const struct grouped *f = &g->file[i];
        if (!access(f->path, F_OK) && !same_content(f->temp, f->path)) return f->path;
    }
    return NULL;
}

static int put_head(const struct file_group *g, file_group_put *put, void *of, struct error *e)
{
    FREED_BY(atomic_file_abandon) struct atomic_file w;
    int status = atomic_file_open(&w, g->head, e);
    if (!status) status = put(w.stream, g, of, e);
    return status ? status : atomic_file_finish_on_disk(&w, e);
}

/* Renames a file once its content is on the disk. */
static int move_file(struct grouped *f, const char *to, struct error *e)
{
    const int file = open(f->temp, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    return rename(f->temp, to) ? atomic_file_failed(to, errno, "", e) : 0;
}

/* Gives a new file its plain name if there is no old head and no old file of that name. If the old file has the same
 * content, keeps the old file. Otherwise gives the new file a name with its checksum. */
static int place_file(struct grouped *f, bool head, struct error *e)
{
    struct filesum sum;
    if (access(f->path, F_OK) && !head) return move_file(f, f->path, e);
    if (same_content(f->temp, f->path)) return 0;
    if (!filesum_of(&sum, f->temp)) return atomic_file_failed(f->temp, errno, "", e);
    FREED char *named = named_path(f->path, sum.crc32);
    free(f->name);
    f->name = named ? text_format("%s", path_name(named)) : NULL;
    return f->name ? move_file(f, named, e) : error_memory(e);
}

/* Gives each file with a checksum in its name a link with its plain name. False: the file system has no links. */
static bool link_plain(struct file_group *g)
{
    for (int i = 0; i < g->count; i++) {
        struct grouped *f = &g->file[i];
        const int folder = (int)(path_name(g->head) - g->head);
        if (!strcmp(f->name, path_name(f->path))) continue;
        FREED char *named = text_format("%.*s%s", folder, g->head, f->name);
        if (!named || link(named, f->temp) || rename(f->temp, f->path)) return false;
    }
    for (int i = 0; i < g->count; i++)
        memcpy(g->file[i].name, path_name(g->file[i].path), strlen(path_name(g->file[i].path)) + 1);
    return true;
}

/* ---- files that a killed writer left --------------------------------------------------------- */

/* Whether `name` is `plain` with the checksum of the file at `path` in it. Such a file was left by an earlier writer. */
static bool is_left(const char *plain, const char *name, const char *path)
{
    const size_t stem = (size_t)path_stem(plain);
    if (strlen(name) != strlen(plain) + 1 + DIGITS || strncmp(name, plain, stem) ||
        name[stem] != '-' || strcmp(name + stem + 1 + DIGITS, plain + stem) ||
        strspn(name + stem + 1, "0123456789abcdef") != DIGITS)
        return false;
    return has_sum(path, (unsigned)strtoul(name + stem + 1, NULL, 16));
}

void file_group_sweep(const char *head, const char *plain, const char *but)
{
    const int folder = (int)(path_name(head) - head);
    FREED char *in = folder ? text_format("%.*s", folder, head) : text_format(".");
    DIR *d = in ? opendir(in) : NULL;
    for (const struct dirent *at; d && (at = readdir(d));) {
        FREED char *path = text_format("%.*s%s", folder, head, at->d_name);
        const bool kept = but && !strcmp(at->d_name, but);
        if (path && !kept && is_left(plain, at->d_name, path)) unlink(path);
    }
    if (d) closedir(d);
}

int file_group_write(struct file_group *g, file_group_put *put, void *of, struct error *e)
{
    bool plain = true;
    const bool head = !access(g->head, F_OK);
    int status = 0;
    for (int i = 0; i < g->count && !status; i++) {
        status = place_file(&g->file[i], head, e);
        plain = plain && !status && !strcmp(g->file[i].name, path_name(g->file[i].path));
    }
    if (!status) status = put_head(g, put, of, e);
    if (!status && !plain && link_plain(g)) status = put_head(g, put, of, e);
    for (int i = 0; i < g->count && !status; i++)
        file_group_sweep(g->head, path_name(g->file[i].path), g->file[i].name);
    return status;
}
