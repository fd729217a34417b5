#include "watch.h"

#include "base/order.h"
#include "text/grow.h"
#include "text/scan.h"
#include "text/textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool watch_counts(const char *name)
{
    return *name != '.' && !text_ends(name, "~") && !text_ends(name, ".part") &&
           !text_ends(name, ".tmp");
}

/* ---- a folder ---------------------------------------------------------------------------------- */

/* Adds a file. Folders, devices, and files that were just removed do not count. */
static int add_file(struct watch_state *s, DIR *d, const char *name, struct error *e)
{
    struct stat of;
    if (!watch_counts(name) || fstatat(dirfd(d), name, &of, 0) || !S_ISREG(of.st_mode)) return 0;
    if (!GROW(s->file, s->count)) return error_memory(e);
    s->file[s->count] = (struct watch_file){
        text_format("%s", name), of.st_size,
        (int64_t)of.st_mtim.tv_sec * 1000000000 + of.st_mtim.tv_nsec, (uint64_t)of.st_ino};
    return s->file[s->count++].name ? 0 : error_memory(e);
}

int watch_look(struct watch_state *s, const char *folder, struct error *e)
{
    DIR *d = opendir(folder);
    int status = 0;
    *s = (struct watch_state){.count = 0};
    if (!d) return error_input(e, "%s: cannot be watched: %s", folder, strerror(errno));
    for (struct dirent *f; !status && (f = readdir(d));) status = add_file(s, d, f->d_name, e);
    closedir(d);
    if (status) watch_free(s);
    else if (s->count) qsort(s->file, (size_t)s->count, sizeof *s->file, order_names);
    return status;
}

void watch_free(struct watch_state *s)
{
    for (int i = 0; i < s->count; i++) free(s->file[i].name);
    free(s->file);
    *s = (struct watch_state){.count = 0};
}

/* ---- what to do -------------------------------------------------------------------------------- */

static bool same_state(const struct watch_state *a, const struct watch_state *b)
{
    bool equal = a->count == b->count;
    for (int i = 0; i < a->count && equal; i++) {
        const struct watch_file *x = &a->file[i], *y = &b->file[i];
        equal = !strcmp(x->name, y->name) && x->bytes == y->bytes &&
                x->changed_ns == y->changed_ns && x->inode == y->inode;
    }
    return equal;
}

bool watch_next(struct watch_state *tried, struct watch_state *now, bool any)
{
    for (int i = 0; i < now->count; i++) any = any || text_ends(now->file[i].name, WATCH_LINES);
    if (!any || same_state(tried, now)) {
        watch_free(now);
        return false;
    }
    watch_free(tried);
    *tried = *now;
    *now = (struct watch_state){.count = 0};
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------- */

/* Turns the name of a file in a line into a path relative to the line's own file. */
static int place_beside(char file[ENTRY_WORD], const char *path, const struct keyvalue *line,
                        struct error *e)
{
    if (!*file) return 0;
    FREED char *there = path_beside(path, file);
    if (!there) return error_memory(e);
    if (strlen(there) >= ENTRY_WORD)
        return error_line(
            e, path, line->line,
            "the path of the file is too long; move it to a folder with a shorter path");
    strcpy(file, there);
    return 0;
}

static int read_line(struct seen_lines *to, const char *path, const struct keyvalue *line,
                     const char *start_time, struct error *e)
{
    const struct entry at = {
        .path = path, .line = line, .unit = "", .target = to, .start_time = start_time};
    int kind = 0;
    char excerpt[48];
    while (kind < SEEN_KINDS && strcmp(line->key, seen_names[kind]) != 0) kind++;
    if (kind == SEEN_KINDS)
        return error_line(
            e, path, line->line,
            "'%s' is not an observation; give observed_front, observed_fronts, observed_dry, "
            "observed_arrival, observed_survey, observed_hot_spots, observed_end or weigh_rates",
            scan_excerpt(excerpt, line->key));
    int status = seen_read(&at, e);
    struct seen_line *s = status ? NULL : &to->line[to->count - 1];
    if (!status) status = place_beside(s->file, path, line, e);
    return status ? status : place_beside(s->within, path, line, e);
}

int watch_lines(struct seen_lines *to, const struct watch_state *s, const char *folder,
                const char *start_time, struct error *e)
{
    int status = 0;
    for (int i = 0; i < s->count && !status; i++) {
        FREED_BY(keyvalues_free) struct keyvalues k = {.count = 0};
        if (!text_ends(s->file[i].name, WATCH_LINES)) continue;
        FREED char *path = text_format("%s/%s", folder, s->file[i].name);
        status = path ? keyvalues_read(&k, path, e) : error_memory(e);
        for (int n = 0; n < k.count && !status; n++)
            status = read_line(to, path, &k.item[n], start_time, e);
    }
    return status;
}
